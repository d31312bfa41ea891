import type { DateTime } from '../time.ts'
import { type Bounds, ruleDates, TooManyDates } from './dates.ts'
import type { Rule } from './rule.ts'

/** A recurrence set (RFC 5545 §3.8.5): wall times of one clock. */
type RecurrenceSet = {
  /** DTSTART. */
  start: DateTime
  rule?: Rule | undefined
  rdate?: readonly DateTime[] | undefined
  exdate?: readonly DateTime[] | undefined
}

/** Tells whether the start is itself a date of the rule. */
const startMatches = (rule: Rule, start: DateTime, { budget }: Pick<Bounds, 'budget'>): boolean =>
  ruleDates(rule, start, { to: start, limit: 1, ...(budget && { budget }) }).length > 0

/**
 * The rule without its start, which counts towards COUNT whether it matches or not: «The COUNT rule part defines the
 * number of occurrences at which to range-bound the recurrence. The "DTSTART" property value always counts as the first
 * occurrence» (RFC 5545 §3.3.10). The RFC does not define the meaning of a start that does not match (§3.8.5.3); like
 * most calendars, we make it the first date all the same.
 *
 * @returns undefined if no date is left for the rule
 */
function afterStart(rule: Rule, start: DateTime, bounds: Pick<Bounds, 'budget'>): Rule | undefined {
  if (rule.count === undefined || startMatches(rule, start, bounds)) return rule
  return rule.count > 1 ? { ...rule, count: rule.count - 1 } : undefined
}

/** The dates of a rule, or the first of them if there are more than the limit. */
function firstDates(
  rule: Rule,
  start: DateTime,
  bounds: Bounds,
): { dates: readonly DateTime[]; more: boolean } {
  try {
    return { dates: ruleDates(rule, start, bounds), more: false }
  } catch (error) {
    if (error instanceof TooManyDates) return { dates: error.dates, more: true }
    throw error
  }
}

/**
 * The dates of a recurrence set: start, rule and RDATE without EXDATE (RFC 5545 §3.8.5.1 to 3), in ascending order,
 * each once. Dates that EXDATE removes still count towards COUNT, and those of RDATE never do. RDATE may come before
 * the start.
 *
 * @param bounds `from` is by default the first date of all
 * @throws TooManyDates if there are more than `limit`
 * @throws TooCostly if the budget has too few steps
 */
export function occurrenceDates(set: RecurrenceSet, bounds: Bounds): DateTime[] {
  const { start, rule, rdate = [], exdate = [] } = set
  const { from = '', to, limit } = bounds
  const without = new Set(exdate)
  const rest = rule && afterStart(rule, start, bounds)
  // EXDATE may remove this many dates again.
  const wide = { ...bounds, limit: limit + without.size }
  const own = rest ? firstDates(rest, start, wide) : { dates: [], more: false }
  const all = new Set([start, ...own.dates, ...rdate])
  const dates = [...all].filter(date => date >= from && date <= to && !without.has(date)).sort()
  if (own.more || dates.length > limit) throw new TooManyDates(dates.slice(0, limit))
  return dates
}
