// Properties of ours, for what iCalendar has none: calendars have them, and imports read them. Other programs pass over
// them.

/** The id of the calendar, as in the header `X-Calendar-Id`: a saved copy has no header. */
export const CALENDAR_PROPERTY = 'X-CALENDAR-ID'

/** The status of an event, where STATUS has no word for it. */
export const STATUS_PROPERTY = 'X-EVENT-STATUS'

/** The zone of whole days, which as dates have none; of a VTIMEZONE, the zone's name here. */
export const TIMEZONE_PROPERTY = 'X-EVENT-TIMEZONE'

/** The rule of a series with its own end: RRULE ends with the last occurrence that there is yet. */
export const RULE_PROPERTY = 'X-EVENT-RRULE'

/** An additional date of a series of which there is no occurrence yet. */
export const DATE_PROPERTY = 'X-EVENT-RDATE'
