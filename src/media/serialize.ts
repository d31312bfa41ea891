import { serializeImage } from '../content/images.ts'
import { restUrl, type SerializeContext } from '../context.ts'
import { columnsWithout, type RowOf } from '../db/columns.ts'
import { images } from '../db/schema.ts'
import { toWall } from '../lib/time.ts'
import type { MediumResponse } from './schema.ts'

export const mediumColumns = columnsWithout(images, 'search_text', 'copied_id')
export type MediumRow = RowOf<typeof mediumColumns>

export function serializeMedium(row: MediumRow, context: SerializeContext): MediumResponse {
  const { id, title, alt_text, caption, mime_type, filesize, date_utc } = row
  return {
    ...serializeImage(row, context),
    rest_url: restUrl(context, 'media', id),
    author: String(row.author_id ?? 0),
    ...(date_utc !== null && { date: toWall(date_utc, context.settings.timezone), date_utc }),
    title,
    alt_text,
    caption,
    mime_type,
    ...(filesize !== null && { filesize }),
  }
}
