/**
 * The most steps that one expansion may take. A step is a period, a year without dates, a day's entry in the table of a
 * year, a date or a time of day: some tens of nanoseconds.
 */
export const MAX_STEPS = 250_000

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
