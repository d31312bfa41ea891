import { type SQL, sql } from 'drizzle-orm'
import { inputValue, jsonBatches, resolvedId } from '../../kit/db/bulk.ts'
import { EVENT_ID_LIMIT, searchKeyOf } from '../../kit/db/event-expressions.ts'
import { allOf } from '../../kit/db/query.ts'
import { events, series } from '../../kit/db/tables.ts'
import { decodeEntities, fold, htmlToText, searchText } from '../../kit/lib/text.ts'
import { containsAllSql, matchConditions, searchTerms } from '../content/search.ts'
import { END_OF_TIME, type Interval, START_OF_TIME } from './interval.ts'
import type { FieldName } from './schema.ts'
import { detachedSql } from './shared-fields.ts'

// `events_search` has the texts of events with a text of their own. `series_search` has the text that the
// occurrences of a series share, once, so that an occurrence takes no more room in the index than its start.

const EVENTS_SEARCH = sql`events_search`
const SERIES_SEARCH = sql`series_search`

/** The search text of an event: folded title, description and excerpt. */
export const eventText = (row: Readonly<Record<string, unknown>>): string =>
  searchText(String(row.title ?? ''), String(row.description ?? ''), [htmlToText(String(row.excerpt ?? ''))])

/**
 * The statements that store the texts of existing events. An event that shares the text of its series has
 * none.
 * @see resolvedId
 */
export const eventTextStatements = (texts: readonly { id: number; text: string }[]): SQL[] =>
  jsonBatches(texts).map(
    json => sql`INSERT OR REPLACE INTO ${EVENTS_SEARCH} (rowid, listed, unlisted)
      SELECT search_key, iif(listed, ${inputValue('text')}, NULL), iif(listed, NULL, ${inputValue('text')})
      FROM json_each(${json}) AS input CROSS JOIN ${events} ON ${events.id} = ${resolvedId(events, inputValue('id'))}
      WHERE NOT shares_text`,
  )

/** A series with its title, description and excerpt. @see resolvedId */
type SeriesTexts = { id: number } & Readonly<Record<string, unknown>>

/** The statements that store the texts that occurrences share with their series. */
export const seriesTextStatements = (texts: readonly SeriesTexts[]): SQL[] =>
  jsonBatches(texts.map(({ id, ...row }) => ({ id, text: eventText(row) }))).map(
    json => sql`INSERT OR REPLACE INTO ${SERIES_SEARCH} (rowid, search_text)
      SELECT ${resolvedId(series, inputValue('id'))}, ${inputValue('text')} FROM json_each(${json}) AS input`,
  )

/**
 * Separates title, description and excerpt in the text of an occurrence, so that each can be replaced on its
 * own.
 */
const SEPARATOR = '\x1f'

const searchedTexts = (row: Readonly<Record<string, unknown>>): string[] =>
  [
    decodeEntities(String(row.title ?? '')),
    htmlToText(String(row.description ?? '')),
    htmlToText(String(row.excerpt ?? '')),
  ].map(text => fold(text).replaceAll(SEPARATOR, ' '))

/** The search text of an occurrence that does not share the text of its series. */
export const occurrenceText = (row: Readonly<Record<string, unknown>>): string =>
  searchedTexts(row).join(SEPARATOR)

/**
 * The statements that bring occurrences' own texts up to date with their series: parts that are not
 * detached are replaced by the parts of the series.
 */
export function occurrenceTextStatements(texts: readonly SeriesTexts[]): SQL[] {
  const separator = sql.raw(`char(${SEPARATOR.charCodeAt(0)})`)
  const head = (joined: SQL) => sql`substr(${joined}, 1, instr(${joined}, ${separator}) - 1)`
  const tail = (joined: SQL) => sql`substr(${joined}, instr(${joined}, ${separator}) + 1)`
  const text = sql`stored.whole`
  const restOfText = sql`stored.rest`
  const part = (name: FieldName, own: SQL) => sql`iif(${detachedSql(name)}, ${own}, ${inputValue(name)})`
  const joinedText = sql`${part('title', head(text))} || ${separator} || ${part('description', head(restOfText))} || ${separator} ||
    ${part('excerpt', tail(restOfText))}`
  const rows = texts.map(({ id, ...row }) => {
    const [title, description, excerpt] = searchedTexts(row)
    return { id, title, description, excerpt }
  })
  return jsonBatches(rows).map(
    json => sql`INSERT OR REPLACE INTO ${EVENTS_SEARCH} (rowid, listed, unlisted)
    SELECT key, iif(listed, text, NULL), iif(listed, NULL, text) FROM (
      SELECT search_key AS key, ${events.listed} AS listed, ${joinedText} AS text
      FROM json_each(${json}) AS input CROSS JOIN ${events} ON ${events.series_id} = ${resolvedId(series, inputValue('id'))}
      CROSS JOIN (
        SELECT events_search.rowid AS key, coalesce(listed, unlisted) AS whole, ${tail(sql`coalesce(listed, unlisted)`)} AS rest
        FROM ${EVENTS_SEARCH}
      ) AS stored ON stored.key = search_key
      WHERE NOT shares_text
    )`,
  )
}

/** A SELECT of the ids of series whose text contains every word of a query. */
const matchingSeries = (query: string): SQL =>
  sql`SELECT rowid AS id FROM ${SERIES_SEARCH} WHERE ${allOf(matchConditions(SERIES_SEARCH, sql`search_text`, query))}`

