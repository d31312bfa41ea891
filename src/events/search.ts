import { type SQL, sql } from 'drizzle-orm'
import { containsAll, matchConditions, searchTerms, searchText } from '../content/search.ts'
import { EVENT_IDS, searchKeySql } from '../db/event-keys.ts'
import { allOf } from '../db/query.ts'
import { events } from '../db/schema.ts'
import { htmlToText } from '../lib/text.ts'
import type { DateTime } from '../lib/time.ts'

const TABLE = sql`events_search`

/** The search text of an event: folded title, description and excerpt. */
export const eventText = (row: Readonly<Record<string, unknown>>): string =>
  searchText(String(row.title ?? ''), String(row.description ?? ''), [htmlToText(String(row.excerpt ?? ''))])

/** The statement that stores the texts of existing events. @param texts a JSON array of pairs of id and text */
export const indexEvents = (texts: SQL): SQL =>
  sql`INSERT OR REPLACE INTO ${TABLE} (rowid, listed, unlisted)
    SELECT search_key, iif(listed, given.value ->> 1, NULL), iif(listed, NULL, given.value ->> 1)
    FROM json_each(${texts}) AS given CROSS JOIN ${events} ON ${events.id} = given.value ->> 0`

/** The statement that stores the text of one event. */
export const indexEvent = (id: SQL | number, row: Readonly<Record<string, unknown>>): SQL =>
  indexEvents(sql`json_array(json_array(${id}, ${eventText(row)}))`)

/** A condition for events, listed or not, whose text contains every word of a query. */
export const matchesSearch = (query: string): SQL =>
  sql`${events.id} IN (SELECT ${eventId} FROM ${TABLE}
    WHERE ${allOf(matchConditions(TABLE, sql`coalesce(listed, unlisted)`, query))})`

/** The id in a search key, which is in the lowest bits. */
export const eventId = sql.raw(`(events_search.rowid & ${EVENT_IDS - 1})`)

/** The key of an event's text: its start, then its id. */
export function keyOf(start: SQL, id: SQL): SQL {
  const [before = '', between = '', after = ''] = searchKeySql('?', '?').split('?')
  return sql`${sql.raw(before)}${start}${sql.raw(between)}${id}${sql.raw(after)}`
}

type StartBounds = { startFrom?: DateTime; startBefore?: DateTime }

/** A condition on the text index for listed events that contain a query's words and start in an interval (UTC). */
export function listedMatches(query: string, { startFrom, startBefore }: StartBounds): SQL {
  const { words, phrases, isExact } = searchTerms(query)
  const conditions = [
    ...(phrases === undefined ? [sql`listed IS NOT NULL`] : [sql`${TABLE} MATCH ${`listed : (${phrases})`}`]),
    ...(isExact ? [] : [containsAll(sql`listed`, words)]),
    ...(words.length === 0 ? [sql`0`] : []),
    ...(startFrom === undefined ? [] : [sql`events_search.rowid >= ${keyOf(sql`${startFrom}`, sql`0`)}`]),
    ...(startBefore === undefined ? [] : [sql`events_search.rowid < ${keyOf(sql`${startBefore}`, sql`0`)}`]),
  ]
  return allOf(conditions)
}

/** A condition for listed events that another index has found: their text contains every word of a query. @see keyOf */
export const hasWords = (key: SQL, query: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${TABLE} WHERE rowid = ${key}
    AND ${containsAll(sql`listed`, searchTerms(query).words)})`
