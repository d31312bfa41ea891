import { type SQL, sql } from 'drizzle-orm'
import { type Image, imageColumns, imageJoin, readImage } from '../../content/images.ts'
import { isReadable } from '../../content/visibility.ts'
import type { SerializeContext } from '../../context.ts'
import { type Columns, columnExpressions, decodeList, type Row } from '../../db/columns.ts'
import type { organizers, terms, venues } from '../../db/schema.ts'
import type { Part } from '../../db/union.ts'
import { FRAME_BYTES } from './budget.ts'

/** A row that events of a page refer to. */
export type Related<R> = {
  row: R
  /** Bytes of its texts, as they are stored. */
  size: number
  /** No row of its kind was left out. */
  isComplete: boolean
}

type Relation<C> = {
  table: typeof venues | typeof organizers | typeof terms
  columns: C
  /** A SELECT of the ids that events of the page refer to. */
  linked: SQL
}

/** Bytes that one relation may bring along, so that no page grows beyond what a Worker can hold. */
const MOST_BYTES = 3_000_000

/**
 * Rows that events of a page refer to and the caller may read, each once. In the order of their ids, as far as they fit;
 * in calendars that people write, they always do.
 */
export function relatedPart<C extends Columns & { id: Columns[string] }>(
  context: SerializeContext,
  { table, columns, linked }: Relation<C>,
): Part<Related<Row<C> & { image: Image | null }>> {
  const texts = Object.values(columns).filter(column => column.dataType === 'string')
  const size = sql.join(
    texts.map(column => sql`octet_length(${column})`),
    sql` + `,
  )
  const room = sql`${size} + ${sql.raw(String(FRAME_BYTES))}`
  const image = 'image_id' in table ? table.image_id : undefined
  const images = image
    ? Object.values(imageColumns).map(column => sql`${column}`)
    : [sql`NULL`, sql`NULL`, sql`NULL`]
  const isThere = 'status' in table ? isReadable(table, context) : sql`1`
  const most = sql.raw(String(MOST_BYTES))
  return {
    columns: [sql`sized.size`, sql`sized.room <= ${most}`, ...images, ...columnExpressions(columns)],
    from: sql`FROM (SELECT ${table.id} AS id, ${size} AS size, sum(${room}) OVER () AS room,
          sum(${room}) OVER (ORDER BY ${table.id}) AS running
        FROM ${table} WHERE ${table.id} IN (${linked}) AND ${isThere}) AS sized
      CROSS JOIN ${table} ON ${table.id} = sized.id ${image ? imageJoin(image) : sql``}
      WHERE sized.running <= ${most}`,
    read: ([bytes, isComplete, url, width, height, ...values]) => {
      const row = decodeList(columns, values)
      const imageId: unknown = 'image_id' in row ? row.image_id : null
      return {
        row: { ...row, image: readImage(typeof imageId === 'number' ? imageId : null, url, width, height) },
        size: Number(bytes),
        isComplete: isComplete === 1,
      }
    },
  }
}
