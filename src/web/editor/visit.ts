import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { Database } from '../../db/database.ts'
import type { AppEnv } from '../../env.ts'
import { requestContext } from '../../http/context.ts'
import { fitsHeader } from '../../http/reply.ts'
import { ApiError } from '../../lib/errors.ts'
import { ANONYMOUS } from '../../lib/roles.ts'
import { isObject } from '../../lib/values.ts'
import { NAMESPACE } from '../../settings.ts'
import { frameWords } from '../../words/words.ts'
import { siteOf } from '../html/site.ts'
import type { Frame, Notice, Session, Visit } from './admin.ts'
import { cookie, formToken, newSecret, readCookie } from './sessions/cookies.ts'
import { findSession } from './sessions/session.ts'

type KnownVisitor = { session?: Session; token?: string }

async function visitOf(
  c: Context<AppEnv>,
  frame: Frame,
  { session, token = '' }: KnownVisitor,
): Promise<Visit> {
  c.set('caller', session ? { id: session.user.id, role: session.user.role } : ANONYMOUS)
  await requestContext(NAMESPACE, frame.settings)(c, async () => {})
  const context = c.get('context')
  const site = siteOf(context)
  const { language } = site
  const path = new URL(c.req.url).pathname
  const words = frameWords(language)
  return { context, site, language, words, path, frame, session, token, notice: noticeIn(c) }
}

/** A visit before it is known whose it is. It reads nothing. */
export const nobody = (c: Context<AppEnv>, frame: Frame): Promise<Visit> => visitOf(c, frame, {})

/** A visit, with the session whose cookie came with the request. */
export async function recognise(c: Context<AppEnv>, frame: Frame): Promise<Visit> {
  // Whoever has just saved reads what was saved, and a session that has ended has ended: replicas lag behind.
  c.set('db', new Database(c.env.DB.withSession('first-primary')))
  const secret = readCookie(c, 'session')
  const session = secret === undefined ? undefined : await findSession(c, secret)
  if (secret === undefined || !session) return visitOf(c, frame, {})
  return visitOf(c, frame, { session, token: await formToken(secret) })
}

/** The secret of a visit without a session, to which the forms for signing in are bound; with the cookie, if it is new. */
export async function visitSecret(c: Context<AppEnv>): Promise<{ token: string; cookies: string[] }> {
  const known = readCookie(c, 'visit')
  const secret = known ?? newSecret()
  return {
    token: await formToken(secret),
    cookies: known === undefined ? [cookie(new URL(c.req.url), 'visit', secret)] : [],
  }
}

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

/** Seconds for which a notice waits for the page that shows it. */
const WAITS = 60
/** Characters: browsers take some 4,000 for a cookie, in which each of another script may be nine. */
const LONGEST = 300

/** The cookie that carries a notice to the next page. */
export function noticeCookie(url: URL, { text, link }: Notice): string {
  const kept = { text: text.slice(0, LONGEST).toWellFormed(), ...(link && { link }) }
  return cookie(url, 'notice', JSON.stringify(kept), WAITS)
}

/** The cookie that ends a notice. */
export const noNotice = (url: URL): string => cookie(url, 'notice', '', 0)

/** The notice for this page. What else the cookie may hold shows nothing. */
export function noticeIn(c: Context<AppEnv>): Notice | undefined {
  try {
    const kept: unknown = JSON.parse(readCookie(c, 'notice') ?? '')
    if (!isObject(kept) || typeof kept.text !== 'string') return undefined
    const { text, link } = kept
    if (!isObject(link) || typeof link.text !== 'string' || !/^\/admin\//.test(String(link.href)))
      return { text }
    return { text, link: { href: String(link.href), text: link.text } }
  } catch {
    return undefined
  }
}
