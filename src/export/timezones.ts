import { Temporal } from 'temporal-polyfill'
import { formatInstant, toEpoch, toWall } from '../lib/time.ts'
import { formatOffset } from '../lib/zones.ts'

/** True for zones that need no rules: UTC and manual offsets. Their times are written in UTC. */
export const isManual = (zone: string): boolean => /^utc/i.test(zone)

/**
 * A VTIMEZONE with the clock changes of a zone between two instants.
 *
 * @param from epoch milliseconds
 * @param to epoch milliseconds
 */
export function timezoneText(zone: string, from: number, to: number): string {
  if (isManual(zone)) return fixedText(zone)
  let moment = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone)
  const parts = [observance(moment, moment.offsetNanoseconds)]
  for (;;) {
    const next: Temporal.ZonedDateTime | null = moment.getTimeZoneTransition('next')
    if (!next || next.epochMilliseconds > to) break
    parts.push(observance(next, moment.offsetNanoseconds))
    moment = next
  }
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...parts, 'END:VTIMEZONE', ''].join('\r\n')
}

/** A VTIMEZONE of a zone whose clocks never change. */
function fixedText(zone: string): string {
  const offset = formatOffset(
    Math.round(toEpoch(toWall('2000-01-01 00:00:00', zone)) - toEpoch('2000-01-01 00:00:00')) / 60_000,
    '',
  )
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${zone}`,
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    `TZOFFSETFROM:${offset}`,
    `TZOFFSETTO:${offset}`,
    'END:STANDARD',
    'END:VTIMEZONE',
    '',
  ].join('\r\n')
}

/** The sub-component for one offset; DTSTART is local to the offset before it. */
function observance(moment: Temporal.ZonedDateTime, before: number): string {
  const name = moment.offsetNanoseconds > before ? 'DAYLIGHT' : 'STANDARD'
  const start = formatInstant(moment.epochMilliseconds + before / 1e6)
  const offset = (nanoseconds: number) => formatOffset(Math.round(nanoseconds / 60e9), '')
  return [
    `BEGIN:${name}`,
    `DTSTART:${start.replace(/[-:]/g, '').replace(' ', 'T')}`,
    `TZOFFSETFROM:${offset(before)}`,
    `TZOFFSETTO:${offset(moment.offsetNanoseconds)}`,
    `END:${name}`,
  ].join('\r\n')
}

/** Collects the zones that are used, with their periods, for their VTIMEZONEs. */
export class UsedZones {
  readonly #spans = new Map<string, { from: number; to: number }>()

  add(zone: string, startUtc: string, endUtc: string, { repeats = false } = {}): void {
    if (zone === 'UTC' || (isManual(zone) && !repeats)) return
    const { from = Number.POSITIVE_INFINITY, to = Number.NEGATIVE_INFINITY } = this.#spans.get(zone) ?? {}
    this.#spans.set(zone, { from: Math.min(from, toEpoch(startUtc)), to: Math.max(to, toEpoch(endUtc)) })
  }

  toString(): string {
    const day = 86_400_000
    return [...this.#spans].map(([zone, { from, to }]) => timezoneText(zone, from - day, to + day)).join('')
  }
}
