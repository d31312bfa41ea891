import { Temporal } from 'temporal-polyfill'
import { type DateDraft, readDraft } from './date-words.ts'
import { memoize } from './memo.ts'
import {
  addDays,
  atInstant,
  atWall,
  formatInstant,
  isDateTime,
  isDay,
  isRepresentable,
  type ZonedTime,
} from './time.ts'
import { temporalZone } from './zones.ts'

const MAX_DATE_LENGTH = 100
const LAST_DAY = '9999-12-31'

/** The day of the draft, before shifts such as `+1 week`. */
const startingDay = (draft: DateDraft, today: Temporal.PlainDate): Temporal.PlainDate | undefined => {
  const { day, weekday, week } = draft
  let date = today
  if (day && 'month' in day) {
    date = Temporal.PlainDate.from({ ...day, year: day.year ?? today.year }, { overflow: 'reject' })
  } else if (day) date = today.add({ days: day.fromToday })

  if (!weekday) return date.add({ weeks: week ?? 0 })
  const { number, searchStart } = weekday
  if (week !== undefined) return date.add({ days: week * 7 + number - date.dayOfWeek })
  // If 12 June is not a Saturday, “Sat, 12 June” has a mistake.
  if (day) return date.dayOfWeek === number ? date : undefined
  if (searchStart < 0) return date.subtract({ days: ((date.dayOfWeek - number + 6) % 7) + 1 })
  return date.add({ days: ((number - date.dayOfWeek - searchStart + 7) % 7) + searchStart })
}

