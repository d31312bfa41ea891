import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { organizers, venues } from '../db/schema.ts'
import { fold, htmlToText, searchWords } from '../lib/text.ts'

export type SearchTable = 'venues_search' | 'organizers_search'

// A trigram index knows nothing shorter.
const SHORTEST_INDEXED = 3

/**
 * So many words are looked up in the index; it refuses long expressions. What they find is few enough to be
 * looked through for the others.
 */
const MOST_INDEXED = 8

/** A query's words: a MATCH expression for some of them, and all of them for a closer look. */
export type SearchTerms = { phrases: string | undefined; words: string[]; isExact: boolean }

/**
 * The words of a query, each to occur somewhere in the folded text. The longest go through the trigram index, as
 * quoted phrases in which nothing has a special meaning.
 */
export function searchTerms(query: string): SearchTerms {
  const words = searchWords(query)
  const indexed = words
    .filter(word => [...word].length >= SHORTEST_INDEXED)
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST_INDEXED)
  return {
    words,
    isExact: indexed.length === words.length,
    phrases: indexed.map(word => `"${word.replaceAll('"', '""')}"`).join(' AND ') || undefined,
  }
}

/** A condition: a folded text contains each of some folded words. One list, for expressions may not be deep. */
export const containsAll = (text: SQL, words: readonly string[]): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(words)}) AS words WHERE instr(${text}, words.value) = 0)`

/** Conditions on a text index for the words of a query; none can match where there are no words. */
export function matchConditions(table: SQL, text: SQL, query: string): SQL[] {
  const { words, phrases, isExact } = searchTerms(query)
  if (words.length === 0) return [sql`0`]
  return [
    ...(phrases === undefined ? [] : [sql`${table} MATCH ${phrases}`]),
    ...(isExact ? [] : [containsAll(text, words)]),
  ]
}

/** Venues or organizers in whose text every word occurs. */
export function matches(id: SQLiteColumn, table: SearchTable, query: string): SQL {
  const name = sql.identifier(table)
  const conditions = matchConditions(sql`${name}`, sql`search_text`, query)
  return sql`${id} IN (SELECT rowid FROM ${name} WHERE ${sql.join(conditions, sql` AND `)})`
}

/** Folded text for the index: a name, a description in HTML, and other texts. */
export const searchText = (name: string, description: string, others: readonly string[]): string =>
  fold([name, htmlToText(description), ...others].filter(Boolean).join('\n'))

const TABLES = { venues_search: venues, organizers_search: organizers } as const satisfies Record<
  SearchTable,
  unknown
>

/** The statement that stores texts of rows that are there. @param texts a JSON list of pairs of id and text */
export const indexTexts = (table: SearchTable, texts: SQL): SQL =>
  sql`INSERT OR REPLACE INTO ${sql.identifier(table)} (rowid, search_text)
    SELECT ${TABLES[table].id}, given.value ->> 1 FROM json_each(${texts}) AS given
    CROSS JOIN ${TABLES[table]} ON ${TABLES[table].id} = given.value ->> 0`

/** Adds the text of a row to the index, unless it is there. */
export const indexNewText = (table: SearchTable, id: SQL, text: string): SQL =>
  sql`INSERT INTO ${sql.identifier(table)} (rowid, search_text)
    SELECT new.id, ${text} FROM (SELECT ${id} AS id) AS new
    WHERE NOT EXISTS (SELECT 1 FROM ${sql.identifier(table)} WHERE rowid = new.id)`
