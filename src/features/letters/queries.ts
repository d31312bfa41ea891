import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { RowOf } from '../../kit/db/columns.ts'
import { countOf, first, literal, type Query } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { type ListSlice, type Rows, selectNewest } from '../../kit/http/lists.ts'
import { foundOrThrow } from '../../kit/lib/errors.ts'
import { DAY_MS, formatInstant } from '../../kit/lib/time.ts'
import type { DueRows } from '../../kit/work/due-rows.ts'
import { letterDeliveries, letters } from './tables.ts'

const letterColumns = getTableColumns(letters)
export type LetterRow = RowOf<typeof letterColumns>

const deliveryColumns = getTableColumns(letterDeliveries)
export type LetterDeliveryRow = RowOf<typeof deliveryColumns>

export const selectLetterCount = countOf(sql`${letters}`)

export const selectLetterPage = (page: ListSlice): Query<Rows<LetterRow>> =>
  selectNewest(letterColumns, sql`${letters}`, page)

export const selectLetterById = (id: number | SQL): Query<LetterRow | undefined> =>
  first(build.select().from(letters).where(eq(letters.id, id)))

export const requireLetter = foundOrThrow('rest-letter-not-found', 'There is no letter with this id.')

export const selectLetterDeliveries = (letter: number, page: ListSlice): Query<Rows<LetterDeliveryRow>> =>
  selectNewest(
    deliveryColumns,
    sql`${letterDeliveries} WHERE ${letterDeliveries.letter_id} = ${letter}`,
    page,
  )

export const selectLetterDeliveryById = (letter: number, id: number): Query<LetterDeliveryRow | undefined> =>
  first(
    build
      .select()
      .from(letterDeliveries)
      .where(and(eq(letterDeliveries.letter_id, letter), eq(letterDeliveries.id, id))),
  )

export const requireLetterDelivery = foundOrThrow(
  'rest-delivery-not-found',
  'There is no delivery with this id.',
)

const KEPT_DAYS = 400
/** The number of rows that are checked, and deleted, at once. */
const MAX_FORGOTTEN = 200

export const oldLetterDeliveries = (nowMs: number): DueRows => ({
  name: 'letter deliveries',
  rowName: 'letter delivery',
  table: letterDeliveries,
  dueSql: sql`id IN (SELECT id FROM (SELECT id, at_utc FROM ${letterDeliveries} ORDER BY id LIMIT ${literal(MAX_FORGOTTEN)})
    WHERE at_utc < ${formatInstant(nowMs - KEPT_DAYS * DAY_MS)})`,
  limit: MAX_FORGOTTEN,
  isUnindexed: true,
})
