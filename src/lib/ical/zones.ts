import { Temporal } from 'temporal-polyfill'
import { DAY_MS, type DateTime, formatInstant, toEpoch } from '../time.ts'
import { formatOffset, temporalZone, zoneAbbreviation } from '../zones.ts'
import { property } from './lines.ts'
import { TIMEZONE_PROPERTY } from './properties.ts'
import { dateValue, localValue, utcValue } from './times.ts'

/** A zone of whole hours under the name that programs know: `UTC+3` is `Etc/GMT-3`, with the sign of POSIX. */
function idOf(zone: string): string {
  const hours = /^UTC([+-]\d+)$/.exec(zone)?.[1]
  return hours === undefined ? zone : `Etc/GMT${Number(hours) > 0 ? '-' : '+'}${Math.abs(Number(hours))}`
}

/** The sub-component for one offset of a zone, from a moment on. Its start is local to the offset before it. */
function observance(moment: Temporal.ZonedDateTime, before: number, zone: string): string {
  const name = moment.offsetNanoseconds > before ? 'DAYLIGHT' : 'STANDARD'
  const offset = (nanoseconds: number): string => formatOffset(Math.round(nanoseconds / 60e9), '')
  return (
    property('BEGIN', name) +
    property('DTSTART', localValue(formatInstant(moment.epochMilliseconds + before / 1e6))) +
    property('TZOFFSETFROM', offset(before)) +
    property('TZOFFSETTO', offset(moment.offsetNanoseconds)) +
    property('TZNAME', zoneAbbreviation(formatInstant(moment.epochMilliseconds), zone)) +
    property('END', name)
  )
}

/** A VTIMEZONE with the clock changes of a zone between two moments, in milliseconds since 1970. */
function timezone(zone: string, from: number, to: number): string {
  let moment = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(temporalZone(zone))
  let parts = observance(moment, moment.offsetNanoseconds, zone)
  for (;;) {
    const next: Temporal.ZonedDateTime | null = moment.getTimeZoneTransition('next')
    if (!next || next.epochMilliseconds > to) break
    parts += observance(next, moment.offsetNanoseconds, zone)
    moment = next
  }
  const id = idOf(zone)
  return (
    property('BEGIN', 'VTIMEZONE') +
    property('TZID', id) +
    (id === zone ? '' : property(TIMEZONE_PROPERTY, zone)) +
    parts +
    property('END', 'VTIMEZONE')
  )
}

/** The zones that a calendar uses, with the period for which it needs the rules of each. */
export class Zones {
  readonly #periods = new Map<string, { from: DateTime; to: DateTime }>()

  /** The TZID of a zone. */
  idOf(zone: string): string {
    return idOf(zone)
  }

  /** Adds times of a zone, UTC. */
  add(zone: string, ...times: readonly DateTime[]): void {
    if (zone === 'UTC') return
    for (const time of times) {
      const period = this.#periods.get(zone)
      if (!period) this.#periods.set(zone, { from: time, to: time })
      else if (time < period.from) period.from = time
      else if (time > period.to) period.to = time
    }
  }

  /** The VTIMEZONE of each zone. A day more at both ends, so that no clock change at an end is missing. */
  toString(): string {
    let text = ''
    for (const [zone, { from, to }] of this.#periods)
      text += timezone(zone, toEpoch(from) - DAY_MS, toEpoch(to) + DAY_MS)
    return text
  }
}

/** A form of times: whole days, UTC, or a zone of the calendar. Its parameters belong to each property that has a time of it. */
export type TimeForm = {
  parameters: Readonly<Record<string, string>>
  /** @param time by the clock of the form */
  value: (time: DateTime) => string
}

/** The form of the times of an event. In UTC, wall times are those of UTC. */
export function timeForm(
  { all_day, timezone }: { all_day: boolean; timezone: string },
  zones: Zones,
): TimeForm {
  if (all_day) return { parameters: { VALUE: 'DATE' }, value: dateValue }
  if (timezone === 'UTC') return { parameters: {}, value: utcValue }
  return { parameters: { TZID: zones.idOf(timezone) }, value: localValue }
}
