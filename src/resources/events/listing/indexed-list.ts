import { type SQL, sql } from 'drizzle-orm'
import { listingCounts, listings } from '../../../db/derived.ts'
import { allOf, literal } from '../../../db/query.ts'
import type { Page } from '../../../http/lists.ts'
import { type DateTime, startOfDay } from '../../../lib/time.ts'
import { inListing, type Listing, overlapping, totalOf } from './counts.ts'
import { type Interval, startsBefore, within } from './interval.ts'

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
function entryAfter(offset: SQL, listing: Listing, { startFrom, endBefore }: Interval): DeepEntry {
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

/**
 * A page of a list, as SQL: a SELECT of the ids in order, an expression of the total, and a WITH clause of both. Where an index
 * tells when events start, `starts` is a SELECT of `id` and `start` of these and some more, in no order.
 */
export type SelectedPage = { shared?: SQL; ids: SQL; starts?: SQL; total: SQL }

export type IndexedList = {
  listing: Listing
  /** Listings whose events are excluded. No event is in two of them. */
  except: readonly Listing[]
  interval: Interval
  page: Page
  order: 'asc' | 'desc'
  /** SELECTs of the start and id of a few events that are in no listing. */
  unlisted: readonly SQL[]
  /** The number of rows before the page from which on counts are used. */
  deep: number
}

/** The columns of a row with an event, for conditions. */
type Columns = { start: SQL; end: SQL; id: SQL }

// The plus keeps SQLite from using the index by ends, which does not have the order of lists.
const LISTED: Columns = {
  start: sql`listings.utc_start_date`,
  end: sql`+listings.utc_end_date`,
  id: sql`listings.event_id`,
}

/**
 * Conditions for the events that start at or after a moment and lie in an interval without lower bounds of ends.
 *
 * @param from by default the first start of the interval
 */
export function startingIn(
  { interval, except }: Pick<IndexedList, 'interval' | 'except'>,
  from: SQL | undefined,
  row: Columns = LISTED,
): SQL {
  const { startFrom, endBefore } = interval
  const last = startsBefore(interval)
  return allOf([
    ...((from ?? startFrom) ? [sql`${row.start} >= ${from ?? startFrom}`] : []),
    ...(last === undefined ? [] : [sql`${row.start} < ${last}`]),
    ...(endBefore === undefined ? [] : [sql`${row.end} < ${endBefore}`]),
    ...except.map(listing => notIn(listing, row)),
  ])
}

/** A condition for rows whose event is not in another listing. */
export const notIn = ({ facet, target }: Listing, { start, id }: Columns = LISTED): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM listings AS other WHERE other.facet = ${facet} AND other.target_id = ${target}
    AND other.utc_start_date = ${start} AND other.event_id = ${id})`

/** The moment from which on all events that start belong to an interval with a lower bound of ends. */
export const beginning = ({ endFrom, atOnce }: Interval): DateTime | undefined =>
  endFrom && (atOnce ?? endFrom)

/** An expression of the number of events of a list, from counts of months and days. */
export function intervalCount({
  listing,
  except,
  interval,
  unlisted,
}: Omit<IndexedList, 'page' | 'order' | 'deep'>): SQL {
  const total = [
    totalOf(listing, interval),
    ...unlisted.map(select => sql`(SELECT count(*) FROM (${select}))`),
  ]
  return sql`(${sum(total)} - ${sum(except.map(listing => totalOf(listing, interval)))})`
}

/**
 * A page of a list whose order an index has. It is the union of the events that start in the interval, those that are
 * already on at its beginning, and those that are in no listing.
 */
export function indexedPage(list: IndexedList): SelectedPage {
  const { listing, except, interval, page, order, unlisted, deep } = list
  const direction = order === 'asc' ? sql`ASC` : sql`DESC`
  const sorted = sql`ORDER BY utc_start_date ${direction}, event_id ${direction}`
  const begins = beginning(interval)
  const isDeep = page.offset >= deep && order === 'asc' && begins === undefined && except.length === 0
  const counted = unlisted.map(
    select => (condition: SQL) => sql`(SELECT count(*) FROM (${select}) WHERE ${condition})`,
  )
  // The entry lies before the page even if all unlisted events come first.
  const entry = isDeep
    ? entryAfter(sql`(${page.offset} - ${sum(counted.map(count => count(sql`1`)))})`, listing, interval)
    : undefined
  const from = entry?.start ?? (begins === undefined ? undefined : sql`${begins}`)
  const skip = entry ? sql`(${page.offset} - ${entry.before})` : sql`${page.offset}`
  const parts = [
    sql`SELECT * FROM (SELECT utc_start_date, event_id FROM ${listings}
      WHERE ${inListing(listing)} AND ${startingIn(list, from)} ${sorted} LIMIT ${page.perPage} + ${skip})`,
    ...alreadyOn(list),
    ...unlisted.map(select =>
      entry ? sql`SELECT * FROM (${select}) WHERE utc_start_date >= ${entry.start}` : select,
    ),
  ]
  const skipped = entry
    ? sql`${skip} - ${sum(counted.map(count => count(sql`utc_start_date < ${entry.start}`)))}`
    : skip
  const found = sql`FROM (${sql.join(parts, sql` UNION ALL `)})`
  return {
    ...(entry && { shared: entry.shared }),
    ids: sql`SELECT event_id AS id ${found} ${sorted} LIMIT ${literal(page.perPage)} OFFSET ${skipped}`,
    starts: sql`SELECT event_id AS id, utc_start_date AS start ${found}`,
    total: intervalCount(list),
  }
}

const sum = (numbers: readonly SQL[]): SQL =>
  numbers.length === 0 ? sql`0` : sql`(${sql.join([...numbers], sql` + `)})`

/** A SELECT of the events that start before the interval's first moment, and are still on then, if it has such a moment. */
export function alreadyOn({
  listing,
  except,
  interval,
}: Pick<IndexedList, 'listing' | 'except' | 'interval'>): SQL[] {
  const { endFrom, atOnce: _, ...bounds } = interval
  const begins = beginning(interval)
  if (begins === undefined || endFrom === undefined) return []
  const conditions = [within(bounds, LISTED), ...except.map(listing => notIn(listing))]
  return [
    sql`SELECT utc_start_date, event_id FROM ${overlapping(listing, { startBefore: begins, endFrom })} AS listings
      WHERE ${allOf(conditions)}`,
  ]
}
