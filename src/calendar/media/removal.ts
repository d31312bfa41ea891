import { and, eq, exists, getTableName, inArray, lt, not, type SQL, sql } from 'drizzle-orm'
import { type BaseContext, type Bucket, type ContentContext, restUrl } from '../../kit/context.ts'
import { auditEntriesStatement, type Origin, recorded } from '../../kit/db/audit.ts'
import type { Database } from '../../kit/db/database.ts'
import {
  combineQueries,
  eachOf,
  first,
  inList,
  many,
  mapQuery,
  type Query,
  type Statement,
} from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { formerSlugs, imageRemovals, images, imageUploaders, unusedImages } from '../../kit/db/tables.ts'
import { IMAGE_WORK, ROWS_PER_RUN } from '../../kit/lib/budgets.ts'
import { Clock } from '../../kit/lib/clock.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { filesOfImage, wholeImageFile } from '../../kit/lib/images/sizes.ts'
import { DAY_MS, formatInstant, MINUTE_MS } from '../../kit/lib/time.ts'
import { changeDue, type DueRows, processByHalving } from '../../kit/work/due-rows.ts'
import { runLogged } from '../../kit/work/error-log.ts'
import { beforeDeletionStatements } from '../content/dependents.ts'
import { ILLUSTRATED_TABLES } from '../content/resource.ts'
import { UPLOADS } from '../content/uploads.ts'
import type { ImageRow } from './queries.ts'
import { type ImageUse, selectUses, usedImageSql } from './uses.ts'

// The cron or a request deletes a file in three steps: it records the name and deletes the row in one
// transaction, deletes the file from the bucket, and marks the name as done. Uploads of the same image fail
// in between and run again, so that no deletion that began before an upload removes its file
// (calendar/content/uploads.ts).

const fileName = sql`substr(${images.url}, ${UPLOADS.length + 1})`

/**
 * The statements that delete some uploaded images, and record the names of their files. A write that begins
 * to use an image at the same moment comes either before them, and then the image stays, or after them, and
 * then refers to nothing.
 *
 * @param chosenSql a condition on images
 */
const removalStatements = (chosenSql: SQL, origin: Origin): Statement[] => [
  sql`INSERT OR REPLACE INTO ${imageRemovals} (file, at_utc, is_done)
    SELECT ${fileName}, ${origin.clock.now()}, 0 FROM ${images} WHERE ${images.url} GLOB ${`${UPLOADS}*`} AND NOT ${usedImageSql()} AND ${chosenSql}`,
  auditEntriesStatement(
    origin,
    { action: 'delete', kind: 'image' },
    sql`SELECT ${images.id} FROM ${images} WHERE ${removedSql}`,
  ),
  ...beforeDeletionStatements('image', sql`(SELECT ${images.id} FROM ${images} WHERE ${removedSql})`),
  ...[unusedImages, imageUploaders].map(table =>
    build
      .delete(table)
      .where(inArray(table.image_id, build.select({ id: images.id }).from(images).where(removedSql))),
  ),
  build.delete(formerSlugs).where(
    sql`${formerSlugs.kind} = 'image'
    AND ${formerSlugs.target_id} IN (SELECT ${images.id} FROM ${images} WHERE ${removedSql})`,
  ),
  build.delete(images).where(removedSql),
]

/** A condition for images whose file names are recorded for deletion. */
const removedSql = sql`${images.url} IN (SELECT ${UPLOADS} || ${imageRemovals.file} FROM ${imageRemovals})`

/** The most files that R2 deletes at once. */
const MAX_KEYS = 1_000

/**
 * Milliseconds after which a removal deletes no more files: after five minutes, other requests take it for
 * abandoned.
 */
const PATIENCE_MS = MINUTE_MS

/**
 * Deletes the files of images, and of their sizes, whose names are recorded.
 *
 * @param beganMs when the names were recorded, epoch milliseconds
 */
async function removeFiles(
  db: Database,
  bucket: Pick<Bucket, 'put' | 'delete'>,
  { files, beganMs }: { files: readonly string[]; beganMs: number },
): Promise<void> {
  if (files.length === 0 || Date.now() - beganMs > PATIENCE_MS) return
  const names = files.flatMap(filesOfImage)
  for (let i = 0; i < names.length; i += MAX_KEYS) await bucket.delete(names.slice(i, i + MAX_KEYS))
  await db.write([
    build
      .update(imageRemovals)
      .set({ is_done: true })
      .where(inArray(imageRemovals.file, inList(files))),
  ])
}

const MAX_NAMED_USES = 10

