import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { imageColumns, imageJoin, readImage } from '../content/images.ts'
import type { SerializeContext } from '../context.ts'
import { decodeList, decodeRow } from '../db/columns.ts'
import { constant, literal, many, mapped, type Query } from '../db/query.ts'
import { eventOrganizers, events, eventTerms, eventVenues, organizers, terms, venues } from '../db/schema.ts'
import { type Part, unionOf } from '../db/union.ts'
import type { Rows } from '../http/lists.ts'
import { shortened } from '../http/reply.ts'
import { termColumns } from '../terms/serialize.ts'
import type { SelectedPage } from './listing/indexed-list.ts'
import { assembled, OWN_BYTES } from './relations/budget.ts'
import { relatedPart } from './relations/rows.ts'
import {
  type EventRow,
  eventColumns,
  type PageEventRow,
  type PlainEventRow,
  seriesColumns,
  seriesJoin,
  sharedTexts,
} from './rows.ts'

const plainHead = constant(() => {
  const columns = Object.entries(eventColumns).map(([name, column]) =>
    sharedTexts[name] ? sql`${sharedTexts[name]} AS ${sql.identifier(name)}` : sql`${column}`,
  )
  return sql`SELECT ${sql.join(columns, sql`, `)} FROM ${events} ${seriesJoin}`
})

/** Selects events without their relations, which updates don't need. */
export const selectPlainEvents = (condition: SQL): Query<PlainEventRow[]> =>
  many(sql`${plainHead()} WHERE ${condition}`, raw => decodeRow(eventColumns, raw))

const IMAGE = Object.values(imageColumns).map(column => sql`${column}`)

/** Limit in bytes of the texts of a page's events. If they are longer together, each is limited to its share. */
const TEXT_BYTES = literal(OWN_BYTES)
const textLength = sql`octet_length(${sharedTexts.description}) + octet_length(${sharedTexts.excerpt})
  + octet_length(${events.custom_fields})`
// The sum is computed only if a text is longer than its share.
const fits = sql`CASE WHEN ${textLength} <= ${TEXT_BYTES} / page.size THEN 1
  ELSE (SELECT sum(${textLength}) FROM page CROSS JOIN ${events} ON ${events.id} = page.id ${seriesJoin})
    <= ${TEXT_BYTES} END`

/** Long texts, which are left out of rows where they don't fit, with their expressions. */
const LONG: Readonly<Record<string, SQL>> = { ...sharedTexts, custom_fields: sql`${events.custom_fields}` }

const SERIES = Object.values(seriesColumns)

/** The events of the page, without their relations. */
const eventPart: Part<PageEventRow> = {
  columns: [
    sql`page.position`,
    fits,
    ...IMAGE,
    ...Object.entries(eventColumns).map(([name, column]) =>
      LONG[name] ? sql`iif(${fits}, ${LONG[name]}, '')` : sql`${column}`,
    ),
    ...SERIES.map(column => sql`${column}`),
  ],
  from: sql`FROM page CROSS JOIN ${events} ON ${events.id} = page.id ${imageJoin(events.image_id)} ${seriesJoin}`,
  read: ([position, fits, url, width, height, ...values]) => {
    const row = decodeList(eventColumns, values)
    return {
      ...row,
      isShortened: fits === 0,
      position: Number(position),
      image: readImage(row.image_id, url, width, height),
      series: row.series_id === null ? null : decodeList(seriesColumns, values.slice(-SERIES.length)),
    }
  },
}

/** The events of the page, and each row that they refer to once. */
const pageParts = unionOf({
  events: eventPart,
  venues: relatedPart({ table: venues, columns: getTableColumns(venues), links: eventVenues }),
  organizers: relatedPart({
    table: organizers,
    columns: getTableColumns(organizers),
    links: eventOrganizers,
  }),
  terms: relatedPart({ table: terms, columns: termColumns, links: eventTerms }),
})

/** A query of a page of events with their relations, and of the total of the list, in one statement. */
export function selectEventPage(
  context: SerializeContext,
  { shared, ids, total }: SelectedPage,
): Query<Rows<EventRow>> {
  // JSON keeps the ids in their order, and numbers them.
  const page = sql`ids(list) AS MATERIALIZED (SELECT json_group_array(id) FROM (${ids})),
    page(position, id, size) AS MATERIALIZED (
      SELECT key, value, json_array_length(ids.list) FROM ids CROSS JOIN json_each(ids.list))`
  return mapped(pageParts(sql`WITH ${shared ? sql`${shared}, ` : sql``}${page}`, total), found => {
    const rows = assembled(context, found)
    return { rows, total: found.head, headers: shortened(rows.some(({ isShortened }) => isShortened)) }
  })
}

/** Selects the events that fulfil a condition, with their relations. */
export const selectEvents = (context: SerializeContext, condition: SQL): Query<EventRow[]> =>
  mapped(
    selectEventPage(context, {
      ids: sql`SELECT ${events.id} FROM ${events} WHERE ${condition}`,
      total: sql`0`,
    }),
    ({ rows }) => rows,
  )
