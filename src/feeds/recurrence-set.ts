import { occurrenceAt, ruleOf } from '../events/recurrence/pattern.ts'
import { textsOf } from '../events/recurrence/texts.ts'
import { type Budget, TooCostly } from '../lib/recurrence/budget.ts'
import { ruleDates, TooManyDates } from '../lib/recurrence/dates.ts'
import { remaining } from '../lib/recurrence/edit.ts'
import type { Rule } from '../lib/recurrence/rule.ts'
import type { DateTime } from '../lib/time.ts'
import type { FeedSeries } from './rows.ts'

/** The recurrence of a VEVENT: exactly some dates of a series, wall times of its zone. */
export type RecurrenceSet = {
  start: DateTime
  rule?: Rule
  rdate: readonly DateTime[]
  exdate: readonly DateTime[]
}

const NEVER_WITH_DAYS = ['HOURLY', 'MINUTELY', 'SECONDLY'] as const

/** Rules with a time of day make no sense for whole days, which have none. */
const suits = (rule: Rule, { all_day }: FeedSeries): boolean =>
  !all_day ||
  !(rule.byHour || rule.byMinute || rule.bySecond || NEVER_WITH_DAYS.some(freq => freq === rule.freq))

/**
 * The recurrence of exactly these dates: by the rule of their series from the first to the last of them, with exceptions
 * and additions, or by naming them one by one where the rule does not have the first, gives mostly others, or takes too
 * long.
 *
 * @param dates in ascending order, at least one
 * @param budget that of all rules of a feed
 */
export function recurrenceSet(series: FeedSeries, dates: readonly DateTime[], budget: Budget): RecurrenceSet {
  const [start = series.start_date] = dates
  if (dates.length === 1) return { start, rdate: [], exdate: [] }
  // Some programs don't take the start for one of the dates without a rule.
  const named: RecurrenceSet = { start, rdate: dates, exdate: [] }
  try {
    return byRule(series, dates, budget) ?? named
  } catch (error) {
    if (error instanceof TooCostly || error instanceof TooManyDates) return named
    throw error
  }
}

function byRule(series: FeedSeries, dates: readonly DateTime[], budget: Budget): RecurrenceSet | undefined {
  const [start = '', last = start] = [dates[0], dates.at(-1)]
  const whole = ruleOf(series)
  if (!whole || !suits(whole, series)) return undefined
  const isOwn = ruleDates(whole, series.start_date, { from: start, to: start, limit: 1, budget }).length > 0
  const rule = isOwn ? remaining(whole, series.start_date, start, budget) : undefined
  if (!rule) return undefined
  // Several times as many as are wanted would all be exceptions.
  const given = ruleDates(rule, start, { from: start, to: last, limit: 2 * dates.length + 10, budget })
  const shown = new Set(dates)
  const exdate = given.filter(date => !shown.has(date))
  if (exdate.length > dates.length) return undefined
  const own = new Set(given)
  return { start, rule: ended(rule, given), rdate: dates.filter(date => !own.has(date)), exdate }
}

/** The rule for the given dates, which are its first, and none after them. */
function ended({ count, until, ...rule }: Rule, given: readonly DateTime[]): Rule {
  if (count === given.length) return { ...rule, count }
  const last = given.at(-1)
  return { ...rule, ...(last !== undefined && { until: last }) }
}

/** The end of an occurrence as the series has it. */
export const usualEnd = (series: FeedSeries, start: DateTime): DateTime => {
  const pattern = { ...series, rdate: textsOf(series.rdate), exdate: textsOf(series.exdate) }
  return occurrenceAt(pattern, start).end_date
}
