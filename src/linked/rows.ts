import { type SQL, sql } from 'drizzle-orm'
import { constant, many, type Query, type RawRow } from '../db/client.ts'
import { type Columns, columnList, fromJson, fromList, fromRow, type Row } from '../db/rows.ts'
import { type eventOrganizers, events, type eventVenues, type organizers, type venues } from '../db/schema.ts'
import { type ImageRow, imageJson, readImage } from '../posts/images.ts'

/** How rows of venues or organizers are read, alone and along with the events that link to them. */
export type LinkedRows<R> = {
  select: (condition: SQL, tail?: SQL) => Query<R[]>
  /** An event's links that are not in the trash, in the order in which they were given, as JSON. */
  ofEvent: () => SQL
  /** What {@link LinkedRows.ofEvent} answered → rows. */
  readJson: (raw: unknown) => R[]
}

export function linkedRows<C extends Columns>(
  table: typeof venues | typeof organizers,
  links: typeof eventVenues | typeof eventOrganizers,
  columns: C,
): LinkedRows<Row<C> & { image: ImageRow | null }> {
  const image = imageJson(sql`${table.image_id}`)
  const head = constant(() => sql`SELECT ${columnList(columns)}, ${image} AS image FROM ${table}`)
  const read = (raw: RawRow) => ({ ...fromRow(columns, raw), image: readImage(raw.image) })
  return {
    select: (condition, tail = sql``) => many(sql`${head()} WHERE ${condition} ${tail}`, read),
    ofEvent:
      () => sql`(SELECT json_group_array(json_array(${columnList(columns)}, ${image}) ORDER BY ${links.position})
      FROM ${links} JOIN ${table} ON ${table.id} = ${links.target_id}
      WHERE ${links.event_id} = ${events.id} AND ${table.status} <> 'trash')`,
    readJson: raw =>
      fromJson(raw).map(list => ({ ...fromList(columns, list), image: readImage(list.at(-1)) })),
  }
}

/** The statements that delete a venue or organizer and the links to it, for good. */
export const linkedRemoval =
  (table: typeof venues | typeof organizers, links: typeof eventVenues | typeof eventOrganizers) =>
  (id: number): SQL[] => [
    sql`DELETE FROM ${links} WHERE ${links.target_id} = ${id}`,
    sql`DELETE FROM ${table} WHERE ${table.id} = ${id}`,
  ]
