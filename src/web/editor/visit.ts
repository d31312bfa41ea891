import type { Context } from 'hono'
import { Database } from '../../db/database.ts'
import type { AppEnv } from '../../env.ts'
import { requestContext } from '../../http/context.ts'
import { ANONYMOUS } from '../../lib/roles.ts'
import { NAMESPACE } from '../../settings.ts'
import { frameWords } from '../../words/words.ts'
import { siteOf } from '../html/site.ts'
import type { Frame, Session, Visit } from './admin.ts'
import { noticeIn } from './notice.ts'
import { cookie, formToken, newSecret, readCookie } from './sessions/cookies.ts'
import { findSession } from './sessions/session.ts'

type Known = { session?: Session; token?: string }

async function visitOf(c: Context<AppEnv>, frame: Frame, { session, token = '' }: Known): Promise<Visit> {
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
