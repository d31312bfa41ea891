import ICAL from 'ical.js'
import { translating } from '../../lib/errors.ts'
import type { Budget } from '../../lib/recurrence/budget.ts'
import { lowerBound, ruleDates, TooManyDates } from '../../lib/recurrence/dates.ts'
import { type DateTime, formatInstant, toEpoch } from '../../lib/time.ts'
import { Unreadable } from '../records.ts'
import { STEPS, type Work } from './ics-work.ts'
import { countValues, ruleText, writtenTimes } from './ics-written.ts'
import { sourceRule } from './rules.ts'

/** Limit of the clock changes of a zone. Those of the Outlook family begin in 1601, and have two a year. */
const MOST_CHANGES = 5_000

/** The end of the time for which a zone's changes are worked out: after it, clocks stay. */
const LAST: DateTime = '2100-12-31 23:59:59'

/** A clock change: its instant, and how far clocks are ahead of UTC before and after it, in milliseconds. */
type Change = { at: number; before: number; after: number }

/** How far the clocks of a zone are ahead of UTC, in milliseconds. */
export type Offsets = {
  /** A local time that a change skips, or that occurs twice, is by the clock before the change. */
  atWall: (wall: DateTime) => number
  atUtc: (utc: DateTime) => number
}

/**
 * Reads the clock changes of a VTIMEZONE (RFC 5545 §3.6.5).
 *
 * @param work those that its rules take
 * @throws Unreadable if there are too many, or none
 */
export function offsetsOf(zone: ICAL.Component, work: Work): Offsets {
  const changes = translating(TooManyDates, tooMany, () => work.take(budget => changesOf(zone, budget)))
  changes.sort((a, b) => a.at - b.at)
  const [first] = changes
  if (!first) throw new Unreadable('its zone has no offset from UTC')
  const offset = (change: Change | undefined) => change?.after ?? first.before
  const inUtc = lastUpTo(changes.map(({ at }) => at))
  const onWall = lastUpTo(changes.map(({ at, before, after }) => at + Math.max(before, after)))
  return {
    atWall: wall => offset(changes[onWall(toEpoch(wall))]),
    atUtc: utc => offset(changes[inUtc(toEpoch(utc))]),
  }
}

/** A search for the last of some moments that is not later than another one; they are nearly in order. @returns an index, or -1 */
function lastUpTo(moments: readonly number[]): (time: number) => number {
  // The earliest from each one on: these are in order, and the last that is early enough is the same.
  const earliest = moments.toReversed()
  for (let i = 1; i < earliest.length; i += 1)
    earliest[i] = Math.min(earliest[i] ?? Infinity, earliest[i - 1] ?? Infinity)
  earliest.reverse()
  return time => lowerBound(earliest, time + 1) - 1
}

const tooMany = () => new Unreadable(`its zone has more than ${MOST_CHANGES} clock changes`)

function assertFew(count: number): void {
  if (count > MOST_CHANGES) throw tooMany()
}

/** @param budget of all rules of the zone */
function changesOf(zone: ICAL.Component, budget: Budget): Change[] {
  const changes: Change[] = []
  for (const part of zone.getAllSubcomponents()) {
    if (part.name !== 'standard' && part.name !== 'daylight') continue
    changes.push(...changesIn(part, budget))
    assertFew(changes.length)
  }
  return changes
}

/** The changes to one offset of a zone. */
function changesIn(part: ICAL.Component, budget: Budget): Change[] {
  const before = offsetIn(part, 'tzoffsetfrom')
  const after = offsetIn(part, 'tzoffsetto')
  const [start] = part.getAllProperties('dtstart').flatMap(writtenTimes)
  if (!start) throw new Unreadable('its zone changes its clocks at no time')
  const { wall } = start
  const rdate = part.getAllProperties('rdate')
  assertFew(countValues(rdate))
  const dates = new Set([wall, ...rdate.flatMap(writtenTimes).map(time => time.wall)])
  let given = dates.size
  for (const property of part.getAllProperties('rrule')) {
    budget.spend(STEPS.rule)
    const toWall = (utc: DateTime) => formatInstant(toEpoch(utc) + before)
    const rule = sourceRule(ruleText(property), 'its zone has a rule that is none', toWall)
    const ruled = ruleDates(rule, wall, { to: LAST, limit: MOST_CHANGES, budget })
    given += ruled.length
    assertFew(given)
    for (const date of ruled) dates.add(date)
  }
  return [...dates].map(date => ({ at: toEpoch(date) - before, before, after }))
}

function offsetIn(part: ICAL.Component, name: string): number {
  const offset = part.getFirstPropertyValue(name)
  if (!(offset instanceof ICAL.UtcOffset)) throw new Unreadable(`its zone has no ${name.toUpperCase()}`)
  return offset.toSeconds() * 1000
}
