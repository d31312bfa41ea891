import { type SQL, sql } from 'drizzle-orm'
import { many, type Query } from '../db/client.ts'
import { images, users } from '../db/schema.ts'
import { ApiError, type Problems } from '../lib/errors.ts'
import { type Caller, may } from '../lib/roles.ts'
import type { ImageChoice } from './fields.ts'

/** Values of a parameter that must name something there is. */
export type Reference = {
  parameter: string
  values: readonly (string | number)[]
  /** Whether `json_each.value`, one of the values, names something. */
  exists: SQL
  /** What the values name, for the error: `venue`, `category`. */
  noun: string
}

/** A reference by id to rows of a table, given as `FROM` and, if need be, `WHERE … AND`. */
export const byId = (
  parameter: string,
  noun: string,
  ids: readonly number[],
  table: SQL,
  condition = sql``,
): Reference => ({
  parameter,
  noun,
  values: ids,
  exists: sql`EXISTS (SELECT 1 FROM ${table} WHERE id = json_each.value ${condition})`,
})

/** The values that name nothing. */
export const unknownValues = ({ values, exists }: Reference): Query<string[]> =>
  many(sql`SELECT value FROM json_each(${JSON.stringify(values)}) WHERE NOT ${exists}`, row =>
    String(row.value),
  )

/** Adds what {@link unknownValues} found. */
export function reportUnknown(
  problems: Problems,
  references: readonly Reference[],
  unknown: readonly string[][],
): void {
  references.forEach(({ parameter, noun }, i) => {
    const values = unknown[i] ?? []
    if (values.length > 0) problems.add(parameter, `there is no ${noun} ${values.slice(0, 10).join(', ')}`)
  })
}

/** The author and the image that a post's fields name. */
export function postReferences(
  values: { author?: number | undefined; image?: ImageChoice | undefined },
  caller: Caller,
): Reference[] {
  const { author, image } = values
  const references: Reference[] = []
  if (author !== undefined && author !== caller.id)
    references.push(byId('author', 'user', [author], sql`${users}`))
  if (image && 'id' in image) references.push(byId('image', 'image', [image.id], sql`${images}`))
  return references
}

/**
 * @param owner the author so far; sending it back unchanged takes no right
 * @throws ApiError `rest_forbidden` if the caller may not give the post to this author
 */
export function demandAuthor(author: number | undefined, caller: Caller, owner = caller.id): void {
  if (author === undefined || author === caller.id || author === owner || may(caller, 'edit_others_posts'))
    return
  throw new ApiError('rest_forbidden', 'Only editors may name another author.')
}

/** The statement that records an image given by address, if one is. */
export const recordImage = (image: ImageChoice | undefined): SQL[] =>
  image && 'url' in image
    ? [sql`INSERT INTO ${images} (url) VALUES (${image.url}) ON CONFLICT DO NOTHING`]
    : []

/** The value of `image_id` that a choice means, after {@link recordImage}; undefined leaves it alone. */
export function imageIdOf(image: ImageChoice | undefined): SQL | number | null | undefined {
  if (!image) return image
  return 'id' in image ? image.id : sql`(SELECT id FROM ${images} WHERE url = ${image.url})`
}
