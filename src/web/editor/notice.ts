import type { Context } from 'hono'
import type { AppEnv } from '../../env.ts'
import { isObject } from '../../lib/values.ts'
import { reasonsOf } from '../forms/errors.ts'
import type { WriteReply } from '../forms/requests.ts'
import { html } from '../html/html.ts'
import type { Admin, Notice } from './admin.ts'
import type { AdminPage } from './layout.ts'
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

type Note = Pick<AdminPage, 'title' | 'status'> & { text: string; link?: { href: string; text: string } }

/** A page that says one thing, with the way on. */
export const notePage = ({ title, text, link, ...page }: Note): AdminPage => ({
  title,
  ...page,
  isNarrow: true,
  main: html`<h1>${title}</h1><p class="lead">${text}</p>${link && html`<p><a class="button" href="${link.href}">${link.text}</a></p>`}`,
})

/** The page that says why something was not done. @param back where it was asked for */
export const refusedPage = (admin: Admin, reply: WriteReply, back: string): AdminPage =>
  notePage({
    title: admin.words.refused,
    status: 409,
    text: reasonsOf(admin, reply),
    link: { href: back, text: admin.words.back },
  })
