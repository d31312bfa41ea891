import type { Context, Hono } from 'hono'
import type { AppEnv } from '../../../../env.ts'
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
import { TOKEN_PATTERN } from '../links.ts'
import { isNewsOn } from '../on.ts'
import { NEWS_PATH, type NewsResponse } from './form.ts'
import { takeSignUp } from './new.ts'
import { isOneClick, ownPage, takeOwn } from './own.ts'

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

/** Mounts the pages of news. Those of subscribers are there even when nobody can sign up any more, so that everybody can leave. */
export function mountNews(app: Hono<AppEnv>): void {
  const pages = visitorPages('/news')
  const on = (
    method: 'GET' | 'POST',
    path: string,
    work: Work,
    more: Extra,
    isThere = (_: Context<AppEnv>) => true,
  ) => {
    const handle = handler(work, more)
    pages.on(method, [path.replace(/\/$/, '')], ...visitorContext, (c, next) =>
      isThere(c) ? handle(c) : next(),
    )
  }
  const isOn = (c: Context<AppEnv>): boolean => isNewsOn(c.get('context'))
  const headers = { 'X-Robots-Tag': 'noindex' }
  on(
    'POST',
    NEWS_PATH,
    async (site, c) => {
      assertFromHere(c)
      // An anonymous visitor may send a few a minute.
      await site.context.countWrites?.(1)
      return takeSignUp(site, await posted(c))
    },
    { headers, isForm: true },
    isOn,
  )
  on('GET', OWN, (site, c) => ownPage(site, tokenIn(c), addressOf(c)), { headers })
  on(
    'POST',
    OWN,
    async (site, c) => {
      const data = await posted(c)
      // Mail programs on the web leave a list from their own pages.
      if (!isOneClick(data)) assertFromHere(c)
      return takeOwn(site, tokenIn(c), data)
    },
    { headers },
  )
  app.route('/', pages)
}
