import { type SQL, sql } from 'drizzle-orm'
import type { SerializeContext } from '../../kit/context.ts'
import { decodeList, decodeRow, type UnionPart, unionOf } from '../../kit/db/columns.ts'
import { many, mapQuery, type Query } from '../../kit/db/query.ts'
import { eventOrganizers, events, eventTerms, eventVenues, series } from '../../kit/db/tables.ts'
import type { Rows } from '../../kit/http/lists.ts'
import { shortened } from '../../kit/http/reply.ts'
import { type Fields, isRequested } from '../../kit/http/requested-fields.ts'
import { LIST_SIZE } from '../../kit/lib/budgets.ts'
import { memoize, memoizeByObject } from '../../kit/lib/memo.ts'
import { imageExpressions, imageJoin, readImage } from '../content/images.ts'
import { isRowReadable } from '../content/visibility.ts'
import type { SelectedPage } from './listing/page.ts'
import {
  byName,
  type EventRow,
  eventColumns,
  fittingSql,
  originsOf,
  type PageEventRow,
  type PlainEventRow,
  partsLinkedBy,
  type RelatedWithUses,
  seriesColumns,
  seriesJoin,
  sharedTexts,
  sourcePart,
} from './rows.ts'

const plainColumns = sql.join(
  Object.entries(eventColumns).map(([name, column]) =>
    sharedTexts[name] ? sql`${sharedTexts[name]} AS ${sql.identifier(name)}` : sql`${column}`,
  ),
  sql`, `,
)

/** Selects events without their relations, which updates don't need. */
export const selectPlainEvents = (condition: SQL): Query<PlainEventRow[]> =>
  many(sql`SELECT ${plainColumns} FROM ${events} ${seriesJoin} WHERE ${condition}`, raw =>
    decodeRow(eventColumns, raw),
  )

/** The expressions of long texts. Rows lack the texts that don't fit. */
const LONG_TEXTS: Readonly<Record<string, SQL>> = {
  ...sharedTexts,
  custom_fields: sql`${events.custom_fields}`,
}

/** The lists of dates of a series, which each of its occurrences shows. */
const DATE_LISTS: readonly string[] = ['rdate', 'exdate']

/**
 * The events of the page, without their relations.
 * @param wantedFields the names of long texts to read, and `series`
 */
function eventPart(wantedFields: readonly string[]): UnionPart<PageEventRow> {
  const fitsSql = fittingSql(
    Object.entries(LONG_TEXTS).flatMap(([name, text]) => (wantedFields.includes(name) ? [text] : [])),
    LIST_SIZE.eventTexts,
  )
  const dates = wantedFields.includes('series') ? [sql`${series.rdate}`, sql`${series.exdate}`] : []
  const datesFitSql = fittingSql(dates, LIST_SIZE.dates)
  const selectedColumns = (textIf: (text: SQL) => SQL, datesIf: (dates: SQL) => SQL): SQL[] => [
    ...imageExpressions,
    ...Object.entries(eventColumns).map(([name, column]) => {
      if (!LONG_TEXTS[name]) return sql`${column}`
      return wantedFields.includes(name) ? textIf(LONG_TEXTS[name]) : sql`''`
    }),
    ...Object.entries(seriesColumns).map(([name, column]) => {
      if (!DATE_LISTS.includes(name)) return sql`${column}`
      return dates.length > 0 ? datesIf(sql`${column}`) : sql`'[]'`
    }),
  ]
  const uncut = (text: SQL) => text
  return {
    columns: [sql`page.position`, sql`1`, ...selectedColumns(uncut, uncut)],
    otherwise: {
      unless: sql`(${fitsSql}) AND (${datesFitSql})`,
      columns: [
        sql`page.position`,
        sql`0`,
        ...selectedColumns(
          text => sql`iif(${fitsSql}, ${text}, '')`,
          list => sql`iif(${datesFitSql}, ${list}, '[]')`,
        ),
      ],
    },
    from: sql`FROM page CROSS JOIN ${events} ON ${events.id} = page.id ${imageJoin(events.image_id)} ${seriesJoin}`,
    read: ([position, fits, ...imageAndColumns]) => {
      const values = imageAndColumns.slice(imageExpressions.length)
      const row = decodeList(eventColumns, values)
      return {
        ...row,
        isShortened: fits === 0,
        position: Number(position),
        image: readImage(row.image_id, imageAndColumns),
        series:
          row.series_id === null
            ? null
            : decodeList(seriesColumns, values.slice(-Object.keys(seriesColumns).length)),
      }
    },
  }
}

