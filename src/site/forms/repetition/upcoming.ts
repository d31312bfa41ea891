import { checkedStarts, patternOf } from '../../../calendar/events/recurrence-fields.ts'
import type { BaseContext } from '../../../kit/context.ts'
import { ApiError, ValidationErrors } from '../../../kit/lib/errors.ts'
import type { Reason } from '../../../kit/lib/reasons.ts'
import {
  END_OF_DATES,
  extendFrom,
  horizonOf,
  movedRule,
  type Pattern,
  startsOf,
} from '../../../kit/lib/recurrence/pattern.ts'
import { formatRule, readRule } from '../../../kit/lib/recurrence/rule.ts'
import { type DateTime, endOfDay, laterByClock, startOfDay, toWall } from '../../../kit/lib/time.ts'
import { reasonsIn } from '../requests.ts'
import {
  controlsOf,
  firstDateOf,
  type KnownRecurrence,
  type Repetition,
  recurrenceOf,
  shiftTo,
  withoutBreak,
} from './rule.ts'

/** The number of dates that a form shows. */
const MAX_SHOWN = 5

/** The next dates of a repetition, or the first ones if all are over, and their number; or an error. */
type UpcomingDates = {
  dates: readonly DateTime[]
  arePast: boolean
  /** The number of dates that are made when the event is saved, and the last of these. */
  total: number
  last?: DateTime | undefined
  /** True if more dates are made later. */
  goesOn: boolean
  error?: Reason
}

/** The times of an event in a form: a wall time in its zone. */
export type FormTimes = { start: DateTime; all_day: boolean; timezone: string }

/**
 * Computes the next dates of a repetition by the rules and limits of the API. It reads nothing.
 *
 * @returns undefined for an event that does not repeat
 */
export function upcomingDates(
  context: BaseContext,
  repetition: Repetition,
  { start, all_day, timezone }: FormTimes,
): UpcomingDates | undefined {
  if (repetition.controls.repeat === '') return undefined
  try {
    const { pattern, starts } = plannedDates(context, repetition, { start, all_day, timezone })
    const now = toWall(context.clock.now(), timezone)
    const next = nextOf(pattern, all_day ? startOfDay(now) : now, starts)
    const arePast = next.length === 0
    const further = extendFrom(pattern, horizonOf(pattern, context.clock.now()))
    return {
      dates: arePast ? starts.slice(0, MAX_SHOWN) : next,
      arePast,
      total: starts.length,
      last: starts.at(-1),
      goesOn: further !== null,
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { dates: [], arePast: false, total: 0, goesOn: false, error: ruleReason(error) }
  }
}

/**
 * The pattern of a repetition, and the dates that are made when it is saved.
 * @throws ApiError like a write
 */
function plannedDates(context: BaseContext, repetition: Repetition, { start, all_day, timezone }: FormTimes) {
  const { known } = repetition
  const begin = all_day ? startOfDay(start) : start
  const first = firstDateOf(known, begin)
  const errors = new ValidationErrors()
  const times = { start_date: first, end_date: all_day ? endOfDay(first) : first, timezone, all_day }
  const { repetition: withDates, rrule: chosenRule } = withoutBreak(repetition, start)
  const rrule = unsentRule(repetition, start, first) ?? chosenRule
  const choice = {
    ...(rrule && { rrule }),
    ...namedDates(withDates, known && shiftTo(known, begin)),
  }
  const pattern: Pattern = patternOf(context, { choice, times }, errors)
  errors.throwIfAny()
  const starts = checkedStarts(context, pattern, reason => errors.add('recurrence', reason))
  errors.throwIfAny()
  return { pattern, starts }
}

/** A stored rule that a form does not send again, as it moves with the event. */
function unsentRule(repetition: Repetition, start: DateTime, first: DateTime): string | undefined {
  const { known } = repetition
  const rule = known && readRule(known.rrule)
  const choice = rule && recurrenceOf(repetition, start)
  const isSent = choice === '' || choice?.rrule !== undefined
  return rule && !isSent ? formatRule(movedRule(rule, known.first, first)) : undefined
}

/** The starts that an event gets, as wall times: its own, unless it repeats in a way that the API takes. */
export function plannedStarts(
  context: BaseContext,
  repetition: Repetition | undefined,
  times: FormTimes,
): readonly DateTime[] {
  const ownStarts = [times.all_day ? startOfDay(times.start) : times.start]
  if (!repetition || repetition.controls.repeat === '') return ownStarts
  try {
    return plannedDates(context, repetition, times).starts
  } catch (error) {
    if (error instanceof ApiError) return ownStarts
    throw error
  }
}

/**
 * The next dates from a moment on, including dates after the last of `starts`, which has no occurrences yet.
 */
function nextOf(pattern: Pattern, from: DateTime, starts: readonly DateTime[]): readonly DateTime[] {
  const nearDates = starts.filter(date => date >= from).slice(0, MAX_SHOWN)
  if (nearDates.length === MAX_SHOWN) return nearDates
  return startsOf(pattern, { from, to: END_OF_DATES, limit: MAX_SHOWN }).dates
}

const ruleReason = ({ data, message }: ApiError): Reason => reasonsIn(data).get('recurrence') ?? message

/** The single dates of a repetition. Unchanged ones move with the event. */
function namedDates({ controls: { also, not }, known }: Repetition, shift = 0) {
  const before = known && controlsOf(known)
  const movedDates = (
    typedDates: readonly string[],
    was: readonly string[] | undefined,
    dates: KnownRecurrence['rdate'] = [],
  ) => (was?.join() === typedDates.join() ? dates.map(date => laterByClock(date, shift)) : [...typedDates])
  return {
    rdate: movedDates(also, before?.also, known?.rdate),
    exdate: movedDates(not, before?.not, known?.exdate),
  }
}
