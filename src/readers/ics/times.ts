import ICAL from 'ical.js'
import { reportGuess } from '../../calendar/imports/guesses.ts'
import { codeOf, type ReaderContext, Unreadable } from '../../calendar/imports/records.ts'
import { convertErrors, messageOf } from '../../kit/lib/errors.ts'
import { TIMEZONE_PROPERTY } from '../../kit/lib/ical/lines.ts'
import { memoize } from '../../kit/lib/memo.ts'
import { type Bounds, ruleDates } from '../../kit/lib/recurrence/dates.ts'
import {
  type DateTime,
  formatInstant,
  HOUR_MS,
  isDay,
  toEpoch,
  toUtc,
  toWall,
  wallMs,
  type ZonedTime,
} from '../../kit/lib/time.ts'
import { asObject } from '../../kit/lib/values.ts'
import { memoizeByStretch, type OffsetAt, offsetOf, zoneAhead } from '../../kit/lib/zones.ts'
import { sourceRule } from '../fields.ts'
import { zoneNamed } from '../zone-names.ts'
import { type IcsFile, propertyName, propertyText } from './file.ts'
import type { WorkMeter } from './limits.ts'

// Times as a file writes them, because ical.js reads 30 February as 2 March, month 13 as January, and years
// of any length.

/** A time as written: by some clock, or in UTC. */
type WrittenTime = { wall: DateTime; isDate: boolean; isUtc: boolean }

/** The digits of a time as ical.js holds them before it parses them. */
const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d):(\d\d)(Z?))?$/

/** @throws Unreadable for times that do not exist, and for years other than 0001 to 9999 */
function writtenTime(text: unknown): WrittenTime {
  const [, date = '', time = '00:00', second = '00', utc = ''] = WRITTEN.exec(String(text)) ?? []
  // A leap second becomes the second before it (RFC 5545 §3.3.12), and 24:00 the next midnight.
  const ms = wallMs(`${date} ${time}:${second === '60' ? '59' : second}`)
  if (!isDay(date) || Number.isNaN(ms))
    throw new Unreadable(`${text} is not a date or time`, 'record_no_such_date')
  return { wall: formatInstant(ms), isDate: String(text).length === date.length, isUtc: utc !== '' }
}

/** The values of a property as ical.js holds them before it parses times and rules. */
const writtenValues = ({ jCal }: ICAL.Property): unknown[] => jCal.slice(3)

export const countValues = (properties: readonly ICAL.Property[]): number =>
  properties.reduce((sum, property) => sum + writtenValues(property).length, 0)

/** The times in a property; for periods, their starts. @throws Unreadable */
const writtenTimes = (property: ICAL.Property): WrittenTime[] =>
  writtenValues(property).map(value => writtenTime([value].flat()[0]))

/**
 * The text of a rule; undefined for COUNT=0, without which ical.js would repeat it forever.
 * @throws Unreadable if its end is not a time
 */
export function ruleText(
  property: ICAL.Property,
  writtenEnd: () => string | undefined = () => undefined,
): string | undefined {
  const { until, count } = asObject(writtenValues(property)[0])
  if (count === 0) return undefined
  const unreadable = () =>
    new Unreadable(
      `${property.name.toUpperCase()}: UNTIL ${writtenEnd() ?? until} is not a date or time`,
      'record_no_such_date',
    )
  if (until !== undefined) convertErrors(Unreadable, unreadable, () => writtenTime(until))
  return String(property.getFirstValue() ?? '')
}

/** Limit on the clock changes of a zone. Outlook and its relatives begin in 1601, with two changes a year. */
const MAX_CHANGES = 5_000

/** The end of the time for which a zone's changes are computed. After it, clocks don't change. */
const LAST_CHANGE: DateTime = '2100-12-31 23:59:59'

/** A clock change: its instant, and the milliseconds by which clocks are ahead of UTC before and after it. */
type OffsetChange = { moment: number; before: number; after: number }

