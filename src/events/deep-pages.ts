import { type SQL, sql } from 'drizzle-orm'
import { listingCounts } from '../db/derived.ts'
import { addDays, type DateTime, startOfDay } from '../lib/time.ts'
import { type Listing, outlasting, type Stretch, startingBetween, unseen } from './totals.ts'

/**
 * From how many rows on it is cheaper to go by the counts of days, of which a window of two years has 730,
 * than through the rows of the pages before.
 */
export const DEEP = 1_000

/** Where to begin reading a deep page: a CTE named `entry` with `start`, and how many rows are left to skip. */
export type Entry = { cte: SQL; start: SQL; skip: SQL }

/**
 * The last day before which no more events start than a page has before it, found by the counts of days. Some
 * of those are not in the list, because they end after the stretch or are scheduled for later: as many more
 * rows are to be skipped.
 *
 * @param now UTC
 */
export function entryTo(offset: number, listing: Listing, stretch: Stretch, now: DateTime): Entry {
  const { start, end } = stretch
  const { facet, target } = listing
  // A window that begins within a day has a first part whose events are counted one by one.
  const wholeFrom = start === startOfDay(start) ? start : startOfDay(addDays(start, 1))
  const partly =
    wholeFrom === start ? sql`0` : startingBetween(listing, { start, end: `${start.slice(0, 10)} 23:59:59` })
  const days = sql`SELECT period, sum(n) OVER (ORDER BY period) - n AS before FROM ${listingCounts}
    WHERE facet = ${facet} AND target_id = ${target} AND grain = 'day'
    AND period BETWEEN ${wholeFrom.slice(0, 10)} AND ${end.slice(0, 10)}`
  const cte = sql`WITH entry(start, before) AS MATERIALIZED (
    SELECT period || ' 00:00:00', before + part FROM (${days}), (SELECT ${partly} AS part)
    WHERE before + part <= ${offset}
    UNION ALL SELECT ${start}, 0
    ORDER BY 1 DESC LIMIT 1
  )`
  const from = sql`(SELECT start FROM entry)`
  return {
    cte,
    start: from,
    skip: sql`${offset} - (SELECT before FROM entry)
      + (SELECT count(*) FROM ${outlasting(listing, stretch)} WHERE over.utc_start_date < ${from})
      + (SELECT count(*) FROM ${unseen(listing, stretch, now)} WHERE ahead.utc_start_date < ${from})`,
  }
}
