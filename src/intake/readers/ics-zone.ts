import ICAL from 'ical.js'
import { findIana } from 'windows-iana'
import { translating } from '../../lib/errors.ts'
import type { Budget } from '../../lib/recurrence/budget.ts'
import { lowerBound, ruleDates, TooManyDates } from '../../lib/recurrence/dates.ts'
import { type DateTime, formatInstant, toEpoch } from '../../lib/time.ts'
import { canonicalZone } from '../../lib/zones.ts'
import { Unreadable } from '../records.ts'
import { STEPS, type Work } from './ics-work.ts'
import { countValues, ruleText, writtenTimes } from './ics-written.ts'
import { sourceRule } from './rules.ts'

/**
 * Zone names of Ruby on Rails that are not the city of a zone in the IANA database (Active Support's
 * `ActiveSupport::TimeZone::MAPPING`).
 */
const RAILS: Readonly<Record<string, string>> = {
  'International Date Line West': 'Etc/GMT+12',
  'Midway Island': 'Pacific/Midway',
  'American Samoa': 'Pacific/Pago_Pago',
  Hawaii: 'Pacific/Honolulu',
  Alaska: 'America/Juneau',
  'Pacific Time (US & Canada)': 'America/Los_Angeles',
  'Mountain Time (US & Canada)': 'America/Denver',
  Arizona: 'America/Phoenix',
  'Central Time (US & Canada)': 'America/Chicago',
  Saskatchewan: 'America/Regina',
  Guadalajara: 'America/Mexico_City',
  'Central America': 'America/Guatemala',
  'Eastern Time (US & Canada)': 'America/New_York',
  'Indiana (East)': 'America/Indiana/Indianapolis',
  Quito: 'America/Lima',
  'Atlantic Time (Canada)': 'America/Halifax',
  Newfoundland: 'America/St_Johns',
  Brasilia: 'America/Sao_Paulo',
  Georgetown: 'America/Guyana',
  Greenland: 'America/Godthab',
  'Mid-Atlantic': 'Atlantic/South_Georgia',
  'Cape Verde Is.': 'Atlantic/Cape_Verde',
  Edinburgh: 'Europe/London',
  Bern: 'Europe/Zurich',
  'West Central Africa': 'Africa/Algiers',
  Kyiv: 'Europe/Kiev',
  Pretoria: 'Africa/Johannesburg',
  'St. Petersburg': 'Europe/Moscow',
  'Abu Dhabi': 'Asia/Muscat',
  Ekaterinburg: 'Asia/Yekaterinburg',
  Islamabad: 'Asia/Karachi',
  Chennai: 'Asia/Kolkata',
  Kolkata: 'Asia/Kolkata',
  Mumbai: 'Asia/Kolkata',
  'New Delhi': 'Asia/Kolkata',
  Kathmandu: 'Asia/Katmandu',
  'Sri Jayawardenepura': 'Asia/Colombo',
  Astana: 'Asia/Almaty',
  Hanoi: 'Asia/Bangkok',
  Beijing: 'Asia/Shanghai',
  Chongqing: 'Asia/Shanghai',
  Osaka: 'Asia/Tokyo',
  Sapporo: 'Asia/Tokyo',
  Canberra: 'Australia/Canberra',
  'Solomon Is.': 'Pacific/Guadalcanal',
  'New Caledonia': 'Pacific/Noumea',
  'Marshall Is.': 'Pacific/Majuro',
  Wellington: 'Pacific/Auckland',
  "Nuku'alofa": 'Pacific/Tongatapu',
  'Tokelau Is.': 'Pacific/Fakaofo',
  'Chatham Is.': 'Pacific/Chatham',
  Samoa: 'Pacific/Apia',
}

let cities: Map<string, string> | undefined

/** The zone of a city that the IANA database names: `Berlin`, `Buenos Aires`. */
function zoneOfCity(name: string): string | undefined {
  cities ??= new Map(
    Intl.supportedValuesOf('timeZone').map(zone => [
      (zone.split('/').at(-1) ?? '').replaceAll('_', ' '),
      zone,
    ]),
  )
  return cities.get(name)
}

/**
 * The zone that a name in an iCalendar file means, as {@link canonicalZone} gives it; undefined if it is unknown.
 * Understood are names of IANA, also at the end of a path that makes them unique
 * (`/freeassociation.sourceforge.net/Europe/Berlin`), of Windows (`W. Europe Standard Time`), of Ruby on Rails
 * (`Eastern Time (US & Canada)`), and these behind an offset (`(GMT-05:00) Eastern Time (US & Canada)`).
 */
export function zoneNamed(given: string): string | undefined {
  const name = given.trim().replace(/^"(.*)"$/, '$1')
  if (name === '') return undefined
  const plain = canonicalZone(name)
  if (plain) return plain
  const parts = name.split('/').filter(Boolean)
  for (const length of [3, 2]) {
    const zone = parts.length > length ? canonicalZone(parts.slice(-length).join('/')) : undefined
    if (zone) return zone
  }
  const words = name.replace(/^\((?:UTC|GMT)[^)]*\)\s*/i, '')
  const [windows] = findIana(words)
  const known = windows ?? RAILS[words] ?? zoneOfCity(words)
  return known === undefined ? undefined : canonicalZone(known)
}

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
