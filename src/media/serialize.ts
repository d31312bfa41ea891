import { serializeImage } from '../content/images.ts'
import { NAMELESS } from '../content/pictures.ts'
import { restUrl, type SerializeContext } from '../context.ts'
import { columnsWithout, type RowOf } from '../db/columns.ts'
import { images } from '../db/schema.ts'
import { toWall } from '../lib/time.ts'
import type { MediumResponse } from './schema.ts'

export const mediumColumns = columnsWithout(images, 'search_text', 'copied_id')
export type MediumRow = RowOf<typeof mediumColumns>

/** The slug of a picture: that of its file's name, or made from its id. */
const slugOf = ({ id, slug }: MediumRow): string => slug || `media-${id}`

/** The id in the slug of a picture without a name; 0, which none has, for other slugs. */
export const idOfSlug = (slug: string): number => Number(NAMELESS.exec(slug)?.[1] ?? 0)

export function serializeMedium(row: MediumRow, context: SerializeContext): MediumResponse {
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
