import type { Budget, Rule, RuleDay } from './rule.ts'

// Days are whole numbers since 1970-01-01, a Thursday. Expanding rules takes some hundred thousand
// calculations with days, and date objects would take ten times as long.

/** The number of days after which the Gregorian calendar repeats, weekdays included: 400 years. */
export const CALENDAR_CYCLE = 146_097

/** The remainder, 0 or greater even for negative dividends. */
export const modulo = (value: number, by: number): number => ((value % by) + by) % by

/** The greatest common divisor. */
export const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

export const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

export function firstOfYear(year: number): number {
  const past = year - 1
  return past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400) - 719_162
}

export function yearOf(day: number): number {
  const guess = Math.floor(1970 + day / 365.2425)
  if (day < firstOfYear(guess)) return guess - 1
  return day < firstOfYear(guess + 1) ? guess : guess + 1
}

const COMMON = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]
const LEAP = COMMON.map((days, month) => (month > 1 ? days + 1 : days))

/** The days of a year before each month, counted from 0 for January; the last is the length of the year. */
export const daysBeforeMonths = (isLeapYear: boolean): readonly number[] => (isLeapYear ? LEAP : COMMON)

/** The month, from 0, of a day of the year, from 0. */
export function monthOf(dayOfYear: number, isLeapYear: boolean): number {
  const before = daysBeforeMonths(isLeapYear)
  // With months of 32 days, this would be the month. The real month is the same or the next.
  const guess = dayOfYear >> 5
  return dayOfYear >= (before[guess + 1] ?? 0) ? guess + 1 : guess
}

/** The day of the week, 0 for Monday. */
export const weekdayFromMonday = (day: number): number => modulo(day + 3, 7)

/**
 * The properties of a year that a rule may depend on. Lengths are in days, 0 for neighbouring years that do
 * not matter.
 */
type YearKind = { weekday: number; length: number; previousLength: number; nextLength: number }

/** A day of a year, with everything counted from 0. */
type YearDay = { kind: YearKind; dayOfYear: number; month: number; dayOfMonth: number; monthLength: number }

type Test = (day: YearDay) => boolean

/** The position of a day or week within a month or year: an index from 0, and the number of days or weeks. */
type Position = { index: number; length: number }

/** The position of a day among the days of its month or year with the same weekday. */
const amongWeekdays = ({ index, length }: Position): Position => {
  const before = Math.floor(index / 7)
  return { index: before, length: before + 1 + Math.floor((length - 1 - index) / 7) }
}

const inMonth = ({ dayOfMonth, monthLength }: YearDay): Position => ({
  index: dayOfMonth,
  length: monthLength,
})
const inYear = ({ dayOfYear, kind }: YearDay): Position => ({ index: dayOfYear, length: kind.length })

/**
 * The position of a day's week. A week is in the year that has at least four of its days (RFC 5545 §3.3.10),
 * so it has the position of its fourth day among the days with the same weekday.
 */
const weekInYear =
  (weekStart: number) =>
  ({ kind, dayOfYear }: YearDay): Position => {
    const { weekday, length, previousLength, nextLength } = kind
    const fourth = dayOfYear + 3 - modulo(weekday + dayOfYear - weekStart, 7)
    if (fourth < 0) return amongWeekdays({ index: fourth + previousLength, length: previousLength })
    if (fourth < length) return amongWeekdays({ index: fourth, length })
    return amongWeekdays({ index: fourth - length, length: nextLength })
  }

/** A test for days at the listed positions, which count from 1, or from the end as -1. */
function positionTest(positions: readonly number[], positionOf: (day: YearDay) => Position): Test {
  const wantedPositions = new Set(positions)
  return day => {
    const { index, length } = positionOf(day)
    return wantedPositions.has(index + 1) || wantedPositions.has(index - length)
  }
}

function weekdayTest(days: readonly RuleDay[], positionOf: (day: YearDay) => Position): Test {
  return day => {
    const weekday = modulo(day.kind.weekday + day.dayOfYear, 7)
    const { index, length } = amongWeekdays(positionOf(day))
    return days.some(
      ({ weekday: wanted, nth }) =>
        wanted === weekday && (nth === 0 || nth === index + 1 || nth === index - length),
    )
  }
}

/**
 * Adds the day of the start to a rule that names no days (RFC 5545 §3.3.10, “the appropriate minute, hour,
 * day, or month would have been retrieved from the "DTSTART" property”).
 */
