import { createMiddleware } from 'hono/factory'
import { Database } from '../../db/database.ts'
import type { AppEnv } from '../../env.ts'
import { fitsHeader } from '../../http/reply.ts'
import { ApiError } from '../../lib/errors.ts'
import { readCookie } from './sessions/cookies.ts'
import { findSession } from './sessions/session.ts'

const PARAMETER = 'fresh'

/** The address of a page as it is now, for whoever is signed in: shared caches may still have it as it was before. */
export const freshAddress = (address: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}${PARAMETER}=1`

/**
 * Has pages worked out afresh for whoever is signed in, and kept by nobody. Shared caches know no cookies, so all others are sent to
 * the address that these know, each time.
 */
export const readFresh = createMiddleware<AppEnv>(async (c, next) => {
  const url = new URL(c.req.url)
  if (!['GET', 'HEAD'].includes(c.req.method) || !url.searchParams.has(PARAMETER)) return next()
  c.header('Cache-Control', 'private, no-store')
  const secret = readCookie(c, 'session')
  if (secret !== undefined) {
    // Replicas lag behind what was just saved.
    c.set('db', new Database(c.env.DB.withSession('first-primary')))
    if (await findSession(c, secret)) return next()
  }
  url.searchParams.delete(PARAMETER)
  if (!fitsHeader(url.href))
    throw new ApiError('rest_invalid_param', 'The address that this one redirects to is too long.')
  return c.redirect(url.href, 302)
})
