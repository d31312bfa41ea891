import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SerializeContext } from '../../context.ts'
import { decodeList, decodeRow } from '../../db/columns.ts'
import { literal, many, mapped, type Query } from '../../db/query.ts'
import {
  eventOrganizers,
  events,
  eventTerms,
  eventVenues,
  organizers,
  series,
  terms,
  venues,
} from '../../db/schema.ts'
import { shaped } from '../../db/shapes.ts'
import { type UnionPart, unionOf } from '../../db/union.ts'
import { type Fields, wants } from '../../http/input.ts'
import type { Rows } from '../../http/lists.ts'
import { shortened } from '../../http/reply.ts'
import { LIST_SIZE } from '../../lib/budgets.ts'
import { memoize } from '../../lib/memo.ts'
import { imageColumns, imageJoin, readImage } from '../content/images.ts'
import { termColumns } from '../terms/resource.ts'
import type { SelectedPage } from './listing/page.ts'
import { assembled } from './relations/budget.ts'
import {
  type EventRow,
  eventColumns,
  type PageEventRow,
  type PlainEventRow,
  relatedPart,
  seriesColumns,
  seriesJoin,
  sharedTexts,
  sourcePart,
} from './rows.ts'

const plainHead = shaped(() => {
  const columns = Object.entries(eventColumns).map(([name, column]) =>
    sharedTexts[name] ? sql`${sharedTexts[name]} AS ${sql.identifier(name)}` : sql`${column}`,
  )
  return sql`SELECT ${sql.join(columns, sql`, `)} FROM ${events} ${seriesJoin}`
})

/** Selects events without their relations, which updates don't need. */
export const selectPlainEvents = (condition: SQL): Query<PlainEventRow[]> =>
  many(sql`${plainHead()} WHERE ${condition}`, raw => decodeRow(eventColumns, raw))

const IMAGE = Object.values(imageColumns).map(column => sql`${column}`)

/** Long texts, which rows lack if they don't fit, with their expressions. */
const LONG: Readonly<Record<string, SQL>> = { ...sharedTexts, custom_fields: sql`${events.custom_fields}` }

/**
 * An expression that is 1 if the texts of an event fit into the page.
 *
 * @param most limit in bytes of the texts of all events of the page. If they are longer, each event is limited to its
 *   share
 */
function fitting(texts: readonly SQL[], most: number): SQL {
  if (texts.length === 0) return sql`1`
  const length = sql.join(
    texts.map(text => sql`coalesce(octet_length(${text}), 0)`),
    sql` + `,
  )
  const limit = literal(most)
  // The sum is computed only if a text is longer than its share.
  return sql`CASE WHEN ${length} <= ${limit} / page.size THEN 1
    ELSE (SELECT sum(${length}) FROM page CROSS JOIN ${events} ON ${events.id} = page.id ${seriesJoin})
      <= ${limit} END`
}

/** The lists of dates of a series, which each of its occurrences shows. */
const DATES: readonly string[] = ['rdate', 'exdate']

/** The events of the page, without their relations. @param wanted the names of long texts to read, and `series` */
function eventPart(wanted: readonly string[]): UnionPart<PageEventRow> {
  const fits = fitting(
    Object.entries(LONG).flatMap(([name, text]) => (wanted.includes(name) ? [text] : [])),
    LIST_SIZE.own,
  )
  const dates = wanted.includes('series') ? [sql`${series.rdate}`, sql`${series.exdate}`] : []
  const datesFit = fitting(dates, LIST_SIZE.dates)
  const columnsOf = (textIf: (text: SQL) => SQL, datesIf: (dates: SQL) => SQL): SQL[] => [
    ...IMAGE,
    ...Object.entries(eventColumns).map(([name, column]) => {
      if (!LONG[name]) return sql`${column}`
      return wanted.includes(name) ? textIf(LONG[name]) : sql`''`
    }),
    ...Object.entries(seriesColumns).map(([name, column]) => {
      if (!DATES.includes(name)) return sql`${column}`
      return dates.length > 0 ? datesIf(sql`${column}`) : sql`'[]'`
    }),
  ]
  const whole = (text: SQL) => text
  return {
    columns: [sql`page.position`, sql`1`, ...columnsOf(whole, whole)],
    otherwise: {
      unless: sql`(${fits}) AND (${datesFit})`,
      columns: [
        sql`page.position`,
        sql`0`,
        ...columnsOf(
          text => sql`iif(${fits}, ${text}, '')`,
          list => sql`iif(${datesFit}, ${list}, '[]')`,
        ),
      ],
    },
    from: sql`FROM page CROSS JOIN ${events} ON ${events.id} = page.id ${imageJoin(events.image_id)} ${seriesJoin}`,
    read: ([position, fits, ...image]) => {
      const values = image.slice(IMAGE.length)
      const row = decodeList(eventColumns, values)
      return {
        ...row,
        isShortened: fits === 0,
        position: Number(position),
        image: readImage(row.image_id, image),
        series:
          row.series_id === null
            ? null
            : decodeList(seriesColumns, values.slice(-Object.keys(seriesColumns).length)),
      }
    },
  }
}

const RELATIONS = {
  venues: relatedPart({ table: venues, columns: getTableColumns(venues), links: eventVenues }),
  organizers: relatedPart({
    table: organizers,
    columns: getTableColumns(organizers),
    links: eventOrganizers,
  }),
  terms: relatedPart({ table: terms, columns: termColumns, links: eventTerms }),
  sources: sourcePart,
}

/** The fields of responses that need each relation. */
const NEEDED_FOR = {
  venues: ['venue', 'json_ld'],
  organizers: ['organizer', 'json_ld'],
  terms: ['categories', 'tags'],
  sources: ['source', 'other_sources', 'json_ld'],
} as const

const isRelation = (name: string): name is keyof typeof RELATIONS => name in RELATIONS

/** The events of the page, and each row that they refer to once. @param list names of long texts, relations and `series` */
const pageParts = memoize((list: string) => {
  const names = list.split(',')
  const relations = Object.entries(RELATIONS).filter(([name]) => names.includes(name))
  const parts: { events: UnionPart<PageEventRow> } = {
    events: eventPart(names),
    ...Object.fromEntries(relations),
  }
  const select = unionOf(parts)
  return (withClause: SQL, total: SQL) => mapped(select(withClause, total), found => ({ ...NONE, ...found }))
})

type Relations = { [K in keyof typeof RELATIONS]: ReturnType<(typeof RELATIONS)[K]['read']>[] }

/** The rows of relations that were not read. */
const NONE: Relations = { venues: [], organizers: [], terms: [], sources: [] }

/** The parts that some fields of responses need. */
const partsFor = (fields: Fields | undefined): ReturnType<typeof pageParts> =>
  pageParts(
    [...Object.keys(LONG), ...Object.keys(RELATIONS), 'series']
      .filter(name => wants(fields, ...(isRelation(name) ? NEEDED_FOR[name] : [name, 'json_ld'])))
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
 * @param fields those that the response needs; undefined for all
 */
export function selectEventPage(
  context: SerializeContext,
  page: SelectedPage,
  fields?: Fields,
): Query<Rows<EventRow>> {
  return mapped(partsFor(fields)(withPage(page), page.total), found => {
    const rows = assembled(context, found)
    return { rows, total: found.head, headers: shortened(rows.some(({ isShortened }) => isShortened)) }
  })
}

/** Selects the events that meet a condition, with their relations. */
export const selectEvents = (context: SerializeContext, condition: SQL, fields?: Fields): Query<EventRow[]> =>
  mapped(
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
