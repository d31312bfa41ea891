import { type SQL, sql } from 'drizzle-orm'
import { LONGEST_SPAN, SPANS } from '../../db/event-keys.ts'
import { allOf } from '../../db/query.ts'
import { events } from '../../db/schema.ts'
import type { Page } from '../../http/lists.ts'
import { eventId, hasWords, listedMatches } from '../search.ts'
import type { EventFilter, FacetFilter } from './filters.ts'
import type { SelectedPage } from './indexed-list.ts'
import { startOfDay } from '../../lib/time.ts'
import { type Interval, within } from './interval.ts'

type ScannedList = {
  filters: readonly EventFilter[]
  interval: Interval
  page: Page
  /** ORDER BY of a SELECT from `matches`, joined with `events` if it sorts by other columns than the start. */
  order: { by: SQL; needsEvents: boolean }
  /** SELECTs of start and id of further events, few. */
  unlisted: readonly SQL[]
}

const EVERYTHING: FacetFilter = { facet: 'event', targets: sql`SELECT 0 AS id`, target: sql`0` }

const ROW = { start: sql`listings.utc_start_date`, end: sql`listings.utc_end_date` }

/** More targets than these are not counted: together they are taken for many events. */
const MOST_COUNTED = 8

const jsonOf = (targets: SQL): SQL => sql`(SELECT json_group_array(id) FROM (${targets}))`

/**
 * A page of a list with several filters, or in another order than an index has. The filter with the fewest events in
 * the interval is read, and each of its events is looked up by the others. Which that is is found out by counts of
 * months in the same statement.
 */
export function scannedPage({ filters, interval, page, order, unlisted }: ScannedList): SelectedPage {
  const facets = filters.flatMap(({ facet }) => (facet && !facet.isNegated ? [facet] : []))
  const search = filters.find(filter => filter.search !== undefined)?.search
  const sources = facets.length > 0 || search !== undefined ? facets : [EVERYTHING]
  const isDistinct = sources.some(({ target }) => target === undefined)
  const driver = driverOf(sources, search, interval)
  const others = otherConditions(filters)
  // Whatever is read by one filter is looked up by the others only.
  const inOthers = sources.map((source, i) => sql`(driver.source = ${i} OR ${isIn(source)})`)
  const arms = [
    ...(sources.length === 0 ? [] : fromFacets(interval, [...inOthers, ...others, ...wordsIn(search)])),
    ...(search === undefined
      ? []
      : [fromWords(search, interval, { conditions: [...sources.map(isIn), ...others], isRival: sources.length > 0 })]),
    ...unlisted,
  ]
  const matches = sql`${sql.raw(isDistinct ? 'SELECT DISTINCT' : 'SELECT')} utc_start_date, event_id FROM (${sql.join(
    arms,
    sql` UNION ALL `,
  )})`
  const join = order.needsEvents ? sql`CROSS JOIN ${events} ON ${events.id} = matches.event_id` : sql``
  return {
    ids: sql`${driver} SELECT matches.event_id AS id FROM (${matches}) AS matches ${join}
      ORDER BY ${order.by} LIMIT ${page.perPage} OFFSET ${page.offset}`,
    total: sql`(${driver} SELECT count(*) FROM (${matches}))`,
  }
}

/**
 * A WITH clause of `sources`, the facets of the filters with their targets, and `driver`, the one to be read: the
 * smallest. None is read from if the text index finds fewer.
 */
