import { type SQL, sql } from 'drizzle-orm'
import { listingCounts, listings, periodDays } from '../../../db/derived.ts'
import { allOf, literal } from '../../../db/query.ts'
import type { Page } from '../../../http/lists.ts'
import type { DateTime } from '../../../lib/time.ts'
import {
  BEGUN,
  type EventColumns,
  inListing,
  isIn,
  LISTED,
  type Listing,
  overlappingIn,
  periodFrom,
  startingBetween,
  totalOf,
} from './counts.ts'
import { type Interval, startsBefore, within } from './interval.ts'

/**
 * The number of rows before a page from which on counts of periods are used instead of reading those rows. At
 * 10,000 events page 500 takes some 400 rows instead of 3,300.
 */
export const DEEP = 200

/** The entry to a deep page: parts of a WITH clause, the start from which to read, and the number of events before it. */
type DeepEntry = { shared: SQL; start: SQL; before: SQL }

/**
 * The last period before which at most `offset` events of a list start. Events that end too late for the list are subtracted.
 */
function entryAfter(offset: SQL, listing: Listing, { startFrom = '', endBefore }: Interval): DeepEntry {
  const first = periodFrom(listing.facet, startFrom === '' ? '0001-01-01 00:00:00' : startFrom)
  const early = startFrom === '' ? sql`0` : startingBetween(listing, startFrom, first?.start)
  const periods = sql`(SELECT period, sum(n) OVER (ORDER BY period) - n AS before FROM ${listingCounts}
    WHERE ${inListing(listing)} AND period >= ${first?.period ?? 0})`
  // The day on which a period begins, as a Julian day: see listings.sql.
  const day = sql`period * ${periodDays(listing.facet)} + 1721425.5`
  const shared = sql`early(n) AS MATERIALIZED (SELECT ${early}), entry(start, before) AS MATERIALIZED (
    SELECT datetime(${day}), before + early.n FROM early CROSS JOIN ${periods} WHERE before + early.n <= ${offset}
    UNION ALL SELECT ${startFrom}, 0
    ORDER BY 1 DESC LIMIT 1
  )`
  const start = sql`(SELECT start FROM entry)`
  const late =
    endBefore === undefined
      ? sql`0`
      : sql`(SELECT count(*) FROM ${overlappingIn(listing, { startFrom, startBefore: endBefore, endFrom: endBefore })}
          AND utc_start_date < ${start})`
  return { shared, start, before: sql`((SELECT before FROM entry) - ${late})` }
}

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

/**
 * Conditions for the events that start at or after a moment and lie in an interval without lower bounds of ends.
 *
 * @param from by default the first start of the interval
 */
export function startingIn(
  { interval, except }: Pick<IndexedList, 'interval' | 'except'>,
  from: SQL | undefined,
  row: EventColumns = LISTED,
): SQL {
  const { startFrom, endBefore } = interval
  const last = startsBefore(interval)
  return allOf([
    ...((from ?? startFrom) ? [sql`${row.start} >= ${from ?? startFrom}`] : []),
    ...(last === undefined ? [] : [sql`${row.start} < ${last}`]),
    ...(endBefore === undefined ? [] : [sql`${row.end} < ${endBefore}`]),
    ...except.map(listing => sql`NOT ${isIn(listing, row)}`),
  ])
}

/** The moment from which on all events that start belong to an interval with a lower bound of ends. */
export const beginning = ({ endFrom, atOnce }: Interval): DateTime | undefined =>
  endFrom && (atOnce ?? endFrom)

/** An expression of the number of events of a list, from counts of periods. */
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
  const conditions = [within(bounds, BEGUN), ...except.map(listing => sql`NOT ${isIn(listing, BEGUN)}`)]
  return [
    sql`SELECT utc_start_date, event_id FROM ${overlappingIn(listing, { startBefore: begins, endFrom })}
      AND ${allOf(conditions)}`,
  ]
}
