import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { searchWords } from '../lib/text.ts'

export type SearchTable = 'venues_search' | 'organizers_search'

// A trigram index knows nothing shorter.
const SHORTEST_INDEXED = 3

/** What to look for: a MATCH expression for the words that the index knows, and the others. */
export type SearchTerms = { phrases: string | undefined; short: string[]; words: string[] }

/**
 * The words of a query, each to occur somewhere in the folded text. Words of three characters and
 * more go through the trigram index, as quoted phrases in which nothing has a special meaning.
 */
export function searchTerms(query: string): SearchTerms {
  const words = searchWords(query)
  const indexed = words.filter(word => [...word].length >= SHORTEST_INDEXED)
  return {
    words,
    short: words.filter(word => !indexed.includes(word)),
    phrases: indexed.map(word => `"${word.replaceAll('"', '""')}"`).join(' AND ') || undefined,
  }
}

/** Whether a text contains a word, both folded. */
export const contains = (text: SQL, word: string): SQL => sql`instr(${text}, ${word}) > 0`

/** Venues or organizers in whose text every word occurs. */
export function matches(id: SQLiteColumn, table: SearchTable, query: string): SQL {
  const { words, phrases, short } = searchTerms(query)
  const name = sql.identifier(table)
  const conditions = [
    ...(phrases ? [sql`${name} MATCH ${phrases}`] : []),
    ...short.map(word => contains(sql`search_text`, word)),
  ]
  if (words.length === 0) return sql`0`
  return sql`${id} IN (SELECT rowid FROM ${name} WHERE ${sql.join(conditions, sql` AND `)})`
}

/** Changes what `search` looks through, of a row that is still there. */
export const indexText = (table: SearchTable, id: number, text: string): SQL =>
  sql`UPDATE ${sql.identifier(table)} SET search_text = ${text} WHERE rowid = ${id}`

/** Stores it for a row that is new, or may have been there before, with its text. */
export const indexNewText = (table: SearchTable, id: SQL, text: string): SQL =>
  sql`INSERT INTO ${sql.identifier(table)} (rowid, search_text)
    SELECT ${id}, ${text} WHERE ${id} NOT IN (SELECT rowid FROM ${sql.identifier(table)})`
