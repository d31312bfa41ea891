import type { SerializeContext } from '../../../context.ts'
import { DATE_PROPERTY, dateValue, property, RULE_PROPERTY, utcValue } from '../../../lib/ical/lines.ts'
import { type TimeForm, timeForm, type Zones } from '../../../lib/ical/zones.ts'
import type { Budget } from '../../../lib/recurrence/budget.ts'
import { formatRule } from '../../../lib/recurrence/rule.ts'
import { type DateTime, toUtc } from '../../../lib/time.ts'
import { permalink } from '../../content/response.ts'
import { between, later } from '../recurrence/pattern.ts'
import { eventLink } from '../recurrence/serialize.ts'
import { type FeedRecurrence, recurrenceSet, usualEnd } from './recurrence-set.ts'
import type { Room } from './room.ts'
import type { FeedEvent, FeedSeries } from './rows.ts'
import {
  bodyLines,
  endLine,
  headLines,
  reasonOf,
  sequenceOf,
  seriesUid,
  type Texts,
  timeLine,
  timeLines,
  vevent,
  zoneLine,
} from './vevent.ts'

export type SeriesInput = {
  series: FeedSeries
  /** The occurrences that the feed shows, at least one. */
  rows: readonly FeedEvent[]
  texts: Texts
  zones: Zones
  /** That of all rules of the feed. */
  budget: Budget
  room: Room
}

const dateOf = (row: FeedEvent): DateTime => row.occurrence_date ?? row.start_date

/** Everything of an occurrence that a calendar shows but its time and page, as a text to compare it with others. */
const contentOf = (row: FeedEvent): string =>
  JSON.stringify([
    row.title,
    row.description,
    row.isCut,
    row.website,
    row.event_status,
    reasonOf(row),
    row.is_virtual && row.virtual_url,
    row.image?.url,
    row.venues.map(({ id }) => id),
    row.organizers.map(({ id }) => id),
    row.terms.map(({ id }) => id),
  ])

/** The length of an occurrence at its regular time, by wall clocks; undefined for one that was moved, or whose night is longer or shorter. */
function regularLength(row: FeedEvent, series: FeedSeries): number | undefined {
  const length = between(row.start_date, row.end_date)
  const isRegular =
    row.start_date === row.occurrence_date &&
    row.timezone === series.timezone &&
    row.all_day === series.all_day &&
    (row.all_day || between(row.utc_start_date, row.utc_end_date) === length)
  return isRegular ? length : undefined
}

/** The occurrences of the kind that there are most of: the VEVENT of the series describes these. */
function commonest(rows: readonly FeedEvent[], series: FeedSeries): readonly FeedEvent[] {
  const kinds = Map.groupBy(rows, row => {
    const length = regularLength(row, series)
    return length === undefined ? undefined : `${length} ${contentOf(row)}`
  })
  kinds.delete(undefined)
  let most: readonly FeedEvent[] = []
  for (const kind of kinds.values()) if (kind.length > most.length) most = kind
  return most
}

/**
 * Writes the occurrences of a series that a feed shows: a VEVENT with the recurrence of exactly these, and one for each that differs
 * from the others. Parsers that expand it find what the list shows, whichever occurrences a filter leaves out.
 */
export function writeSeries(input: SeriesInput, context: SerializeContext): void {
  const { series, zones, texts, budget, room } = input
  const rows = input.rows.toSorted((a, b) => (dateOf(a) < dateOf(b) ? -1 : 1))
  const common = commonest(rows, series)
  const example = common[0] ?? rows[0]
  if (!example) return
  const set = recurrenceSet(series, rows.map(dateOf), budget)
  const others = new Set(rows)
  for (const row of common) others.delete(row)
  const head = {
    uid: seriesUid(series, context),
    sequence: sequenceOf(series),
    created: series.date_utc,
    modified: series.modified_utc,
  }
  const times = mainTimes(series, set, example, common.length > 0)
  if (!series.all_day)
    for (const { timezone, utc_start_date, utc_end_date } of rows)
      if (timezone === series.timezone) zones.add(timezone, utc_start_date, utc_end_date)
  const url = permalink(example, 'event', context, [series.slug])
  room.add(
    vevent(
      headLines(head) +
        recurrenceLines(series, set, times, zones) +
        bodyLines(context, { row: example, url, texts }),
    ),
  )
  for (const row of others) room.add(occurrenceVeventText(row, series, { zones, texts }, context))
}

