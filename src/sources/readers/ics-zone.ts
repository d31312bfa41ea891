import ICAL from 'ical.js'
import { translating } from '../../lib/errors.ts'
import { ruleDates, TooManyDates } from '../../lib/recurrence/dates.ts'
import { type DateTime, formatInstant, toEpoch } from '../../lib/time.ts'
import { Unreadable } from '../records.ts'
import { countValues, ruleText, writtenTimes } from './ics-written.ts'
import { type Steps, sourceRule } from './rules.ts'

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
 * @param steps those that its rules take
 * @throws Unreadable if there are too many, or none
 */
export function offsetsOf(zone: ICAL.Component, steps: Steps): Offsets {
  const changes: Change[] = []
  for (const part of zone.getAllSubcomponents()) {
    if (part.name !== 'standard' && part.name !== 'daylight') continue
    changes.push(...changesIn(part, steps))
    assertFew(changes.length)
  }
  changes.sort((a, b) => a.at - b.at)
  const [first] = changes
  if (!first) throw new Unreadable('its zone has no offset from UTC')
  const offset = (change: Change | undefined) => change?.after ?? first.before
  return {
    atWall: wall => {
      const time = toEpoch(wall)
      return offset(changes.findLast(({ at, before, after }) => at + Math.max(before, after) <= time))
    },
    atUtc: utc => {
      const time = toEpoch(utc)
      return offset(changes.findLast(({ at }) => at <= time))
    },
  }
}

const tooMany = () => new Unreadable(`its zone has more than ${MOST_CHANGES} clock changes`)

function assertFew(count: number): void {
  if (count > MOST_CHANGES) throw tooMany()
}

/** The changes to one offset of a zone. */
function changesIn(part: ICAL.Component, steps: Steps): Change[] {
  const before = offsetIn(part, 'tzoffsetfrom')
  const after = offsetIn(part, 'tzoffsetto')
  const [start] = part.getAllProperties('dtstart').flatMap(writtenTimes)
  if (!start) throw new Unreadable('its zone changes its clocks at no time')
  const { wall } = start
  const rdate = part.getAllProperties('rdate')
  assertFew(countValues(rdate))
  const named = rdate.flatMap(writtenTimes).map(time => time.wall)
  const ruled = part.getAllProperties('rrule').flatMap(property => {
    const toWall = (utc: DateTime) => formatInstant(toEpoch(utc) + before)
    const rule = sourceRule(ruleText(property), 'its zone has a rule that is none', toWall)
    return translating(TooManyDates, tooMany, () =>
      steps.take(budget => ruleDates(rule, wall, { to: LAST, limit: MOST_CHANGES, budget })),
    )
  })
  return [...new Set([wall, ...named, ...ruled])].map(date => ({ at: toEpoch(date) - before, before, after }))
}

function offsetIn(part: ICAL.Component, name: string): number {
  const offset = part.getFirstPropertyValue(name)
  if (!(offset instanceof ICAL.UtcOffset)) throw new Unreadable(`its zone has no ${name.toUpperCase()}`)
  return offset.toSeconds() * 1000
}
