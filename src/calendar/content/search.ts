import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { allOf, eachOf } from '../../kit/db/query.ts'
import { decodeEntities, fold, searchWords } from '../../kit/lib/text.ts'

export type SearchTable = 'venues_search' | 'organizers_search'

// A trigram index has no shorter words.
export const MIN_INDEXED_LENGTH = 3

/**
 * The most words that a search looks up in the index, which refuses long expressions. The rows with these
 * words are few enough to scan for the other words.
 */
const MAX_INDEXED = 8

/** A word as a phrase of a MATCH expression, without operators. */
export const quotedPhrase = (word: string): string => `"${word.replaceAll('"', '""')}"`

/** The words of a query, and a MATCH expression, which is exact if it has all words. */
type SearchTerms = { phrases: string | undefined; words: string[]; isExact: boolean }

/**
 * Splits a query into words. The folded text must contain all of them. Searches look up the longest words in
 * the trigram index, as quoted phrases without operators.
 */
export function searchTerms(query: string): SearchTerms {
  const words = searchWords(query)
  const indexed = words
    .filter(word => [...word].length >= MIN_INDEXED_LENGTH)
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_INDEXED)
  return {
    words,
    isExact: indexed.length === words.length,
    phrases: indexed.map(quotedPhrase).join(' AND ') || undefined,
  }
}

/** The most words that are conditions of their own. */
const MAX_ALONE = 8

/**
 * A condition that is true if a folded text contains all folded words. Many words become a list in JSON,
 * because the depth of expressions is limited; but for each text, each word of a list is another row read.
 */
export const containsAllSql = (text: SQLWrapper, words: readonly string[]): SQL =>
  words.length <= MAX_ALONE
    ? allOf(words.map(word => sql`instr(${text}, ${word}) > 0`))
    : sql`NOT EXISTS (SELECT 1 FROM ${eachOf(words)} AS words WHERE instr(${text}, words.value) = 0)`

/** Conditions on a text index for the words of a query; a query without words matches nothing. */
export function matchConditions(table: SQL, text: SQL, query: string): SQL[] {
  const { words, phrases, isExact } = searchTerms(query)
  if (words.length === 0) return [sql`0`]
  return [
    ...(phrases === undefined ? [] : [sql`${table} MATCH ${phrases}`]),
    ...(isExact ? [] : [containsAllSql(text, words)]),
  ]
}

/**
 * A MATCH expression for texts that begin with a name, in any case. It matches nothing for names that are too
 * short for the index.
 */
export const beginningWith = (name: string): string => `^${quotedPhrase(fold(decodeEntities(name)))}`

/** A condition for venues or organizers whose text contains every word of a query. */
export function matchesSql(id: SQLiteColumn, table: SearchTable, query: string): SQL {
  const name = sql.identifier(table)
  const conditions = matchConditions(sql`${name}`, sql`search_text`, query)
  return sql`${id} IN (SELECT rowid FROM ${name} WHERE ${sql.join(conditions, sql` AND `)})`
}

/**
 * The most words of a query that searches look for in the names of venues, organizers and terms, the longest
 * first. Without a limit, a search would compare a hundred words of one or two letters, which no index has,
 * with every name.
 */
export const MAX_WORDS_IN_NAMES = 8

/** The words of a query, the longest first. */
export const wordsByLength = (query: string): string[] =>
  searchWords(query).sort((a, b) => b.length - a.length)

/**
 * The characters that end the name and the address in the text of a venue or organizer. No name or address
 * contains them.
 */
const NAME_END = '\x1e'
const ADDRESS_END = '\x1f'

/** The parts of the text of a venue or organizer. Organizers have no address. */
type RelatedTexts = { name: string; address: string; others: string }

/**
 * The search text of a venue or organizer: {@link inNameSql} and {@link inNameOrAddressSql} read parts of it.
 */
export const relatedSearchText = ({ name, address, others }: RelatedTexts): string =>
  fold(name) + NAME_END + fold(address) + ADDRESS_END + fold(others)

/** A condition for a search text with a word before a character. */
const beforeSql = (end: string, text: SQL, word: SQL): SQL => {
  const character = sql.raw(`char(${end.charCodeAt(0)})`)
  return sql`instr(${text}, ${word}) BETWEEN 1 AND instr(${text}, ${character})`
}

/** A condition for the search text of a venue or organizer whose name contains a word. */
export const inNameSql = (text: SQL, word: SQL): SQL => beforeSql(NAME_END, text, word)

/** A condition for the search text of a venue or organizer whose name or address contains a word. */
export const inNameOrAddressSql = (text: SQL, word: SQL): SQL => beforeSql(ADDRESS_END, text, word)
