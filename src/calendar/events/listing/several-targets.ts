import { type SQL, sql } from 'drizzle-orm'
import type { Facet } from '../../../kit/db/derived.ts'
import { eventVenues } from '../../../kit/db/tables.ts'
import { overlappingRows } from '../../content/visibility.ts'
import {
  END_OF_TIME,
  type Interval,
  intervalOfStarts,
  lowerBoundOfStarts,
  UNBOUNDED,
  upperBoundOfStarts,
  withinIntervalSql,
} from '../interval.ts'
import {
  alsoListedSql,
  BEGUN_COLUMNS,
  countedPeriods,
  type EventColumns,
  LISTED_COLUMNS,
  type Listing,
  REST_COLUMNS,
  startingBetween,
  totalOf,
} from './counts.ts'

// Totals of lists by several targets of a facet, such as two categories. An event may be listed under more
// than one of them.

/** The most targets that are counted: more targets are assumed to have many events. */
export const MAX_COUNTED = 8

/** The part `largest` of a WITH clause: the target with the most events. */
export function largestOf(facet: Facet, interval: Interval): SQL[] {
  if (facet === 'venue') return []
  const [first, last] = countedPeriods(facet, interval)
  const size = sql`(SELECT sum(count) FROM listing_counts WHERE facet = ${facet} AND target_id = target.value
    AND period BETWEEN ${first} AND ${last})`
  // With a LIMIT, sizes are columns of a subquery, which are computed once.
  return [
    sql`largest(target, size) AS MATERIALIZED (
      SELECT target, max(size) FROM (
        SELECT target.value AS target, ${size} AS size FROM narrowest CROSS JOIN json_each(narrowest.targets) AS target
        WHERE json_array_length(narrowest.targets) <= ${MAX_COUNTED} LIMIT ${MAX_COUNTED})
      HAVING max(size) > 0)`,
  ]
}

/**
 * The number of events of several targets that start in an interval.
 *
 * @param targets a FROM clause of the targets, with {@link largestOf} next to it
 * @param counted an expression for the same number, which reads all of the events
 */
export const countOfTargets = (facet: Facet, targets: SQL, interval: Interval, counted: SQL): SQL =>
  facet === 'venue'
    ? atVenues(targets, interval, counted)
    : withLargest(facet, targets, intervalOfStarts(interval))

/**
 * The number of events of the largest target, from counts of periods, and of events that only the other
 * targets have, which are read.
 */
function withLargest(facet: Facet, targets: SQL, interval: Interval): SQL {
  const largest: Listing = { facet, target: sql`(SELECT target FROM largest)` }
  // IS NOT rather than <>: where there is no largest target, all targets are others.
  const eventsOfOthers = sql`SELECT DISTINCT utc_start_date, event_id FROM ${targets} CROSS JOIN listings
    WHERE listings.facet = ${facet} AND listings.target_id = target.value AND target.value IS NOT ${largest.target}
      AND ${withinIntervalSql(interval, LISTED_COLUMNS)}`
  return sql`(iif(EXISTS (SELECT 1 FROM largest), ${totalOf(largest, interval)}, 0)
    + (SELECT count(*) FROM (${eventsOfOthers}) AS rest WHERE NOT ${alsoListedSql(largest, REST_COLUMNS)}))`
}

/**
 * The most events with several venues that are looked at for a total. If there are more, all events are
 * counted.
 */
const MAX_SEVERAL = 2_000

const SEVERAL_VENUES: Listing = { facet: 'several_venues', target: sql`1` }

/**
 * The number of events at some venues that start in an interval: the events of each venue, without events
 * that were counted at another venue already, and without events that end too late. The more venues there
 * are, the more counts are read, but never more than events.
 */
function atVenues(targets: SQL, interval: Interval, counted: SQL): SQL {
  const startFrom = lowerBoundOfStarts(interval)
  const startBefore = upperBoundOfStarts(interval)
  const { endBefore } = interval
  const countAtVenue = startingBetween({ facet: 'venue', target: sql`target.value` }, startFrom, startBefore)
  const linksOf = ({ id }: EventColumns) => sql`(SELECT count(*) FROM ${eventVenues} AS link
    WHERE link.event_id = ${id} AND +link.target_id IN (SELECT target.value FROM ${targets}))`
  const surplus = sql`SELECT ${linksOf(LISTED_COLUMNS)} - 1 AS n
    FROM listings WHERE facet = 'several_venues' AND target_id = 1 AND ${withinIntervalSql({ ...UNBOUNDED, startFrom, startBefore }, LISTED_COLUMNS)}`
  const late =
    endBefore === END_OF_TIME
      ? sql`0`
      : sql`(SELECT count(*) FROM ${overlappingRows({ startFrom, startBefore, endFrom: endBefore })} AS begun
        WHERE ${linksOf(BEGUN_COLUMNS)} > 0)`
  return sql`iif(${startingBetween(SEVERAL_VENUES, startFrom, startBefore)} > ${MAX_SEVERAL}, ${counted},
    (SELECT coalesce(sum(${countAtVenue}), 0) FROM ${targets}) - (SELECT coalesce(sum(n), 0) FROM (${surplus}) WHERE n > 0) - ${late})`
}
