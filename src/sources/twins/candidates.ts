import { type SQL, sql } from 'drizzle-orm'
import { listings } from '../../db/derived.ts'
import { inList, literal, many, mapped, type Query, type RawRow } from '../../db/query.ts'
import { events, eventVenues } from '../../db/schema.ts'
import type { Status } from '../../lib/statuses.ts'
import type { TwinEvent, TwinPlace } from './judge.ts'

/** An event as it is stored, with what is needed to judge it. */
export type StoredTwin = TwinEvent & {
  id: number
  status: Status
  /** The source that it came of, `source:{id}`; null for events of other origin. */
  source: string | null
}

/** An event, and those that it is to be compared with. */
export type Nearby = { event: StoredTwin; candidates: StoredTwin[] }

/** The most events of one list that begin with an event or later, and those that begin before it. */
const MOST_AFTER = literal(30)
const MOST_BEFORE = literal(15)

/** Characters at the beginning of a description that may tell sessions apart. */
const TEXT = literal(400)

/** Statuses of what lists don't show, but that may come to be shown. */
const WAITING = ['pending', 'draft', 'future'] as const

/**
 * The first of the rows that start within the window of the row `near`, as a JSON array: a day with a thousand events at one
 * minute reads no more of them than these.
 */
function nearest(id: SQL, rows: SQL): SQL {
  const first = (window: SQL, most: SQL) =>
    sql`SELECT ${id} AS id FROM ${rows} AND utc_start_date ${window}, ${id} LIMIT ${most}`
  return sql`(SELECT json_group_array(id) FROM (
    SELECT id FROM (${first(sql`BETWEEN near.start AND near.until ORDER BY utc_start_date`, MOST_AFTER)})
    UNION ALL SELECT id FROM (${first(sql`>= near.since AND utc_start_date < near.start ORDER BY utc_start_date DESC`, MOST_BEFORE)})))`
}

/**
 * A query of the events that may be the same as some events: what begins within half an hour, or lasts the day on which the other
 * begins, in lists or on its way into them. Of the two, one at least came of a source, and they are of different origin. Where
 * more begin at the same time than are looked at, those at the same venue and those of the same title are among them. Events
 * in the trash, private ones, and those that lists never show, have none.
 *
 * @param ids of the events, as many as a piece of a source has at most
 */
export const selectCandidates = (ids: readonly number[]): Query<Nearby[]> =>
  mapped(
    many(
      sql`WITH wanted AS MATERIALIZED (
          SELECT id, title, source, all_day, start,
            CASE WHEN all_day THEN datetime(start, '-3 hours') ELSE datetime(start, '-30 minutes') END AS since,
            CASE WHEN all_day THEN datetime(start, '+86399 seconds') ELSE datetime(start, '+30 minutes') END AS until,
            datetime(start, '-' || (strftime('%s', start_date) % 86400) || ' seconds') AS midnight,
            date(start_date) || ' 00:00:00' AS midnight_utc
          FROM (SELECT id, title, all_day, utc_start_date AS start, start_date, ${sourceOf(sql`events.id`)} AS source
            FROM ${events} WHERE id IN ${inList(ids)} AND status IN ('publish', 'pending', 'draft', 'future') AND hide_from_listings = 0)
        ), places AS MATERIALIZED (
          SELECT wanted.*, 'event' AS facet, 0 AS target_id FROM wanted
          UNION ALL SELECT wanted.*, 'venue', target_id FROM wanted CROSS JOIN ${eventVenues} ON event_id = wanted.id
        ), listed AS MATERIALIZED (
          SELECT *, ${nearest(
            sql`event_id`,
            sql`${listings} WHERE facet = near.facet AND target_id = near.target_id`,
          )} AS ids FROM places AS near
        ), pairs AS MATERIALIZED (
          SELECT listed.id AS of, item.value AS other FROM listed CROSS JOIN json_each(ids) AS item
          UNION SELECT near.id, events.id FROM listed AS near CROSS JOIN ${events} INDEXED BY events_month_title
            ON listed AND substr(utc_start_date, 1, 7) = substr(start, 1, 7) AND events.title = near.title COLLATE NOCASE
              AND utc_start_date BETWEEN since AND until
            WHERE facet = 'event' AND json_array_length(ids) >= ${MOST_BEFORE}
          UNION SELECT wanted.id, event_id FROM wanted CROSS JOIN ${listings} CROSS JOIN ${events} ON events.id = event_id
            WHERE facet = 'event' AND target_id = 0 AND listings.utc_start_date IN (midnight, midnight_utc) AND events.all_day
          UNION SELECT near.id, item.value FROM (SELECT wanted.*, value AS status FROM wanted CROSS JOIN json_each(${JSON.stringify(WAITING)})) AS near
            CROSS JOIN json_each(${nearest(
              sql`events.id`,
              sql`${events} INDEXED BY events_unpublished WHERE status <> 'publish' AND status = near.status AND hide_from_listings = 0`,
            )}) AS item
        ), others AS MATERIALIZED (
          SELECT id, ${sourceOf(sql`id`)} AS source FROM (SELECT DISTINCT other AS id FROM pairs)
        ), found AS MATERIALIZED (
          SELECT other, of, others.source FROM pairs JOIN wanted ON wanted.id = of JOIN others ON others.id = other
          WHERE other <> of AND others.source IS NOT wanted.source
        ), shown AS (
          SELECT other AS id, source, json_group_array(of) AS of FROM found GROUP BY other
          UNION ALL SELECT id, source, NULL FROM wanted WHERE id IN (SELECT of FROM found)
        )
        ${judged()}`,
      readTwin,
    ),
    nearbyOf,
  )

