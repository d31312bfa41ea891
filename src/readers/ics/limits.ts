import { type CalendarLimits, Unreadable } from '../../calendar/imports/records.ts'
import { pause } from '../../kit/lib/pause.ts'
import type { Bounds } from '../../kit/lib/recurrence/dates.ts'

/** The limits of a command, which take a minute or so. */
export const COMMAND_LIMITS: CalendarLimits = { lines: 5_000_000, dates: 200_000, days: 500_000_000 }

/** The limits of the Worker, which serves other requests at the same time: one or two seconds in all. */
export const WORKER_LIMITS: CalendarLimits = { lines: 100_000, dates: 10_000, days: 30_000_000 }

/**
 * The number of dates that rules may give for each date that is read. Rules are expanded several times, also
 * for dates that turn out to be too many.
 */
const RULE_DATES_PER_DATE = 10

/** The most zones that a calendar may name. */
const MAX_ZONES = 1_000

/** The steps after which others get their turn: some ten milliseconds. */
const STEPS_OF_TURN = 100_000

/** The cost of work in steps, a tenth of a microsecond each. */
export const STEP_COSTS = {
  /** Reading an event, a line of it, and a character of a text. */
  event: 1_000,
  line: 50,
  character: 2,
  /**
   * A day that a rule is asked about, a date that it gives, converting it to the clock of another zone, and
   * making an event of it.
   */
  day: 0.4,
  given: 10,
  conversion: 500,
  date: 500,
  /** Looking up a zone. */
  zone: 5_000,
} as const

/** Counts the work of reading a calendar, stops if it is too much, and lets other tasks run in between. */
export class WorkMeter {
  readonly limits: CalendarLimits
  #days: number
  #dates: number
  #given: number
  #zones = MAX_ZONES
  #sinceTurn = 0

  constructor(limits = COMMAND_LIMITS) {
    this.limits = limits
    this.#days = limits.days
    this.#dates = limits.dates
    this.#given = limits.dates * RULE_DATES_PER_DATE
  }

  get dates(): number {
    return this.#dates
  }

  /**
   * Expands a rule, or the rules of a zone.
   *
   * @param expand gets a function that counts the days that a rule is asked about
   * @throws Unreadable if the rules of the file are asked about too many days, or have too many dates
   */
  take<T>(expand: (counting: Required<Pick<Bounds, 'onDaysAsked'>>) => readonly T[]): T[] {
    if (this.#given <= 0) throw this.tooManyDates()
    const onDaysAsked = (days: number) => {
      this.#days -= days
      this.#sinceTurn += days * STEP_COSTS.day
      if (this.#days < 0)
        throw new Unreadable(
          `the recurrence rules of the file take more than ${this.limits.days} days to ask about`,
          'record_rule',
        )
    }
    const dates = [...expand({ onDaysAsked })]
    this.#given -= dates.length
    this.#sinceTurn += dates.length * STEP_COSTS.given
    return dates
  }

  /** Counts a zone that is looked up by name. @throws Unreadable if there are too many */
  takeZone(): void {
    if (this.#zones === 0)
      throw new Unreadable(`the calendar names more than ${MAX_ZONES} time zones`, 'record_zone')
    this.#zones -= 1
    this.#sinceTurn += STEP_COSTS.zone
  }

  /** Counts dates of a repeating event. @throws Unreadable if too few are left */
  takeDates(count: number): void {
    if (count > this.#dates) throw this.tooManyDates()
    this.#dates -= count
  }

  /** Counts dates that an event names one by one. @throws Unreadable if there were too many before */
  takeNamed(count: number): void {
    if (this.#given <= 0) throw this.tooManyDates()
    this.#given -= count
  }

  tooManyDates(): Unreadable {
    return new Unreadable(
      `the repeating events of the calendar have more than ${this.limits.dates} dates: this one is not read`,
      'record_too_much',
    )
  }

  /** Counts work on an event, a date or some lines, and lets other tasks run from time to time. */
  spend(steps: number): Promise<void> | undefined {
    this.#sinceTurn += steps
    return this.letOthersRun()
  }

  /** Lets others run after some ten milliseconds of work. */
  letOthersRun(): Promise<void> | undefined {
    if (this.#sinceTurn < STEPS_OF_TURN) return undefined
    this.#sinceTurn = 0
    return pause()
  }
}
