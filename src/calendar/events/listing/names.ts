import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext } from '../../../kit/context.ts'
import { unionAll } from '../../../kit/db/columns.ts'
import { termAncestors } from '../../../kit/db/derived.ts'
import { allOf, eachOf, literal } from '../../../kit/db/query.ts'
import {
  eventOrganizers,
  events,
  eventTerms,
  eventVenues,
  organizers,
  terms,
  venues,
} from '../../../kit/db/tables.ts'
import {
  containsAllSql,
  inNameOrAddressSql,
  MAX_WORDS_IN_NAMES,
  MIN_INDEXED_LENGTH,
  quotedPhrase,
  wordsByLength,
} from '../../content/search.ts'
import { readableSql } from '../../content/visibility.ts'
import { termPublicSql } from '../../terms/queries.ts'
import { type Interval, intervalOfStarts, withinIntervalSql } from '../interval.ts'
import {
  eventIdInKey,
  eventTextKey,
  idsMatching,
  listedMatchesSql,
  listedText,
  searchTextOfEvent,
  sharedMatches,
} from '../search.ts'
import { LISTED_COLUMNS } from './counts.ts'

// Searches that also look at the names of venues, organizers and terms. Events have no copy of names: a
// search finds names by their own indexes, and events by the listings of the named rows, so a new name of a
// venue changes no event. Each word may be in the text of an event or in a name: “jazz weir” finds the
// jazz at the Weir.

const inTermSql = (word: SQL): SQL =>
  sql`(instr(${terms.sort_name}, ${word}) > 0 OR instr(${terms.slug}, ${word}) > 0)`

const RELATED = [
  {
    facet: literal('venue'),
    index: sql.raw('venues_search'),
    table: venues,
    links: eventVenues,
  },
  {
    facet: literal('organizer'),
    index: sql.raw('organizers_search'),
    table: organizers,
    links: eventOrganizers,
  },
] as const

type NamedWord = { i: number; word: string; phrase: string }

/** The words that may be in names, for {@link WORD}: with the position of each among all words. */
function namedWords(query: string): { words: string[]; long: NamedWord[]; short: NamedWord[] } {
  const words = wordsByLength(query)
  const wordRows = words
    .slice(0, MAX_WORDS_IN_NAMES)
    .map((word, i) => ({ i, word, phrase: quotedPhrase(word) }))
  const isLong = ({ word }: NamedWord) => [...word].length >= MIN_INDEXED_LENGTH
  return {
    words,
    long: wordRows.filter(isLong),
    short: wordRows.filter(name => !isLong(name)),
  }
}

/** A word of {@link namedWords}, as a row of `json_each`. */
const WORD = {
  text: sql.raw("(word.value ->> 'word')"),
  phrase: sql.raw("(word.value ->> 'phrase')"),
  position: sql.raw("word.value ->> 'i'"),
}

/**
 * A SELECT of the venues, organizers and terms that the caller may read with a word in their names: `facet`,
 * `id` and the word's position.
 */
export function namesWith(context: BaseContext, query: string): SQL {
  const { long, short } = namedWords(query)
  const selects = RELATED.flatMap(({ facet, index, table }) => {
    const namesFrom = (from: SQL, matchSql: SQL) =>
      sql`SELECT ${facet} AS facet, ${table.id} AS id, ${WORD.position} AS word FROM ${from}
        CROSS JOIN ${table} ON ${table.id} = ${index}.rowid
        WHERE ${matchSql} AND ${inNameOrAddressSql(sql`${index}.search_text`, WORD.text)} AND ${readableSql(table, context)}`
    return [
      ...(long.length === 0
        ? []
        : [namesFrom(sql`${eachOf(long)} AS word CROSS JOIN ${index}`, sql`${index} MATCH ${WORD.phrase}`)]),
      // No index has words of a letter or two.
      ...(short.length === 0 ? [] : [namesFrom(sql`${index} CROSS JOIN ${eachOf(short)} AS word`, sql`1`)]),
    ]
  })
  const inTerms = [long, short].flatMap(words =>
    words.length === 0
      ? []
      : [
          sql`SELECT 'term' AS facet, ${terms.id} AS id, ${WORD.position} AS word
            FROM ${terms} CROSS JOIN ${eachOf(words)} AS word WHERE ${inTermSql(WORD.text)} AND ${termPublicSql}`,
        ],
  )
  return unionAll([sql`SELECT NULL AS facet, NULL AS id, NULL AS word WHERE 0`, ...selects, ...inTerms])
}

/** EXISTS with a subquery in FROM, which does not add to the depth of an expression. */
const existsSql = (select: SQL): SQL => sql`EXISTS (SELECT 1 FROM (${select}))`

/**
 * A condition on a row of `events` of any status: its text and its names together have all words of a query.
 */
