import {
  CALENDAR_CYCLE,
  daysBeforeMonths,
  firstOfYear,
  gcd,
  isLeap,
  modulo,
  monthOf,
  yearOf,
} from './days.ts'
import type { Budget, Rule } from './rule.ts'

/** The periods of a rule, which consist of days and are numbered consecutively. */
export type Periods = {
  numberOf: (day: number) => number
  firstDay: (number: number) => number
  /** The first period, from `number` on, that INTERVAL does not skip. */
  align: (number: number) => number
  /** The number of days after which the calendar and the skipped periods repeat together. */
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

/** The length of a slot in seconds, for frequencies shorter than a day. */
export const SLOT_SECONDS = { SECONDLY: 1, MINUTELY: 60, HOURLY: 3_600 } as const

/** The periods of a rule. @param start in seconds since 1970 as if its wall time were UTC */
export function periodsOf({ freq, interval, weekStart }: Rule, start: number): Periods {
  /** @param inCycle the number of periods, or of slots, in which the calendar repeats */
  const cycleOf = (inCycle: number) => (CALENDAR_CYCLE * interval) / gcd(interval, inCycle)
  const alignedPeriods = (calendar: Pick<Periods, 'numberOf' | 'firstDay'>, inCycle: number): Periods => {
    const first = calendar.numberOf(Math.floor(start / 86_400))
    const align = (number: number) => number + modulo(first - number, interval)
    return { ...calendar, align, cycle: cycleOf(inCycle) }
  }
  switch (freq) {
    case 'YEARLY':
      return alignedPeriods(byYear, 400)
    case 'MONTHLY':
      return alignedPeriods(byMonth, 4_800)
    case 'WEEKLY':
      return alignedPeriods(byWeek(weekStart), CALENDAR_CYCLE / 7)
    case 'DAILY':
      return alignedPeriods(byDay, CALENDAR_CYCLE)
    default: {
      // Slots shorter than a day: the periods are days, and days without a slot are skipped.
      const perDay = 86_400 / SLOT_SECONDS[freq]
      const startSlot = Math.floor(start / SLOT_SECONDS[freq])
      const align = (day: number) => day + Math.floor(modulo(startSlot - day * perDay, interval) / perDay)
      return { ...byDay, align, cycle: cycleOf(CALENDAR_CYCLE * perDay) }
    }
  }
}

/** The times at which a rule recurs on a day, in seconds from midnight, ascending. */
export type TimesOfDays = {
  on: (day: number) => readonly number[]
  /** False if no day has any times, because the slots or sets in the rule never occur. */
  canHappen: boolean
}

/**
 * Indices from 0 in a set, given positions that count from 1, or from the end as -1: ascending, each once.
 */
export function positionsIn(length: number, positions: readonly number[]): number[] {
  const indices = positions.map(position => (position > 0 ? position - 1 : length + position))
  return [...new Set(indices)].filter(index => index >= 0 && index < length).sort((a, b) => a - b)
}

/** The seconds of a rule. 60 becomes 59, because our clock has no leap seconds (RFC 5545 §3.3.12). */
const secondsOf = ({ bySecond }: Rule): number[] | undefined =>
  bySecond && [...new Set(bySecond.map(second => Math.min(second, 59)))]

/**
 * All sums of one number from each list. The sums are ascending if the lists are, and if each list spans less
 * than one step of the list before it.
 */
function sums(...lists: readonly (readonly number[])[]): number[] {
  let times = [0]
  for (const list of lists) {
    const longer = []
    for (const sum of times) for (const value of list) longer.push(sum + value)
    times = longer
  }
  return times
}

const secondsOfHours = (hours: readonly number[]) => hours.map(hour => hour * 3_600)
const secondsOfMinutes = (minutes: readonly number[]) => minutes.map(minute => minute * 60)

/** The times within an hour, minute or second, after BYSETPOS. */
function offsetsOf(rule: Rule, minute: number, second: number): number[] {
  const minutes = rule.freq === 'HOURLY' ? secondsOfMinutes(rule.byMinute ?? [minute]) : [0]
  const offsets = sums(minutes, rule.freq === 'SECONDLY' ? [0] : (secondsOf(rule) ?? [second]))
  if (!rule.bySetPos) return offsets
  return positionsIn(offsets.length, rule.bySetPos).map(index => offsets[index] ?? 0)
}

/** The slots of a day, numbered from 0 at midnight. */
type Slots = {
  /** The length of a slot. */
  seconds: number
  perDay: number
  /** The first slot, from `slot` on, that no part of the rule excludes. It may be on the next day. */
  nextOpen: (slot: number) => number
}

/** The slots that a rule's limiting parts allow. `nextOpen` skips excluded hours and minutes as a whole. */
function slotsOf(rule: Rule, seconds: number): Slots {
  const hours = rule.byHour && new Set(rule.byHour)
  const minutes = rule.freq === 'HOURLY' ? undefined : rule.byMinute && new Set(rule.byMinute)
  const allowedSeconds = rule.freq === 'SECONDLY' ? secondsOf(rule) && new Set(secondsOf(rule)) : undefined
  const nextTime = (time: number): number => {
    if (hours && !hours.has(Math.floor(time / 3_600))) return time - (time % 3_600) + 3_600
    if (minutes && !minutes.has(Math.floor(time / 60) % 60)) return time - (time % 60) + 60
    return allowedSeconds && !allowedSeconds.has(time % 60) ? time + 1 : time
  }
  const nextOpen = (slot: number) => Math.ceil(nextTime(slot * seconds) / seconds)
  return { seconds, perDay: 86_400 / seconds, nextOpen }
}

/** Allowed slots at a distance of `apart`, from the first to the end of the day. */
function* openSlots({ perDay, nextOpen }: Slots, first: number, apart: number, budget: Budget) {
  for (let slot = first; slot < perDay; ) {
    budget.spend(1)
    const open = nextOpen(slot)
    if (open === slot) yield slot
    slot += Math.max(1, Math.ceil((open - slot) / apart)) * apart
  }
}

/** The steps that a list of times takes in addition to one for each time. */
const LIST_STEPS = 3

/**
 * The times of a rule that recurs every few hours, minutes or seconds.
 * @param seconds the length of a slot
 */
function slotTimes(rule: Rule, start: number, seconds: number, budget: Budget): TimesOfDays {
  const slots = slotsOf(rule, seconds)
  const startSlot = Math.floor(start / seconds)
  const firstOn = (day: number) => modulo(startSlot - day * slots.perDay, rule.interval)
  const offsets = offsetsOf(rule, Math.floor(start / 60) % 60, start % 60)

  // Days with the same first slot share a list, so that all lists together have about as many slots as one
  // day.
  const lists = new Map<number, readonly number[]>()
  const timesOn = (day: number) => {
    const first = firstOn(day)
    const knownTimes = lists.get(first)
    if (knownTimes) return knownTimes
    budget.spend(LIST_STEPS)
    const times: number[] = []
    for (const slot of openSlots(slots, first, rule.interval, budget)) {
      // The first step was spent on finding the slot.
      budget.spend(offsets.length - 1)
      for (const offset of offsets) times.push(slot * seconds + offset)
    }
    lists.set(first, times)
    return times
  }

  // Over many days, slots occur at all multiples of the greatest common divisor.
  const apart = gcd(rule.interval, slots.perDay)
  const anySlot = openSlots(slots, modulo(startSlot, apart), apart, budget).next()
  return { on: timesOn, canHappen: !anySlot.done && offsets.length > 0 }
}

/** The most days that a period of a rule can have. */
const MAX_PERIOD_DAYS = { DAILY: 1, WEEKLY: 7, MONTHLY: 31, YEARLY: 366 }

/** The times of a rule. @param start in seconds since 1970 as if its wall time were UTC */
export function timesOfRule(rule: Rule, start: number, budget: Budget): TimesOfDays {
  const { freq, bySetPos } = rule
  if (freq === 'SECONDLY' || freq === 'MINUTELY' || freq === 'HOURLY')
    return slotTimes(rule, start, SLOT_SECONDS[freq], budget)
  const time = modulo(start, 86_400)
  const hours = rule.byHour ?? [Math.floor(time / 3_600)]
  const minutes = rule.byMinute ?? [Math.floor(time / 60) % 60]
  const seconds = secondsOf(rule) ?? [time % 60]
  budget.spend(hours.length * minutes.length * seconds.length)
  const times = sums(secondsOfHours(hours), secondsOfMinutes(minutes), seconds)
  const maxTimes = MAX_PERIOD_DAYS[freq] * times.length
  return { on: () => times, canHappen: bySetPos?.some(position => Math.abs(position) <= maxTimes) ?? true }
}
