import { type SQL, sql } from 'drizzle-orm'
import { allOf, literal } from '../../../db/query.ts'
import { containsAll, MOST_NAMED } from '../../content/search.ts'
import { eventId, idsMatching, keyOf, listedMatches, listedText, sharedMatches } from '../search.ts'
import { LISTED } from './counts.ts'
import { type Interval, startsIn, within } from './interval.ts'
import { namedWords, WORD } from './names.ts'

// Listed events that a search finds by names. A name with several of the words has one row with all of them, so that its listings are
// read once: with a row for each word, eight words of an address read 26 rows for each event (of 2,924), and now 7.

/** A search in names. @see TextSearch */
type NameSearch = { words: string; names: SQL }

/**
 * Parts of a WITH clause: `named`, the names with any of the words, and their words as bits; and `unnamed`, the long words that no
 * name has, as a MATCH expression and as bits. Every found event has these in its text, so that no text has to be read for them.
 */
export function namesToFind({ words, names }: NameSearch): SQL[] {
  const { long } = namedWords(words)
  return [
    sql`named(facet, id, bits) AS MATERIALIZED (SELECT facet, id, sum(DISTINCT 1 << word) FROM (${names}) GROUP BY facet, id)`,
    sql`unnamed(phrases, bits) AS MATERIALIZED (
      SELECT group_concat(${WORD.phrase}, ' AND '), coalesce(sum(1 << (${WORD.position})), 0) FROM json_each(${long}) AS word
      WHERE NOT EXISTS (SELECT 1 FROM named WHERE bits >> (${WORD.position}) & 1))`,
  ]
}

/** A FROM clause of the listings of the rows of `named` in an interval. */
export const listedUnderNames = (interval: Interval): SQL =>
  sql`named CROSS JOIN listings ON listings.facet = named.facet AND listings.target_id = named.id
    AND ${within(startsIn(interval), LISTED)}`

/** The bits that any row of a group has. SQLite has no aggregate for it. */
const anyBits = (bits: SQL): SQL => {
  const each = Array.from({ length: MOST_NAMED }, (_, i) => sql`max(${bits} & ${literal(1 << i)})`)
  return sql`(${sql.join(each, sql` + `)})`
}

/**
 * A condition that is true if a row's names and the text of its event together have all words. The words are conditions of their
 * own, because each row of a list in JSON would be another row read.
 *
 * @param found the positions of words in the names, as bits
 */
function hasRest(query: string, found: SQL, text: SQL): SQL {
  const { all } = namedWords(query)
  const own = sql`coalesce(${text}, '')`
  const others = all.slice(MOST_NAMED)
  return allOf([
    ...all
      .slice(0, MOST_NAMED)
      .map((word, i) => sql`(${found} & ${literal(1 << i)} OR instr(${own}, ${word}) > 0)`),
    ...(others.length > 0 ? [containsAll(own, others)] : []),
  ])
}

/**
 * The events that a search finds by names: the part `linked` of a WITH clause. Some of the words may be in their texts, but not
 * all: other ranges find events by texts alone. It reads the listings of the names, and a text where names lack a word.
 *
 * @param isRead a condition for reading them
 */
export function eventsByNames(words: string, interval: Interval, isRead: SQL): SQL {
  const bounds = startsIn(interval)
  const byText = sql`SELECT ${eventId} FROM events_search WHERE ${listedMatches(words, bounds)}
    UNION ALL SELECT occurrence.id FROM ${sharedMatches(words, bounds)}`
  const unnamed = sql`(SELECT phrases FROM unnamed)`
  const text = listedText({ key: keyOf(sql`utc_start_date`, sql`event_id`), id: sql`event_id` })
  return sql`linked(utc_start_date, event_id, utc_end_date) AS MATERIALIZED (
    SELECT utc_start_date, event_id, utc_end_date FROM (
      SELECT utc_start_date, event_id, utc_end_date, ${anyBits(sql`bits`)} | (SELECT bits FROM unnamed) AS bits
      FROM ${listedUnderNames(interval)}
      WHERE ${isRead} AND (${unnamed} IS NULL OR event_id IN (${idsMatching(unnamed)}))
      GROUP BY utc_start_date, event_id
    ) AS found WHERE event_id NOT IN (${byText}) AND ${hasRest(words, sql`bits`, text)})`
}
