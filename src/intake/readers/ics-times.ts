import type ICAL from 'ical.js'
import { messageOf } from '../../lib/errors.ts'
import { TIMEZONE_PROPERTY } from '../../lib/ical/lines.ts'
import { type DateTime, formatInstant, toEpoch, toUtc, toWall, type ZonedTime } from '../../lib/time.ts'
import { zoneAhead } from '../../lib/zones.ts'
import { Unreadable } from '../records.ts'
import { propertyName, propertyText } from './ics-file.ts'
import type { Work } from './ics-work.ts'
import { writtenTimes } from './ics-written.ts'
import { type Offsets, offsetsOf, zoneNamed } from './ics-zone.ts'

/** Conversions between local time and UTC. */
export type Clock = {
  toUtc: (wall: DateTime) => DateTime
  toWall: (utc: DateTime) => DateTime
  /** The zone as we store it. */
  zoneAt: (utc: DateTime) => string
  /** The zone by which a series can repeat; undefined if we have none whose clocks always show the same. */
  zone: string | undefined
}

const zoneClock = (zone: string): Clock => ({
  toUtc: wall => toUtc(wall, zone),
  toWall: utc => toWall(utc, zone),
  zoneAt: () => zone,
  zone,
})

export const UTC = zoneClock('UTC')

/**
 * The clock of a zone that is defined in the file's VTIMEZONE only. It is stored by its offset at an instant. Conversions throw
 * Unreadable if the definition cannot be read, so that this concerns the events of the zone alone.
 */
function definedClock(component: ICAL.Component, work: Work): Clock {
  let read: (() => Offsets) | undefined
  const offsets = (): Offsets => {
    read ??= attempt(() => offsetsOf(component, work))
    return read()
  }
  const zoneOf = (utc: DateTime) => zoneAhead(offsets().atUtc(utc) / 3_600_000)
  const all = new Set(component.getAllSubcomponents().map(part => propertyText(part, 'tzoffsetto')))
  return {
    toUtc: wall => formatInstant(toEpoch(wall) - offsets().atWall(wall)),
    toWall: utc => formatInstant(toEpoch(utc) + offsets().atUtc(utc)),
    zoneAt: utc => zoneOf(utc) ?? 'UTC',
    get zone() {
      return all.size === 1 ? zoneOf('1970-01-01 00:00:00') : undefined
    },
  }
}

/** Does something once, and returns a function that returns or throws what came of it. */
function attempt<T>(work: () => T): () => T {
  try {
    const result = work()
    return () => result
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** The zone that one of our calendars tells of a VTIMEZONE; '' if it tells none. */
const ownZoneOf = (component: ICAL.Component): string =>
  propertyText(component, propertyName(TIMEZONE_PROPERTY))

/** The clocks of a calendar, by TZID. */
export class Clocks {
  /** The clock of the calendar's own zone, else of the site: that of times without a zone, in UTC, and of whole days. */
  readonly fallback: Clock
  /** The zones that the file defines, by TZID. */
  readonly #defined = new Map<string, ICAL.Component>()
  readonly #known = new Map<string, Clock | undefined>()

  readonly #work: Work

  /** @param timezone the site's zone */
  constructor(calendar: ICAL.Component, timezone: string, work: Work) {
    this.#work = work
    for (const zone of calendar.getAllSubcomponents('vtimezone').toReversed())
      this.#defined.set(propertyText(zone, 'tzid'), zone)
    this.fallback = this.named(propertyText(calendar, 'x-wr-timezone')) ?? zoneClock(timezone)
  }

  /** The clock of a TZID; undefined if the zone is unknown. */
  named(tzid: string): Clock | undefined {
    if (tzid === '') return undefined
    if (!this.#known.has(tzid)) this.#known.set(tzid, this.#find(tzid))
    return this.#known.get(tzid)
  }

  #find(tzid: string): Clock | undefined {
    this.#work.takeZone()
    const component = this.#defined.get(tzid)
    const zone =
      (component && zoneNamed(ownZoneOf(component))) ??
      zoneNamed(tzid) ??
      (component && zoneNamed(propertyText(component, 'x-lic-location')))
    if (zone) return zoneClock(zone)
    return component && definedClock(component, this.#work)
  }

  /** The clock that a property's times go by. */
  of(property: ICAL.Property): Clock {
    return this.named(String(property.getParameter('tzid') ?? '')) ?? this.fallback
  }
}

/** A time of an iCalendar file, with the clock that it is given by. */
export type IcsTime = ZonedTime & { isDate: boolean; clock: Clock }

/** The times that a property holds, one after the other. @throws Unreadable if they are none */
export function* icsTimesIn(property: ICAL.Property, clocks: Clocks): Generator<IcsTime> {
  try {
    for (const { wall, isDate, isUtc } of writtenTimes(property)) {
      const clock = isUtc ? UTC : clocks.of(property)
      yield { wall, utc: clock.toUtc(wall), isDate, clock }
    }
  } catch (error) {
    const reason = messageOf(error)
    throw new Unreadable(`${property.name.toUpperCase()}: ${reason}`)
  }
}

/** The first time of a property, if there is one. @throws Unreadable */
export function icsTimeIn(component: ICAL.Component, name: string, clocks: Clocks): IcsTime | undefined {
  const property = component.getFirstProperty(name)
  return property && icsTimesIn(property, clocks).next().value
}
