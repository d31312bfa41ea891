import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext, DocsContext } from '../../kit/context.ts'
import { allOf } from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import type { ValidationErrors } from '../../kit/lib/errors.ts'
import { memoize } from '../../kit/lib/memo.ts'
import { isRelativeDate, parseDate } from '../../kit/lib/parse-date.ts'
import { periodOf } from '../../kit/lib/periods.ts'
import {
  addDays,
  addMonths,
  type DateTime,
  type Day,
  endOfDay,
  formatInstant,
  isoUtc,
  startOfDay,
  toEpoch,
  toUtc,
  toWall,
  type ZonedTime,
} from '../../kit/lib/time.ts'
import { typedKeys } from '../../kit/lib/values.ts'

/**
 * Bounds of events' starts and ends, UTC: lower bounds (`From`) are inclusive, upper ones (`Before`)
 * exclusive.
 */
type Bounds = { startFrom: DateTime; startBefore: DateTime; endFrom: DateTime; endBefore: DateTime }

/**
 * The bounds of a list. An event is on from its start up to, but not including, its end; an event without a
 * length is on at its start.
 */
export type Interval = Bounds & {
  /**
   * Events that start at this moment or later belong to the interval however early they end: those without a
   * length at its beginning, and on pages those that begin and end in the small hours.
   */
  anyEndFrom?: DateTime
}

/** The first moment of all. */
export const START_OF_TIME = '0001-01-01 00:00:00'

const LAST_SECOND = '9999-12-31 23:59:59'

/** A moment after all others: a leap second, which sorts after the last second, and is no date to SQLite. */
export const END_OF_TIME = '9999-12-31 23:59:60'

export const UNBOUNDED: Interval = {
  startFrom: START_OF_TIME,
  startBefore: END_OF_TIME,
  endFrom: START_OF_TIME,
  endBefore: END_OF_TIME,
}

export const nextSecond = (at: DateTime): DateTime =>
  at >= LAST_SECOND ? END_OF_TIME : formatInstant(toEpoch(at) + 1000)

const MONTHS_AHEAD = 24

/** Memoized, because adding months takes longer than rendering the statement of a list. */
const windowFrom = memoize((today: DateTime) => ({
  start_date: addDays(today, -1),
  end_date: endOfDay(addMonths(today, MONTHS_AHEAD)),
}))

/**
 * The window of lists without dates, as wall times of the site's zone: from the beginning of yesterday to the
 * end of the day 24 months from now. It stays the same all day.
 */
export const defaultWindow = (context: DocsContext) =>
  windowFrom(startOfDay(toWall(context.clock.untrackedTime, context.settings.timezone)))

/** The beginning of today in the site's zone, UTC. */
export const beginningOfToday = (context: DocsContext): DateTime => {
  const { timezone } = context.settings
  return toUtc(startOfDay(toWall(context.clock.untrackedTime, timezone)), timezone)
}

/**
 * The present meaning of a text about time. It reads the time of day only for texts that depend on it, such
 * as `now` and `+1 week`: `tomorrow` and `next month` mean the same all day.
 *
 * @param read returns the meaning at a moment, in epoch milliseconds
 */
function meaningNow<T>(context: DocsContext, text: string, read: (ms: number) => T): T {
  const firstMs = toEpoch(beginningOfToday(context))
  const atFirst = read(firstMs)
  if (!dependsOnPresent(text)) return atFirst
  const lastMs = toEpoch(
    toUtc(
      endOfDay(toWall(context.clock.untrackedTime, context.settings.timezone)),
      context.settings.timezone,
    ),
  )
  return JSON.stringify(atFirst) === JSON.stringify(read(lastMs))
    ? atFirst
    : read(toEpoch(context.clock.now()))
}

/** The end of an open interval, as in ISO 8601-2. */
export const OPEN_END = '..'

/** A part of a date that says more than its day: a time of day, an offset, seconds since 1970. */
const NAMES_TIME = /[@:]|\d\s*(am|pm|z)\b|\dt\d|\d{9}|now|\bnoon|midnight/i
const SOME_AFTERNOON = Date.UTC(2027, 0, 1, 12, 34, 56)

/** True if a date names a whole day, as `2027-06-01` and `tomorrow` do, and `+1 week` does not. */
const namesDay = (text: string): boolean =>
  !NAMES_TIME.test(text) && parseDate(text, 'UTC', SOME_AFTERNOON)?.wall.endsWith(' 00:00:00') === true

type Moments = { from: DateTime; before?: DateTime }

/** The period that a value of `happening` names: its first moment, and the first moment after it (UTC). */
const momentsOf = (value: string, zone: string, nowMs: number): Moments | undefined =>
  writtenMoments(value, zone, nowMs) ?? spokenMoments(value, zone, nowMs)

