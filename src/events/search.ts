import { type SQL, sql } from 'drizzle-orm'
import { containsAll, matchConditions, searchTerms, searchText } from '../content/search.ts'
import { EVENT_IDS, searchKeySql } from '../db/event-keys.ts'
import { allOf } from '../db/query.ts'
import { events } from '../db/schema.ts'
import { htmlToText } from '../lib/text.ts'
import type { DateTime } from '../lib/time.ts'

const TABLE = sql`events_search`

/** The text that `search` looks through: folded title, description and excerpt. */
export const eventText = (row: Readonly<Record<string, unknown>>): string =>
  searchText(String(row.title ?? ''), String(row.description ?? ''), [htmlToText(String(row.excerpt ?? ''))])

/** The statement that stores texts of events that are there. @param texts a JSON list of pairs of id and text */
export const indexEvents = (texts: SQL): SQL =>
  sql`INSERT OR REPLACE INTO ${TABLE} (rowid, listed, unlisted)
    SELECT search_key, iif(listed, given.value ->> 1, NULL), iif(listed, NULL, given.value ->> 1)
    FROM json_each(${texts}) AS given CROSS JOIN ${events} ON ${events.id} = given.value ->> 0`

/** The statement that stores the text of one event. */
export const indexEvent = (id: SQL | number, row: Readonly<Record<string, unknown>>): SQL =>
  indexEvents(sql`json_array(json_array(${id}, ${eventText(row)}))`)

/** Events in whose text every word of the query occurs, listed or not. */
export const matchesSearch = (query: string): SQL =>
  sql`${events.id} IN (SELECT ${eventId} FROM ${TABLE}
    WHERE ${allOf(matchConditions(TABLE, sql`coalesce(listed, unlisted)`, query))})`

/** The id in a search key: its lowest bits. */
export const eventId = sql.raw(`(events_search.rowid & ${EVENT_IDS - 1})`)

/** The key of an event's text: its start, then its id. */
export function keyOf(start: SQL, id: SQL): SQL {
  const [before = '', between = '', after = ''] = searchKeySql('?', '?').split('?')
  return sql`${sql.raw(before)}${start}${sql.raw(between)}${id}${sql.raw(after)}`
}

type Starting = { startFrom?: DateTime; startBefore?: DateTime }

/** Conditions on the text index: listed events of the query's words that start in an interval. Its order is that of lists. */
export function listedMatches(query: string, { startFrom, startBefore }: Starting): SQL {
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

/** A condition: the text of a listed event contains every word. For events that are found otherwise. @see keyOf */
export const hasWords = (key: SQL, query: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${TABLE} WHERE rowid = ${key}
    AND ${containsAll(sql`listed`, searchTerms(query).words)})`
