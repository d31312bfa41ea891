import * as z from 'zod/mini'
import { UploadedFile } from '../../http/files.ts'
import {
  date,
  externalId,
  field,
  html,
  httpUrl,
  InvalidValue,
  integer,
  LIMIT,
  oneOf,
  slug,
  someOf,
  toInteger,
} from '../../http/params.ts'
import { type ImageFile, imageFileOf } from '../../lib/images/formats.ts'
import { STATUSES } from '../../lib/statuses.ts'
import { isEmpty, isObject, parseHttpUrl, scalarText } from '../../lib/values.ts'
import { plainField, workedOut } from './field-table.ts'
import type { ImageChoice } from './image-choice.ts'

/** Tells if a value means no image: `false` is what responses have, and a form sends it as text. */
const isNone = (raw: unknown): boolean =>
  isEmpty(raw) || /^(?:0|false)?$/i.test(scalarText(raw)?.trim() ?? 'an object')

/** @throws InvalidValue */
function imageOf(raw: unknown): ImageChoice {
  if (isNone(raw)) return null
  if (raw instanceof UploadedFile) return uploadOf(raw)
  if (isObject(raw)) return imageFrom({ ...raw })
  if (typeof raw === 'number' || (typeof raw === 'string' && /^\d+$/.test(raw.trim())))
    return { id: toInteger(raw, 1) }
  const url =
    typeof raw === 'string' ? parseHttpUrl(raw) || (raw.length > LIMIT.url && httpUrl(raw)) : undefined
  if (url) return { url }
  throw new InvalidValue(
    'must be the id of an image, an address such as https://example.org/poster.jpg, or a file, as curl sends it with -F image=@poster.jpg',
  )
}

/** An image in the form of responses. The address has precedence over the id, which may be another server's. */
function imageFrom({ url, id, width, height }: Record<string, unknown>): ImageChoice {
  const choice = typeof url === 'object' ? null : imageOf(url ?? id)
  if (choice === null || !('url' in choice)) return choice
  return { ...choice, ...pixels('width', width), ...pixels('height', height) }
}

/** The longest side of images on the web. */
const MOST_PIXELS = 65_536

/** @throws InvalidValue */
function pixels(side: 'width' | 'height', raw: unknown): { width?: number; height?: number } {
  if (raw === undefined || raw === null || raw === '') return {}
  const length = toInteger(raw, 1)
  if (length > MOST_PIXELS) throw new InvalidValue(`must have a ${side} of at most ${MOST_PIXELS} pixels`)
  return { [side]: length }
}

/** A file as an image, which is decoded when it is stored. @throws InvalidValue */
export const uploadOf = ({ bytes, name }: UploadedFile): { file: ImageFile; name: string } => ({
  file: imageFileOf(bytes, name),
  name,
})

const image = field(imageOf, {
  description:
    'Image, by id, by its http or https address, as `{id}` or `{url, width, height}`, or as a file of a multipart form; empty for none.',
  isFile: true,
  type: ['string', 'integer', 'boolean', 'object'],
  example: 'https://example.org/poster.jpg',
})

/**
 * The rows of the fields that events, venues and organizers share.
 *
 * @param descriptionLimit in characters
 * @param text the form of texts in responses, which may leave out empty ones
 */
export const contentRows = <T extends z.core.$ZodType>(descriptionLimit: number, text: T) => ({
  author: workedOut(
    z.optional(
      integer({
        description: 'Id of the author. Naming someone else needs an editor.',
        example: 1,
      }),
    ),
    ['author_id'],
  ),
  date: workedOut(
    z.optional(
      date({
        description: "Publication date, in the site's time zone. A later one schedules.",
        example: '2026-01-02 09:00:00',
      }),
    ),
    ['date', 'date_utc'],
  ),
  date_utc: workedOut(
    z.optional(
      date({
        description: 'Publication date in UTC; `date` has precedence.',
        example: '2026-01-02 08:00:00',
      }),
    ),
    ['date', 'date_utc'],
  ),
  status: workedOut(
    z.optional(
      oneOf(STATUSES, {
        description: 'Status. New ones are published, or drafts where the caller may not publish.',
        example: 'publish',
      }),
    ),
    ['status'],
  ),
  slug: workedOut(
    z.optional(
      slug({
        description: 'Slug; made from the name when absent, numbered when taken.',
        example: 'jazz-night',
      }),
    ),
    ['slug'],
  ),
  description: plainField(
    z.optional(
      html({
        description: 'Description, HTML or plain text.',
        limit: descriptionLimit,
        example: '<p>Doors open at eight.</p>',
      }),
    ),
    text,
  ),
  image: workedOut(z.optional(image), ['image_id']),
  external_id: plainField(
    z.optional(
      externalId({
        description:
          'Its id in another system, such as `crm/4711@example.org`: unique among its kind, empty for none. Capitals matter.',
        // Two cannot have the same, and the examples of others make a request that works.
        example: '',
      }),
    ),
    text,
  ),
})

/** The `status` filter of lists. */
export const statusFilter = z.optional(
  someOf(STATUSES, {
    description: 'Only these statuses. All but `publish` need a caller who may edit.',
    example: ['publish'],
  }),
)
