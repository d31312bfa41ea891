import {
  type EventStatus,
  type Movable,
  previousStart,
  type TicketAvailability,
  takesPlace,
} from '../kit/lib/statuses.ts'
import {
  type DateTime,
  type Day,
  dayOf,
  type EventTimes,
  isElsewhere,
  lastDayOf,
  lastExpectedDay,
  type SiteTimes,
  siteTimes,
  toUtc,
  toWall,
} from '../kit/lib/time.ts'
import { type Dates, movedStyle, styleBeside } from './dates.ts'
import { type Catalogue, filled } from './words.ts'

// Texts about an event in lists, on pages and in letters.

type EventWords = { words: Catalogue['pages']; dates: Dates }

/** The word for an event that does not take place as announced. */
export function statusWord(
  { words }: Pick<EventWords, 'words'>,
  status: string | undefined,
): string | undefined {
  if (status === 'canceled') return words.cancelled
  if (status === 'postponed') return words.postponed
  return status === 'rescheduled' ? words.rescheduled : undefined
}

/**
 * A text after the word for an event that does not take place as announced, such as its title: “Cancelled:
 * Choir”.
 */
export const withStatusWord = (
  wording: Pick<EventWords, 'words'>,
  status: string | undefined,
  text: string,
): string => [statusWord(wording, status), text].filter(Boolean).join(wording.words.colon)

/**
 * The original time of a moved event, such as “was Tue 8 Dec, 18:00”; '' for an event that was not moved.
 *
 * @param zone of the time, which whole days don't show
 */
export function movedWords({ words, dates }: EventWords, event: Movable, zone: string): string {
  const previous = previousStart(event)
  if (!previous) return ''
  const wall = event.all_day || zone === event.timezone ? previous.wall : toWall(previous.utc, zone)
  return filled(words.wasOn, { date: dates.moment(movedStyle(wall, event.start_date), wall, event.all_day) })
}

/** How a moment names its day: `day` with the weekday, for somebody who is about to go there. */
type MomentStyle = 'date' | 'day'

type Span = { from: DateTime; until?: DateTime | undefined; isOneDay: boolean; isWholeDay: boolean }

/** A date and time, with its end if there is one. */
function spanText(dates: Dates, style: MomentStyle, { from, until, isOneDay, isWholeDay }: Span): string {
  if (until === undefined) return dates.moment(style, from, isWholeDay)
  if (isWholeDay) return dates.range(from, until)
  return isOneDay
    ? `${dates.format(style, from)}, ${dates.times(from, until)}`
    : `${dates.moment(style, from)} – ${dates.moment(style, until)}`
}

/**
 * A date and time in its own zone, which is named if clocks at the site show another time, as lists of events
 * do (`isElsewhere`).
 *
 * @param moment with the end of an event, which the text names if visitors expect the event on later days,
 * too, or if `saysEnd`
 */
export function momentThere(
  { words, dates }: EventWords,
  {
    wall,
    end = wall,
    saysEnd = false,
    timezone,
    isWholeDay = false,
    style = 'date',
  }: {
    wall: DateTime
    end?: DateTime
    saysEnd?: boolean
    timezone: string
    isWholeDay?: boolean
    style?: MomentStyle
  },
  siteZone: string,
): string {
  const firstDay = dayOf(wall)
  const lastDay = lastExpectedDay({ start: wall, end, firstDay, lastDay: lastDayOf(wall, end) })
  const until = saysEnd || lastDay > firstDay ? end : undefined
  // To visitors, a night belongs to one day. A text that tells of a new end names the day of that end.
  const isOneDay = dayOf(wall) === dayOf(end) || (style === 'day' && lastDay === firstDay)
  const time = spanText(dates, style, { from: wall, until, isOneDay, isWholeDay })
  const utc = toUtc(wall, timezone)
  if (isWholeDay || timezone === siteZone || toWall(utc, siteZone) === wall) return time
  return filled(words.zoneThere, { time, zone: dates.zone(timezone, utc) })
}

/** The start of an event elsewhere at the site, with its zone; '' if clocks at the site show the same. */
export function momentHere(
  { words, dates }: EventWords,
  {
    wall,
    timezone,
    isWholeDay,
    style = 'date',
  }: { wall: DateTime; timezone: string; isWholeDay: boolean; style?: MomentStyle },
  siteZone: string,
): string {
  const utc = toUtc(wall, timezone)
  const here = toWall(utc, siteZone)
  if (isWholeDay || here === wall) return ''
  return filled(words.zoneThere, { time: dates.moment(style, here), zone: dates.zone(siteZone, utc) })
}