/** The milliseconds by which the clocks of a zone are ahead of UTC. */
type Offsets = {
  /** A local time that a change skips, or that occurs twice, goes by the clock before the change. */
  atWall: (wall: DateTime) => number
  at: OffsetAt
}

/**
 * Reads the clock changes of a VTIMEZONE (RFC 5545 §3.6.5).
 *
 * @param work counts the days that its rules are asked about
 * @throws Unreadable if there are too many, or none
 */
function offsetsOf(zone: ICAL.Component, work: WorkMeter): Offsets {
  const changes = work.take(counting => offsetChanges(zone, counting))
  changes.sort((a, b) => a.moment - b.moment)
  const [first] = changes
  if (!first) throw new Unreadable('its zone has no offset from UTC', 'record_zone')
  const offsetAfter = (isPast: (change: OffsetChange) => boolean) =>
    changes.findLast(isPast)?.after ?? first.before
  return {
    atWall: wall => {
      const time = wallMs(wall)
      return offsetAfter(({ moment, before, after }) => moment + Math.max(before, after) <= time)
    },
    at: time => offsetAfter(({ moment }) => moment <= time),
  }
}

function assertFew(count: number): void {
  if (count > MAX_CHANGES)
    throw new Unreadable(`its zone has more than ${MAX_CHANGES} clock changes`, 'record_zone')
}

type Counting = Pick<Bounds, 'onDaysAsked'>

function offsetChanges(zone: ICAL.Component, counting: Counting): OffsetChange[] {
  const changes: OffsetChange[] = []
  for (const part of zone.getAllSubcomponents()) {
    if (part.name !== 'standard' && part.name !== 'daylight') continue
    changes.push(...changesIn(part, counting))
    assertFew(changes.length)
  }
  return changes
}

function changesIn(part: ICAL.Component, counting: Counting): OffsetChange[] {
  const before = offsetIn(part, 'tzoffsetfrom')
  const after = offsetIn(part, 'tzoffsetto')
  const [start] = part.getAllProperties('dtstart').flatMap(writtenTimes)
  if (!start) throw new Unreadable('its zone does not say when its clocks change', 'record_zone')
  const { wall } = start
  const rdate = part.getAllProperties('rdate')
  assertFew(countValues(rdate))
  const dates = new Set([wall, ...rdate.flatMap(writtenTimes).map(time => time.wall)])
  let dateCount = dates.size
  for (const property of part.getAllProperties('rrule')) {
    const text = ruleText(property)
    if (text === undefined) continue
    const toWall = (utc: DateTime) => formatInstant(toEpoch(utc) + before)
    const rule = sourceRule(text, 'its zone has a rule that is not read', { start: wall, toWall })
    const datesOfRule = ruleDates(rule, wall, { to: LAST_CHANGE, limit: MAX_CHANGES, ...counting })
    dateCount += datesOfRule.length
    assertFew(dateCount)
    for (const date of datesOfRule) dates.add(date)
  }
  return [...dates].map(date => ({ moment: wallMs(date) - before, before, after }))
}

function offsetIn(part: ICAL.Component, name: string): number {
  const offset = part.getFirstPropertyValue(name)
  if (!(offset instanceof ICAL.UtcOffset))
    throw new Unreadable(`its zone has no ${name.toUpperCase()}`, 'record_zone')
  return offset.toSeconds() * 1000
}

/** Conversions between local time and UTC. */
type ZoneClock = {
  toUtc: (wall: DateTime) => DateTime
  toWall: (utc: DateTime) => DateTime
  /** The zone in our form. */
  zoneAt: (utc: DateTime) => string
  /**
   * The zone in which a series can repeat; undefined if there is none whose clocks always show the same time.
   */
  zone: string | undefined
  offsetAt: OffsetAt
}

