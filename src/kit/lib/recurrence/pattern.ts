import type { ValidationErrors } from '../errors.ts'
import { codedReason } from '../reasons.ts'
import {
  addMonths,
  type DateTime,
  dayNumber,
  endOfDay,
  formatInstant,
  laterByClock,
  msByClock,
  spanAt,
  startOfDay,
  toEpoch,
  toUtc,
  toWall,
  type Utc,
} from '../time.ts'
import { pick } from '../values.ts'
import { offsetOf, zoneAbbreviation } from '../zones.ts'
import { type Bounds, firstDate, occurrenceDates, ruleDates } from './dates.ts'
import {
  endBefore,
  fixesDay,
  followsDay,
  laterRule,
  namesWeekdays,
  onLaterDays,
  shiftedRule,
} from './edit.ts'
import { formatRule, parseRule, type Rule } from './rule.ts'

// A pattern is a recurrence with the times of its first occurrence. Nothing else determines the dates of a
// series.

/** A rule ('' for none), and additional and excluded starts, in the zone of the series. */
export type Recurrence = { rrule: string; rdate: readonly DateTime[]; exdate: readonly DateTime[] }

/** The times of the first occurrence, by wall clocks in the zone of the series. */
export type PatternTimes = {
  start_date: DateTime
  end_date: DateTime
  timezone: string
  all_day: boolean
}

/** A recurrence with the times of the first occurrence. */
export type Pattern = Recurrence & PatternTimes

/** Occurrences exist up to this many months from today; the cron adds further ones as time passes. */
export const HORIZON_MONTHS = 24

/** The moment until which occurrences exist, UTC. The first occurrence always exists. @param now UTC */
export function horizonOf({ start_date, timezone }: Pattern, now: Utc): Utc {
  const start = toUtc(start_date, timezone)
  const horizon = addMonths(now, HORIZON_MONTHS)
  return start > horizon ? start : horizon
}

/** The last moment that a date may have. */
export const END_OF_DATES = '9999-12-31 23:59:59'

/** A stored rule, whose UNTIL is in the zone of the series. */
export const ruleOf = ({ rrule }: Recurrence): Rule | undefined =>
  rrule === '' ? undefined : parseRule(rrule)

type StartBounds = {
  /** Inclusive. */
  to: Utc
  /** A wall time of the zone, inclusive; from the first occurrence on by default. */
  from?: DateTime
  limit: number
}

/** The recurrence set of a pattern. */
const setOf = (pattern: Pattern) => ({
  start: pattern.start_date,
  rule: ruleOf(pattern),
  rdate: pattern.rdate,
  exdate: pattern.exdate,
})

/**
 * The first starts of a series' occurrences as wall times of its zone, in order, including those that a clock
 * change skips, and whether there are more.
 */
export const startsOf = (pattern: Pattern, { to, ...bounds }: StartBounds) =>
  occurrenceDates(setOf(pattern), {
    ...bounds,
    to: toWall(to, pattern.timezone),
    offsetAt: offsetOf(pattern.timezone),
  })

/** True if a series has an occurrence at a start, a wall time of its zone. */
export function hasStart(pattern: Pattern, date: DateTime): boolean {
  const bounds = { from: date, to: date, limit: 1, offsetAt: offsetOf(pattern.timezone) }
  return occurrenceDates(setOf(pattern), bounds).dates.length > 0
}

export type Occurrence = {
  /** The start according to the rule. */
  occurrence_date: DateTime
  start_date: DateTime
  end_date: DateTime
  utc_start_date: DateTime
  utc_end_date: DateTime
  timezone_abbr: string
}

/**
 * The occurrence with a given start. By the clock, it is as long as the first one: if clocks change while it
 * lasts, it is longer or shorter, but ends at the usual hour. If nothing would be left of it, it keeps its
 * duration.
 */
export function occurrenceAt(
  { start_date, end_date, timezone, all_day }: Pattern,
  start: DateTime,
): Occurrence {
  const begin = all_day ? startOfDay(start) : start
  const end = laterByClock(begin, msByClock(start_date, end_date))
  const { start: from, end: until } = spanAt({ start: begin, end, all_day }, timezone)
  // When clocks go back, the end of the first date may be, by the clock, before its start.
  const to = until.utc < from.utc ? from : until
  return {
    occurrence_date: start,
    start_date: from.wall,
    end_date: to.wall,
    utc_start_date: from.utc,
    utc_end_date: to.utc,
    timezone_abbr: zoneAbbreviation(from.utc, timezone),
  }
}

/**
 * The months beyond the horizon that are searched for the next occurrence. Leap days may be eight years
 * apart.
 */
const LOOK_AHEAD_MONTHS = 120

/**
 * The moment, UTC, of the next occurrence to create: the start of the first occurrence after the horizon or,
 * if the search finds none, the end of the searched time. Null if no occurrence is left.
 */
