import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { type Columns, columnList, decodeRow, type RowOf } from '../../../db/columns.ts'
import { many, type Query } from '../../../db/query.ts'
import {
  type eventOrganizers,
  events,
  type eventVenues,
  organizers,
  type seriesOrganizers,
  type seriesVenues,
  venues,
} from '../../../db/schema.ts'
import { shaped } from '../../../db/shapes.ts'
import { type Image, imageColumns, imageJoin, readImage } from '../images.ts'

type Table = typeof venues | typeof organizers

/** Makes a function that selects venues or organizers with their images. */
function reader<T extends Table, C extends Columns & { image_id: Columns[string] }>(table: T, columns: C) {
  const head = shaped(
    () => sql`SELECT ${columnList(columns)}, ${images()} FROM ${table} ${imageJoin(table.image_id)}`,
  )
  return (condition: SQL, tail: SQL = sql``): Query<(RowOf<C> & { image: Image | null })[]> =>
    many(sql`${head()} WHERE ${condition} ${tail}`, raw => ({
      ...decodeRow(columns, raw),
      image: readImage(
        raw.image_id === null ? null : Number(raw.image_id),
        Object.keys(imageColumns).map(name => raw[name]),
      ),
    }))
}

const images = (): SQL =>
  sql.join(
    Object.entries(imageColumns).map(([name, column]) => sql`${column} AS ${sql.identifier(name)}`),
    sql`, `,
  )

/** Selects the venues that fulfil a condition. @param tail ORDER BY and further clauses */
export const selectVenues = reader(venues, getTableColumns(venues))
export type VenueRow = RowOf<ReturnType<typeof getTableColumns<typeof venues>>> & { image: Image | null }

/** Selects the organizers that fulfil a condition. @param tail ORDER BY and further clauses */
export const selectOrganizers = reader(organizers, getTableColumns(organizers))
export type OrganizerRow = RowOf<ReturnType<typeof getTableColumns<typeof organizers>>> & {
  image: Image | null
}

/** A subquery of the ids of events that have a venue or organizer, or whose series has it. */
export const relatedEvents =
  (
    links: typeof eventVenues | typeof eventOrganizers,
    seriesLinks: typeof seriesVenues | typeof seriesOrganizers,
  ) =>
  (id: SQL): SQL =>
    sql`SELECT ${links.event_id} FROM ${links} WHERE ${links.target_id} = ${id} UNION
      SELECT ${events.id} FROM ${seriesLinks} CROSS JOIN ${events} ON ${events.series_id} = ${seriesLinks.series_id}
        WHERE ${seriesLinks.target_id} = ${id}`

/** The statements that delete a venue or organizer and the links to it, for good. */
export const relatedRemoval =
  (
    table: Table,
    links: readonly (
      | typeof eventVenues
      | typeof eventOrganizers
      | typeof seriesVenues
      | typeof seriesOrganizers
    )[],
  ) =>
  (id: number): SQL[] => [
    ...links.map(table => sql`DELETE FROM ${table} WHERE ${table.target_id} = ${id}`),
    sql`DELETE FROM ${table} WHERE ${table.id} = ${id}`,
  ]
