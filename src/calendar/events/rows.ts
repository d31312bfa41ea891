import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import {
  type Columns,
  columnExpressions,
  decodeList,
  type RowOf,
  type UnionPart,
} from '../../kit/db/columns.ts'
import { literal } from '../../kit/db/query.ts'
import {
  type eventOrganizers,
  events,
  type eventTerms,
  type eventVenues,
  organizers,
  series,
  type seriesOrganizers,
  type seriesTerms,
  type seriesVenues,
  sources,
  terms,
  venues,
} from '../../kit/db/tables.ts'
import { LIST_SIZE } from '../../kit/lib/budgets.ts'
import type { StoredImage } from '../../kit/lib/images/formats.ts'
import { type Node, node } from '../../kit/lib/json-ld.ts'
import type { WheelchairAccess } from '../../kit/lib/statuses.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import { compareTexts, omit, pick, storedJson } from '../../kit/lib/values.ts'
import { imageExpressions, imageJoin, readImage } from '../content/images.ts'
import { type OrganizerRow, publicOrganizerColumns, type VenueRow } from '../content/related/resource.ts'
import { type TermRow, termColumns } from '../terms/resource.ts'
import type { EventResponse } from './schema.ts'
import { detachedSql } from './shared-fields.ts'

/** The columns of an event's times, which every list reads. */
export const timeColumns = pick(
  events,
  'all_day',
  'start_date',
  'end_date',
  'utc_start_date',
  'utc_end_date',
  'timezone',
)

type Started = { id: number; utc_start_date: DateTime }

/** The order of lists: by start, then by id. */
export const byStart = (a: Started, b: Started): number =>
  compareTexts(a.utc_start_date, b.utc_start_date) || a.id - b.id

/** The columns with the time that an event had before it was moved. @see previousStart */
export const previousColumns = pick(events, 'occurrence_date', 'previous_utc_start_date', 'detached')

/**
 * A use of a related row: the position of an event on the page, and the row's position among the related rows
 * of the event.
 */
type RelationUse = readonly [event: number, position: number]

/** A row that events of a page refer to, with its uses. */
export type RelatedWithUses<R> = { row: R; uses: readonly RelationUse[] }

type Links = {
  venues: typeof eventVenues | typeof seriesVenues
  organizers: typeof eventOrganizers | typeof seriesOrganizers
  terms: typeof eventTerms | typeof seriesTerms
}

type Relation<C> = {
  table: typeof venues | typeof organizers | typeof terms
  columns: C
  links: Links[keyof Links]
}

/** The rows of a table that events or series of a page refer to, each once, without rows in the trash. */
function relatedPart<C extends Columns & { id: Columns[string] }>({
  table,
  columns,
  links,
}: Relation<C>): UnionPart<RelatedWithUses<RowOf<C> & { image: StoredImage | null }>> {
  const imageId = 'image_id' in table ? table.image_id : undefined
  const images = imageId ? imageExpressions : NO_IMAGE
  const presentSql = 'status' in table ? sql`${table.status} <> 'trash'` : sql`1`
  const owner = 'event_id' in links ? links.event_id : links.series_id
  const position = 'position' in links ? sql`${links.position}` : sql`0`
  return {
    columns: [sql`item.value ->> 1`, ...images, ...boundedTexts(columns, sql`related.size`)],
    // The list is JSON so that its length, which determines each row's share, is known before the rows are
    // read.
    from: sql`FROM (SELECT json_group_array(json_array(target_id, uses)) AS list, count(*) AS size FROM (
        SELECT ${links.target_id} AS target_id, json_group_array(json_array(page.position, ${position})) AS uses
        FROM page CROSS JOIN ${links} ON ${owner} = page.id GROUP BY ${links.target_id}
      )) AS related CROSS JOIN json_each(related.list) AS item
      CROSS JOIN ${table} ON ${table.id} = item.value ->> 0 ${imageId ? imageJoin(imageId) : sql``}
      WHERE item.key < ${literal(LIST_SIZE.relatedRows)} AND ${presentSql}`,
    read: ([uses, ...imageAndColumns]) => {
      const row = decodeList(columns, imageAndColumns.slice(imageExpressions.length))
      const id: unknown = 'image_id' in row ? row.image_id : null
      return {
        row: {
          ...row,
          image: readImage(typeof id === 'number' ? id : null, imageAndColumns),
        },
        // Made by json_group_array() above.
        uses: storedJson<RelationUse[]>(String(uses)),
      }
    },
  }
}

