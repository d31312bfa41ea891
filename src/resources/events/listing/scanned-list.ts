import { type SQL, sql } from 'drizzle-orm'
import { LONGEST_SPAN, SPANS } from '../../../db/derived.ts'
import { allOf, literal } from '../../../db/query.ts'
import { events } from '../../../db/schema.ts'
import type { Page } from '../../../http/lists.ts'
import { startOfDay } from '../../../lib/time.ts'
import { eventId, hasWords, keyOf, listedMatches, sharedMatches } from '../search.ts'
import type { EventFilter, FacetFilter } from './filters.ts'
import { alreadyOn, type SelectedPage } from './indexed-list.ts'
import { type Interval, startsBefore, within } from './interval.ts'
import { ALL, startsIn } from './searched-list.ts'
import { unionAll } from './union.ts'

type ScannedList = {
  filters: readonly EventFilter[]
  interval: Interval
  page: Page
  order: 'asc' | 'desc'
  /** Terms of ORDER BY with columns of `events`, for a list that is not ordered by the start. */
  orderedBy?: SQL | undefined
  /** SELECTs of the start and id of a few events that are in no listing. */
  unlisted: readonly SQL[]
}

const EVERYTHING: FacetFilter = { facet: 'event', targets: sql`SELECT 0 AS id`, target: sql`0` }

// The plus keeps SQLite from using the index by ends, which does not have the order of lists.
const ROW = { start: sql`listings.utc_start_date`, end: sql`+listings.utc_end_date` }

const LISTED = {
  key: keyOf(sql`listings.utc_start_date`, sql`listings.event_id`),
  id: sql`listings.event_id`,
}

/** More targets than these are not counted: together they are taken for many events. */
const MOST_COUNTED = 8

const jsonOf = (targets: SQL): SQL => sql`(SELECT json_group_array(id) FROM (${targets}))`

/**
 * A page of a list with several filters, or in an order that no index has. The statement finds the filter with the fewest
 * events in the interval by counts of months, reads its events, and checks the other filters on each of them.
 */
export function scannedPage(list: ScannedList): SelectedPage {
  const { filters, interval, page, order, orderedBy, unlisted } = list
  const facets = filters.flatMap(({ facet }) => (facet && !facet.isNegated ? [facet] : []))
  const search = filters.find(filter => filter.search !== undefined)?.search
  const sources = facets.length > 0 || search !== undefined ? facets : [EVERYTHING]
  // The arms are disjoint, so that each can be counted, and limited to the rows that the page may need, by itself.
  const arms = [
    ...sources.flatMap((_, i) => fromSource(i, sources, search, list)),
    ...(search === undefined ? [] : fromWords(search, sources, list)),
    ...unlisted.map((select): Arm => ({ from: sql`FROM (${select})`, order: BY_START, guard: literal })),
  ]
  const direction = sql.raw(order)
  const most = page.perPage + page.offset
  const rows = arms.map(({ from, order, guard, isDistinct = false }) => {
    const cut = orderedBy ? sql`LIMIT ${guard(-1)}` : sql`${order(direction)} LIMIT ${guard(most)}`
    return sql`SELECT * FROM (SELECT ${sql.raw(isDistinct ? 'DISTINCT' : '')} utc_start_date, event_id ${from} ${cut})`
  })
  const counts = arms.map(({ from, guard, isDistinct = false }) => {
    const column = sql.raw(isDistinct ? 'DISTINCT event_id' : '1')
    return sql`(SELECT count(*) FROM (SELECT ${column} ${from} LIMIT ${guard(-1)}))`
  })
  const ordered = orderedBy
    ? sql`CROSS JOIN ${events} ON ${events.id} = matches.event_id ORDER BY ${orderedBy}`
    : BY_START(direction)
  return {
    shared: driverOf(sources, search, interval),
    ids: sql`SELECT matches.event_id AS id FROM (${unionAll(rows)}) AS matches ${ordered}
      LIMIT ${literal(page.perPage)} OFFSET ${page.offset}`,
    total: sql`(${sql.join(counts, sql` + `)})`,
  }
}

