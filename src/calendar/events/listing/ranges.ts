import { type SQL, sql } from 'drizzle-orm'
import { allOf } from '../../../kit/db/query.ts'
import { events } from '../../../kit/db/tables.ts'
import { overlappingRows } from '../../content/visibility.ts'
import {
  type Interval,
  intervalOfStarts,
  lowerBoundOfStarts,
  START_OF_TIME,
  withinIntervalSql,
} from '../interval.ts'
import type { EventListParams } from '../schema.ts'
import { eventIdInKey, eventTextKey, listedMatchesSql, sharedMatches, withWordsSql } from '../search.ts'
import { alsoListedSql, BEGUN_COLUMNS, countedPeriods, type EventColumns, LISTED_COLUMNS } from './counts.ts'
import { type EventFilter, type FacetFilter, singleTarget, type TextSearch } from './filters.ts'
import { eventsByNames, listedUnderNames, namesToFind } from './names.ts'
import { countOfTargets, largestOf, MAX_COUNTED } from './several-targets.ts'

/** The sort keys of lists. */
export type OrderBy = NonNullable<EventListParams['orderby']>

type IndexOrder = { by: OrderBy; terms: (direction: SQL) => SQL }

/**
 * A part of a list's events. Parts are disjoint, so that each is counted on its own, and limited to the rows
 * that the page may need.
 */
export type IndexRange = {
  /** FROM and what follows, with the columns `utc_start_date` and `event_id`. */
  from: SQL
  /** The order in which the first rows suffice for a page; without an order, all rows are read. */
  sortedBy?: IndexOrder
  /**
   * The same as `from`, with so few rows that the first of them in order are among them.
   * @param tail ORDER BY and LIMIT
   */
  fromFirstRows?: (tail: SQL) => SQL
  /** A condition for reading the range: otherwise another range has its rows. */
  readIfSql?: SQL
  isDistinct?: boolean
  /** Makes an expression of the number of its events, if it differs from the number of its rows. */
  count?: (counted: SQL) => SQL
}

export const BY_START: IndexOrder = {
  by: 'start_date',
  terms: direction => sql`ORDER BY utc_start_date ${direction}, event_id ${direction}`,
}

/** A filter that can be read from listings. */
type ListedFilter = FacetFilter & Pick<EventFilter, 'condition'>

const EVERYTHING: ListedFilter = { ...singleTarget('event', sql`0`), condition: sql`1` }

/**
 * The filters of a list of published events: a facet or words, which the statement reads, or a condition on
 * each event; or several if they are gathered.
 */
export type ListScan = {
  sources: readonly ListedFilter[]
  search: (TextSearch & Pick<EventFilter, 'condition'>) | undefined
  conditions: readonly SQL[]
  /** The events that the only filter leaves, or may leave. @see EventFilter */
  sorted?: SQL | undefined
  unsorted?: SQL | undefined
  /**
   * True if the ranges have no conditions of filters, because the statement that reads the ranges has these
   * conditions.
   */
  isGathered?: boolean
  interval: Interval
}

export function scanOf(filters: readonly EventFilter[], interval: Interval): ListScan {
  const sources: ListedFilter[] = []
  const conditions: SQL[] = []
  let words: ListScan['search']
  for (const { byFacet, search, condition } of filters)
    if (byFacet) sources.push({ ...byFacet, condition })
    else if (search !== undefined) words = { ...search, condition }
    else conditions.push(condition)
  const { sorted, unsorted } = (filters.length === 1 && filters[0]) || {}
  return { sources, search: words, conditions, sorted, unsorted, interval }
}

/** A scan with an index to read, whose ranges have no conditions of filters. */
export function gatheredScan(filters: readonly EventFilter[], interval: Interval): ListScan {
  const scan = scanOf(filters, interval)
  return { ...scan, sources: scan.sources.length > 0 ? scan.sources : [EVERYTHING], isGathered: true }
}

/** True if the statement has to look for the smallest source, or for the targets of a source. */
const hasToCompare = ({ isGathered, sources }: ListScan): boolean =>
  isGathered || sources.some(({ target }) => !target)

/**
 * Parts of a WITH clause: `compared`, the sources with their targets, and `narrowest`, the only source or the
 * smallest one by counts of periods, which is read. `narrowest` is empty if the text index finds fewer
 * events.
 */
