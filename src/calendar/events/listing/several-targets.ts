import { type SQL, sql } from 'drizzle-orm'
import type { Facet } from '../../../kit/db/derived.ts'
import { type Interval, intervalOfStarts, withinIntervalSql } from '../interval.ts'
import {
  alsoListedSql,
  countedPeriods,
  LISTED_COLUMNS,
  type Listing,
  REST_COLUMNS,
  totalOf,
} from './counts.ts'

// Totals of lists by several targets of a facet, such as two categories. An event may be listed under more
// than one of them.

/** The most targets that are counted: more targets are assumed to have many events. */
export const MAX_COUNTED = 8

/** The part `largest` of a WITH clause: the target with the most events. */
export function largestOf(facet: Facet, interval: Interval): SQL[] {
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
 * The number of events of several targets that start in an interval. Of few targets, the events of the largest
 * one come from counts of periods, and those that only the others have are read; of many, all are read.
 *
 * @param targets a FROM clause of the targets, with {@link largestOf} next to it
 * @param counted an expression for the same number, which reads all of the events
 */
export function countOfTargets(facet: Facet, targets: SQL, interval: Interval, counted: SQL): SQL {
  const starts = intervalOfStarts(interval)
  const largest: Listing = { facet, target: sql`(SELECT target FROM largest)` }
  const eventsOfOthers = sql`SELECT DISTINCT utc_start_date, event_id FROM ${targets} CROSS JOIN listings
    WHERE listings.facet = ${facet} AND listings.target_id = target.value AND target.value <> ${largest.target}
      AND ${withinIntervalSql(starts, LISTED_COLUMNS)}`
  return sql`iif(EXISTS (SELECT 1 FROM largest), ${totalOf(largest, starts)}
    + (SELECT count(*) FROM (${eventsOfOthers}) AS rest WHERE NOT ${alsoListedSql(largest, REST_COLUMNS)}), ${counted})`
}
