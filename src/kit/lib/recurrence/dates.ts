import {
  addDays,
  DAY_MS,
  type DateTime,
  dayNumber,
  formatInstant,
  instantByClock,
  type Wall,
  wallMs,
} from '../time.ts'
import type { OffsetAt } from '../zones.ts'
import {
  firstOfMonth,
  firstOfYear,
  type MonthSpan,
  modulo,
  monthWith,
  weekdayFromMonday,
  yearOf,
} from './days.ts'
import type { Frequency, Rule } from './rule.ts'

// A rule is expanded by asking each day of its periods, from the first on, whether the rule gives it. That
// always ends, because there is a last day.

/** The bounds of dates, wall times, both inclusive. */
export type Bounds = {
  /** By default the start. Dates before it count for COUNT, but not for the limit. */
  from?: Wall
  to: Wall
  /** The most dates that are returned: the first ones. */
  limit?: number
  /** Learns for each period how many days were asked: a million take some forty milliseconds. */
  onDaysAsked?: (days: number) => void
}

/** @throws RangeError if it is no time */
function dayIn(wall: DateTime): number {
  if (Number.isNaN(wallMs(wall))) throw new RangeError(`${wall} is not a wall time`)
  return dayNumber(wall)
}

/** Periods of days, which are numbered consecutively. */
type Periods = { numberOf: (day: number) => number; firstDay: (number: number) => number }

const PERIODS: Readonly<Record<Frequency, (weekStart: number) => Periods>> = {
  DAILY: () => ({ numberOf: day => day, firstDay: number => number }),
  WEEKLY: weekStart => ({
    numberOf: day => Math.floor((day + 3 - weekStart) / 7),
    firstDay: number => number * 7 - 3 + weekStart,
  }),
  MONTHLY: () => ({ numberOf: day => monthWith(day).number, firstDay: firstOfMonth }),
  YEARLY: () => ({ numberOf: yearOf, firstDay: firstOfYear }),
}

/** The month of the year, from 1. */
const monthOfYear = ({ number }: MonthSpan): number => modulo(number, 12) + 1

/**
 * Adds the day of the start to a rule that names no days (RFC 5545 §3.3.10, “the appropriate minute, hour,
 * day, or month would have been retrieved from the "DTSTART" property”).
 */
function withStartDay(rule: Rule, start: number): Rule {
  if (rule.byDay || rule.byMonthDay || rule.byYearDay || rule.freq === 'DAILY') return rule
  if (rule.freq === 'WEEKLY' || rule.byWeekNo)
    return { ...rule, byDay: [{ weekday: weekdayFromMonday(start), nth: 0 }] }
  const month = monthWith(start)
  const byMonthDay = [start - month.first + 1]
  return rule.freq === 'MONTHLY'
    ? { ...rule, byMonthDay }
    : { byMonth: [monthOfYear(month)], ...rule, byMonthDay }
}

/** Days in sequence: the first, and the one after the last. */
type Span = Pick<MonthSpan, 'first' | 'end'>

const yearSpan = (year: number): Span => ({ first: firstOfYear(year), end: firstOfYear(year + 1) })

/** The first day of a year's first week, which has the 4th of January. */
function firstWeekOf(year: number, weekStart: number): number {
  const fourth = firstOfYear(year) + 3
  return fourth - modulo(weekdayFromMonday(fourth) - weekStart, 7)
}

/** The weeks of the year to which a day's week belongs, which may be the year before or after the day's. */
function weeksWith(day: number, weekStart: number): Span {
  const year = yearOf(day)
  const first = firstWeekOf(year, weekStart)
  const next = firstWeekOf(year + 1, weekStart)
  if (day < first) return { first: firstWeekOf(year - 1, weekStart), end: first }
  return day < next ? { first, end: next } : { first: next, end: firstWeekOf(year + 2, weekStart) }
}

/** True if a day is at one of some positions in a span, in periods of days: from 1, or from the end as -1. */
const isAt = (positions: readonly number[], day: number, { first, end }: Span, length = 1): boolean =>
  positions.includes(Math.ceil((day - first + 1) / length)) ||
  positions.includes(-Math.ceil((end - day) / length))

/**
 * True if the rule gives a day of one of its months. In RFC 5545 some parts expand and others limit; for days
 * both have the same effect: a rule gives a day if the day meets every part.
 */
function givesDay(rule: Rule, day: number, month: MonthSpan): boolean {
  const { freq, byMonth, byWeekNo, byYearDay, byMonthDay, byDay, weekStart } = rule
  if (byMonthDay && !isAt(byMonthDay, day, month)) return false
  if (byYearDay && !isAt(byYearDay, day, yearSpan(yearOf(day)))) return false
  if (byWeekNo && !isAt(byWeekNo, day, weeksWith(day, weekStart), 7)) return false
  if (!byDay) return true
  const weekday = weekdayFromMonday(day)
  return byDay.some(({ weekday: wanted, nth }) => {
    if (wanted !== weekday || nth === 0) return wanted === weekday
    return isAt([nth], day, freq === 'YEARLY' && !byMonth ? yearSpan(yearOf(day)) : month, 7)
  })
}

/** The items at positions that count from 1, or from the end as -1: in their order, each once. */
const atPositions = <T>(items: readonly T[], positions: readonly number[]): T[] =>
  items.filter((_, i) => positions.includes(i + 1) || positions.includes(i - items.length))

type DayBounds = { start: number; from: number; to: number } & Pick<Bounds, 'onDaysAsked'>

/**
 * The days of a rule, without regard to COUNT and UNTIL.
 *
 * @param bounds `from` is the first day, not before the start
 */
