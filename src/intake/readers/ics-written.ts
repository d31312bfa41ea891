import type ICAL from 'ical.js'
import { translating } from '../../lib/errors.ts'
import { type DateTime, formatInstant, isDateTime, toEpoch } from '../../lib/time.ts'
import { Unreadable } from '../records.ts'

// Times as a file writes them. ical.js itself reads 30 February as 2 March, month 13 as January, and years of any length.

/** A time as it is written: by some clock, or in UTC. */
export type WrittenTime = { wall: DateTime; isDate: boolean; isUtc: boolean }

/** As ical.js has the digits of a time, before it makes a time of them. */
const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d):(\d\d)(Z?))?$/

/** @throws Unreadable for what no calendar has, and for years other than 0001 to 9999 */
function writtenTime(text: unknown): WrittenTime {
  const [, date = '', time = '00:00', second = '00', utc = ''] = WRITTEN.exec(String(text)) ?? []
  // A leap second is the one before it (RFC 5545 §3.3.12), and 24:00 the next midnight.
  const epochMs = toEpoch(`${date} ${time}:${second === '60' ? '59' : second}`)
  if (!isDateTime(`${date} 00:00:00`) || Number.isNaN(epochMs))
    throw new Unreadable(`${text} is no date or time`)
  return { wall: formatInstant(epochMs), isDate: String(text).length === date.length, isUtc: utc !== '' }
}

/** The values of a property as ical.js has them before it makes times and rules of them. */
const writtenValues = ({ jCal }: ICAL.Property): unknown[] => jCal.slice(3)

/** The number of values that some properties have. */
export const countValues = (properties: readonly ICAL.Property[]): number =>
  properties.reduce((sum, property) => sum + writtenValues(property).length, 0)

/** The times that a property holds; of periods, their starts. @throws Unreadable */
export const writtenTimes = (property: ICAL.Property): WrittenTime[] =>
  writtenValues(property).map(value => writtenTime([value].flat()[0]))

/** The text of a rule. @throws Unreadable if its end is no time */
export function ruleText(property: ICAL.Property): string {
  const { until } = Object(writtenValues(property)[0])
  const named = ({ message }: Unreadable) =>
    new Unreadable(`${property.name.toUpperCase()}: UNTIL ${message}`)
  if (until !== undefined) translating(Unreadable, named, () => writtenTime(until))
  return String(property.getFirstValue() ?? '')
}