const RELATED_PARTS = {
  ...partsLinkedBy({ venues: eventVenues, organizers: eventOrganizers, terms: eventTerms }),
  sources: sourcePart,
}

/** The fields of responses that need each relation. */
const FIELDS_NEEDING = {
  venues: ['venue', 'json_ld'],
  organizers: ['organizer', 'json_ld'],
  terms: ['categories', 'tags'],
  sources: ['source', 'other_sources', 'json_ld'],
} as const

const isRelatedPart = (name: string): name is keyof typeof RELATED_PARTS => name in RELATED_PARTS

/**
 * The events of the page, and each row that they refer to once.
 * @param joinedNames names of long texts, relations and `series`, with commas between them
 */
const pageParts = memoize((joinedNames: string) => {
  const names = joinedNames.split(',')
  const relations = Object.entries(RELATED_PARTS).filter(([name]) => names.includes(name))
  const parts: { events: UnionPart<PageEventRow> } = {
    events: eventPart(names),
    ...Object.fromEntries(relations),
  }
  const select = unionOf(parts)
  return (withClause: SQL, total: SQL) =>
    mapQuery(select(withClause, total), pageRows => ({ ...NO_RELATED_ROWS, ...pageRows }))
})

type RelatedRows = { [K in keyof typeof RELATED_PARTS]: ReturnType<(typeof RELATED_PARTS)[K]['read']>[] }

/** The rows of relations that were not read. */
const NO_RELATED_ROWS: RelatedRows = { venues: [], organizers: [], terms: [], sources: [] }

const partsFor = (fields: Fields | undefined): ReturnType<typeof pageParts> =>
  pageParts(
    [...Object.keys(LONG_TEXTS), ...Object.keys(RELATED_PARTS), 'series']
      .filter(name =>
        isRequested(fields, ...(isRelatedPart(name) ? FIELDS_NEEDING[name] : [name, 'json_ld'])),
      )
      .join(),
  )

/** A WITH clause of a page of events, as `page(position, id, size)`. */
export const withPage = ({ shared, ids }: Omit<SelectedPage, 'total'>): SQL =>
  // JSON keeps the ids in their order, and numbers them.
  sql`WITH ${shared ? sql`${shared}, ` : sql``}ids(list) AS MATERIALIZED (SELECT json_group_array(id) FROM (${ids})),
    page(position, id, size) AS MATERIALIZED (
      SELECT key, value, json_array_length(ids.list) FROM ids CROSS JOIN json_each(ids.list))`

/**
 * A query for a page of events with their relations, and for the total of the list, in one statement.
 *
 * @param fields the fields that the response needs; undefined for all
 */
export function selectEventPage(
  context: SerializeContext,
  page: SelectedPage,
  fields?: Fields,
): Query<Rows<EventRow>> {
  return mapQuery(partsFor(fields)(withPage(page), page.total), parts => {
    const rows = assembleRows(context, parts)
    return { rows, total: parts.head, headers: shortened(rows.some(({ isShortened }) => isShortened)) }
  })
}

/** Selects the events that meet a condition, with their relations. */
export const selectEvents = (context: SerializeContext, condition: SQL, fields?: Fields): Query<EventRow[]> =>
  mapQuery(
    selectEventPage(
      context,
      {
        ids: sql`SELECT ${events.id} FROM ${events} WHERE ${condition}`,
        total: sql`0`,
      },
      fields,
    ),
    ({ rows }) => rows,
  )

// Responses must stay below about ten megabytes, whatever is stored. A hundred events of ordinary calendars
// take a twentieth of that.

/** A function that returns the bytes of a related row in a response. */
type Measure = (row: object) => number

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Bytes of the field names and addresses of any related resource. */
const FRAME_BYTES = 1_000

