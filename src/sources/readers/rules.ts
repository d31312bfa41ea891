import { translating } from '../../lib/errors.ts'
import { Budget, MAX_STEPS, TooCostly } from '../../lib/recurrence/budget.ts'
import { InvalidRule, parseRule } from '../../lib/recurrence/parse.ts'
import type { Rule } from '../../lib/recurrence/rule.ts'
import type { DateTime } from '../../lib/time.ts'
import { Unreadable } from '../records.ts'

/** Limit of the steps of all rules in a file: some seconds. Rules of real calendars take thousands. */
const MOST_STEPS = 20_000_000

/** Counter of the steps that the rules of a file take. */
export class Steps {
  #left = MOST_STEPS

  /** Expands a rule. @throws Unreadable if that takes too many steps, or the rules before it took them */
  take<T>(expand: (budget: Budget) => T): T {
    if (this.#left <= 0)
      throw new Unreadable(`the recurrence rules of the file take more than ${MOST_STEPS} steps`)
    const budget = new Budget(MAX_STEPS)
    try {
      return expand(budget)
    } catch (error) {
      if (error instanceof TooCostly) throw new Unreadable(`its rule takes more than ${MAX_STEPS} steps`)
      throw error
    } finally {
      this.#left -= budget.used
    }
  }
}

/** Reads a rule. @param toWall of UNTIL, which is mostly in UTC @throws Unreadable that begins so for what is none */
export const sourceRule = (text: string, what: string, toWall: (utc: DateTime) => DateTime): Rule =>
  translating(
    InvalidRule,
    ({ message }) => new Unreadable(`${what}: ${message}`),
    () => parseRule(text, toWall),
  )
