import { type SQL, sql } from 'drizzle-orm'
import { constant, many, type Query, type RawRow } from '../db/client.ts'
import { columnList, columnsWithout, fromJson, fromList, fromRow, jsonList, type Row } from '../db/rows.ts'
import { events, eventTerms, terms } from '../db/schema.ts'
import { type OrganizerRow, organizerRows } from '../organizers/serialize.ts'
import { type ImageRow, imageJson, readImage } from '../posts/images.ts'
import { type TermRow, termColumns } from '../terms/serialize.ts'
import { type VenueRow, venueRows } from '../venues/serialize.ts'

const columns = columnsWithout(events, 'listed_from', 'span', 'search_key')

/** An event by itself. */
export type PlainEventRow = Row<typeof columns>

/** An event with all that its answer shows, in one row: links come as JSON, so that a page is one statement. */
export type EventRow = PlainEventRow & {
  image: ImageRow | null
  venues: VenueRow[]
  organizers: OrganizerRow[]
  terms: TermRow[]
}

const termsJson =
  () => sql`(SELECT json_group_array(${jsonList(termColumns)} ORDER BY ${terms.sort_name}, ${terms.id})
  FROM ${eventTerms} JOIN ${terms} ON ${terms.id} = ${eventTerms.target_id}
  WHERE ${eventTerms.event_id} = ${events.id})`

const head = constant(
  () => sql`SELECT ${columnList(columns)}, ${imageJson(sql`${events.image_id}`)} AS image,
    ${venueRows.ofEvent()} AS venues, ${organizerRows.ofEvent()} AS organizers, ${termsJson()} AS terms
    FROM ${events}`,
)

const read = (raw: RawRow): EventRow => ({
  ...fromRow(columns, raw),
  image: readImage(raw.image),
  venues: venueRows.readJson(raw.venues),
  organizers: organizerRows.readJson(raw.organizers),
  terms: fromJson(raw.terms).map(list => fromList(termColumns, list)),
})

const plainHead = constant(() => sql`SELECT ${columnList(columns)} FROM ${events}`)

/** Events without what they are linked to, which is all that an update has to know. */
export const selectPlainEvents = (condition: SQL): Query<PlainEventRow[]> =>
  many(sql`${plainHead()} WHERE ${condition}`, raw => fromRow(columns, raw))

/**
 * Events with their relations.
 *
 * @param tail ORDER BY and what follows
 */
export const selectEvents = (condition: SQL, tail: SQL = sql``): Query<EventRow[]> =>
  many(sql`${head()} WHERE ${condition} ${tail}`, read)
