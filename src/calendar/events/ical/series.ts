import type { SerializeContext } from '../../../kit/context.ts'
import { type TimeForm, timeForm, type Zones } from '../../../kit/lib/ical/clock-changes.ts'
import { DATE_PROPERTY, dateValue, property, RULE_PROPERTY, utcValue } from '../../../kit/lib/ical/lines.ts'
import { givesDate, occurrenceDates, ruleDates } from '../../../kit/lib/recurrence/dates.ts'
import { laterRule } from '../../../kit/lib/recurrence/edit.ts'
import { END_OF_DATES, occurrenceAt, ruleOf } from '../../../kit/lib/recurrence/pattern.ts'
import { formatRule, type Rule } from '../../../kit/lib/recurrence/rule.ts'
import {
  type DateTime,
  dayNumber,
  isShownTwice,
  laterByClock,
  msByClock,
  toEpoch,
  toUtc,
  toWall,
} from '../../../kit/lib/time.ts'
import { compareTexts } from '../../../kit/lib/values.ts'
import { offsetOf } from '../../../kit/lib/zones.ts'
import { permalink } from '../../content/resource.ts'
import { MAX_OCCURRENCES } from '../recurrence-fields.ts'
import { eventLink } from '../resource.ts'
import type { FeedBody } from './feed-body.ts'
import type { FeedEvent, FeedSeries } from './queries.ts'
import {
  bodyLines,
  endLine,
  headLines,
  type IncludedTexts,
  sequenceOf,
  seriesUid,
  statusReason,
  timeLine,
  timeLines,
  vevent,
  zoneLine,
} from './vevent.ts'

/**
 * The recurrence of a VEVENT, which gives exactly some dates of a series. Dates are wall times in the zone of
 * the series.
 */
type FeedRecurrence = {
  start: DateTime
  last: DateTime
  rule?: Rule
  rdate: readonly DateTime[]
  exdate: readonly DateTime[]
  /** The rule and dates by which the series continues after the last of the dates; absent if it does not. */
  onward?: { rule?: Rule; rdate: readonly DateTime[] }
}

/**
 * The most days, twenty years, after which a COUNT is still counted from its start. A feed may have thousands
 * of series, and each takes a third of a millisecond then.
 */
const MAX_COUNTED_DAYS = 7_305

/**
 * The recurrence for exactly these dates: the rule of their series from the first to the last, with
 * exceptions and additions. The dates are named one by one instead if the rule does not give the first, gives
 * mostly other dates, or has a COUNT that began long ago.
 *
 * @param dates in ascending order, at least one; `isRegular` if any is at its regular time
 */
function recurrenceSet(
  series: FeedSeries,
  { dates, isRegular }: { dates: readonly DateTime[]; isRegular: boolean },
): FeedRecurrence {
  const [start = series.start_date] = dates
  const last = dates.at(-1) ?? start
  const isOne = dates.length === 1
  // Without a rule, some programs do not count the start among the dates. They expect dates with times of
  // their own only in events that repeat.
  const datesOnly: FeedRecurrence = { start, last, rdate: isOne && isRegular ? [] : dates, exdate: [] }
  if (isOne && series.extend_from === null) return datesOnly
  const fullRule = ruleOf(series)
  const age = dayNumber(start) - dayNumber(series.start_date)
  if (fullRule?.count !== undefined && age > MAX_COUNTED_DAYS) return datesOnly
  const ownRule = fullRule && ruleFrom(series, fullRule, start)
  const isLast = isLastOf(series, last, ownRule ? { start, rule: ownRule.rule } : { rule: fullRule })
  if (isOne || !ownRule) return isLast ? withRest(datesOnly, series, ownRule) : datesOnly
  const set = recurrenceByRule(ownRule, { series, dates, isLast })
  return set && isLast ? withRest(set, series, ownRule) : (set ?? datesOnly)
}

