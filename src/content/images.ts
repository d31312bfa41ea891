import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { SerializeContext } from '../context.ts'
import { images } from '../db/schema.ts'
import type { ImageChoice } from './fields.ts'

export type Image = { id: number; url: string; width: number | null; height: number | null }

/** The columns of a row's image, for a SELECT that joins it with {@link imageJoin}. */
export const imageColumns = {
  image_url: images.url,
  image_width: images.width,
  image_height: images.height,
}

/** Joins the image that a column refers to. */
export const imageJoin = (imageId: SQLiteColumn): SQL => sql`LEFT JOIN ${images} ON ${images.id} = ${imageId}`

/** The image in a row of {@link imageColumns}. */
export function readImage(id: number | null, url: unknown, width: unknown, height: unknown): Image | null {
  if (id === null || typeof url !== 'string') return null
  return {
    id,
    url,
    width: width === null ? null : Number(width),
    height: height === null ? null : Number(height),
  }
}

type Size = { width: number; url: string }
export type ImageResponse = {
  url: string
  id: number
  extension: string
  width?: number
  height?: number
  sizes: Record<string, Size>
}

/** An image in its serialized form. `sizes` are addresses of Cloudflare's image resizing, one for each configured width. */
export function serializeImage({ id, url, width, height }: Image, context: SerializeContext): ImageResponse {
  return {
    url,
    id,
    extension: new URL(url).pathname.match(/\.(\w{1,8})$/)?.[1]?.toLowerCase() ?? '',
    ...(width && { width }),
    ...(height && { height }),
    sizes: Object.fromEntries(
      context.settings.imageSizes.map(size => [size.name, sizeOf(size.width, url, context)]),
    ),
  }
}

/** The address of a scaled copy: https://developers.cloudflare.com/images/transform-images/transform-via-url/ */
const sizeOf = (width: number, url: string, { site }: SerializeContext): Size => ({
  width,
  url: `${site}/cdn-cgi/image/width=${width},fit=scale-down/${url}`,
})

/** The statement that stores an image given by address. A stored size stays as it is. */
export function recordImage(image: ImageChoice | undefined): SQL[] {
  if (!image || !('url' in image)) return []
  const { url, width = null, height = null } = image
  return [
    sql`INSERT INTO ${images} (url, width, height) VALUES (${url}, ${width}, ${height})
      ON CONFLICT (url) DO UPDATE SET width = coalesce(width, excluded.width), height = coalesce(height, excluded.height)`,
  ]
}

/** The value of `image_id` for a choice, after {@link recordImage}; undefined leaves it unchanged. */
export function imageIdOf(image: ImageChoice | undefined): SQL | number | null | undefined {
  if (!image) return image
  return 'id' in image ? image.id : sql`(SELECT id FROM ${images} WHERE url = ${image.url})`
}
