import { and, eq, like, notLike, sql } from 'drizzle-orm'
import type { BaseContext, ContentContext } from '../../kit/context.ts'
import type { Origin } from '../../kit/db/audit.ts'
import type { Database } from '../../kit/db/database.ts'
import { combineQueries, many, mapQuery, readNumber, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { formerSlugs, images } from '../../kit/db/tables.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { may } from '../../kit/lib/roles.ts'
import { typedEntries } from '../../kit/lib/values.ts'
import { imageStatements } from '../content/images.ts'
import { ILLUSTRATED_TABLES } from '../content/resource.ts'
import { imageTextStatements, NAMELESS, type StoredUpload, storeUpload } from '../content/uploads.ts'
import { matchingChangeStatements } from '../content/writes.ts'
import { type ImageRow, imageIdsByAlias, requireImage, selectImageById, selectMedia } from './queries.ts'
import type { MediaTexts, MediaUpload } from './schema.ts'

/**
 * The statement that makes an image known by the slug of another file with the same bytes as well, unless
 * that slug leads to an image already: clients look for uploaded images by the name of their file.
 */
const slugAliasStatement = ({ url, upload }: StoredUpload): Statement =>
  sql`INSERT OR IGNORE INTO ${formerSlugs} (kind, slug, target_id) SELECT 'image', ${upload.slug}, id FROM ${images}
    WHERE url = ${url} AND ${upload.slug} <> '' AND slug NOT IN ('', ${upload.slug})
    AND NOT EXISTS (SELECT 1 FROM ${images} WHERE slug = ${upload.slug})`

/**
 * Stores an image. Equal bytes are one image, which keeps its texts unless a caller who may change them sends
 * other texts. Visitors never may, not even for their own images. Its slug comes from the name of the file.
 */
export async function createImage(
  context: ContentContext,
  { file, ...texts }: MediaUpload,
): Promise<ImageRow> {
  const storedUpload = await storeUpload(context, { ...file, ...texts }, 'file')
  const { slug } = storedUpload.upload
  const { rows, idsOfSlug } = await context.db.write(
    [
      ...imageStatements(context, [storedUpload]),
      ...(context.isVisitor || NAMELESS.test(slug) ? [] : [slugAliasStatement(storedUpload)]),
    ],
    combineQueries({
      rows: selectMedia(context, eq(images.url, storedUpload.url)),
      idsOfSlug: many(imageIdsByAlias([slug]), ({ id }) => readNumber(id)),
    }),
  )
  const writtenImage = requireImage(rows[0])
  const image = idsOfSlug.includes(writtenImage.id) ? { ...writtenImage, slug } : writtenImage
  // Object.entries forgets the type of the keys.
  const hasSentTexts = Object.entries(texts).every(
    ([name, text]) => text === undefined || image[name as keyof MediaTexts] === text,
  )
  if (hasSentTexts || context.isVisitor || !mayChangeImage(context, image)) return image
  return { ...(await updateImage(context, { values: texts, stored: writtenImage })), slug: image.slug }
}

/** Changes the named texts of an image. */
export async function updateImage(
  context: BaseContext,
  { values, stored }: { values: Partial<MediaTexts>; stored: ImageRow },
): Promise<ImageRow> {
  const statements = imageTextStatements(context, stored, values)
  return context.db.write(statements, mapQuery(selectImageById(context, stored.id), requireImage))
}

/**
 * True if the caller may change or delete an image. Others who have uploaded the same image may use it, but
 * not change its texts, which appear wherever content shows the image. Contributors have only images of
 * submissions, or from before they became contributors.
 */
export const mayChangeImage = ({ caller }: BaseContext, { author_id }: ImageRow): boolean =>
  (author_id === caller.id && may(caller, 'upload_media')) || may(caller, 'edit_others_content')

/**
 * Refuses changes and deletions of images that somebody else has uploaded first.
 * @throws ApiError `rest_forbidden`
 */
export function assertMayChange(context: BaseContext, row: ImageRow): void {
  if (!mayChangeImage(context, row))
    throw new ApiError('rest_forbidden', `The role ${context.caller.role} may not change this image.`)
}

/** The statements that make content show the uploaded copy of an image of another site. */
export const copyStatements = (origin: Origin, { from, to }: { from: number; to: number }): Statement[] => [
  build.update(images).set({ copied_id: to }).where(eq(images.id, from)),
  ...typedEntries(ILLUSTRATED_TABLES).flatMap(([kind, table]) =>
    matchingChangeStatements(origin, {
      kind,
      table,
      values: { image_id: to },
      where: eq(table.image_id, from),
      changed: { image: [from, to] },
    }),
  ),
]

/**
 * Changes the addresses of images on another site that has moved their folder.
 *
 * @param from the start of their addresses as a pattern of LIKE, up to the last slash
 * @param to the start of the new ones
 */
export const moveImages = (db: Database, from: string, to: string): Promise<void> => {
  const path = from.slice(from.lastIndexOf('%') + 1)
  const name = sql`substr(${images.url}, instr(${images.url}, ${path}) + ${path.length})`
  return db.write([
    build
      .update(images)
      .set({ url: sql`${to} || ${name}` })
      .where(and(like(images.url, `${from}%`), notLike(images.url, `${to}%`))),
  ])
}
