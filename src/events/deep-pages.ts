import { type SQL, sql } from 'drizzle-orm'
import { listingCounts } from '../db/derived.ts'
import { addDays, type DateTime, endOfDay, startOfDay } from '../lib/time.ts'
import {
  counted,
  firstOfMonth,
  firstOfNextMonth,
  type Listing,
  monthOf,
  outlasting,
  previousDay,
  type Stretch,
  startingBetween,
  unseen,
} from './totals.ts'

/** From how many rows on it is cheaper to go by counts of months and days than through the pages before. */
export const DEEP = 500

/** Where to begin reading a deep page: a WITH clause, the start to read from, and how many rows are left to skip. */
export type Entry = { cte: SQL; start: SQL; skip: SQL }

/** Periods of a listing with how many of its events start before each, from the first of them on. */
const running = ({ facet, target }: Listing, grain: 'day' | 'month', periods: SQL): SQL =>
  sql`(SELECT period, sum(n) OVER (ORDER BY period) - n AS before FROM ${listingCounts}
    WHERE facet = ${facet} AND target_id = ${target} AND grain = ${grain} AND ${periods})`

/**
 * The last day before which no more events start than a page has before it: by counts of months, then of the
 * days of one. Some of those events are not in the list, because they end after the stretch or are scheduled
 * for later: as many more rows are to be skipped.
 *
 * @param now UTC
 */
export function entryTo(offset: number, listing: Listing, stretch: Stretch, now: DateTime): Entry {
  const { start, end } = stretch
  // A stretch that begins within a day has a first part whose events are counted one by one.
  const whole = start === startOfDay(start) ? start : startOfDay(addDays(start, 1))
  const partly = whole === start ? sql`0` : startingBetween(listing, { start, end: endOfDay(start) })
  const [day, lastDay] = [whole.slice(0, 10), end.slice(0, 10)]
  const month = day === firstOfMonth(day) ? day : firstOfNextMonth(day)
  const beforeMonth =
    month === day ? partly : sql`${partly} + ${counted(listing, 'day', day, previousDay(month))}`
  const months = running(listing, 'month', sql`period BETWEEN ${monthOf(month)} AND ${monthOf(lastDay)}`)
  const days = running(
    listing,
    'day',
    sql`period >= (SELECT start FROM entry_month) AND period <= ${lastDay}
      AND period < date((SELECT start FROM entry_month), 'start of month', '+1 month')`,
  )
  const cte = sql`WITH entry_month(start, before) AS MATERIALIZED (
    SELECT period || '-01', before + part FROM ${months}, (SELECT ${beforeMonth} AS part) WHERE before + part <= ${offset}
    UNION ALL SELECT ${day}, ${partly}
    ORDER BY 1 DESC LIMIT 1
  ), entry(start, before) AS MATERIALIZED (
    SELECT period || ' 00:00:00', entry_month.before + days.before FROM entry_month, ${days} AS days
    WHERE entry_month.before + days.before <= ${offset}
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
