import { WEEKDAYS } from '../recurrence/rule.ts'
import { DAY_MS, type DateTime, formatInstant, MINUTE_MS, toEpoch } from '../time.ts'
import { formatOffset, type OffsetAt, offsetOf, zoneAbbreviation } from '../zones.ts'
import { dateValue, localValue, property, TIMEZONE_PROPERTY, utcValue } from './lines.ts'

// Clock changes of a zone, found by its offsets. Moments and offsets are in milliseconds, UTC; local times
// are written as if they were UTC.

type ClockChange = {
  instant: number
  before: number
  after: number
  /** A moment from which its name is taken; by default that of the change. */
  namedAt?: number
}

/**
 * The time between two samples of a zone's offset. The shortest period between two changes is a month:
 * Ramadan.
 */
const STEP = 27 * DAY_MS
/** The number of samples that cover a year, and so any yearly change. */
const STEPS_OF_YEAR = 15
/** The number of samples that cover daylight time, which lasts at most 34 weeks. */
const STEPS_OF_DAYLIGHT = 9
/**
 * A time longer than daylight time and shorter than a year: this long before a moment, most clocks showed the
 * other time.
 */
const OTHER_SEASON = 190 * DAY_MS

/**
 * A change between two moments with different offsets, to the offset at `to`. If there are several changes,
 * it is usually the last.
 */
function changeBetween(offsetAt: OffsetAt, from: number, to: number): ClockChange {
  const after = offsetAt(to)
  const season = to - OTHER_SEASON
  let low = season > from && offsetAt(season) !== after ? season : from
  let high = to
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000
    if (offsetAt(middle) === after) high = middle
    else low = middle
  }
  return { instant: high, before: offsetAt(low), after }
}

/** The last change at or before a moment, if there was one in the year before it. */
function changeBefore(offsetAt: OffsetAt, moment: number): ClockChange | undefined {
  const after = offsetAt(moment)
  for (let n = 1; n <= STEPS_OF_YEAR; n++) {
    const earlier = moment - n * STEP
    if (offsetAt(earlier) !== after) return changeBetween(offsetAt, earlier, earlier + STEP)
  }
  return undefined
}

/**
 * True if a change begins daylight time: clocks go forward, and they go back within a year, or were as far
 * ahead in the year before.
 */
function beginsDaylight(offsetAt: OffsetAt, { instant, before, after }: ClockChange): boolean {
  if (after <= before) return false
  for (let n = 1; n <= STEPS_OF_DAYLIGHT; n++)
    if (offsetAt(instant + n * STEP) < after || offsetAt(instant - n * STEP) >= after) return true
  return false
}

/** A change that comes every year: on the first day with a certain weekday on or after a day of a month. */
type YearlyChange = ClockChange & {
  /** From 0. */
  month: number
  /** From 0 for Sunday. */
  weekday: number
  /** The day of the month, from 1, or negative from its end: -7 is the first of the last seven days. */
  from: number
  /** The local time of day. */
  time: number
}

/**
 * The number of years after which the calendar repeats, weekdays included, unless a leap day is left out in
 * between.
 */
const CYCLE_YEARS = 28

const localOf = ({ instant, before }: ClockChange): Date => new Date(instant + before)

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

function momentIn({ month, weekday, from, time, before }: YearlyChange, year: number): number {
  const day = from > 0 ? from : daysIn(year, month) + 1 + from
  const first = new Date(0)
  // Date.UTC() would move years below 100 to the twentieth century.
  first.setUTCFullYear(year, month, day)
  return first.getTime() + (((weekday - first.getUTCDay() + 7) % 7) * DAY_MS + time) - before
}

