import { type SQL, sql } from 'drizzle-orm'
import { allOf, literal } from '../../../db/query.ts'
import { events } from '../../../db/schema.ts'
import { unionAll } from '../../../db/union.ts'
import type { Page } from '../../../http/lists.ts'
import { eventId, hasWords, keyOf, listedMatches, sharedMatches } from '../search.ts'
import { ALL, BEGUN, countedPeriods, type EventColumns, isIn, LISTED } from './counts.ts'
import type { EventFilter, FacetFilter } from './filters.ts'
import { alreadyOn, beginning, type SelectedPage } from './indexed-list.ts'
import { type Interval, startsBefore, within } from './interval.ts'

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

/** A filter by a facet, of which an index has the events. */
type Source = FacetFilter & Pick<EventFilter, 'condition'>

const EVERYTHING: Source = {
  facet: 'event',
  targets: sql`SELECT 0 AS id`,
  target: sql`0`,
  condition: sql`1`,
}

/** More targets than these are not counted: together they are taken for many events. */
const MOST_COUNTED = 8

const jsonOf = (targets: SQL): SQL => sql`(SELECT json_group_array(id) FROM (${targets}))`

/**
 * A page of a list with several filters, or in an order that no index has. The statement finds the filter with the fewest
 * events in the interval by counts of periods, reads its events, and checks the other filters on each of them.
 */
export function scannedPage(list: ScannedList): SelectedPage {
  const { filters, interval, page, order, orderedBy, unlisted } = list
  const facets = filters.flatMap(({ facet, condition }) =>
    facet && !facet.isNegated ? [{ ...facet, condition }] : [],
  )
  const search = filters.find(filter => filter.search !== undefined)?.search
  const sources = facets.length > 0 || search !== undefined ? facets : [EVERYTHING]
  const conditions = filters.flatMap(({ facet, search, condition }) =>
    search !== undefined || (facet && !facet.isNegated) ? [] : [condition],
  )
  const scan = { sources, search, interval, conditions }
  // The arms are disjoint, so that each can be counted, and limited to the rows that the page may need, by itself.
  const arms = [
    ...sources.map((_, i) => fromSource(i, scan)),
    ...(search === undefined ? [] : fromWords(search, scan)),
    ...alreadyOn({ listing: ALL, except: [], interval }).map(
      (rows): Arm => ({
        from: sql`FROM (${rows}) AS begun WHERE ${allOf(filtersOf(BEGUN, scan))}`,
        order: BY_START,
        guard: literal,
      }),
    ),
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
    shared: driverOf(scan),
    ids: sql`SELECT matches.event_id AS id FROM (${unionAll(rows)}) AS matches ${ordered}
      LIMIT ${literal(page.perPage)} OFFSET ${page.offset}`,
    total: sql`(${sql.join(counts, sql` + `)})`,
  }
}

/** What is looked for: filters of which one is read, words, and conditions of the other filters. */
type Scan = {
  sources: readonly Source[]
  search: string | undefined
  interval: Interval
  conditions: readonly SQL[]
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
function driverOf({ sources, search, interval }: Scan): SQL {
  const listed = sources.map(({ facet, targets }) => {
    const [first, last] = countedPeriods(facet, interval)
    return sql`json_object('facet', ${facet}, 'targets', json(${jsonOf(targets)}), 'first', ${first}, 'last', ${last})`
  })
  const isAlone = sources.length === 1 && search === undefined
  const size = isAlone
    ? sql`0`
    : sql`iif(json_array_length(source.value, '$.targets') > ${MOST_COUNTED}, ${Number.MAX_SAFE_INTEGER},
        (SELECT coalesce(sum(n), 0) FROM json_each(source.value, '$.targets') AS target
        CROSS JOIN listing_counts ON facet = source.value ->> 'facet' AND target_id = target.value
          AND period BETWEEN source.value ->> 'first' AND source.value ->> 'last'))`
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

/** The bounds of the start of events that begin in an interval; others are already on at its beginning. */
function startsIn(interval: Interval) {
  const startFrom = beginning(interval) ?? interval.startFrom
  const startBefore = startsBefore(interval)
  return { ...(startFrom !== undefined && { startFrom }), ...(startBefore !== undefined && { startBefore }) }
}

/** An arm for one source's events that start in the interval, if it is the driver. */
function fromSource(index: number, scan: Scan): Arm {
  const { sources, interval } = scan
  const source = sources[index] ?? EVERYTHING
  const { startFrom, startBefore } = startsIn(interval)
  // A single target's listing is read in its order; those of several are put in order.
  const { target } = source
  const head = target ? sql`` : sql`driver CROSS JOIN json_each(driver.targets) AS target CROSS JOIN`
  const where = allOf([
    sql`listings.facet = ${source.facet} AND listings.target_id = ${target ?? sql`target.value`}`,
    ...(startFrom === undefined ? [] : [sql`listings.utc_start_date >= ${startFrom}`]),
    ...(startBefore === undefined ? [] : [sql`listings.utc_start_date < ${startBefore}`]),
    within(interval, LISTED),
    ...filtersOf(LISTED, { ...scan, sources: sources.filter(other => other !== source) }),
  ])
  return {
    from: sql`FROM ${head} listings WHERE ${where}`,
    order: BY_START,
    guard: most => sql`iif((SELECT source FROM driver) = ${index}, ${most}, 0)`,
    isDistinct: target === undefined,
  }
}

/**
 * Arms for the events that start in the interval and that the text indexes find, by texts of their own and by those of their
 * series; empty if a source is smaller.
 */
function fromWords(search: string, { interval, ...scan }: Scan): Arm[] {
  const others = [within(interval, LISTED), ...filtersOf(LISTED, { ...scan, search: undefined })]
  const guard = (most: number) => sql`iif(EXISTS (SELECT 1 FROM driver), 0, ${most})`
  const own: Arm = {
    from: sql`FROM events_search
      CROSS JOIN (SELECT id AS event_id, utc_start_date, utc_end_date FROM ${events}) AS listings
        ON listings.event_id = ${eventId}
      WHERE ${allOf([listedMatches(search, startsIn(interval)), ...others])}`,
    // The keys of the text index have the order of lists.
    order: direction => sql`ORDER BY events_search.rowid ${direction}`,
    guard,
  }
  const shared: Arm = {
    from: sql`FROM (SELECT occurrence.id AS event_id, occurrence.utc_start_date, occurrence.utc_end_date
      FROM ${sharedMatches(search, startsIn(interval))}) AS listings WHERE ${allOf(others)}`,
    order: BY_START,
    guard,
  }
  return [own, shared]
}

/** The conditions of all filters on a row. Of several targets of a facet, those are compared that the event has. */
const filtersOf = (row: EventColumns, { sources, search, conditions }: Omit<Scan, 'interval'>): SQL[] => [
  ...sources.map(({ facet, target, condition }) =>
    target ? isIn({ facet, target }, row) : onEvent(condition, row),
  ),
  ...(search === undefined ? [] : [hasWords({ key: keyOf(row.start, row.id), id: row.id }, search)]),
  ...conditions.map(condition => onEvent(condition, row)),
]

const onEvent = (condition: SQL, { id }: EventColumns): SQL =>
  sql`EXISTS (SELECT 1 FROM ${events} WHERE ${events.id} = ${id} AND ${condition})`
