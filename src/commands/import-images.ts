import { getTableName, type SQL, sql } from 'drizzle-orm'
import { importedRows } from '../calendar/content/imported-columns.ts'
import { illustratedTables } from '../calendar/content/resource.ts'
import { UPLOADS, uploadStatements } from '../calendar/content/uploads.ts'
import { SERIES_LINKS } from '../calendar/events/imported-events.ts'
import { storedOf } from '../calendar/imports/hashes.ts'
import { codeOfStatus } from '../calendar/imports/records.ts'
import type { Report } from '../calendar/imports/report.ts'
import { copyStatements } from '../calendar/media/writes.ts'
import type { ImageStore } from '../kit/context.ts'
import { requestIdOf } from '../kit/db/audit.ts'
import type { Database } from '../kit/db/database.ts'
import { many, type RawRow, readNumber } from '../kit/db/query.ts'
import { asOneChange } from '../kit/db/statements.ts'
import { settings } from '../kit/db/tables.ts'
import { clockAt } from '../kit/lib/clock.ts'
import { messageOf } from '../kit/lib/errors.ts'
import { imageFileOf, MAX_IMAGE_BYTES } from '../kit/lib/images/formats.ts'
import { type Images, makeImage } from '../kit/lib/images/make-image.ts'
import { slugify } from '../kit/lib/slug.ts'
import type { DateTime } from '../kit/lib/time.ts'
import { InvalidValue } from '../kit/lib/values.ts'
import { type Client, Unreachable } from '../readers/http.ts'

type CopyImagesInput = {
  db: Database
  store: ImageStore
  /** The decoder and encoder of images: Miniflare's, wherever the bucket is. */
  images: Images
  client: Client
  report: Report
  /** Id of the user who owns the images. */
  authorId: number | null
  now: DateTime
  progress: (done: number, expected: number) => void
}

const IN_USE = [...[...illustratedTables, settings].map(({ image_id }) => image_id), settings.header_id]
  .map(({ table, name }) => `EXISTS (SELECT 1 FROM ${getTableName(table)} WHERE ${name} = images.id)`)
  .join(' OR ')

/** Images on other sites that this calendar shows. */
const ELSEWHERE = sql.raw(
  `SELECT id, url FROM images WHERE url NOT GLOB '${UPLOADS}*' AND (${IN_USE}) ORDER BY id`,
)

/**
 * Copies the images that this calendar shows from other sites into its bucket. An image that cannot be
 * fetched is reported, and stays where it is. Copied images are not fetched again.
 */
export async function copyImages(copying: CopyImagesInput): Promise<void> {
  const { db, report, progress } = copying
  const foreignImages = await db.read(many(ELSEWHERE, row => row))
  for (const [i, image] of foreignImages.entries()) {
    try {
      await copyImage(copying, image)
      report.count('image', 'created')
    } catch (error) {
      report.explain('image', 'failed', String(image.url), failureReason(error))
    }
    progress(i + 1, foreignImages.length)
  }
}

const failureReason = (error: unknown): string => {
  const message = messageOf(error)
  return error instanceof InvalidValue ? `it ${message.replace(/^this /, '')}` : message
}

async function copyImage(
  { db, store, images, client, authorId, now }: CopyImagesInput,
  { id, url }: RawRow,
): Promise<void> {
  const response = await client.get(String(url), { maxBytes: MAX_IMAGE_BYTES })
  if (response.status !== 200) throw new Unreachable(`HTTP ${response.status}`, codeOfStatus(response.status))
  const image = await makeImage(images, imageFileOf(Uint8Array.from(response.bytes)))
  const { file, files, width, height, mimeType, filesize } = image
  for (const [key, bytes] of files) await store.put(key, bytes, mimeType)
  const title = titleFromUrl(String(url))
  const path = UPLOADS + file
  const origin = { caller: { id: 0 }, requestId: requestIdOf(new URL(String(url)).host), clock: clockAt(now) }
  const upload = { title, slug: slugify(title), mime_type: mimeType, filesize, has_sizes: true }
  await db.write([
    sql`DELETE FROM image_removals WHERE file = ${file} AND is_done`,
    ...uploadStatements(origin, { url: path, width, height, upload }, authorId),
  ])
  const [copy] = await db.read(many(sql`SELECT id FROM images WHERE url = ${path}`, row => row))
  if (!copy) return
  const move = { from: Number(id), to: Number(copy.id) }
  const revisions = await revisionsOfSeries(db, move)
  await db.write(asOneChange([...copyStatements(origin, move), ...revisions]))
}

/**
 * The statements that keep series from counting as edited because of a copied image, whose id is in the
 * digest that imports compare.
 */
async function revisionsOfSeries(db: Database, { from, to }: { from: number; to: number }): Promise<SQL[]> {
  const seriesSelect = sql`SELECT id FROM series WHERE image_id = ${from}`
  const rows = await db.read(many(importedRows('series', seriesSelect, SERIES_LINKS), row => row))
  const revisions = rows.map(async row => {
    const revision = async (image: number) => (await storedOf('series', { ...row, image_id: image })).revision
    return sql`UPDATE imports SET imported_version = ${await revision(to)}
      WHERE kind = 'series' AND target_id = ${readNumber(row.id)} AND imported_version = ${await revision(from)}`
  })
  return Promise.all(revisions)
}

/** The title of an image: the name of the file at an address, without its extension. */
function titleFromUrl(url: string): string {
  const [name = ''] = new URL(url).pathname.split('/').slice(-1)
  try {
    return decodeURIComponent(name)
      .replace(/\.\w{1,8}$/, '')
      .slice(0, 200)
  } catch {
    return ''
  }
}
