import type { Context, Hono } from 'hono'
import type { AppEnv } from '../../kit/env.ts'
import { askBucket } from '../../kit/http/request-context.ts'
import { CACHE_TAGS } from '../../kit/http/shared-caches.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { MEDIA_TYPES } from '../../kit/lib/images/formats.ts'
import { isImageFile } from '../../kit/lib/images/sizes.ts'
import { UPLOADS } from '../content/uploads.ts'

/** A part of a file, in bytes. */
type ByteRange = { offset: number; length: number }

/**
 * The part of a file that a `Range` header asks for (RFC 9110, 14.1.2).
 *
 * @returns undefined for the whole file: if there is no header, or it names no part or several, which servers
 *   may ignore; null if the file has no such part
 */
function byteRangeIn(header: string | null, size: number): ByteRange | undefined | null {
  const [match, first = '', last = ''] =
    header?.match(/^\s*bytes\s*=\s*(?:(\d+)\s*)?-\s*(?:(\d+)\s*)?$/i) ?? []
  if (match === undefined || first + last === '') return undefined
  // Without a start, the number means that many bytes at the end.
  const offset = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  return offset < size ? { offset, length: end - offset } : null
}

/**
 * Headers of every image. The address is the digest of the bytes, so the content never changes. If a browser
 * ever takes an image for a page, nothing in it may run.
 */
const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Accept-Ranges': 'bytes',
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

/**
 * The part of the image that the client asks for, unless its other parts are from a different file.
 * @see byteRangeIn
 */
function wantedPart(headers: Headers, { httpEtag, size }: R2Object): ByteRange | undefined | null {
  const isOther = ![null, httpEtag].includes(headers.get('if-range'))
  return isOther ? undefined : byteRangeIn(headers.get('range'), size)
}

/**
 * Headers that require facts about a file before it is read. The bucket's own parser throws for invalid
 * headers.
 */
const CONDITIONS = ['if-none-match', 'range']

/** Serves an image from the bucket, without the database. */
async function serveImage(c: Context<AppEnv>): Promise<Response> {
  const file = c.req.param('file') ?? ''
  const { MEDIA: bucket } = c.env
  if (!bucket || !isImageFile(file)) throw notFound()
  const { headers, method } = c.req.raw
  let part: ByteRange | undefined
  if (method === 'HEAD' || CONDITIONS.some(name => headers.has(name))) {
    const head = await askBucket(() => bucket.head(file))
    if (!head) throw notFound()
    if (clientHasImage(headers, head)) return c.body(null, 304, headersOf(file, head))
    if (method === 'HEAD')
      return c.body(null, 200, { ...headersOf(file, head), 'Content-Length': String(head.size) })
    const wantedRange = wantedPart(headers, head)
    if (wantedRange === null) {
      c.header('Content-Range', `bytes */${head.size}`)
      throw new ApiError('rest_range_not_satisfiable', `This image has ${head.size} bytes.`)
    }
    part = wantedRange
  }
  const range = part && { range: part }
  const object = await askBucket(() => bucket.get(file, range))
  if (!object) throw notFound()
  if (!part) return c.body(object.body, 200, headersOf(file, object))
  const { offset, length } = part
  const contentRange = `bytes ${offset}-${offset + length - 1}/${object.size}`
  return c.body(object.body, 206, { ...headersOf(file, object), 'Content-Range': contentRange })
}

export function mountImages(app: Hono<AppEnv>): void {
  app.get(`${UPLOADS}:file`, serveImage)
}
