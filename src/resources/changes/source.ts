import type { SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod/mini'
import type { RequestContext } from '../../context.ts'
import type { changes } from '../../db/derived.ts'
import type { Query } from '../../db/query.ts'
import type { Reference } from '../../db/references.ts'
import type { Fields } from '../../http/input.ts'
import type { FieldsSchema } from '../../http/route.ts'
import type { ValidationErrors } from '../../lib/errors.ts'

/** The kinds of resources whose changes are recorded. */
export type ChangedKind = (typeof changes)['$inferSelect']['kind']

/** The position in a first copy: the values of its last row by which it is ordered. */
export type Cursor = readonly (string | number)[]

/** A resource that can be copied: the definition of its list and its rows. */
export type Source<P, R extends { id: number }, Item> = {
  kind: ChangedKind
  /** The name of the resource in addresses and in the body. */
  plural: string
  /** The schema's name in the documentation. */
  schemaId: string
  item: z.ZodMiniType<Item>
  params: FieldsSchema<P>
  table: SQLiteTable & { id: SQLiteColumn }
  /** Joins that `bytes` needs. */
  join?: SQL
  /** An expression for the size in bytes of a row's long texts. */
  bytes: SQL
  /** A condition for the rows of the table that the list shows. */
  isListed: (context: RequestContext, values: Partial<P>) => SQL
  /** A SELECT of the next ids of a first copy. */
  following: (
    context: RequestContext,
    input: { values: Partial<P>; after: Cursor | null; limit: number },
  ) => SQL
  cursorOf: (row: R) => Cursor
  /** A query for rows, in any order. @param ids a SELECT of `id` */
  select: (context: RequestContext, ids: SQL, fields: Fields | undefined) => Query<R[]>
  /** Tells whether something was left out of a row because the response would be too large. */
  isShortened?: ((row: R) => boolean | undefined) | undefined
  serialize: (row: R, context: RequestContext) => Item
  references?: (context: RequestContext, values: Partial<P>) => Reference[]
  validate?: (context: RequestContext, values: Partial<P>, errors: ValidationErrors) => void
}