/** A part of a list's events. */
type Arm = {
  /** FROM and what follows. */
  from: SQL
  /** The order of lists in this part's own terms. */
  order: (direction: SQL) => SQL
  /**
   * The limit of its rows: a number, or none for a part that another one stands in for. A limit is worked out before
   * anything is read, and a limit of nought ends it there.
   */
  guard: (most: number) => SQL
  isDistinct?: boolean
}

const BY_START = (direction: SQL): SQL => sql`ORDER BY utc_start_date ${direction}, event_id ${direction}`

/**
 * Parts of a WITH clause: `facets`, those of the filters with their targets, and `driver`, the smallest of them,
 * which is read. `driver` is empty if the text index finds fewer events.
 */
function driverOf(sources: readonly FacetFilter[], search: string | undefined, interval: Interval): SQL {
  const listed = sources.map(
    ({ facet, targets }) => sql`json_object('facet', ${facet}, 'targets', json(${jsonOf(targets)}))`,
  )
  const { startFrom, endFrom } = interval
  const first = (startFrom ?? endFrom ?? '').slice(0, 7)
  const last = (startsBefore(interval) ?? '9999-99').slice(0, 7)
  const isAlone = sources.length === 1 && search === undefined
  const size = isAlone
    ? sql`0`
    : sql`iif(json_array_length(source.value, '$.targets') > ${MOST_COUNTED}, ${Number.MAX_SAFE_INTEGER},
        (SELECT coalesce(sum(starts), 0) FROM json_each(source.value, '$.targets') AS target
        CROSS JOIN listing_counts ON facet = source.value ->> 'facet' AND target_id = target.value AND grain = 'month'
          AND period BETWEEN ${first} AND ${last}))`
  const fewerWords =
    search === undefined || sources.length === 0
      ? sql`1`
      : sql`size <= (SELECT count(*) FROM (
          SELECT 1 FROM events_search WHERE ${listedMatches(search, startsIn(interval))}
          UNION ALL SELECT 1 FROM ${sharedMatches(search, startsIn(interval))}
          LIMIT (SELECT min(size) FROM facets)))`
  return sql`facets(source, facet, targets, size) AS MATERIALIZED (
      SELECT source.key, source.value ->> 'facet', source.value ->> 'targets', ${size}
      FROM json_each(json_array(${sql.join(listed, sql`, `)})) AS source
    ), driver(source, facet, targets) AS MATERIALIZED (
      SELECT source, facet, targets FROM (SELECT * FROM facets ORDER BY size LIMIT 1) WHERE ${fewerWords}
    )`
}

type Filtered = Pick<ScannedList, 'filters' | 'interval'>

/** Arms for one source's events in the interval, if it is the driver: those that start in it, and those already on at its beginning. */
function fromSource(
  index: number,
  sources: readonly FacetFilter[],
  search: string | undefined,
  { filters, interval }: Filtered,
): Arm[] {
  const source = sources[index]
  if (!source) return []
  const { startFrom, endFrom } = interval
  const last = startsBefore(interval)
  const conditions = allOf([
    within(interval, ROW),
    ...sources.flatMap((other, i) => (i === index ? [] : [isIn(other, i)])),
    ...otherConditions(filters),
    ...(search === undefined ? [] : [hasWords(LISTED, search)]),
  ])
  // A single target's listing is read in its order; those of several are put in order.
  const { target } = source
  const head = target ? sql`` : sql`driver CROSS JOIN json_each(driver.targets) AS target CROSS JOIN`
  const listed = sql`listings.facet = ${source.facet} AND listings.target_id = ${target ?? sql`target.value`}`
  const arm = (join: SQL, start: SQL): Arm => ({
    from: sql`FROM ${head} ${join} WHERE ${listed} AND ${start}
      ${last === undefined ? sql`` : sql`AND listings.utc_start_date < ${last}`} AND ${conditions}`,
    order: BY_START,
    guard: most => sql`iif((SELECT source FROM driver) = ${index}, ${most}, 0)`,
    isDistinct: target === undefined,
  })
  if (endFrom === undefined)
    return [
      arm(sql`listings`, startFrom === undefined ? sql`1` : sql`listings.utc_start_date >= ${startFrom}`),
    ]
  // Events that start before that day are found by their class by length: few of each class can still be on.
  const day = startOfDay(endFrom)
  const classes = sql`json_each(${JSON.stringify([...SPANS, LONGEST_SPAN])}) AS spans
    CROSS JOIN listings INDEXED BY listings_span`
  return [
    arm(
      sql`listings`,
      sql`listings.utc_start_date >= ${startFrom !== undefined && startFrom > day ? startFrom : day}`,
    ),
    arm(
      classes,
      sql`listings.span > 0 AND listings.span = spans.value AND listings.utc_start_date < ${day}
        AND listings.utc_start_date >= coalesce(date(${endFrom}, -spans.value || ' days'), '')`,
    ),
  ]
}

