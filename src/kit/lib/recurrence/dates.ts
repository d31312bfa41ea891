import {
  DAY_MS,
  type DateTime,
  formatInstant,
  otherWallTime,
  skippedNear,
  type Wall,
  wallMs,
  withSameInstants,
} from '../time.ts'
import type { OffsetAt } from '../zones.ts'
import { MatchingDays } from './days.ts'
import { Budget, type Rule } from './rule.ts'
import { type Periods, periodsOf, positionsIn, SLOT_SECONDS, type TimesOfDays, timesOfRule } from './times.ts'

/**
 * The dates within bounds, in ascending order, each once. If there are more than the limit (`hasMore`), these
 * are the first.
 */
export type FirstDates = { dates: DateTime[]; hasMore: boolean }

export type Bounds = {
  /** The last moment, inclusive. */
  to: Wall
  /**
   * The first moment, inclusive: by default the start. Dates before it count for COUNT, but not for the
   * limit.
   */
  from?: Wall
  limit: number
  budget?: Budget
  /**
   * The offsets of the clock. If a clock change moves two dates to the same instant, they count as one: the
   * date whose wall time the change does not skip. Without offsets, no wall time is skipped.
   */
  offsetAt?: OffsetAt | undefined
}

/** The part of bounds that every expansion of one recurrence shares. */
export type Expansion = Pick<Bounds, 'budget' | 'offsetAt'>

/** {@link wallMs} in seconds. @throws RangeError if it is no time */
function secondsOf(wall: DateTime): number {
  const seconds = wallMs(wall) / 1000
  if (Number.isNaN(seconds)) throw new RangeError(`${wall} is not a wall time`)
  return seconds
}

const DAY_SECONDS = DAY_MS / 1000

const dayOfSeconds = (seconds: number): number => Math.floor(seconds / DAY_SECONDS)

