import { type SQL, sql } from 'drizzle-orm'
import { listings } from '../../db/derived.ts'
import { literal } from '../../db/query.ts'
import type { Page } from '../../http/lists.ts'
import { inListing, type Listing, overlapping, totalOf } from './counts.ts'
import { entryAfter } from './deep-pages.ts'
import { type Interval, startsBefore } from './interval.ts'

/** A page of a list, as SQL: a SELECT of the ids in order, an expression of the total, and a WITH clause of both. */
export type SelectedPage = { shared?: SQL; ids: SQL; total: SQL }

type IndexedList = {
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

/** FROM and WHERE for the events of a listing that start at or after a moment and lie in an interval. */
function startingFrom({ listing, except }: IndexedList, bounds: Interval, from: SQL | undefined): SQL {
  const { startFrom, endBefore } = bounds
  const startBefore = startsBefore(bounds)
  const conditions = [
    inListing(listing),
    ...((from ?? startFrom) ? [sql`utc_start_date >= ${from ?? startFrom}`] : []),
    ...(startBefore === undefined ? [] : [sql`utc_start_date < ${startBefore}`]),
    ...(endBefore === undefined ? [] : [sql`+utc_end_date < ${endBefore}`]),
    ...except.map(notIn),
  ]
  // The plus keeps SQLite from using the index by ends, which does not have the order of lists.
  return sql`FROM ${listings} WHERE ${sql.join(conditions, sql` AND `)}`
}

/** A condition for rows of `listings` whose event is not in another listing. */
const notIn = ({ facet, target }: Listing): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM listings AS other WHERE other.facet = ${facet} AND other.target_id = ${target}
    AND other.utc_start_date = listings.utc_start_date AND other.event_id = listings.event_id)`

/**
 * A page of a list whose order an index has. It is the union of the events that start in the interval, those that are
 * already on at its beginning, and those that are in no listing.
 */
export function indexedPage(list: IndexedList): SelectedPage {
  const { listing, except, interval, page, order, unlisted, deep } = list
  const { endFrom, atOnce, ...bounds } = interval
  const direction = order === 'asc' ? sql`ASC` : sql`DESC`
  const sorted = sql`ORDER BY utc_start_date ${direction}, event_id ${direction}`
  const begins = endFrom === undefined ? undefined : (atOnce ?? endFrom)
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
    sql`SELECT * FROM (SELECT utc_start_date, event_id ${startingFrom(list, bounds, from)} ${sorted}
      LIMIT ${page.perPage} + ${skip})`,
    ...(begins === undefined || endFrom === undefined ? [] : [alreadyOn(list, begins, endFrom)]),
    ...unlisted.map(select =>
      entry ? sql`SELECT * FROM (${select}) WHERE utc_start_date >= ${entry.start}` : select,
    ),
  ]
  const skipped = entry
    ? sql`${skip} - ${sum(counted.map(count => count(sql`utc_start_date < ${entry.start}`)))}`
    : skip
  const union = sql.join(parts, sql` UNION ALL `)
  const total = [totalOf(listing, interval), ...counted.map(count => count(sql`1`))]
  return {
    ...(entry && { shared: entry.shared }),
    ids: sql`SELECT event_id AS id FROM (${union}) ${sorted} LIMIT ${literal(page.perPage)} OFFSET ${skipped}`,
    total: sql`(${sum(total)} - ${sum(except.map(listing => totalOf(listing, interval)))})`,
  }
}

const sum = (numbers: readonly SQL[]): SQL =>
  numbers.length === 0 ? sql`0` : sql`(${sql.join([...numbers], sql` + `)})`

/** A SELECT of the events that start before the interval's first moment, and are still on then. */
function alreadyOn({ listing, except, interval }: IndexedList, startBefore: string, endFrom: string): SQL {
  const rows = overlapping(listing, { startBefore, endFrom })
  const { startFrom, endBefore } = interval
  return sql`SELECT utc_start_date, event_id FROM ${rows} AS listings WHERE ${sql.join(
    [
      sql`1`,
      ...(startFrom === undefined ? [] : [sql`utc_start_date >= ${startFrom}`]),
      ...(endBefore === undefined ? [] : [sql`utc_end_date < ${endBefore}`]),
      ...except.map(notIn),
    ],
    sql` AND `,
  )}`
}
