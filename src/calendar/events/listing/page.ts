import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext } from '../../../kit/context.ts'
import { unionAll } from '../../../kit/db/columns.ts'
import { allOf, inList, rowLimit } from '../../../kit/db/query.ts'
import { events } from '../../../kit/db/tables.ts'
import type { ListSlice } from '../../../kit/http/lists.ts'
import { may } from '../../../kit/lib/roles.ts'
import { listedSql, listedStatuses, noDuplicateSql, ownedByCallerSql } from '../../content/visibility.ts'
import { type Interval, intervalOf, START_OF_TIME, withinIntervalSql } from '../interval.ts'
import type { EventListValues } from '../schema.ts'
import { ALL_EVENTS, entryBefore, type Listing, totalOf } from './counts.ts'
import { type EventFilter, filtersOf } from './filters.ts'
import {
  BY_START,
  fromTitles,
  gatheredRanges,
  gatheredScan,
  type IndexRange,
  type ListScan,
  linkedOf,
  namesClause,
  narrowestOf,
  type OrderBy,
  runningRanges,
  scanOf,
  startingRanges,
  unsortedOf,
} from './ranges.ts'

// How a page of events is read. `eventPage` chooses, and tests compare each way with `plainPage`, which alone
// would do for a few hundred events:
//
// - `plainPage`: lists with `include` or `series`, which name few events.
// - `gatheredPage`: lists with two filters or more.
// - `countedPage`: lists without a filter, or with one whose events are counted by period. It reads no rows
//   for the total. By title, it reads the index of titles if there are many events; from page 20 or so on, it
//   skips rows by the counts.
// - `unionPage`: all others: one filter that has several targets or no facet, and lists of unpublished
//   events. The ways above, except the first, end in it as well: it reads ranges of indexes, each in order
//   and no further than the page.
//
// Scheduled and unpublished events are in no listing. They are few, and a part of each way:
// `unindexedEvents`.

/**
 * A page of a list, as SQL: a SELECT of the ids in order, an expression of the total, and parts of a WITH
 * clause of both. Where an index tells when events start, `starts` is a SELECT of `id` and `start` of these
 * events and some more, in no order.
 */
export type SelectedPage = { shared?: SQL; ids: SQL; starts?: SQL; total: SQL }

/** A statement of its own that selects from a page: by default, its ids. */
export const pageStatement = ({ shared, ids }: SelectedPage, select = ids): SQL =>
  shared ? sql`WITH ${shared} ${select}` : select

type List = {
  values: EventListValues
  page: ListSlice
  /** The sizes at which pages are read in another way, if they are not the usual ones. */
  sizes?: Partial<Sizes>
  /** The interval, if it is not the interval of the parameters. */
  interval?: Interval
  filters?: readonly EventFilter[]
}

/** The sizes at which pages are read in another way. */
type Sizes = {
  /** The most events of a list by title that are sorted. The index of titles has more of them in order. */
  maxSorted: number
  /** The fewest rows before a page for which counts of periods are read instead of these rows. */
  minSkipped: number
}

/**
 * With 100,000 events, a page of ten by title reads 1,500 rows at most, as long as titles don't depend on
 * dates: the events of the page are then close to each other in the index of titles. With 10,000 events, page
 * 500 takes some 400 rows instead of 3,300.
 */
const DEFAULT_SIZES: Sizes = { maxSorted: 500, minSkipped: 200 }

/**
 * The order of a list. Equal values are ordered by id; a descending list is the exact reverse of the
 * ascending list.
 */
type Order = { by: OrderBy; direction: 'asc' | 'desc' }

const orderOf = ({ orderby = 'start_date', order = 'asc' }: EventListValues): Order => ({
  by: orderby,
  direction: order,
})

const SORTED_BY: Record<OrderBy, SQL> = {
  start_date: sql`${events.utc_start_date}`,
  end_date: sql`${events.utc_end_date}`,
  title: sql`${events.title} COLLATE NOCASE`,
  date: sql`${events.date_utc}`,
  modified: sql`${events.modified_utc}`,
  id: sql`${events.id}`,
}

/** ORDER BY for rows of `events`. */
const orderClause = ({ by, direction }: Order): SQL =>
  sql`ORDER BY ${SORTED_BY[by]} ${sql.raw(direction)}, ${events.id} ${sql.raw(direction)}`

/** A condition on `events` that defines a list: the events that it shows to the caller. */
export const eventInListSql = (
  context: BaseContext,
  { values, interval, filters = [] }: Omit<List, 'page'>,
): SQL =>
  allOf([
    listedSql(events, values.status, context),
    forListsSql,
    withinIntervalSql(interval ?? intervalOf(context, values).interval),
    ...[...filtersOf(context, values), ...filters].map(({ condition }) => condition),
  ])

/** A condition that is true for events that no list leaves out. */
export const forListsSql = sql`${events.hide_from_listings} = 0 AND ${noDuplicateSql}`