/** The rows that events or series of a page refer to, by table. */
export const partsLinkedBy = (links: Links) => ({
  venues: relatedPart({ table: venues, columns: getTableColumns(venues), links: links.venues }),
  organizers: relatedPart({
    table: organizers,
    columns: publicOrganizerColumns,
    links: links.organizers,
  }),
  terms: relatedPart({ table: terms, columns: termColumns, links: links.terms }),
})

const NO_IMAGE = imageExpressions.map(() => sql`NULL`)

/**
 * The columns, with texts cut to their share, and null for descriptions that are longer than their share.
 *
 * @param rows the number of rows that have a share
 */
export function boundedTexts(columns: Columns, rows: SQL): SQL[] {
  const texts = Object.values(columns).filter(column => column.dataType === 'string').length
  const share = literal(Math.floor(LIST_SIZE.charactersRead / texts))
  return Object.values(columns).map(column => {
    if (column.dataType !== 'string') return sql`${column}`
    if (column.name === 'description')
      return sql`iif(octet_length(${column}) <= ${literal(LIST_SIZE.descriptionsRead)} / ${rows}, ${column}, NULL)`
    return sql`substr(${column}, 1, ${share} / ${rows})`
  })
}

const sourceColumns = pick(sources, 'id', 'name', 'url', 'rights_text', 'rights_url', 'mirror')

export type EventSource = RowOf<typeof sourceColumns>

type EventOrigin = {
  /** Undefined for events of this calendar. */
  source: EventSource | undefined
  /** The sources of duplicates that the event hides. */
  others: EventSource[]
}

/** The most other calendars that an event names, and the most characters that calendars take on a page. */
const MAX_OTHERS = 10
const MAX_ORIGIN_CHARACTERS = 500_000

/**
 * The calendars from which events of a page come, each once. The position of a use is 0 for the event's own
 * calendar.
 */
export const sourcePart: UnionPart<RelatedWithUses<EventSource>> = {
  columns: [sql`origin.uses`, ...columnExpressions(sourceColumns)],
  // A calendar without sources reads nothing else.
  from: sql`FROM (SELECT source_id, json_group_array(json_array(page.position, is_other)) AS uses
      FROM (SELECT 1 FROM ${sources} LIMIT 1) CROSS JOIN page CROSS JOIN event_sources ON event_id = page.id
      GROUP BY source_id) AS origin
    CROSS JOIN ${sources} ON ${sources.id} = origin.source_id WHERE NOT ${sources.is_being_deleted}`,
  // Made by json_group_array() above.
  read: ([uses, ...row]) => ({
    row: decodeList(sourceColumns, row),
    uses: storedJson<RelationUse[]>(String(uses)),
  }),
}

/** Makes a function that gives the calendars of an event by its position on the page, the oldest first. */
export function originsOf(rows: readonly RelatedWithUses<EventSource>[]): (position: number) => EventOrigin {
  const known = new Map<number, EventOrigin>()
  let characters = 0
  for (const { row, uses } of rows.toSorted((a, b) => a.row.id - b.row.id)) {
    for (const [position, isOther] of uses.toSorted(([, a], [, b]) => a - b)) {
      const origin = known.get(position) ?? { source: undefined, others: [] }
      known.set(position, origin)
      if (isOther === 0) origin.source ??= row
      if (origin.source === row || origin.others.includes(row) || origin.others.length >= MAX_OTHERS) continue
      characters += row.name.length + row.url.length + row.rights_text.length + row.rights_url.length
      if (characters <= MAX_ORIGIN_CHARACTERS) origin.others.push(row)
    }
  }
  // An event of this calendar never says that it is from another calendar, even if lists show it instead of
  // events from there.
  return position => {
    const origin = known.get(position)
    return origin?.source ? origin : { source: undefined, others: [] }
  }
}

const serializeSource = ({ id, name, url, rights_text: text, rights_url }: EventSource) => ({
  id,
  name,
  url,
  ...((text !== '' || rights_url !== '') && { rights: { text, url: rights_url } }),
})

/** The calendars that an event names in public. Events from uploaded files are the calendar's own. */
const publicOrigin = ({ source, others }: EventOrigin): EventOrigin =>
  source && source.url !== ''
    ? { source, others: others.filter(({ url }) => url !== '') }
    : { source: undefined, others: [] }

/** The fields of an event that name the calendars it comes from; nothing for events of this calendar. */
export function serializeOrigin(origin: EventOrigin): Pick<EventResponse, 'source' | 'other_sources'> {
  const { source, others } = publicOrigin(origin)
  return {
    ...(source && { source: serializeSource(source) }),
    ...(others.length > 0 && { other_sources: others.map(serializeSource) }),
  }
}