function withStartDay(rule: Rule, start: number): Rule {
  if (rule.byDay || rule.byMonthDay || rule.byYearDay) return rule
  if (rule.freq === 'WEEKLY' || rule.byWeekNo)
    return { ...rule, byDay: [{ weekday: weekdayFromMonday(start), nth: 0 }] }
  if (rule.freq !== 'MONTHLY' && rule.freq !== 'YEARLY') return rule
  const year = yearOf(start)
  const dayOfYear = start - firstOfYear(year)
  const month = monthOf(dayOfYear, isLeap(year))
  const byMonthDay = [dayOfYear - (daysBeforeMonths(isLeap(year))[month] ?? 0) + 1]
  return rule.freq === 'MONTHLY' ? { ...rule, byMonthDay } : { byMonth: [month + 1], ...rule, byMonthDay }
}

/** The tests of a rule's BY parts. A day has to pass all of them. */
function testsOf({ freq, byMonth, byMonthDay, byYearDay, byWeekNo, byDay, weekStart }: Rule): Test[] {
  const tests: Test[] = []
  if (byMonth) tests.push(({ month }) => byMonth.includes(month + 1))
  if (byMonthDay) tests.push(positionTest(byMonthDay, inMonth))
  if (byYearDay) tests.push(positionTest(byYearDay, inYear))
  if (byWeekNo) tests.push(positionTest(byWeekNo, weekInYear(weekStart)))
  if (byDay) tests.push(weekdayTest(byDay, freq === 'MONTHLY' || byMonth ? inMonth : inYear))
  return tests
}

/** The entry of a table if no further day of the year passes the tests. */
const NO_DAY = -1

/** A table that has, for each day of a year, the next day that passes all tests. */
function tableOf(kind: YearKind, tests: readonly Test[]): Int16Array {
  const isLeapYear = kind.length === 366
  const before = daysBeforeMonths(isLeapYear)
  const table = new Int16Array(kind.length)
  let next = NO_DAY
  for (let dayOfYear = kind.length - 1; dayOfYear >= 0; dayOfYear -= 1) {
    const month = monthOf(dayOfYear, isLeapYear)
    const first = before[month] ?? 0
    const monthLength = (before[month + 1] ?? 0) - first
    const day = { kind, dayOfYear, month, dayOfMonth: dayOfYear - first, monthLength }
    if (tests.every(test => test(day))) next = dayOfYear
    table[dayOfYear] = next
  }
  return table
}

const daysInYear = (year: number): number => (isLeap(year) ? 366 : 365)

/**
 * The days that a rule's BY parts allow, without regard to INTERVAL. In RFC 5545 some parts expand and others
 * limit; for days both have the same effect: a day is in the set if and only if it meets every part. Years of
 * the same kind share a table: there are 14 kinds, and 28 if the weeks at either end depend on the
 * neighbouring years.
 */
export class MatchingDays {
  readonly #tests: readonly Test[]
  readonly #asksWeeks: boolean
  readonly #budget: Budget
  readonly #tables = new Map<string, Int16Array>()
  /** The current year's first day, and its table. */
  #first = 0
  #table: Int16Array = new Int16Array(0)

  /** @param start the day on which the rule starts */
  constructor(rule: Rule, start: number, budget: Budget) {
    this.#tests = testsOf(withStartDay(rule, start))
    this.#asksWeeks = rule.byWeekNo !== undefined
    this.#budget = budget
  }

  /** The first matching day from `from` to `last`, both inclusive; Infinity if there is none. */
  next(from: number, last: number): number {
    for (let day = from; day <= last; day = this.#first + this.#table.length) {
      if (day < this.#first || day >= this.#first + this.#table.length) this.#open(yearOf(day))
      const nextDayOfYear = this.#table[day - this.#first] ?? NO_DAY
      if (nextDayOfYear !== NO_DAY)
        return this.#first + nextDayOfYear <= last ? this.#first + nextDayOfYear : Number.POSITIVE_INFINITY
    }
    return Number.POSITIVE_INFINITY
  }

  #open(year: number): void {
    this.#budget.spend(1)
    this.#first = firstOfYear(year)
    const kind = {
      weekday: weekdayFromMonday(this.#first),
      length: daysInYear(year),
      previousLength: this.#asksWeeks ? daysInYear(year - 1) : 0,
      nextLength: this.#asksWeeks ? daysInYear(year + 1) : 0,
    }
    const key = Object.values(kind).join()
    let table = this.#tables.get(key)
    if (!table) {
      this.#budget.spend(kind.length)
      table = tableOf(kind, this.#tests)
      this.#tables.set(key, table)
    }
    this.#table = table
  }
}
