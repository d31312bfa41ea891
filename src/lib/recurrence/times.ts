import type { Budget } from './budget.ts'
import { modulo } from './calendar.ts'
import { SLOT_SECONDS } from './periods.ts'
import type { Rule } from './rule.ts'

/** The times at which a rule recurs on a day, in seconds from midnight, ascending. */
export type Times = (day: number) => readonly number[]

/** The members of a set at positions counted from 1, or from the end as -1: as indices from 0, ascending, each once. */
export function positionsIn(length: number, positions: readonly number[]): number[] {
  const indices = positions.map(position => (position > 0 ? position - 1 : length + position))
  return [...new Set(indices)].filter(index => index >= 0 && index < length).sort((a, b) => a - b)
}

/** The seconds of a rule; one without leap seconds reads 60 as 59 (RFC 5545 §3.3.12). */
const secondsOf = ({ bySecond }: Rule): number[] | undefined =>
  bySecond && [...new Set(bySecond.map(second => Math.min(second, 59)))]

/** All sums of one number of each list, ascending where the lists are and each number reaches less far than the next. */
const sums = (...lists: readonly (readonly number[])[]): number[] =>
  lists.reduce<number[]>((all, list) => all.flatMap(sum => list.map(value => sum + value)), [0])

const hoursOf = (hours: readonly number[]) => hours.map(hour => hour * 3_600)
const minutesOf = (minutes: readonly number[]) => minutes.map(minute => minute * 60)

/** The times within an hour, minute or second, after BYSETPOS. */
function offsetsOf(rule: Rule, minute: number, second: number): number[] {
  const minutes = rule.freq === 'HOURLY' ? minutesOf(rule.byMinute ?? [minute]) : [0]
  const offsets = sums(minutes, rule.freq === 'SECONDLY' ? [0] : (secondsOf(rule) ?? [second]))
  if (!rule.bySetPos) return offsets
  return positionsIn(offsets.length, rule.bySetPos).map(index => offsets[index] ?? 0)
}

/** A test of slots, given in seconds from midnight, by those parts that limit a rule of this frequency. */
function slotTest(rule: Rule): (time: number) => boolean {
  const hours = rule.byHour && new Set(rule.byHour)
  const minutes = rule.freq === 'HOURLY' ? undefined : rule.byMinute && new Set(rule.byMinute)
  const seconds = rule.freq === 'SECONDLY' ? secondsOf(rule) && new Set(secondsOf(rule)) : undefined
  return time =>
    (!hours || hours.has(Math.floor(time / 3_600))) &&
    (!minutes || minutes.has(Math.floor(time / 60) % 60)) &&
    (!seconds || seconds.has(time % 60))
}

/**
 * The times of a rule that recurs every so many hours, minutes or seconds. Days on which the first slot falls at the same
 * time share a list, so that all lists together take about one day's worth of slots.
 */
function slotTimes(rule: Rule, start: number, slot: number, budget: Budget): Times {
  const offsets = offsetsOf(rule, Math.floor(start / 60) % 60, start % 60)
  const isAllowed = slotTest(rule)
  const startSlot = Math.floor(start / slot)
  const slotsADay = 86_400 / slot
  const known = new Map<number, readonly number[]>()
  return day => {
    const first = modulo(startSlot - day * slotsADay, rule.interval)
    const shared = known.get(first)
    if (shared) return shared
    const times: number[] = []
    for (let at = first; at < slotsADay; at += rule.interval) {
      budget.spend(1)
      if (!isAllowed(at * slot)) continue
      budget.spend(offsets.length)
      for (const offset of offsets) times.push(at * slot + offset)
    }
    // Slots more than a day apart fall at any time, and a list of one or none is not worth keeping.
    if (rule.interval < slotsADay) known.set(first, times)
    return times
  }
}

/** The times of a rule. @param start in seconds since 1970 as if its wall time were UTC */
export function timesOf(rule: Rule, start: number, budget: Budget): Times {
  const time = modulo(start, 86_400)
  const slot = SLOT_SECONDS[rule.freq]
  if (slot !== undefined) return slotTimes(rule, start, slot, budget)
  const hours = rule.byHour ?? [Math.floor(time / 3_600)]
  const minutes = rule.byMinute ?? [Math.floor(time / 60) % 60]
  const seconds = secondsOf(rule) ?? [time % 60]
  budget.spend(hours.length * minutes.length * seconds.length)
  const times = sums(hoursOf(hours), minutesOf(minutes), seconds)
  return () => times
}