/** The yearly change that a change begins; undefined if the following years have no such change. */
function yearlyOf(offsetAt: OffsetAt, change: ClockChange): YearlyChange | undefined {
  const local = localOf(change)
  const year = local.getUTCFullYear()
  const month = local.getUTCMonth()
  const day = local.getUTCDate()
  const pattern = { ...change, month, weekday: local.getUTCDay(), time: local.getTime() % DAY_MS }
  const length = daysIn(year, month)
  const nthFrom = day - ((day - 1) % 7)
  const starts = [
    ...(day > length - 7 ? [-7] : []),
    ...(nthFrom + 6 <= length ? [nthFrom] : []),
    ...Array.from({ length: 7 }, (_, n) => day - n).filter(from => from > 0 && from + 6 <= length),
  ]
  return starts
    .map(from => ({ ...pattern, from }))
    .find(yearly =>
      Array.from({ length: CYCLE_YEARS + 1 }, (_, n) => momentIn(yearly, year + n)).every(
        instant => offsetAt(instant - 1000) === change.before && offsetAt(instant) === change.after,
      ),
    )
}

/** Makes a function that returns the offset at a moment according to two yearly changes. */
function offsetBy(changes: readonly YearlyChange[]): (moment: number) => number | undefined {
  const byYear = new Map<number, ClockChange[]>()
  const changesIn = (year: number): ClockChange[] => {
    const ofYear = byYear.get(year) ?? changes.map(change => ({ ...change, instant: momentIn(change, year) }))
    byYear.set(year, ofYear)
    return ofYear
  }
  return moment => {
    const year = new Date(moment).getUTCFullYear()
    let last: ClockChange | undefined
    for (const candidateYear of [year - 1, year, year + 1])
      for (const change of changesIn(candidateYear))
        if (change.instant <= moment && (!last || change.instant > last.instant)) last = change
    return last?.after
  }
}

/**
 * A zone under the name that programs know: an offset of whole hours such as `UTC+3` is `Etc/GMT-3`, with the
 * sign of POSIX.
 */
function zoneId(zone: string): string {
  const hours = /^UTC([+-]\d+)$/.exec(zone)?.[1]
  return hours === undefined ? zone : `Etc/GMT${Number(hours) > 0 ? '-' : '+'}${Math.abs(Number(hours))}`
}

/**
 * True for an offset such as `UTC+5.5`, for which there is no name: some programs read such a time as UTC.
 */
export const isUnnamedOffset = (zone: string): boolean => /^UTC[+-]/.test(zone) && zoneId(zone) === zone

/** The RRULE of a change that comes every year. */
function ruleOf({ month, weekday, from }: YearlyChange): string {
  const day = WEEKDAYS[(weekday + 6) % 7]
  const nth = from < 0 ? -1 : (from + 6) / 7
  const days = Number.isInteger(nth)
    ? `BYDAY=${nth}${day}`
    : `BYMONTHDAY=${Array.from({ length: 7 }, (_, n) => from + n).join(',')};BYDAY=${day}`
  return `FREQ=YEARLY;BYMONTH=${month + 1};${days}`
}

/** A value of type UTC-OFFSET. Offsets of the nineteenth century have seconds. */
function offsetValue(offset: number): string {
  const seconds = Math.abs(offset / 1000) % 60
  return formatOffset(offset / MINUTE_MS, '') + (seconds === 0 ? '' : String(seconds).padStart(2, '0'))
}

/** The start of an observance, in local time by the offset before it. */
const startValue = ({ instant, before }: ClockChange): string => localValue(formatInstant(instant + before))

type NamedZone = { zone: string; offsetAt: OffsetAt }

/** The sub-component for changes with the same offsets: a rule, or single dates. */
function observance(changes: readonly ClockChange[], rule: string, { zone, offsetAt }: NamedZone): string {
  const [first, ...otherChanges] = changes
  if (!first) return ''
  // One date a line, including the first, because some programs read no lists, or don't count the start as a
  // date.
  const dates = otherChanges.length === 0 ? [] : changes
  const name = beginsDaylight(offsetAt, first) ? 'DAYLIGHT' : 'STANDARD'
  return (
    property('BEGIN', name) +
    property('DTSTART', startValue(first)) +
    (rule && property('RRULE', rule)) +
    dates.map(change => property('RDATE', startValue(change))).join('') +
    property('TZOFFSETFROM', offsetValue(first.before)) +
    property('TZOFFSETTO', offsetValue(first.after)) +
    property('TZNAME', zoneAbbreviation(formatInstant(first.namedAt ?? first.instant), zone)) +
    property('END', name)
  )
}