const zoneClock = (zone: string): ZoneClock => ({
  toUtc: wall => toUtc(wall, zone),
  toWall: utc => toWall(utc, zone),
  zoneAt: () => zone,
  zone,
  offsetAt: offsetOf(zone),
})

export const UTC = zoneClock('UTC')

/**
 * The clock of a zone that only a VTIMEZONE of the file defines. It is stored as its offset at an instant.
 * Conversions throw Unreadable if the definition cannot be read, so that this affects only events in the
 * zone.
 */
function definedClock(component: ICAL.Component, work: WorkMeter): ZoneClock {
  // A definition that cannot be read is not read a second time either.
  const read = memoize(() => {
    try {
      return offsetsOf(component, work)
    } catch (error) {
      return { error }
    }
  })
  const offsets = (): Offsets => {
    const zone = read()
    if ('error' in zone) throw zone.error
    return zone
  }
  const offsetAt = (utc: DateTime) => offsets().at(toEpoch(utc))
  const zoneOf = (utc: DateTime) => zoneAhead(offsetAt(utc) / HOUR_MS)
  const offsetTexts = new Set(component.getAllSubcomponents().map(part => propertyText(part, 'tzoffsetto')))
  return {
    toUtc: wall => formatInstant(wallMs(wall) - offsets().atWall(wall)),
    toWall: utc => formatInstant(toEpoch(utc) + offsetAt(utc)),
    zoneAt: utc => zoneOf(utc) ?? 'UTC',
    offsetAt: memoizeByStretch(moment => offsets().at(moment)),
    get zone() {
      return offsetTexts.size === 1 ? zoneOf('1970-01-01 00:00:00') : undefined
    },
  }
}

/** A winter and a summer in several decades: each zone of today has had its offsets in one of them. */
const PROBED_MOMENTS: readonly number[] = [1975, 1985, 1995, 2005, 2015, 2025].flatMap(year => [
  Date.UTC(year, 0, 15),
  Date.UTC(year, 6, 15),
])

const ownZoneOf = (component: ICAL.Component): string =>
  propertyText(component, propertyName(TIMEZONE_PROPERTY))

/** The clocks of a calendar, by TZID. */
export class Clocks {
  /**
   * The clock of the calendar's own zone, or else of the site's: for times without a zone or in UTC, and for
   * all-day events.
   */
  readonly fallback: ZoneClock
  /** The zones that the file defines, by TZID. */
  readonly #defined = new Map<string, ICAL.Component>()
  readonly #known = new Map<string, ZoneClock | undefined>()

  readonly #work: WorkMeter

  readonly #context: Pick<ReaderContext, 'guess' | 'note'>
  readonly #file: Pick<IcsFile, 'lineWith'>
  readonly #zone: string

