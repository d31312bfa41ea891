/**
 * The most steps that one expansion may take. A step is a date, a time of day, a day that matches, a period skipped, a year
 * opened, or a day's entry in the table of a year: at most a tenth of a microsecond each.
 */
export const MAX_STEPS = 100_000

/** A rule that takes more steps than its budget has. Nothing is known about its dates. */
export class TooCostly extends Error {
  constructor(max: number) {
    super(`The rule takes more than ${max} steps to expand`)
    this.name = 'TooCostly'
  }
}

/** The steps that may be taken. Several expansions may share one. */
export class Budget {
  used = 0
  readonly max: number

  constructor(max = MAX_STEPS) {
    this.max = max
  }

  /** Takes steps before they are done. @throws TooCostly if there are not so many left */
  spend(steps: number): void {
    this.used += steps
    if (this.used > this.max) throw new TooCostly(this.max)
  }
}
