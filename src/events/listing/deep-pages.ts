import { type SQL, sql } from 'drizzle-orm'
import { listingCounts } from '../../db/derived.ts'
import { type DateTime, startOfDay } from '../../lib/time.ts'
import { inListing, type Listing, overlapping } from './counts.ts'
import type { Interval } from './interval.ts'

/**
 * From so many rows before a page on it is cheaper to go by counts of months and days than through those rows. At
 * 10,000 events page 500 takes some 400 rows instead of 3,300; the benchmark's budget for it is 1,400.
 */
export const DEEP = 200

/** The entry to a deep page: parts of a WITH clause, the start to read from, and the number of events before it. */
export type Entry = { shared: SQL; start: SQL; before: SQL }

/** Periods of a listing with the number of its events that start before each, from the first of them on. */
const running = (listing: Listing, grain: 'day' | 'month', periods: SQL): SQL =>
  sql`(SELECT period, sum(starts) OVER (ORDER BY period) - starts AS before FROM ${listingCounts}
    WHERE ${inListing(listing)} AND grain = ${grain} AND ${periods})`

/**
 * The last day before which no more events start than a number: by counts of months, then of the days of one. Some of
 * those events are not in the list, because they end after it, and don't count.
 */
export function entryAfter(offset: SQL, listing: Listing, { startFrom, endBefore }: Interval): Entry {
  // The month in which the list begins is read from its beginning: what starts before the list is taken off again.
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

/** Number of events that start from one moment on and before another: of whole days by their counts, the rest one by one. */
const startingBetween = (listing: Listing, from: DateTime, before: DateTime): SQL =>
  sql`((SELECT coalesce(sum(starts), 0) FROM ${listingCounts} WHERE ${inListing(listing)} AND grain = 'day'
      AND period >= ${from.slice(0, 10)} AND period < ${before.slice(0, 10)})
    + (SELECT count(*) FROM listings WHERE ${inListing(listing)}
      AND utc_start_date >= ${startOfDay(before)} AND utc_start_date < ${before}))`

/** Number of events that start before the entry, and end too late for the list. */
const lateBefore = (
  listing: Listing,
  { first, endBefore }: { first: DateTime; endBefore: DateTime },
  start: SQL,
): SQL => sql`(SELECT count(*) FROM ${overlapping(listing, { startBefore: endBefore, endFrom: endBefore })}
  WHERE utc_start_date >= ${first} AND utc_start_date < ${start})`
