import type { Context } from 'hono'
import type { AppEnv } from '../../env.ts'
import { isObject } from '../../lib/values.ts'
import type { Notice } from './admin.ts'
import { cookie, readCookie } from './sessions/cookies.ts'

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