/** Makes a function that measures related rows, each once. */
function measureOf({ settings }: SerializeContext): Measure {
  const copies = settings.imageSizes.length
  return memoizeByObject(row => {
    const images = 'image' in row && row.image !== null ? copies * (jsonBytes(row.image) + FRAME_BYTES) : 0
    return FRAME_BYTES + images + jsonBytes(row) + 3 * addressBytes(row)
  })
}

/** Bytes of the path or slug of a row, which addresses repeat. */
const addressBytes = (row: object): number =>
  'path' in row ? jsonBytes(row.path) : 'slug' in row ? jsonBytes(row.slug) : 0

type PageRows = RelatedRows & { events: readonly PageEventRow[] }

/** Joins the events of a page with the related rows that the caller may read, within the limits. */
export function assembleRows(context: SerializeContext, { events, ...relatedRows }: PageRows): EventRow[] {
  // Rows that the caller may not read don't count towards the limits either.
  const venues = byEvent(relatedRows.venues.filter(({ row }) => isRowReadable(row, context)))
  const organizers = byEvent(relatedRows.organizers.filter(({ row }) => isRowReadable(row, context)))
  const terms = byEvent(relatedRows.terms)
  const origin = originsOf(relatedRows.sources)
  const measure = measureOf(context)
  const isTooLong = tooLong(events)
  const spent = { bytes: 0 }
  return events
    .toSorted((a, b) => a.position - b.position)
    .map(({ position, ...event }) => {
      const parts = {
        venues: takeWithinLimits(venues.get(position), measure, spent),
        organizers: takeWithinLimits(organizers.get(position), measure, spent),
        terms: takeWithinLimits(terms.get(position)?.toSorted(byName), measure, spent),
      }
      const isLong = isTooLong(event)
      return {
        ...event,
        ...(isLong && { description: '', excerpt: '', custom_fields: '' }),
        venues: parts.venues.rows,
        organizers: parts.organizers.rows,
        terms: parts.terms.rows,
        origin: origin(position),
        isShortened: isLong || event.isShortened || Object.values(parts).some(({ isCut }) => isCut),
      }
    })
}

type Texts = { description: string; excerpt: string; custom_fields: string }

const longTextsOf = ({ description, excerpt, custom_fields }: Texts): string[] => [
  description,
  excerpt,
  custom_fields,
]

/**
 * Makes a function that says, for one event after the other, whether its texts exceed the limit of the page.
 */
function tooLong(events: readonly Texts[]): (event: Texts) => boolean {
  const units = events.flatMap(longTextsOf).reduce((sum, text) => sum + text.length, 0)
  if (6 * units <= LIST_SIZE.eventTexts) return () => false
  let bytes = 0
  return event => {
    for (const text of longTextsOf(event)) bytes += jsonBytes(text)
    return bytes > LIST_SIZE.eventTexts
  }
}

function byEvent<R>(related: readonly RelatedWithUses<R>[]): ReadonlyMap<number, R[]> {
  const rows = new Map<number, { position: number; row: R }[]>()
  for (const { row, uses } of related)
    for (const [event, position] of uses) {
      const knownUses = rows.get(event)
      if (knownUses) knownUses.push({ position, row })
      else rows.set(event, [{ position, row }])
    }
  const sortedUses = [...rows].map(([event, uses]): [number, R[]] => [
    event,
    uses.sort((a, b) => a.position - b.position).map(({ row }) => row),
  ])
  return new Map(sortedUses)
}

/** A related row; its description is null if it was too long for its share. */
type DescribedRow = { description: string | null }

/** Takes rows within the limits: first descriptions are left out, then rows. */
function takeWithinLimits<R extends DescribedRow>(
  rows: readonly R[] = [],
  measure: Measure,
  spent: { bytes: number },
): { rows: R[]; isCut: boolean } {
  const included: R[] = []
  let isCut = false
  for (const row of rows) {
    const size = measure(row)
    const fits = row.description !== null && spent.bytes + size <= LIST_SIZE.withDescriptions
    const bytes = fits ? size : size - jsonBytes(row.description)
    if (spent.bytes + bytes > LIST_SIZE.related) return { rows: included, isCut: true }
    spent.bytes += bytes
    included.push(fits ? row : { ...row, description: '' })
    isCut ||= !fits && row.description !== ''
  }
  return { rows: included, isCut }
}