export function extendFrom(pattern: Pattern, horizon: Utc): Utc | null {
  const { timezone, rdate } = pattern
  const after = toWall(formatInstant(toEpoch(horizon) + 1000), timezone)
  const laterAdditionalDates = rdate.filter(date => date >= after)
  const next = [...laterAdditionalDates, ...nextOf(pattern, after)].sort()[0]
  return next === undefined ? null : toUtc(next, timezone)
}

/**
 * A list of the next date of a series' rule, or else of a moment before which the rule has no date. It is
 * empty if the rule is over.
 */
function nextOf(pattern: Pattern, after: DateTime): DateTime[] {
  const rule = ruleOf(pattern)
  if (!rule) return []
  const end = addMonths(after, LOOK_AHEAD_MONTHS)
  const next = firstDate(rule, pattern.start_date, { from: after, to: end })
  if (next !== undefined) return [next]
  return isFinished(rule, pattern.start_date, end) ? [] : [end]
}

/** True if a rule has no date after `to`, provided that it has none for some time before `to`. */
function isFinished(rule: Rule, start: DateTime, to: DateTime): boolean {
  const { until, count } = rule
  if (until !== undefined) return until <= to
  // The start counts as a date, even if it does not match the rule.
  return count !== undefined && occurrenceDates({ start, rule }, { to }).dates.length >= count
}

/** The pattern in a row of a series, without the other columns. */
export const patternIn = (row: Pattern): Pattern =>
  pick(row, 'rrule', 'rdate', 'exdate', 'start_date', 'end_date', 'timezone', 'all_day')

/** The recurrence in a pattern or in a row of a series, as requests and responses have it. */
export const asRecurrence = (row: Recurrence): Recurrence => pick(row, 'rrule', 'rdate', 'exdate')

type Span = Pick<PatternTimes, 'start_date' | 'end_date'>

const timeOfDayMs = (wall: DateTime): number => msByClock(startOfDay(wall), wall)

type EditedTime = {
  /** The occurrence's time by the rule. */
  ruled: DateTime
  /** Its stored time, which may differ. */
  stored: DateTime
  /** Its time after the edit. */
  to: DateTime
}

/**
 * The milliseconds by which the dates of a series move with an edited date. Only what this edit changes
 * counts: another day moves all dates by as many days, another time of day gives all of them that time on
 * their own days. Earlier changes to the edited date affect no other date.
 */
export const shiftOf = ({ ruled, stored, to }: EditedTime): number =>
  msByClock(startOfDay(stored), startOfDay(to)) +
  (timeOfDayMs(to) === timeOfDayMs(stored) ? 0 : timeOfDayMs(to) - timeOfDayMs(ruled))

type SpanMove = {
  series: Pattern
  /** The start of the edited occurrence by the rule. */
  date: DateTime
  stored: Span
  /** Its times after the edit; zone and `all_day` are those of the series unless the edit changes them. */
  to: PatternTimes
  /** True if the request names another rule. */
  namesRule: boolean
  /** The starts, according to the rule, of the occurrences that move. */
  dates: readonly DateTime[]
}

/** Returns the start of an occurrence after its series has moved. */
export type MoveStart = (start: DateTime) => DateTime

/**
 * The shift of the start of an edited occurrence, and the length of all occurrences after the edit. If the
 * occurrence becomes all-day, only its days count.
 */
function shiftedSpan({ series, date, stored, to }: Pick<SpanMove, 'series' | 'date' | 'stored' | 'to'>) {
  const asDays = ({ start_date, end_date }: Span): Span =>
    to.all_day
      ? { start_date: startOfDay(start_date), end_date: endOfDay(end_date) }
      : { start_date, end_date }
  const begin = series.all_day ? startOfDay(date) : date
  const ruledSpan = asDays({
    start_date: begin,
    end_date: laterByClock(begin, msByClock(series.start_date, series.end_date)),
  })
  const before = asDays(stored)
  const after = asDays(to)
  const shift = shiftOf({ ruled: ruledSpan.start_date, stored: before.start_date, to: after.start_date })
  const shiftOfEnd = shiftOf({ ruled: ruledSpan.end_date, stored: before.end_date, to: after.end_date })
  const lengthOf = ({ start_date, end_date }: Span): number => msByClock(start_date, end_date)
  const length = lengthOf(ruledSpan)
  // If the edited occurrence keeps its length, all occurrences do.
  const isAsLong = lengthOf(before) === lengthOf(after)
  return { shift, length: isAsLong ? length : length + shiftOfEnd - shift }
}

/**
 * True if a rule with a moved start gives the stored dates and the next date, moved just as far, and no
 * others.
 */
function movesAlong(
  rule: Rule,
  { series, move, dates }: Pick<SpanMove, 'series' | 'dates'> & { move: MoveStart },
): boolean {
  if (followsDay(rule) || namesWeekdays(rule)) return true
  if (fixesDay(rule)) return false
  const start = series.start_date
  const next = shiftedRule(rule, msByClock(start, move(start)) / 1000)
  const bounds: Bounds = { to: END_OF_DATES, limit: dates.length + series.exdate.length + 1 }
  const before = ruleDates(rule, start, bounds)
  const after = ruleDates(next, move(start), bounds)
  return before.map(move).join() === after.join()
}