  /** @param context with the site's zone */
  constructor(file: IcsFile, context: ReaderContext, work: WorkMeter) {
    const { calendar } = file
    this.#work = work
    this.#context = context
    this.#file = file
    for (const zone of calendar.getAllSubcomponents('vtimezone').toReversed())
      this.#defined.set(propertyText(zone, 'tzid').trim(), zone)
    const zoneName = propertyText(calendar, 'x-wr-timezone').trim()
    const knownClock = this.clockNamed(zoneName)
    this.#zone = zoneNamed(zoneName) ?? context.timezone
    this.fallback = knownClock ?? zoneClock(context.timezone)
    if (zoneName !== '' && !knownClock) this.#reportZone(zoneName)
    // A file may have several calendars. Which events are in which is not read.
    for (const property of calendar.getAllProperties('x-wr-timezone').slice(1)) {
      const otherName = String(property.getFirstValue() ?? '').trim()
      if (otherName !== '' && zoneNamed(otherName) !== this.#zone)
        this.#reportZone(otherName, 'X-WR-TIMEZONE')
    }
  }

  /** The clock of a TZID; undefined if the zone is unknown. */
  clockNamed(tzid: string): ZoneClock | undefined {
    if (tzid === '') return undefined
    if (!this.#known.has(tzid)) this.#known.set(tzid, this.#find(tzid))
    return this.#known.get(tzid)
  }

  #find(tzid: string): ZoneClock | undefined {
    this.#work.takeZone()
    const component = this.#defined.get(tzid)
    const zone =
      (component && zoneNamed(ownZoneOf(component))) ??
      zoneNamed(tzid) ??
      (component && zoneNamed(propertyText(component, 'x-lic-location')))
    if (zone && component) this.#reportOtherDefinition(tzid, zone, component)
    if (zone) return zoneClock(zone)
    return component && definedClock(component, this.#work)
  }

  /**
   * The clock of a property's times.
   * @param wall one of these times: an abbreviation such as EDT means a zone only while the zone goes by it
   */
  clockOf(property: ICAL.Property, wall: DateTime): ZoneClock {
    const tzid = String(property.getParameter('tzid') ?? '').trim()
    // If the start has a zone, times without one are in the zone of the start, although the standard demands
    // that they name it.
    const start = property.name === 'dtstart' ? null : property.parent?.getFirstProperty('dtstart')
    if (tzid === '' && start?.getParameter('tzid')) return this.clockOf(start, wall)
    const knownClock = this.clockNamed(tzid)
    if (knownClock || tzid === '') return knownClock ?? this.fallback
    const otherZones = [...this.#known.values()].flatMap(clock => clock?.zone ?? [])
    const zone = zoneNamed(tzid, { wall, zones: new Set([this.#zone, ...otherZones]) })
    if (zone) return zoneClock(zone)
    this.#reportZone(tzid)
    return this.fallback
  }

  /**
   * Reports a zone that differs from its definition in the file. Rules that have changed since then don't
   * matter.
   */
  #reportOtherDefinition(tzid: string, zone: string, component: ICAL.Component): void {
    const givenOffsets = component.getAllSubcomponents().map(part => part.getFirstPropertyValue('tzoffsetto'))
    const offsets = givenOffsets.flatMap(offset =>
      offset instanceof ICAL.UtcOffset ? offset.toSeconds() * 1000 : [],
    )
    const zoneOffset = offsetOf(zone)
    const isKnown = PROBED_MOMENTS.some(moment => offsets.includes(zoneOffset(moment)))
    if (isKnown || offsets.length === 0) return
    const text = `${tzid} (${givenOffsets.map(String).join(', ')})`
    reportGuess(this.#context, {
      code: 'guess_value',
      field: 'TZID',
      text,
      as: zone,
      line: this.#file.lineWith(tzid),
    })
  }

  #reportZone(text: string, field?: string): void {
    const code = field === undefined ? 'guess_zone' : 'guess_value'
    reportGuess(this.#context, { code, field, text, as: this.#zone, line: this.#file.lineWith(text) })
  }
}

/** A time in an iCalendar file, with its clock. */
export type IcsTime = ZonedTime & { isDate: boolean; clock: ZoneClock }

/** The times in a property, one after the other. @throws Unreadable if they are not times */
export function* icsTimesIn(property: ICAL.Property, clocks: Clocks): Generator<IcsTime> {
  try {
    for (const { wall, isDate, isUtc } of writtenTimes(property)) {
      const clock = isUtc ? UTC : clocks.clockOf(property, wall)
      yield { wall, utc: clock.toUtc(wall), isDate, clock }
    }
  } catch (error) {
    const reason = messageOf(error)
    throw new Unreadable(`${property.name.toUpperCase()}: ${reason}`, codeOf(error, 'record_no_such_date'))
  }
}

/** The first time of a property, if there is one. @throws Unreadable */
export function icsTimeIn(component: ICAL.Component, name: string, clocks: Clocks): IcsTime | undefined {
  const property = component.getFirstProperty(name)
  return property && icsTimesIn(property, clocks).next().value
}