/** JSON-LD of the pages from which an event comes: https://schema.org/subjectOf */
export function originNodes(origin: EventOrigin): Node[] {
  const { source, others } = publicOrigin(origin)
  return [...(source ? [source] : []), ...others].map(({ name, url, rights_url, rights_text }) =>
    node('CreativeWork', { name, url, license: rights_url, creditText: rights_text }),
  )
}

export const eventColumns = omit(
  getTableColumns(events),
  'listed',
  'is_free',
  'span',
  'search_key',
  'shares_text',
)

/** The columns of its series that an occurrence shows. */
export const seriesColumns = pick(series, 'slug', 'rrule', 'rdate', 'exdate')

export const seriesJoin = sql`LEFT JOIN ${series} ON ${series.id} = ${events.series_id}`

const ownOrShared = (field: 'description' | 'excerpt'): SQL =>
  sql`iif(${events.series_id} IS NULL OR ${detachedSql(field)}, ${events[field]}, ${series[field]})`

/**
 * Expressions of the texts that occurrences share with their series, for a SELECT with {@link seriesJoin}.
 */
export const sharedTexts: Readonly<Record<string, SQL>> = {
  description: ownOrShared('description'),
  excerpt: ownOrShared('excerpt'),
}

/**
 * An expression that is 1 if the texts of an event fit into the page, for a SELECT with {@link seriesJoin}.
 *
 * @param maxBytes of the texts of all events of the page. If they are longer, each event is
 *   limited to its share
 */
export function fittingSql(texts: readonly SQL[], maxBytes: number): SQL {
  if (texts.length === 0) return sql`1`
  const length = sql.join(
    texts.map(text => sql`coalesce(octet_length(${text}), 0)`),
    sql` + `,
  )
  const limit = literal(maxBytes)
  // The sum is computed only if a text is longer than its share.
  return sql`CASE WHEN ${length} <= ${limit} / page.size THEN 1
    ELSE (SELECT sum(${length}) FROM page CROSS JOIN ${events} ON ${events.id} = page.id ${seriesJoin})
      <= ${limit} END`
}

/** Compares terms by folded name and id, by code points as in the database. */
export const byName = <T extends Pick<TermRow, 'id' | 'sort_name'>>(a: T, b: T): number =>
  compareTexts(a.sort_name, b.sort_name) || a.id - b.id

/** An event without its relations. */
export type PlainEventRow = RowOf<typeof eventColumns>

type Access = { wheelchair: WheelchairAccess; accessibility: string }

/** The access to an event: its own fields, or else the fields of its first venue with such fields. */
export const accessOf = (
  own: Access,
  venues: readonly { [K in keyof Access]?: Access[K] | undefined }[],
): Access => ({
  wheelchair: own.wheelchair || (venues.find(({ wheelchair }) => wheelchair)?.wheelchair ?? ''),
  accessibility:
    own.accessibility || (venues.find(({ accessibility }) => accessibility)?.accessibility ?? ''),
})

/** The part of a series that its occurrences show. */
type SeriesHead = RowOf<typeof seriesColumns>

/**
 * An event with its relations: all terms, and the venues and organizers that the caller may read.
 *
 * The other shapes of an event, in the order in which reads and writes make them:
 *
 * | shape | what it is |
 * |---|---|
 * | {@link PlainEventRow} | the columns alone |
 * | {@link PageEventRow} | a row of a page, before its relations join it as an `EventRow` |
 * | `StoredEvent` | what a write knows of the event before it: the columns, the series, who depends on it |
 * | `EventOutcome` | what the values of a request make of it, before it is decided which rows that changes |
 * | `PreparedEventRow` | the row that a request writes, with the series that changes along with it |
 * | `EventRowToWrite` | what statements need of it, whether a request, an import or undoing made it |
 */
export type EventRow = PlainEventRow & {
  image: StoredImage | null
  /** Null for single events. */
  series: SeriesHead | null
  venues: VenueRow[]
  organizers: OrganizerRow[]
  terms: TermRow[]
  origin: EventOrigin
  /** True if texts or relations were left out because the response would be too large. */
  isShortened?: boolean
}

/** An event of a page, before it is joined with its relations. */
export type PageEventRow = PlainEventRow & {
  /** Its position on the page, from 0. */
  position: number
  image: StoredImage | null
  series: SeriesHead | null
  isShortened: boolean
}
