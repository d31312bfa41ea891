import type { SerializeContext } from '../context.ts'
import { property, textProperty } from '../lib/ical/lines.ts'
import { Zones } from '../lib/ical/zones.ts'
import { Budget } from '../lib/recurrence/budget.ts'
import { type DateTime, toEpoch } from '../lib/time.ts'
import type { Settings } from '../settings.ts'
import { type Removed, removedText, removedUid } from './removed.ts'
import type { FeedEvent } from './rows.ts'
import { occurrenceText, seriesText } from './series.ts'
import { eventText, eventUid, seriesUid, type Texts } from './vevent.ts'

/** Steps that the rules of all series of a calendar may take together, a tenth of a microsecond each. */
const MOST_STEPS = 3_000_000

/** The longest feed. */
const MOST_BYTES = 9_000_000

const TEXTS: readonly Texts[] = ['all', 'plain', 'none']

/** The shortest time between two reads that programs should keep to, in seconds. */
const HOUR = 3600

/** The time between two reads, in minutes. */
export const pauseOf = ({ cache }: Settings): number => Math.ceil(Math.max(cache.maxAge, HOUR) / 60)

type Calendar = {
  events: readonly FeedEvent[]
  removed: readonly Removed[]
  /** The number of all events that match, if the calendar may lack some. */
  total?: number
}

/** The sentence in a feed that lacks some of the events that match; '' if it has all. */
export const leftOut = (events: readonly unknown[], total: number): string =>
  total > events.length ? `The ${events.length} of ${total} events that are nearest to today.` : ''

/** A feed, and whether something was left out of it. */
export type Feed = { text: string; isShortened: boolean }

/** A calendar in iCalendar's format, RFC 5545. */
export function calendarText({ events, removed, total = 0 }: Calendar, context: SerializeContext): Feed {
  const all = Math.max(total, events.length)
  return withinLimit(events, context, (rows, texts) => written(rows, removed, all, texts, context))
}

/**
 * A feed that is not too long: without the HTML of descriptions if it is, then without descriptions, then with the nearer half
 * of its events, and so on.
 */
export function withinLimit(
  events: readonly FeedEvent[],
  { now }: Pick<SerializeContext, 'now'>,
  write: (events: readonly FeedEvent[], texts: Texts) => string,
): Feed {
  for (const texts of TEXTS) {
    const text = write(events, texts)
    if (Buffer.byteLength(text) <= MOST_BYTES)
      return { text, isShortened: texts !== 'all' || events.some(({ isCut }) => isCut) }
  }
  const half = nearestTo(now, events, Math.floor(events.length / 2))
  return { ...withinLimit(half, { now }, write), isShortened: true }
}

/** The events with the starts nearest to a moment, in their order. @param now UTC */
function nearestTo(now: DateTime, events: readonly FeedEvent[], count: number): FeedEvent[] {
  const moment = toEpoch(now)
  const distance = ({ utc_start_date }: FeedEvent) => Math.abs(toEpoch(utc_start_date) - moment)
  const kept = new Set([...events].sort((a, b) => distance(a) - distance(b)).slice(0, count))
  return events.filter(event => kept.has(event))
}

/** The VEVENTs of events, those of series behind the others. The occurrences of a series make one recurrence. */
export function eventTexts(
  events: readonly FeedEvent[],
  { zones, texts }: { zones: Zones; texts: Texts },
  context: SerializeContext,
): string {
  let body = ''
  const budget = new Budget(MOST_STEPS)
  const groups = Map.groupBy(events, ({ series }) => series?.id)
  for (const row of groups.get(undefined) ?? []) body += eventText(row, zones, texts, context)
  groups.delete(undefined)
  for (const rows of groups.values()) {
    const head = rows[0]?.series
    if (head) body += seriesText({ series: head, rows, zones, texts, budget }, context)
  }
  return body
}

function written(
  events: readonly FeedEvent[],
  removed: readonly Removed[],
  total: number,
  texts: Texts,
  context: SerializeContext,
): string {
  const zones = new Zones()
  let body = eventTexts(events, { zones, texts }, context)
  // What is shown is not cancelled: the last event of a series that has ended has its UID.
  const known = new Set(
    events.map(row => (row.series ? seriesUid(row.series, context) : eventUid(row, context))),
  )
  for (const row of removed) {
    const uid = removedUid(row, context)
    if (known.has(uid)) continue
    known.add(uid)
    body += removedText(row, zones, context)
  }
  return calendarOf(zones.toString() + body, leftOut(events, total), context)
}

/** A calendar of one event. An occurrence stands for itself, so that it changes nothing else of its series. */
export function singleText(row: FeedEvent, context: SerializeContext): string {
  const zones = new Zones()
  const text = row.series
    ? occurrenceText(row, row.series, { zones, texts: 'all' }, context)
    : eventText(row, zones, 'all', context)
  return calendarOf(zones.toString() + text, '', context)
}

/** A calendar of one event that is no more. */
export function removedCalendar(row: Removed, context: SerializeContext): string {
  const zones = new Zones()
  const text = removedText(row, zones, context)
  return calendarOf(zones.toString() + text, '', context)
}

const calendarOf = (components: string, description: string, context: SerializeContext): string =>
  calendarHead(context, description) + components + CALENDAR_END

/** The beginning of a calendar, which its zones and events follow, then {@link CALENDAR_END}. */
export function calendarHead({ settings }: SerializeContext, description = ''): string {
  const pause = `PT${pauseOf(settings)}M`
  return (
    property('BEGIN', 'VCALENDAR') +
    property('VERSION', '2.0') +
    property('PRODID', '-//event-calendar//feeds//EN') +
    property('CALSCALE', 'GREGORIAN') +
    property('METHOD', 'PUBLISH') +
    textProperty('NAME', settings.siteName) +
    textProperty('X-WR-CALNAME', settings.siteName) +
    textProperty('DESCRIPTION', description) +
    textProperty('X-WR-CALDESC', description) +
    property('REFRESH-INTERVAL', pause, { VALUE: 'DURATION' }) +
    property('X-PUBLISHED-TTL', pause)
  )
}

export const CALENDAR_END = property('END', 'VCALENDAR')