/** True if a series has no later date than one of its dates. @param from its rule from a start on */
function isLastOf(
  { extend_from, start_date, rdate, exdate, timezone }: FeedSeries,
  date: DateTime,
  { start = start_date, rule }: { start?: DateTime; rule: Rule | undefined },
): boolean {
  const to = extend_from === null ? END_OF_DATES : toWall(extend_from, timezone)
  const bounds = { from: laterByClock(date, 1000), to: laterByClock(to, -1000), limit: 1 }
  const { dates } = occurrenceDates(
    { start, rule, rdate, exdate },
    { ...bounds, offsetAt: offsetOf(timezone) },
  )
  return dates.length === 0
}

/** A rule from a date on, and whether it gives the date itself. */
type OwnRule = { rule: Rule; givesStart: boolean }

/** The rule of a series from its start, or from a date of the rule on; undefined for other dates. */
function ruleFrom({ start_date }: FeedSeries, fullRule: Rule, start: DateTime): OwnRule | undefined {
  const { count: _, ...endlessRule } = fullRule
  const givesStart = givesDate(endlessRule, start_date, start)
  if (!givesStart) return start === start_date ? { rule: fullRule, givesStart } : undefined
  const rule = laterRule(fullRule, start_date, start)
  return rule && { rule, givesStart }
}

type DatedSeries = { series: FeedSeries; dates: readonly DateTime[]; isLast: boolean }

/**
 * The dates by their rule and exceptions to it; undefined if the rule does not give the start, or several
 * times as many dates, most of which would be exceptions. A copy of a series that continues still needs these
 * exceptions.
 */
function recurrenceByRule(
  { rule, givesStart }: OwnRule,
  { series, dates, isLast }: DatedSeries,
): FeedRecurrence | undefined {
  const isContinued = isLast && series.extend_from !== null
  if (!givesStart && !isContinued) return undefined
  const start = dates[0] ?? ''
  const last = dates.at(-1) ?? start
  const limit = (isContinued ? MAX_OCCURRENCES : 2 * dates.length + 10) + series.exdate.length
  const ruleDays = ruleDates(rule, start, { to: last, limit: limit + 1 })
  const shownDates = new Set(dates)
  const exdate = ruleDays.filter(date => !shownDates.has(date))
  if (ruleDays.length > limit || (exdate.length > dates.length && !isContinued)) return undefined
  if (!givesStart) return { start, last, rdate: dates, exdate }
  const ruledDates = new Set(ruleDays)
  return {
    start,
    last,
    rule: isLast && !isContinued ? rule : endedRule(rule, ruleDays),
    rdate: dates.filter(date => !ruledDates.has(date)),
    exdate,
  }
}

/** The rule with an end after these dates, which are its first dates. */
function endedRule({ count, until, ...rule }: Rule, datesOfRule: readonly DateTime[]): Rule {
  if (count === datesOfRule.length) return { ...rule, count }
  const last = datesOfRule.at(-1)
  return { ...rule, ...(last !== undefined && { until: last }) }
}

/**
 * Adds the exceptions after the last existing occurrence, and the rest of the series, so that an import makes
 * the same series.
 */
function withRest(
  set: FeedRecurrence,
  { extend_from, timezone, ...series }: FeedSeries,
  ownRule: OwnRule | undefined,
): FeedRecurrence {
  if (extend_from === null && !set.rule && !set.onward) return set
  const laterExceptions = series.exdate.filter(date => date > set.last)
  const exdate = [...set.exdate, ...laterExceptions.sort()]
  if (extend_from === null) return { ...set, exdate }
  const next = toWall(extend_from, timezone)
  const rdate = series.rdate.filter(date => date >= next)
  return { ...set, exdate, onward: { ...(ownRule && { rule: ownRule.rule }), rdate } }
}

type SeriesInput = {
  series: FeedSeries
  /** The occurrences that the feed shows, at least one. */
  rows: readonly FeedEvent[]
  texts: IncludedTexts
  zones: Zones
  room: FeedBody
}

