import { sql } from 'drizzle-orm'
import { recordEach } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { inList, literal, many } from '../../db/query.ts'
import { imageRemovals, images, unusedImages } from '../../db/schema.ts'
import { changeDue, type DueRows, inHalves } from '../../http/due-rows.ts'
import { attempt } from '../../http/log.ts'
import { wholeImage } from '../../lib/images/sizes.ts'
import { DAY_MS, formatInstant } from '../../lib/time.ts'
import { UPLOADS } from '../content/uploads.ts'
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

/** What one step takes: some write and read in one batch, then delete files. */
const STEP = { statements: 8, requests: 10 }

/** The work of the cron: deletes images that nothing uses. Can run twice at the same time. @param nowMs epoch milliseconds */
export async function cleanMedia(
  db: Database,
  bucket: ListedBucket | undefined,
  nowMs: number,
): Promise<void> {
  if (!bucket) return
  const time = new Date(nowMs)
  const step = async (name: string, work: () => Promise<void>): Promise<void> => {
    if (db.allowance.begin(name, STEP)) await attempt(name, () => db.allowance.within(STEP, work))
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
 * Deletes files, as far as requests allow. If the bucket refuses some, all others are deleted; those are tried again when
 * deletions are resumed that did not come to their end.
 *
 * @throws the first error of the bucket
 */
async function removeAll(
  db: Database,
  bucket: ListedBucket,
  { files, beganMs }: Parameters<typeof removeFiles>[2],
): Promise<void> {
  const refused: Error[] = []
  await inHalves(
    files,
    async some => {
      if (!db.allowance.begin('removed images', { statements: 1, requests: 1 })) return
      db.allowance.requests -= 1
      await removeFiles(db, bucket, { files: some, beganMs })
    },
    async (_, error) => void refused.push(error),
  )
  if (refused[0]) throw refused[0]
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
  const record = recordEach(
    origin,
    { action: 'delete', kind: 'image' },
    sql`SELECT id FROM ${images} WHERE ${isRemoved}`,
  )
  const beganMs = Date.now()
  const unused: DueRows = {
    ...{ name: 'unused images', one: 'unused image', table: images, most: MOST },
    due: sql`${images.id} IN (SELECT image_id FROM ${unusedImages} WHERE since_utc <= ${formatInstant(nowMs - UNUSED_MS)})`,
    change: chosen => removeRows(chosen, now, record),
  }
  await changeDue(db, unused, nowMs)
  await removeAll(db, bucket, { files: await db.get(fileNames(now)), beganMs })
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
  await removeAll(db, bucket, { files, beganMs })
}

/** Pages of a listing that one run looks at, of a thousand files each. */
const MOST_PAGES = 20

/** Deletes files without a row, which uploads left that failed half-way. @param prefix of the names of files to look at */
export async function removeOrphans(
  db: Database,
  bucket: ListedBucket,
  { prefix, nowMs }: { prefix: string; nowMs: number },
): Promise<void> {
  const names = new Set<string>()
  for (let cursor: string | undefined, page = 0; page < MOST_PAGES; page++) {
    const listed = await bucket.list({ prefix, ...(cursor && { cursor }) })
    for (const { key, uploaded } of listed.objects)
      if (uploaded.getTime() <= nowMs - ORPHANED_MS) names.add(wholeImage(key))
    if (!listed.truncated) break
    cursor = listed.cursor
  }
  if (names.size === 0) return
  const now = formatInstant(nowMs)
  const beganMs = Date.now()
  const files = await db.change(
    [
      sql`INSERT OR IGNORE INTO ${imageRemovals} (file, at_utc) SELECT value, ${now} FROM json_each(${JSON.stringify([...names])})
        WHERE NOT EXISTS (SELECT 1 FROM ${images} WHERE url = ${UPLOADS} || value)`,
    ],
    many(
      sql`SELECT file FROM ${imageRemovals} WHERE at_utc = ${now} AND NOT is_done AND file IN ${inList([...names])}`,
      row => String(row.file),
    ),
  )
  await removeAll(db, bucket, { files, beganMs })
}
