import { and, eq, sql } from 'drizzle-orm'
import { importedRows } from '../calendar/content/imported-columns.ts'
import { UPLOADS, uploadStatements } from '../calendar/content/uploads.ts'
import { SERIES_LINKS_TEXT } from '../calendar/events/series-values.ts'
import { storedOf } from '../calendar/imports/hashes.ts'
import { codeOfStatus } from '../calendar/imports/records.ts'
import type { Report } from '../calendar/imports/report.ts'
import { usedImageSql } from '../calendar/media/uses.ts'
import { copyStatements } from '../calendar/media/writes.ts'
import type { ImageStore } from '../kit/context.ts'
import { importRequestId } from '../kit/db/audit.ts'
import type { Database } from '../kit/db/database.ts'
import { first, many, readNumber, type Statement } from '../kit/db/query.ts'
import { asOneChange, build } from '../kit/db/statements.ts'
import { imageRemovals, imports, series, images as storedImages } from '../kit/db/tables.ts'
import { clockAt } from '../kit/lib/clock.ts'
import { messageOf } from '../kit/lib/errors.ts'
import { imageFileOf, MAX_IMAGE_BYTES } from '../kit/lib/images/formats.ts'
import { type Images, makeImage } from '../kit/lib/images/make-image.ts'
import { slugify } from '../kit/lib/slug.ts'
import type { DateTime } from '../kit/lib/time.ts'
import { InvalidValue, requirePresent } from '../kit/lib/values.ts'
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

/** A query for the images on other sites that this calendar shows. */
const selectForeign = () =>
  many(
    build
      .select({ id: storedImages.id, url: storedImages.url, alt_text: storedImages.alt_text })
      .from(storedImages)
      .where(sql`${storedImages.url} NOT GLOB ${`${UPLOADS}*`} AND ${usedImageSql()}`)
      .orderBy(storedImages.id),
  )

/**
 * Copies the images that this calendar shows from other sites into its bucket. An image that cannot be
 * fetched is reported, and stays where it is. Copied images are not fetched again.
 */
export async function copyImages(copying: CopyImagesInput): Promise<void> {
  const { db, report, progress } = copying
  const foreignImages = await db.read(selectForeign())
  for (const [i, image] of foreignImages.entries()) {
    try {
      await copyImage(copying, image)
      report.count('image', 'created')
    } catch (error) {
      report.explain('image', 'failed', image.url, failureReason(error))
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
  { id, url, alt_text }: { id: number; url: string; alt_text: string },
): Promise<void> {
  const response = await client.get(url, { maxBytes: MAX_IMAGE_BYTES })
  if (response.status !== 200) throw new Unreachable(`HTTP ${response.status}`, codeOfStatus(response.status))
  const image = await makeImage(images, imageFileOf(Uint8Array.from(response.bytes)))
  const { file, files, width, height, mimeType, filesize } = image
  for (const [key, bytes] of files) await store.put(key, bytes, mimeType)
  const title = titleFromUrl(url)
  const path = UPLOADS + file
  const origin = { caller: { id: 0 }, requestId: importRequestId(new URL(url).host), clock: clockAt(now) }
  const upload = {
    title,
    ...(alt_text && { alt_text }),
    slug: slugify(title),
    mime_type: mimeType,
    filesize,
    has_sizes: true,
  }
  await db.write([
    build.delete(imageRemovals).where(and(eq(imageRemovals.file, file), eq(imageRemovals.is_done, true))),
    ...uploadStatements(origin, { url: path, width, height, upload }, authorId),
  ])
  const copy = await db.read(
    first(build.select({ id: storedImages.id }).from(storedImages).where(eq(storedImages.url, path))),
  )
  const move = { from: id, to: requirePresent(copy, 'the copied image').id }
  const revisions = await readRevisionStatements(db, move)
  await db.write(asOneChange([...copyStatements(origin, move), ...revisions]))
}

/**
 * The statements that keep series from counting as edited because of a copied image, whose id is in the
 * digest that imports compare.
 */
async function readRevisionStatements(
  db: Database,
  { from, to }: { from: number; to: number },
): Promise<Statement[]> {
  const seriesSelect = sql`SELECT ${series.id} FROM ${series} WHERE ${series.image_id} = ${from}`
  const rows = await db.read(many(importedRows('series', seriesSelect, SERIES_LINKS_TEXT), row => row))
  const moves = rows.map(async row => {
    const revision = async (image: number) => (await storedOf('series', { ...row, image_id: image })).revision
    return { id: readNumber(row.id), before: await revision(from), after: await revision(to) }
  })
  return (await Promise.all(moves)).map(({ id, before, after }) =>
    build
      .update(imports)
      .set({ imported_version: after })
      .where(
        and(eq(imports.kind, 'series'), eq(imports.target_id, id), eq(imports.imported_version, before)),
      ),
  )
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
