import type { Budget, Rule, RuleDay } from './rule.ts'

// Days are whole numbers since 1970-01-01, a Thursday. Expanding rules calculates with them some hundred thousand
// times, and date objects would cost ten times as much.

/** The number of days after which the Gregorian calendar repeats, weekdays included: 400 years. */
export const CALENDAR_CYCLE = 146_097

/** The remainder, 0 or greater even for negative dividends. */
export const modulo = (value: number, by: number): number => ((value % by) + by) % by

/** The greatest common divisor. */
export const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

export const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** The first day of a year. */
export function firstOfYear(year: number): number {
  const past = year - 1
  return past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400) - 719_162
}

/** The year that a day is in. */
export function yearOf(day: number): number {
  const guess = Math.floor(1970 + day / 365.2425)
  if (day < firstOfYear(guess)) return guess - 1
  return day < firstOfYear(guess + 1) ? guess : guess + 1
}

const COMMON = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]
const LEAP = COMMON.map((days, month) => (month > 1 ? days + 1 : days))

/** The days of a year before each month, counted from 0 for January; the last is the length of the year. */
export const daysBeforeMonths = (leap: boolean): readonly number[] => (leap ? LEAP : COMMON)

/** The month, from 0, of a day of the year, from 0. */
export function monthOf(dayOfYear: number, leap: boolean): number {
  const before = daysBeforeMonths(leap)
  const guess = dayOfYear >> 5
  return dayOfYear >= (before[guess + 1] ?? 0) ? guess + 1 : guess
}

/** The day of the week, 0 for Monday. */
export const weekdayOf = (day: number): number => modulo(day + 3, 7)

/** A kind of year. It determines everything that a rule can ask about its days. */
type Kind = { leap: boolean; weekday: number; previousLength: number; nextLength: number }

/** A day of a year, and the part of the year within which BYDAY counts: days from 0, and lengths. */
type YearDay = {
  kind: Kind
  length: number
  dayOfYear: number
  month: number
  dayOfMonth: number
  monthLength: number
}

type Test = (day: YearDay) => boolean

/** The number that stands for no day of the year. */
const NONE = 400

const lengthOf = (leap: boolean) => (leap ? 366 : 365)

/** The day of the year on which week 1 begins, the first with at least four days in it: from -3 to 3. */
function firstWeek(weekday: number, weekStart: number): number {
  const offset = modulo(weekday - weekStart, 7)
  return offset <= 3 ? -offset : 7 - offset
}

/**
 * The week of a day, and the number of weeks in its year. Days at either end of a year may be in a week of the year
 * before or after.
 */
function weekOf({ kind, length, dayOfYear }: YearDay, weekStart: number): { week: number; weeks: number } {
  const own = firstWeek(kind.weekday, weekStart)
  const next = length + firstWeek(kind.weekday + length, weekStart)
  const [first, end] =
    dayOfYear < own
      ? [firstWeek(kind.weekday - kind.previousLength, weekStart) - kind.previousLength, own]
      : dayOfYear < next
        ? [own, next]
        : [next, length + kind.nextLength + firstWeek(kind.weekday + length + kind.nextLength, weekStart)]
  return { week: Math.floor((dayOfYear - first) / 7) + 1, weeks: (end - first) / 7 }
}

/** Tells whether a list has a position, counted from 1, or from the end as -1. */
const hasPosition = (list: ReadonlySet<number>, index: number, length: number): boolean =>
  list.has(index + 1) || list.has(index - length)

function byDayTest(days: readonly RuleDay[], inMonth: boolean): Test {
  return day => {
    const weekday = modulo(day.kind.weekday + day.dayOfYear, 7)
    const index = inMonth ? day.dayOfMonth : day.dayOfYear
    const length = inMonth ? day.monthLength : day.length
    const fromStart = Math.floor(index / 7) + 1
    const fromEnd = -Math.floor((length - 1 - index) / 7) - 1
    return days.some(
      ({ weekday: wanted, nth }) => wanted === weekday && (nth === 0 || nth === fromStart || nth === fromEnd),
    )
  }
}

/**
 * Adds the day of the start to a rule that names no days (RFC 5545 §3.3.10, «the appropriate minute, hour, day, or
 * month would have been retrieved from the "DTSTART" property»).
 */