/** The moments of periods in words, such as `this weekend` and `next month`. */
function spokenMoments(value: string, zone: string, nowMs: number): Moments | undefined {
  // A time of day names a moment, not a day.
  const period = value === '' || NAMES_TIME.test(value) ? undefined : periodOf(value, zone, nowMs)
  if (!period) return undefined
  if (period.to === undefined) return { from: formatInstant(nowMs) }
  const midnight = (day: Day, days: number) => toUtc(addDays(day, days), zone)
  return { from: midnight(period.from, 0), before: midnight(period.to, 1) }
}

function writtenMoments(value: string, zone: string, nowMs: number): Moments | undefined {
  const [first = '', last, ...otherParts] = value.split('/').map(part => part.trim())
  const from = parseDate(first, zone, nowMs)
  if (from === undefined || otherParts.length > 0) return undefined
  const nextDay = ({ wall }: ZonedTime): DateTime => toUtc(addDays(startOfDay(wall), 1), zone)
  if (last === undefined) {
    if (namesDay(first)) return { from: from.utc, before: nextDay(from) }
    return first.toLowerCase() === 'now' ? { from: from.utc } : undefined
  }
  if (last === OPEN_END) return { from: from.utc }
  const until = parseDate(last, zone, nowMs)
  if (until === undefined) return undefined
  // The day that ends an interval belongs to it, as people mean it.
  const before = namesDay(last) ? nextDay(until) : until.utc
  return before > from.utc ? { from: from.utc, before } : undefined
}

/** The reason for refusing a value. */
export const NO_PERIOD =
  'must be now, a date, a period such as this weekend, or an interval of dates or instants that does not end before it starts, such as 2027-06-01/2027-06-30'

/**
 * True if a text is a value of `happening`: `now`, a day, `start/end` or a period in words. Whether words are
 * a period may depend on the day, and so on the zone: `today to Sunday` always is, `Friday to Sunday` not on
 * a Saturday.
 */
export const isHappening = (value: string, context?: DocsContext): boolean =>
  (context ? momentsNow(value, context) : momentsOf(value, 'UTC', Date.now())) !== undefined

const momentsNow = (value: string, context: DocsContext): Moments | undefined =>
  meaningNow(context, value, ms => momentsOf(value, context.settings.timezone, ms))

/** True if the meaning of a date, or of a value of `happening`, changes with the time. */
export const dependsOnPresent = (value: string): boolean =>
  value.split('/', 3).some(part => part.trim() !== OPEN_END && isRelativeDate(part))

/**
 * The interval of the events that are on at any moment of a value of `happening`; for `now`, now or later.
 */
export function happeningInterval(value: string, context: DocsContext): Interval {
  const { from, before } = momentsNow(value, context) ?? { from: context.clock.now() }
  // An event that ends at this moment is not on any more.
  return { ...UNBOUNDED, startBefore: before ?? END_OF_TIME, endFrom: nextSecond(from), anyEndFrom: from }
}

/** A value of `happening` in a form that means the same tomorrow. */
function resolvedHappening(value: string, context: DocsContext): string {
  const moments = dependsOnPresent(value) ? momentsNow(value, context) : undefined
  if (!moments) return value
  return `${isoUtc(moments.from)}/${moments.before === undefined ? OPEN_END : isoUtc(moments.before)}`
}

/** The interval of a list, and its date parameters in a form that does not depend on the present. */
type ListInterval = {
  interval: Interval
  /** The date parameters as points in time in the site's zone, before they are widened to whole days. */
  resolved: ResolvedBounds
}

type ResolvedBounds = Partial<Record<BoundName, DateTime>> & { happening?: string }

type Bound = {
  /** Widens a wall time to whole days. */
  widen: (wall: DateTime) => DateTime
  /** The bound as an interval. @param at UTC */
  interval: (at: DateTime) => Partial<Bounds>
}

// The exclusive bounds are widened to the last second of their day: an event after a day starts on the next
// one.
const BOUNDS = {
  start_date: { widen: startOfDay, interval: at => ({ startFrom: at }) },
  end_date: { widen: endOfDay, interval: at => ({ endBefore: nextSecond(at) }) },
  starts_before: { widen: endOfDay, interval: at => ({ startBefore: at }) },
  starts_after: { widen: endOfDay, interval: at => ({ startFrom: nextSecond(at) }) },
  ends_before: { widen: endOfDay, interval: at => ({ endBefore: at }) },
  ends_after: { widen: endOfDay, interval: at => ({ endFrom: nextSecond(at) }) },
} as const satisfies Record<string, Bound>

export type BoundName = keyof typeof BOUNDS

export const DATE_PARAMS = typedKeys(BOUNDS)

/** The parameters of a list for dates. Dates are texts as people write them. */
type DateValues = { readonly [K in BoundName | 'happening']?: string | undefined } & {
  readonly include?: readonly number[] | undefined
  readonly strict_dates?: boolean | undefined
}

const EXCLUSIVE_PARAMS: readonly BoundName[] = ['starts_before', 'starts_after', 'ends_before', 'ends_after']

/**
 * The interval of a list. It has no bounds with `include`, and `happening` replaces the default window.
 *
 * @param defaultBounds the bounds of a list without dates
 */