function* daysOfRule(givenRule: Rule, { start, from, to, onDaysAsked }: DayBounds): Generator<number> {
  const rule = withStartDay(givenRule, start)
  const { freq, interval, bySetPos, byMonth } = rule
  const { numberOf, firstDay } = PERIODS[freq](rule.weekStart)
  const firstNumber = numberOf(start)
  const skipped = Math.ceil((numberOf(from) - firstNumber) / interval)
  let month = monthWith(from)
  for (let number = firstNumber + skipped * interval; firstDay(number) <= to; number += interval) {
    const end = firstDay(number + 1)
    const days: number[] = []
    let asked = 0
    for (let day = firstDay(number); day < end; day += 1) {
      if (day < month.first || day >= month.end) month = monthWith(day)
      asked += 1
      if (byMonth && !byMonth.includes(monthOfYear(month))) day = month.end - 1
      else if (givesDay(rule, day, month)) days.push(day)
    }
    onDaysAsked?.(asked)
    // Positions count in the whole period, even if it begins before the start.
    for (const day of bySetPos ? atPositions(days, bySetPos) : days) if (day >= from) yield day
  }
}

/**
 * The first dates of a rule within bounds, in ascending order. Empty if the rule is over or can never happen.
 *
 * A start that does not match the rule is not among the dates, and does not count towards COUNT.
 * {@link occurrenceDates} includes the start.
 *
 * @param start the wall time of DTSTART
 */
export function ruleDates(rule: Rule, start: DateTime, bounds: Bounds): DateTime[] {
  const { count = Number.POSITIVE_INFINITY, until } = rule
  const { from = start, limit = Number.POSITIVE_INFINITY, onDaysAsked } = bounds
  const to = until !== undefined && until < bounds.to ? until : bounds.to
  const startDay = dayIn(start)
  const fromDay = Math.max(dayIn(from), startDay)
  const time = start.slice(10)
  const days = daysOfRule(rule, {
    start: startDay,
    // Only COUNT makes a date depend on those before it.
    from: rule.count === undefined ? fromDay : startDay,
    to: dayIn(to),
    ...(onDaysAsked && { onDaysAsked }),
  })
  const dates: DateTime[] = []
  let left = count
  for (const day of days) {
    if (day >= fromDay) {
      const date = formatInstant(day * DAY_MS).slice(0, 10) + time
      if (date > to) break
      if (date >= from) dates.push(date)
    }
    left -= 1
    if (left === 0 || dates.length >= limit) break
  }
  return dates
}

/** The first date of a rule within bounds. */
export const firstDate = (rule: Rule, start: DateTime, bounds: Omit<Bounds, 'limit'>): DateTime | undefined =>
  ruleDates(rule, start, { ...bounds, limit: 1 })[0]

/** True if a wall time is a date of a rule. */
export const givesDate = (rule: Rule, start: DateTime, date: DateTime): boolean =>
  firstDate(rule, start, { from: date, to: date }) !== undefined

/** A recurrence set (RFC 5545 §3.8.5): wall times of one clock. */
type RecurrenceSet = {
  /** DTSTART. */
  start: DateTime
  rule?: Rule | undefined
  rdate?: readonly DateTime[] | undefined
  exdate?: readonly DateTime[] | undefined
}

/**
 * The rule without its start, which counts towards COUNT whether it matches or not: “The COUNT rule part
 * defines the number of occurrences at which to range-bound the recurrence. The "DTSTART" property value
 * always counts as the first occurrence” (RFC 5545 §3.3.10). The RFC does not define the meaning of a start
 * that does not match (§3.8.5.3); like most calendars, we still make it the first date.
 *
 * @returns undefined if no date is left for the rule
 */
function afterStart(rule: Rule, start: DateTime): Rule | undefined {
  if (rule.count === undefined || givesDate(rule, start, start)) return rule
  return rule.count > 1 ? { ...rule, count: rule.count - 1 } : undefined
}

/**
 * The first dates of a recurrence set: start, rule and RDATE without EXDATE (RFC 5545 §3.8.5.1 to 3), in
 * ascending order, and whether there are more. Dates that EXDATE removes still count towards COUNT, and
 * additional dates never do. RDATE may come before the start.
 *
 * Dates are compared as instants: of two wall times that a clock change makes equal, only the later one is a
 * date, which is the one that clocks show.
 *
 * @param bounds `from` is by default the first date of all; `offsetAt` has the offsets of the clock, by
 *   default one that never changes
 */
export function occurrenceDates(
  { start, rule, rdate = [], exdate = [] }: RecurrenceSet,
  {
    from = '',
    to,
    limit = Number.POSITIVE_INFINITY,
    offsetAt,
    onDaysAsked,
  }: Bounds & { offsetAt?: OffsetAt | undefined },
): { dates: DateTime[]; hasMore: boolean } {
  // The dates of a rule have one time of day, so that only named dates can be equal to others.
  const isNamed = rdate.length + exdate.length > 0
  const instantOf = (wall: DateTime) => (offsetAt && isNamed ? instantByClock(wall, offsetAt) : wall)
  const remainingRule = rule && afterStart(rule, start)
  const fromRule = remainingRule
    ? ruleDates(remainingRule, start, {
        // A date within the bounds may be equal to one outside them, and up to a day away.
        ...(from !== '' && { from: addDays(from, -1) }),
        to: addDays(to, 1),
        // So many may be removed again.
        limit: limit + rdate.length + exdate.length + 5,
        ...(onDaysAsked && { onDaysAsked }),
      })
    : []
  const byInstant = new Map([start, ...rdate, ...fromRule].sort().map(date => [instantOf(date), date]))
  for (const date of exdate) byInstant.delete(instantOf(date))
  const dates = [...byInstant.values()].filter(date => date >= from && date <= to).sort()
  return { dates: dates.slice(0, limit), hasMore: dates.length > limit }
}