/**
 * Arms for the events of the interval that the text indexes find, by texts of their own and by those of their series, and
 * for those that are on at its beginning, or else all of the past with these words would be read; empty if a source is
 * smaller.
 */
function fromWords(search: string, sources: readonly FacetFilter[], { filters, interval }: Filtered): Arm[] {
  const others = [...sources.map(isIn), ...otherConditions(filters)]
  const conditions = [within(interval, ROW), ...others]
  const guard = (most: number) => sql`iif(EXISTS (SELECT 1 FROM driver), 0, ${most})`
  const own: Arm = {
    from: sql`FROM events_search
      CROSS JOIN (SELECT id AS event_id, utc_start_date, utc_end_date FROM ${events}) AS listings
        ON listings.event_id = ${eventId}
      WHERE ${allOf([listedMatches(search, startsIn(interval)), ...conditions])}`,
    // The keys of the text index have the order of lists.
    order: direction => sql`ORDER BY events_search.rowid ${direction}`,
    guard,
  }
  const shared: Arm = {
    from: sql`FROM (SELECT occurrence.id AS event_id, occurrence.utc_start_date, occurrence.utc_end_date
      FROM ${sharedMatches(search, startsIn(interval))}) AS listings WHERE ${allOf(conditions)}`,
    order: BY_START,
    guard,
  }
  const on = alreadyOn({ listing: ALL, except: [], interval }).map(
    (rows): Arm => ({
      from: sql`FROM (${rows}) AS listings WHERE ${allOf([hasWords(LISTED, search), ...others])}`,
      order: BY_START,
      guard,
    }),
  )
  return [own, shared, ...on]
}

/** The conditions of filters that are no source: negated ones, and those by a column. */
const otherConditions = (filters: readonly EventFilter[]): SQL[] =>
  filters.flatMap(({ facet, search, condition }) => {
    if (facet) return facet.isNegated ? [sql`NOT ${isIn(facet)}`] : []
    if (search !== undefined) return []
    return [sql`EXISTS (SELECT 1 FROM ${events} WHERE ${events.id} = listings.event_id AND ${condition})`]
  })

/** A condition for rows of `listings` whose event is listed by a facet's targets. @param source the facet's position among the sources */
function isIn({ facet, target, targets }: FacetFilter, source?: number): SQL {
  if (target)
    return sql`EXISTS (SELECT 1 FROM listings AS other WHERE other.facet = ${facet} AND other.target_id = ${target}
      AND other.utc_start_date = listings.utc_start_date AND other.event_id = listings.event_id)`
  const ids =
    source === undefined
      ? targets
      : sql`SELECT value FROM facets CROSS JOIN json_each(facets.targets) WHERE +facets.source = ${source}`
  // The plus keeps SQLite from asking the index for each of many targets, where an event has few.
  return sql`EXISTS (SELECT 1 FROM listings AS other WHERE other.event_id = listings.event_id AND other.facet = ${facet}
    AND +other.target_id IN (${ids}))`
}
