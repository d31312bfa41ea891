import { parseDate } from '../../lib/parse-date.ts'
import {
  addDays,
  type DateTime,
  endOfDay,
  formatInstant,
  startOfDay,
  toEpoch,
  toUtc,
  toWall,
  type ZonedTime,
} from '../../lib/time.ts'
import { canonicalZone, offsetMinutes } from '../../lib/zones.ts'
import { Unreadable } from '../records.ts'
import { type Reading, remark } from './fields.ts'

/** A date or a time as a page gives it: local, with the offset if it names one. */
type Moment = { wall: DateTime; isDate: boolean; offset: string | undefined }

const ISO =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T\s]\s*(\d{1,2}:\d\d(?::\d\d)?)(?:[.,]\d{1,9})?\s?(?:([ap]m)\s?)?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i

/** A date of ISO 8601, also with the small mistakes of hand-made pages. @throws Unreadable */
function momentOf(text: string, what: string, nowMs: number): Moment {
  const [, year, month, day, time, half = '', offset] = ISO.exec(text.trim()) ?? []
  const date = [year, month?.padStart(2, '0'), day?.padStart(2, '0')].join('-')
  const parsed =
    year && parseDate(time === undefined ? date : `${date} ${time.padStart(5, '0')}${half}`, 'UTC', nowMs)
  if (!parsed)
    throw new Unreadable(`its ${what} is no date of ISO 8601: ${JSON.stringify(text.slice(0, 50))}`)
  return { wall: parsed.wall, isDate: time === undefined, offset: offset?.toUpperCase() }
}

/** Those of `Z` are none. */
const minutesOf = (offset: string): number => offsetMinutes(offset) ?? 0

/** The instant of a moment, in UTC. @param timezone that of moments without an offset */
const instantOf = ({ wall, offset }: Moment, timezone: string): DateTime =>
  offset === undefined ? toUtc(wall, timezone) : formatInstant(toEpoch(wall) - minutesOf(offset) * 60_000)

const DURATION = /^P(?:(\d{1,3})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,6})S)?)?$/i

/** Seconds of a duration of ISO 8601; 0 if it is none. */
function secondsOf(text: string): number {
  const [, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = DURATION.exec(text.trim()) ?? []
  return (
    ((Number(weeks) * 7 + Number(days)) * 24 + Number(hours)) * 3_600 + Number(minutes) * 60 + Number(seconds)
  )
}

/** Times of an event as records have them. */
export type EventTimes = { all_day: boolean; start: ZonedTime; end: ZonedTime; timezone: string }

type Timing = Omit<Reading, 'source'>

const IS_BEFORE = 'its endDate lies before its startDate, left out'

/** Texts of an event's `startDate`, `endDate` and `duration`; '' for what is missing. */
type GivenTimes = { startDate: string; endDate: string; duration: string }

/**
 * Reads the times of an event. Times without an offset are in the site's zone, and so is shown what is in UTC or at the
 * offset of that zone; others are shown at the offset that they are given with.
 *
 * @throws Unreadable without a start that can be read
 */
export function nodeTimes(given: GivenTimes, reading: Timing): EventTimes {
  const { timezone, nowMs } = reading
  if (given.startDate === '') throw new Unreadable('it has no startDate')
  const start = momentOf(given.startDate, 'startDate', nowMs)
  const end = endOf(given, reading)
  if (start.isDate || isWhole(start, end)) return wholeDays(start, end, reading)

  const utc = instantOf(start, timezone)
  const zone = zoneOf(start, utc, timezone)
  const shown = (instant: DateTime): ZonedTime => ({ wall: toWall(instant, zone), utc: instant })
  const lasting = formatInstant(toEpoch(utc) + secondsOf(given.duration) * 1_000)
  // A day on which it ends says no time, unless that is a later one.
  const isSameDay = end?.isDate && end.wall.slice(0, 10) <= start.wall.slice(0, 10)
  const until = end?.isDate
    ? isSameDay
      ? lasting
      : instantOf({ ...end, wall: endOfDay(end.wall), offset: start.offset }, timezone)
    : end && instantOf({ ...end, offset: end.offset ?? start.offset }, timezone)
  if (until !== undefined && until < utc) remark(reading, IS_BEFORE)
  // As it was given, even where a clock change skips it.
  const first = start.offset === undefined ? { wall: start.wall, utc } : shown(utc)
  const last = until === undefined || until < utc ? lasting : until
  return { all_day: false, start: first, end: last === utc ? first : shown(last), timezone: zone }
}

function endOf({ endDate }: GivenTimes, reading: Timing): Moment | undefined {
  if (endDate === '') return undefined
  try {
    return momentOf(endDate, 'endDate', reading.nowMs)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const { what, note, noteDate = note } = reading
    remark({ what, note: noteDate }, `${error.message}, left out`)
    return undefined
  }
}

/** Many programs write whole days from midnight to the last minute. */
const isWhole = (start: Moment, end: Moment | undefined): boolean =>
  start.wall.endsWith(' 00:00:00') && end !== undefined && / 23:59:\d\d$/.test(end.wall)

function wholeDays(start: Moment, end: Moment | undefined, reading: Timing): EventTimes {
  const { timezone } = reading
  // What ends at midnight does not last that day.
  const last = end && !end.isDate && end.wall.endsWith(' 00:00:00') ? addDays(end.wall, -1) : end?.wall
  const isBefore = last !== undefined && last.slice(0, 10) < start.wall.slice(0, 10)
  if (isBefore && last !== addDays(start.wall, -1)) remark(reading, IS_BEFORE)
  const whole = (wall: DateTime): ZonedTime => ({ wall, utc: toUtc(wall, timezone) })
  return {
    all_day: true,
    start: whole(startOfDay(start.wall)),
    end: whole(endOfDay(last === undefined || isBefore ? start.wall : last)),
    timezone,
  }
}

/** The zone by which a time is shown. */
function zoneOf({ wall, offset }: Moment, utc: DateTime, timezone: string): string {
  if (offset === undefined || offset === 'Z' || toWall(utc, timezone) === wall) return timezone
  return minutesOf(offset) === 0 ? timezone : (canonicalZone(offset) ?? timezone)
}
