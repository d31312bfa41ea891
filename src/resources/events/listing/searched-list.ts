import { type SQL, sql } from 'drizzle-orm'
import { EVENT_IDS } from '../../../db/derived.ts'
import { literal } from '../../../db/query.ts'
import { hasWords, keyOf, listedMatches, sharedMatches } from '../search.ts'
import { ALL, BEGUN, overlappingIn } from './counts.ts'
import { alreadyOn, beginning, type IndexedList, type SelectedPage } from './indexed-list.ts'
import { type Interval, startsBefore } from './interval.ts'

/** The bounds of the start of events that begin in an interval; others are already on at its beginning. */
export function startsIn(interval: Interval) {
  const startFrom = beginning(interval) ?? interval.startFrom
  const startBefore = startsBefore(interval)
  return { ...(startFrom !== undefined && { startFrom }), ...(startBefore !== undefined && { startBefore }) }
}

/** A SELECT of the rows of a FROM clause that contain a query's words. @param rows as `begun`, with a condition */
const withWords = (rows: SQL, search: string): SQL => {
  const key = keyOf(BEGUN.start, BEGUN.id)
  return sql`SELECT ${key} AS search_key FROM ${rows} AND ${hasWords({ key, id: BEGUN.id }, search)}`
}

/**
 * A page of the list of all events that contain a query's words, in the order of the text index, whose keys hold start and
 * id. No event is looked up: those that end too late for the interval are few, and are subtracted (at 10,000 events, 1,300
 * rows for a word of every fifth event instead of 2,300; at 100,000, half of the time).
 */
export function searchedPage(
  list: Omit<IndexedList, 'listing' | 'except' | 'deep'> & { search: string },
): SelectedPage {
  const { search, interval, page, order, unlisted } = list
  const bounds = startsIn(interval)
  const { startFrom, startBefore } = bounds
  const { endBefore } = interval
  const direction = sql.raw(order)
  const most = sql`LIMIT ${page.perPage} + ${page.offset} + (SELECT count(*) FROM late)`
  const late =
    endBefore === undefined
      ? sql`SELECT 0 AS search_key WHERE 0`
      : withWords(
          overlappingIn(ALL, { startFrom, startBefore: startBefore ?? endBefore, endFrom: endBefore }),
          search,
        )
  const own = sql`FROM events_search WHERE ${listedMatches(search, bounds)}`
  const shared = sql`FROM ${sharedMatches(search, bounds)}`
  const key = keyOf(sql`utc_start_date`, sql`event_id`)
  const few = sql.join(
    [
      ...alreadyOn({ listing: ALL, except: [], interval }).map(rows =>
        withWords(sql`(${rows}) AS begun WHERE 1`, search),
      ),
      ...unlisted.map(rows => sql`SELECT ${key} AS search_key FROM (${rows})`),
      sql`SELECT 0 WHERE 0`,
    ],
    sql` UNION ALL `,
  )
  const occurrence = keyOf(sql`occurrence.utc_start_date`, sql`occurrence.id`)
  return {
    shared: sql`late(search_key) AS MATERIALIZED (${late}), few(search_key) AS MATERIALIZED (${few})`,
    ids: sql`SELECT search_key & ${literal(EVENT_IDS - 1)} AS id FROM (
        SELECT * FROM (SELECT rowid AS search_key ${own} ORDER BY rowid ${direction} ${most}) WHERE search_key NOT IN late
        UNION ALL
        SELECT * FROM (SELECT ${occurrence} AS search_key ${shared} ORDER BY 1 ${direction} ${most}) WHERE search_key NOT IN late
        UNION ALL SELECT search_key FROM few
      ) ORDER BY search_key ${direction} LIMIT ${literal(page.perPage)} OFFSET ${page.offset}`,
    total: sql`((SELECT count(*) ${own}) + (SELECT count(*) ${shared}) + (SELECT count(*) FROM few)
      - (SELECT count(*) FROM late))`,
  }
}