/** One occurrence with an own VEVENT. */
export function occurrenceVeventText(
  row: FeedEvent,
  series: FeedSeries,
  { zones, texts }: Pick<SeriesInput, 'zones' | 'texts'>,
  context: SerializeContext,
): string {
  const head = {
    uid: seriesUid(series, context),
    // Never below that of the series, or programs take it for outdated.
    sequence: sequenceOf(series) + sequenceOf(row),
    created: row.date_utc,
    modified: row.modified_utc > series.modified_utc ? row.modified_utc : series.modified_utc,
  }
  const date = dateOf(row)
  addZone(series, [date], zones)
  return vevent(
    headLines(head) +
      timeLine('RECURRENCE-ID', date, timeForm(series, zones)) +
      timeLines(row, zones) +
      bodyLines(context, { row, url: eventLink(row, context), texts }),
  )
}

function addZone({ all_day, timezone }: FeedSeries, dates: readonly DateTime[], zones: Zones): void {
  if (!all_day && timezone !== 'UTC') zones.add(timezone, ...dates.map(date => toUtc(date, timezone)))
}

type MainTimes = { end: DateTime } | { duration: number }

/**
 * The end of the first date of a recurrence. It is that of the usual occurrences; where clocks change in between, it is said
 * as a duration, because programs measure the length of all occurrences by the first.
 */
function mainTimes(
  series: FeedSeries,
  { start }: FeedRecurrence,
  example: FeedEvent,
  isRegular: boolean,
): MainTimes {
  const usual = isRegular
    ? between(example.start_date, example.end_date)
    : between(start, usualEnd(series, start))
  const end = later(start, usual)
  if (series.all_day || series.timezone === 'UTC') return { end }
  const exact = between(toUtc(start, series.timezone), toUtc(end, series.timezone))
  return exact === usual ? { end } : { duration: usual }
}

function recurrenceLines(series: FeedSeries, set: FeedRecurrence, times: MainTimes, zones: Zones): string {
  const form = timeForm(series, zones)
  const { start, last, rule, rdate, exdate } = set
  addZone(series, [start, last, ...rdate, ...exdate, ...('end' in times ? [times.end] : [])], zones)
  return (
    timeLine('DTSTART', start, form) +
    ('end' in times
      ? endLine({ all_day: series.all_day, start_date: start, end_date: times.end }, form)
      : property('DURATION', durationValue(times.duration))) +
    zoneLine(series) +
    (rule ? property('RRULE', formatRule(rule, untilForm(series))) : '') +
    datesLine('RDATE', rdate, form) +
    datesLine('EXDATE', exdate, form) +
    onwardLines(series, set, zones)
  )
}

/** The rest of a series that goes on, in properties of ours: other programs show the occurrences that there are. */
function onwardLines(series: FeedSeries, { onward }: FeedRecurrence, zones: Zones): string {
  if (!onward) return ''
  const { rule, rdate } = onward
  const { parameters, value } = timeForm(series, zones)
  addZone(series, rdate, zones)
  return (
    (rule ? property(RULE_PROPERTY, formatRule(rule, untilForm(series)), { VALUE: 'RECUR' }) : '') +
    rdate.map(date => property(DATE_PROPERTY, value(date), { VALUE: 'DATE-TIME', ...parameters })).join('')
  )
}

/** A DURATION of hours, minutes and seconds. */
function durationValue(ms: number): string {
  const seconds = ms / 1000
  const parts: [amount: number, letter: string][] = [
    [Math.floor(seconds / 3600), 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ]
  return `PT${parts.map(([amount, letter]) => `${amount}${letter}`).join('')}`
}

/** The form of UNTIL: a date for whole days, otherwise UTC (RFC 5545 §3.3.10). */
const untilForm =
  ({ all_day, timezone }: FeedSeries) =>
  (wall: DateTime): string =>
    all_day ? dateValue(wall) : utcValue(toUtc(wall, timezone))

const datesLine = (name: string, dates: readonly DateTime[], { parameters, value }: TimeForm): string =>
  dates.length === 0 ? '' : property(name, dates.map(value).join(','), parameters)
