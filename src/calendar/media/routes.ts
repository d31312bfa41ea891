import type * as z from 'zod/mini'
import type { BaseContext, ContentContext } from '../../kit/context.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { defineList } from '../../kit/http/lists.ts'
import { createdReply, LOCATION, okVersioned, type Versioned } from '../../kit/http/reply.ts'
import { requireVersion } from '../../kit/http/revision.ts'
import type { FieldsSchema, Route } from '../../kit/http/route.ts'
import { ApiError, type ValidationErrors } from '../../kit/lib/errors.ts'
import { requireBucket } from '../content/uploads.ts'
import {
  type ImageRow,
  requireImage,
  selectImageById,
  selectMediaPage,
  serializeLibraryImage,
} from './queries.ts'
import { deleteImage } from './removal.ts'
import {
  type LibraryImage,
  libraryImage,
  type MediaTexts,
  type MediaUpload,
  mediaList,
  mediaTexts,
  mediaUpload,
} from './schema.ts'
import { assertMayChange, createImage, updateImage } from './writes.ts'

function requireChangeableImage(context: ContentContext, row: ImageRow | undefined): ImageRow {
  const storedImage = requireImage(row)
  assertMayChange(context, storedImage)
  return requireVersion(context, storedImage)
}

/** The file of an upload. @throws ApiError if there is none, or no bucket for it */
function uploadedFile<F>(context: ContentContext, file: F | undefined, errors: ValidationErrors): F {
  requireBucket(context)
  // The request may have a file with an error.
  errors.throwIfAny()
  if (file !== undefined) return file
  const message = 'Missing parameter(s): file. The body is the image itself, or a multipart form with it.'
  throw new ApiError('rest_missing_callback_param', message, { params: ['file'] })
}

/** A form in which clients send and get images. */
type ImageForm<Image, Deleted> = {
  path: string
  /**
   * The routes in documents: their subject, if it differs from the path's, and the end of their summaries.
   */
  subject?: string
  manner?: string
  texts: FieldsSchema<MediaTexts>
  upload: FieldsSchema<MediaUpload>
  image: z.ZodMiniType<Image>
  serialize: (context: BaseContext, row: ImageRow) => Image
  addressOf: (context: BaseContext, image: Image) => string
  /** The response to a deletion, and its schema. */
  deleted: (image: Image) => Deleted
  deletedSchema: z.ZodMiniType<Deleted>
}

/** The routes that upload, read, change and delete images in a form. */
export function imageRoutes<Image, Deleted>({
  path,
  subject,
  manner = '',
  ...form
}: ImageForm<Image, Deleted>): Route[] {
  const bodyOf = (context: BaseContext, row: ImageRow): Versioned<Image> => ({
    body: form.serialize(context, row),
    version: row.version,
  })
  const subjectPart = subject === undefined ? {} : { subject }
  const singleImage = {
    ...subjectPart,
    path: `${path}/{id}`,
    load: (context: BaseContext, { id }: { id: number }) => selectImageById(context, id),
  }
  return [
    defineWrite({
      ...subjectPart,
      methods: ['POST'],
      path,
      summary: `Upload an image${manner}`,
      requires: 'upload_media',
      query: form.texts,
      body: form.upload,
      wholeBody: 'file',
      responses: { 201: form.image },
      headers: LOCATION,
      errors: ['rest_missing_callback_param', 'rest_media_unavailable'],
      prepare: (context, _, { body: { file } }, errors) => uploadedFile(context, file, errors),
      handle: async (context, { query, body: texts, prepared: file }) => {
        const image = bodyOf(context, await createImage(context, { ...query, ...texts, file }))
        return createdReply(image, form.addressOf(context, image.body))
      },
    }),
    defineRead({
      ...singleImage,
      summary: `Read one image${manner}`,
      requires: 'read',
      responses: { 200: form.image },
      errors: ['rest-image-not-found'],
      prepare: (_, row) => requireImage(row),
      handle: (context, { prepared: row }) => okVersioned(bodyOf(context, row)),
    }),
    defineWrite({
      ...singleImage,
      methods: ['POST', 'PUT', 'PATCH'],
      summary: `Update the texts of one image${manner}`,
      requires: 'edit_content',
      body: form.texts,
      responses: { 200: form.image },
      errors: ['rest-image-not-found'],
      prepare: (context, row) => requireChangeableImage(context, row),
      handle: async (context, { body: values, prepared: stored }) =>
        okVersioned(bodyOf(context, await updateImage(context, { values, stored }))),
    }),
    defineWrite({
      ...singleImage,
      methods: ['DELETE'],
      summary: `Delete one image that is not in use${manner}`,
      requires: 'edit_content',
      responses: { 200: form.deletedSchema },
      errors: ['rest-image-not-found', 'image-is-in-use'],
      prepare: (context, row) => requireChangeableImage(context, row),
      handle: async (context, { prepared: row }) => {
        await deleteImage(context, row)
        const { body, version } = bodyOf(context, row)
        return okVersioned({ body: form.deleted(body), version })
      },
    }),
  ]
}

const serialize = (context: BaseContext, row: ImageRow): LibraryImage => serializeLibraryImage(row, context)

export const mediaRoutes: Route[] = [
  defineList({
    id: 'MediumList',
    plural: 'media',
    item: libraryImage,
    params: mediaList,
    requires: 'read',
    noPage: 'image-archive-page-not-found',
    select: selectMediaPage,
    serialize: (context, rows) => rows.map(row => serialize(context, row)),
  }),
  ...imageRoutes({
    path: '/media',
    texts: mediaTexts,
    upload: mediaUpload,
    image: libraryImage,
    serialize,
    addressOf: (_, { rest_url }) => rest_url,
    deleted: image => image,
    deletedSchema: libraryImage,
  }),
]
