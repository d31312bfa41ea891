import { type SQL, sql } from 'drizzle-orm'
import { listings, nextChanges } from '../../kit/db/derived.ts'
import {
  eachOf,
  inList,
  literal,
  many,
  mapQuery,
  orNull,
  type Query,
  type RawRow,
  readNumber,
  readOneOf,
  readText,
} from '../../kit/db/query.ts'
import { events, eventVenues, sources, twinsPosition, venues } from '../../kit/db/tables.ts'
import { STATUSES, type Status } from '../../kit/lib/statuses.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, toEpoch } from '../../kit/lib/time.ts'
import { storedJson } from '../../kit/lib/values.ts'
import { sourceIdOf } from './groups.ts'
import { type ComparedEvent, MAX_MINUTES_APART } from './judge.ts'

const SHORTLY_BEFORE = literal(`-${MAX_MINUTES_APART} minutes`)
const SHORTLY_AFTER = literal(`+${MAX_MINUTES_APART} minutes`)

/** A stored event with the columns that are compared. */
export type EventToCompare = ComparedEvent & {
  id: number
  status: Status
  /** The number of the source that it came from; 0 for events of another origin. */
  source: number
  /** The series that it is a date of, if any. */
  series: number | null
}

export type NearbyEvents = { event: EventToCompare; others: EventToCompare[] }

/** The most events of one list that begin when an event does or later, and the most that begin before it. */
const MAX_AFTER = literal(25)
const MAX_BEFORE = literal(12)

/** The statuses of events that lists don't show yet. */
const WAITING = ['pending', 'draft', 'future'] as const

/** A condition for events that may have duplicates. */
const eligibleSql = sql`status IN ('publish', 'pending', 'draft', 'future') AND hide_from_listings = 0`

/**
 * The ids of the rows in the window of the row `near` that start nearest to it, as a JSON array. No more are
 * read, even if a thousand events start at the same minute.
 */
function nearestInTime(id: SQL, rows: SQL): SQL {
  const first = (moment: SQL, order: SQL, limit: SQL) =>
    sql`SELECT * FROM (SELECT ${id} AS id FROM ${rows} AND utc_start_date ${moment}
      ORDER BY utc_start_date ${order}, ${id} ${order} LIMIT ${limit})`
  return sql`(SELECT json_group_array(id) FROM (
    ${first(sql`BETWEEN near.start AND near.until`, sql`ASC`, MAX_AFTER)}
    UNION ALL ${first(sql`>= near.since AND utc_start_date < near.start`, sql`DESC`, MAX_BEFORE)}))`
}

/**
 * A query for the events that may be duplicates of some events: the two begin within half an hour of each
 * other, or one is all-day and the other begins on its first day. Both are in lists or may get there,
 * and are of different origin, at least one of them from a source. If too many events begin at the same time,
 * those at the same venue and those with the same title are among the ones that are compared. Events in the
 * trash, private ones, and those that lists never show have no duplicates.
 *
 * @param ids of the events, as many as a batch of a source has at most
 */
