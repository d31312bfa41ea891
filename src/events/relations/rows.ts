import { type SQL, sql } from 'drizzle-orm'
import { type Image, imageColumns, imageJoin, readImage } from '../../content/images.ts'
import { type Columns, columnExpressions, decodeList, type Row } from '../../db/columns.ts'
import type { organizers, terms, venues } from '../../db/schema.ts'
import type { Part } from '../../db/union.ts'

/** A row that events of a page refer to, with its length in the response, in bytes. */
export type Related<R> = { row: R; size: number }

type Relation<C> = {
  table: typeof venues | typeof organizers | typeof terms
  columns: C
  /** A SELECT of the ids that events of the page refer to. */
  linked: SQL
}

/** Bytes of text that one relation may bring along, so that no page grows beyond what a Worker can hold. */
const MOST_BYTES = 4_000_000

/**
 * Rows that events of a page refer to, each once. Those in the trash are gone for everybody. In the order of their ids,
 * as far as their texts fit; in calendars that people write, they always do.
 */
export function relatedPart<C extends Columns & { id: Columns[string] }>({
  table,
  columns,
  linked,
}: Relation<C>): Part<Related<Row<C> & { image: Image | null }>> {
  const texts = Object.values(columns).filter(column => column.dataType === 'string')
  const size = sql.join(
    texts.map(column => sql`octet_length(${column})`),
    sql` + `,
  )
  const image = 'image_id' in table ? table.image_id : undefined
  const images = image ? Object.values(imageColumns).map(column => sql`${column}`) : [sql`NULL`, sql`NULL`, sql`NULL`]
  const isThere = 'status' in table ? sql`${table.status} <> 'trash'` : sql`1`
  return {
    columns: [sql`sized.size`, ...images, ...columnExpressions(columns)],
    from: sql`FROM (SELECT ${table.id} AS id, ${size} AS size, sum(${size}) OVER (ORDER BY ${table.id}) AS running
        FROM ${table} WHERE ${table.id} IN (${linked}) AND ${isThere}) AS sized
      CROSS JOIN ${table} ON ${table.id} = sized.id ${image ? imageJoin(image) : sql``}
      WHERE sized.running <= ${sql.raw(String(MOST_BYTES))}`,
    read: ([bytes, url, width, height, ...values]) => {
      const row = decodeList(columns, values)
      const imageId: unknown = 'image_id' in row ? row.image_id : null
      return {
        row: { ...row, image: readImage(typeof imageId === 'number' ? imageId : null, url, width, height) },
        size: Number(bytes),
      }
    },
  }
}

