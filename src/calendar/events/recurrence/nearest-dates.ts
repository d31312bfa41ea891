import { type SQL, sql } from 'drizzle-orm'
import { movedSql } from '../../../kit/db/derived.ts'
import { literal } from '../../../kit/db/query.ts'
import { events } from '../../../kit/db/tables.ts'

/** The dates of series that start nearest to a moment, on one side of it. */
export type Nearest = {
  /** A table or SELECT of the ids of series as `id`. */
  wantedSeries: SQL
  side: 'before' | 'after'
  /** The moment, UTC. */
  moment: SQL
  /** The most dates to take of each series. */
  limit: number
  condition: SQL
}

/**
 * A SELECT of dates as `series`, `id`, `start` and `end`: the nearest that are where their rule has them, and
 * the nearest of the few that were moved, since each of the two has an index.
 */
export function nearestDates({ wantedSeries, side, moment, limit, condition }: Nearest): SQL {
  const [sign, order, slack] =
    side === 'after' ? [sql`>`, sql`ASC`, sql`'-1 day'`] : [sql`<`, sql`DESC`, sql`'+1 day'`]
  const movedDateSql = sql.raw(movedSql)
  const idsOf = (index: SQL, ofIndexSql: SQL, orderColumn: SQL) => sql`SELECT id FROM (
    SELECT id FROM ${events} INDEXED BY ${index}
    WHERE ${events.series_id} = wanted.id AND utc_start_date ${sign} ${moment} AND ${condition} AND ${ofIndexSql}
    ORDER BY ${orderColumn} ${order} LIMIT ${literal(limit)})`
  // The dates of rules are by the clock of the series' zone, which is less than a day from UTC.
  const nearSql = sql`occurrence_date ${sign}= coalesce(datetime(${moment}, ${slack}), '')`
  const unmoved = idsOf(
    sql`events_occurrence`,
    sql`${nearSql} AND NOT (${movedDateSql})`,
    sql`occurrence_date`,
  )
  const movedIds = idsOf(sql`events_moved`, movedDateSql, sql`utc_start_date`)
  return sql`SELECT found.series_id AS series, found.id AS id, utc_start_date AS start, utc_end_date AS end
    FROM ${wantedSeries} AS wanted CROSS JOIN ${events} AS found ON found.id IN (${unmoved} UNION ALL ${movedIds})`
}
