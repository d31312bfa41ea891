import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { searchWords } from '../lib/text.ts'

export type SearchTable = 'events_search' | 'venues_search' | 'organizers_search'

// A trigram index knows nothing shorter.
const SHORTEST_INDEXED = 3

/**
 * Rows in whose folded text every word occurs (SPEC §3). Words of three characters and more go through the
 * index, as quoted phrases in which nothing has a special meaning; shorter ones are looked for in the text.
 */
export function matches(id: SQLiteColumn, table: SearchTable, query: string): SQL {
  const words = searchWords(query)
  const indexed = words.filter(word => [...word].length >= SHORTEST_INDEXED)
  const short = words.filter(word => !indexed.includes(word))
  const name = sql.identifier(table)
  const phrases = indexed.map(word => `"${word.replaceAll('"', '""')}"`).join(' ')
  const conditions = [
    ...(indexed.length > 0 ? [sql`${name} MATCH ${phrases}`] : []),
    ...short.map(word => sql`instr(search_text, ${word}) > 0`),
  ]
  if (conditions.length === 0) return sql`0`
  return sql`${id} IN (SELECT rowid FROM ${name} WHERE ${sql.join(conditions, sql` AND `)})`
}

/** Stores what `search` looks through. @param id a number or an expression */
export const indexText = (table: SearchTable, id: SQL | number, text: string): SQL =>
  sql`INSERT OR REPLACE INTO ${sql.identifier(table)} (rowid, search_text) VALUES (${id}, ${text})`

/** The same for a row that may have been there before, with its text. */
export const indexNewText = (table: SearchTable, id: SQL, text: string): SQL =>
  sql`INSERT INTO ${sql.identifier(table)} (rowid, search_text)
    SELECT ${id}, ${text} WHERE ${id} NOT IN (SELECT rowid FROM ${sql.identifier(table)})`