export function narrowestOf(scan: ListScan): SQL[] {
  if (!hasToCompare(scan)) return []
  const { sources, search, interval } = scan
  const [source, ...otherSources] = sources
  if (source && otherSources.length === 0 && !search)
    return [singleSourceClause(source), ...(scan.isGathered ? [] : largestOf(source.facet, interval))]
  const lists = sources.map(({ facet, targets }) => {
    const [first, last] = countedPeriods(facet, interval)
    return sql`json_object('facet', ${facet}, 'targets', json((SELECT json_group_array(id) FROM (${targets}))),
      'first', ${first}, 'last', ${last})`
  })
  const size = sql`iif(json_array_length(source.value, '$.targets') > ${MAX_COUNTED}, ${Number.MAX_SAFE_INTEGER},
    (SELECT coalesce(sum(count), 0) FROM json_each(source.value, '$.targets') AS target
    CROSS JOIN listing_counts ON facet = source.value ->> 'facet' AND target_id = target.value
      AND period BETWEEN source.value ->> 'first' AND source.value ->> 'last'))`
  const smallestSql =
    search === undefined
      ? sql`1`
      : sql`size <= (SELECT count(*) FROM (
          SELECT 1 FROM events_search WHERE ${listedMatchesSql(search.words, intervalOfStarts(interval))}
          UNION ALL SELECT 1 FROM ${sharedMatches(search.words, intervalOfStarts(interval))}
          ${search.names ? sql`UNION ALL SELECT 1 FROM ${listedUnderNames(interval)}` : sql``}
          LIMIT (SELECT min(size) FROM compared)))`
  return [
    sql`compared(source, facet, targets, size) AS MATERIALIZED (
      SELECT source.key, source.value ->> 'facet', source.value ->> 'targets', ${size}
      FROM json_each(json_array(${sql.join(lists, sql`, `)})) AS source
    )`,
    sql`narrowest(source, facet, targets) AS MATERIALIZED (
      SELECT source, facet, targets FROM (SELECT * FROM compared ORDER BY size LIMIT 1) WHERE ${smallestSql}
    )`,
  ]
}

const singleSourceClause = ({ facet, targets }: ListedFilter): SQL =>
  sql`narrowest(source, facet, targets) AS MATERIALIZED (SELECT 0, ${facet}, (SELECT json_group_array(id) FROM (${targets})))`

/** Parts of a WITH clause that a search in names needs before {@link narrowestOf} counts. */
export const namesClause = ({ search }: ListScan): SQL[] =>
  search?.names ? namesToFind({ ...search, names: search.names }) : []

/** The part of a WITH clause with the events that a search finds by names. */
export function linkedOf(scan: ListScan): SQL[] {
  const { search, interval } = scan
  if (!search?.names) return []
  const readIfSql = hasToCompare(scan) ? sql`NOT EXISTS (SELECT 1 FROM narrowest)` : sql`1`
  return [eventsByNames(search.words, interval, readIfSql)]
}

/**
 * The most events that are read from an index without their starts. If there are more, the list looks at all
 * events of the window.
 */
const MAX_UNSORTED = 4_000

/** The part `unsorted` of a WITH clause: whether the events of such an index are few. */
export const unsortedOf = ({ unsorted }: ListScan): SQL[] =>
  unsorted
    ? [
        sql`unsorted(is_few) AS MATERIALIZED (SELECT count(*) <= ${MAX_UNSORTED}
          FROM (SELECT 1 ${unsorted} LIMIT ${MAX_UNSORTED + 1}))`,
      ]
    : []

/**
 * Ranges for the events that start in the interval, by the only filter.
 *
 * @param from the first start that is read, if it is later than the start of the interval
 */
export function startingRanges(scan: ListScan, from?: SQL): IndexRange[] {
  const { sources, search } = scan
  if (search !== undefined) return fromWords(search, scan)
  const [source = EVERYTHING] = sources
  const fromIndex = (index: SQL): SQL =>
    sql`FROM (SELECT id AS event_id, utc_start_date ${index} AND ${allOf([sql`listed`, withinIntervalSql(intervalOfStarts(scan.interval))])})`
  if (scan.sorted) return [{ from: fromIndex(scan.sorted), sortedBy: BY_START }]
  if (scan.unsorted)
    return [
      { from: fromIndex(scan.unsorted), readIfSql: sql`(SELECT is_few FROM unsorted)` },
      { ...fromSource(source, scan), readIfSql: sql`NOT (SELECT is_few FROM unsorted)` },
    ]
  return [fromSource(source, scan, from)]
}

/** Ranges for the events that start in the interval, by the smallest source or by words. @see gatheredScan */
export function gatheredRanges(scan: ListScan): IndexRange[] {
  const from = sql`FROM narrowest CROSS JOIN json_each(narrowest.targets) AS target CROSS JOIN listings
    ON listings.facet = narrowest.facet AND listings.target_id = target.value
    WHERE ${withinIntervalSql(intervalOfStarts(scan.interval), LISTED_COLUMNS)}`
  return [{ from, isDistinct: true }, ...(scan.search ? fromWords(scan.search, scan) : [])]
}