/**
 * The observances that give the right offset at some moments: yearly rules if they have applied since before
 * the first moment, and otherwise the single changes that the moments need. They begin before the first
 * moment, because some programs fail if no observance has begun.
 *
 * @param moments in ascending order
 */
function observances(moments: readonly number[], namedZone: NamedZone): string {
  const { offsetAt } = namedZone
  const [first = 0] = moments
  const last = changeBefore(offsetAt, first)
  const before = last && changeBefore(offsetAt, last.instant - 1000)
  const earlierChanges = [before, last].filter(change => change !== undefined)
  const yearly = earlierChanges
    .map(change => yearlyOf(offsetAt, change))
    .filter(change => change !== undefined)
  const byRules = offsetBy(yearly)
  if (yearly.length === 2 && moments.every(moment => byRules(moment) === offsetAt(moment)))
    return yearly.map(change => observance([change], ruleOf(change), namedZone)).join('')
  const offset = offsetAt(first)
  // In 1970, the zone may have had another offset, and so another name.
  const constantChange = {
    instant: Math.min(0, first - DAY_MS),
    before: offset,
    after: offset,
    namedAt: first,
  }
  const changes = [
    ...(earlierChanges.length > 0 ? earlierChanges : [constantChange]),
    ...changesAmong(moments, offsetAt),
  ]
  const changesByOffsets = Map.groupBy(changes, ({ before, after }) => `${before} ${after}`)
  return [...changesByOffsets.values()].map(same => observance(same, '', namedZone)).join('')
}

/** The changes between moments: one wherever the offset differs from the offset at the previous moment. */
function changesAmong(moments: readonly number[], offsetAt: OffsetAt): ClockChange[] {
  const changes: ClockChange[] = []
  let [earlier = 0] = moments
  let offset = offsetAt(earlier)
  for (const moment of moments) {
    const nextOffset = offsetAt(moment)
    if (nextOffset !== offset) changes.push(changeBetween(offsetAt, earlier, moment))
    offset = nextOffset
    earlier = moment
  }
  return changes
}

function zoneComponent(zone: string, times: Iterable<DateTime>): string {
  const moments = [...times].sort().map(toEpoch)
  const id = zoneId(zone)
  return (
    property('BEGIN', 'VTIMEZONE') +
    property('TZID', id) +
    (id === zone ? '' : property(TIMEZONE_PROPERTY, zone)) +
    observances(moments, { zone, offsetAt: offsetOf(zone) }) +
    property('END', 'VTIMEZONE')
  )
}

/** The zones of a calendar, and its times in each zone. */
export class Zones {
  readonly #times = new Map<string, Set<DateTime>>()

  /** Adds times, UTC, of a zone. */
  add(zone: string, ...times: readonly DateTime[]): void {
    if (zone === 'UTC') return
    const knownTimes = this.#times.get(zone) ?? new Set()
    for (const time of times) knownTimes.add(time)
    this.#times.set(zone, knownTimes)
  }

  /** The VTIMEZONE of each zone. */
  toString(): string {
    let text = ''
    for (const [zone, times] of this.#times) text += zoneComponent(zone, times)
    return text
  }
}

/**
 * A form of times: dates, UTC, or a zone of the calendar. Every property with a time in this form has its
 * parameters.
 */
export type TimeForm = {
  parameters: Readonly<Record<string, string>>
  /** @param time by the form's own clock */
  value: (time: DateTime) => string
}

/** The form of an event's times. The wall times of an event in UTC are UTC. */
export function timeForm({ all_day, timezone }: { all_day: boolean; timezone: string }): TimeForm {
  if (all_day) return { parameters: { VALUE: 'DATE' }, value: dateValue }
  if (timezone === 'UTC') return { parameters: {}, value: utcValue }
  return { parameters: { TZID: zoneId(timezone) }, value: localValue }
}
