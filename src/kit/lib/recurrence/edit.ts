import { addDays, type DateTime, type Day, dayOf, laterByClock } from '../time.ts'
import { occurrenceDates } from './dates.ts'
import { modulo } from './days.ts'
import type { Frequency, Rule } from './rule.ts'

const addSeconds = (wall: DateTime, seconds: number): DateTime => laterByClock(wall, seconds * 1000)

/** The number of dates before a wall time that count towards COUNT. */
const countBefore = (rule: Rule, start: DateTime, before: DateTime): number =>
  before <= start ? 0 : occurrenceDates({ start, rule }, { to: addSeconds(before, -1) }).dates.length

/**
 * The rule with the same dates before a wall time, and none from then on. It has UNTIL instead of COUNT,
 * unless COUNT or UNTIL ends it earlier.
 *
 * @param start the wall time of DTSTART
 */
export function endBefore(rule: Rule, start: DateTime, before: DateTime): Rule {
  const { count, ...uncountedRule } = rule
  if (count !== undefined && countBefore(rule, start, before) >= count) return rule
  const until = addSeconds(before, -1)
  return rule.until !== undefined && rule.until < until ? rule : { ...uncountedRule, until }
}

/**
 * The rule for the dates from a wall time on, which becomes the new start. COUNT is reduced by the number of
 * earlier dates. If the new start is a date of the whole rule, the dates stay the same, because INTERVAL then
 * counts on from there.
 *
 * @param start the wall time of DTSTART until now
 * @returns undefined if the rule has no date left
 */
export function laterRule(rule: Rule, start: DateTime, newStart: DateTime): Rule | undefined {
  if (rule.until !== undefined && rule.until < newStart) return undefined
  if (rule.count === undefined) return rule
  const count = rule.count - countBefore(rule, start, newStart)
  return count > 0 ? { ...rule, count } : undefined
}

/** True if the rule names its days, so that its dates do not move with the day of the start. */
export const fixesDay = ({ byDay, byMonthDay, byMonth, bySetPos }: Rule): boolean =>
  [byDay, byMonthDay, byMonth, bySetPos].some(Boolean)

/** Frequencies whose periods differ in length. */
const UNEQUAL_FREQUENCIES: readonly Frequency[] = ['MONTHLY', 'YEARLY']

/** True if all dates of the rule surely move with the day of the start. */
export const followsDay = (rule: Rule): boolean => !fixesDay(rule) && !UNEQUAL_FREQUENCIES.includes(rule.freq)

/**
 * The last day, `YYYY-MM-DD`, that UNTIL leaves to a rule; undefined without UNTIL. If UNTIL is earlier in
 * the day than the dates are, as {@link endBefore} makes it, its own day has no date any more.
 *
 * @param start the wall time of DTSTART
 */
export function lastDayOfRule({ until }: Rule, start: DateTime): Day | undefined {
  if (until === undefined) return undefined
  return dayOf(until.slice(11) < start.slice(11) ? addDays(until, -1) : until)
}

/** The rule with UNTIL moved by some seconds, or back if negative, for dates that move just as far. */
export const shiftedRule = (rule: Rule, seconds: number): Rule =>
  rule.until === undefined ? rule : { ...rule, until: addSeconds(rule.until, seconds) }

/** True if the only days that the rule names are weekdays, which can move together ({@link onLaterDays}). */
export const namesWeekdays = ({ byDay, ...rule }: Rule): boolean => byDay !== undefined && followsDay(rule)

/**
 * The rule whose dates are all some days later, or earlier if negative. Its weekdays move, and so does the
 * day on which weeks begin: with INTERVAL, that decides which dates are in the same week.
 */
export function onLaterDays(rule: Rule, days: number): Rule {
  const { byDay, weekStart } = rule
  if (!byDay || !namesWeekdays(rule)) return rule
  const later = (weekday: number) => modulo(weekday + days, 7)
  return {
    ...rule,
    byDay: byDay.map(day => ({ ...day, weekday: later(day.weekday) })),
    weekStart: later(weekStart),
  }
}
