import { type SQL, sql } from 'drizzle-orm'
import type { SerializeContext } from '../../../kit/context.ts'
import {
  type Columns,
  columnExpressions,
  columnList,
  decodeList,
  type RowOf,
  type UnionPart,
} from '../../../kit/db/columns.ts'
import { literal } from '../../../kit/db/query.ts'
import {
  eventOrganizers,
  eventTerms,
  eventVenues,
  organizers,
  type series,
  sources,
  terms,
  venues,
} from '../../../kit/db/tables.ts'
import { LIST_SIZE } from '../../../kit/lib/budgets.ts'
import { pick } from '../../../kit/lib/values.ts'
import { isRowReadable } from '../../content/visibility.ts'
import { boundedTexts, byName } from '../rows.ts'

// The venues, organizers, terms and sources of a feed's events. Thousands of events share a few of these, so
// each event carries only their ids, and each row comes once.

const SHARED_COLUMNS = ['id', 'status', 'author_id', 'date_utc', 'slug', 'name'] as const

const venueColumns = pick(
  venues,
  ...SHARED_COLUMNS,
  'address',
  'city',
  'state',
  'province',
  'stateprovince',
  'zip',
  'country',
  'geo_lat',
  'geo_lng',
  'wheelchair',
  'accessibility',
)

const organizerColumns = pick(organizers, ...SHARED_COLUMNS, 'email', 'website')

const feedTermColumns = pick(terms, 'id', 'taxonomy', 'name', 'sort_name')

const sourceColumns = pick(sources, 'id', 'name', 'url')

export type FeedVenue = RowOf<typeof venueColumns>
export type FeedOrganizer = RowOf<typeof organizerColumns>
export type FeedTerm = RowOf<typeof feedTermColumns>
type FeedSource = RowOf<typeof sourceColumns>

export type FeedRelations = {
  venues: readonly FeedVenue[]
  organizers: readonly FeedOrganizer[]
  terms: readonly FeedTerm[]
  /** The calendars that the event comes from, its own first. */
  sources: readonly FeedSource[]
}

/** The most relations of a kind that a feed shows for an event. All relations of a kind share one line. */
const MAX_RELATED = literal(20)

/**
 * Tables with at most this many rows, and at most a few for each event, are read as a whole: following links
 * reads four rows for a venue.
 */
const FEW_ROWS = literal(LIST_SIZE.relatedRows)

type LinkedTable<C> = {
  table: typeof venues | typeof organizers | typeof terms
  columns: C
  links: typeof eventVenues | typeof eventOrganizers | typeof eventTerms
}

/**
 * An expression for the links of the event `page.id`: a list of numbers, alternately a position and an id.
 * NULL if there are none.
 */
function linkList({ links }: Pick<LinkedTable<unknown>, 'links'>): SQL {
  const fromLinks = sql`FROM ${links} WHERE ${links.event_id} = page.id`
  return 'position' in links
    ? sql`(SELECT group_concat(${links.position} || ',' || ${links.target_id}) ${fromLinks} AND ${links.position} < ${MAX_RELATED})`
    : sql`(SELECT group_concat('0,' || id) FROM (SELECT ${links.target_id} AS id ${fromLinks} LIMIT ${MAX_RELATED}))`
}

/**
 * The rows that a feed's events may refer to, each once, except for rows in the trash. Shares of the texts
 * follow from the highest possible number of rows, because counting rows would read them twice.
 */
function relatedPart<C extends Columns>({ table, columns, links }: LinkedTable<C>): UnionPart<RowOf<C>> {
  const presentSql = 'status' in table ? sql`${table.status} <> 'trash'` : sql`1`
  const shownSql = 'position' in links ? sql`${links.position} < ${MAX_RELATED}` : sql`1`
  const limit = literal(LIST_SIZE.relatedRows)
  const selected = sql`SELECT ${columnList(columns)}`
  return {
    columns: boundedTexts(columns, sql`related.size`),
    from: sql`FROM (SELECT min(${limit}, ${MAX_RELATED} * size, ${highestId(table)}) AS size FROM ids) AS related CROSS JOIN (
        ${selected} FROM ${wholeTableSelect(table)} AS whole CROSS JOIN ${table} WHERE whole.is_read AND ${presentSql}
        UNION ALL ${selected} FROM (SELECT DISTINCT ${links.target_id} AS id FROM ${wholeTableSelect(table)} AS whole CROSS JOIN page
          CROSS JOIN ${links} ON ${links.event_id} = page.id WHERE NOT whole.is_read AND ${shownSql}
          LIMIT ${limit}) AS linked CROSS JOIN ${table} ON ${table.id} = linked.id WHERE ${presentSql}
      ) AS ${table}`,
    read: values => decodeList(columns, values),
  }
}

