import * as z from 'zod/mini'
import { type RequestContext, wordpressBase } from '../../context.ts'
import type { LibraryImage } from '../../resources/media/schema.ts'
import { type ImageRow, serializeLibraryImage } from '../../resources/media/serialize.ts'
import { isoDate, links, renderedField, renderedText } from './shapes.ts'

// An image in the form that WordPress gives it.

const sizeShape = z.object({
  file: z.string(),
  width: z.int(),
  height: z.int(),
  mime_type: z.string(),
  source_url: z.string(),
})

export const wordpressImage = z.lazy(() =>
  z
    .object({
      id: z.int(),
      date: z.string(),
      date_gmt: z.string(),
      guid: renderedField,
      modified: z.string(),
      modified_gmt: z.string(),
      slug: z.string(),
      status: z.literal('inherit'),
      type: z.literal('attachment'),
      link: z.string(),
      title: renderedField,
      author: z.int(),
      description: renderedField,
      caption: renderedField,
      alt_text: z.string(),
      media_type: z.literal('image'),
      mime_type: z.string(),
      media_details: z.object({
        width: z.int(),
        height: z.int(),
        file: z.string(),
        filesize: z.int(),
        sizes: z.record(z.string(), sizeShape),
      }),
      post: z.null(),
      source_url: z.string(),
      meta: z.array(z.unknown()),
      _links: links,
    })
    .register(z.globalRegistry, { id: 'WordPressImage' }),
)
export type WordpressImage = z.output<typeof wordpressImage>

/** The date of images that are elsewhere, which have none. */
const NO_DATE = '1970-01-01 00:00:00'

const fileIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

/** Sizes by name, with that of the image itself. Where the height is not known, it follows from the width. */
function sizesOf({ url, width = 0, height = 0, mime_type, sizes }: LibraryImage) {
  const all = Object.entries({ ...sizes, full: { url, width, height } })
  return Object.fromEntries(
    all.map(([name, size]) => {
      const high = size.height ?? (width > 0 ? Math.round((height * size.width) / width) : 0)
      return [
        name,
        { file: fileIn(size.url), width: size.width, height: high, mime_type, source_url: size.url },
      ]
    }),
  )
}

export function serializeForWordpress(context: RequestContext, row: ImageRow): WordpressImage {
  const image = serializeLibraryImage(row, context)
  const { id, url, slug, title, caption, alt_text, mime_type, date = NO_DATE, date_utc = NO_DATE } = image
  const collection = `${wordpressBase(context)}/wp/v2/media`
  return {
    id,
    date: isoDate(date),
    date_gmt: isoDate(date_utc),
    guid: renderedText(url),
    modified: isoDate(date),
    modified_gmt: isoDate(date_utc),
    slug,
    status: 'inherit',
    type: 'attachment',
    link: url,
    title: renderedText(title),
    author: Number(image.author),
    description: renderedText(''),
    caption: renderedText(caption),
    alt_text,
    media_type: 'image',
    mime_type,
    media_details: {
      width: image.width ?? 0,
      height: image.height ?? 0,
      file: fileIn(url),
      filesize: image.filesize ?? 0,
      sizes: sizesOf(image),
    },
    post: null,
    source_url: url,
    meta: [],
    _links: { self: [{ href: `${collection}/${id}` }], collection: [{ href: collection }] },
  }
}
