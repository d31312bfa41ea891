import { type SQL, sql } from 'drizzle-orm'
import { containsAll, matchConditions, searchTerms, searchText } from '../content/search.ts'
import { EVENT_IDS, searchKeySql } from '../db/event-keys.ts'
import { allOf } from '../db/query.ts'
import { events } from '../db/schema.ts'
import { htmlToText } from '../lib/text.ts'
import type { DateTime } from '../lib/time.ts'

const TABLE = sql`events_search`

type Searched = { title?: string | undefined; description?: string | undefined; excerpt?: string | undefined }

/** The statement that stores the text that `search` looks through: folded title, description and excerpt. */
export function indexEvent(id: SQL | number, { title = '', description = '', excerpt = '' }: Searched): SQL {
  const text = searchText(title, description, [htmlToText(excerpt)])
  return sql`INSERT OR REPLACE INTO ${TABLE} (rowid, listed, unlisted)
    SELECT search_key, iif(listed, ${text}, NULL), iif(listed, NULL, ${text})
    FROM ${events} WHERE ${events.id} = ${id}`
}

/** Events in whose text every word of the query occurs, listed or not. */
export const matchesSearch = (query: string): SQL =>
  sql`${events.id} IN (SELECT ${eventId} FROM ${TABLE}
    WHERE ${allOf(matchConditions(TABLE, sql`coalesce(listed, unlisted)`, query))})`

/** The id in a search key: its lowest bits. */
export const eventId = sql.raw(`(events_search.rowid & ${EVENT_IDS - 1})`)

const keyOf = (start: DateTime): SQL => {
  const [before = '', after = ''] = searchKeySql('?', '0').split('?')
  return sql`${sql.raw(before)}${start}${sql.raw(after)}`
}

type Starting = { startFrom?: DateTime; startBefore?: DateTime }

/** Conditions on the text index: listed events of the query's words that start in an interval. Its order is that of lists. */
export function listedMatches(query: string, { startFrom, startBefore }: Starting): SQL {
  const { words, phrases, isExact } = searchTerms(query)
  const conditions = [
    ...(phrases === undefined ? [sql`listed IS NOT NULL`] : [sql`${TABLE} MATCH ${`listed : (${phrases})`}`]),
    ...(isExact ? [] : [containsAll(sql`listed`, words)]),
    ...(words.length === 0 ? [sql`0`] : []),
    ...(startFrom === undefined ? [] : [sql`events_search.rowid >= ${keyOf(startFrom)}`]),
    ...(startBefore === undefined ? [] : [sql`events_search.rowid < ${keyOf(startBefore)}`]),
  ]
  return allOf(conditions)
}

/** A condition: the text of a listed event contains every word. For events that are found otherwise. */
export const hasWords = (id: SQL, query: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${TABLE} WHERE rowid = (SELECT search_key FROM events AS searched WHERE searched.id = ${id})
    AND ${containsAll(sql`listed`, searchTerms(query).words)})`