export function intervalOf(
  context: BaseContext,
  values: DateValues,
  defaultBounds: ResolvedBounds = defaultWindow(context),
): ListInterval {
  if (values.include) return { interval: UNBOUNDED, resolved: {} }
  const { settings } = context
  const { happening } = values
  const hasWindow = happening === undefined && !EXCLUSIVE_PARAMS.some(name => values[name] !== undefined)
  const window: ResolvedBounds = hasWindow ? defaultBounds : {}
  const resolvedBounds: ResolvedBounds =
    happening === undefined ? {} : { happening: resolvedHappening(happening, context) }
  let interval: Interval = happening === undefined ? UNBOUNDED : happeningInterval(happening, context)
  for (const name of DATE_PARAMS) {
    const value = values[name]
    const parsed =
      value === undefined
        ? undefined
        : meaningNow(context, value, ms => parseDate(value, settings.timezone, ms))
    const wall = parsed?.wall ?? window[name]
    if (wall === undefined) continue
    const { widen, interval: bound } = BOUNDS[name]
    const moment =
      values.strict_dates && parsed
        ? parsed.utc
        : toUtc(values.strict_dates ? wall : widen(wall), settings.timezone)
    interval = withinBounds(interval, bound(moment))
    resolvedBounds[name] = wall
  }
  return { interval, resolved: resolvedBounds }
}

/**
 * Adds an error for a period that has no meaning in the calendar's zone. A window that ends before it starts
 * is empty.
 */
export function checkInterval(context: BaseContext, values: DateValues, errors: ValidationErrors): void {
  const { include, happening } = values
  if (!include && happening !== undefined && !isHappening(happening, context))
    errors.add('happening', NO_PERIOD)
}

const later = (a: DateTime, b: DateTime): DateTime => (a > b ? a : b)
const earlier = (a: DateTime, b: DateTime): DateTime => (a < b ? a : b)

/**
 * The part of an interval within bounds, without bounds that follow from others: an event never ends before
 * it starts.
 */
export function withinBounds(interval: Interval, partialBounds: Partial<Bounds>): Interval {
  const bounds = { ...UNBOUNDED, ...partialBounds }
  // An event that begins at `anyEndFrom` may end before `bounds.endFrom`, if that is later.
  const anyEndFrom =
    interval.anyEndFrom !== undefined && interval.anyEndFrom >= bounds.endFrom
      ? interval.anyEndFrom
      : undefined
  const startFrom = later(interval.startFrom, bounds.startFrom)
  const startBefore = earlier(interval.startBefore, bounds.startBefore)
  const endFrom = later(interval.endFrom, bounds.endFrom)
  const endBefore = earlier(interval.endBefore, bounds.endBefore)
  const startsLate = startFrom >= (anyEndFrom ?? endFrom)
  return {
    startFrom,
    startBefore: endBefore <= startBefore ? END_OF_TIME : startBefore,
    endFrom: startsLate ? START_OF_TIME : endFrom,
    endBefore,
    ...(!startsLate && anyEndFrom !== undefined && { anyEndFrom }),
  }
}

/** True if no event can lie in an interval. */
export const isEmptyInterval = ({ startFrom, startBefore, endFrom, endBefore }: Interval): boolean =>
  startBefore <= startFrom || endBefore <= endFrom

/** The moment (UTC) after which all starting events are above the lower bounds of an interval. */
export const lowerBoundOfStarts = ({ startFrom, endFrom, anyEndFrom = endFrom }: Interval): DateTime =>
  endFrom === START_OF_TIME ? startFrom : anyEndFrom

/**
 * The moment (UTC) before which all events of an interval start: an event that ends before a moment also
 * starts before it.
 */
export const upperBoundOfStarts = ({ startBefore, endBefore }: Interval): DateTime =>
  earlier(startBefore, endBefore)

/** The part of an interval for the events that begin in it. Other events are already on at its beginning. */
export const intervalOfStarts = (interval: Interval): Interval => ({
  ...UNBOUNDED,
  startFrom: lowerBoundOfStarts(interval),
  startBefore: upperBoundOfStarts(interval),
  endBefore: interval.endBefore,
})

/** Conditions on a row's start and end for an interval. */
export function withinIntervalSql(
  { startFrom, startBefore, endFrom, endBefore, anyEndFrom }: Interval,
  { start, end }: { start: SQL; end: SQL } = {
    start: sql`${events.utc_start_date}`,
    end: sql`${events.utc_end_date}`,
  },
): SQL {
  const conditions: SQL[] = []
  if (startFrom !== START_OF_TIME) conditions.push(sql`${start} >= ${startFrom}`)
  if (startBefore !== END_OF_TIME) conditions.push(sql`${start} < ${startBefore}`)
  if (endFrom !== START_OF_TIME)
    conditions.push(
      anyEndFrom === undefined
        ? sql`${end} >= ${endFrom}`
        : sql`(${end} >= ${endFrom} OR ${start} >= ${anyEndFrom})`,
    )
  if (endBefore !== END_OF_TIME) conditions.push(sql`${end} < ${endBefore}`)
  return allOf(conditions)
}
