import { type SQL, sql } from 'drizzle-orm'
import { EVENT_IDS, searchKeySql } from '../db/keys.ts'
import { events } from '../db/schema.ts'
import { fold, htmlToText } from '../lib/text.ts'
import type { DateTime } from '../lib/time.ts'
import { contains, searchTerms } from '../posts/search.ts'

const TABLE = sql`events_search`

type Searched = { title?: string | undefined; description?: string | undefined; excerpt?: string | undefined }

/** The statement that stores what `search` looks through: folded title, description and excerpt. */
export function indexEvent(id: SQL | number, { title = '', description = '', excerpt = '' }: Searched): SQL {
  const text = fold([title, htmlToText(description), htmlToText(excerpt)].filter(Boolean).join('\n'))
  return sql`INSERT OR REPLACE INTO ${TABLE} (rowid, listed, unlisted)
    SELECT search_key, iif(listed_from IS NULL, NULL, ${text}), iif(listed_from IS NULL, ${text}, NULL)
    FROM ${events} WHERE ${events.id} = ${id}`
}

/** Events in whose text every word of the query occurs, listed or not. */
export function matchesSearch(query: string): SQL {
  const { words, phrases, short } = searchTerms(query)
  if (words.length === 0) return sql`0`
  const text = sql`coalesce(listed, unlisted)`
  const conditions = [
    ...(phrases ? [sql`${TABLE} MATCH ${phrases}`] : []),
    ...short.map(word => contains(text, word)),
  ]
  return sql`${events.id} IN (SELECT ${eventId} FROM ${TABLE} WHERE ${sql.join(conditions, sql` AND `)})`
}

/** The id in a search key: its lowest bits. */
export const eventId = sql.raw(`(events_search.rowid & ${EVENT_IDS - 1})`)

/** Listed events of the phrases that start in a window, both ends included, in the order of lists. UTC. */
export const listedMatches = (phrases: string, start: DateTime, end: DateTime): SQL =>
  sql`${TABLE} MATCH ${`listed : (${phrases})`} AND events_search.rowid BETWEEN ${keyOf(start, 0)} AND ${keyOf(end, EVENT_IDS - 1)}`

const keyOf = (start: DateTime, id: number): SQL => {
  const [before = '', after = ''] = searchKeySql('?', String(id)).split('?')
  return sql`${sql.raw(before)}${start}${sql.raw(after)}`
}

/** Whether a listed event, named by its search key, has every word; for events that are few. */
export const hasWords = (searchKey: SQL, words: readonly string[]): SQL =>
  sql`EXISTS (SELECT 1 FROM ${TABLE} WHERE rowid = ${searchKey}
    AND ${sql.join(
      words.map(word => contains(sql`listed`, word)),
      sql` AND `,
    )})`
