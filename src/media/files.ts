import type { Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { PICTURES } from '../content/pictures.ts'
import type { AppEnv } from '../env.ts'
import { purgeSoon } from '../http/purge.ts'
import { ApiError } from '../lib/errors.ts'
import { type Extension, FORMATS, PICTURE_FILE } from '../lib/pictures/read-picture.ts'

/** The tag of all pictures in shared caches. */
const CACHE_TAG = 'media'

/**
 * Headers of every picture. Its address is the digest of its bytes, so that it never changes. Should a browser ever take
 * one for a page all the same, nothing in it may run.
 */
const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'Accept-Ranges': 'bytes',
  'Cache-Tag': CACHE_TAG,
}

const notFound = () => new ApiError('rest-image-not-found', 'There is no such picture.')

// The local runtime names all parts of a range, some of them without a value.
const hasSuffix = (range: R2Range): range is { suffix: number } =>
  'suffix' in range && range.suffix !== undefined

/** The part of a file that a response has, for 206. */
function contentRange({ range, size }: R2Object): string | undefined {
  if (!range) return undefined
  const start = hasSuffix(range) ? Math.max(0, size - range.suffix) : (range.offset ?? 0)
  const length = hasSuffix(range) ? size - start : (range.length ?? size - start)
  return `bytes ${start}-${start + length - 1}/${size}`
}

const headersOf = (file: string, { httpEtag }: R2Object): Record<string, string> => ({
  ...HEADERS,
  // By its name, which is made from its bytes. PICTURE_FILE has no other extensions.
  'Content-Type': FORMATS[file.slice(file.lastIndexOf('.') + 1) as Extension].mimeType,
  ETag: httpEtag,
})

/** The headers that say what the client has. Others are for changes, of which pictures have none. */
const known = (headers: Headers): Headers =>
  new Headers([...headers].filter(([name]) => ['if-none-match', 'if-modified-since'].includes(name)))

/** Serves a picture from the bucket, without a look into the database. */
async function servePicture(c: Context<AppEnv>): Promise<Response> {
  const file = c.req.param('file') ?? ''
  const { MEDIA: bucket } = c.env
  if (!bucket || !PICTURE_FILE.test(file)) throw notFound()
  if (c.req.method === 'HEAD') {
    const object = await bucket.head(file)
    if (!object) throw notFound()
    return c.body(null, 200, { ...headersOf(file, object), 'Content-Length': String(object.size) })
  }
  const { headers } = c.req.raw
  const isPart = headers.has('range')
  const object = await bucket.get(file, { onlyIf: known(headers), ...(isPart && { range: headers }) })
  if (!object) throw notFound()
  // Without a body, the client has it already.
  if (!('body' in object)) return c.body(null, 304, headersOf(file, object))
  const part = isPart ? contentRange(object) : undefined
  if (!part) return c.body(object.body, 200, headersOf(file, object))
  return c.body(object.body, 206, { ...headersOf(file, object), 'Content-Range': part })
}

/** The address of one picture in the API, by whichever namespace. */
const ONE = /\/media\/\d+\/?$/

/** Purges pictures from shared caches after one was deleted: they keep them for a year. */
const purgeDeleted = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  if (c.req.method === 'DELETE' && c.res.ok && ONE.test(c.req.path)) purgeSoon(c, CACHE_TAG)
})

/** Puts the pictures on an app. To be used before the routes that delete them. */
export function mountPictures(app: Hono<AppEnv>): void {
  app.use(purgeDeleted)
  app.get(`${PICTURES}:file`, servePicture)
}