function withStartDay(rule: Rule, start: number): Rule {
  if (rule.byDay || rule.byMonthDay || rule.byYearDay) return rule
  if (rule.freq === 'WEEKLY' || rule.byWeekNo)
    return { ...rule, byDay: [{ weekday: weekdayOf(start), nth: 0 }] }
  if (rule.freq !== 'MONTHLY' && rule.freq !== 'YEARLY') return rule
  const year = yearOf(start)
  const dayOfYear = start - firstOfYear(year)
  const month = monthOf(dayOfYear, isLeap(year))
  const byMonthDay = [dayOfYear - (daysBeforeMonths(isLeap(year))[month] ?? 0) + 1]
  return rule.freq === 'MONTHLY' ? { ...rule, byMonthDay } : { byMonth: [month + 1], ...rule, byMonthDay }
}

function testsOf(given: Rule, start: number): Test[] {
  const rule = withStartDay(given, start)
  const tests: Test[] = []
  const add = (numbers: readonly number[] | undefined, test: (list: ReadonlySet<number>) => Test) => {
    if (numbers) tests.push(test(new Set(numbers)))
  }
  add(rule.byMonth, list => day => list.has(day.month + 1))
  add(rule.byMonthDay, list => day => hasPosition(list, day.dayOfMonth, day.monthLength))
  add(rule.byYearDay, list => day => hasPosition(list, day.dayOfYear, day.length))
  add(rule.byWeekNo, list => day => {
    const { week, weeks } = weekOf(day, rule.weekStart)
    return hasPosition(list, week - 1, weeks)
  })
  if (rule.byDay) tests.push(byDayTest(rule.byDay, rule.freq === 'MONTHLY' || rule.byMonth !== undefined))
  return tests
}

/** A table with the next matching day of the year, for each day of it. */
function tableOf(kind: Kind, tests: readonly Test[]): Int16Array {
  const length = lengthOf(kind.leap)
  const before = daysBeforeMonths(kind.leap)
  const table = new Int16Array(length)
  let next = NONE
  for (let dayOfYear = length - 1; dayOfYear >= 0; dayOfYear -= 1) {
    const month = monthOf(dayOfYear, kind.leap)
    const first = before[month] ?? 0
    const monthLength = (before[month + 1] ?? 0) - first
    const day = { kind, length, dayOfYear, month, dayOfMonth: dayOfYear - first, monthLength }
    if (tests.every(test => test(day))) next = dayOfYear
    table[dayOfYear] = next
  }
  return table
}

/**
 * The days that a rule's BY parts allow, without regard to INTERVAL. RFC 5545 lets some parts expand and others limit;
 * for days both amount to the same, since a day is in the set if and only if it meets every part. The years of one kind
 * share a table: there are 14 kinds, and 28 if the weeks at either end depend on the neighbouring years.
 */
export class MatchingDays {
  readonly #tests: readonly Test[]
  readonly #asksWeeks: boolean
  readonly #budget: Budget
  readonly #tables = new Map<number, Int16Array>()
  #first = 0
  #table: Int16Array = new Int16Array(0)

  /** @param start the day on which the rule starts */
  constructor(rule: Rule, start: number, budget: Budget) {
    this.#tests = testsOf(rule, start)
    this.#asksWeeks = rule.byWeekNo !== undefined
    this.#budget = budget
  }

  /** The first matching day from this one to the last, both inclusive; Infinity if there is none. */
  next(from: number, last: number): number {
    let day = from
    while (day <= last) {
      if (!(day >= this.#first && day < this.#first + this.#table.length)) this.#open(yearOf(day))
      const found = this.#table[day - this.#first] ?? NONE
      if (found !== NONE) return this.#first + found <= last ? this.#first + found : Number.POSITIVE_INFINITY
      day = this.#first + this.#table.length
    }
    return Number.POSITIVE_INFINITY
  }

  /** Makes a year the current one. */
  #open(year: number): void {
    this.#budget.spend(1)
    this.#first = firstOfYear(year)
    const weekday = weekdayOf(this.#first)
    const [before, leap, after] = [isLeap(year - 1), isLeap(year), isLeap(year + 1)]
    const neighbours = this.#asksWeeks ? (before ? 4 : 0) + (after ? 2 : 0) : 0
    const key = weekday * 8 + neighbours + (leap ? 1 : 0)
    const known = this.#tables.get(key)
    if (known) {
      this.#table = known
      return
    }
    const kind = { leap, weekday, previousLength: lengthOf(before), nextLength: lengthOf(after) }
    this.#budget.spend(lengthOf(leap))
    this.#table = tableOf(kind, this.#tests)
    this.#tables.set(key, this.#table)
  }
}