const resolveDraft = (draft: DateDraft, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime | undefined => {
  const date = startingDay(draft, now.toPlainDate())
  if (!date) return undefined
  const namedDay = draft.weekday ?? draft.day
  const keepsTime = !draft.time && (!namedDay || ('keepsTime' in namedDay && namedDay.keepsTime))
  const start = keepsTime
    ? now.with({ year: date.year, month: date.month, day: date.day })
    : date.toZonedDateTime({ timeZone: now.timeZoneId, plainTime: draft.time ?? new Temporal.PlainTime() })

  const shifted = (draft.shifts ?? []).reduce((moment, shift) => moment.add(shift), start)
  return draft.edge ? shifted.with({ day: draft.edge }) : shifted
}

/** The wall time of a draft in a zone, in milliseconds as if it were UTC, and its instant. */
type ReadDate = { wallMs: number; epochMs: number }

const resolveIn = (draft: DateDraft, zone: string, nowMs: number): ReadDate | undefined => {
  const now = Temporal.Instant.fromEpochMilliseconds(Math.floor(nowMs / 1000) * 1000)
  try {
    const moment = resolveDraft(draft, now.toZonedDateTimeISO(zone))
    if (!moment) return undefined
    const epochMs = moment.epochMilliseconds
    const wallMs = epochMs + moment.offsetNanoseconds / 1e6
    return isRepresentable(wallMs) ? { wallMs, epochMs } : undefined
  } catch (error) {
    // Temporal throws this error for a day or time that does not exist.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const draftOf = (text: string): DateDraft | undefined => {
  try {
    return readDraft(text)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** True if the wall time depends neither on the present nor on clock changes. */
const isAbsolute = ({ day, weekday, week, edge, shifts }: DateDraft): boolean =>
  day !== undefined &&
  'year' in day &&
  day.year !== undefined &&
  weekday === undefined &&
  week === undefined &&
  edge === undefined &&
  shifts === undefined

/**
 * Days and times in the format of programs and our own pages. The general rules would take 26 µs instead of 2
 * for each, and a page of a list has four (budget “page: list” of the benchmark). Years near the limits go
 * through the general rules.
 */
const PLAIN_DATE = /^[1-8]\d{3}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?$/

const instantIn = (epochMs: number, zone: string): ZonedTime | undefined =>
  isRepresentable(epochMs) ? atInstant(epochMs, zone) : undefined

/**
 * Reads a date as people and programs write it.
 *
 * - `2027-06-10`, `2027-06-10 18:00[:00]`, ISO 8601 with `T`, also without separators, with `Z` or an offset
 * - Unix seconds: a number, nine or more digits, or `@` and digits
 * - `06/10/2027 3:00 pm` (the American order), `10.06.2027` and `10-06-2027` (day first),
 *   `June 10, 2027 4pm`, `Sat, 12 Jun 2027 10:00:00 +0200`; the year may be missing after the name of a month
 * - `now`, `today`, `tomorrow 9am`, `+1 week`, `2 days ago`, `next monday`, `monday next week`,
 *   `last day of next month`
 *
 * Days and times may stand in either order, in upper or lower case. As in PHP's strtotime, a day without a
 * time means 00:00:00, while `+1 week`, `next month` and `first day of next month` keep the present time of
 * day. Unlike in PHP, nothing rolls over: `+1 month` ends on a short month's last day, and 30 February is no
 * date.
 *
 * @param zone as `canonicalZone` returns it: the zone of a date without an offset, and of `wall` in the
 *   result. A local time that a clock change skips moves forward by the gap; a local time that occurs twice
 *   is the earlier instant.
 * @param nowMs the present, epoch milliseconds
 * @returns the instant in that zone and in UTC. Undefined if the text is not wholly understood, is longer
 *   than 100 characters, names a day or time that does not exist, or lies outside the years 0001 to 9999.
 *   These limits apply in UTC or in the text's own offset, so that a text is a date in every zone or in none.
 *   A date that only the zone's offset moves out of these years is clamped to their first or last second; an
 *   instant with an offset of its own is not. A date that does not exist in the zone (29 February, if it is
 *   not yet New Year there) is read as in UTC.
 * @throws RangeError if there is no such zone
 */
export const parseDate = (input: string | number, zone: string, nowMs: number): ZonedTime | undefined => {
  if (typeof input === 'number') return instantIn(input * 1000, zone)
  if (input.length > MAX_DATE_LENGTH) return undefined
  const text = input.trim().toLowerCase()
  // Eight digits are a day. Unix seconds have had nine digits since 1973.
  const unix = /^@(-?\d+)$|^(-?\d{9,})$/.exec(text)
  if (unix) return instantIn(Number(unix[1] ?? unix[2]) * 1000, zone)

  // The midnight at the end of a day (ISO 8601).
  const [, day = ''] = /^(\d{4}-\d\d-\d\d)[ t]24:00(?::00)?$/.exec(text) ?? []
  if (isDay(day)) return day === LAST_DAY ? undefined : atWall(addDays(day, 1), zone)
  const wall = PLAIN_DATE.test(text) ? `${text} 00:00:00`.slice(0, 19) : ''
  if (isDateTime(wall)) return atWall(wall, zone)

  // Throws if there is no such zone, even for texts that are not dates.
  const zoneId = new Temporal.ZonedDateTime(0n, temporalZone(zone)).timeZoneId
  const draft = draftOf(text)
  if (!draft) return undefined
  if (draft.offset !== undefined) {
    const reading = resolveIn(draft, draft.offset, nowMs)
    return reading && instantIn(reading.epochMs, zone)
  }
  const inUtc = resolveIn(draft, 'UTC', nowMs)
  if (!inUtc) return undefined
  const reading = isAbsolute(draft) ? undefined : resolveIn(draft, zoneId, nowMs)
  return reading
    ? { wall: formatInstant(reading.wallMs), utc: formatInstant(reading.epochMs) }
    : atWall(formatInstant(inUtc.wallMs), zone)
}

const MAX_DAYS_OF_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * A day in a text that does not exist, in words: `30 February`, `29 February 2027`. Undefined for any other
 * text.
 */
export function nonexistentDay(text: string): string | undefined {
  const day = text.length > MAX_DATE_LENGTH ? undefined : draftOf(text.trim().toLowerCase())?.day
  if (!day || !('month' in day) || day.month < 1 || day.month > 12 || day.day < 1) return undefined
  const name = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(
    Date.UTC(2000, day.month - 1),
  )
  if (day.day > (MAX_DAYS_OF_MONTHS[day.month - 1] ?? 31)) return `${day.day} ${name}`
  const { year } = day
  if (year === undefined || day.day <= new Temporal.PlainYearMonth(year, day.month).daysInMonth)
    return undefined
  return `${day.day} ${name} ${year}`
}

/** Two moments that differ in year, month, day, weekday, hour, minute and second. */
const TEST_MOMENTS = [Date.UTC(2020, 1, 29, 3, 4, 5), Date.UTC(2033, 6, 14, 15, 16, 17)] as const

/**
 * True if the date in a text may depend on the present, like `tomorrow 9am`, and unlike `2027-06-10` or
 * `June 10, 2027`.
 */
export function isRelativeDate(text: string): boolean {
  if (text.length > MAX_DATE_LENGTH) return true
  return isRelative(text)
}

/** Memoized, because lists call this several times for each of their dates, most often for `now`. */
const isRelative = memoize(
  (text: string): boolean => {
    const [first, second] = TEST_MOMENTS.map(nowMs => parseDate(text, 'UTC', nowMs)?.utc)
    return first === undefined || first !== second
  },
  { most: 200 },
)
