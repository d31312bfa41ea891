import { Budget, MAX_STEPS, TooCostly } from '../../lib/recurrence/budget.ts'
import { TooManyDates } from '../../lib/recurrence/dates.ts'
import { type CalendarLimits, type SourceItem, Unreadable } from '../records.ts'

/** An item, or a pause: there was work for a while, and whoever takes the items may do something else before the next one. */
export type ItemOrPause = SourceItem | { type: 'pause' }

/** Those of a command, which take a minute or so. */
export const OF_COMMANDS: CalendarLimits = { lines: 5_000_000, dates: 200_000, steps: 20_000_000 }

/** Those of the Worker, which serves others meanwhile: one or two seconds in all. */
export const OF_WORKER: CalendarLimits = { lines: 100_000, dates: 10_000, steps: 10_000_000 }

/** How often rules may give a date for each that is read: they are asked several times, also for dates that are then too many. */
const GIVEN = 10

/** Zones that a calendar may name. */
const MOST_ZONES = 1_000

/** The steps after which others have their turn: some ten milliseconds. */
const TURN = 100_000

/** What other work takes, in steps of rules. */
export const STEPS = {
  /** Reading an event, a line of it, and a character of a text. */
  ...{ event: 1_000, line: 50, character: 2 },
  /** A date that a rule gives, converting it to the clock of another zone, and making an event of it. */
  ...{ given: 10, conversion: 500, date: 500 },
  /** Looking up a zone, and reading a rule. */
  ...{ zone: 5_000, rule: 500 },
} as const

/** Counts the work of reading a calendar, and ends it where that is more than there may be. */
export class Work {
  readonly limits: CalendarLimits
  #steps: number
  #dates: number
  #given: number
  #zones = MOST_ZONES
  #sincePause = 0

  constructor(limits = OF_COMMANDS) {
    this.limits = limits
    this.#steps = limits.steps
    this.#dates = limits.dates
    this.#given = limits.dates * GIVEN
  }

  /** The number of dates that there may still be. */
  get dates(): number {
    return this.#dates
  }

  /** Expands a rule, or those of a zone. @throws Unreadable if that takes too many steps, or the rules before it took them, or gave too many dates */
  take<T>(expand: (budget: Budget) => T[]): T[] {
    if (this.#steps <= 0)
      throw new Unreadable(`the recurrence rules of the file take more than ${this.limits.steps} steps`)
    if (this.#given <= 0) throw this.tooManyDates()
    const budget = new Budget(MAX_STEPS)
    let given = 0
    try {
      const dates = expand(budget)
      given = dates.length
      return dates
    } catch (error) {
      if (error instanceof TooManyDates) given = error.dates.length
      if (error instanceof TooCostly) throw new Unreadable(`its rule takes more than ${MAX_STEPS} steps`)
      throw error
    } finally {
      this.#steps -= budget.used
      this.#given -= given
      this.#sincePause += budget.used + given * STEPS.given
    }
  }

  /** Takes a zone that is looked up by its name. @throws Unreadable if there were too many */
  takeZone(): void {
    if (this.#zones === 0) throw new Unreadable(`the calendar names more than ${MOST_ZONES} time zones`)
    this.#zones -= 1
    this.#sincePause += STEPS.zone
  }

  /** Takes dates of an event that repeats. @throws Unreadable if there are not so many left */
  takeDates(count: number): void {
    if (count > this.#dates) throw this.tooManyDates()
    this.#dates -= count
  }

  /** Takes dates that an event names one by one. @throws Unreadable if there were too many before */
  takeNamed(count: number): void {
    if (this.#given <= 0) throw this.tooManyDates()
    this.#given -= count
  }

  tooManyDates(): Unreadable {
    return new Unreadable(
      `the repeating events of the calendar have more than ${this.limits.dates} dates: this one is not read`,
    )
  }

  /** Counts work that is done for an event, a date or some lines, and pauses if it is time. */
  *did(steps: number): Generator<ItemOrPause> {
    this.#sincePause += steps
    yield* this.pause()
  }

  /** Pauses if there was work for some ten milliseconds: whoever takes items may do something else then. */
  *pause(): Generator<ItemOrPause> {
    if (this.#sincePause < TURN) return
    this.#sincePause = 0
    yield { type: 'pause' }
  }
}
