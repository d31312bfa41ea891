import { occurrenceDates } from '../../../kit/lib/recurrence/dates.ts'
import type { Rule } from '../../../kit/lib/recurrence/rule.ts'
import { addMonths, type DateTime, endOfDay, isDateTime } from '../../../kit/lib/time.ts'

// COUNT counts dates that are left out as well. A form asks for the number of dates that take
// place.

/**
 * The most dates of a rule that a form expands: one more than a recurrence may have, so that the API reports
 * the limit.
 */
export const MAX_RULE_DATES = 1_001

/**
 * The last moment, no later than `to`, to which a form expands a rule: a hundred years after its start, which
 * takes two milliseconds. Visitors may ask for this as well.
 */
export function lastExpanded(start: DateTime, to: DateTime): DateTime {
  const last = addMonths(start, 1_200)
  return to < last ? to : last
}

/**
 * Excluded dates of a form, as wall times.
 * @param texts days, which mean the date at the usual time, or `datetime-local` values
 */
const excludedIn = (texts: readonly string[], start: DateTime): Set<DateTime> =>
  new Set(
    texts
      .map(text =>
        text.length === 10 ? `${text}${start.slice(10)}` : text.replace('T', ' ').padEnd(19, ':00'),
      )
      .filter(isDateTime),
  )

/**
 * Whether each date of a rule until the last excluded one takes place. Empty if nothing is excluded from the
 * start on.
 */
function datesHeldUntilLastExcluded(
  { count: _, ...rule }: Rule,
  start: DateTime,
  excludedTexts: readonly string[],
): readonly boolean[] {
  const excluded = excludedIn(excludedTexts, start)
  const last = [...excluded].sort().at(-1)
  if (last === undefined || last < start) return []
  const bounds = { to: lastExpanded(start, endOfDay(last)), limit: 2 * MAX_RULE_DATES }
  return occurrenceDates({ start, rule }, bounds).dates.map(date => !excluded.has(date))
}

/**
 * The number of dates of a rule with COUNT that take place.
 *
 * @param start the first date of the series
 * @param not the excluded dates, as a form has them
 */
export function datesTakingPlace(rule: Rule, count: number, start: DateTime, not: readonly string[]): number {
  const datesHeld = datesHeldUntilLastExcluded(rule, start, not).slice(0, count)
  return count - datesHeld.filter(isHeld => !isHeld).length
}

/** The COUNT with which a rule has a number of dates that take place. @see datesTakingPlace */
export function countFor(
  rule: Rule,
  heldCount: number,
  start: DateTime,
  excludedTexts: readonly string[],
): number {
  let datesLeft = heldCount
  const dates = datesHeldUntilLastExcluded(rule, start, excludedTexts)
  for (const [i, isHeld] of dates.entries()) {
    if (isHeld) datesLeft -= 1
    if (datesLeft === 0) return i + 1
  }
  return dates.length + datesLeft
}
