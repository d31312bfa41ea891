import { daysLater, isoWeekday } from '../../../kit/lib/time.ts'
import { foldedAt, type Token } from '../words/tokens.ts'
import { WORDS } from '../words/words.ts'

// The days that a text names, and the calendar that they are in.

/** A day that a text names. */
export type DayMention = {
  /** The index of its first token. */
  from: number
  /** The index after its last token. */
  to: number
  /** As `2027-02-26`. */
  date: string
  /** The last day of a stay, a festival or an exhibition. */
  last?: string
  /** True if it continues a list: `3, 10 and 24 March`. */
  isListed: boolean
  /** True if it is over, or so far ahead without a year that the one of last year must be meant. */
  isPast: boolean
  /** True if its weekday is that of another date. */
  isContradicted: boolean
  /** The tokens between the first and the last day of a stretch, such as a time. */
  gap?: readonly [from: number, to: number]
  /**
   * Set for months in which something may recur. It says whether it is known when they begin: “von Mai bis
   * September”.
   */
  season?: 'sure' | 'vague'
}

/** A mention of a day that is still to come. */
export const comingDay = (from: number, to: number, date: string): DayMention => ({
  from,
  to,
  date,
  isListed: false,
  isPast: false,
  isContradicted: false,
})

/** A number of an hour or a day, as dates are written. */
export const padded = (number: number): string => String(number).padStart(2, '0')

export const isoDay = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, '0')}-${padded(month)}-${padded(day)}`

export { daysLater, isDay, isoWeekday as weekdayOn } from '../../../kit/lib/time.ts'

/** The number of days from a date to the next one on a given weekday: 0 if it is on that weekday itself. */
export const daysToWeekday = (date: string, weekday: number): number => (weekday - isoWeekday(date) + 7) % 7

/** The first date on a given weekday, from a date on. */
export const weekdayFrom = (date: string, weekday: number): string =>
  daysLater(date, daysToWeekday(date, weekday))

/** True if a bracket begins right before a day, or before its article. */
export const isAfterBracket = (tokens: readonly Token[], from: number): boolean =>
  tokens[WORDS.beforeDate.has(foldedAt(tokens, from - 1)) ? from - 2 : from - 1]?.folded === '('

export const areConsecutive = (dates: readonly string[]): boolean =>
  dates.every((date, i) => i === 0 || date === daysLater(dates[i - 1] ?? date, 1))
