// Days are whole numbers since 1970-01-01, a Thursday. The loops over rules do this some hundred thousand times, where
// objects for dates would cost ten times as much.

/** The days in which the Gregorian calendar repeats, weekdays included: 400 years. */
export const CALENDAR_CYCLE = 146_097

/** The remainder, 0 or greater also for negative dividends. */
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