export function matchesEverywhereSql(context: BaseContext, query: string): SQL {
  const { words } = namedWords(query)
  if (words.length === 0) return sql`${events.id} < 0`
  const word = sql.raw('word.value')
  const related = RELATED.map(({ index, table, links }) =>
    existsSql(sql`SELECT 1 FROM ${links} CROSS JOIN ${table} ON ${table.id} = ${links.target_id}
        CROSS JOIN ${index} ON ${index}.rowid = ${table.id}
        WHERE ${links.event_id} = ${events.id} AND ${inNameOrAddressSql(sql`${index}.search_text`, word)} AND ${readableSql(table, context)}`),
  )
  const inTerm =
    existsSql(sql`SELECT 1 FROM ${eventTerms} CROSS JOIN ${termAncestors} ON ${termAncestors.term_id} = ${eventTerms.target_id}
    CROSS JOIN ${terms} ON ${terms.id} = ${termAncestors.ancestor_id}
    WHERE ${eventTerms.event_id} = ${events.id} AND ${inTermSql(word)} AND ${termPublicSql}`)
  const inNames = sql.join([...related, inTerm], sql` OR `)
  return sql`NOT ${existsSql(sql`SELECT 1 FROM (SELECT ${searchTextOfEvent} AS own) AS text
    CROSS JOIN ${eachOf(words)} AS word
    WHERE instr(coalesce(text.own, ''), ${word}) = 0 AND NOT (word.key < ${literal(MAX_WORDS_IN_NAMES)} AND (${inNames}))`)}`
}

// Listed events that a search finds by names. A name with several of the words has one row with all of them,
// so that its listings are read once: with a row for each word, eight words of an address read 26 rows for
// each event (of 2,924), and now 7.

/** A search in names. @see TextSearch */
type NameSearch = { words: string; names: SQL }

/**
 * Parts of a WITH clause: `named`, the names with any of the words, and their words as bits; and `unnamed`,
 * the long words that no name has, as a MATCH expression and as bits. Every found event has these in its
 * text, so that no text has to be read for them.
 */
export function namesToFind({ words, names }: NameSearch): SQL[] {
  const { long } = namedWords(words)
  return [
    sql`named(facet, id, bits) AS MATERIALIZED (SELECT facet, id, sum(DISTINCT 1 << word) FROM (${names}) GROUP BY facet, id)`,
    sql`unnamed(phrases, bits) AS MATERIALIZED (
      SELECT group_concat(${WORD.phrase}, ' AND '), coalesce(sum(1 << (${WORD.position})), 0) FROM ${eachOf(long)} AS word
      WHERE NOT EXISTS (SELECT 1 FROM named WHERE bits >> (${WORD.position}) & 1))`,
  ]
}

/** A FROM clause of the listings of the rows of `named` in an interval. */
export const listedUnderNames = (interval: Interval): SQL =>
  sql`named CROSS JOIN listings ON listings.facet = named.facet AND listings.target_id = named.id
    AND ${withinIntervalSql(intervalOfStarts(interval), LISTED_COLUMNS)}`

/** The bits that any row of a group has. SQLite has no aggregate for it. */
const anyBits = (bits: SQL): SQL => {
  const bitSums = Array.from({ length: MAX_WORDS_IN_NAMES }, (_, i) => sql`max(${bits} & ${literal(1 << i)})`)
  return sql`(${sql.join(bitSums, sql` + `)})`
}

/**
 * A condition that is true if a row's names and the text of its event together have all words. The words are
 * conditions of their own, because each row of a list in JSON would be another row read.
 *
 * @param foundWords the positions of words in the names, as bits
 */
function restFoundSql(query: string, foundWords: SQL, text: SQL): SQL {
  const { words } = namedWords(query)
  const ownText = sql`coalesce(${text}, '')`
  const otherWords = words.slice(MAX_WORDS_IN_NAMES)
  return allOf([
    ...words
      .slice(0, MAX_WORDS_IN_NAMES)
      .map((word, i) => sql`(${foundWords} & ${literal(1 << i)} OR instr(${ownText}, ${word}) > 0)`),
    ...(otherWords.length > 0 ? [containsAllSql(ownText, otherWords)] : []),
  ])
}

/**
 * The events that a search finds by names: the part `linked` of a WITH clause. Some of the words may be in
 * their texts, but not all: other ranges find events by texts alone. It reads the listings of the names, and
 * a text where names lack a word.
 *
 * @param readIfSql a condition for reading them
 */
export function eventsByNames(words: string, interval: Interval, readIfSql: SQL): SQL {
  const bounds = intervalOfStarts(interval)
  const byText = sql`SELECT ${eventIdInKey} FROM events_search WHERE ${listedMatchesSql(words, bounds)}
    UNION ALL SELECT occurrence.id FROM ${sharedMatches(words, bounds)}`
  const unnamed = sql`(SELECT phrases FROM unnamed)`
  const text = listedText({ key: eventTextKey(sql`utc_start_date`, sql`event_id`), id: sql`event_id` })
  return sql`linked(utc_start_date, event_id, utc_end_date) AS MATERIALIZED (
    SELECT utc_start_date, event_id, utc_end_date FROM (
      SELECT utc_start_date, event_id, utc_end_date, ${anyBits(sql`bits`)} | (SELECT bits FROM unnamed) AS bits
      FROM ${listedUnderNames(interval)}
      WHERE ${readIfSql} AND (${unnamed} IS NULL OR event_id IN (${idsMatching(unnamed)}))
      GROUP BY utc_start_date, event_id
    ) AS found WHERE event_id NOT IN (${byText}) AND ${restFoundSql(words, sql`bits`, text)})`
}
