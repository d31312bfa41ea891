import type { SerializeContext } from '../../../kit/context.ts'
import { Zones } from '../../../kit/lib/ical/clock-changes.ts'
import {
  CALENDAR_PROPERTY,
  PERIOD_PROPERTY,
  property,
  textProperty,
  utcValue,
} from '../../../kit/lib/ical/lines.ts'
import { formatInstant, toEpoch } from '../../../kit/lib/time.ts'
import type { Settings } from '../../../kit/settings.ts'
import { type Feed, FeedBody, type FeedFrame, withinLimit } from './feed-body.ts'
import type { FeedEvent } from './queries.ts'
import { occurrenceVeventText, writeSeries } from './series.ts'
import { type IncludedTexts, veventText } from './vevent.ts'

/** The shortest time, in seconds, that programs should let pass between two reads. */
const MIN_PAUSE_SECONDS = 3600

/** The time that programs should let pass between two reads, in minutes. */
export const pauseOf = ({ cache }: Settings): number =>
  Math.ceil(Math.max(cache.maxAge, MIN_PAUSE_SECONDS) / 60)

type Calendar = {
  /** The calendar's name among the calendars of a subscriber; by default the name of the site. */
  title?: string
  events: readonly FeedEvent[]
  /** True to write every occurrence of a series as an event of its own. */
  expand?: boolean
  /** The number of all matching events, if the calendar may lack some. */
  total?: number
}

/** The sentence for a feed that lacks some of the matching events; '' if the feed has all. */
export const shortenedNote = (events: readonly unknown[], total: number): string =>
  total > events.length ? `The ${events.length} of ${total} events that are nearest to today.` : ''

/**
 * The lines of a calendar that lacks some of the matching events, for people and for programs that mirror it.
 */
function shortenedLines(events: readonly FeedEvent[], total: number): string {
  const description = shortenedNote(events, total)
  const first = events[0]
  const last = events.at(-1)
  if (description === '' || !first || !last) return ''
  // Other events that start together with the first or the last event may be missing.
  const from = formatInstant(toEpoch(first.utc_start_date) + 1_000)
  const to = formatInstant(toEpoch(last.utc_start_date) - 1_000)
  return (
    textProperty('DESCRIPTION', description) +
    textProperty('X-WR-CALDESC', description) +
    property(PERIOD_PROPERTY, `${utcValue(from)}/${utcValue(to)}`)
  )
}

/** A calendar in iCalendar's format, RFC 5545. */
export const calendarText = (calendar: Calendar, context: SerializeContext): Feed =>
  withinLimit(
    calendar.events,
    context,
    (events, texts, room) =>
      writeFrame(
        { ...calendar, events, total: Math.max(calendar.total ?? 0, calendar.events.length) },
        { texts, room },
        context,
      ),
    true,
  )

/**
 * Writes the VEVENTs of events, the VEVENTs of series last. The occurrences of a series become one
 * recurrence.
 */
function writeEvents(
  events: readonly FeedEvent[],
  { zones, texts, expand, room }: { zones: Zones; texts: IncludedTexts; expand: boolean; room: FeedBody },
  context: SerializeContext,
): void {
  const groups = Map.groupBy(events, ({ series }) => (expand ? undefined : series?.id))
  for (const row of groups.get(undefined) ?? []) room.add(veventText(row, zones, texts, context))
  groups.delete(undefined)
  for (const rows of groups.values()) {
    const head = rows[0]?.series
    if (head) writeSeries({ series: head, rows, zones, texts, room }, context)
  }
}

function writeFrame(
  { title, events, expand = false, total = 0 }: Calendar,
  { texts, room }: { texts: IncludedTexts; room: FeedBody },
  context: SerializeContext,
): FeedFrame {
  const zones = new Zones()
  writeEvents(events, { zones, texts, expand, room }, context)
  return [calendarHead(context, title) + shortenedLines(events, total) + zones.toString(), CALENDAR_END]
}

/** A calendar of one event. An occurrence is written alone, so that it changes nothing else of its series. */
export function singleText(row: FeedEvent, expand: boolean, context: SerializeContext): Feed['body'] {
  const zones = new Zones()
  const text =
    row.series && !expand
      ? occurrenceVeventText(row, row.series, { zones, texts: 'all' }, context)
      : veventText(row, zones, 'all', context)
  return calendarOf(zones.toString() + text, context)
}

const calendarOf = (components: string, context: SerializeContext): Feed['body'] =>
  new FeedBody({ isFolded: true }).between(calendarHead(context) + components, CALENDAR_END)

/** The beginning of a calendar. Its zones and events follow, then {@link CALENDAR_END}. */
function calendarHead({ settings, calendarId = '' }: SerializeContext, title = settings.siteName): string {
  const pause = `PT${pauseOf(settings)}M`
  return (
    property('BEGIN', 'VCALENDAR') +
    property('VERSION', '2.0') +
    property('PRODID', '-//event-calendar//feeds//EN') +
    property('CALSCALE', 'GREGORIAN') +
    property('METHOD', 'PUBLISH') +
    textProperty(CALENDAR_PROPERTY, calendarId) +
    textProperty('NAME', title) +
    textProperty('X-WR-CALNAME', title) +
    property('REFRESH-INTERVAL', pause, { VALUE: 'DURATION' }) +
    property('X-PUBLISHED-TTL', pause)
  )
}

const CALENDAR_END = property('END', 'VCALENDAR')
