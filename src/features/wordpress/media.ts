import * as z from 'zod/mini'
import { type ImageRow, selectMediaPage, serializeLibraryImage } from '../../calendar/media/queries.ts'
import { imageRoutes } from '../../calendar/media/routes.ts'
import { type LibraryImage, mediaUpload } from '../../calendar/media/schema.ts'
import { type BaseContext, wordpressBase } from '../../kit/context.ts'
import { field, lazyObject, lineOf, searchParam } from '../../kit/http/params.ts'
import type { Route } from '../../kit/http/route.ts'
import { namedSlug } from '../../kit/lib/slug.ts'
import { isoDate } from '../../kit/lib/time.ts'
import { FIELD_LIMITS } from '../../kit/lib/values.ts'
import {
  defineWordpressList,
  idsParam,
  linksIn,
  linksSchema,
  rawValue,
  renderedField,
  renderedText,
  slugsParam,
  WORDPRESS_SUBJECT,
  wordpressPageParams,
} from './shapes.ts'

// An image in the format of WordPress.

const sizeShape = () =>
  z.object({
    file: z.string(),
    width: z.int(),
    height: z.int(),
    mime_type: z.string(),
    source_url: z.string(),
  })

const wordpressImage = lazyObject('WordPressImage', () => ({
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
    sizes: z.record(z.string(), sizeShape()),
  }),
  post: z.null(),
  source_url: z.string(),
  meta: z.array(z.unknown()),
  _links: linksSchema,
}))
type WordpressImage = z.output<typeof wordpressImage>

/** The date of images on other sites, whose date is unknown. */
const NO_DATE = '1970-01-01 00:00:00'

const fileIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

/** Sizes by name, including the size of the image itself. An unknown height follows from the width. */
function sizesOf({ url, width = 0, height = 0, mime_type, sizes }: LibraryImage) {
  const sizeEntries = Object.entries({ ...sizes, full: { url, width, height } })
  return Object.fromEntries(
    sizeEntries.map(([name, size]) => {
      const knownHeight = size.height ?? (width > 0 ? Math.round((height * size.width) / width) : 0)
      return [
        name,
        { file: fileIn(size.url), width: size.width, height: knownHeight, mime_type, source_url: size.url },
      ]
    }),
  )
}

function serializeForWordpress(context: BaseContext, row: ImageRow): WordpressImage {
  const image = serializeLibraryImage(row, context)
  const { id, url, slug, title, caption, alt_text, mime_type, date = NO_DATE, date_utc = NO_DATE } = image
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
    _links: linksIn(`${wordpressBase(context)}${PATH}`, id),
  }
}

const textField = (description: string, limit: number) =>
  z.optional(
    field(raw => lineOf(rawValue(raw), limit), {
      type: ['string', 'object'],
      description,
      example: 'Poster',
    }),
  )

const textFieldShape = () => ({
  title: textField('Title, as text or as `{raw}`; the name of the file when absent.', FIELD_LIMITS.text),
  alt_text: textField('What the image shows, in words.', FIELD_LIMITS.text),
  caption: textField('Caption, as text or as `{raw}`.', FIELD_LIMITS.termDescription),
})
const textFields = lazyObject('WordPressImageFields', textFieldShape)
const uploadFields = lazyObject('WordPressImageUpload', () => ({
  file: mediaUpload.shape.file,
  ...textFieldShape(),
}))

const listParams = lazyObject('WordPressImageParams', () => ({
  ...wordpressPageParams,
  search: searchParam,
  include: idsParam('Only these ids.'),
  slug: slugsParam(namedSlug, FIELD_LIMITS.text, 'poster'),
}))
const PATH = '/wp/v2/media'

export const wordpressMedia: Route[] = [
  defineWordpressList({
    path: PATH,
    summary: 'List images as WordPress does',
    params: listParams,
    item: wordpressImage,
    select: (context, { values, page }) => selectMediaPage(context, { values, page }),
    serialize: serializeForWordpress,
    endsWithError: true,
  }),
  ...imageRoutes({
    path: PATH,
    subject: WORDPRESS_SUBJECT,
    manner: ' as WordPress does',
    texts: textFields,
    upload: uploadFields,
    image: wordpressImage,
    serialize: serializeForWordpress,
    addressOf: (context, { id }) => `${wordpressBase(context)}${PATH}/${id}`,
    deleted: previous => ({ deleted: true, previous }),
    deletedSchema: z.object({ deleted: z.boolean(), previous: wordpressImage }),
  }),
]
