import * as z from 'zod/mini'
import { assertBucket } from '../content/pictures.ts'
import type { RequestContext } from '../context.ts'
import type { Key } from '../http/input.ts'
import { field, LIMIT } from '../http/params.ts'
import { created, one, type Versioned } from '../http/reply.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { toPlain } from '../lib/text.ts'
import { asText, limited, toItems } from '../lib/values.ts'
import { assertMedium, mediumById, selectMediaPage } from '../media/queries.ts'
import { deleteMedium } from '../media/removal.ts'
import { changeable, requireFile } from '../media/routes.ts'
import { mediaUpload } from '../media/schema.ts'
import { type MediumRow, serializeMedium } from '../media/serialize.ts'
import { assertMayChange, assertMayDelete, createMedium, updateMedium } from '../media/writes.ts'
import {
  companionBase,
  defineArray,
  idsParam,
  isoDate,
  links,
  pageParams,
  rawText,
  rendered,
  renderedText,
  SUBJECT,
  searchParam,
} from './shapes.ts'

const sizeShape = z.object({
  file: z.string(),
  width: z.int(),
  height: z.int(),
  mime_type: z.string(),
  source_url: z.string(),
})

const mediumShape = z
  .object({
    id: z.int(),
    date: z.string(),
    date_gmt: z.string(),
    guid: rendered,
    modified: z.string(),
    modified_gmt: z.string(),
    slug: z.string(),
    status: z.literal('inherit'),
    type: z.literal('attachment'),
    link: z.string(),
    title: rendered,
    author: z.int(),
    description: rendered,
    caption: rendered,
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
  .register(z.globalRegistry, { id: 'CompanionMedium' })
type MediumShape = z.output<typeof mediumShape>

/** The date of pictures that are elsewhere, which have none. */
const NO_DATE = '1970-01-01 00:00:00'

/** Sizes by name, with that of the picture itself. The height follows from the width. */
function sizesOf(context: RequestContext, row: MediumRow, file: string) {
  const { url, width = 0, height = 0, mime_type, sizes } = serializeMedium(row, context)
  const size = (name: string, address: string, wide: number) => [
    name,
    {
      file,
      width: wide,
      height: width > 0 ? Math.round((height * wide) / width) : 0,
      mime_type,
      source_url: address,
    },
  ]
  const scaled = Object.entries(sizes).map(([name, { url: address, width: most }]) =>
    size(name, address, Math.min(most, width)),
  )
  return Object.fromEntries([...scaled, size('full', url, width)])
}

function serialize(context: RequestContext, row: MediumRow): MediumShape {
  const medium = serializeMedium(row, context)
  const { id, url, title, caption, alt_text, mime_type, date = NO_DATE, date_utc = NO_DATE } = medium
  const collection = `${companionBase(context)}/wp/v2/media`
  const file = url.slice(url.lastIndexOf('/') + 1)
  return {
    id,
    date: isoDate(date),
    date_gmt: isoDate(date_utc),
    guid: renderedText(url),
    modified: isoDate(date),
    modified_gmt: isoDate(date_utc),
    slug: SLUG + id,
    status: 'inherit',
    type: 'attachment',
    link: url,
    title: renderedText(title),
    author: Number(medium.author),
    description: renderedText(''),
    caption: renderedText(caption),
    alt_text,
    media_type: 'image',
    mime_type,
    media_details: {
      width: medium.width ?? 0,
      height: medium.height ?? 0,
      file,
      filesize: medium.filesize ?? 0,
      sizes: sizesOf(context, row, file),
    },
    post: null,
    source_url: url,
    meta: [],
    _links: { self: [{ href: `${collection}/${id}` }], collection: [{ href: collection }] },
  }
}

const text = (description: string, limit: number) =>
  z.optional(
    field(raw => limited(toPlain(rawText(raw, limit)), limit), {
      type: ['string', 'object'],
      description,
      example: 'Poster',
    }),
  )

const texts = {
  title: text('Title, as text or as `{raw}`; the name of the file when absent.', LIMIT.text),
  alt_text: text('What the picture shows, in words.', LIMIT.text),
  caption: text('Caption, as text or as `{raw}`.', LIMIT.termDescription),
}
const textFields = z.object(texts).register(z.globalRegistry, { id: 'CompanionMediumFields' })
const uploadFields = z
  .object({ file: mediaUpload.shape.file, ...texts })
  .register(z.globalRegistry, { id: 'CompanionMediumUpload' })

/** The slug of a picture, and back. The host system makes them from titles; here they only have to be known again. */
const SLUG = 'media-'
const idOfSlug = (slug: string): number =>
  slug.startsWith(SLUG) && /^\d{1,15}$/.test(slug.slice(SLUG.length))
    ? Number(slug.slice(SLUG.length))
    : NO_ID
/** An id that no picture has. */
const NO_ID = 0

const listParams = z.object({
  ...pageParams,
  search: searchParam,
  include: idsParam('Only these ids.'),
  slug: z.optional(
    field(raw => toItems(raw, LIMIT.ids).map(item => idOfSlug(limited(asText(item), LIMIT.text))), {
      type: 'array',
      items: { type: 'string' },
      description: 'Only these slugs.',
      example: ['media-7'],
    }),
  ),
})
type ListParams = z.output<typeof listParams>

/** The filters that are given: the host system takes empty ones for none. */
function given({ search, include = [], slug = [], ...others }: Partial<ListParams>) {
  const both = include.length > 0 && slug.length > 0
  const ids = both ? [NO_ID, ...include.filter(id => slug.includes(id))] : [...include, ...slug]
  return { ...others, ...(search && { search }), ...(ids.length > 0 && { include: ids }) }
}

const PATH = '/wp/v2/media'
const ONE = `${PATH}/{id}`
const idOf = (key: Key): number => ('id' in key ? key.id : 0)
const load = (context: RequestContext, { key }: { key: Key }) => mediumById(context, idOf(key))

const bodyOf = (context: RequestContext, row: MediumRow): Versioned<MediumShape> => ({
  body: serialize(context, row),
  version: row.version,
})

export const companionMedia: Route[] = [
  defineArray({
    path: PATH,
    summary: 'List pictures as the host system does',
    requires: 'edit_content',
    params: listParams,
    item: mediumShape,
    select: (context, { values, page }) => selectMediaPage(context, { values: given(values), page }),
    serialize,
    endsWithError: true,
  }),
  defineRoute({
    methods: ['POST'],
    path: PATH,
    subject: SUBJECT,
    summary: 'Upload a picture as clients of the host system do',
    requires: 'upload_media',
    query: textFields,
    body: uploadFields,
    wholeBody: 'file',
    responses: { 201: mediumShape },
    headers: { Location: 'The address of what was created.' },
    errors: ['rest_missing_callback_param', 'rest_invalid_param', 'rest_media_unavailable'],
    permit: context => void assertBucket(context),
    validate: (_, __, { body: { file } }, errors) => requireFile(file, errors),
    handle: async (context, { query, body: { file, ...others } }) => {
      // validate() has thrown if there is none.
      if (!file) throw new Error('no file')
      const medium = bodyOf(context, await createMedium(context, { ...query, ...others, file }))
      return created({
        ...medium,
        headers: { Location: `${companionBase(context)}${PATH}/${medium.body.id}` },
      })
    },
  }),
  defineRoute({
    methods: ['GET'],
    path: ONE,
    subject: SUBJECT,
    summary: 'Read one picture as the host system shows it',
    requires: 'edit_content',
    responses: { 200: mediumShape },
    errors: ['rest-image-not-found'],
    load,
    permit: (_, row) => assertMedium(row),
    handle: (context, { loaded: row }) => one(bodyOf(context, row)),
  }),
  defineRoute({
    methods: ['POST', 'PUT', 'PATCH'],
    path: ONE,
    subject: SUBJECT,
    summary: 'Change the named texts of one picture',
    requires: 'edit_content',
    body: textFields,
    responses: { 200: mediumShape },
    errors: ['rest_invalid_param', 'rest_forbidden', 'rest-image-not-found'],
    load,
    permit: (context, row) => changeable(context, row, assertMayChange),
    handle: async (context, { body: values, loaded: stored }) =>
      one(bodyOf(context, await updateMedium(context, { values, stored }))),
  }),
  defineRoute({
    methods: ['DELETE'],
    path: ONE,
    subject: SUBJECT,
    summary: 'Delete one picture that nothing shows',
    requires: 'edit_content',
    responses: { 200: z.object({ deleted: z.boolean(), previous: mediumShape }) },
    errors: ['rest_forbidden', 'rest-image-not-found', 'image-is-in-use'],
    load,
    permit: (context, row) => changeable(context, row, assertMayDelete),
    handle: async (context, { loaded: row }) => {
      await deleteMedium(context, row)
      return one({ body: { deleted: true, previous: serialize(context, row) }, version: row.version })
    },
  }),
]
