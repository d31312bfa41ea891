import { type SQL, sql } from 'drizzle-orm'
import type { CronRun } from '../../kit/context.ts'
import { columnList } from '../../kit/db/columns.ts'
import { isConflict } from '../../kit/db/failures.ts'
import { literal, many, type Query, readText } from '../../kit/db/query.ts'
import { asOneChange } from '../../kit/db/statements.ts'
import { events, series } from '../../kit/db/tables.ts'
import { SERIES_WORK } from '../../kit/lib/budgets.ts'
import { clockAt } from '../../kit/lib/clock.ts'
import {
  extendFrom,
  HORIZON_MONTHS,
  horizonOf,
  patternIn,
  startsOf,
} from '../../kit/lib/recurrence/pattern.ts'
import { ANONYMOUS } from '../../kit/lib/roles.ts'
import { addMonths, type DateTime, formatInstant, toUtc, toWall } from '../../kit/lib/time.ts'
import { notPostponedSql, tryRow } from '../../kit/work/leases.ts'
import { newOccurrences } from './recurrence/occurrences.ts'
import { allSeriesColumns, decodeSeries, type SeriesRow } from './recurrence/queries.ts'
import { writeStatements } from './writes.ts'

/** The task of series in the table `setbacks`. */
const SETBACK_TASK = 'series'

const dueSql = (nowMs: number): SQL =>
  sql`extend_from <= ${addMonths(formatInstant(nowMs), HORIZON_MONTHS)} AND status <> 'trash'
    AND ${notPostponedSql(SETBACK_TASK, nowMs, sql`${series.id}`)}`

/** A condition that is true if there are series to extend. */
export const seriesDueSql = (nowMs: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${series} WHERE ${dueSql(nowMs)})`

/**
 * Adds the occurrences that have come within two years of now. Each series is written separately, with its
 * next version: if somebody else is changing it, or another run was faster, nothing is written, and the next
 * run tries again. A series that cannot be extended is postponed, or it would come first again and again.
 *
 * @param context with the time in epoch milliseconds
 */
export async function extendSeries(context: CronRun): Promise<void> {
  const { db, nowMs } = context
  if (!db.allowance.allows('series', { statements: 1 + SERIES_WORK.ofSeries.statements })) return
  const now = formatInstant(nowMs)
  await db.allowance.forEach('series', SERIES_WORK.ofSeries, await db.read(selectDue(nowMs)), row =>
    tryRow(db, { rowName: SETBACK_TASK, id: row.id, nowMs }, () => extend(context, row, now)),
  )
}

/**
 * Selects series that are due, with their last existing date, which may be in the trash. Their times are
 * exactly as stored: reading a row repairs invalid times, and no dates must be computed from repaired times.
 */
const selectDue = (nowMs: number): Query<Due[]> =>
  many(
    sql`SELECT ${columnList(allSeriesColumns)},
        (SELECT max(occurrence_date) FROM ${events} WHERE ${events.series_id} = ${series.id}) AS last
      FROM ${series} WHERE ${dueSql(nowMs)} ORDER BY extend_from LIMIT ${literal(SERIES_WORK.series)}`,
    raw => ({
      ...decodeSeries(raw),
      start_date: readText(raw.start_date),
      end_date: readText(raw.end_date),
      timezone: readText(raw.timezone),
      last: String(raw.last ?? ''),
    }),
  )

type Due = SeriesRow & { last: DateTime }

/**
 * Writes the next dates of a series, unless another request has changed it in between. The audit gets no
 * entry, since it already has the rule that gives these dates.
 */
async function extend({ db, settings }: CronRun, dueSeries: Due, now: DateTime): Promise<void> {
  const pattern = patternIn(dueSeries)
  const { starts, reached } = nextStarts(dueSeries, horizonOf(pattern, now))
  const row = {
    id: dueSeries.id,
    stored: dueSeries,
    action: null,
    fields: [],
    image: undefined,
    relations: {},
    columns: { extend_from: extendFrom(pattern, reached) },
    dates: {
      insert: newOccurrences(
        { pattern, publication: dueSeries, now },
        starts.filter(start => start !== dueSeries.last),
      ),
    },
  }
  const context = { caller: ANONYMOUS, requestId: '', clock: clockAt(now), settings }
  try {
    await db.write(asOneChange(writeStatements(context, { series: [row] })))
  } catch (error) {
    if (!isConflict(error)) throw error
  }
}

/**
 * The next starts up to the horizon, or the most starts that one run adds, and the moment, UTC, up to which
 * they are complete.
 */
function nextStarts(row: Due, horizon: DateTime): { starts: readonly DateTime[]; reached: DateTime } {
  const pattern = patternIn(row)
  const next = toWall(row.extend_from ?? horizon, pattern.timezone)
  const from = row.last && row.last < next ? row.last : next
  const { dates, hasMore } = startsOf(pattern, { from, to: horizon, limit: SERIES_WORK.dates })
  return { starts: dates, reached: hasMore ? toUtc(dates.at(-1) ?? from, pattern.timezone) : horizon }
}