export const selectPossibleDuplicates = (ids: readonly number[]): Query<NearbyEvents[]> =>
  mapQuery(
    many(
      sql`WITH wanted AS MATERIALIZED (
          SELECT id, title, utc_start_date AS start, ${sourceIdOf(sql`events.id`)} AS source,
            datetime(utc_start_date, iif(all_day, '-3 hours', ${SHORTLY_BEFORE})) AS since,
            datetime(utc_start_date, iif(all_day, '+86399 seconds', ${SHORTLY_AFTER})) AS until,
            datetime(utc_start_date, '-' || (unixepoch(start_date) % 86400) || ' seconds') AS midnight,
            date(start_date) || ' 00:00:00' AS utc_midnight
          FROM ${events} WHERE id IN ${inList(ids)} AND ${eligibleSql}
        ), windows(facet, start, since, until, source) AS MATERIALIZED (
          SELECT 'event', start, since, until, source FROM wanted
          UNION SELECT 'event', midnight, midnight, midnight, source FROM wanted
          UNION SELECT 'event', utc_midnight, utc_midnight, utc_midnight, source FROM wanted
          UNION SELECT value, start, since, until, source FROM ${eachOf(WAITING)} CROSS JOIN wanted
            WHERE EXISTS (SELECT 1 FROM ${events} INDEXED BY events_unpublished WHERE status <> 'publish' AND status = value)
        ), lists AS MATERIALIZED (
          SELECT start, until, source, facet, iif(facet = 'event',
            ${nearestInTime(sql`event_id`, sql`${listings} WHERE facet = 'event' AND target_id = 0`)},
            ${nearestInTime(
              sql`events.id`,
              sql`${events} INDEXED BY events_unpublished WHERE status <> 'publish'
              AND status = near.facet AND hide_from_listings = 0`,
            )}
          ) AS ids FROM windows AS near
        ), crowded AS MATERIALIZED (
          SELECT * FROM wanted WHERE start IN (SELECT start FROM lists
            WHERE facet = 'event' AND until > start AND json_array_length(ids) >= ${MAX_BEFORE})
        ), at_venues AS (
          SELECT source, ${nearestInTime(sql`event_id`, sql`${listings} WHERE facet = 'venue' AND target_id = near.venue`)} AS ids
          FROM (SELECT DISTINCT target_id AS venue, start, since, until, source
            FROM crowded CROSS JOIN ${eventVenues} ON event_id = crowded.id) AS near
        ), others AS MATERIALIZED (
          SELECT id, own, ${sourceIdOf(sql`other.id`)} AS source FROM (
            SELECT item.value AS id, source AS own FROM lists CROSS JOIN json_each(ids) AS item
            UNION SELECT item.value, source FROM at_venues CROSS JOIN json_each(ids) AS item
            UNION SELECT events.id, source FROM crowded CROSS JOIN ${events} INDEXED BY events_title
              ON listed AND events.title = crowded.title COLLATE NOCASE
                AND utc_start_date BETWEEN since AND until) AS other
        ), compared AS (
          SELECT id, source FROM others WHERE source <> own UNION SELECT id, source FROM wanted
        )
        ${comparedColumns()}`,
      readEvent,
    ),
    comparedEvents => {
      const wantedIds = new Set(ids)
      // If both events were asked for, they are a pair once: only the event with the lower id has the other.
      const isPair = (event: EventToCompare, other: EventToCompare) =>
        other.source !== event.source && (other.id > event.id || !wantedIds.has(other.id))
      return nearbyOf(comparedEvents, ({ id }) => wantedIds.has(id), isPair)
    },
  )

/** A query for the compared columns of some events, without events that can have no duplicates any more. */
export const selectJudged = (ids: readonly number[]): Query<EventToCompare[]> =>
  many(
    sql`WITH compared AS (SELECT id, 0 AS source FROM ${events} WHERE id IN ${inList(ids)} AND ${eligibleSql}) ${comparedColumns()}`,
    readEvent,
  )

/** The most events that are compared with the waiting events of one page. */
const MAX_NEARBY = literal(400)

/**
 * A query for the events of any origin that begin within half an hour of some events, and that are in lists
 * or wait as well.
 *
 * @param ids a SELECT of their ids
 */
export const selectNearby = (ids: SQL): Query<NearbyEvents[]> =>
  mapQuery(
    many(
      sql`WITH waiting AS MATERIALIZED (
          SELECT id, datetime(utc_start_date, ${SHORTLY_BEFORE}) AS since, datetime(utc_start_date, ${SHORTLY_AFTER}) AS until
          FROM ${events} WHERE id IN (${ids})
        ), near(id) AS (
          SELECT event_id FROM waiting CROSS JOIN ${listings}
            ON facet = 'event' AND target_id = 0 AND utc_start_date BETWEEN since AND until
          UNION SELECT events.id FROM waiting CROSS JOIN ${events} INDEXED BY events_unpublished
            ON status <> 'publish' AND status IN ('future', 'pending')
            AND utc_start_date BETWEEN since AND until AND duplicate_of IS NULL
          LIMIT ${MAX_NEARBY}
        ), compared AS (SELECT id, 0 AS source FROM waiting UNION SELECT id, 0 FROM near)
        ${comparedColumns()}`,
      readEvent,
    ),
    comparedEvents =>
      nearbyOf(
        comparedEvents,
        ({ status }) => status === 'pending',
        (event, other) => other !== event && (other.series === null || other.series !== event.series),
      ),
  )

