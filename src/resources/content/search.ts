import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { given, jsonPieces, resolvedId } from '../../db/bulk.ts'
import { organizers, venues } from '../../db/schema.ts'
import { fold, htmlToText, searchWords } from '../../lib/text.ts'

export type SearchTable = 'venues_search' | 'organizers_search'

// A trigram index doesn't have shorter words.
const SHORTEST_INDEXED = 3

/**
 * The most words that are looked up in the index, which refuses long expressions. The rows with these words are few
 * enough to be scanned for the others.
 */
const MOST_INDEXED = 8

/** The words of a query, and a MATCH expression, which is exact if it has all of them. */
type SearchTerms = { phrases: string | undefined; words: string[]; isExact: boolean }

/**
 * Splits a query into words, which must all occur in the folded text. The longest are looked up in the trigram index, as
 * quoted phrases without operators.
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

/**
 * A condition that is true if a folded text contains all folded words. They are one list, because the depth of
 * expressions is limited.
 */
export const containsAll = (text: SQLWrapper, words: readonly string[]): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(words)}) AS words WHERE instr(${text}, words.value) = 0)`

/** Conditions on a text index for the words of a query; a query without words matches nothing. */
export function matchConditions(table: SQL, text: SQL, query: string): SQL[] {
  const { words, phrases, isExact } = searchTerms(query)
  if (words.length === 0) return [sql`0`]
  return [
    ...(phrases === undefined ? [] : [sql`${table} MATCH ${phrases}`]),
    ...(isExact ? [] : [containsAll(text, words)]),
  ]
}

/** A condition for venues or organizers whose text contains every word of a query. */
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

/** A row's text for searches. @see resolvedId */
export type IndexedText = { id: number; text: string }

/** The statements that store the texts of existing venues or organizers. */
export const indexTexts = (table: SearchTable, texts: readonly IndexedText[]): SQL[] =>
  jsonPieces(texts.map(({ id, text }) => ({ id, text }))).map(
    json => sql`INSERT OR REPLACE INTO ${sql.identifier(table)} (rowid, search_text)
      SELECT ${TABLES[table].id}, ${given('text')} FROM json_each(${json}) AS given
      CROSS JOIN ${TABLES[table]} ON ${TABLES[table].id} = ${resolvedId(TABLES[table], given('id'))}`,
  )
