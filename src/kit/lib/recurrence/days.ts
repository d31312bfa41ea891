// Days are whole numbers since 1970-01-01, a Thursday. A rule that counts from decades ago asks some ten
// thousand days, and date objects would take ten times as long.

/** The remainder, 0 or greater even for negative dividends. */
export const modulo = (value: number, by: number): number => ((value % by) + by) % by

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

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
const daysBeforeMonths = (year: number): readonly number[] => (isLeap(year) ? LEAP : COMMON)

/** The first day of a month. Months are numbered from January of the year 0, which is 0. */
export function firstOfMonth(number: number): number {
  const year = Math.floor(number / 12)
  return firstOfYear(year) + (daysBeforeMonths(year)[number - year * 12] ?? 0)
}

/** A month: its number, as in {@link firstOfMonth}, its first day, and the first day of the next one. */
export type MonthSpan = { number: number; first: number; end: number }

export function monthWith(day: number): MonthSpan {
  const year = yearOf(day)
  const first = firstOfYear(year)
  const before = daysBeforeMonths(year)
  // With months of 32 days, this would be the month, from 0. The real month is the same or the next.
  const guess = (day - first) >> 5
  const month = day - first >= (before[guess + 1] ?? 0) ? guess + 1 : guess
  return {
    number: year * 12 + month,
    first: first + (before[month] ?? 0),
    end: first + (before[month + 1] ?? 0),
  }
}

/** The day of the week, 0 for Monday. */
export const weekdayFromMonday = (day: number): number => modulo(day + 3, 7)