const dateOf = (row: FeedEvent): DateTime => row.occurrence_date ?? row.start_date

/**
 * Everything that a calendar shows of an occurrence except for its time and page, as a text for comparison.
 */
const contentOf = (row: FeedEvent): string =>
  JSON.stringify([
    row.title,
    row.description,
    row.isAbridged,
    row.website,
    row.event_status,
    statusReason(row),
    row.room,
    row.ticket_availability,
    row.wheelchair,
    row.accessibility,
    row.is_virtual && row.virtual_url,
    row.image?.url,
    row.venues.map(({ id }) => id),
    row.organizers.map(({ id }) => id),
    row.terms.map(({ id }) => id),
  ])

/**
 * The length of an occurrence at its regular time, by wall clocks; undefined if it was moved, if clocks
 * change during it, or if they show its start or end twice: such times are in UTC.
 */
function regularLength(row: FeedEvent, series: FeedSeries): number | undefined {
  const length = msByClock(row.start_date, row.end_date)
  const isRegular =
    row.start_date === row.occurrence_date &&
    row.timezone === series.timezone &&
    row.all_day === series.all_day &&
    (row.all_day ||
      (toEpoch(row.utc_end_date) - toEpoch(row.utc_start_date) === length &&
        ![row.utc_start_date, row.utc_end_date].some(utc => isShownTwice(utc, row.timezone))))
  return isRegular ? length : undefined
}

/** The largest group of occurrences with the same content, which the VEVENT of the series describes. */
function largestGroupOf(rows: readonly FeedEvent[], series: FeedSeries): readonly FeedEvent[] {
  const groups = Map.groupBy(rows, row => {
    const length = regularLength(row, series)
    return length === undefined ? undefined : `${length} ${contentOf(row)}`
  })
  groups.delete(undefined)
  let largestGroup: readonly FeedEvent[] = []
  for (const kind of groups.values()) if (kind.length > largestGroup.length) largestGroup = kind
  return largestGroup
}

/**
 * Writes the occurrences of a series that a feed shows: a VEVENT whose recurrence gives exactly these
 * occurrences, and another VEVENT for each occurrence that differs. Programs that expand the recurrence find
 * the occurrences of the list, whichever a filter leaves out.
 */
export function writeSeries(input: SeriesInput, context: SerializeContext): void {
  const { series, zones, texts, room } = input
  const rows = input.rows.toSorted((a, b) => compareTexts(dateOf(a), dateOf(b)))
  const commonRows = largestGroupOf(rows, series)
  const example = commonRows[0] ?? rows[0]
  if (!example) return
  const isRegular = commonRows.length > 0
  const set = recurrenceSet(series, { dates: rows.map(dateOf), isRegular })
  const otherRows = new Set(rows)
  for (const row of commonRows) otherRows.delete(row)
  const head = {
    uid: seriesUid(series, context),
    sequence: sequenceOf(series),
    created: series.date_utc,
    modified: series.modified_utc,
  }
  const times = mainTimes(series, set, example, isRegular)
  if (!series.all_day)
    for (const { timezone, utc_start_date, utc_end_date } of rows)
      if (timezone === series.timezone) zones.add(timezone, utc_start_date, utc_end_date)
  const url = permalink(example, 'event', context, [series.slug])
  room.add(
    vevent(
      headLines(head) +
        recurrenceLines(series, set, times, zones) +
        // The rule does not move, even if the only remaining date has moved.
        bodyLines(context, {
          row: { ...example, occurrence_date: null, previous_utc_start_date: '' },
          url,
          texts,
        }),
    ),
  )
  for (const row of otherRows) room.add(occurrenceVeventText(row, series, { zones, texts }, context))
}

