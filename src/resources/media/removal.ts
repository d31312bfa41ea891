import { type SQL, sql } from 'drizzle-orm'
import { type Bucket, type RequestContext, restUrl } from '../../context.ts'
import { recordChange } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { first, inList, inOrder, many, mapped, type Query, together } from '../../db/query.ts'
import { imageRemovals, images, imageUploaders, series, unusedImages } from '../../db/schema.ts'
import { ApiError } from '../../lib/errors.ts'
import { filesOfImage } from '../../lib/images/sizes.ts'
import type { DateTime } from '../../lib/time.ts'
import { contentTables } from '../content/tables.ts'
import { UPLOADS } from '../content/uploads.ts'
import { isReadable } from '../content/visibility.ts'
import { isUsedImage } from './queries.ts'
import type { ImageRow } from './serialize.ts'

// A file goes in three steps: its name is written down together with the deletion of its row, then it is deleted from
// the bucket, then the name is marked as done. Uploads of the same image fail in between and are attempted again, so
// that no deletion that began before an upload takes its file away (resources/content/uploads.ts).

/** The name of an image's file, in SQL. */
const fileSql = sql`substr(${images.url}, ${UPLOADS.length + 1})`

/**
 * The statements that delete some uploaded images, and write their files' names down. Whoever begins to use one in the
 * same moment is either before it, and then the image stays, or after it, and then refers to nothing.
 *
 * @param chosen a condition on images
 * @param record the statement of the audit, for which the rows are still there
 */
export const removeRows = (chosen: SQL, now: DateTime, record: SQL): SQL[] => [
  sql`INSERT OR REPLACE INTO ${imageRemovals} (file, at_utc, is_done)
    SELECT ${fileSql}, ${now}, 0 FROM ${images} WHERE ${images.url} GLOB ${`${UPLOADS}*`} AND NOT ${isUsedImage} AND ${chosen}`,
  record,
  ...[unusedImages, imageUploaders].map(
    table => sql`DELETE FROM ${table} WHERE image_id IN (SELECT id FROM ${images} WHERE ${isRemoved})`,
  ),
  sql`DELETE FROM ${images} WHERE ${isRemoved}`,
]

/** A condition for images whose files' names are written down. */
export const isRemoved = sql`url IN (SELECT ${UPLOADS} || file FROM ${imageRemovals})`

/** The most files that R2 deletes at once. */
const MOST_KEYS = 1_000

/** A deletion must not happen long after it began: after five minutes others take it for abandoned. */
const PATIENCE_MS = 60_000

/**
 * Deletes the files of images whose names are written down, with those of their sizes.
 *
 * @param beganMs when the names were written down, epoch milliseconds
 */
export async function removeFiles(
  db: Database,
  bucket: Bucket,
  { files, beganMs }: { files: readonly string[]; beganMs: number },
): Promise<void> {
  if (files.length === 0 || Date.now() - beganMs > PATIENCE_MS) return
  const names = files.flatMap(filesOfImage)
  for (let i = 0; i < names.length; i += MOST_KEYS) await bucket.delete(names.slice(i, i + MOST_KEYS))
  await db.change([sql`UPDATE ${imageRemovals} SET is_done = 1 WHERE file IN ${inList(files)}`])
}

/** The tables that show images, with their names in addresses. */
const USERS = [
  ...contentTables.map(([kind, table]) => [kind, `${kind}s`, table] as const),
  ['series', 'series', series] as const,
]

type Use = { kind: string; id: number; rest_url: string }
const MOST_NAMED = 10

/** A query of the content that shows an image, as far as the caller may read it. */
const usesOf = (context: RequestContext, id: number): Query<Use[]> =>
  mapped(
    inOrder(
      USERS.map(([kind, collection, table]) =>
        many(
          sql`SELECT id FROM ${table} WHERE image_id = ${id} AND ${isReadable(table, context)} ORDER BY id LIMIT ${MOST_NAMED}`,
          row => ({ kind, id: Number(row.id), rest_url: restUrl(context, collection, Number(row.id)) }),
        ),
      ),
    ),
    uses => uses.flat().slice(0, MOST_NAMED),
  )

const removedLater = (cause: unknown): ApiError =>
  new ApiError(
    'rest_service_unavailable',
    'The image is deleted, but its file could not be, and will be within a quarter of an hour: there is nothing more to do.',
    {},
    {},
    cause,
  )

/**
 * Deletes an image for good, with its file.
 *
 * @throws ApiError `image-is-in-use` if something shows it; `rest_service_unavailable` if the cron has to delete the file
 */
export async function deleteImage(context: RequestContext, row: ImageRow): Promise<void> {
  const { db, media, now } = context
  const beganMs = Date.now()
  const { id, url } = row
  const chosen = sql`${images.id} = ${id}`
  const isUpload = url.startsWith(UPLOADS)
  const record = recordChange(context, { action: 'delete', kind: 'image' }, id)
  const statements = isUpload
    ? removeRows(chosen, now, record)
    : [sql`DELETE FROM ${images} WHERE ${chosen} AND NOT ${isUsedImage}`, record]
  const { left, uses } = await db.change(
    statements,
    together({
      left: first(sql`SELECT 1 FROM ${images} WHERE id = ${id}`, () => true),
      uses: usesOf(context, id),
    }),
  )
  if (left) {
    const named = uses.map(use => use.rest_url)
    throw new ApiError(
      'image-is-in-use',
      `This image is in use${named.length > 0 ? `: ${named.join(', ')}` : ''}. Take it away there first.`,
      { used_by: uses },
    )
  }
  if (isUpload && media)
    await removeFiles(db, media, { files: [url.slice(UPLOADS.length)], beganMs }).catch(cause => {
      throw removedLater(cause)
    })
}