/** A query of what is to be judged of some events, those that may still be the same as others. */
export const selectJudged = (ids: readonly number[]): Query<StoredTwin[]> =>
  many(
    sql`WITH shown AS (SELECT id, NULL AS source, NULL AS of FROM ${events} WHERE id IN ${inList(ids)}
      AND status IN ('publish', 'pending', 'draft', 'future') AND hide_from_listings = 0) ${judged()}`,
    row => readTwin(row).twin,
  )

/** What is looked at of the rows `shown`. */
const judged =
  (): SQL => sql`SELECT events.id, events.status, source, of, events.title, events.start_date, events.end_date, events.utc_start_date,
    events.utc_end_date, events.all_day, events.is_virtual, events.website,
    substr(coalesce(nullif(events.excerpt, ''), nullif(events.description, ''), nullif(series.excerpt, ''),
      series.description, ''), 1, ${TEXT}) AS text,
    (SELECT json_group_array(json_array(venues.id, name, address, city, geo_lat, geo_lng))
      FROM ${eventVenues} CROSS JOIN venues ON venues.id = target_id WHERE event_id = events.id) AS venues
  FROM shown CROSS JOIN ${events} ON events.id = shown.id LEFT JOIN series ON series.id = events.series_id
  ORDER BY events.id`

/** The source that an event came of, or null. The cron makes dates of series of sources. */
const sourceOf = (id: SQL): SQL =>
  sql`coalesce((SELECT min(source) FROM imports WHERE kind = 'event' AND target_id = ${id} AND source GLOB 'source:*'),
    (SELECT min(source) FROM ${events} AS date CROSS JOIN imports ON kind = 'series' AND target_id = date.series_id
      WHERE date.id = ${id} AND source GLOB 'source:*'))`

function readTwin(row: RawRow): { twin: StoredTwin; of: number[] | undefined } {
  // Of the statement above.
  const places = JSON.parse(String(row.venues)) as [
    number,
    string,
    string,
    string,
    number | null,
    number | null,
  ][]
  return {
    of: row.of === null ? undefined : (JSON.parse(String(row.of)) as number[]),
    twin: {
      id: Number(row.id),
      status: String(row.status) as Status,
      source: row.source === null ? null : String(row.source),
      title: String(row.title),
      start_date: String(row.start_date),
      end_date: String(row.end_date),
      utc_start_date: String(row.utc_start_date),
      utc_end_date: String(row.utc_end_date),
      all_day: row.all_day === 1,
      is_virtual: row.is_virtual === 1,
      website: String(row.website ?? ''),
      text: String(row.text),
      venues: places.map(
        ([id, name, address, city, lat, lng]): TwinPlace => ({
          ...{ id, name, address, city, lat, lng },
        }),
      ),
    },
  }
}

function nearbyOf(rows: readonly ReturnType<typeof readTwin>[]): Nearby[] {
  const nearby = new Map<number, Nearby>()
  // The judge works out once what it needs of a venue.
  const venues = new Map<number, TwinPlace>()
  for (const { twin } of rows)
    twin.venues = twin.venues.map(venue => venues.get(venue.id) ?? (venues.set(venue.id, venue) && venue))
  for (const { twin, of } of rows) if (!of) nearby.set(twin.id, { event: twin, candidates: [] })
  const pairs = new Set<string>()
  for (const { twin, of = [] } of rows)
    for (const id of of) {
      // Of two that were both asked for, each is a candidate of the other.
      const pair = [id, twin.id].sort((a, b) => a - b).join()
      if (pairs.has(pair)) continue
      pairs.add(pair)
      nearby.get(id)?.candidates.push(twin)
    }
  return [...nearby.values()].filter(({ candidates }) => candidates.length > 0)
}
