import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { imageColumns, imageJoin, readImage } from '../content/images.ts'
import type { SerializeContext } from '../context.ts'
import { columnList, decodeList, decodeRow } from '../db/columns.ts'
import { constant, many, mapped, type Query } from '../db/query.ts'
import { eventOrganizers, events, eventTerms, eventVenues, organizers, terms, venues } from '../db/schema.ts'
import { type Part, unionOf } from '../db/union.ts'
import type { Rows } from '../http/lists.ts'
import { shortened } from '../http/reply.ts'
import { termColumns } from '../terms/serialize.ts'
import type { SelectedPage } from './listing/indexed-list.ts'
import { OWN_BYTES, withinBudget } from './relations/budget.ts'
import { relatedPart } from './relations/rows.ts'
import { type EventRow, eventColumns, type LinkedEventRow, type PlainEventRow } from './rows.ts'

const plainHead = constant(() => sql`SELECT ${columnList(eventColumns)} FROM ${events}`)

/** Events without what they refer to, which is all that an update has to know. */
export const selectPlainEvents = (condition: SQL): Query<PlainEventRow[]> =>
  many(sql`${plainHead()} WHERE ${condition}`, raw => decodeRow(eventColumns, raw))

const idsOf = (links: typeof eventVenues | typeof eventOrganizers): SQL =>
  sql`(SELECT json_group_array(${links.target_id} ORDER BY ${links.position}) FROM ${links}
    WHERE ${links.event_id} = ${events.id})`

const termIds = sql`(SELECT json_group_array(${eventTerms.target_id}) FROM ${eventTerms}
  WHERE ${eventTerms.event_id} = ${events.id})`

const OWN = [sql`sized.position`, idsOf(eventVenues), idsOf(eventOrganizers), termIds, sql`sized.running`]
const IMAGE = Object.values(imageColumns).map(column => sql`${column}`)

const MAY_BE_LONG: readonly unknown[] = [events.description, events.excerpt]

/** An event's columns; texts that may be long are read as far as there is room for them. */
const roomy = Object.values(eventColumns).map(column =>
  MAY_BE_LONG.includes(column)
    ? sql`iif(sized.running <= ${sql.raw(String(OWN_BYTES))}, ${column}, '')`
    : sql`${column}`,
)

/** The page's events, with the ids of what they refer to. */
const eventPart: Part<LinkedEventRow> = {
  columns: [...OWN, ...IMAGE, ...roomy],
  from: sql`FROM (SELECT page.position, page.id,
        sum(octet_length(${events.description}) + octet_length(${events.excerpt})) OVER (ORDER BY page.position) AS running
      FROM page CROSS JOIN ${events} ON ${events.id} = page.id) AS sized
    CROSS JOIN ${events} ON ${events.id} = sized.id ${imageJoin(events.image_id)}`,
  read: ([position, venueIds, organizerIds, termIds, running, url, width, height, ...values]) => {
    const row = decodeList(eventColumns, values)
    return {
      ...row,
      position: Number(position),
      ownBytes: Number(running),
      image: readImage(row.image_id, url, width, height),
      venueIds: idList(venueIds),
      organizerIds: idList(organizerIds),
      termIds: idList(termIds),
    }
  },
}

// A JSON list of the database's own making.
const idList = (json: unknown): number[] => JSON.parse(String(json))

const parts = (context: SerializeContext) => ({
  events: eventPart,
  venues: relatedPart(context, {
    table: venues,
    columns: getTableColumns(venues),
    linked: sql`SELECT target_id FROM page CROSS JOIN ${eventVenues} ON ${eventVenues.event_id} = page.id`,
  }),
  organizers: relatedPart(context, {
    table: organizers,
    columns: getTableColumns(organizers),
    linked: sql`SELECT target_id FROM page CROSS JOIN ${eventOrganizers} ON ${eventOrganizers.event_id} = page.id`,
  }),
  terms: relatedPart(context, {
    table: terms,
    columns: termColumns,
    linked: sql`SELECT target_id FROM page CROSS JOIN ${eventTerms} ON ${eventTerms.event_id} = page.id`,
  }),
})

/** Whole events in the order of their ids, and the number of all in the list that the page is from: one statement. */
export function selectEventPage(
  context: SerializeContext,
  { ids, total }: SelectedPage,
): Query<Rows<EventRow>> {
  const page = sql`WITH page(position, id) AS MATERIALIZED (SELECT row_number() OVER (), id FROM (${ids}))`
  const totalPart: Part<number> = { columns: [total], from: sql``, read: ([number]) => Number(number) }
  return mapped(unionOf(page, { total: totalPart, ...parts(context) }), found => {
    const [number = 0] = found.total
    const rows = withinBudget(found, context)
    return { rows, total: number, headers: shortened(rows.some(({ isShortened }) => isShortened)) }
  })
}

/** Whole events that fulfil a condition. */
export const selectEvents = (context: SerializeContext, condition: SQL): Query<EventRow[]> =>
  mapped(
    selectEventPage(context, {
      ids: sql`SELECT ${events.id} FROM ${events} WHERE ${condition}`,
      total: sql`0`,
    }),
    ({ rows }) => rows,
  )