/** A rule that the edit itself leaves alone, after its first date has moved from one wall time to another. */
export const movedRule = (rule: Rule, from: DateTime, to: DateTime): Rule =>
  onLaterDays(shiftedRule(rule, msByClock(from, to) / 1000), dayNumber(to) - dayNumber(from))

/**
 * The pattern of a series after an edit of one occurrence's times: all occurrences move by the clock. If the
 * series becomes all-day, each occurrence stays on its day.
 *
 * @param errors gets an error if the rule names the days that would change, a date leaves the calendar, or
 *   other occurrences would end before they start
 */
export function movedPattern(
  { series, date, stored, to, namesRule, dates }: SpanMove,
  errors: ValidationErrors,
): { pattern: Pattern; move: MoveStart } {
  const { shift, length } = shiftedSpan({ series, date, stored, to })
  const regular: MoveStart = start => (to.all_day ? startOfDay(start) : start)
  const move: MoveStart = start => laterByClock(regular(start), shift)
  const start_date = move(series.start_date)
  const rule = ruleOf(series)
  const dayShift = dayNumber(start_date) - dayNumber(series.start_date)
  if (length < 0)
    errors.add(
      'end_date',
      'the other dates start later than this one, and would end before: send start_date as well',
    )
  if (rule && !namesRule && dayShift !== 0 && !movesAlong(rule, { series, move, dates }))
    errors.add(
      'start_date',
      codedReason(
        'rule_fixed',
        fixesDay(rule)
          ? 'the rule names its days: send the recurrence as well to move all occurrences'
          : 'not every month has the days to which this moves: send the recurrence as well to move all occurrences',
      ),
    )
  const allDates = [series.start_date, ...series.rdate, ...series.exdate, ...dates]
  // Times outside these years are clamped to the first or last second, so that several dates would become
  // equal.
  if (allDates.some(start => msByClock(regular(start), move(start)) !== shift))
    errors.add('start_date', 'must not move dates of the series out of the years 0001 to 9999')
  const moveAll = (given: readonly DateTime[]) => [...new Set(given.map(move))]
  // Once occurrences last whole days, an excluded date and another date on the same day are equal.
  const movedStarts = new Set(dates.filter(start => !series.exdate.includes(start)).map(move))
  const pattern = {
    rrule: rule ? formatRule(movedRule(rule, series.start_date, start_date)) : '',
    rdate: moveAll(series.rdate),
    exdate: moveAll(series.exdate).filter(excluded => !movedStarts.has(excluded)),
    start_date,
    end_date: laterByClock(start_date, length),
    timezone: to.timezone,
    all_day: to.all_day,
  }
  return { pattern, move }
}

/**
 * The pattern of the dates before a later date. Additional dates may come before the start, and so before all
 * dates of the rule.
 */
export function headOf(pattern: Pattern, date: DateTime): Pattern {
  const { start_date, rdate, exdate } = pattern
  const rule = ruleOf(pattern)
  const endedRule = rule && start_date < date ? endBefore(rule, start_date, date) : undefined
  // The next change would refuse a rule without dates.
  const hasDatesLeft = endedRule && firstDate(endedRule, start_date, { to: date }) !== undefined
  const head = {
    ...pattern,
    rrule: hasDatesLeft ? formatRule(endedRule) : '',
    rdate: rdate.filter(other => other < date),
    exdate: exdate.filter(other => other < date),
  }
  if (start_date < date) return head
  const [start] = head.rdate
  // If all earlier dates are in the trash, none is left.
  return start === undefined ? { ...head, exdate: [start_date] } : startingAt(head, start)
}

/**
 * The pattern of the dates from a later date on. If that is an additional date, the start is the next date of
 * the rule, because the other dates of the rule depend on the start.
 */
export function tailOf(pattern: Pattern, date: DateTime): Pattern {
  const { start_date, rdate, exdate } = pattern
  const rule = ruleOf(pattern)
  const tail = {
    ...pattern,
    rdate: rdate.filter(other => other >= date),
    exdate: exdate.filter(other => other >= date),
  }
  if (date <= start_date) {
    if (rule) return tail
    const dates = [...tail.rdate, start_date].sort()
    return startingAt({ ...tail, rdate: dates }, dates[0] ?? start_date)
  }
  const next = rule && firstDate(rule, start_date, { from: date, to: END_OF_DATES })
  const remainingRule = next && laterRule(rule, start_date, next)
  if (remainingRule) return startingAt({ ...tail, rrule: formatRule(remainingRule) }, next)
  return startingAt({ ...tail, rrule: '' }, tail.rdate[0] ?? date)
}

/** The pattern, starting at another of its dates. */
const startingAt = (pattern: Pattern, start: DateTime): Pattern => ({
  ...pattern,
  rdate: pattern.rdate.filter(other => other !== start),
  start_date: start,
  end_date: laterByClock(start, msByClock(pattern.start_date, pattern.end_date)),
})