/** A use as an error names it. Tables are named like the collections of the API; settings are one row. */
const namedUse = (context: BaseContext, { kind, id }: ImageUse) => ({
  kind,
  id,
  rest_url:
    kind === 'settings'
      ? `${context.api}/settings`
      : restUrl(context, getTableName(ILLUSTRATED_TABLES[kind]), id),
})

const removedLater = (cause: unknown): ApiError =>
  new ApiError(
    'rest_service_unavailable',
    'The image has been deleted. Its file will follow within a quarter of an hour: there is nothing more to do.',
    { cause },
  )

/**
 * Deletes an image for good, with its file.
 *
 * @throws ApiError `image-is-in-use` if something shows it; `rest_service_unavailable` if the cron has to
 *   delete the file
 */
export async function deleteImage(context: ContentContext, row: ImageRow): Promise<void> {
  const { db, media } = context
  const beganMs = Date.now()
  const { id, url } = row
  const chosenSql = eq(images.id, id)
  const isUpload = url.startsWith(UPLOADS)
  const statements = isUpload
    ? removalStatements(chosenSql, context)
    : [
        ...beforeDeletionStatements(
          'image',
          sql`(SELECT ${images.id} FROM ${images} WHERE ${chosenSql} AND NOT ${usedImageSql()})`,
        ),
        ...recorded(context, build.delete(images).where(and(chosenSql, not(usedImageSql()))), {
          action: 'delete',
          kind: 'image',
          id,
        }),
      ]
  const {
    remainingRow,
    imageUses: { uses },
  } = await db.write(
    statements,
    combineQueries({
      remainingRow: first(build.select({ id: images.id }).from(images).where(chosenSql)),
      imageUses: selectUses(context, id, MAX_NAMED_USES),
    }),
  )
  if (remainingRow) {
    const used_by = uses.slice(0, MAX_NAMED_USES).map(use => namedUse(context, use))
    const useAddresses = used_by.map(use => use.rest_url)
    throw new ApiError(
      'image-is-in-use',
      `This image is in use${useAddresses.length > 0 ? `: ${useAddresses.join(', ')}` : ''}. Remove it there first.`,
      { used_by },
    )
  }
  if (isUpload && media)
    await removeFiles(db, media, { files: [url.slice(UPLOADS.length)], beganMs }).catch(cause => {
      throw removedLater(cause)
    })
}

/** The time for which an uploaded image may be without use, and a file without a row. */
const UNUSED_MS = 7 * DAY_MS
const ORPHANED_MS = DAY_MS

/** The time after which the cron resumes a deletion that has not finished. */
const ABANDONED_MS = 10 * MINUTE_MS

/** True if it is time to look at every image: once a day, when few others write. */
const isTimeForUnused = (time: Date): boolean => time.getUTCHours() === 3 && time.getUTCMinutes() === 41

const isTimeForOrphans = (time: Date): boolean => time.getUTCMinutes() % IMAGE_WORK.minutesBetween === 2

/** The two hexadecimal digits at the beginning of the names of the files to look at now. */
const partAt = (ms: number): string =>
  (Math.floor(ms / (IMAGE_WORK.minutesBetween * MINUTE_MS)) % 256).toString(16).padStart(2, '0')

/** The part of an R2 bucket that cleaning uses. */
type ListedBucket = Pick<R2Bucket, 'list' | 'put' | 'delete'>

/**
 * The work of the cron: deletes images that nothing uses. Can run twice at the same time.
 * @param nowMs epoch milliseconds
 */
export async function cleanMedia(
  db: Database,
  bucket: ListedBucket | undefined,
  nowMs: number,
): Promise<void> {
  if (!bucket) return
  const time = new Date(nowMs)
  const step = async (name: string, work: () => Promise<void>): Promise<void> => {
    if (db.allowance.allows(name, IMAGE_WORK.step))
      await runLogged(name, () => db.allowance.within(IMAGE_WORK.step, work))
  }
  if (isTimeForUnused(time)) {
    await step('unused images', () => markUnused(db, nowMs))
    await step('unused images', () => removeUnused(db, bucket, nowMs))
  }
  if (isTimeForOrphans(time)) {
    await step('removed images', () => resumeRemovals(db, bucket, nowMs))
    await step('files without an image', () => removeOrphans(db, bucket, { prefix: partAt(nowMs), nowMs }))
  }
}

/**
 * Deletes files, as far as the limit of requests allows. If the bucket refuses some files, it still deletes
 * all others; the cron tries the refused files again when it resumes unfinished deletions.
 *
 * @throws the first error of the bucket
 */
