import { type SQL, sql } from 'drizzle-orm'
import { columnsWithout, fromList, jsonList, type Row } from '../db/rows.ts'
import { images } from '../db/schema.ts'
import type { View } from '../view.ts'

const columns = columnsWithout(images)
export type ImageRow = Row<typeof columns>

/** A post's image as a JSON list or null, for the column that holds its id; read by {@link readImage}. */
export const imageJson = (imageId: SQL): SQL =>
  sql`(SELECT ${jsonList(columns)} FROM ${images} WHERE ${images.id} = ${imageId})`

/** @param raw the text that {@link imageJson} answered, or what became of it inside another JSON list */
export function readImage(raw: unknown): ImageRow | null {
  const list: unknown = typeof raw === 'string' ? JSON.parse(raw) : raw
  return Array.isArray(list) ? fromList(columns, list) : null
}

type Size = { width: number; url: string }
export type ImageAnswer = {
  url: string
  id: number
  extension: string
  width?: number
  height?: number
  sizes: Record<string, Size>
}

/** An image as it is answered. `sizes` are addresses of Cloudflare's image resizing, one for each configured width. */
export function imageAnswer({ id, url, width, height }: ImageRow, view: View): ImageAnswer {
  return {
    url,
    id,
    extension: new URL(url).pathname.match(/\.(\w{1,8})$/)?.[1]?.toLowerCase() ?? '',
    ...(width && { width }),
    ...(height && { height }),
    sizes: Object.fromEntries(
      view.settings.imageSizes.map(size => [size.name, sizeOf(size.width, url, view)]),
    ),
  }
}

/** https://developers.cloudflare.com/images/transform-images/transform-via-url/ */
const sizeOf = (width: number, url: string, view: View): Size => ({
  width,
  url: `${view.site}/cdn-cgi/image/width=${width},fit=scale-down/${url}`,
})
