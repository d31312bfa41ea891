import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { ContentContext, SerializeContext, WriteContext } from '../../kit/context.ts'
import { type ColumnValues, inputValue, jsonBatches } from '../../kit/db/bulk.ts'
import { columnExpressions, logUnreadable } from '../../kit/db/columns.ts'
import { images } from '../../kit/db/tables.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { MEDIA_TYPES, type StoredImage } from '../../kit/lib/images/formats.ts'
import { isImageFile, sizeFile, sizesOf, wholeImageFile } from '../../kit/lib/images/sizes.ts'
import { may } from '../../kit/lib/roles.ts'
import { contentTables, type ImageResponse, type VersionedTable } from './resource.ts'
import {
  type ImageChoice,
  imageText,
  requireBucket,
  storeUpload,
  UPLOADS,
  uploadStatements,
} from './uploads.ts'
import { publishedSql } from './visibility.ts'

/** The columns of a row's image, for a SELECT that joins it with {@link imageJoin}. */
export const imageColumns = {
  image_url: images.url,
  image_width: images.width,
  image_height: images.height,
  image_alt_text: images.alt_text,
  image_has_sizes: images.has_sizes,
  image_version: images.version,
}

/** Expressions of these columns, for {@link readImage}. */
export const imageExpressions = columnExpressions(imageColumns)

export const imageJoin = (imageId: SQLiteColumn): SQL => sql`LEFT JOIN ${images} ON ${images.id} = ${imageId}`

/**
 * True if this service could have stored an address. Other programs may have written anything into the
 * database.
 */
const isAddress = (url: string): boolean =>
  url.startsWith(UPLOADS) || (/^https?:/i.test(url) && URL.canParse(url))

/**
 * Reads an image from the values of {@link imageColumns}, in their order; null if there is none, or its
 * address is not valid. Further values are ignored.
 */
export function readImage(
  id: number | null,
  [url, width, height, altText, hasSizes, version]: readonly unknown[],
): StoredImage | null {
  if (id === null || typeof url !== 'string') return null
  if (!isAddress(url)) {
    logUnreadable(id, 'images.url')
    return null
  }
  return {
    id,
    url,
    width: width === null ? null : Number(width),
    height: height === null ? null : Number(height),
    alt_text: String(altText ?? ''),
    has_sizes: hasSizes === 1,
    version: Number(version),
  }
}

/** The address of an image. Uploaded ones are served by the API's own origin. */
export const imageUrl = ({ url }: StoredImage, { api }: SerializeContext): string =>
  url.startsWith(UPLOADS) ? new URL(api).origin + url : url

/**
 * The path of the uploaded image at an address, which may be the address of one of its sizes; undefined for
 * other addresses. The host makes no difference: a file's name is the digest of its bytes, so equal names
 * mean equal images.
 */
export function uploadedPath(url: string): string | undefined {
  const { pathname } = new URL(url, 'http://localhost')
  const file = pathname.slice(UPLOADS.length)
  return pathname.startsWith(UPLOADS) && isImageFile(file) ? UPLOADS + wholeImageFile(file) : undefined
}

type ImageBefore = {
  image_id: number | null
  image?: Pick<StoredImage, 'url' | 'width' | 'height'> | null | undefined
}

/**
 * The image that an update gives content; undefined if the content already has this image in the size that
 * the update names.
 */
export function otherImage(
  choice: ImageChoice | undefined,
  { image_id, image }: ImageBefore,
): ImageChoice | undefined {
  if (!choice) return image_id === null ? undefined : choice
  if ('id' in choice) return choice.id === image_id ? undefined : choice
  if (!image || !('url' in choice) || choice.upload) return choice
  const { url, width = image.width, height = image.height } = choice
  const isSame = [url, uploadedPath(url)].includes(image.url)
  return isSame && width === image.width && height === image.height ? undefined : choice
}

/** The image of a stored row, as the choice of another row. */
export const storedImage = ({ image_id }: ImageBefore): ImageChoice =>
  image_id === null ? null : { id: image_id }

/**
 * A size of an image, in the form of WordPress. Only the width is known of sizes that Cloudflare's image
 * resizing makes.
 */
type Size = ImageResponse['sizes'][string]

/**
 * Serializes an image with its stored sizes, and with an address of Cloudflare's image resizing for each
 * configured width.
 */
export function serializeImage(image: StoredImage, context: SerializeContext): ImageResponse {
  const { id, width, height, alt_text } = image
  const url = imageUrl(image, context)
  return {
    url,
    id,
    extension:
      (URL.canParse(url) ? new URL(url).pathname : '').match(/\.(\w{1,8})$/)?.[1]?.toLowerCase() ?? '',
    ...(width && { width }),
    ...(height && { height }),
    ...(alt_text && { alt_text }),
    sizes: {
      ...Object.fromEntries(
        context.settings.imageSizes.map(size => [size.name, sizeOf(size.width, url, context)]),
      ),
      ...ownSizes(image, url),
    },
  }
}

/** The sizes that the upload of the image has made. */
function ownSizes({ has_sizes, width, height }: StoredImage, url: string): Record<string, Size> {
  if (!has_sizes || !width || !height) return {}
  const type = mediaTypeOf(url)
  return Object.fromEntries(
    sizesOf({ width, height }).map(({ name, ...size }) => [
      name,
      { ...size, ...(type && { 'mime-type': type }), url: sizeFile(url, name) },
    ]),
  )
}

