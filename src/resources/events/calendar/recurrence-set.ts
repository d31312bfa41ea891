import { type Budget, TooCostly } from '../../../lib/recurrence/budget.ts'
import { ruleDates, TooManyDates } from '../../../lib/recurrence/dates.ts'
import { givesTimes, remaining } from '../../../lib/recurrence/edit.ts'
import { occurrenceDates } from '../../../lib/recurrence/occurrences.ts'
import type { Rule } from '../../../lib/recurrence/rule.ts'
import { type DateTime, toWall } from '../../../lib/time.ts'
import { later, occurrenceAt, ruleOf } from '../recurrence/pattern.ts'
import { textsOf } from '../recurrence/shared.ts'
import type { FeedSeries } from './rows.ts'

/** The recurrence of a VEVENT: exactly some dates of a series, wall times of its zone. */
export type FeedRecurrence = {
  start: DateTime
  /** The last of the dates. */
  last: DateTime
  rule?: Rule
  rdate: readonly DateTime[]
  exdate: readonly DateTime[]
  /** The rule and dates by which the series goes on after the last of the dates; absent if it does not. */
  onward?: { rule?: Rule; rdate: readonly DateTime[] }
}

const AFTER_ALL = '9999-12-31 23:59:59'

/**
 * The recurrence of exactly these dates: by the rule of their series from the first to the last of them, with exceptions
 * and additions, or by naming them one by one where the rule does not have the first, gives mostly others, or takes too
 * long.
 *
 * @param dates in ascending order, at least one
 * @param budget that of all rules of a feed
 */
export function recurrenceSet(
  series: FeedSeries,
  dates: readonly DateTime[],
  budget: Budget,
): FeedRecurrence {
  const [start = series.start_date] = dates
  const last = dates.at(-1) ?? start
  const isOne = dates.length === 1
  // Some programs don't take the start for one of the dates without a rule.
  const named: FeedRecurrence = { start, last, rdate: isOne ? [] : dates, exdate: [] }
  if (isOne && series.extend_from === null) return named
  try {
    const isLast = isLastOf(series, last, budget)
    const own = ruleFrom(series, start, budget)
    const isFinished = isLast && series.extend_from === null
    const set = (isOne ? undefined : byRule(own, { dates, isFinished, budget })) ?? named
    return isLast ? withRest(set, series, own) : set
  } catch (error) {
    if (error instanceof TooCostly || error instanceof TooManyDates) return named
    throw error
  }
}

/** Tells if there is no occurrence of a series after a date yet. */
function isLastOf(
  { start_date: start, timezone, extend_from, ...series }: FeedSeries,
  date: DateTime,
  budget: Budget,
): boolean {
  const set = { start, rule: ruleOf(series), rdate: textsOf(series.rdate), exdate: textsOf(series.exdate) }
  const to = extend_from === null ? AFTER_ALL : later(toWall(extend_from, timezone), -1000)
  try {
    return occurrenceDates(set, { from: later(date, 1000), to, limit: 1, budget }).length === 0
  } catch (error) {
    if (error instanceof TooManyDates) return false
    throw error
  }
}

/** A rule from a date on, and whether it gives that date itself. */
type OwnRule = { rule: Rule; givesStart: boolean }

/** The rule of a series from its start, or from one of the rule's dates on; undefined from other dates on. */
function ruleFrom(series: FeedSeries, start: DateTime, budget: Budget): OwnRule | undefined {
  const whole = ruleOf(series)
  // Whole days have no times of day (RFC 5545 §3.3.10).
  if (!whole || (series.all_day && givesTimes(whole))) return undefined
  const givesStart =
    ruleDates(whole, series.start_date, { from: start, to: start, limit: 1, budget }).length > 0
  if (!givesStart) return start === series.start_date ? { rule: whole, givesStart } : undefined
  const rule = remaining(whole, series.start_date, start, budget)
  return rule && { rule, givesStart }
}

type Dated = { dates: readonly DateTime[]; isFinished: boolean; budget: Budget }

function byRule(own: OwnRule | undefined, { dates, isFinished, budget }: Dated): FeedRecurrence | undefined {
  if (!own?.givesStart) return undefined
  const { rule } = own
  const [start = '', last = start] = [dates[0], dates.at(-1)]
  // Several times as many as are wanted would all be exceptions.
  const given = ruleDates(rule, start, { from: start, to: last, limit: 2 * dates.length + 10, budget })
  const shown = new Set(dates)
  const exdate = given.filter(date => !shown.has(date))
  if (exdate.length > dates.length) return undefined
  const known = new Set(given)
  return {
    start,
    last,
    rule: isFinished ? rule : ended(rule, given),
    rdate: dates.filter(date => !known.has(date)),
    exdate,
  }
}

/** The rule for the given dates, which are its first, and none after them. */
function ended({ count, until, ...rule }: Rule, given: readonly DateTime[]): Rule {
  if (count === given.length) return { ...rule, count }
  const last = given.at(-1)
  return { ...rule, ...(last !== undefined && { until: last }) }
}

/**
 * Adds what comes after the last of all occurrences: the exceptions, and the series as it goes on. Imports make the same
 * series of it.
 */
function withRest(
  set: FeedRecurrence,
  { extend_from, timezone, ...series }: FeedSeries,
  own: OwnRule | undefined,
): FeedRecurrence {
  if (extend_from === null && !set.rule) return set
  const after = textsOf(series.exdate).filter(date => date > set.last)
  const exdate = [...set.exdate, ...after.sort()]
  if (extend_from === null) return { ...set, exdate }
  const next = toWall(extend_from, timezone)
  const rdate = textsOf(series.rdate).filter(date => date >= next)
  return { ...set, exdate, onward: { ...(own && { rule: own.rule }), rdate } }
}

/** The end of an occurrence as the series has it. */
export const usualEnd = (series: FeedSeries, start: DateTime): DateTime => {
  const pattern = { ...series, rdate: textsOf(series.rdate), exdate: textsOf(series.exdate) }
  return occurrenceAt(pattern, start).end_date
}
