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
import { TooManyDates } from '../../../lib/recurrence/dates.ts'
import { TooCostly } from '../../../lib/recurrence/rule.ts'
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

/** The task of series in the table `setbacks`. */
const ONE_SERIES = 'series'

/**
 * Adds the occurrences that have come within two years of now. Each series is written separately, with its next
 * version: if somebody else is changing it, or another run was faster, nothing is written, and the next run tries
 * again. A series that cannot be extended is postponed for a day, or it would come first again and again.
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
    // A failure of D1 is not the fault of the series.
    if (!failure || failure instanceof ApiError) continue
    try {
      await write(db, row, now, { extend_from: addDays(horizon, 1), added: [] })
    } catch (error) {
      await putBack(db, { one: ONE_SERIES, id: row.id, nowMs, error: asError(error) })
    }
  }
}

/** The next dates of a series, and the moment, UTC, from which there are more. */
type Extension = { extend_from: DateTime | null; added: readonly NewOccurrence[] }

/**
 * Writes the next dates of a series, unless another request has changed it in between. The audit gets no entry, since
 * it already has the rule that gives these dates.
 */
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
 * Selects the last existing date of each series, including dates in the trash, and its times exactly as stored. Reading
 * a row repairs invalid times, and no dates must be computed from the repaired ones.
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

/** Computes the next dates of a series. */
function extension(row: Due, now: DateTime): Extension {
  const pattern = patternIn(row)
  const { starts, reached } = nextStarts(row, horizonOf(pattern, now))
  return {
    extend_from: extendFrom(pattern, reached),
    added: newOccurrences({ pattern, publication: row, now }, starts),
  }
}

/** The next starts up to the horizon, or as many as one run adds, and the moment, UTC, up to which they are complete. */
function nextStarts(row: Due, horizon: DateTime): { starts: readonly DateTime[]; reached: DateTime } {
  const pattern = patternIn(row)
  const next = toWall(row.extend_from ?? horizon, pattern.timezone)
  // A series that was postponed lacks all dates after its last existing one.
  const from = row.last && row.last < next ? row.last : next
  const bounds = { from, to: horizon, limit: SERIES_WORK.dates }
  try {
    return { starts: startsOf(pattern, bounds), reached: horizon }
  } catch (error) {
    if (error instanceof TooManyDates) {
      const last = error.dates.at(-1) ?? pattern.start_date
      return { starts: error.dates, reached: toUtc(last, pattern.timezone) }
    }
    // The rule passed this check when the series was written, but takes more steps by now.
    if (error instanceof TooCostly) return { starts: [], reached: horizon }
    throw error
  }
}