function fromSource(
  { facet, target }: FacetFilter,
  { interval, conditions }: ListScan,
  from?: SQL,
): IndexRange {
  const restSql = allOf([
    sql`listings.facet = ${facet} AND listings.target_id = ${target ?? sql`target.value`}`,
    ...(from ? [sql`${LISTED_COLUMNS.start} >= ${from}`] : []),
    withinIntervalSql(
      from ? { ...intervalOfStarts(interval), startFrom: START_OF_TIME } : intervalOfStarts(interval),
      LISTED_COLUMNS,
    ),
    ...conditions.map(condition => eventMatchesSql(condition, LISTED_COLUMNS)),
  ])
  if (target) return { sortedBy: BY_START, from: sql`FROM listings WHERE ${restSql}` }
  const targets = sql`narrowest CROSS JOIN json_each(narrowest.targets) AS target`
  return {
    sortedBy: BY_START,
    from: sql`FROM ${targets} CROSS JOIN listings WHERE ${restSql}`,
    // Each target's listing is read in its order, and the first rows of all targets are sorted. Only a
    // function may depend on the target.
    fromFirstRows: tail => sql`FROM (SELECT first.value ->> 0 AS utc_start_date, first.value ->> 1 AS event_id
      FROM ${targets} CROSS JOIN json_each((SELECT json_group_array(json_array(utc_start_date, event_id)) FROM (
        SELECT utc_start_date, event_id FROM listings WHERE ${restSql} ${tail}))) AS first)`,
    isDistinct: true,
    count: counted => countOfTargets(facet, targets, interval, counted),
  }
}

/**
 * Ranges for the events that the text indexes find, by texts of their own and by the texts of their series.
 */
function fromWords({ words, names }: TextSearch, scan: ListScan): IndexRange[] {
  const { interval } = scan
  const inTimeSql = withinIntervalSql(intervalOfStarts(interval), LISTED_COLUMNS)
  const unlessNarrow = hasToCompare(scan) && { readIfSql: sql`NOT EXISTS (SELECT 1 FROM narrowest)` }
  const ownRange: IndexRange = {
    from: sql`FROM events_search
      CROSS JOIN (SELECT id AS event_id, utc_start_date, utc_end_date FROM ${events}) AS listings
        ON listings.event_id = ${eventIdInKey}
      WHERE ${allOf([listedMatchesSql(words, intervalOfStarts(interval)), inTimeSql])}`,
    // The keys of the text index have the order of lists.
    sortedBy: { by: 'start_date', terms: direction => sql`ORDER BY events_search.rowid ${direction}` },
    ...unlessNarrow,
  }
  const sharedRange: IndexRange = {
    from: sql`FROM (SELECT occurrence.id AS event_id, occurrence.utc_start_date, occurrence.utc_end_date
      FROM ${sharedMatches(words, intervalOfStarts(interval))}) AS listings WHERE ${inTimeSql}`,
    sortedBy: BY_START,
    ...unlessNarrow,
  }
  return names
    ? [ownRange, sharedRange, { from: sql`FROM linked`, ...unlessNarrow }]
    : [ownRange, sharedRange]
}

/** A range for the events that start in the interval, in the order of the index of titles. */
export const fromTitles = ({ interval, conditions }: ListScan): IndexRange => ({
  from: sql`FROM (SELECT id AS event_id, title, utc_start_date FROM ${events} INDEXED BY events_title
    WHERE ${allOf([sql`listed`, withinIntervalSql(intervalOfStarts(interval)), ...conditions])})`,
  sortedBy: {
    by: 'title',
    terms: direction => sql`ORDER BY title COLLATE NOCASE ${direction}, event_id ${direction}`,
  },
})

/**
 * A range for the events that start before the interval's first moment and are still on then, if it has such
 * a moment.
 */
export function runningRanges(scan: ListScan): IndexRange[] {
  const { interval } = scan
  const { endFrom } = interval
  if (endFrom === START_OF_TIME) return []
  const condition = allOf([
    withinIntervalSql({ ...interval, endFrom: START_OF_TIME }, BEGUN_COLUMNS),
    ...scanConditions(BEGUN_COLUMNS, scan),
  ])
  return [
    {
      from: sql`FROM ${overlappingRows({ startBefore: lowerBoundOfStarts(interval), endFrom })} AS begun WHERE ${condition}`,
    },
  ]
}

/**
 * The conditions of a scan on a row. For several targets of a facet, the targets of the event are compared.
 */
function scanConditions(row: EventColumns, { sources, search, conditions, isGathered }: ListScan): SQL[] {
  if (isGathered) return []
  return [
    ...sources.map(({ facet, target, condition }) =>
      target ? alsoListedSql({ facet, target }, row) : eventMatchesSql(condition, row),
    ),
    ...(search === undefined ? [] : [searchedSql(search, row)]),
    ...conditions.map(condition => eventMatchesSql(condition, row)),
  ]
}

const searchedSql = ({ words, names, condition }: NonNullable<ListScan['search']>, row: EventColumns): SQL =>
  names
    ? eventMatchesSql(condition, row)
    : withWordsSql({ key: eventTextKey(row.start, row.id), id: row.id }, words)

const eventMatchesSql = (condition: SQL, { id }: EventColumns): SQL =>
  sql`EXISTS (SELECT 1 FROM ${events} WHERE ${events.id} = ${id} AND ${condition})`
