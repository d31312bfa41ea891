import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod/mini'
import type { contentFields } from './fields.ts'

/** Checked values of the fields that events, venues and organizers share. */
export type ContentValues = Partial<z.output<z.ZodMiniObject<ReturnType<typeof contentFields>>>>

/**
 * The type of the rest of a destructuring that names all fields. A new field of a schema that is not stored does not
 * compile.
 */
export type NothingLeft = { readonly [name: string]: never }

/** The columns of the shared fields, except those that publication.ts and slugs.ts work out, and the image. */
export function contentColumns({
  author,
  description,
  image: _image,
  date: _date,
  date_utc: _dateUtc,
  status: _status,
  slug: _slug,
  external_id,
  ...rest
}: ContentValues) {
  rest satisfies NothingLeft
  return { author_id: author, description, external_id }
}

/** The fields of a kind, without those that {@link contentColumns} and its companions store. */
export function ownFields<F extends ContentValues>({
  author: _author,
  date: _date,
  date_utc: _dateUtc,
  status: _status,
  slug: _slug,
  description: _description,
  image: _image,
  external_id: _externalId,
  ...own
}: F) {
  return own
}

/** Fields, each of which is a column of a table; of the others none can be given. */
type Stored<T extends SQLiteTable, F> = { [K in keyof F]: K extends keyof T['$inferInsert'] ? F[K] : never }

/** The same fields. A field that is no column of the table, and that nothing else stores, does not compile. */
export const asColumns = <T extends SQLiteTable, F>(_table: T, fields: F & Stored<T, F>): F => fields
