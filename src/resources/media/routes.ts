import type { RequestContext } from '../../context.ts'
import { idOf } from '../../http/input.ts'
import { defineList } from '../../http/lists.ts'
import { created, LOCATION, one, type Versioned } from '../../http/reply.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { ApiError, type ValidationErrors } from '../../lib/errors.ts'
import { assertConditions } from '../../lib/precondition.ts'
import { assertBucket } from '../content/uploads.ts'
import { assertImage, type ImageRow, imageById, selectMediaPage, serializeLibraryImage } from './queries.ts'
import { deleteImage } from './removal.ts'
import { type LibraryImage, libraryImage, mediaList, mediaTexts, mediaUpload } from './schema.ts'
import { assertMayChange, createImage, updateImage } from './writes.ts'

const PATH = '/media/{id}'

const bodyOf = (context: RequestContext, row: ImageRow): Versioned<LibraryImage> => ({
  body: serializeLibraryImage(row, context),
  version: row.version,
})

/** The image, if the caller may change it. */
export function assertChangeableImage(context: RequestContext, row: ImageRow | undefined): ImageRow {
  const stored = assertImage(row)
  assertMayChange(context, stored)
  return assertConditions(context, stored)
}

/** The file of an upload. @throws ApiError if there is none, or no bucket for it */
export function uploadedFile<F>(context: RequestContext, file: F | undefined, errors: ValidationErrors): F {
  assertBucket(context)
  // The file may be there, and wrong.
  errors.throwIfAny()
  if (file !== undefined) return file
  const message = 'Missing parameter(s): file. The body is the image itself, or a multipart form with it.'
  throw new ApiError('rest_missing_callback_param', message, { params: ['file'] })
}

export const mediaRoutes: Route[] = [
  defineList({
    id: 'MediumList',
    plural: 'media',
    item: libraryImage,
    params: mediaList,
    requires: 'read',
    noPage: 'image-archive-page-not-found',
    select: selectMediaPage,
    serialize: (context, rows) => rows.map(row => serializeLibraryImage(row, context)),
  }),
  defineRoute({
    methods: ['POST'],
    path: '/media',
    summary: 'Upload an image',
    requires: 'upload_media',
    query: mediaTexts,
    body: mediaUpload,
    wholeBody: 'file',
    responses: { 201: libraryImage },
    headers: LOCATION,
    errors: ['rest_missing_callback_param', 'rest_media_unavailable'],
    prepare: (context, _, { body: { file } }, errors) => uploadedFile(context, file, errors),
    handle: async (context, { query, body: texts, prepared: file }) => {
      const image = bodyOf(context, await createImage(context, { ...query, ...texts, file }))
      return created(image, image.body.rest_url)
    },
  }),
  defineRoute({
    methods: ['GET'],
    path: PATH,
    summary: 'Read one image',
    requires: 'read',
    responses: { 200: libraryImage },
    errors: ['rest-image-not-found'],
    load: (context, { key }) => imageById(context, idOf(key)),
    prepare: (_, row) => assertImage(row),
    handle: (context, { prepared: row }) => one(bodyOf(context, row)),
  }),
  defineRoute({
    methods: ['POST', 'PUT', 'PATCH'],
    path: PATH,
    summary: 'Update the texts of one image',
    requires: 'edit_content',
    body: mediaTexts,
    responses: { 200: libraryImage },
    errors: ['rest-image-not-found'],
    load: (context, { key }) => imageById(context, idOf(key)),
    prepare: (context, row) => assertChangeableImage(context, row),
    handle: async (context, { body: values, prepared: stored }) =>
      one(bodyOf(context, await updateImage(context, { values, stored }))),
  }),
  defineRoute({
    methods: ['DELETE'],
    path: PATH,
    summary: 'Delete one image that is not in use',
    requires: 'edit_content',
    responses: { 200: libraryImage },
    errors: ['rest-image-not-found', 'image-is-in-use'],
    load: (context, { key }) => imageById(context, idOf(key)),
    prepare: (context, row) => assertChangeableImage(context, row),
    handle: async (context, { prepared: row }) => {
      await deleteImage(context, row)
      return one(bodyOf(context, row))
    },
  }),
]
