import type { Context, Hono } from 'hono'
import type { AppEnv } from '../../kit/env.ts'
import { askBucket } from '../../kit/http/request-context.ts'
import { CACHE_TAGS } from '../../kit/http/shared-caches.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { MEDIA_TYPES } from '../../kit/lib/images/formats.ts'
import { isImageFile } from '../../kit/lib/images/sizes.ts'
import { UPLOADS } from '../content/uploads.ts'

/**
 * Headers of every image. The address is the digest of the bytes, so the content never changes. If a browser
 * ever takes an image for a page, nothing in it may run.
 */
const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Tag': CACHE_TAGS.images,
}

const notFound = () => new ApiError('rest-image-not-found', 'There is no such image.')

const headersOf = (file: string, { httpEtag }: R2Object): Record<string, string> => ({
  ...HEADERS,
  // The type is determined by the name, which is made from the bytes. Files of images have no other
  // extensions.
  'Content-Type': MEDIA_TYPES[file.slice(file.lastIndexOf('.') + 1) as keyof typeof MEDIA_TYPES],
  ETag: httpEtag,
})

/**
 * True if the client has the image already (RFC 9110, 13.1.2). `If-Modified-Since` means nothing here: the
 * content of an address never changes, and has no date (13.1.3).
 */
function clientHasImage(headers: Headers, { httpEtag }: R2Object): boolean {
  const tags = headers.get('if-none-match')?.split(',') ?? []
  return tags.some(tag => ['*', httpEtag].includes(tag.trim().replace(/^W\//, '')))
}

/** Serves an image from the bucket, without the database. Ranges are not served: images are small. */
async function serveImage(c: Context<AppEnv>): Promise<Response> {
  const file = c.req.param('file') ?? ''
  const { MEDIA: bucket } = c.env
  if (!bucket || !isImageFile(file)) throw notFound()
  const { headers, method } = c.req.raw
  if (method === 'HEAD' || headers.has('if-none-match')) {
    const head = await askBucket(() => bucket.head(file))
    if (!head) throw notFound()
    if (clientHasImage(headers, head)) return c.body(null, 304, headersOf(file, head))
    if (method === 'HEAD')
      return c.body(null, 200, { ...headersOf(file, head), 'Content-Length': String(head.size) })
  }
  const object = await askBucket(() => bucket.get(file))
  if (!object) throw notFound()
  return c.body(object.body, 200, headersOf(file, object))
}

export function mountImages(app: Hono<AppEnv>): void {
  app.get(`${UPLOADS}:file`, serveImage)
}