/** The word for the remaining tickets; '' if unknown, and for an event that is cancelled or postponed. */
export const ticketsWord = (
  { words }: EventWords,
  {
    event_status,
    ticket_availability: availability,
  }: { event_status: EventStatus; ticket_availability: TicketAvailability },
): string => (availability === '' || !takesPlace(event_status) ? '' : words[`${availability}_tickets`])

/** The last day of an event, with its year unless that is clear below the heading of a day. */
function untilDay({ words, dates }: EventWords, lastDay: Day, day: Day): string {
  return filled(words.until, { date: dates.format(styleBeside('shortDay', lastDay, day), lastDay) })
}

/** The time of an event in words, with its end. @param day the day of the heading, which is not repeated */
export function timeWords(
  { words, dates }: EventWords,
  { event, times, day }: { event: Pick<EventTimes, 'all_day'>; times: SiteTimes; day: Day },
): string {
  const { start, end, firstDay, lastDay } = times
  if (isLastDay(event, times, day)) return filled(words.untilTime, { time: dates.clock(end) })
  if (isOnLater(times, day)) {
    const until = untilDay({ words, dates }, lastDay, day)
    if (event.all_day || firstDay < day) return until
    return `${dates.clock(start)}, ${until}`
  }
  if (event.all_day) return words.allDay
  return end > start ? dates.times(start, end) : dates.clock(start)
}

/**
 * The time of an event in a row: its start, and how long it is on. What began on an earlier day only has an
 * end.
 */
type RowTimes = { from: string; until?: string | undefined; timeThere?: string | undefined }

/**
 * The time of an event in a row of a list, below the heading of a day. For an event in another zone, with the
 * zones and the time there.
 */
export function rowTimes(
  wording: EventWords,
  shownTimes: { event: EventTimes; times: SiteTimes; day: Day; zone: string },
): RowTimes {
  const { event, times, zone } = shownTimes
  const siteRange = startAndEnd(wording, shownTimes)
  if (!isElsewhere(event, times)) return siteRange
  const from = `${siteRange.from} ${wording.dates.zone(zone, event.utc_start_date, 'short')}`
  return { ...siteRange, from, timeThere: timeTexts(wording, shownTimes).eventText }
}

function startAndEnd(
  { words, dates }: EventWords,
  { event, times, day }: { event: Pick<EventTimes, 'all_day'>; times: SiteTimes; day: Day },
): Omit<RowTimes, 'timeThere'> {
  const { start, end, firstDay, lastDay } = times
  const until = (time: string): string => filled(words.untilTime, { time })
  if (isLastDay(event, times, day)) return { from: until(dates.clock(end)) }
  if (isOnLater(times, day)) {
    const last = untilDay({ words, dates }, lastDay, day)
    if (event.all_day || firstDay < day) return { from: last }
    return { from: dates.format('time', start), until: last }
  }
  if (event.all_day) return { from: words.allDay }
  return {
    from: dates.format('time', start),
    ...(end > start && { until: until(dates.format('time', end)) }),
  }
}

/** True if an event that began on an earlier day ends on a day, at a time. */
const isLastDay = (
  { all_day }: Pick<EventTimes, 'all_day'>,
  { firstDay, lastDay }: SiteTimes,
  day: Day,
): boolean => !all_day && day > firstDay && day === lastDay

/**
 * True if an event is on beyond its first day. On a later day than its last, a whole day is still on in a
 * zone further west.
 */
const isOnLater = (times: SiteTimes, day: Day): boolean =>
  day > times.firstDay || lastExpectedDay(times) > times.firstDay

/**
 * The time of an event in a list below the heading of a day. For an event in another zone, the times in both
 * zones, with the zones.
 *
 * @param input with the zone of the site, and the times in it
 */
export function timeTexts(
  wording: EventWords,
  { event, times, day, zone }: { event: EventTimes; times: SiteTimes; day: Day; zone: string },
): { siteText: string; eventText?: string } {
  const siteText = timeWords(wording, { event, times, day })
  if (!isElsewhere(event, times)) return { siteText }
  const { dates } = wording
  const zoneName = (name: string): string => dates.zone(name, event.utc_start_date, 'short')
  const eventTimes = siteTimes(event, event.timezone)
  const date = eventTimes.firstDay === times.firstDay ? '' : `${dates.format('shortDay', eventTimes.start)}, `
  const eventText = date + timeWords(wording, { event, times: eventTimes, day: eventTimes.firstDay })
  return { siteText: `${siteText} ${zoneName(zone)}`, eventText: `${eventText} ${zoneName(event.timezone)}` }
}