async function removeFilesWithinLimits(
  db: Database,
  bucket: ListedBucket,
  { files, beganMs }: Parameters<typeof removeFiles>[2],
): Promise<void> {
  const failures: Error[] = []
  await processByHalving(
    files,
    async batch => {
      if (!db.allowance.allows('removed images', { statements: 1, requests: 1 })) return
      db.allowance.spend({ requests: 1 })
      await removeFiles(db, bucket, { files: batch, beganMs })
    },
    async (_, error) => void failures.push(error),
  )
  if (failures[0]) throw failures[0]
}

/** Records the time since which images are unused, and clears the time of images that are used again. */
export const markUnused = (db: Database, nowMs: number): Promise<void> =>
  db.write([
    build.delete(unusedImages).where(
      exists(
        build
          .select({ id: images.id })
          .from(images)
          .where(and(eq(images.id, unusedImages.image_id), usedImageSql())),
      ),
    ),
    sql`INSERT OR IGNORE INTO ${unusedImages} (image_id, since_utc)
      SELECT ${images.id}, ${formatInstant(nowMs)} FROM ${images} WHERE ${images.url} GLOB ${`${UPLOADS}*`} AND NOT ${usedImageSql()}`,
  ])

/** Deletes images that have been without use for seven days. */
export async function removeUnused(db: Database, bucket: ListedBucket, nowMs: number): Promise<void> {
  const now = formatInstant(nowMs)
  const origin = { caller: { id: 0 }, requestId: '', clock: new Clock(nowMs) }
  const beganMs = Date.now()
  const unused: DueRows = {
    name: 'unused images',
    rowName: 'unused image',
    table: images,
    limit: ROWS_PER_RUN.images,
    dueSql: sql`${images.id} IN (
      SELECT ${unusedImages.image_id} FROM ${unusedImages} WHERE ${unusedImages.since_utc} <= ${formatInstant(nowMs - UNUSED_MS)})`,
    changeStatements: chosen => removalStatements(chosen, origin),
  }
  await changeDue(db, unused, nowMs)
  await removeFilesWithinLimits(db, bucket, { files: await db.read(selectFileNames(now)), beganMs })
}

/**
 * A query for some of the files whose deletion began at a time.
 * @param amongSql a condition for these files
 */
const selectFileNames = (beganUtc: string, amongSql?: SQL): Query<string[]> =>
  mapQuery(
    many(
      build
        .select({ file: imageRemovals.file })
        .from(imageRemovals)
        .where(and(eq(imageRemovals.at_utc, beganUtc), eq(imageRemovals.is_done, false), amongSql))
        .limit(ROWS_PER_RUN.images),
    ),
    rows => rows.map(({ file }) => file),
  )

/** Finishes abandoned deletions, and removes the records of deletions that ended long ago. */
export async function resumeRemovals(db: Database, bucket: ListedBucket, nowMs: number): Promise<void> {
  const now = formatInstant(nowMs)
  const beganMs = Date.now()
  const files = await db.write(
    [
      build
        .delete(imageRemovals)
        .where(and(eq(imageRemovals.is_done, true), lt(imageRemovals.at_utc, formatInstant(nowMs - DAY_MS)))),
      build
        .update(imageRemovals)
        .set({ at_utc: now })
        .where(
          and(
            eq(imageRemovals.is_done, false),
            lt(imageRemovals.at_utc, formatInstant(nowMs - ABANDONED_MS)),
          ),
        ),
    ],
    selectFileNames(now),
  )
  await removeFilesWithinLimits(db, bucket, { files, beganMs })
}

/**
 * Deletes files without a row, which failed uploads have left.
 * @param prefix of the names of files to look at
 */
export async function removeOrphans(
  db: Database,
  bucket: ListedBucket,
  { prefix, nowMs }: { prefix: string; nowMs: number },
): Promise<void> {
  const names = new Set<string>()
  for (let cursor: string | undefined, page = 0; page < IMAGE_WORK.pages; page++) {
    const listing = await bucket.list({ prefix, ...(cursor && { cursor }) })
    for (const { key, uploaded } of listing.objects)
      if (uploaded.getTime() <= nowMs - ORPHANED_MS) names.add(wholeImageFile(key))
    if (!listing.truncated) break
    cursor = listing.cursor
  }
  if (names.size === 0) return
  const now = formatInstant(nowMs)
  const beganMs = Date.now()
  const files = await db.write(
    [
      sql`INSERT OR IGNORE INTO ${imageRemovals} (file, at_utc) SELECT value, ${now} FROM ${eachOf([...names])}
        WHERE NOT EXISTS (SELECT 1 FROM ${images} WHERE ${images.url} = ${UPLOADS} || value)`,
    ],
    selectFileNames(now, inArray(imageRemovals.file, inList([...names]))),
  )
  await removeFilesWithinLimits(db, bucket, { files, beganMs })
}
