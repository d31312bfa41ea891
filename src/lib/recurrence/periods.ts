import { CALENDAR_CYCLE, daysBeforeMonths, firstOfYear, isLeap, modulo, monthOf, yearOf } from './calendar.ts'
import type { Rule } from './rule.ts'

/** The periods of a rule, as runs of days with consecutive numbers. */
export type Periods = {
  /** The number of the period that a day is in. */
  numberOf: (day: number) => number
  firstDay: (number: number) => number
  /** The first period from this one on that INTERVAL does not skip. */
  align: (number: number) => number
  /** The days after which the calendar and the periods that INTERVAL skips repeat together. */
  cycle: number
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

const byDay = { numberOf: (day: number) => day, firstDay: (number: number) => number }

const byWeek = (weekStart: number) => ({
  numberOf: (day: number) => Math.floor((day + 3 - weekStart) / 7),
  firstDay: (number: number) => number * 7 - 3 + weekStart,
})

const byMonth = {
  numberOf: (day: number) => {
    const year = yearOf(day)
    return year * 12 + monthOf(day - firstOfYear(year), isLeap(year))
  },
  firstDay: (number: number) => {
    const year = Math.floor(number / 12)
    return firstOfYear(year) + (daysBeforeMonths(isLeap(year))[number - year * 12] ?? 0)
  },
}

const byYear = { numberOf: yearOf, firstDay: firstOfYear }

/** The seconds of a slot of the frequencies shorter than a day. */
export const SLOT_SECONDS: Partial<Record<Rule['freq'], number>> = {
  SECONDLY: 1,
  MINUTELY: 60,
  HOURLY: 3_600,
}

/** The periods of a rule. For frequencies shorter than a day they are days, of which those without a slot are skipped. */
export function periodsOf({ freq, interval, weekStart }: Rule, start: number): Periods {
  const slotsADay = 86_400 / (SLOT_SECONDS[freq] ?? 86_400)
  const calendar =
    freq === 'YEARLY' ? byYear : freq === 'MONTHLY' ? byMonth : freq === 'WEEKLY' ? byWeek(weekStart) : byDay
  const first = calendar.numberOf(Math.floor(start / 86_400))
  const startSlot = Math.floor((start * slotsADay) / 86_400)
  const inCycle = { YEARLY: 400, MONTHLY: 4_800, WEEKLY: CALENDAR_CYCLE / 7 }
  const cycleLength = freq in inCycle ? inCycle[freq as keyof typeof inCycle] : CALENDAR_CYCLE * slotsADay
  return {
    ...calendar,
    align:
      slotsADay === 1
        ? number => number + modulo(first - number, interval)
        : day => day + Math.floor(modulo(startSlot - day * slotsADay, interval) / slotsADay),
    cycle: (CALENDAR_CYCLE * interval) / gcd(interval, cycleLength),
  }
}