/** A page of a list of events by its definition. Its cost grows with the calendar. */
export function plainPage(context: BaseContext, list: List): SelectedPage {
  const { page, values } = list
  const condition = eventInListSql(context, list)
  return {
    ids: sql`SELECT ${events.id} FROM ${events} WHERE ${condition} ${orderClause(orderOf(values))}
      LIMIT ${rowLimit(page.perPage)} OFFSET ${page.offset}`,
    // A subquery in FROM does not add to the depth of an expression, whose limit many filters would exceed.
    total: sql`(SELECT count(*) FROM (SELECT 1 FROM ${events} WHERE ${condition}))`,
  }
}

/** A page of a list of events, from the listing with the fewest events to look at. */
export function eventPage(context: BaseContext, list: List): SelectedPage {
  const { values, page } = list
  if (values.include || values.series) return plainPage(context, list)
  const interval = list.interval ?? intervalOf(context, values).interval
  const filters = [...filtersOf(context, values), ...(list.filters ?? [])]
  const isPublic = listedStatuses(values.status, context).includes('publish')
  if (isPublic && filters.length > 1) return gatheredPage(context, { list, interval, filters })
  const conditions = [withinIntervalSql(interval), ...filters.map(({ condition }) => condition)]
  const sharedClauses = [unindexedEvents(context, values.status, conditions)]
  const union = { page, order: orderOf(values), shared: sharedClauses }
  if (!isPublic) return unionPage({ ...union, ranges: [UNINDEXED] })
  const sizes = { ...DEFAULT_SIZES, ...list.sizes }
  const [filter] = filters
  const scan = scanOf(filters, interval)
  const listing = listingOf(filter)
  if (listing) return countedPage({ ...union, listing, scan }, sizes)
  const ranges = [...startingRanges(scan), ...runningRanges(scan), UNINDEXED]
  return unionPage({ ...union, shared: [...sharedClauses, ...sharedBy(scan)], ranges })
}

/** The parts of a WITH clause that the ranges of a scan read. */
const sharedBy = (scan: ListScan): SQL[] => [
  ...namesClause(scan),
  ...narrowestOf(scan),
  ...linkedOf(scan),
  ...unsortedOf(scan),
]

/** True if the page of a list gathers all of its events. */
export const isGathered = (context: BaseContext, values: EventListValues): boolean =>
  !values.include && !values.series && filtersOf(context, values).length > 1

/**
 * A page of a list with several filters: the part `gathered` of its WITH clause has the events of the
 * smallest listing that meet all conditions. The total needs them all anyway.
 */
function gatheredPage(
  context: BaseContext,
  { list, interval, filters }: { list: List; interval: Interval; filters: readonly EventFilter[] },
): SelectedPage {
  const { values, page } = list
  const scan = gatheredScan(filters, interval)
  const rows = [...gatheredRanges(scan), ...runningRanges(scan), UNINDEXED].map(rowsOf)
  const inAllSql = allOf(filters.map(({ condition }) => condition))
  const gathered = sql`gathered(utc_start_date, event_id) AS MATERIALIZED (
    SELECT found.utc_start_date, found.event_id FROM (${unionAll(rows)}) AS found
    CROSS JOIN ${events} ON ${events.id} = found.event_id WHERE ${inAllSql})`
  return unionPage({
    page,
    order: orderOf(values),
    shared: [
      unindexedEvents(context, values.status, [withinIntervalSql(interval)]),
      ...sharedBy(scan),
      gathered,
    ],
    ranges: [{ from: sql`FROM gathered`, sortedBy: BY_START }],
  })
}

const rangeRows = (from: SQL, isDistinct = false): SQL =>
  sql`SELECT ${sql.raw(isDistinct ? 'DISTINCT' : '')} utc_start_date, event_id ${from}`

const rowsOf = ({ from, readIfSql, isDistinct }: IndexRange): SQL => {
  const select = rangeRows(from, isDistinct)
  return readIfSql ? sql`SELECT * FROM (${select} LIMIT iif(${readIfSql}, -1, 0))` : select
}

/**
 * The part `unindexed` of a WITH clause: the few events that a list shows although they are in no listing.
 * These are scheduled events that have just become due, and unpublished events that the caller may read.
 */
function unindexedEvents(
  context: BaseContext,
  statuses: EventListValues['status'],
  conditions: readonly SQL[],
): SQL {
  const listable = listedStatuses(statuses, context)
  const otherStatuses = may(context.caller, 'edit_content')
    ? listable.filter(status => status !== 'publish')
    : []
  const restSql = allOf([forListsSql, ...conditions])
  const selects = [sql`SELECT NULL, NULL WHERE 0`]
  if (listable.includes('publish'))
    selects.push(sql`SELECT utc_start_date, id FROM ${events} INDEXED BY events_scheduled
      WHERE ${events.status} = 'future' AND ${events.date_utc} <= ${context.clock.untrackedTime} AND ${restSql}`)
  if (otherStatuses.length > 0)
    selects.push(sql`SELECT utc_start_date, id FROM ${events} INDEXED BY events_unpublished
      WHERE ${events.status} <> 'publish' AND ${events.status} IN ${inList(otherStatuses)} AND ${ownedByCallerSql(events, context)}
      AND ${listedSql(events, otherStatuses, context)} AND ${restSql}`)
  return sql`unindexed(utc_start_date, event_id) AS MATERIALIZED (${unionAll(selects)})`
}

