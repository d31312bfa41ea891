import ICAL from 'ical.js'
import { type DateTime, endOfDay } from '../lib/time.ts'
import { datesOf, type Steps } from './ics-steps.ts'
import { type Clocks, type IcsTime, icalTime, isUtc, timesOf, wallOf } from './ics-times.ts'
import { Unreadable } from './records.ts'

/** The period in which occurrences are wanted: its first and last instant, in UTC and inclusive. */
export type Window = { from: DateTime; to: DateTime }

const MAX_OCCURRENCES = 5_000

/** Limit of the dates in one event's RDATE, and in its EXDATE. */
const MAX_DATES = 20_000

/** Tells if an event has a rule or further dates. */
export const isRecurring = (event: ICAL.Component): boolean =>
  event.getFirstProperty('rrule') !== null || event.getFirstProperty('rdate') !== null

/**
 * The starts of a recurring event's occurrences as wall times of its own clock, in order. Rules go by the wall clock of
 * DTSTART, which is itself the first occurrence (RFC 5545 §3.8.5).
 *
 * @param steps of the file that the event is in
 * @throws Unreadable for rules that make no sense, never come to an end or match no date
 */
export function occurrences(
  event: ICAL.Component,
  start: IcsTime,
  clocks: Clocks,
  window: Window,
  steps: Steps,
): DateTime[] {
  const walls = new Set([start.wall])
  for (const property of event.getAllProperties('rrule'))
    for (const wall of follow(property, start, window, steps)) walls.add(wall)
  for (const time of namedTimes(event, 'rdate', clocks)) walls.add(onClock(time, start))
  for (const property of event.getAllProperties('exrule'))
    for (const wall of follow(property, start, window, steps)) walls.delete(wall)
  // A date without a time means all occurrences of the day.
  const days = new Set<string>()
  for (const time of namedTimes(event, 'exdate', clocks)) {
    if (time.isDate && !start.isDate) days.add(time.wall.slice(0, 10))
    else walls.delete(onClock(time, start))
  }
  const wanted = [...walls].filter(wall => {
    if (days.has(wall.slice(0, 10))) return false
    const utc = start.clock.toUtc(wall)
    return utc >= window.from && utc <= window.to
  })
  if (wanted.length > MAX_OCCURRENCES)
    throw new Unreadable(`it occurs more than ${MAX_OCCURRENCES} times in the period`)
  return wanted.sort()
}

/** The times that an event names in properties of one name. */
function namedTimes(event: ICAL.Component, name: 'rdate' | 'exdate', clocks: Clocks): IcsTime[] {
  const properties = event.getAllProperties(name)
  const count = properties.reduce((sum, property) => sum + property.getValues().length, 0)
  if (count > MAX_DATES)
    throw new Unreadable(`it has ${count} dates in ${name.toUpperCase()}, and at most ${MAX_DATES} are read`)
  return properties.flatMap(property => timesOf(property, clocks))
}

/** Converts a time of any clock to the wall time of an event's own; of a whole-day event only the day counts. */
export function onClock(time: IcsTime, start: IcsTime): DateTime {
  if (start.isDate) return `${time.wall.slice(0, 10)} 00:00:00`
  if (time.isDate) return `${time.wall.slice(0, 10)} ${start.wall.slice(11)}`
  return time.clock === start.clock ? time.wall : start.clock.toWall(time.utc)
}

/** The dates of a rule up to the end of the window. @throws Unreadable if there are too many, or none at all */
function* follow(property: ICAL.Property, start: IcsTime, window: Window, steps: Steps): Generator<DateTime> {
  const name = property.name.toUpperCase()
  const value = property.getFirstValue()
  if (!(value instanceof ICAL.Recur)) throw new Unreadable(`${name} is no rule`)
  const rule = value.clone()
  if (rule.until) rule.until = untilOf(rule.until, start)
  const isOver = rule.until ? wallOf(rule.until) < start.wall : start.utc > window.to
  // A wall clock is never a year away from UTC.
  const bounds = { steps, lastYear: Number(window.to.slice(0, 4)) + 1 }
  let found = 0
  let wanted = 0
  for (const time of datesOf(rule, icalTime(start.wall, start.isDate), bounds)) {
    const wall = wallOf(time)
    const utc = start.clock.toUtc(wall)
    found += 1
    if (utc > window.to) return
    if (utc >= window.from) wanted += 1
    if (wanted > MAX_OCCURRENCES) throw new Unreadable(`${name} recurs too often`)
    yield wall
  }
  if (found === 0 && !isOver) throw new Unreadable(`${name} matches no date: ${value}`)
}

/**
 * The end of a rule as a wall time of the event's clock. It is mostly given in UTC; as a mere date, it means all
 * of that day.
 */
function untilOf(until: ICAL.Time, start: IcsTime): ICAL.Time {
  const wall = wallOf(until)
  // Producers that add a time to the last of whole days don't mean another day by it.
  if (start.isDate) return icalTime(wall, true)
  if (until.isDate) return icalTime(endOfDay(wall), false)
  return icalTime(isUtc(until) ? start.clock.toWall(wall) : wall, false)
}