/** A SELECT of the columns that are compared, of the rows `compared`. */
const comparedColumns =
  (): SQL => sql`SELECT events.id, events.status, source, events.title, events.start_date, events.end_date, events.utc_start_date,
    events.utc_end_date, events.all_day, events.website, events.series_id,
    (SELECT json_group_array(json_array(venues.id, name, address, city, geo_lat, geo_lng))
      FROM ${eventVenues} CROSS JOIN ${venues} ON ${venues.id} = target_id WHERE event_id = ${events.id}) AS venues
  FROM compared CROSS JOIN ${events} ON events.id = compared.id
  ORDER BY events.id`

function readEvent(row: RawRow): EventToCompare {
  // The statements above make this JSON.
  const places = storedJson<[number, string, string, string, number | null, number | null][]>(
    readText(row.venues),
  )
  return {
    id: readNumber(row.id),
    status: readOneOf(STATUSES)(row.status),
    source: readNumber(row.source),
    series: orNull(readNumber)(row.series_id),
    title: readText(row.title),
    start_date: readText(row.start_date),
    end_date: readText(row.end_date),
    utc_start_date: readText(row.utc_start_date),
    utc_end_date: readText(row.utc_end_date),
    all_day: row.all_day === 1,
    website: String(row.website ?? ''),
    venues: places.map(([id, name, address, city, lat, lng]) => ({ id, name, address, city, lat, lng })),
  }
}

/**
 * The largest differences between starts of duplicates: if one lasts the whole day, in whatever zone, and if
 * none does.
 */
const DAYS_APART_MS = DAY_MS + 14 * HOUR_MS
const APART_MS = MAX_MINUTES_APART * MINUTE_MS

function nearbyOf(
  comparedEvents: EventToCompare[],
  isWanted: (event: EventToCompare) => boolean,
  isPair: (event: EventToCompare, other: EventToCompare) => boolean,
): NearbyEvents[] {
  const starts = new Map(comparedEvents.map(other => [other, toEpoch(other.utc_start_date)]))
  const isNear = (a: EventToCompare, b: EventToCompare) =>
    Math.abs((starts.get(a) ?? 0) - (starts.get(b) ?? 0)) <=
    (a.all_day || b.all_day ? DAYS_APART_MS : APART_MS)
  return comparedEvents.flatMap(event => {
    if (!isWanted(event)) return []
    const others = comparedEvents.filter(other => isPair(event, other) && isNear(other, event))
    return others.length > 0 ? [{ event, others }] : []
  })
}

/** A change of an event, and the position up to which duplicates have been looked for. */
export type ChangedEvent = { n: number; id: number; position: readonly [n: number, id: number] }

/** A SELECT of the next changed events, whose duplicates have not been looked for yet. */
const nextChanged = (limit: number): SQL =>
  nextChanges({
    from: sql`${twinsPosition} AS position CROSS JOIN`,
    after: {
      changeNumber: sql`position.n`,
      id: sql`position.id`,
      publicChangeNumber: sql`position.public_n`,
    },
    where: sql`changes.kind = 'events'
      AND (EXISTS (SELECT 1 FROM ${sources}) OR EXISTS (SELECT 1 FROM ${events} WHERE duplicate_of IS NOT NULL))`,
    more: sql`, position.n AS position_n, position.id AS position_id`,
    limit,
  })

/** A condition that is true if there are events whose duplicates have not been looked for yet. */
export const changedEventExistsSql = sql`EXISTS (${nextChanged(1)})`

/**
 * A query for the next events whose duplicates have not been looked for yet. It reads few rows if there are
 * none, and finds none while there are neither sources nor duplicates.
 */
export const selectChangedEvents = (limit: number): Query<ChangedEvent[]> =>
  many(nextChanged(limit), row => ({
    n: readNumber(row.change_number),
    id: readNumber(row.id),
    position: [readNumber(row.position_n), readNumber(row.position_id)],
  }))
