import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../context.ts'
import { byId, type Reference } from '../db/references.ts'
import { images, imageUploaders, users } from '../db/schema.ts'
import { ApiError } from '../lib/errors.ts'
import { may } from '../lib/roles.ts'
import type { ImageChoice } from './image-choice.ts'
import { contentTables } from './tables.ts'
import { isReadable } from './visibility.ts'

type Values = { author?: number | undefined; image?: ImageChoice | undefined }

/**
 * References to the author and the image that fields name.
 *
 * @param parameter the field to report, for content that is nested in it
 */
export function contentReferences(
  context: RequestContext,
  { author, image }: Values,
  parameter?: string,
): Reference[] {
  const references: Reference[] = []
  if (author !== undefined && author !== context.caller.id)
    references.push(byId(parameter ?? 'author', 'user', [author], sql`${users}`))
  if (image && 'id' in image) references.push(imageReference(context, image.id, parameter ?? 'image'))
  return references
}

const imageReference = (context: RequestContext, id: number, parameter: string): Reference =>
  byId(parameter, 'image', [id], sql`${images}`, isUsable(context))

/**
 * A condition for images that the caller may see and use: all for editors, for others those of content that they may read,
 * and those that they have uploaded themselves. Guessing ids must not reveal others.
 */
export function isUsable(context: RequestContext): SQL {
  if (may(context.caller, 'edit_others_content')) return sql`1`
  const shown = sql.join(
    contentTables.map(
      ([, table]) =>
        sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.image_id} = ${images.id} AND ${isReadable(table, context)})`,
    ),
    sql` OR `,
  )
  return sql`(${isUploader(context)} OR ${shown})`
}

/** A condition for images that the caller has uploaded. */
export const isUploader = ({ caller }: Pick<RequestContext, 'caller'>): SQL =>
  sql`(${images.author_id} = ${caller.id} OR EXISTS (SELECT 1 FROM ${imageUploaders}
    WHERE image_id = ${images.id} AND user_id = ${caller.id}))`

/**
 * Checks the author that a request names.
 *
 * @param owner the present author, which anybody may send back unchanged
 * @throws ApiError `rest_forbidden` if the caller may not give content to this author
 */
export function assertAuthor(
  { caller }: RequestContext,
  { author, owner = caller.id }: { author?: number | undefined; owner?: number },
): void {
  if (author === undefined || author === caller.id || author === owner || may(caller, 'edit_others_content'))
    return
  throw new ApiError('rest_forbidden', 'Only editors may name another author.')
}