/** The address of an image for feeds: its large size, if there is one, instead of a camera's original. */
export function enclosedImage(image: StoredImage, context: SerializeContext): string {
  const url = imageUrl(image, context)
  return ownSizes(image, url).large?.url ?? url
}

/** The media type of an image, by the ending of its address. */
export function mediaTypeOf(url: string): string | undefined {
  const ending = /\.(\w{3,4})(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? ''
  const types: Readonly<Record<string, string>> = {
    ...MEDIA_TYPES,
    jpeg: MEDIA_TYPES.jpg,
    svg: 'image/svg+xml',
  }
  return types[ending]
}

/**
 * The address of a scaled copy: https://developers.cloudflare.com/images/transform-images/transform-via-url/
 */
const sizeOf = (width: number, url: string, { site }: SerializeContext): Size => ({
  width,
  url: `${site}/cdn-cgi/image/width=${width},fit=scale-down/${url}`,
})

/**
 * A condition for stored images whose size the caller may change. Editors may change the size of all images,
 * other callers only the size of images that no content of other authors shows. For callers who may publish,
 * only public content of others counts.
 */
function resizableImageSql({ caller, clock }: WriteContext): SQL {
  if (may(caller, 'edit_others_content')) return sql`1`
  const countsSql = (table: VersionedTable) =>
    may(caller, 'publish_content') ? publishedSql(table, clock.now()) : sql`1`
  const uses = contentTables.map(
    ([, table]) => sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.image_id} = ${images.id}
      AND ${table.author_id} <> ${caller.id} AND ${countsSql(table)})`,
  )
  return sql`NOT (${sql.join(uses, sql` OR `)})`
}

/**
 * The statements that store the images of a write: images with an address, and uploads.
 * @see resizableImageSql
 */
export function imageStatements(context: WriteContext, choices: readonly (ImageChoice | undefined)[]): SQL[] {
  const imagesWithUrl = choices.flatMap(image => (image && 'url' in image ? [image] : []))
  const uploads = imagesWithUrl.flatMap(({ url, width = 0, height = 0, upload }) =>
    upload ? uploadStatements(context, { url, width, height, upload }) : [],
  )
  const addresses = new Map<string, ColumnValues>()
  for (const { url, upload, newId: id, ...details } of imagesWithUrl)
    if (!upload)
      addresses.set(url, {
        ...addresses.get(url),
        ...(id && { id }),
        ...details,
        ...(details.alt_text && { search_text: imageText(details) }),
        url,
        path: uploadedPath(url),
      })
  return [
    ...uploads,
    ...jsonBatches([...addresses.values()]).map(
      json => sql`INSERT INTO ${images} (id, url, width, height, alt_text, search_text)
        SELECT (SELECT ${inputValue('id')}
        WHERE NOT EXISTS (SELECT 1 FROM ${images} WHERE url = ${inputValue('url')})), ${inputValue('url')},
        ${inputValue('width')}, ${inputValue('height')}, ifnull(${inputValue('alt_text')}, ''),
        ifnull(${inputValue('search_text')}, '') FROM json_each(${json}) AS input
        WHERE NOT EXISTS (SELECT 1 FROM ${images} WHERE url = ${inputValue('path')})
        ON CONFLICT (url) DO UPDATE SET width = coalesce(excluded.width, width), height = coalesce(excluded.height, height)
          WHERE (excluded.width <> ifnull(width, 0) OR excluded.height <> ifnull(height, 0)) AND ${resizableImageSql(context)}`,
    ),
  ]
}

/**
 * The column `image_id` of a row: an id, null, or addresses, from which {@link imageId} takes the first that
 * is stored. Undefined leaves the column unchanged.
 */
export function imageColumn(image: ImageChoice | undefined): readonly string[] | number | null | undefined {
  if (!image) return image
  if ('id' in image) return image.id
  // Files have been stored before, and have an address.
  if (!('url' in image)) return undefined
  const path = uploadedPath(image.url)
  return path === undefined ? [image.url] : [path, image.url]
}

/** The id of the first stored image among the addresses in a JSON array. */
const firstStored = (addresses: SQL): SQL =>
  sql`(SELECT ${images.id} FROM json_each(${addresses}) AS named CROSS JOIN ${images} ON ${images.url} = named.value
    ORDER BY named.key LIMIT 1)`

/**
 * The id of the image that a row of `input` names by id or address. The statements of {@link imageStatements}
 * come before.
 */
export const imageId = (value: SQL): SQL =>
  sql`CASE json_type(input.value, '$.image_id') WHEN 'array' THEN ${firstStored(value)} ELSE ${value} END`

/**
 * Checks that the caller may upload an image that is a file.
 * @throws ApiError `rest_forbidden`, `rest_media_unavailable`
 */
export function assertMayUpload(context: ContentContext, image: ImageChoice | undefined): void {
  if (!image || !('file' in image)) return
  if (!may(context.caller, 'upload_media'))
    throw new ApiError('rest_forbidden', `The role ${context.caller.role} may not upload images.`)
  requireBucket(context)
}

/** Stores the images that are files; the others stay as they are. */
export const storeImages = (
  context: ContentContext,
  images: readonly (ImageChoice | undefined)[],
): Promise<(ImageChoice | undefined)[]> =>
  Promise.all(images.map(image => (image && 'file' in image ? storeUpload(context, image, 'image') : image)))
