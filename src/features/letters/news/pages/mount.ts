import type { Context, Hono } from 'hono'
import type { AppEnv } from '../../../../env.ts'
import { TOKEN_PATTERN } from '../../../../http/personal-links.ts'
import { readForm } from '../../../../web/forms/element.ts'
import { pageHeaders } from '../../../../web/html/route.ts'
import { type Site, siteOf } from '../../../../web/html/site.ts'
import { withTurnstile } from '../../../../web/html/turnstile.ts'
import {
  assertFromHere,
  VISITOR_FORM,
  visitorContext,
  visitorPages,
} from '../../../../web/html/visitor-pages.ts'
import { isNewsOn } from '../on.ts'
import { NEWS_PATH, type NewsResponse } from './form.ts'
import { takeSignUp } from './new.ts'
import { isOneClick, leavingPage, ownPage, takeLeaving, takeOwn } from './own.ts'

type Work = (site: Site, c: Context<AppEnv>) => Promise<NewsResponse>

const OWN = `/news/:token{${TOKEN_PATTERN}}/`

const tokenIn = (c: Context<AppEnv>): string => c.req.param('token') ?? ''
const addressOf = (c: Context<AppEnv>): URL => new URL(c.req.url)

type Extra = {
  headers?: Readonly<Record<string, string>>
  /** True if it shows the form of visitors. */
  isForm?: boolean
}

const handler =
  (work: Work, { headers = {}, isForm }: Extra) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    const site = siteOf(c.get('context'))
    const shown = await work(site, c)
    for (const [name, value] of Object.entries({
      ...(isForm ? withTurnstile(site, pageHeaders(site)) : pageHeaders(site)),
      'Cache-Control': 'no-store',
      ...headers,
    }))
      c.header(name, value)
    if ('to' in shown) return c.redirect(shown.to, 303)
    if (shown.retryAfter !== undefined) c.header('Retry-After', String(shown.retryAfter))
    return c.html(shown.body, shown.status)
  }

const posted = (c: Context<AppEnv>): Promise<FormData> => readForm(c.req.raw, VISITOR_FORM)

const headers = { 'X-Robots-Tag': 'noindex' }

/** What the page of a subscriber shows, and what it does with its forms. */
type OwnWork = {
  show: (site: Site, token: string, url: URL) => Promise<NewsResponse>
  take: (site: Site, token: string, data: FormData) => Promise<NewsResponse>
}

/** The pages of subscribers. */
function ownPages({ show, take }: OwnWork): Hono<AppEnv> {
  const pages = visitorPages('/news')
  const path = OWN.replace(/\/$/, '')
  const shown = handler((site, c) => show(site, tokenIn(c), addressOf(c)), { headers })
  const taken = handler(
    async (site, c) => {
      const data = await posted(c)
      // Mail programs on the web leave a list from their own pages.
      if (!isOneClick(data)) assertFromHere(c)
      return take(site, tokenIn(c), data)
    },
    { headers },
  )
  pages.on('GET', [path], ...visitorContext, shown)
  pages.on('POST', [path], ...visitorContext, taken)
  return pages
}

/** Mounts the pages on which subscribers do nothing but leave. */
export const mountLeaving = (app: Hono<AppEnv>): void =>
  void app.route('/', ownPages({ show: leavingPage, take: takeLeaving }))

/** Mounts the pages of news. Those of subscribers are there even when nobody can sign up any more, so that everybody can leave. */
export function mountNews(app: Hono<AppEnv>): void {
  const pages = ownPages({ show: ownPage, take: takeOwn })
  const signUp = handler(
    async (site, c) => {
      assertFromHere(c)
      // An anonymous visitor may send a few a minute.
      await site.context.countWrites?.(1)
      return takeSignUp(site, await posted(c))
    },
    { headers, isForm: true },
  )
  pages.on('POST', [NEWS_PATH.replace(/\/$/, '')], ...visitorContext, (c, next) =>
    isNewsOn(c.get('context')) ? signUp(c) : next(),
  )
  app.route('/', pages)
}
