import ICAL from 'ical.js'
import { type DateTime, endOfDay } from '../lib/time.ts'
import { type Clocks, icalTime, isUtc, timesOf, wallOf, type ZonedTime } from './ics-times.ts'
import { Unreadable } from './records.ts'

/** Between which instants, in UTC, occurrences are wanted; both inclusive. */
export type Window = { from: DateTime; to: DateTime }

// A rule may step by the second, and begin long ago.
const MAX_STEPS = 200_000
const MAX_OCCURRENCES = 5_000

export const isRecurring = (event: ICAL.Component): boolean =>
  event.getFirstProperty('rrule') !== null || event.getFirstProperty('rdate') !== null

/**
 * The starts of a recurring event's occurrences as wall times of its own clock, in order. Rules are followed by
 * the wall clock of DTSTART, which is itself the first occurrence (RFC 5545 §3.8.5).
 *
 * @throws Unreadable for rules that make no sense, or never come to an end
 */
export function occurrences(
  event: ICAL.Component,
  start: ZonedTime,
  clocks: Clocks,
  window: Window,
): DateTime[] {
  const days = (properties: ICAL.Property[]) => properties.flatMap(property => timesOf(property, clocks))
  const walls = new Set([start.wall])
  for (const property of event.getAllProperties('rrule'))
    for (const wall of follow(property, start, window)) walls.add(wall)
  for (const time of days(event.getAllProperties('rdate'))) walls.add(onClock(time, start))
  for (const property of event.getAllProperties('exrule'))
    for (const wall of follow(property, start, window)) walls.delete(wall)
  for (const time of days(event.getAllProperties('exdate'))) {
    // A date without a time means all occurrences of the day.
    const day = time.isDate && !start.isDate ? time.wall.slice(0, 10) : undefined
    if (day === undefined) walls.delete(onClock(time, start))
    else for (const wall of walls) if (wall.startsWith(day)) walls.delete(wall)
  }
  const wanted = [...walls].filter(wall => {
    const utc = start.clock.toUtc(wall)
    return utc >= window.from && utc <= window.to
  })
  if (wanted.length > MAX_OCCURRENCES)
    throw new Unreadable(`it occurs more than ${MAX_OCCURRENCES} times in the period`)
  return wanted.sort()
}

/** A time, told by whatever clock, as the wall time of an event's own; of a whole-day event only the day counts. */
export function onClock(time: ZonedTime, start: ZonedTime): DateTime {
  if (start.isDate) return `${time.wall.slice(0, 10)} 00:00:00`
  if (time.isDate) return `${time.wall.slice(0, 10)} ${start.wall.slice(11)}`
  return time.clock === start.clock ? time.wall : start.clock.toWall(time.utc)
}

/** The occurrences that a rule gives up to the end of the window. */
function* follow(property: ICAL.Property, start: ZonedTime, window: Window): Generator<DateTime> {
  const value = property.getFirstValue()
  if (!(value instanceof ICAL.Recur)) throw new Unreadable(`${property.name.toUpperCase()} is no rule`)
  const rule = value.clone()
  if (rule.until) rule.until = untilOf(rule.until, start)
  const steps = rule.iterator(icalTime(start.wall, start.isDate))
  let wanted = 0
  for (let step = 0; step < MAX_STEPS && wanted <= MAX_OCCURRENCES; step += 1) {
    const time = steps.next()
    if (!time) return
    const wall = wallOf(time)
    const utc = start.clock.toUtc(wall)
    if (utc > window.to) return
    if (utc >= window.from) wanted += 1
    yield wall
  }
  throw new Unreadable(`${property.name.toUpperCase()} recurs too often`)
}

/**
 * The end of a rule as a wall time of the event's clock. It is mostly given in UTC; as a mere date, it means all
 * of that day.
 */
function untilOf(until: ICAL.Time, start: ZonedTime): ICAL.Time {
  const wall = wallOf(until)
  // Producers that add a time to the last of whole days don't mean another day by it.
  if (start.isDate) return icalTime(wall, true)
  if (until.isDate) return icalTime(endOfDay(wall), false)
  return icalTime(isUtc(until) ? start.clock.toWall(wall) : wall, false)
}
