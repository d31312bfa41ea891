import { DAY_MS, type DateTime, formatInstant, toEpoch } from '../time.ts'
import { type OffsetAt, offsetOf } from '../zone-offset.ts'
import { formatOffset, zoneAbbreviation } from '../zones.ts'
import {
  beginsDaylight,
  type Change,
  changeBefore,
  changeBetween,
  offsetBy,
  type YearlyChange,
  yearlyOf,
} from './clock-changes.ts'
import { property } from './lines.ts'
import { TIMEZONE_PROPERTY } from './properties.ts'
import { dateValue, localValue, utcValue } from './times.ts'

/** A zone of whole hours under the name that programs know: `UTC+3` is `Etc/GMT-3`, with the sign of POSIX. */
function idOf(zone: string): string {
  const hours = /^UTC([+-]\d+)$/.exec(zone)?.[1]
  return hours === undefined ? zone : `Etc/GMT${Number(hours) > 0 ? '-' : '+'}${Math.abs(Number(hours))}`
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** The RRULE of a change that comes every year. */
function ruleOf({ month, weekday, from }: YearlyChange): string {
  const day = WEEKDAYS[weekday]
  const nth = from < 0 ? -1 : (from + 6) / 7
  const days = Number.isInteger(nth)
    ? `BYDAY=${nth}${day}`
    : `BYMONTHDAY=${Array.from({ length: 7 }, (_, n) => from + n).join(',')};BYDAY=${day}`
  return `FREQ=YEARLY;BYMONTH=${month + 1};${days}`
}

/** A UTC-OFFSET. Those of the nineteenth century have seconds. */
function offsetValue(offset: number): string {
  const seconds = Math.abs(offset / 1000) % 60
  return formatOffset(offset / 60_000, '') + (seconds === 0 ? '' : String(seconds).padStart(2, '0'))
}

/** The start of an observance is local to the offset before it. */
const startValue = ({ at, before }: Change): string => localValue(formatInstant(at + before))

type Named = { zone: string; offsetAt: OffsetAt }

/** The sub-component of a change, with those that are like it: a rule, or single dates. */
function observance(changes: readonly Change[], rule: string, { zone, offsetAt }: Named): string {
  const [first, ...others] = changes
  if (!first) return ''
  // One a line, and the first again: not every program reads lists, or takes the start for one of them.
  const dates = others.length === 0 ? [] : changes
  const name = beginsDaylight(offsetAt, first) ? 'DAYLIGHT' : 'STANDARD'
  return (
    property('BEGIN', name) +
    property('DTSTART', startValue(first)) +
    (rule && property('RRULE', rule)) +
    dates.map(change => property('RDATE', startValue(change))).join('') +
    property('TZOFFSETFROM', offsetValue(first.before)) +
    property('TZOFFSETTO', offsetValue(first.after)) +
    property('TZNAME', zoneAbbreviation(formatInstant(first.at), zone)) +
    property('END', name)
  )
}

/**
 * The observances that give the right offset at some moments: by yearly rules, if the zone has them from before the first moment
 * on, otherwise by those single changes that the moments need. They begin before the first moment, because there are programs
 * that fail where one has not begun.
 *
 * @param moments in ascending order
 */
function observances(moments: readonly number[], named: Named): string {
  const { offsetAt } = named
  const [first = 0] = moments
  const last = changeBefore(offsetAt, first)
  const before = last && changeBefore(offsetAt, last.at - 1000)
  const begun = [before, last].filter(change => change !== undefined)
  const yearly = begun.map(change => yearlyOf(offsetAt, change)).filter(change => change !== undefined)
  const byRules = offsetBy(yearly)
  if (yearly.length === 2 && moments.every(moment => byRules(moment) === offsetAt(moment)))
    return yearly.map(change => observance([change], ruleOf(change), named)).join('')
  const offset = offsetAt(first)
  const always = { at: Math.min(0, first - DAY_MS), before: offset, after: offset }
  const changes = [...(begun.length > 0 ? begun : [always]), ...changesAmong(moments, offsetAt)]
  const alike = Map.groupBy(changes, ({ before, after }) => `${before} ${after}`)
  return [...alike.values()].map(same => observance(same, '', named)).join('')
}

/** The changes between moments at which a zone has different offsets, one for each time that it has another. */
function changesAmong(moments: readonly number[], offsetAt: OffsetAt): Change[] {
  const changes: Change[] = []
  let [earlier = 0] = moments
  let offset = offsetAt(earlier)
  for (const moment of moments) {
    const now = offsetAt(moment)
    if (now !== offset) changes.push(changeBetween(offsetAt, earlier, moment))
    offset = now
    earlier = moment
  }
  return changes
}

function timezone(zone: string, times: Iterable<DateTime>): string {
  const moments = [...times].sort().map(toEpoch)
  const id = idOf(zone)
  return (
    property('BEGIN', 'VTIMEZONE') +
    property('TZID', id) +
    (id === zone ? '' : property(TIMEZONE_PROPERTY, zone)) +
    observances(moments, { zone, offsetAt: offsetOf(zone) }) +
    property('END', 'VTIMEZONE')
  )
}

/** The zones that a calendar uses, with the times that it has in each. */
export class Zones {
  readonly #times = new Map<string, Set<DateTime>>()

  /** The TZID of a zone. */
  idOf(zone: string): string {
    return idOf(zone)
  }

  /** Adds times of a zone, UTC. */
  add(zone: string, ...times: readonly DateTime[]): void {
    if (zone === 'UTC') return
    const known = this.#times.get(zone) ?? new Set()
    for (const time of times) known.add(time)
    this.#times.set(zone, known)
  }

  /** The VTIMEZONE of each zone. */
  toString(): string {
    let text = ''
    for (const [zone, times] of this.#times) text += timezone(zone, times)
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
