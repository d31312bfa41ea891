import {
  CALENDAR_CYCLE,
  daysBeforeMonths,
  firstOfYear,
  gcd,
  isLeap,
  modulo,
  monthOf,
  yearOf,
} from './calendar.ts'
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
export const SLOT_SECONDS = { SECONDLY: 1, MINUTELY: 60, HOURLY: 3_600 } as const

/** Slots shorter than a day: the periods are days, of which those without a slot are skipped. */
function slotPeriods(interval: number, slotsADay: number, start: number): Periods {
  const startSlot = Math.floor((start * slotsADay) / 86_400)
  return {
    ...byDay,
    align: day => day + Math.floor(modulo(startSlot - day * slotsADay, interval) / slotsADay),
    cycle: (CALENDAR_CYCLE * interval) / gcd(interval, CALENDAR_CYCLE * slotsADay),
  }
}

/** The periods of a rule. @param start in seconds since 1970 as if its wall time were UTC */
export function periodsOf({ freq, interval, weekStart }: Rule, start: number): Periods {
  const whole = (calendar: Pick<Periods, 'numberOf' | 'firstDay'>, inCycle: number): Periods => {
    const first = calendar.numberOf(Math.floor(start / 86_400))
    const align = (number: number) => number + modulo(first - number, interval)
    return { ...calendar, align, cycle: (CALENDAR_CYCLE * interval) / gcd(interval, inCycle) }
  }
  switch (freq) {
    case 'YEARLY':
      return whole(byYear, 400)
    case 'MONTHLY':
      return whole(byMonth, 4_800)
    case 'WEEKLY':
      return whole(byWeek(weekStart), CALENDAR_CYCLE / 7)
    case 'DAILY':
      return whole(byDay, CALENDAR_CYCLE)
    default:
      return slotPeriods(interval, 86_400 / SLOT_SECONDS[freq], start)
  }
}
