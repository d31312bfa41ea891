import type { DocsContext } from '../../../context.ts'
import { memoize } from '../../../lib/memo.ts'
import { isRelativeDate, parseDate } from '../../../lib/parse-date.ts'
import {
  addDays,
  addMonths,
  type DateTime,
  endOfDay,
  formatInstant,
  isoUtc,
  startOfDay,
  toEpoch,
  toUtc,
  toWall,
  type ZonedTime,
} from '../../../lib/time.ts'
import { periodOf } from '../../../lib/when.ts'

const LAST = '9999-12-31 23:59:59'

/** A moment after all others: a leap second, which sorts after the last second, and is no date to SQLite. */
export const END_OF_TIME = '9999-12-31 23:59:60'

/** The next second. */
export const nextSecond = (at: DateTime): DateTime =>
  at >= LAST ? END_OF_TIME : formatInstant(toEpoch(at) + 1000)

const MONTHS_AHEAD = 24

/** Memoized, because adding months takes longer than rendering the statement of a list. */
const windowFrom = memoize((today: DateTime) => ({
  start_date: addDays(today, -1),
  end_date: endOfDay(addMonths(today, MONTHS_AHEAD)),
}))

/**
 * The window of lists without dates, as wall times of the site's zone: from the beginning of yesterday to the end of the
 * day 24 months from now. It stays the same all day.
 */
export const defaultWindow = ({ now, settings }: DocsContext) =>
  windowFrom(startOfDay(toWall(now, settings.timezone)))

type Bounds = { startBefore?: DateTime; endFrom: DateTime; atOnce: DateTime }

/** The end of an interval that has none, as in ISO 8601-2. */
const OPEN = '..'

/** A part of a date that says more than its day: a time of day, an offset, seconds since 1970. */
const NAMES_TIME = /[@:]|\d\s*(am|pm|z)\b|\dt\d|\d{9}|now|noon|midnight/i
const SOME_AFTERNOON = Date.UTC(2027, 0, 1, 12, 34, 56)

/** Tells whether a date names a whole day, as `2027-06-01` and `tomorrow` do, and `+1 week` does not. */
const namesDay = (text: string): boolean =>
  !NAMES_TIME.test(text) && parseDate(text, 'UTC', SOME_AFTERNOON)?.wall.endsWith(' 00:00:00') === true

type Moments = { from: DateTime; before?: DateTime }

/** The period that a value of `happening` names: its first moment, and the first one after it (UTC). */
const momentsOf = (value: string, zone: string, nowMs: number): Moments | undefined =>
  momentsIn(value, zone, nowMs) ?? spokenMoments(value, zone, nowMs)

/** The same for `this weekend`, `next month` and whatever else people and agents say. */
function spokenMoments(value: string, zone: string, nowMs: number): Moments | undefined {
  // A time of day names a moment, and no day.
  const period = value === '' || NAMES_TIME.test(value) ? undefined : periodOf(value, zone, nowMs)
  if (!period) return undefined
  if (period.to === undefined) return { from: formatInstant(nowMs) }
  const midnight = (day: string, days: number) => toUtc(addDays(`${day} 00:00:00`, days), zone)
  return { from: midnight(period.from, 0), before: midnight(period.to, 1) }
}

function momentsIn(value: string, zone: string, nowMs: number): Moments | undefined {
  const [first = '', last, ...more] = value.split('/').map(part => part.trim())
  const from = parseDate(first, zone, nowMs)
  if (from === undefined || more.length > 0) return undefined
  const nextDay = ({ wall }: ZonedTime): DateTime => toUtc(addDays(startOfDay(wall), 1), zone)
  if (last === undefined) {
    if (namesDay(first)) return { from: from.utc, before: nextDay(from) }
    return first.toLowerCase() === 'now' ? { from: from.utc } : undefined
  }
  if (last === OPEN) return { from: from.utc }
  const until = parseDate(last, zone, nowMs)
  if (until === undefined) return undefined
  // The day that ends an interval belongs to it, as people mean it.
  const before = namesDay(last) ? nextDay(until) : until.utc
  return before > from.utc ? { from: from.utc, before } : undefined
}

/** The reason for which a value is refused. */
export const NO_PERIOD =
  'must be now, a date, a period such as this weekend, or an interval of dates or instants such as 2027-06-01/2027-06-30'

/**
 * Tells if a text is a value of `happening`: `now`, a day, `start/end` or a period as people say it. Which of the last kind are
 * periods may depend on the day, and so on the zone: `today to Sunday` always is, `Friday to Sunday` not on a Saturday.
 */
export const isHappening = (value: string, context?: DocsContext): boolean =>
  momentsOf(value, context?.settings.timezone ?? 'UTC', context ? toEpoch(context.now) : Date.now()) !==
  undefined

/** Tells if the meaning of a value of `happening` changes with the time. */
export const dependsOnPresent = (value: unknown): boolean =>
  String(value)
    .split('/', 3)
    .some(part => part.trim() !== OPEN && isRelativeDate(part))

/** The interval of the events that are on at any moment of a value of `happening`; for `now`, now or later. */
export function happeningInterval(value: string, { now, settings }: DocsContext): Bounds {
  const { from, before } = momentsOf(value, settings.timezone, toEpoch(now)) ?? { from: now }
  // An event that ends at this moment is not on any more.
  return { ...(before !== undefined && { startBefore: before }), endFrom: nextSecond(from), atOnce: from }
}

/** A value of `happening` in a form that means the same tomorrow. */
export function resolvedHappening(value: string, { now, settings }: DocsContext): string {
  const moments = dependsOnPresent(value) ? momentsOf(value, settings.timezone, toEpoch(now)) : undefined
  if (!moments) return value
  return `${isoUtc(moments.from)}/${moments.before === undefined ? OPEN : isoUtc(moments.before)}`
}
