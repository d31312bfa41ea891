/**
 * The most steps that one expansion may take. A step is a date, a time of day, a matching day, a skipped period, a new
 * year, or an entry in the table of a year's days: at most a tenth of a microsecond each.
 */
export const MAX_STEPS = 100_000

/** A rule that takes more steps than its budget has, so that its dates are unknown. */
export class TooCostly extends Error {
  constructor(max: number) {
    super(`The rule takes more than ${max} steps to expand`)
    this.name = 'TooCostly'
  }
}

/** The steps that an expansion may take. Several expansions may share a budget. */
export class Budget {
  used = 0
  readonly max: number

  constructor(max = MAX_STEPS) {
    this.max = max
  }

  /** Takes steps from the budget before they are done. @throws TooCostly if too few are left */
  spend(steps: number): void {
    this.used += steps
    if (this.used > this.max) throw new TooCostly(this.max)
  }
}
