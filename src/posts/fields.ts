import {
  date,
  field,
  html,
  httpUrl,
  InvalidValue,
  integer,
  oneOf,
  slug,
  someOf,
  toInteger,
} from '../http/params.ts'
import { STATUSES } from '../lib/statuses.ts'

/** An image by id or by address; null for none. */
export type ImageChoice = { id: number } | { url: string } | null

/** @throws InvalidValue */
function imageOf(raw: unknown): ImageChoice {
  if (raw === '' || raw === false || raw === 0 || raw === '0' || (Array.isArray(raw) && raw.length === 0))
    return null
  if (typeof raw === 'object' && raw !== null) {
    // An image as the API answers it: its address says more than an id that may be another server's.
    const { url, id }: { url?: unknown; id?: unknown } = raw
    return imageOf(url ?? id)
  }
  if (typeof raw === 'number' || (typeof raw === 'string' && /^\d+$/.test(raw.trim())))
    return { id: toInteger(raw, 1) }
  if (typeof raw === 'string' && httpUrl(raw) !== '') return { url: httpUrl(raw) }
  throw new InvalidValue('must be the id of an image or an http or https address')
}

export const image = field(imageOf, {
  description: 'Image, by id or by its http or https address; empty for none.',
  type: ['string', 'integer', 'boolean'],
  example: 'https://example.org/poster.jpg',
})

/** Fields that events, venues and organizers take alike. */
export const postFields = {
  author: integer({
    description: 'Id of the author. Naming someone else needs an editor.',
    example: 1,
  }).optional(),
  date: date({
    description: "Publication date, in the site's time zone. A later one schedules.",
    example: '2026-01-02 09:00:00',
  }).optional(),
  date_utc: date({
    description: 'Publication date in UTC; `date` has precedence.',
    example: '2026-01-02 08:00:00',
  }).optional(),
  status: oneOf(STATUSES, {
    description: 'Status. New ones are published, or drafts where the caller may not publish.',
    example: 'publish',
  }).optional(),
  slug: slug({
    description: 'Slug; made from the name when absent, numbered when taken.',
    example: 'jazz-night',
  }).optional(),
  description: html({
    description: 'Description, HTML or plain text.',
    example: '<p>Doors open at eight.</p>',
  }).optional(),
  image: image.optional(),
}

/** The `status` filter of lists. */
export const statusFilter = someOf(STATUSES, {
  description: 'Only these statuses. All but `publish` need a caller who may edit.',
  example: ['publish'],
}).optional()