/**
 * A condition for events, listed or not, whose text contains every word of a query. It is evaluated for one
 * row at a time.
 */
export function matchesSearchSql(query: string): SQL {
  const { words } = searchTerms(query)
  // With a constant, SQLite makes a plan without the index that a list names.
  if (words.length === 0) return sql`${events.id} < 0`
  return sql`(EXISTS (SELECT 1 FROM ${EVENTS_SEARCH}
      WHERE rowid = ${events.search_key} AND ${containsAllSql(sql`coalesce(listed, unlisted)`, words)})
    OR (${events.shares_text} AND EXISTS (SELECT 1 FROM ${SERIES_SEARCH}
      WHERE rowid = ${events.series_id} AND ${containsAllSql(sql`search_text`, words)})))`
}

const sharedTextOf = (row: SQL): SQL => sql`(SELECT search_text FROM ${SERIES_SEARCH} WHERE rowid = ${row})`

/** An expression of the search text of the row of `events`, listed or not. */
export const searchTextOfEvent: SQL = sql`iif(${events.shares_text}, ${sharedTextOf(sql`${events.series_id}`)},
  (SELECT coalesce(listed, unlisted) FROM ${EVENTS_SEARCH} WHERE rowid = ${events.search_key}))`

/** An expression of the search text of a listed event that another index has found. @see eventTextKey */
export const listedText = ({ key, id }: { key: SQL; id: SQL }): SQL =>
  sql`coalesce((SELECT listed FROM ${EVENTS_SEARCH} WHERE rowid = ${key}),
    (SELECT search_text FROM ${events} AS occurrence CROSS JOIN ${SERIES_SEARCH} ON series_search.rowid = coalesce(occurrence.series_id, 0)
      WHERE occurrence.id = ${id} AND occurrence.shares_text))`

/** The id in a search key, which is in the lowest bits. */
export const eventIdInKey = sql.raw(`(events_search.rowid & ${EVENT_ID_LIMIT - 1})`)

/** The key of an event's text: its start, then its id. */
export function eventTextKey(start: SQL, id: SQL): SQL {
  const [before = '', between = '', after = ''] = searchKeyOf('?', '?').split('?')
  return sql`${sql.raw(before)}${start}${sql.raw(between)}${id}${sql.raw(after)}`
}

/** A SELECT of the ids of listed events, whenever they start, for a MATCH expression in SQL. */
export const idsMatching = (phrases: SQL): SQL =>
  sql`SELECT ${eventIdInKey} FROM ${EVENTS_SEARCH} WHERE ${EVENTS_SEARCH} MATCH 'listed : (' || ${phrases} || ')'
    UNION ALL SELECT occurrence.id FROM ${SERIES_SEARCH} CROSS JOIN ${events} AS occurrence INDEXED BY events_occurrence
      ON occurrence.series_id = series_search.rowid AND occurrence.shares_text AND occurrence.listed
      WHERE ${SERIES_SEARCH} MATCH ${phrases}`

type StartBounds = Pick<Interval, 'startFrom' | 'startBefore'>

/**
 * A condition on the text index for listed events that contain a query's words and start in an interval
 * (UTC).
 */
export function listedMatchesSql(query: string, { startFrom, startBefore }: StartBounds): SQL {
  const { words, phrases, isExact } = searchTerms(query)
  const conditions = [
    ...(phrases === undefined
      ? [sql`listed IS NOT NULL`]
      : [sql`${EVENTS_SEARCH} MATCH ${`listed : (${phrases})`}`]),
    ...(isExact ? [] : [containsAllSql(sql`listed`, words)]),
    ...(words.length === 0 ? [sql`0`] : []),
    ...(startFrom === START_OF_TIME
      ? []
      : [sql`events_search.rowid >= ${eventTextKey(sql`${startFrom}`, sql`0`)}`]),
    ...(startBefore === END_OF_TIME
      ? []
      : [sql`events_search.rowid < ${eventTextKey(sql`${startBefore}`, sql`0`)}`]),
  ]
  return allOf(conditions)
}

/**
 * A FROM clause of listed occurrences that start in an interval (UTC) and whose shared text has a query's
 * words.
 */
export const sharedMatches = (query: string, { startFrom, startBefore }: StartBounds): SQL =>
  sql`(${matchingSeries(query)}) AS matched
    CROSS JOIN ${events} AS occurrence INDEXED BY events_occurrence
      ON occurrence.series_id = matched.id AND occurrence.shares_text AND occurrence.listed
      AND occurrence.utc_start_date >= ${startFrom} AND occurrence.utc_start_date < ${startBefore}`

/**
 * A condition for a listed event that another index has found: its text contains every word of a query.
 * @see eventTextKey
 */
export function withWordsSql({ key, id }: { key: SQL; id: SQL }, query: string): SQL {
  const { words } = searchTerms(query)
  return sql`(EXISTS (SELECT 1 FROM ${EVENTS_SEARCH} WHERE rowid = ${key} AND ${containsAllSql(sql`listed`, words)})
    OR EXISTS (SELECT 1 FROM ${events} AS occurrence CROSS JOIN ${SERIES_SEARCH} ON series_search.rowid = coalesce(occurrence.series_id, 0)
      WHERE occurrence.id = ${id} AND occurrence.shares_text AND ${containsAllSql(sql`search_text`, words)}))`
}