export function occurrenceVeventText(
  row: FeedEvent,
  series: FeedSeries,
  { zones, texts }: Pick<SeriesInput, 'zones' | 'texts'>,
  context: SerializeContext,
): string {
  const head = {
    uid: seriesUid(series, context),
    // Never lower than the SEQUENCE of the series, or programs would consider it outdated.
    sequence: sequenceOf(series) + sequenceOf(row),
    created: row.date_utc,
    modified: row.modified_utc > series.modified_utc ? row.modified_utc : series.modified_utc,
  }
  const date = dateOf(row)
  addZone(series, [date], zones)
  return vevent(
    headLines(head) +
      timeLine('RECURRENCE-ID', date, timeForm(series)) +
      timeLines(row, zones) +
      bodyLines(context, { row, url: eventLink(row, context), texts }),
  )
}

function addZone({ all_day, timezone }: FeedSeries, dates: readonly DateTime[], zones: Zones): void {
  if (!all_day && timezone !== 'UTC') zones.add(timezone, ...dates.map(date => toUtc(date, timezone)))
}

type MainTimes = { end: DateTime } | { duration: number }

/**
 * The end of the first date of a recurrence, which is as long as the usual occurrences. If clocks change in
 * between, or show the end twice, it is written as a duration, because programs apply the length of the first
 * occurrence to all others.
 */
function mainTimes(
  series: FeedSeries,
  { start }: FeedRecurrence,
  example: FeedEvent,
  isRegular: boolean,
): MainTimes {
  const usualMs = isRegular
    ? msByClock(example.start_date, example.end_date)
    : msByClock(start, occurrenceAt(series, start).end_date)
  const end = laterByClock(start, usualMs)
  if (series.all_day || series.timezone === 'UTC') return { end }
  const utcEnd = toUtc(end, series.timezone)
  const exactMs = toEpoch(utcEnd) - toEpoch(toUtc(start, series.timezone))
  return exactMs === usualMs && !isShownTwice(utcEnd, series.timezone) ? { end } : { duration: usualMs }
}

function recurrenceLines(series: FeedSeries, set: FeedRecurrence, times: MainTimes, zones: Zones): string {
  const form = timeForm(series)
  const { start, last, rule, rdate, exdate } = set
  addZone(series, [start, last, ...rdate, ...exdate, ...('end' in times ? [times.end] : [])], zones)
  return (
    timeLine('DTSTART', start, form) +
    ('end' in times
      ? endLine({ all_day: series.all_day, start_date: start, end_date: times.end }, form)
      : property('DURATION', durationValue(times.duration))) +
    zoneLine(series) +
    (rule ? property('RRULE', formatRule(withLeapDay(rule, start), untilForm(series))) : '') +
    datesLine('RDATE', rdate, form) +
    datesLine('EXDATE', exdate, form) +
    onwardLines(series, set, zones)
  )
}

/**
 * A yearly rule from 29 February with its implied day (RFC 5545 §3.3.10): without that day, some programs use
 * other days in other years, and with only the day or only the month, every month.
 */
const withLeapDay = (rule: Rule, start: DateTime): Rule =>
  rule.freq === 'YEARLY' && start.slice(5, 10) === '02-29' && !(rule.byMonthDay ?? rule.byDay)
    ? { byMonth: [2], ...rule, byMonthDay: [29] }
    : rule

/**
 * The rest of a series that continues, in properties of this program. Other programs show only the existing
 * occurrences.
 */
function onwardLines(series: FeedSeries, { onward }: FeedRecurrence, zones: Zones): string {
  if (!onward) return ''
  const { rule, rdate } = onward
  const { parameters, value } = timeForm(series)
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

/** The form of UNTIL: a date for all-day events, otherwise UTC (RFC 5545 §3.3.10). */
const untilForm =
  ({ all_day, timezone }: FeedSeries) =>
  (wall: DateTime): string =>
    all_day ? dateValue(wall) : utcValue(toUtc(wall, timezone))

const datesLine = (name: string, dates: readonly DateTime[], { parameters, value }: TimeForm): string =>
  dates.length === 0 ? '' : property(name, dates.map(value).join(','), parameters)
