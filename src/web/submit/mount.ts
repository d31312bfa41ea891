import type { Context, Hono, MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import type { AppEnv } from '../../env.ts'
import { FOR_EVERYBODY } from '../../http/body.ts'
import { newApp, serverTiming } from '../../http/context.ts'
import { MAX_FILE_BYTES } from '../../http/form-data.ts'
import { countLooks } from '../../http/limits.ts'
import { updateSettings } from '../../http/settings.ts'
import { ApiError } from '../../lib/errors.ts'
import { readForm } from '../forms/element.ts'
import { entriesOf } from '../forms/entries.ts'
import { findLinked } from '../forms/load.ts'
import { freshField } from '../forms/render.ts'
import { respondWithPage } from '../html/error-page.ts'
import { pageContext, pageHeaders } from '../html/route.ts'
import { type Site, siteOf } from '../html/site.ts'
import { SUBMISSION_FORM, SUBMIT_PATH, TURNSTILE } from './form.ts'
import { newForm, type SubmitResponse, takeVisitorForm } from './new.ts'
import { ownPage, takeOwn } from './own.ts'
import { remarkForm, takeRemarkForm } from './remark.ts'

type Work = (site: Site, c: Context<AppEnv>, url: URL) => Promise<SubmitResponse>

/** The headers of all pages here, in addition to those that hide their secret addresses from other sites. */
const PRIVATE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' }

/** The content security policy, which allows Cloudflare Turnstile if there are keys. */
function policyOf(site: Site): Record<string, string> {
  const headers = pageHeaders(site)
  if (!site.context.settings.submissions.turnstile) return headers
  const { origin } = new URL(TURNSTILE)
  const policy = headers['Content-Security-Policy']?.replace(
    "script-src 'self'",
    `script-src 'self' ${origin}`,
  )
  return { ...headers, 'Content-Security-Policy': `${policy}; frame-src ${origin}` }
}

function handler(work: Work) {
  return async (c: Context<AppEnv>): Promise<Response> => {
    const site = siteOf(c.get('context'))
    const shown = await work(site, c, new URL(c.req.url))
    for (const [name, value] of Object.entries({ ...policyOf(site), ...PRIVATE })) c.header(name, value)
    if ('to' in shown) return c.redirect(shown.to, 303)
    if (shown.retryAfter !== undefined) c.header('Retry-After', String(shown.retryAfter))
    return c.html(shown.body, shown.status)
  }
}

/** The limits of the form: several times what visitors may write. */
const VISITOR_FORM = { typed: FOR_EVERYBODY.bytes, fields: FOR_EVERYBODY.parameters, fileBytes: 0 }

/** Reads a form, of which an anonymous visitor may send a few a minute. */
async function posted(c: Context<AppEnv>): Promise<FormData> {
  const { media, images, countWrites } = c.get('context')
  await countWrites?.(1)
  const takesImages = media !== undefined && images !== undefined
  return readForm(c.req.raw, { ...VISITOR_FORM, ...(takesImages && { fileBytes: MAX_FILE_BYTES }) })
}

/** The suggestions for a venue or organizer, from public ones, for scripts: `{id, name, detail}`. */
async function find(c: Context<AppEnv>): Promise<Response> {
  const { field = '', search = '' } = c.req.query()
  if (field !== 'venue' && field !== 'organizer')
    throw new ApiError('rest_no_route', 'There is no such page.')
  const context = c.get('context')
  return c.json(await context.db.get(findLinked(context, field, search)), 200, PRIVATE)
}

/** The most bytes of the inputs of a repetition: twice those of the longest series that visitors may submit. */
const MOST_TYPED = 20_000

/** The fields of a repetition, updated for the current input, for scripts. It reads and writes nothing. */
async function repetition(c: Context<AppEnv>): Promise<Response> {
  await countLooks(c)
  const site = siteOf(c.get('context'))
  const entries = entriesOf(await readForm(c.req.raw, { ...VISITOR_FORM, bytes: MOST_TYPED }))
  const { language } = site
  return c.html(freshField({ site, language }, SUBMISSION_FORM, 'recurrence', entries), 200, PRIVATE)
}

/**
 * Mounts the pages for submissions on an app, which are there while the calendar accepts any. They come before the middleware of the other routes:
 * pages that hide their address send forms with `Origin: null`, which the API refuses.
 */
export function mountSubmit(app: Hono<AppEnv>): void {
  const pages = newApp()
  pages.onError(respondWithPage)
  const asVisitor: MiddlewareHandler<AppEnv> = async (c, next) => {
    // Forms are read only once, so settings come before.
    await updateSettings(c)
    c.set('context', { ...c.get('context'), isVisitor: true })
    return next()
  }
  const context = [...pageContext, asVisitor]
  const headers = secureHeaders({ crossOriginResourcePolicy: 'same-origin', xFrameOptions: 'DENY' })
  for (const path of ['/submit', '/submit/*']) pages.use(path, headers, serverTiming)
  const on = (method: string, path: string, work: (c: Context<AppEnv>) => Promise<Response>) =>
    void pages.on(method, [path.replace(/\/$/, '')], ...context, (c, next) =>
      c.get('settings').submissions.isOn ? work(c) : next(),
    )
  const token = (c: Context<AppEnv>): string => c.req.param('token') ?? ''
  on('GET', SUBMIT_PATH, handler(newForm))
  on(
    'POST',
    SUBMIT_PATH,
    handler(async (site, c) => takeVisitorForm(site, await posted(c))),
  )
  const about = '/submit/about/:event{[0-9]{1,15}}/'
  const event = (c: Context<AppEnv>): number => Number(c.req.param('event'))
  on(
    'GET',
    about,
    handler((site, c) => remarkForm(site, event(c))),
  )
  on(
    'POST',
    about,
    handler(async (site, c) => takeRemarkForm(site, event(c), await posted(c))),
  )
  on('GET', '/submit/find/', find)
  on('POST', '/submit/repetition/', repetition)
  const own = '/submit/:token{[0-9a-f]{32}}/'
  on(
    'GET',
    own,
    handler((site, c, url) => ownPage(site, token(c), url)),
  )
  on(
    'POST',
    own,
    handler(async (site, c, url) => takeOwn(site, token(c), await posted(c), url)),
  )
  app.route('/', pages)
}
