import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { primaryDatabase } from '../kit/db/database.ts'
import type { AppEnv } from '../kit/env.ts'
import { addressTooLong, fitsHeader } from '../kit/http/reply.ts'
import { setRequestContext } from '../kit/http/request-context.ts'
import { readSettings, updateSettings, withSettings } from '../kit/http/stored-settings.ts'
import { ANONYMOUS } from '../kit/lib/roles.ts'
import { isObject } from '../kit/lib/values.ts'
import { NAMESPACE, type Settings, varSettingsOf } from '../kit/settings.ts'
import { browserLanguageOf, pageContextOf } from '../site/html/page-context.ts'
import { textsIn } from '../words/words.ts'
import {
  type EditorShell,
  END_OTHERS_PATH,
  type Notice,
  type Session,
  UNDO_PATH,
  type VisitorContext,
} from './context.ts'
import { cookie, findSession, formToken, newSecret, readCookie } from './sessions.ts'

function visitOf(
  c: Context<AppEnv>,
  shell: EditorShell,
  { session, token = '' }: { session?: Session; token?: string },
): VisitorContext {
  c.set('caller', session ? { id: session.user.id, role: session.user.role } : ANONYMOUS)
  setRequestContext(c, NAMESPACE)
  const context = c.get('context')
  const siteLanguage = context.settings.website.language
  // Until a language is chosen, the editor stays in the language in which the setup began.
  const browserLanguage = browserLanguageOf(c, siteLanguage)
  const languageWith = ({ isLanguageChosen, website }: Settings) =>
    isLanguageChosen ? website.language : browserLanguageOf(c, website.language)
  const language = languageWith(context.settings)
  const site = pageContextOf(context, { language })
  const path = new URL(c.req.url).pathname
  const texts = textsIn(language)
  const words = texts.frame
  return {
    ...{ context, site, language, browserLanguage, languageWith, texts, words, path, shell, session, token },
    notice: noticeIn(c),
  }
}

/** The same context in another language. */
export function withLanguage<V extends VisitorContext>(visit: V, language: string): V {
  const texts = textsIn(language)
  return { ...visit, language, texts, words: texts.frame, site: pageContextOf(visit.context, { language }) }
}

/**
 * The same context in the language of the next page, once the settings were changed or a change was undone.
 */
export async function withNextLanguage<V extends VisitorContext>(visit: V): Promise<V> {
  const { db, settings } = visit.context
  return withLanguage(visit, visit.languageWith(await readSettings(db, varSettingsOf(settings))))
}

/** The context before the session is known. It reads nothing. */
export const anonymousVisit = (c: Context<AppEnv>, shell: EditorShell): VisitorContext =>
  visitOf(c, shell, {})

/** The context with the session of the cookie. */
export async function identifyVisitor(c: Context<AppEnv>, shell: EditorShell): Promise<VisitorContext> {
  // Users must see what they have just saved, and sessions must end at once.
  c.set('db', primaryDatabase(c.env.DB))
  const secret = readCookie(c, 'session')
  if (secret === undefined) {
    await updateSettings(c)
    return visitOf(c, shell, {})
  }
  const session = await withSettings(c, () => findSession(c, secret))
  if (!session) return visitOf(c, shell, {})
  return visitOf(c, shell, { session, token: await formToken(secret) })
}

/** The token of a visit without a session, for the forms of the sign-in, and the cookie if it is new. */
export async function visitToken(c: Context<AppEnv>): Promise<{ token: string; cookies: string[] }> {
  const knownSecret = readCookie(c, 'visit')
  const secret = knownSecret ?? newSecret()
  return {
    token: await formToken(secret),
    cookies: knownSecret === undefined ? [cookie(new URL(c.req.url), 'visit', secret)] : [],
  }
}

const FRESH_PARAMETER = 'fresh'

/**
 * The address of a page for signed-in users, who need the current version even if shared caches have an older
 * one.
 */
export const freshAddress = (address: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}${FRESH_PARAMETER}=1`

/**
 * Serves pages to signed-in users without caches. Shared caches don't look at cookies, so everybody else is
 * redirected to the cached address.
 */
export const readFresh = createMiddleware<AppEnv>(async (c, next) => {
  const url = new URL(c.req.url)
  if (!['GET', 'HEAD'].includes(c.req.method) || !url.searchParams.has(FRESH_PARAMETER)) return next()
  c.header('Cache-Control', 'private, no-store')
  const secret = readCookie(c, 'session')
  if (secret !== undefined) {
    c.set('db', primaryDatabase(c.env.DB))
    if (await findSession(c, secret)) return next()
  }
  url.searchParams.delete(FRESH_PARAMETER)
  if (!fitsHeader(url.href)) throw addressTooLong()
  return c.redirect(url.href, 302)
})

const NOTICE_SECONDS = 60
/**
 * The longest notice, in characters: browsers allow some 4,000 for a cookie, and a character of another
 * script may take nine.
 */
const MAX_NOTICE_LENGTH = 300

/** The cookie that carries a notice to the next page. */
export function noticeCookie(url: URL, { text, isWarning, link, saved }: Notice): string {
  const notice = { text: text.slice(0, MAX_NOTICE_LENGTH).toWellFormed(), isWarning, link, saved }
  return cookie(url, 'notice', JSON.stringify(notice), NOTICE_SECONDS)
}

export const expiredNoticeCookie = (url: URL): string => cookie(url, 'notice', '', 0)

/** The notice for this page; undefined if the cookie holds anything else. */
function noticeIn(c: Context<AppEnv>): Notice | undefined {
  try {
    const notice: unknown = JSON.parse(readCookie(c, 'notice') ?? '')
    if (!isObject(notice) || typeof notice.text !== 'string') return undefined
    const { text, link } = notice
    const others = {
      ...(notice.isWarning === true && { isWarning: true as const }),
      ...(typeof notice.saved === 'string' && { saved: notice.saved }),
    }
    if (!isObject(link) || typeof link.text !== 'string' || !/^\/(?![/\\])/.test(String(link.href)))
      return { text, ...others }
    const href = String(link.href)
    // A forged cookie can't show a button for any other action.
    const isAllowed = href === END_OTHERS_PATH || href.startsWith(`${UNDO_PATH}?`)
    const isButton = link.isButton === true && isAllowed
    return { text, ...others, link: { href, text: link.text, ...(isButton && { isButton }) } }
  } catch {
    return undefined
  }
}
