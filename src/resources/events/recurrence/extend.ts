import { type SQL, sql } from 'drizzle-orm'
import { isConflict } from '../../../db/conflicts.ts'
import type { Database } from '../../../db/database.ts'
import { literal, many, mapped, type Query, together } from '../../../db/query.ts'
import { events, series } from '../../../db/schema.ts'
import { asOneChange } from '../../../db/statements.ts'
import { isNotPutBack, putBack } from '../../../http/due-rows.ts'
import { asError, attempt } from '../../../http/log.ts'
import { SERIES_WORK } from '../../../lib/budgets.ts'
import { ApiError } from '../../../lib/errors.ts'
import { TooCostly } from '../../../lib/recurrence/budget.ts'
import { TooManyDates } from '../../../lib/recurrence/dates.ts'
import { ANONYMOUS } from '../../../lib/roles.ts'
import { addDays, addMonths, type DateTime, formatInstant, toUtc, toWall } from '../../../lib/time.ts'
import { extendFrom, HORIZON_MONTHS, horizonOf, patternIn, startsOf } from './pattern.ts'
import { type NewOccurrence, newOccurrences } from './plan.ts'
import { type SeriesRow, selectSeries } from './stored.ts'
import { dateStatements, seriesStatements } from './write.ts'

const isDue = (nowMs: number): SQL =>
  sql`extend_from <= ${addMonths(formatInstant(nowMs), HORIZON_MONTHS)} AND status <> 'trash'`

/** A condition that is true if there are series to extend. */
export const hasSeriesDue = (nowMs: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${series} WHERE ${isDue(nowMs)} AND ${isNotPutBack(ONE_SERIES, nowMs, sql`${series.id}`)})`

/** The name by which `setbacks` know a series. */
const ONE_SERIES = 'series'

/**
 * Adds the occurrences that have come within two years. Each series is written by itself, with its next version: if it
 * is being changed, or another run was first, nothing is written, and the next run looks again. One that makes no sense is
 * put back for a day, or it would come first again and again.
 *
 * @param nowMs epoch milliseconds
 */
export async function extendSeries(db: Database, nowMs: number): Promise<void> {
  if (!db.allowance.begin('series', { statements: 2 + SERIES_WORK.ofSeries.statements })) return
  const now = formatInstant(nowMs)
  const horizon = addMonths(now, HORIZON_MONTHS)
  const due = sql`${isDue(nowMs)} AND ${isNotPutBack(ONE_SERIES, nowMs, sql`${series.id}`)}`
  const first = sql`ORDER BY extend_from LIMIT ${literal(SERIES_WORK.series)}`
  const { rows, stored } = await db.get(
    together({ rows: selectSeries(due, first), stored: selectAsStored(sql`${due} ${first}`) }),
  )
  for (const row of rows) {
    if (!db.allowance.begin('series', SERIES_WORK.ofSeries)) return
    db.allowance.spend(SERIES_WORK.ofSeries.cpuMs)
    const extend = () => write(db, row, now, extension({ ...row, ...stored.get(row.id) }, now))
    const failure = await attempt(`series ${row.id}`, extend)
    // If D1 fails, that is not the fault of the series.
    if (!failure || failure instanceof ApiError) continue
    try {
      await write(db, row, now, { extend_from: addDays(horizon, 1), added: [] })
    } catch (error) {
      await putBack(db, { one: ONE_SERIES, id: row.id, nowMs, error: asError(error) })
    }
  }
}

/** The next dates of a series, and the moment, UTC, from which on there are more. */
type Extension = { extend_from: DateTime | null; added: readonly NewOccurrence[] }

/** Writes the next dates of a series, unless another request has changed it in between. The audit has the rule that makes them. */
async function write(
  db: Database,
  stored: SeriesRow,
  now: DateTime,
  { extend_from, added }: Extension,
): Promise<void> {
  const context = { caller: ANONYMOUS, requestId: '', now }
  const columns = { extend_from }
  const unchanged = { image: undefined, fields: [], relations: {}, action: null }
  const rows = [{ ...unchanged, id: stored.id, stored, columns, dates: { insert: added } }]
  try {
    await db.change(asOneChange([...seriesStatements(context, rows), ...dateStatements(context, rows)]))
  } catch (error) {
    if (!isConflict(error)) throw error
  }
}

type AsStored = Pick<SeriesRow, 'start_date' | 'end_date' | 'timezone'> & { last: DateTime }

/**
 * Selects the last date of each series that exists, the trash included, and its times as they are stored: those that make
 * no sense are shown as others, from which no dates may be made.
 *
 * @param tail the conditions on series
 */
const selectAsStored = (tail: SQL): Query<Map<number, AsStored>> =>
  mapped(
    many(
      sql`SELECT id, start_date, end_date, timezone,
          (SELECT max(occurrence_date) FROM ${events} WHERE ${events.series_id} = ${series.id}) AS last
        FROM ${series} WHERE ${tail}`,
      (row): [number, AsStored] => [
        Number(row.id),
        {
          start_date: String(row.start_date),
          end_date: String(row.end_date),
          timezone: String(row.timezone),
          last: String(row.last ?? ''),
        },
      ],
    ),
    rows => new Map(rows),
  )

type Due = SeriesRow & { last?: DateTime }

/** Works out the next dates of a series. */
function extension(row: Due, now: DateTime): Extension {
  const pattern = patternIn(row)
  const { starts, reached } = nextStarts(row, horizonOf(pattern, now))
  return {
    extend_from: extendFrom(pattern, reached),
    added: newOccurrences({ pattern, publication: row, now }, starts),
  }
}

/** The next starts up to the horizon, or as many as one run adds, and the moment up to which these are all. UTC. */
function nextStarts(row: Due, horizon: DateTime): { starts: readonly DateTime[]; reached: DateTime } {
  const pattern = patternIn(row)
  const next = toWall(row.extend_from ?? horizon, pattern.timezone)
  // A series that was put back lacks what comes after the last date that it has.
  const from = row.last && row.last < next ? row.last : next
  const bounds = { from, to: horizon, limit: SERIES_WORK.dates }
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