function driverOf(sources: readonly FacetFilter[], search: string | undefined, interval: Interval): SQL {
  const listed = sources.map(({ facet, targets }) => sql`json_object('facet', ${facet}, 'targets', json(${jsonOf(targets)}))`)
  const { startFrom, startBefore, endFrom, endBefore } = interval
  const first = (startFrom ?? endFrom ?? '').slice(0, 7)
  const last = (startBefore ?? endBefore ?? '9999-99').slice(0, 7)
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
      : sql`size <= (SELECT count(*) FROM (SELECT 1 FROM events_search WHERE ${listedMatches(search, interval)}
          LIMIT (SELECT min(size) FROM sources)))`
  return sql`WITH sources(source, facet, targets, size) AS MATERIALIZED (
      SELECT source.key, source.value ->> 'facet', source.value ->> 'targets', ${size}
      FROM json_each(json_array(${sql.join(listed, sql`, `)})) AS source
    ), driver(source, facet, targets) AS MATERIALIZED (
      SELECT source, facet, targets FROM (SELECT * FROM sources ORDER BY size LIMIT 1) WHERE ${fewerWords}
    )`
}

/** Rows of the driver's listings in the interval: those that start in it, and those that were on when it began. */
function fromFacets(interval: Interval, conditions: readonly SQL[]): SQL[] {
  const { startFrom, endFrom } = interval
  const rows = (join: SQL, start: SQL) => sql`SELECT listings.utc_start_date, listings.event_id
    FROM driver CROSS JOIN json_each(driver.targets) AS target ${join} ON listings.facet = driver.facet
      AND listings.target_id = target.value AND ${start}
    WHERE ${within(interval, ROW)} AND ${allOf(conditions)}`
  const all = sql`CROSS JOIN listings`
  if (endFrom === undefined)
    return [rows(all, startFrom === undefined ? sql`1` : sql`listings.utc_start_date >= ${startFrom}`)]
  // What is on from before that day belongs to a class by length; classes lead to the few that are not over.
  const day = startOfDay(endFrom)
  const classes = sql`CROSS JOIN json_each(${JSON.stringify([...SPANS, LONGEST_SPAN])}) AS spans
    CROSS JOIN listings INDEXED BY listings_span`
  return [
    rows(all, sql`listings.utc_start_date >= ${startFrom !== undefined && startFrom > day ? startFrom : day}`),
    rows(
      classes,
      sql`listings.span > 0 AND listings.span = spans.value AND listings.utc_start_date < ${day}
        AND listings.utc_start_date >= coalesce(date(${endFrom}, -spans.value || ' days'), '')`,
    ),
  ]
}

const wordsIn = (search: string | undefined): SQL[] =>
  search === undefined ? [] : [hasWords(sql`listings.event_id`, search)]

type Found = { conditions: readonly SQL[]; isRival: boolean }

/** Events that the text index finds, in the interval; with a rival, only if that one was not found to be smaller. */
function fromWords(search: string, interval: Interval, { conditions, isRival }: Found): SQL {
  const guard = isRival ? sql`(SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM driver)) AS guard CROSS JOIN` : sql``
  return sql`SELECT listings.utc_start_date, listings.event_id FROM ${guard} events_search
    CROSS JOIN (SELECT id AS event_id, utc_start_date, utc_end_date FROM ${events}) AS listings
      ON listings.event_id = ${eventId}
    WHERE ${listedMatches(search, interval)} AND ${within(interval, ROW)} AND ${allOf(conditions)}`
}

/** Conditions of filters that are no source: by what an event is not, or by one of its columns. */
const otherConditions = (filters: readonly EventFilter[]): SQL[] =>
  filters.flatMap(({ facet, search, condition }) => {
    if (facet) return facet.isNegated ? [sql`NOT ${isIn(facet)}`] : []
    if (search !== undefined) return []
    return [sql`EXISTS (SELECT 1 FROM ${events} WHERE ${events.id} = listings.event_id AND ${condition})`]
  })

/** A condition on a row of `listings`: its event is listed by a facet's targets. */
const isIn = ({ facet, target, targets }: FacetFilter): SQL =>
  target
    ? sql`EXISTS (SELECT 1 FROM listings AS other WHERE other.facet = ${facet} AND other.target_id = ${target}
        AND other.utc_start_date = listings.utc_start_date AND other.event_id = listings.event_id)`
    : sql`EXISTS (SELECT 1 FROM listings AS other WHERE other.event_id = listings.event_id AND other.facet = ${facet}
        AND other.target_id IN (${targets}))`