const UNINDEXED: IndexRange = { from: sql`FROM unindexed` }

/** The listing that has all events of a list with this filter, or with none. */
const listingOf = (filter: EventFilter | undefined): Listing | undefined => {
  if (!filter) return ALL_EVENTS
  const { facet, target } = filter.byFacet ?? {}
  return facet && target && { facet, target }
}

/** A page of a list whose total comes from counts of periods. */
function countedPage(
  { listing, scan, ...union }: { listing: Listing; scan: ListScan } & Omit<Union, 'ranges'>,
  { minSkipped, maxSorted }: Sizes,
): SelectedPage {
  const { page, order } = union
  const total = sql`((SELECT count(*) FROM unindexed) + ${totalOf(listing, scan.interval)})`
  const otherRanges = [...runningRanges(scan), UNINDEXED]
  if (order.by === 'title' && listing === ALL_EVENTS) {
    const countClause = sql`counted(n) AS MATERIALIZED (SELECT ${total})`
    const manySql = sql`(SELECT n FROM counted) > ${maxSorted}`
    const rangesOfFew = startingRanges(scan).map(range => ({ ...range, readIfSql: sql`NOT ${manySql}` }))
    return unionPage({
      ...union,
      shared: [...union.shared, countClause],
      ranges: [{ ...fromTitles(scan), readIfSql: manySql }, ...rangesOfFew, ...otherRanges],
      total: sql`(SELECT n FROM counted)`,
    })
  }
  const isFromStart = scan.interval.endFrom === START_OF_TIME
  const isInOrder = order.by === 'start_date' && order.direction === 'asc'
  if (page.offset < minSkipped || !isInOrder || !isFromStart)
    return unionPage({ ...union, total, ranges: [...startingRanges(scan), ...otherRanges] })
  // The entry lies before the page even if all unindexed events come first.
  const latest = sql`(${page.offset} - (SELECT count(*) FROM unindexed))`
  const { clauses, start, before } = entryBefore(latest, listing, scan.interval)
  const skippedCount = sql`(${before} + (SELECT count(*) FROM unindexed WHERE utc_start_date < ${start}))`
  return unionPage({
    ...union,
    total,
    shared: [...union.shared, ...clauses],
    ranges: [...startingRanges(scan, start), { from: sql`FROM unindexed WHERE utc_start_date >= ${start}` }],
    offset: sql`(${page.offset} - ${skippedCount})`,
  })
}

type Union = {
  page: ListSlice
  order: Order
  shared: readonly SQL[]
  ranges: readonly IndexRange[]
  /** The number of rows of the ranges before the page; by default all rows before it. */
  offset?: SQL
  /** The number of all events; by default the rows of the ranges are counted. */
  total?: SQL
}

function unionPage({
  page,
  order,
  shared,
  ranges,
  offset = sql`${page.offset}`,
  total,
}: Union): SelectedPage {
  const rowsToEnd = sql`${page.perPage} + ${offset}`
  const direction = sql.raw(order.direction)
  const rows = ranges.map(range => {
    const { from, sortedBy, fromFirstRows, readIfSql, isDistinct } = range
    if (sortedBy?.by !== order.by) return rowsOf(range)
    const rangeOrder = sortedBy.terms(direction)
    const source = fromFirstRows ? fromFirstRows(sql`${rangeOrder} LIMIT ${rowsToEnd}`) : from
    const limit = readIfSql ? sql`iif(${readIfSql}, ${rowsToEnd}, 0)` : rowsToEnd
    return sql`SELECT * FROM (${rangeRows(source, isDistinct)} ${rangeOrder} LIMIT ${limit})`
  })
  const union = sql`FROM (${unionAll(rows)}) AS found`
  const isByStart = order.by === 'start_date'
  const pageOrder = isByStart
    ? sql`ORDER BY utc_start_date ${direction}, event_id ${direction}`
    : sql`CROSS JOIN ${events} ON ${events.id} = found.event_id ${orderClause(order)}`
  return {
    shared: sql.join([...shared], sql`, `),
    ids: sql`SELECT found.event_id AS id ${union} ${pageOrder} LIMIT ${rowLimit(page.perPage)} OFFSET ${offset}`,
    ...(isByStart && { starts: sql`SELECT event_id AS id, utc_start_date AS start ${union}` }),
    total: total ?? sql`(${sql.join(ranges.map(eventCountIn), sql` + `)})`,
  }
}

/** An expression of the number of a range's events. */
function eventCountIn({ from, readIfSql, isDistinct = false, count = counted => counted }: IndexRange): SQL {
  const select = sql`SELECT ${sql.raw(isDistinct ? 'DISTINCT event_id' : '1')} ${from}`
  return count(
    sql`(SELECT count(*) FROM (${select} ${readIfSql ? sql`LIMIT iif(${readIfSql}, -1, 0)` : sql``}))`,
  )
}
