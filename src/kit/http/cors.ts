import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../env.ts'
import { ApiError } from '../lib/errors.ts'
import { isLocal } from '../lib/network.ts'
import { logRefusedOrigin } from './log.ts'
import { BOOKMARK_HEADER } from './request-context.ts'

/** The response headers that scripts may read, besides the headers that browsers always show. */
const EXPOSED_HEADERS = [
  'X-TEC-Total',
  'X-TEC-TotalPages',
  'X-WP-Total',
  'X-WP-TotalPages',
  'Link',
  'Location',
  'Allow',
  'X-Shortened',
  'X-Ignored-Fields',
  'X-Did-You-Mean',
  'X-Per-Page',
  'X-Batch-Failed',
  'X-Series-Dates',
  'X-Series-Remaining',
  'X-Calendar-Id',
  'X-TEC-API-VERSION',
  'X-TEC-API-ROOT',
  'X-TEC-API-ORIGIN',
  'Idempotency-Replayed',
  'ETag',
  'Retry-After',
  'X-Request-Id',
  BOOKMARK_HEADER,
].join(', ')

const READ_METHODS = ['GET', 'HEAD']
const WRITE_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE']

/** The request headers that scripts of any origin may send; `Authorization` is for trusted origins only. */
const REQUEST_HEADERS = [
  'Content-Type',
  'Content-Disposition',
  'If-None-Match',
  'If-Modified-Since',
  'If-Match',
  'Idempotency-Key',
  'X-Request-Id',
  'X-TEC-EEA',
  // Scripts made for WordPress send this header with every request, and WordPress allows it. Nothing reads it
  // here.
  'X-WP-Nonce',
  BOOKMARK_HEADER,
]

/**
 * The headers that scripts of trusted origins may send as well: credentials, and the headers of the Model
 * Context Protocol.
 */
const TRUSTED_HEADERS = [
  ...REQUEST_HEADERS,
  'Authorization',
  'X-HTTP-Method-Override',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
]

const PREFLIGHT_SECONDS = 86_400

/** True if a page is on this computer, as the service is. */
const areLocal = (origin: string, address: string): boolean =>
  URL.canParse(origin) && isLocal(new URL(origin)) && isLocal(new URL(address))

/**
 * CORS: scripts of any origin may read without credentials. Scripts of the listed origins may log in and
 * write, and if the service runs on this computer, so may all scripts on it. Writes that a browser sends for
 * another origin are refused: forms need no preflight, and a browser may add a remembered password.
 *
 * @param allowedOrigins as browsers send them, e.g. `https://admin.example.org`
 */
export const cors = (allowedOrigins: readonly string[]) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const origin = c.req.header('origin')
    const isTrusted = origin !== undefined && (allowedOrigins.includes(origin) || areLocal(origin, c.req.url))
    // Any other OPTIONS asks for the description of a route.
    const isPreflight =
      c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined
    if (isPreflight) return respondToPreflight(c, isTrusted ? origin : undefined)
    const isRead = [...READ_METHODS, 'OPTIONS'].includes(c.req.method)
    if (!isRead && !isTrusted && origin !== undefined && origin !== new URL(c.req.url).origin) {
      logRefusedOrigin(c.get('requestId'), origin)
      throw new ApiError(
        'rest_forbidden',
        `Pages of ${origin} may not write here: ALLOWED_ORIGINS lists those that may.`,
      )
    }
    await next()
    const { headers } = c.res
    if (!isRead) headers.append('Vary', 'Origin')
    if (isRead || isTrusted) {
      headers.set('Access-Control-Allow-Origin', isTrusted && !isRead ? origin : '*')
      headers.set('Access-Control-Expose-Headers', EXPOSED_HEADERS)
    }
  })

/** @param origin the origin of the script, if it is trusted */
function respondToPreflight(c: Context<AppEnv>, origin: string | undefined): Response {
  const isForRead = READ_METHODS.includes(c.req.header('access-control-request-method') ?? 'GET')
  c.header('Vary', 'Origin, Access-Control-Request-Method')
  if (origin === undefined && !isForRead) {
    logRefusedOrigin(c.get('requestId'), c.req.header('origin') ?? '')
    return c.body(null, 204)
  }
  c.header('Access-Control-Allow-Origin', origin ?? '*')
  c.header(
    'Access-Control-Allow-Methods',
    (origin ? [...READ_METHODS, ...WRITE_METHODS] : READ_METHODS).join(', '),
  )
  c.header('Access-Control-Allow-Headers', (origin ? TRUSTED_HEADERS : REQUEST_HEADERS).join(', '))
  c.header('Access-Control-Max-Age', String(PREFLIGHT_SECONDS))
  return c.body(null, 204)
}
