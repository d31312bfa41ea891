import { and, eq, lt, or, type SQL, sql } from 'drizzle-orm'
import type { BaseContext, Bucket, ContentContext } from '../../kit/context.ts'
import { type ChangedFields, insertedId, type Origin, recorded } from '../../kit/db/audit.ts'
import { countOf, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { imageRemovals, images, imageUploaders } from '../../kit/db/tables.ts'
import { ApiError, ValidationErrors } from '../../kit/lib/errors.ts'
import { randomHex } from '../../kit/lib/hash.ts'
import type { ImageFile } from '../../kit/lib/images/formats.ts'
import { type Images, type MadeImage, makeImage } from '../../kit/lib/images/make-image.ts'
import { numberedSlug, slugify } from '../../kit/lib/slug.ts'
import { decodeEntities, fold, toPlain } from '../../kit/lib/text.ts'
import { formatInstant } from '../../kit/lib/time.ts'
import { FIELD_LIMITS, InvalidValue, withoutUndefined } from '../../kit/lib/values.ts'
import { freeSlug } from './slugs.ts'

type ImageTexts = {
  title?: string | undefined
  alt_text?: string | undefined
  caption?: string | undefined
}

/** An uploaded image whose file is in the bucket. It gets the slug if that is free. */
type Upload = ImageTexts & { slug: string; mime_type: string; filesize: number; has_sizes: boolean }

/**
 * An image by id, by address (with its size in pixels if the client sends the size, and the alternative text
 * that a new one gets) or as a file; null for none. `storeUpload` stores files and turns them into addresses.
 * `newId` is the id that an image gets if it is not stored yet.
 */
export type ImageChoice =
  | { id: number }
  | { url: string; width?: number; height?: number; alt_text?: string; upload?: Upload; newId?: number }
  | { file: ImageFile; name: string }
  | null

// Uploaded images. A bucket has the file of each image and the files of its sizes, named after the digest of
// the bytes, or at random if a visitor has sent them. The table `images` has its row. A write stores the
// files first, and the row in its transaction. The cron deletes files without a row, and rows that nothing
// uses (calendar/media/removal.ts).

/** The path of uploaded images, before the names of their files. */
export const UPLOADS = '/media/'

export type StoredUpload = { url: string; width: number; height: number; upload: Upload }

/**
 * Returns the bucket and the service that reads images.
 * @throws ApiError `rest_media_unavailable` where one is missing
 */
export function requireBucket({ media, images }: ContentContext): {
  media: Bucket
  images: Images
} {
  if (media && images) return { media, images }
  const lacking = media ? 'nothing that reads them (binding IMAGES)' : 'no bucket for them (binding MEDIA)'
  throw new ApiError(
    'rest_media_unavailable',
    `Images cannot be uploaded here: the service has ${lacking}. Addresses of images on other sites are accepted.`,
  )
}

/** The images made of the files of requests, so that another attempt of a write need not make them again. */
const madeImages = new WeakMap<ImageFile, MadeImage>()

/** Seconds after which a deletion that has not finished counts as abandoned. */
const ABANDONED_SECONDS = 300

const abandonedBefore = () => formatInstant(Date.now() - ABANDONED_SECONDS * 1_000)

/**
 * Makes an image of a file and stores it in the bucket with its sizes: once for all attempts of a write,
 * unless the file is deleted in the meantime.
 *
 * @param field the name of the field with the file
 * @throws ApiError `rest_invalid_param` if the file is no image
 */
export async function storeUpload(
  context: ContentContext,
  { file: sent, name, ...texts }: ImageTexts & { file: ImageFile; name: string },
  field: string,
): Promise<StoredUpload> {
  const { media, images } = requireBucket(context)
  const before = madeImages.get(sent)
  const image =
    before ??
    (await withFileName(
      context,
      await makeImage(images, sent).catch((error: unknown) => reject(field, error)),
    ))
  const { file, files, mimeType, filesize, width, height } = image
  if (!before || (await isRemoved(context, file))) {
    const options = { httpMetadata: { contentType: mimeType } }
    await Promise.all([...files].map(([key, bytes]) => media.put(key, bytes, options)))
  }
  madeImages.set(sent, image)
  const ownTitle = titleFromFileName(name)
  const upload = {
    ...texts,
    title: texts.title ?? ownTitle,
    slug: slugify(ownTitle, context.settings.website.language),
    mime_type: mimeType,
    filesize,
    has_sizes: true,
  }
  return { url: UPLOADS + file, width, height, upload }
}

/**
 * True if a stored file is gone or is being deleted. Once a deletion has ended, the name of the file is free
 * again. Until then, the write fails.
 */
async function isRemoved({ db, media }: ContentContext, file: string): Promise<boolean> {
  const ofFileSql = eq(imageRemovals.file, file)
  if ((await db.read(countOf(sql`${imageRemovals} WHERE ${ofFileSql}`))) === 0)
    return !(await media?.has(file))
  await db.write([
    build
      .delete(imageRemovals)
      .where(
        and(ofFileSql, or(eq(imageRemovals.is_done, true), lt(imageRemovals.at_utc, abandonedBefore()))),
      ),
  ])
  return true
}

/**
 * An image with the final name of its file. Anybody who knows the name can read the file, but nobody may see
 * a visitor's image before an editor has looked at it. Files of visitors therefore get random names: anybody
 * with the same bytes could work out a digest. A file that is stored already keeps its name.
 */
async function withFileName({ db, isVisitor }: BaseContext, image: MadeImage): Promise<MadeImage> {
  const storedImageSql = sql`${images} WHERE ${images.url} = ${UPLOADS + image.file}`
  if (!isVisitor || (await db.read(countOf(storedImageSql))) > 0) return image
  const [digest = ''] = image.file.split('.')
  const name = randomHex(digest.length / 2)
  const renamed = (file: string): string => file.replace(digest, name)
  const files = [...image.files].map(([file, bytes]) => [renamed(file), bytes] as const)
  return { ...image, file: renamed(image.file), files: new Map(files) }
}

/**
 * Throws an error that names the field of a file, if the file isn't an image.
 * @throws ApiError, or any other error unchanged
 */
function reject(field: string, error: unknown): never {
  if (!(error instanceof InvalidValue)) throw error
  const errors = new ValidationErrors()
  errors.add(field, error.reason)
  errors.throwIfAny()
  throw error
}

/** The title of an image: its file's name without the extension. */
const titleFromFileName = (name: string): string =>
  [...toPlain(name.replace(/\.\w{1,8}$/, ''))].slice(0, FIELD_LIMITS.text).join('')

/** Slugs of images without a name of their own: `media-7`. */
export const NAMELESS = /^media-(\d{1,15})$/

/** The slug of a new image: the wanted slug, or a free slug with a number; empty if the image has no name. */
function imageSlug(wantedSlug: string): SQL | '' {
  const base = NAMELESS.test(wantedSlug) ? numberedSlug(wantedSlug, 2) : wantedSlug
  return base && freeSlug(images, base, { scope: sql`${images.slug} <> ''` })
}

/** The text that searches for images read. */
export const imageText = ({ title, alt_text, caption }: { readonly [text: string]: unknown }): string =>
  fold(decodeEntities([title, alt_text, caption].filter(Boolean).join('\n')))

/**
 * The statements that store the row of an uploaded image. Equal bytes are one image, which everybody who
 * uploads them may use. The statements fail as a conflict while a file of this name is being deleted, so that
 * the write runs again.
 *
 * @param context the audit names its caller
 * @param owner the id of the user who owns the image
 */
export function uploadStatements(
  context: Origin,
  { url, width, height, upload }: StoredUpload,
  owner: number | null = context.caller.id,
): SQL[] {
  const file = url.slice(UPLOADS.length)
  const removedSql = sql`EXISTS (SELECT 1 FROM ${imageRemovals} WHERE file = ${file})`
  const row = {
    ...upload,
    slug: imageSlug(upload.slug),
    url: sql`iif(${removedSql}, NULL, ${url})`,
    width,
    height,
    search_text: imageText(upload),
    author_id: owner,
    date_utc: context.clock.now(),
  }
  const insertion = build.insert(images).values(row).onConflictDoNothing({ target: images.url })
  return [
    ...recorded(context, insertion.getSQL(), {
      action: 'create',
      kind: 'image',
      fields: ['file', ...Object.keys(upload).filter(name => name in ALL_TEXTS)],
      id: insertedId,
    }),
    sql`INSERT OR IGNORE INTO ${imageUploaders} (image_id, user_id) SELECT id, ${owner} FROM ${images} WHERE url = ${url}`,
  ]
}

const ALL_TEXTS = { title: true, alt_text: true, caption: true } satisfies Record<keyof ImageTexts, true>

/** The statements that change the texts of a stored image; none if the image has these texts already. */
export function imageTextStatements(
  context: BaseContext,
  image: ImageTexts & { id: number; version: number },
  texts: ImageTexts,
): Statement[] {
  const changed = changedTexts(image, texts)
  if (Object.keys(changed).length === 0) return []
  return recorded(
    context,
    build
      .update(images)
      .set({
        ...texts,
        search_text: imageText({ ...image, ...withoutUndefined(texts) }),
        version: image.version + 1,
      })
      .where(eq(images.id, image.id)),
    {
      action: 'update',
      kind: 'image',
      fields: Object.keys(withoutUndefined(texts)),
      changed,
      id: image.id,
    },
  )
}

const changedTexts = (image: ImageTexts, texts: ImageTexts): ChangedFields =>
  Object.fromEntries(
    Object.entries(withoutUndefined(texts)).flatMap(([name, text]) => {
      // Object.entries forgets the type of the keys.
      const before = image[name as keyof ImageTexts]
      return before === text ? [] : [[name, [before, text]]]
    }),
  )