/**
 * An expression of the highest id of a table, in a SELECT of its own: next to other expressions, it would
 * make SQLite read all rows.
 */
const highestId = (table: LinkedTable<unknown>['table'] | typeof series): SQL =>
  sql`(SELECT max(${table.id}) FROM ${table} NOT INDEXED)`

/**
 * A subquery with one row, whose column is true if a table may be read whole. Among other conditions, it
 * would be evaluated for each row of the table.
 *
 * @param maxPerEvent rows for each event of the feed
 */
export const wholeTableSelect = (
  table: LinkedTable<unknown>['table'] | typeof series,
  maxPerEvent = 2,
): SQL =>
  sql`(SELECT coalesce(${highestId(table)}, 0) <= min(${FEW_ROWS}, ${literal(maxPerEvent)} * (SELECT size FROM ids)) AS is_read)`

const VENUE_LINKS = { table: venues, columns: venueColumns, links: eventVenues }
const ORGANIZER_LINKS = { table: organizers, columns: organizerColumns, links: eventOrganizers }
const TERM_LINKS = { table: terms, columns: feedTermColumns, links: eventTerms }

/** The sources, which are few. Events from uploaded files are the calendar's own. */
const feedSourcePart: UnionPart<FeedSource> = {
  columns: columnExpressions(sourceColumns),
  from: sql`FROM ${sources} WHERE NOT ${sources.is_being_deleted} AND ${sources.url} <> ''`,
  read: values => decodeList(sourceColumns, values),
}

/**
 * A {@link linkList} of sources; NULL for events of this calendar, even if lists show them in place of
 * others. It reads nothing if there are no sources.
 */
const sourceList = sql`iif(EXISTS (SELECT 1 FROM ${sources}),
  (SELECT iif(min(is_other) = 0, group_concat(is_other || ',' || source_id), NULL)
  FROM (SELECT is_other, source_id FROM event_sources WHERE event_id = page.id LIMIT ${MAX_RELATED})), NULL)`

export const relatedParts = {
  venues: relatedPart(VENUE_LINKS),
  organizers: relatedPart(ORGANIZER_LINKS),
  terms: relatedPart(TERM_LINKS),
  sources: feedSourcePart,
}

/** Columns of the event `page.id`, as {@link relationsOf} reads them. */
export const linkColumns: readonly SQL[] = [
  ...[VENUE_LINKS, ORGANIZER_LINKS, TERM_LINKS].map(linkList),
  sourceList,
]

/**
 * Makes a function from values of {@link linkColumns} to the rows that the caller may read. Events with the
 * same links get the same list objects, so that texts made from a list can be reused.
 */
export function relationsOf(
  context: SerializeContext,
  feedRelations: FeedRelations,
): (links: readonly unknown[]) => FeedRelations {
  const venues = listsOf(feedRelations.venues.filter(row => isRowReadable(row, context)))
  const organizers = listsOf(feedRelations.organizers.filter(row => isRowReadable(row, context)))
  const terms = listsOf(feedRelations.terms.toSorted(byName))
  const sources = listsOf(feedRelations.sources)
  return ([venueLinks, organizerLinks, termLinks, sourceLinks]) => ({
    venues: venues(venueLinks),
    organizers: organizers(organizerLinks),
    terms: terms(termLinks),
    sources: sources(sourceLinks),
  })
}

/** Makes a function from a list of links to the rows, by position, and then in the order of the rows. */
function listsOf<R extends { id: number }>(rows: readonly R[]): (links: unknown) => readonly R[] {
  const byId = new Map(rows.map((row, order) => [row.id, { row, order }]))
  const knownLists = new Map<unknown, readonly R[]>()
  return links => {
    const knownList = knownLists.get(links)
    if (knownList) return knownList
    const list = typeof links === 'string' ? linkedRows(links, byId) : []
    knownLists.set(links, list)
    return list
  }
}

function linkedRows<R>(links: string, rows: ReadonlyMap<number, { row: R; order: number }>): R[] {
  const numbers = links.split(',').map(Number)
  const placedRows: { position: number; order: number; row: R }[] = []
  for (let i = 0; i < numbers.length; i += 2) {
    const linkedRow = rows.get(numbers[i + 1] ?? 0)
    if (linkedRow) placedRows.push({ position: numbers[i] ?? 0, ...linkedRow })
  }
  return placedRows.sort((a, b) => a.position - b.position || a.order - b.order).map(({ row }) => row)
}
