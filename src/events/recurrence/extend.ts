import { eq, type SQL, sql } from 'drizzle-orm'
import { isConflict } from '../../db/conflicts.ts'
import type { Database } from '../../db/database.ts'
import { literal } from '../../db/query.ts'
import { series } from '../../db/schema.ts'
import { update } from '../../db/statements.ts'
import { TooCostly } from '../../lib/recurrence/budget.ts'
import { TooManyDates } from '../../lib/recurrence/dates.ts'
import { addMonths, type DateTime, formatInstant, toUtc } from '../../lib/time.ts'
import { extendFrom, HORIZON_MONTHS, horizonOf, occurrenceAt, startsOf } from './pattern.ts'
import { suffixes } from './plan.ts'
import { patternIn } from './split.ts'
import { insertOccurrences } from './statements.ts'
import { type SeriesRow, selectSeries } from './stored.ts'

// Limits of a run of the cron: what is left over is done a minute later. A series takes five statements, and a plan that
// costs nothing allows fifty.
const MOST_SERIES = 8
const MOST_ADDED = 100

/**
 * Adds the occurrences that have come within two years. Each series is written by itself, with its next version: if it
 * is being changed, or another run was first, nothing is written, and the next run looks again.
 *
 * @param nowMs epoch milliseconds
 */
export async function extendSeries(db: Database, nowMs: number): Promise<void> {
  const now = formatInstant(nowMs)
  const due = sql`extend_from <= ${addMonths(now, HORIZON_MONTHS)} AND status <> 'trash'`
  const rows = await db.get(selectSeries(due, sql`ORDER BY extend_from LIMIT ${literal(MOST_SERIES)}`))
  for (const row of rows)
    try {
      await db.change(extension(row, now))
    } catch (error) {
      if (!isConflict(error)) throw error
    }
}

/** The statements that add a series' next occurrences. */
function extension(row: SeriesRow, now: DateTime): SQL[] {
  const pattern = patternIn(row)
  const horizon = horizonOf(pattern, now)
  const { starts, reached } = nextStarts(row, horizon)
  const suffix = suffixes(starts)
  const added = starts.map(start => ({ ...occurrenceAt(pattern, start), suffix: suffix(start) }))
  const columns = { extend_from: extendFrom(pattern, reached), version: row.version + 1 }
  return [update(series, columns, eq(series.id, row.id)), ...insertOccurrences(row.id, added, now)]
}

/** The next starts up to the horizon, or as many as one run adds, and the moment up to which these are all. UTC. */
function nextStarts(row: SeriesRow, horizon: DateTime): { starts: readonly DateTime[]; reached: DateTime } {
  const pattern = patternIn(row)
  const bounds = { from: row.extend_from ?? horizon, to: horizon, limit: MOST_ADDED }
  try {
    return { starts: startsOf(pattern, bounds), reached: horizon }
  } catch (error) {
    if (error instanceof TooManyDates) {
      const last = error.dates.at(-1) ?? pattern.start_date
      return { starts: error.dates, reached: toUtc(last, pattern.timezone) }
    }
    // Checked when the series was written; its rule has become too long since.
    if (error instanceof TooCostly) return { starts: [], reached: horizon }
    throw error
  }
}
