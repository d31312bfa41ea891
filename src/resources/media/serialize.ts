import { restUrl, type SerializeContext } from '../../context.ts'
import { columnsWithout, type RowOf } from '../../db/columns.ts'
import { images } from '../../db/schema.ts'
import { toWall } from '../../lib/time.ts'
import { serializeImage } from '../content/images.ts'
import { NAMELESS } from '../content/uploads.ts'
import type { LibraryImage } from './schema.ts'

export const imageRowColumns = columnsWithout(images, 'search_text', 'copied_id')
export type ImageRow = RowOf<typeof imageRowColumns>

/** The slug of an image: that of its file's name, or made from its id. */
const slugOf = ({ id, slug }: ImageRow): string => slug || `media-${id}`

/** The id in the slug of an image without a name; 0, which none has, for other slugs. */
export const idOfSlug = (slug: string): number => Number(NAMELESS.exec(slug)?.[1] ?? 0)

export function serializeLibraryImage(row: ImageRow, context: SerializeContext): LibraryImage {
  const { id, title, alt_text, caption, mime_type, filesize, date_utc } = row
  return {
    ...serializeImage(row, context),
    rest_url: restUrl(context, 'media', id),
    author: String(row.author_id ?? 0),
    ...(date_utc !== null && { date: toWall(date_utc, context.settings.timezone), date_utc }),
    slug: slugOf(row),
    title,
    alt_text,
    caption,
    mime_type,
    ...(filesize !== null && { filesize }),
  }
}
