import { type SQL, sql } from 'drizzle-orm'
import { events } from '../db/schema.ts'
import { parseDate } from '../lib/parse-date.ts'
import {
  addDays,
  addMonths,
  type DateTime,
  endOfDay,
  startOfDay,
  toEpoch,
  toUtc,
  toWall,
} from '../lib/time.ts'
import type { Standpoint, View } from '../view.ts'
import type { EventListParams } from './schema.ts'
import type { Stretch } from './totals.ts'

type Bound = {
  column: 'utc_start_date' | 'utc_end_date'
  /** Compares a column with the bound. */
  compare: SQL
  /** Widens a wall time to whole days. */
  widen: (wall: DateTime) => DateTime
}

// The exclusive bounds all move to the last second of their day: what starts after a day starts on
// the next one.
const BOUNDS = {
  start_date: { column: 'utc_start_date', compare: sql`>=`, widen: startOfDay },
  end_date: { column: 'utc_end_date', compare: sql`<=`, widen: endOfDay },
  starts_before: { column: 'utc_start_date', compare: sql`<`, widen: endOfDay },
  starts_after: { column: 'utc_start_date', compare: sql`>`, widen: endOfDay },
  ends_before: { column: 'utc_end_date', compare: sql`<`, widen: endOfDay },
  ends_after: { column: 'utc_end_date', compare: sql`>`, widen: endOfDay },
} as const satisfies Record<string, Bound>

type BoundName = keyof typeof BOUNDS
/** Points in time, UTC. */
type Bounds = Partial<Record<BoundName, DateTime>>
const NAMES = [
  'start_date',
  'end_date',
  'starts_before',
  'starts_after',
  'ends_before',
  'ends_after',
] as const
const EXCLUSIVE: readonly BoundName[] = ['starts_before', 'starts_after', 'ends_before', 'ends_after']

/** The events of a stretch of time. */
export type Window = {
  conditions: SQL[]
  /** The same as a stretch of time, UTC, if it is one with two ends and no exclusive bounds. */
  stretch: Stretch | undefined
  /**
   * The date parameters as points in time: a link that carries them means the same tomorrow. In the site's
   * zone, before whole days are made of them.
   */
  resolved: Partial<Record<BoundName, DateTime>>
}

/** The window that a list's parameters mean; `include` has none. */
export function windowOf(values: EventListParams, view: View): Window {
  if (values.include) return { conditions: [], stretch: undefined, resolved: {} }
  const zone = view.settings.timezone
  const given: Window['resolved'] = EXCLUSIVE.some(name => values[name] !== undefined) ? {} : defaultsOf(view)
  const resolved: Window['resolved'] = {}
  const bounds: Bounds = {}
  for (const name of NAMES) {
    const value = values[name]
    const parsed = value === undefined ? undefined : parseDate(value, zone, toEpoch(view.now))
    const wall = parsed?.wall ?? given[name]
    if (wall === undefined) continue
    const { widen } = BOUNDS[name]
    bounds[name] =
      values.strict_dates && parsed ? parsed.utc : toUtc(values.strict_dates ? wall : widen(wall), zone)
    resolved[name] = wall
  }
  return { conditions: conditionsOf(bounds), stretch: stretchOf(bounds), resolved }
}

const conditionsOf = (bounds: Bounds): SQL[] =>
  NAMES.flatMap(name => {
    const { column, compare } = BOUNDS[name]
    return bounds[name] === undefined ? [] : [sql`${events[column]} ${compare} ${bounds[name]}`]
  })

function stretchOf({ start_date: start, end_date: end, ...exclusive }: Bounds): Stretch | undefined {
  return start !== undefined && end !== undefined && Object.keys(exclusive).length === 0
    ? { start, end }
    : undefined
}

const MONTHS_AHEAD = 24

type Defaults = { start_date: DateTime; end_date: DateTime }

let lastDefaults: { today: DateTime; given: Defaults } | undefined

/** From the beginning of yesterday to the end of the day 24 months from now: the same all day long. */
export function defaultsOf(view: Standpoint): Defaults {
  const today = startOfDay(toWall(view.now, view.settings.timezone))
  if (lastDefaults?.today !== today) {
    const given = { start_date: addDays(today, -1), end_date: endOfDay(addMonths(today, MONTHS_AHEAD)) }
    lastDefaults = { today, given }
  }
  return lastDefaults.given
}
