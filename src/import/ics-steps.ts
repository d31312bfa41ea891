import ICAL from 'ical.js'
import { Unreadable } from './records.ts'

// ical.js searches for the next date of a rule without end, even if the rule allows none. The iterator here counts
// its steps, so that it can be stopped.

/** Limit of the steps of all rules in a file. Rules of real calendars take thousands; a step takes microseconds. */
const MAX_STEPS = 500_000

// Enough for years of hours.
const MAX_INTERVAL = 100_000

/** Thrown when a rule's dates have passed the last one that is wanted. */
class Beyond extends Error {}

/** Counter of the steps that the rules of a file take. */
export class Steps {
  #left = MAX_STEPS

  /** @throws Unreadable when there have been too many */
  count(): void {
    this.#left -= 1
    if (this.#left < 0)
      throw new Unreadable(`the recurrence rules of the file take more than ${MAX_STEPS} steps`)
  }
}

type Bounds = { steps: Steps; lastYear: number }

class BoundedIterator extends ICAL.RecurIterator {
  // Set before the constructor above begins to look for the first date.
  declare bounds: Bounds | undefined

  override fromData(
    options: ConstructorParameters<typeof ICAL.RecurIterator>[0] & { bounds?: Bounds },
  ): void {
    this.bounds = options.bounds
    super.fromData(options)
  }

  override increment_month(): void {
    step(this)
    super.increment_month()
  }

  override increment_year(years: unknown): void {
    step(this)
    super.increment_year(years)
  }

  override check_contracting_rules(): boolean {
    step(this)
    return super.check_contracting_rules()
  }
}

/** Counts a step. Not a private method, because ical.js takes the first steps in the constructor. */
function step({ bounds, last }: BoundedIterator): void {
  bounds?.steps.count()
  if (bounds && last.year > bounds.lastYear) throw new Beyond()
}

/**
 * The dates of a rule in order, those of the last year included.
 *
 * @throws Unreadable for rules that are no rules, or take too many steps
 */
export function* datesOf(given: ICAL.Recur, dtstart: ICAL.Time, bounds: Bounds): Generator<ICAL.Time> {
  if (given.interval > MAX_INTERVAL) throw new Unreadable(`an INTERVAL of ${given.interval} is too long`)
  const rule = given.clone()
  // The iterator would count impossible dates, see isOfRule.
  rule.count = null
  let left = given.count ?? Number.POSITIVE_INFINITY
  try {
    const iterator = new BoundedIterator({ rule, dtstart, ...{ bounds } })
    for (let time = iterator.next(); time && left > 0; time = iterator.next()) {
      if (!isOfRule(time, rule)) continue
      left -= 1
      yield time
    }
  } catch (error) {
    if (!(error instanceof Beyond)) throw error
  }
}

/** False for dates that ical.js makes up for days that a month does not have, such as 30 February. */
function isOfRule({ year, month, day }: ICAL.Time, rule: ICAL.Recur): boolean {
  // Lists of numbers, by the grammar of rules.
  const { BYMONTH: months, BYMONTHDAY: days } = rule.parts as { BYMONTH?: number[]; BYMONTHDAY?: number[] }
  const fromEnd = day - ICAL.Time.daysInMonth(month, year) - 1
  return (!months || months.includes(month)) && (!days || days.includes(day) || days.includes(fromEnd))
}
