import { sql } from 'drizzle-orm'
import { UPLOADS } from '../content/uploads.ts'
import { recordEach } from '../db/audit.ts'
import type { Database } from '../db/database.ts'
import { inList, literal, many } from '../db/query.ts'
import { imageRemovals, images, unusedImages } from '../db/schema.ts'
import { attempt } from '../http/log.ts'
import { wholeImage } from '../lib/images/sizes.ts'
import { DAY_MS, formatInstant } from '../lib/time.ts'
import { isUsedImage } from './queries.ts'
import { isRemoved, removeFiles, removeRows } from './removal.ts'

const MINUTE_MS = 60_000

/** The time for which an uploaded image may be without use, and a file without a row. */
const UNUSED_MS = 7 * DAY_MS
const ORPHANED_MS = DAY_MS

/** Deletions that have not come to their end after this time are taken up again. */
const ABANDONED_MS = 10 * MINUTE_MS

/** The most that one run deletes. */
const MOST = 500

/** Once a day, at a time when few others write: it looks at every image. */
const isTimeForUnused = (time: Date): boolean => time.getUTCHours() === 3 && time.getUTCMinutes() === 41

/** Every five minutes: each time at a part of the bucket, so that in a day all of it is looked at. */
const MINUTES_BETWEEN = 5
const isTimeForOrphans = (time: Date): boolean => time.getUTCMinutes() % MINUTES_BETWEEN === 2

/** The two hexadecimal digits with which the files begin that it is time to look at. */
const partAt = (ms: number): string =>
  (Math.floor(ms / (MINUTES_BETWEEN * MINUTE_MS)) % 256).toString(16).padStart(2, '0')

/** The part of an R2 bucket that cleaning uses. */
type ListedBucket = Pick<R2Bucket, 'list' | 'put' | 'delete'>

/** The work of the cron: deletes images that nothing uses. Can run twice at the same time. @param nowMs epoch milliseconds */
export async function cleanMedia(
  db: Database,
  bucket: ListedBucket | undefined,
  nowMs: number,
): Promise<void> {
  if (!bucket) return
  const time = new Date(nowMs)
  if (isTimeForUnused(time)) {
    await attempt('unused images', () => markUnused(db, nowMs))
    await attempt('unused images', () => removeUnused(db, bucket, nowMs))
  }
  if (isTimeForOrphans(time)) {
    await attempt('removed images', () => resumeRemovals(db, bucket, nowMs))
    await attempt('files without an image', () => removeOrphans(db, bucket, { prefix: partAt(nowMs), nowMs }))
  }
}

/** Notes since when images are without use, and forgets it of those that are used again. */
export const markUnused = (db: Database, nowMs: number): Promise<void> =>
  db.change([
    sql`DELETE FROM ${unusedImages} WHERE EXISTS (SELECT 1 FROM ${images} WHERE id = image_id AND ${isUsedImage})`,
    sql`INSERT OR IGNORE INTO ${unusedImages} (image_id, since_utc)
      SELECT id, ${formatInstant(nowMs)} FROM ${images} WHERE url GLOB ${`${UPLOADS}*`} AND NOT ${isUsedImage}`,
  ])

/** Deletes images that have been without use for seven days. */
export async function removeUnused(db: Database, bucket: ListedBucket, nowMs: number): Promise<void> {
  const now = formatInstant(nowMs)
  const origin = { caller: { id: 0 }, requestId: '', now }
  const chosen = sql`${images.id} IN (SELECT image_id FROM ${unusedImages}
    WHERE since_utc <= ${formatInstant(nowMs - UNUSED_MS)} ORDER BY since_utc LIMIT ${literal(MOST)})`
  const record = recordEach(
    origin,
    { action: 'delete', kind: 'image' },
    sql`SELECT id FROM ${images} WHERE ${isRemoved}`,
  )
  const beganMs = Date.now()
  const files = await db.change(removeRows(chosen, now, record), fileNames(now))
  await removeFiles(db, bucket, { files, beganMs })
}

/** A query of the files whose deletion began at a time. */
const fileNames = (at: string) =>
  many(
    sql`SELECT file FROM ${imageRemovals} WHERE at_utc = ${at} AND NOT is_done LIMIT ${literal(MOST)}`,
    row => String(row.file),
  )

/** Ends deletions that were begun and abandoned, and forgets those that ended long ago. */
export async function resumeRemovals(db: Database, bucket: ListedBucket, nowMs: number): Promise<void> {
  const now = formatInstant(nowMs)
  const beganMs = Date.now()
  const files = await db.change(
    [
      sql`DELETE FROM ${imageRemovals} WHERE is_done AND at_utc < ${formatInstant(nowMs - DAY_MS)}`,
      sql`UPDATE ${imageRemovals} SET at_utc = ${now} WHERE NOT is_done AND at_utc < ${formatInstant(nowMs - ABANDONED_MS)}`,
    ],
    fileNames(now),
  )
  await removeFiles(db, bucket, { files, beganMs })
}

/** Deletes files without a row, which uploads left that failed half-way. @param prefix of the names of files to look at */
export async function removeOrphans(
  db: Database,
  bucket: ListedBucket,
  { prefix, nowMs }: { prefix: string; nowMs: number },
): Promise<void> {
  for (let cursor: string | undefined, left = true; left; ) {
    const listed = await bucket.list({ prefix, ...(cursor && { cursor }) })
    const old = listed.objects.filter(({ uploaded }) => uploaded.getTime() <= nowMs - ORPHANED_MS)
    await removeUnknown(db, bucket, [...new Set(old.map(({ key }) => wholeImage(key)))], nowMs)
    left = listed.truncated
    cursor = listed.truncated ? listed.cursor : undefined
  }
}

async function removeUnknown(
  db: Database,
  bucket: ListedBucket,
  names: readonly string[],
  nowMs: number,
): Promise<void> {
  if (names.length === 0) return
  const now = formatInstant(nowMs)
  const beganMs = Date.now()
  const files = await db.change(
    [
      sql`INSERT OR IGNORE INTO ${imageRemovals} (file, at_utc) SELECT value, ${now} FROM json_each(${JSON.stringify(names)})
        WHERE NOT EXISTS (SELECT 1 FROM ${images} WHERE url = ${UPLOADS} || value)`,
    ],
    many(
      sql`SELECT file FROM ${imageRemovals} WHERE at_utc = ${now} AND NOT is_done AND file IN ${inList(names)}`,
      row => String(row.file),
    ),
  )
  await removeFiles(db, bucket, { files, beganMs })
}
