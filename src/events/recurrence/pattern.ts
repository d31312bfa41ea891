import { TooCostly } from '../../lib/recurrence/budget.ts'
import { ruleDates, TooManyDates } from '../../lib/recurrence/dates.ts'
import { occurrenceDates } from '../../lib/recurrence/occurrences.ts'
import { parseRule } from '../../lib/recurrence/parse.ts'
import type { Rule } from '../../lib/recurrence/rule.ts'
import { addMonths, atWall, type DateTime, formatInstant, toEpoch, toUtc, toWall } from '../../lib/time.ts'
import { zoneAbbreviation } from '../../lib/zones.ts'

/** A rule (RFC 5545, '' for none), and starts that are added to it and left out of it, in the zone of the series. */
export type Recurrence = { rrule: string; rdate: readonly DateTime[]; exdate: readonly DateTime[] }

/** A recurrence with the times of the first occurrence, by wall clocks in the zone of the series. */
export type Pattern = Recurrence & {
  start_date: DateTime
  end_date: DateTime
  timezone: string
  all_day: boolean
}

/** Limit of the occurrences of a series from its first to the horizon, when it is written. */
export const MOST_OCCURRENCES = 1_000

/** Occurrences exist up to so many months from today; the cron adds those that come into this time. */
export const HORIZON_MONTHS = 24

/** The last moment up to which occurrences exist, UTC. The first occurrence always exists. @param now UTC */
export function horizonOf({ start_date, timezone }: Pattern, now: DateTime): DateTime {
  const [start, horizon] = [toUtc(start_date, timezone), addMonths(now, HORIZON_MONTHS)]
  return start > horizon ? start : horizon
}

/** A stored rule, whose UNTIL is in the zone of the series. */
export const ruleOf = ({ rrule }: Pick<Recurrence, 'rrule'>): Rule | undefined =>
  rrule === '' ? undefined : parseRule(rrule, { toWall: wall => wall })

type Bounds = {
  /** UTC, inclusive. */
  to: DateTime
  /** UTC, inclusive; from the first occurrence on by default. */
  from?: DateTime
  limit: number
}

/**
 * The starts of a series' occurrences as wall times of its zone, in order, also those that the clocks skip.
 *
 * @throws TooManyDates if there are more than the limit
 * @throws TooCostly if the rule takes too many steps
 */
export function startsOf({ timezone, start_date, ...set }: Pattern, { to, from, limit }: Bounds): DateTime[] {
  const rule = ruleOf(set)
  return occurrenceDates(
    { start: start_date, rule, rdate: set.rdate, exdate: set.exdate },
    { to: toWall(to, timezone), limit, ...(from !== undefined && { from: toWall(from, timezone) }) },
  )
}

/** Tells if a series has an occurrence at a start, a wall time of its zone. */
export function hasStart({ start_date: start, rdate, exdate, ...rest }: Pattern, date: DateTime): boolean {
  const set = { start, rule: ruleOf(rest), rdate, exdate }
  return occurrenceDates(set, { from: date, to: date, limit: 1 }).length > 0
}

/** The times of an occurrence. */
export type Occurrence = {
  /** The start by the rule. */
  occurrence_date: DateTime
  start_date: DateTime
  end_date: DateTime
  utc_start_date: DateTime
  utc_end_date: DateTime
  timezone_abbr: string
}

/** A wall time so many milliseconds later by the clock. */
export const later = (wall: DateTime, ms: number): DateTime => formatInstant(toEpoch(wall) + ms)

/** The milliseconds by the clock from one wall time to another. */
export const between = (from: DateTime, to: DateTime): number => toEpoch(to) - toEpoch(from)

/**
 * The occurrence with a start. It ends as much later by the clock as the first one does: a night in which clocks change is
 * longer or shorter, but ends at its hour.
 */
export function occurrenceAt({ start_date, end_date, timezone }: Pattern, start: DateTime): Occurrence {
  const from = atWall(start, timezone)
  const until = atWall(later(start, between(start_date, end_date)), timezone)
  // Where the clocks go back, an end may come before its start.
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

/** The time beyond the horizon that is searched for the next occurrence: leap days may be eight years apart. */
const LOOK_AHEAD_MONTHS = 120

/** Limit of the dates that are counted to find out if a rule with COUNT is over. */
const MOST_COUNTED = 10_000

/**
 * The moment, UTC, from which on occurrences are still to be made: the start of the first one after the horizon, or the end
 * of the time that was searched for it. Null if there are no more.
 */
export function extendFrom(pattern: Pattern, horizon: DateTime): DateTime | null {
  const { timezone, rdate, start_date } = pattern
  const toUtcTime = (wall: DateTime) => toUtc(wall, timezone)
  const after = toWall(later(horizon, 1000), timezone)
  const dated = rdate.filter(date => date >= after).sort()[0]
  const rule = ruleOf(pattern)
  const searched = toWall(addMonths(horizon, LOOK_AHEAD_MONTHS), timezone)
  const isOver = !rule || isFinished(rule, start_date, searched)
  const next = rule && firstDate(rule, start_date, { from: after, to: searched })
  const found = [dated, next ?? (isOver ? undefined : searched)].filter(date => date !== undefined).sort()[0]
  return found === undefined ? null : toUtcTime(found)
}

/** The first date of a rule within bounds, or undefined, also if finding it takes too many steps. */
export function firstDate(
  rule: Rule,
  start: DateTime,
  { from, to }: { from: DateTime; to: DateTime },
): DateTime | undefined {
  try {
    return ruleDates(rule, start, { from, to, limit: 1 })[0]
  } catch (error) {
    if (error instanceof TooManyDates) return error.dates[0]
    if (error instanceof TooCostly) return undefined
    throw error
  }
}

/** Tells if a rule ends before a moment. Of rules whose dates are too many to be counted, that is not known. */
function isFinished(rule: Rule, start: DateTime, to: DateTime): boolean {
  if (rule.until !== undefined) return rule.until <= to
  if (rule.count === undefined) return false
  try {
    return ruleDates(rule, start, { to, limit: MOST_COUNTED }).length >= rule.count - 1
  } catch (error) {
    if (error instanceof TooManyDates || error instanceof TooCostly) return false
    throw error
  }
}
