import * as z from 'zod/mini'
import { UploadedFile } from '../../kit/http/form-data.ts'
import { pageParams } from '../../kit/http/lists.ts'
import { documented, field, flag, ids, line, search, texts as textList } from '../../kit/http/params.ts'
import { FIELD_LIMITS, InvalidValue } from '../../kit/lib/values.ts'
import { uploadOf } from '../content/fields.ts'
import { dateTime, imageSchema } from '../content/resource.ts'

const texts = {
  title: z.optional(line({ description: 'Title; the name of the file when absent.', example: 'Poster' })),
  alt_text: z.optional(
    line({
      description: 'What the image shows, in words, for people who cannot see it.',
      example: 'A saxophone on a chair',
    }),
  ),
  caption: z.optional(
    line({
      description: 'Caption, plain text.',
      limit: FIELD_LIMITS.termDescription,
      example: 'Photo: Ann Example',
    }),
  ),
}

const file = field(
  raw => {
    if (raw instanceof UploadedFile) return uploadOf(raw)
    throw new InvalidValue('must be a file: the body itself or a part of a multipart form')
  },
  {
    description:
      'The image: JPEG, PNG, GIF, WebP, AVIF or HEIC, at most 10 MB and 40 megapixels. Only its pixels are kept; GIF becomes PNG, AVIF becomes WebP and HEIC becomes JPEG.',
    type: 'string',
    contentMediaType: 'application/octet-stream',
    isFile: true,
  },
)

/** The texts of an image, as fields or, along with a body of bytes, as parameters. */
export const mediaTexts = documented(z.object(texts), { id: 'MediumFields' })
export const mediaUpload = documented(z.object({ file, ...texts }), { id: 'MediumUpload' })

export const mediaList = z.object({
  ...pageParams,
  search: z.optional(
    search({
      description: 'Words that must occur in title, alternative text or caption.',
      example: 'poster',
    }),
  ),
  include: z.optional(ids({ description: 'Only these ids.', example: [7] })),
  slug: z.optional(textList({ description: 'Only these slugs.', example: ['poster'] })),
  unused: z.optional(
    flag({
      description:
        'Only images that nothing shows, or only those that something does. Unused uploads are deleted after seven days.',
      example: true,
    }),
  ),
})

export const libraryImage = z.lazy(() =>
  documented(
    z.object({
      ...imageSchema.shape,
      rest_url: z.string(),
      author: documented(z.string(), "The uploader's id, as text; 0 for images on other sites."),
      date: documented(z.exactOptional(dateTime), "When it was uploaded, in the site's time zone."),
      date_utc: z.exactOptional(dateTime),
      slug: documented(z.string(), 'Made from the file name; `media-` and the id if there was none.'),
      title: z.string(),
      alt_text: z.string(),
      caption: z.string(),
      mime_type: documented(z.string(), 'Media type; empty for images on other sites.'),
      filesize: documented(z.exactOptional(z.int()), 'Size of the file in bytes.'),
    }),
    { id: 'Medium' },
  ),
)

export type MediaTexts = z.output<typeof mediaTexts>
export type MediaUpload = z.output<typeof mediaUpload>
export type MediaListParams = z.output<typeof mediaList>
export type LibraryImage = z.output<typeof libraryImage>