/** The index of the first number that is not less than `value`, in an ascending list. */
function lowerBound(list: readonly number[], value: number): number {
  let low = 0
  let high = list.length
  if (value <= (list[0] ?? value)) return 0
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Bounds in seconds. */
type BoundsInSeconds = {
  start: number
  from: number
  to: number
  limit: number
  budget: Budget
  offsetAt: OffsetAt | undefined
  /** True if the rule gives a date, regardless of COUNT. */
  gives: (date: number) => boolean
}

/** The steps of looking for a clock change around a day. */
const CHANGE_STEPS = 2

/** Collects dates in ascending order until there are enough, and drops those out of bounds. */
class Collector {
  /** The number of times added so far, in bounds or out of them. */
  seen = 0
  /** True once the dates exceed the limit. */
  hasMore = false
  readonly #dates: number[] = []
  readonly #bounds: BoundsInSeconds
  #left: number

  constructor(bounds: BoundsInSeconds, count: number) {
    this.#bounds = bounds
    this.#left = count
  }

  /** Adds the times of a day. @returns false if no further date can follow */
  add(day: number, dayTimes: readonly number[]): boolean {
    const { start, from, to, limit, budget } = this.#bounds
    const base = day * DAY_SECONDS
    const times = this.#distinct(base, dayTimes)
    const first = lowerBound(times, from - base)
    this.seen += times.length
    this.#left -= first - lowerBound(times, start - base)
    for (let i = first; i < times.length && this.#left > 0; i += 1) {
      const date = base + (times[i] ?? 0)
      if (date > to) return false
      budget.spend(1)
      if (this.#dates.length === limit) {
        this.hasMore = true
        return false
      }
      this.#dates.push(date)
      this.#left -= 1
    }
    return this.#left > 0
  }

  /**
   * The times of a day without those that a clock change moves to another date. With one time a day, only
   * clocks that skip a whole day could do that, as Samoa's did in 2011. We don't look for that, because it
   * would take longer than finding the dates.
   */
  #distinct(base: number, times: readonly number[]): readonly number[] {
    const { offsetAt, budget, gives } = this.#bounds
    if (!offsetAt || times.length < 2) return times
    budget.spend(CHANGE_STEPS)
    const skippedSpan = skippedNear(offsetAt, base * 1000, (base + DAY_SECONDS) * 1000 - 1000)
    if (!skippedSpan) return times
    const [first, end] = [skippedSpan.from, skippedSpan.to].map(at => lowerBound(times, at / 1000 - base))
    const shift = (skippedSpan.to - skippedSpan.from) / 1000
    const isGiven = (time: number) =>
      time < DAY_SECONDS ? times[lowerBound(times, time)] === time : gives(base + time)
    return times.filter((time, i) => i < (first ?? 0) || i >= (end ?? 0) || !isGiven(time + shift))
  }

  result(): FirstDates {
    return { dates: this.#dates.map(date => formatInstant(date * 1000)), hasMore: this.hasMore }
  }
}

type Plan = { rule: Rule; periods: Periods; matching: MatchingDays; times: TimesOfDays; budget: Budget }

/**
 * The matching days of a period.
 * @param first the first of these days
 * @param end the first day of the next period
 */
function matchingDays({ matching, budget }: Plan, first: number, end: number): number[] {
  const days = []
  for (let day = first; day < end; day = matching.next(day + 1, end - 1)) {
    budget.spend(1)
    days.push(day)
  }
  return days
}

/** Adds the dates of one period. @returns false if no further date can follow */
function addPeriod({ rule, times }: Plan, days: readonly number[], collector: Collector): boolean {
  const { freq, bySetPos } = rule
  // Times within slots are already reduced to BYSETPOS.
  if (!bySetPos || freq in SLOT_SECONDS) return days.every(day => collector.add(day, times.on(day)))
  // All days of a longer period have the same times.
  const dailyTimes = times.on(days[0] ?? 0)
  const set = positionsIn(days.length * dailyTimes.length, bySetPos)
  const byDay = Map.groupBy(set, index => days[Math.floor(index / dailyTimes.length)] ?? 0)
  return [...byDay].every(([day, indices]) =>
    collector.add(
      day,
      indices.map(index => dailyTimes[index % dailyTimes.length] ?? 0),
    ),
  )
}

/**
 * Goes from one period with matching days to the next, and skips years without any and periods that INTERVAL
 * excludes.
 */
function addPeriods(plan: Plan, from: number, last: number, collector: Collector): void {
  const { periods, matching, budget } = plan
  let day = periods.firstDay(periods.numberOf(from))
  let lastMatch = { day, seen: 0 }
  for (;;) {
    day = matching.next(day, last)
    // If a whole cycle of the calendar has no matching period, no other cycle has any.
    if (day > last || day - lastMatch.day > periods.cycle + 366) return
    const number = periods.numberOf(day)
    const aligned = periods.align(number)
    if (aligned === number) {
      const end = periods.firstDay(number + 1)
      if (!addPeriod(plan, matchingDays(plan, day, end), collector)) return
      if (collector.seen > lastMatch.seen) lastMatch = { day, seen: collector.seen }
      day = end
    } else {
      budget.spend(1)
      day = periods.firstDay(aligned)
    }
  }
}

/**
 * The dates of a rule within bounds. Empty if the rule is over or can never happen.
 *
 * A start that does not match the rule is not among the dates, and does not count towards COUNT.
 * `occurrenceDates` includes the start.
 *
 * @param start the wall time of DTSTART
 * @throws TooCostly if the budget has too few steps
 */
export function ruleDates(rule: Rule, start: DateTime, bounds: Bounds): FirstDates {
  const { limit, budget = new Budget() } = bounds
  const first = secondsOf(start)
  const from = Math.max(first, secondsOf(bounds.from ?? start))
  const to = Math.min(secondsOf(bounds.to), rule.until === undefined ? Infinity : secondsOf(rule.until))
  if (from > to) return { dates: [], hasMore: false }
  const plan = {
    rule,
    periods: periodsOf(rule, first),
    matching: new MatchingDays(rule, dayOfSeconds(first), budget),
    times: timesOfRule(rule, first, budget),
    budget,
  }
  const { count, ...uncounted } = rule
  const gives = (seconds: number) => givesDate(uncounted, start, formatInstant(seconds * 1000), { budget })
  const collector = new Collector(
    { start: first, from, to, limit, budget, offsetAt: bounds.offsetAt, gives },
    count ?? Infinity,
  )
  // Only COUNT makes a date depend on those before it.
  if (plan.times.canHappen)
    addPeriods(plan, dayOfSeconds(count === undefined ? from : first), dayOfSeconds(to), collector)
  return collector.result()
}

/** True if a wall time is a date of a rule. */
export const givesDate = (rule: Rule, start: DateTime, date: DateTime, expansion: Expansion): boolean =>
  ruleDates(rule, start, { ...expansion, from: date, to: date, limit: 1 }).dates.length > 0

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
function afterStart(rule: Rule, start: DateTime, budget: Budget): Rule | undefined {
  // A start that clocks skip matches, too, though it may become equal to a later date.
  if (rule.count === undefined || givesDate(rule, start, start, { budget })) return rule
  return rule.count > 1 ? { ...rule, count: rule.count - 1 } : undefined
}

/**
 * The wall times that become equal to a named date because a clock change skips them.
 *
 * @param gives true for a date of the rule
 */
const mergedInto = (
  namedDates: ReadonlySet<DateTime>,
  gives: (date: DateTime) => boolean,
  offsetAt: OffsetAt,
): DateTime[] =>
  [...namedDates].flatMap(date => {
    const otherDate = otherWallTime(offsetAt, date)
    if (otherDate === undefined) return []
    if (otherDate < date) return [otherDate]
    return namedDates.has(otherDate) || gives(otherDate) ? [date] : []
  })

/**
 * The dates of a recurrence set: start, rule and RDATE without EXDATE (RFC 5545 §3.8.5.1 to 3). Dates that
 * EXDATE removes still count towards COUNT, and additional dates never do. RDATE may come before the start.
 *
 * @param bounds `from` is by default the first date of all
 * @throws TooCostly if the budget has too few steps
 */
export function occurrenceDates(set: RecurrenceSet, bounds: Bounds): FirstDates {
  const { start, rule, rdate = [], exdate = [] } = set
  const { from = '', to, limit, budget = new Budget(), offsetAt } = bounds
  const remainingRule = rule && afterStart(rule, start, budget)
  // EXDATE may remove this many dates again.
  const widerBounds = { ...bounds, budget, limit: limit + exdate.length }
  const fromRule = remainingRule
    ? ruleDates(remainingRule, start, widerBounds)
    : { dates: [], hasMore: false }
  const namedDates = new Set([start, ...rdate])
  const excluded = withSameInstants(exdate, offsetAt)
  if (offsetAt) {
    const gives = (date: DateTime) =>
      remainingRule !== undefined && givesDate(remainingRule, start, date, { budget, offsetAt })
    for (const date of mergedInto(namedDates, gives, offsetAt)) excluded.add(date)
  }
  const allDates = new Set([...namedDates, ...fromRule.dates])
  const dates = [...allDates].filter(date => date >= from && date <= to && !excluded.has(date)).sort()
  return { dates: dates.slice(0, limit), hasMore: fromRule.hasMore || dates.length > limit }
}
