import { type SQL, sql } from 'drizzle-orm'
import { type Columns, decodeList, type RowOf } from '../../../db/columns.ts'
import { literal, type UnionPart } from '../../../db/query.ts'
import type {
  eventOrganizers,
  eventTerms,
  eventVenues,
  organizers,
  seriesOrganizers,
  seriesTerms,
  seriesVenues,
  terms,
  venues,
} from '../../../db/schema.ts'
import { type Image, imageColumns, imageJoin, readImage } from '../../content/images.ts'

/** A use of a related row: the position of an event on the page, and the row's position among those of the event. */
type Use = readonly [event: number, place: number]

/** A row that events of a page refer to, with its uses. */
export type Related<R> = { row: R; uses: readonly Use[] }

type Relation<C> = {
  table: typeof venues | typeof organizers | typeof terms
  columns: C
  /** The join table with events, or with series. */
  links:
    | typeof eventVenues
    | typeof eventOrganizers
    | typeof eventTerms
    | typeof seriesVenues
    | typeof seriesOrganizers
    | typeof seriesTerms
}

// Limits of the descriptions and of the other texts that a page reads, divided evenly among the related rows. Up to
// thirty rows may have the longest description that is allowed, in any script, and a hundred rows one of 25 KB each.
// Ordinary calendars don't reach that.
const DESCRIPTION_BYTES = 2_500_000
const OTHER_CHARACTERS = 1_600_000
export const MOST_RELATED_ROWS = 4_000

/** The rows of a table that events or series of a page refer to, each once, without those in the trash. */
export function relatedPart<C extends Columns & { id: Columns[string] }>({
  table,
  columns,
  links,
}: Relation<C>): UnionPart<Related<RowOf<C> & { image: Image | null }>> {
  const imageId = 'image_id' in table ? table.image_id : undefined
  const images = imageId ? Object.values(imageColumns).map(column => sql`${column}`) : NO_IMAGE
  const isThere = 'status' in table ? sql`${table.status} <> 'trash'` : sql`1`
  const owner = 'event_id' in links ? links.event_id : links.series_id
  const place = 'position' in links ? sql`${links.position}` : sql`0`
  return {
    columns: [sql`item.value ->> 1`, ...images, ...boundedTexts(columns, sql`related.size`)],
    // The list is JSON so that its length, which determines each row's share, is known before the rows are read.
    from: sql`FROM (SELECT json_group_array(json_array(target_id, uses)) AS list, count(*) AS size FROM (
        SELECT ${links.target_id} AS target_id, json_group_array(json_array(page.position, ${place})) AS uses
        FROM page CROSS JOIN ${links} ON ${owner} = page.id GROUP BY ${links.target_id}
      )) AS related CROSS JOIN json_each(related.list) AS item
      CROSS JOIN ${table} ON ${table.id} = item.value ->> 0 ${imageId ? imageJoin(imageId) : sql``}
      WHERE item.key < ${literal(MOST_RELATED_ROWS)} AND ${isThere}`,
    read: ([uses, ...image]) => {
      const row = decodeList(columns, image.slice(NO_IMAGE.length))
      const id: unknown = 'image_id' in row ? row.image_id : null
      return {
        row: {
          ...row,
          image: readImage(typeof id === 'number' ? id : null, image),
        },
        // Made by json_group_array() above.
        uses: JSON.parse(String(uses)),
      }
    },
  }
}

const NO_IMAGE = Object.values(imageColumns).map(() => sql`NULL`)

/**
 * The columns, with texts cut to their share, and null for descriptions that are longer than theirs.
 *
 * @param rows the number of rows that have a share
 */
export function boundedTexts(columns: Columns, rows: SQL): SQL[] {
  const texts = Object.values(columns).filter(column => column.dataType === 'string').length
  const share = literal(Math.floor(OTHER_CHARACTERS / texts))
  return Object.values(columns).map(column => {
    if (column.dataType !== 'string') return sql`${column}`
    if (column.name === 'description')
      return sql`iif(octet_length(${column}) <= ${literal(DESCRIPTION_BYTES)} / ${rows}, ${column}, NULL)`
    return sql`substr(${column}, 1, ${share} / ${rows})`
  })
}
