import { type SQL, sql } from 'drizzle-orm'
import { listingCounts } from '../../../db/derived.ts'
import { type DateTime, startOfDay } from '../../../lib/time.ts'
import { inListing, type Listing, overlapping } from './counts.ts'
import type { Interval } from './interval.ts'

/**
 * The number of rows before a page from which on counts of months and days are used instead of reading those rows. At
 * 10,000 events page 500 takes some 400 rows instead of 3,300; the benchmark's budget for it is 1,400.
 */
export const DEEP = 200

/** The entry to a deep page: parts of a WITH clause, the start from which to read, and the number of events before it. */
type DeepEntry = { shared: SQL; start: SQL; before: SQL }

/** A SELECT of periods of a listing, each with the number of events in the preceding ones. */
const running = (listing: Listing, grain: 'day' | 'month', periods: SQL): SQL =>
  sql`(SELECT period, sum(starts) OVER (ORDER BY period) - starts AS before FROM ${listingCounts}
    WHERE ${inListing(listing)} AND grain = ${grain} AND ${periods})`

/**
 * The last day before which at most `offset` events of a list start, by counts of months, then of the days of one month.
 * Events that end too late for the list are subtracted.
 */
export function entryAfter(offset: SQL, listing: Listing, { startFrom, endBefore }: Interval): DeepEntry {
  // Counts begin with the month in which the list begins. Events of that month before the list are subtracted.
  const first = startFrom ?? '0001-01-01 00:00:00'
  const month = `${first.slice(0, 7)}-01 00:00:00`
  const early = startFrom === undefined ? sql`0` : startingBetween(listing, month, startFrom)
  const months = running(listing, 'month', sql`period >= ${month.slice(0, 7)}`)
  const days = running(
    listing,
    'day',
    sql`period >= (SELECT start FROM entry_month) AND period < date((SELECT start FROM entry_month), '+1 month')`,
  )
  const shared = sql`early(n) AS MATERIALIZED (SELECT ${early}), entry_month(start, before) AS MATERIALIZED (
    SELECT period || '-01', before - early.n FROM early CROSS JOIN ${months} WHERE before - early.n <= ${offset}
    ORDER BY 1 DESC LIMIT 1
  ), entry(start, before) AS MATERIALIZED (
    SELECT period || ' 00:00:00', entry_month.before + days.before FROM entry_month CROSS JOIN ${days} AS days
    WHERE entry_month.before + days.before <= ${offset} AND entry_month.before + days.before >= 0
      AND period || ' 00:00:00' >= ${first}
    UNION ALL SELECT ${first}, 0
    ORDER BY 1 DESC LIMIT 1
  )`
  const start = sql`(SELECT start FROM entry)`
  const late = endBefore === undefined ? sql`0` : lateBefore(listing, { first, endBefore }, start)
  return { shared, start, before: sql`((SELECT before FROM entry) - ${late})` }
}

/** An expression of the number of events that start between two moments (UTC, the second excluded), from counts of days. */
const startingBetween = (listing: Listing, from: DateTime, before: DateTime): SQL =>
  sql`((SELECT coalesce(sum(starts), 0) FROM ${listingCounts} WHERE ${inListing(listing)} AND grain = 'day'
      AND period >= ${from.slice(0, 10)} AND period < ${before.slice(0, 10)})
    + (SELECT count(*) FROM listings WHERE ${inListing(listing)}
      AND utc_start_date >= ${startOfDay(before)} AND utc_start_date < ${before}))`

/** An expression of the number of events that start before the entry, and end too late for the list. */
const lateBefore = (
  listing: Listing,
  { first, endBefore }: { first: DateTime; endBefore: DateTime },
  start: SQL,
): SQL => sql`(SELECT count(*) FROM ${overlapping(listing, { startBefore: endBefore, endFrom: endBefore })}
  WHERE utc_start_date >= ${first} AND utc_start_date < ${start})`
