import { type Caller, may } from './roles.ts'
import { atWall, type DateTime, startOfDay, toWall, type ZonedTime } from './time.ts'
import { textsOf } from './values.ts'

/** States of the event itself, such as canceled. `STATUSES` are the states of its publication. */
export const EVENT_STATUSES = ['scheduled', 'canceled', 'postponed', 'rescheduled'] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]

/** True if an event takes place at its stored time. Lists show other events, too. */
export const takesPlace = (status: EventStatus | undefined): boolean =>
  status !== 'canceled' && status !== 'postponed'

/** Types of online events: only online, or at a venue as well. Other events have ''. */
export const VIRTUAL_EVENT_TYPES = ['', 'virtual', 'hybrid'] as const
export type VirtualEventType = (typeof VIRTUAL_EVENT_TYPES)[number]

/** How many tickets are left; '' if unknown. */
export const TICKET_AVAILABILITIES = ['', 'available', 'few', 'sold_out', 'waitlist'] as const
export type TicketAvailability = (typeof TICKET_AVAILABILITIES)[number]

/**
 * Wheelchair access, as in OpenStreetMap (https://wiki.openstreetmap.org/wiki/Key:wheelchair); '' if unknown.
 */
export const WHEELCHAIR_ACCESS = ['', 'yes', 'limited', 'no'] as const
export type WheelchairAccess = (typeof WHEELCHAIR_ACCESS)[number]

export const STATUSES = ['publish', 'draft', 'pending', 'private', 'future', 'trash'] as const
export type Status = (typeof STATUSES)[number]

/** True if content waits for publication: its first one, unless it was public before. */
export const isWaiting = (status: Status): boolean => status === 'draft' || status === 'pending'

/** True if content is public, or will be at its time. */
export const isPublicStatus = (status: unknown): boolean => status === 'publish' || status === 'future'

/** The statuses from the most public to the most hidden. */
const VISIBILITY_ORDER: readonly Status[] = ['publish', 'future', 'pending', 'draft', 'private', 'trash']

export const lessPublic = (one: Status, other: Status): Status =>
  VISIBILITY_ORDER.indexOf(one) > VISIBILITY_ORDER.indexOf(other) ? one : other

/**
 * The status that content has at an instant: scheduled content counts as published from its time on, even
 * before the cron has stored that.
 *
 * @param now UTC
 */
export const statusAt = (content: { status: Status; date_utc: DateTime }, now: DateTime): Status =>
  content.status === 'future' && content.date_utc <= now ? 'publish' : content.status

/**
 * The status to store when a caller asks for one: publishing later means `future`, a `future` whose time has
 * come means `publish`, and callers who may not publish get `pending` instead.
 *
 * @param wantedStatus the requested status or, if the request names none, the stored status
 * @param dateUtc publication date, UTC
 * @param now UTC
 */
export function statusToStore(
  wantedStatus: Status,
  dateUtc: DateTime,
  now: DateTime,
  caller: Caller,
): Status {
  const needsRight = isPublicStatus(wantedStatus) || wantedStatus === 'private'
  if (needsRight && !may(caller, 'publish_content')) return 'pending'
  if (wantedStatus === 'publish' && dateUtc > now) return 'future'
  if (wantedStatus === 'future' && dateUtc <= now) return 'publish'
  return wantedStatus
}

/** The default status of new content. */
export const initialStatus = (caller: Caller): Status =>
  may(caller, 'publish_content') ? 'publish' : 'draft'

/** The columns of an event that show an earlier start. */
export type Movable = Planned & {
  event_status: EventStatus
  /** The start before it was moved, UTC; '' if unknown. */
  previous_utc_start_date: DateTime
  /** A JSON array of the fields that a date of a series has of its own. */
  detached: string
}

/** The start of an event, and its start by the rule of its series. */
type Planned = {
  all_day: boolean
  start_date: DateTime
  timezone: string
  /** The start by the rule of its series; null for single events. */
  occurrence_date: DateTime | null
}

/** The start of a date by the rule of its series. A time that a clock change skips moves forward. */
const startByRule = ({ occurrence_date, all_day, timezone }: Planned): ZonedTime | undefined =>
  occurrence_date === null
    ? undefined
    : atWall(all_day ? startOfDay(occurrence_date) : occurrence_date, timezone)

const hasOwnStart = (detached: string): boolean => textsOf(detached).includes('start_date')

/** True if a date of a series starts when the rule says, whether or not it was ever moved. */
export const startsByRule = (event: Planned): boolean => startByRule(event)?.wall === event.start_date

/**
 * The start of an event before it was moved, for dates of a series whose own start is not the rule's, and for
 * events whose status says that they were moved. Undefined for other events, and if it is unknown. The rule
 * may have changed since a date was moved, so the rule's time only counts for dates that were imported with a
 * start of their own.
 */
export function previousStart(event: Movable): ZonedTime | undefined {
  const { all_day, start_date, timezone, detached, previous_utc_start_date: utc } = event
  const byRule = hasOwnStart(detached) ? startByRule(event) : undefined
  const isMovedDate = byRule !== undefined && byRule.wall !== start_date
  if (!isMovedDate && event.event_status !== 'rescheduled') return undefined
  const previous = utc === '' ? isMovedDate && byRule : { wall: toWall(utc, timezone), utc }
  // The event may have been moved back, or have become a whole day.
  if (!previous || (all_day ? startOfDay(previous.wall) : previous.wall) === start_date) return undefined
  return previous
}

/**
 * The start of an event before it is moved, UTC. A date of a series that was moved before keeps the one that
 * is stored: the start that it had when it moved with the others.
 */
export const previousStartToStore = ({
  detached,
  previous_utc_start_date: previous,
  utc_start_date,
}: Pick<Movable, 'detached' | 'previous_utc_start_date'> & { utc_start_date: DateTime }): DateTime =>
  previous !== '' && hasOwnStart(detached) ? previous : utc_start_date
