import type { RequestContext } from '../../context.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import { parseDate } from '../../lib/parse-date.ts'
import { TooCostly } from '../../lib/recurrence/budget.ts'
import { TooManyDates } from '../../lib/recurrence/dates.ts'
import { fixesDay, fixesTime, shifted } from '../../lib/recurrence/edit.ts'
import { formatRule } from '../../lib/recurrence/format.ts'
import { InvalidRule, parseRule } from '../../lib/recurrence/parse.ts'
import type { Rule } from '../../lib/recurrence/rule.ts'
import { addMonths, type DateTime, startOfDay, toEpoch, toWall } from '../../lib/time.ts'
import type { Times } from '../times.ts'
import type { RecurrenceChoice } from './fields.ts'
import {
  between,
  firstDate,
  horizonOf,
  later,
  MOST_OCCURRENCES,
  type Pattern,
  type Recurrence,
  ruleOf,
  startsOf,
  stepBudget,
} from './pattern.ts'

const NONE: Recurrence = { rrule: '', rdate: [], exdate: [] }

/** The time in which a rule must happen at least once: that in which the calendar repeats. */
const CYCLE_MONTHS = 4_800

type Choice = Exclude<RecurrenceChoice, ''>
type PatternTimes = Pick<Pattern, 'start_date' | 'end_date' | 'timezone' | 'all_day'>

/**
 * The recurrence that a request names, for an event with these times. Parts that it doesn't name are those of `before`.
 *
 * @param errors gets an error for rules and dates that make no sense
 */
export function patternOf(
  context: RequestContext,
  { choice, times, before = NONE }: { choice: Choice; times: PatternTimes; before?: Recurrence },
  errors: ValidationErrors,
): Pattern {
  const { start_date, end_date, timezone, all_day } = times
  const refuse = (reason: string) => errors.add('recurrence', reason)
  const rule = readRule(choice, timezone, refuse)
  const dates = (given: readonly string[] | undefined, known: readonly DateTime[]) =>
    given === undefined ? known : readDates(context, { given, times }, refuse)
  const pattern: Pattern = {
    rrule: choice.rrule === undefined ? before.rrule : rule ? formatRule(rule) : '',
    rdate: dates(choice.rdate, before.rdate),
    exdate: dates(choice.exdate, before.exdate),
    start_date,
    end_date,
    timezone,
    all_day,
  }
  return pattern
}

type Refuse = (reason: string) => void

function readRule({ rrule }: Choice, timezone: string, refuse: Refuse): Rule | undefined {
  if (!rrule) return undefined
  try {
    return parseRule(rrule, { toWall: utc => toWall(utc, timezone) })
  } catch (error) {
    if (!(error instanceof InvalidRule)) throw error
    refuse(error.message)
    return undefined
  }
}

const IS_DATE = /^\s*\d{4}-?\d{2}-?\d{2}\s*$/

/** Starts in the event's zone, in order and each once. A date without a time is at the time of the start. */
function readDates(
  { now }: RequestContext,
  { given, times }: { given: readonly string[]; times: PatternTimes },
  refuse: Refuse,
): DateTime[] {
  const { start_date, timezone, all_day } = times
  const read = (text: string): DateTime[] => {
    const time = IS_DATE.test(text) ? `${text.trim()} ${start_date.slice(11)}` : text
    const parsed = parseDate(time, timezone, toEpoch(now)) ?? parseDate(text, timezone, toEpoch(now))
    if (parsed) return [all_day ? startOfDay(parsed.wall) : parsed.wall]
    refuse(`needs dates in rdate and exdate, and ${text.slice(0, 64)} is none`)
    return []
  }
  return [...new Set(given.flatMap(read))].sort()
}

/** Checks that a series has occurrences, and not too many. */
export function checkOccurrences({ now }: RequestContext, pattern: Pattern, refuse: Refuse): void {
  try {
    const budget = stepBudget()
    const starts = startsOf(pattern, { to: horizonOf(pattern, now), limit: MOST_OCCURRENCES, budget })
    const { start_date: from, rdate } = pattern
    const rule = starts.every(start => start === from || rdate.includes(start)) && ruleOf(pattern)
    if (rule && firstDate(rule, from, { from, to: addMonths(from, CYCLE_MONTHS), budget }) === undefined)
      refuse('its rule never gives a date')
    if (starts.length === 0) refuse('leaves out every date')
  } catch (error) {
    if (error instanceof TooManyDates)
      refuse(`gives more than ${MOST_OCCURRENCES} dates from its start to two years from today`)
    else if (error instanceof TooCostly) refuse('its rule takes too long to work out')
    else throw error
  }
}

type Moved = {
  series: Pattern
  /** The start that the series gives the occurrence, whatever its own is; undefined if it keeps its start. */
  from: DateTime | undefined
  to: Times
  /** True if the request names another rule. */
  namesRule: boolean
}

/**
 * The pattern of a series one of whose occurrences gets other times: all move by as much. `shift` is in milliseconds by the
 * clock.
 *
 * @param errors gets an error if the rule names the days or times that would change
 */
export function movedPattern(
  { series, from, to, namesRule }: Moved,
  errors: ValidationErrors,
): { pattern: Pattern; shift: number } {
  const shift = from === undefined ? 0 : between(from, to.start_date)
  const start_date = later(series.start_date, shift)
  const rule = ruleOf(series)
  const otherDay = start_date.slice(0, 10) !== series.start_date.slice(0, 10)
  if (rule && !namesRule && otherDay && fixesDay(rule))
    errors.add('start_date', 'the rule names its days: send the recurrence as well to move all occurrences')
  if (rule && !namesRule && shift !== 0 && fixesTime(rule))
    errors.add('start_date', 'the rule names its times: send the recurrence as well to move all occurrences')
  const move = (dates: readonly DateTime[]) => dates.map(date => later(date, shift))
  const pattern = {
    rrule: rule ? formatRule(shifted(rule, shift / 1000)) : '',
    rdate: move(series.rdate),
    exdate: move(series.exdate),
    start_date,
    end_date: later(start_date, between(to.start_date, to.end_date)),
    timezone: to.timezone,
    all_day: to.all_day,
  }
  return { pattern, shift }
}
