import type * as z from 'zod'
import type { contentFields } from './fields.ts'
import { imageIdOf } from './images.ts'

/** Checked values of the fields that events, venues and organizers share. */
export type ContentValues = Partial<z.output<z.ZodObject<ReturnType<typeof contentFields>>>>

/**
 * The type of the rest of a destructuring that names all fields. A new field of a schema that is not stored does not
 * compile.
 */
export type NothingLeft = { readonly [name: string]: never }

/** The columns of the shared fields, except those that publication.ts and slugs.ts work out. */
export function contentColumns({
  author,
  description,
  image,
  date: _date,
  date_utc: _dateUtc,
  status: _status,
  slug: _slug,
  ...rest
}: ContentValues) {
  rest satisfies NothingLeft
  return { author_id: author, description, image_id: imageIdOf(image) }
}
