import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { allOf } from '../../../db/query.ts'
import { events } from '../../../db/schema.ts'
import type { ValidationErrors } from '../../../lib/errors.ts'
import { parseDate } from '../../../lib/parse-date.ts'
import { type DateTime, endOfDay, startOfDay, toEpoch, toUtc } from '../../../lib/time.ts'
import type { EventListValues } from '../schema.ts'
import {
  defaultWindow,
  END_OF_TIME,
  happeningInterval,
  isHappening,
  NO_PERIOD,
  nextSecond,
  resolvedHappening,
} from './happening.ts'

/**
 * Bounds of events' starts and ends, UTC: lower bounds (`From`) are inclusive, upper ones (`Before`) exclusive. An event
 * is on from its start up to, but not including, its end; one without a length is on at its start.
 */
export type Interval = {
  startFrom?: DateTime
  startBefore?: DateTime
  endFrom?: DateTime
  endBefore?: DateTime
  /** A moment at which events without a length belong to the interval, although they end before `endFrom`. */
  atOnce?: DateTime
}

/** The interval of a list, and its date parameters in a form that does not depend on the present. */
type ListInterval = {
  interval: Interval
  /** The date parameters as points in time in the site's zone, before whole days are made of them. */
  resolved: Resolved
}

type Resolved = Partial<Record<BoundName, DateTime>> & { happening?: string }

type Bound = {
  /** Widens a wall time to whole days. */
  widen: (wall: DateTime) => DateTime
  /** The bound as an interval. @param at UTC */
  interval: (at: DateTime) => Omit<Interval, 'atOnce'>
}

// The exclusive bounds are widened to the last second of their day: an event after a day starts on the next one.
const BOUNDS = {
  start_date: { widen: startOfDay, interval: at => ({ startFrom: at }) },
  end_date: { widen: endOfDay, interval: at => ({ endBefore: nextSecond(at) }) },
  starts_before: { widen: endOfDay, interval: at => ({ startBefore: at }) },
  starts_after: { widen: endOfDay, interval: at => ({ startFrom: nextSecond(at) }) },
  ends_before: { widen: endOfDay, interval: at => ({ endBefore: at }) },
  ends_after: { widen: endOfDay, interval: at => ({ endFrom: nextSecond(at) }) },
} as const satisfies Record<string, Bound>

type BoundName = keyof typeof BOUNDS

/** The parameters with a date. */
// Object.keys() forgets the keys' types.
export const DATE_PARAMS = Object.keys(BOUNDS) as BoundName[]
const EXCLUSIVE: readonly BoundName[] = ['starts_before', 'starts_after', 'ends_before', 'ends_after']

/**
 * The interval of a list. It has no bounds with `include`, and `happening` replaces the default window.
 *
 * @param standard the bounds of a list without dates
 */
export function intervalOf(
  context: RequestContext,
  values: EventListValues,
  standard: Resolved = defaultWindow(context),
): ListInterval {
  if (values.include) return { interval: {}, resolved: {} }
  const { settings, now } = context
  const { happening } = values
  const hasWindow = happening === undefined && !EXCLUSIVE.some(name => values[name] !== undefined)
  const window: Resolved = hasWindow ? standard : {}
  const resolved: Resolved =
    happening === undefined ? {} : { happening: resolvedHappening(happening, context) }
  let interval: Interval = happening === undefined ? {} : happeningInterval(happening, context)
  for (const name of DATE_PARAMS) {
    const value = values[name]
    const parsed = value === undefined ? undefined : parseDate(value, settings.timezone, toEpoch(now))
    const wall = parsed?.wall ?? window[name]
    if (wall === undefined) continue
    const { widen, interval: bound } = BOUNDS[name]
    const at =
      values.strict_dates && parsed
        ? parsed.utc
        : toUtc(values.strict_dates ? wall : widen(wall), settings.timezone)
    interval = withinBounds(interval, bound(at))
    resolved[name] = wall
  }
  return { interval, resolved }
}

/** Adds errors for a period that means nothing in the calendar's zone, and for a window that ends before it starts. */
export function checkInterval(
  context: RequestContext,
  values: EventListValues,
  errors: ValidationErrors,
): void {
  if (values.include) return
  const { happening, start_date: start, end_date: end } = values
  if (happening !== undefined && !isHappening(happening, context)) errors.add('happening', NO_PERIOD)
  if (start === undefined || end === undefined) return
  const { resolved } = intervalOf(context, values)
  // Whole days, unless seconds count.
  const [from = '', to = ''] = [resolved.start_date, resolved.end_date].map(wall =>
    values.strict_dates ? wall : wall?.slice(0, 10),
  )
  if (from > to) errors.add('start_date', `must not be after end_date, which is ${to}`)
}

const latest = (a: DateTime | undefined, b: DateTime | undefined) => (a && b ? (a > b ? a : b) : (a ?? b))
const earliest = (a: DateTime | undefined, b: DateTime | undefined) => (a && b ? (a < b ? a : b) : (a ?? b))

/** The part of an interval within bounds, without bounds that follow from others: an event never ends before it starts. */
export function withinBounds(interval: Interval, bounds: Omit<Interval, 'atOnce'>): Interval {
  const startFrom = latest(interval.startFrom, bounds.startFrom)
  const startBefore = earliest(interval.startBefore, bounds.startBefore)
  const endFrom = latest(interval.endFrom, bounds.endFrom)
  const endBefore = earliest(interval.endBefore, bounds.endBefore)
  const startsLate = startFrom !== undefined && endFrom !== undefined && startFrom >= endFrom
  const endsEarly = startBefore !== undefined && endBefore !== undefined && endBefore <= startBefore
  // An event without a length at this moment ends there, which may be before the other bound.
  const isAtOnce = !startsLate && interval.atOnce !== undefined && interval.atOnce >= (bounds.endFrom ?? '')
  const all = {
    startFrom,
    startBefore: endsEarly ? undefined : startBefore,
    endFrom: startsLate ? undefined : endFrom,
    endBefore,
    atOnce: isAtOnce ? interval.atOnce : undefined,
  }
  // Only undefined values are left out.
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Interval
}

/** Tells if no event can lie in an interval. */
export const isEmptyInterval = ({
  startFrom = '',
  startBefore,
  endFrom = '',
  endBefore,
}: Interval): boolean =>
  (startBefore !== undefined && startBefore <= startFrom) || (endBefore !== undefined && endBefore <= endFrom)

/** The moment (UTC) before which all events of an interval start: one that ends before a moment also starts before it. */
export function startsBefore({ startBefore, endBefore }: Interval): DateTime | undefined {
  const moment = earliest(startBefore, endBefore)
  return moment === END_OF_TIME ? undefined : moment
}

/** Conditions on a row's start and end for an interval. */
export function within(
  { startFrom, startBefore, endFrom, endBefore, atOnce }: Interval,
  { start, end }: { start: SQL; end: SQL } = {
    start: sql`${events.utc_start_date}`,
    end: sql`${events.utc_end_date}`,
  },
): SQL {
  const conditions: SQL[] = []
  if (startFrom !== undefined) conditions.push(sql`${start} >= ${startFrom}`)
  if (startBefore !== undefined) conditions.push(sql`${start} < ${startBefore}`)
  if (endFrom !== undefined)
    conditions.push(
      atOnce === undefined ? sql`${end} >= ${endFrom}` : sql`(${end} >= ${endFrom} OR ${start} = ${atOnce})`,
    )
  if (endBefore !== undefined) conditions.push(sql`${end} < ${endBefore}`)
  return allOf(conditions)
}
