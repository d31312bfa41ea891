import type { Context, Hono } from 'hono'
import type { AppEnv } from '../../../env.ts'
import { TOKEN_PATTERN } from '../../../http/personal-links.ts'
import { readForm } from '../../../web/forms/element.ts'
import { pageHeaders } from '../../../web/html/route.ts'
import { type Site, siteOf } from '../../../web/html/site.ts'
import { withTurnstile } from '../../../web/html/turnstile.ts'
import {
  assertFromHere,
  VISITOR_FORM,
  visitorContext,
  visitorPages,
} from '../../../web/html/visitor-pages.ts'
import { isRegistrationOn } from '../on.ts'
import { showOwn, takeOwn } from './own.ts'
import { type Shown, showRegister, takeRegister } from './register.ts'

type Work = (site: Site, c: Context<AppEnv>) => Promise<Shown>

const handler = (work: Work) => async (c: Context<AppEnv>) => {
  const site = siteOf(c.get('context'))
  const shown = await work(site, c)
  const headers = {
    ...withTurnstile(site, pageHeaders(site)),
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
  }
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  if ('to' in shown) return c.redirect(shown.to, 303)
  if (shown.retryAfter !== undefined) c.header('Retry-After', String(shown.retryAfter))
  return c.html(shown.body, shown.status)
}

/** A page with a form, which only it sends. */
function mountForm(
  app: Hono<AppEnv>,
  base: string,
  path: string,
  { show, take }: { show: Work; take: Work },
): void {
  const pages = visitorPages(base)
  pages.on('GET', [path], ...visitorContext, handler(show))
  pages.on(
    'POST',
    [path],
    ...visitorContext,
    handler(async (site, c) => {
      assertFromHere(c)
      return take(site, c)
    }),
  )
  app.route('/', pages)
}

const posted = (c: Context<AppEnv>): Promise<FormData> => readForm(c.req.raw, VISITOR_FORM)
const tokenIn = (c: Context<AppEnv>): string => c.req.param('token') ?? ''
const idIn = (c: Context<AppEnv>): number => Number(c.req.param('id'))

const mountOwnWhile = (app: Hono<AppEnv>, isOn: (site: Site) => boolean): void =>
  mountForm(app, '/registrations', `/registrations/:token{${TOKEN_PATTERN}}`, {
    show: (site, c) => showOwn(site, tokenIn(c), new URL(c.req.url), isOn(site)),
    take: async (site, c) => takeOwn(site, tokenIn(c), await posted(c), isOn(site)),
  })

/** Mounts the pages on which people do nothing but give back what they have. */
export const mountOwn = (app: Hono<AppEnv>): void => mountOwnWhile(app, () => false)

/** Mounts the pages on which people register, and their own pages. */
export function mountRegister(app: Hono<AppEnv>): void {
  mountOwnWhile(app, ({ context }) => isRegistrationOn(context))
  mountForm(app, '/register', '/register/:id{[0-9]+}', {
    show: (site, c) => showRegister(site, idIn(c), new URL(c.req.url)),
    take: async (site, c) => {
      // An anonymous visitor may send a few a minute.
      await site.context.countWrites?.(1)
      return takeRegister(site, idIn(c), await posted(c))
    },
  })
}
