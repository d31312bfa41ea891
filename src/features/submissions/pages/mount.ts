import type { Context, Hono } from 'hono'
import type { AppEnv } from '../../../env.ts'
import { MAX_FILE_BYTES } from '../../../http/form-data.ts'
import { countLooks } from '../../../http/limits.ts'
import { ApiError } from '../../../lib/errors.ts'
import { readForm } from '../../../web/forms/element.ts'
import { entriesOf } from '../../../web/forms/entries.ts'
import { findLinked } from '../../../web/forms/load.ts'
import { freshRepetition } from '../../../web/forms/render.ts'
import { pageHeaders } from '../../../web/html/route.ts'
import { type Site, siteOf } from '../../../web/html/site.ts'
import { withTurnstile } from '../../../web/html/turnstile.ts'
import {
  assertFromHere,
  VISITOR_FORM,
  visitorContext,
  visitorPages,
} from '../../../web/html/visitor-pages.ts'
import { SUBMISSION_FORM, SUBMIT_PATH, takesImages } from './form.ts'
import { newForm, type SubmitResponse, takeVisitorForm } from './new.ts'
import { ownPage, takeOwn } from './own.ts'
import { remarkForm, takeRemarkForm } from './remark.ts'

type Work = (site: Site, c: Context<AppEnv>) => Promise<SubmitResponse>

/** A page with a form: what it shows, and what it does with the form. */
type FormPage = {
  show: Work
  take: (site: Site, data: FormData, c: Context<AppEnv>) => Promise<SubmitResponse>
}

const eventIn = (c: Context<AppEnv>): number => Number(c.req.param('event'))
const tokenIn = (c: Context<AppEnv>): string => c.req.param('token') ?? ''
const addressOf = (c: Context<AppEnv>): URL => new URL(c.req.url)

const PAGES: Readonly<Record<string, FormPage>> = {
  [SUBMIT_PATH]: { show: newForm, take: takeVisitorForm },
  '/submit/about/:event{[0-9]{1,15}}/': {
    show: (site, c) => remarkForm(site, eventIn(c)),
    take: (site, data, c) => takeRemarkForm(site, eventIn(c), data),
  },
  '/submit/:token{[0-9a-f]{32}}/': {
    show: (site, c) => ownPage(site, tokenIn(c), addressOf(c)),
    take: (site, data, c) => takeOwn(site, tokenIn(c), data, addressOf(c)),
  },
}

/** The headers of all pages here, in addition to those that hide their secret addresses from other sites. */
const PRIVATE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' }

const handler =
  (work: Work) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    const site = siteOf(c.get('context'))
    const shown = await work(site, c)
    for (const [name, value] of Object.entries({ ...withTurnstile(site, pageHeaders(site)), ...PRIVATE }))
      c.header(name, value)
    if ('to' in shown) return c.redirect(shown.to, 303)
    if (shown.retryAfter !== undefined) c.header('Retry-After', String(shown.retryAfter))
    return c.html(shown.body, shown.status)
  }

/** Reads a form. An anonymous visitor may send a few a minute. */
async function posted(c: Context<AppEnv>): Promise<FormData> {
  const context = c.get('context')
  await context.countWrites?.(1)
  return readForm(c.req.raw, { ...VISITOR_FORM, ...(takesImages(context) && { fileBytes: MAX_FILE_BYTES }) })
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
  return c.html(freshRepetition({ site, language }, SUBMISSION_FORM, entries), 200, PRIVATE)
}

/** Mounts the pages for submissions on an app, which are there while the calendar accepts any. */
export function mountSubmit(app: Hono<AppEnv>): void {
  const pages = visitorPages('/submit')
  const on = (method: 'GET' | 'POST', path: string, work: (c: Context<AppEnv>) => Promise<Response>) =>
    void pages.on(method, [path.replace(/\/$/, '')], ...visitorContext, (c, next) => {
      if (!c.get('settings').submissions.isOn) return next()
      if (method === 'POST') assertFromHere(c)
      return work(c)
    })
  for (const [path, { show, take }] of Object.entries(PAGES)) {
    on('GET', path, handler(show))
    on(
      'POST',
      path,
      handler(async (site, c) => take(site, await posted(c), c)),
    )
  }
  on('GET', '/submit/find/', find)
  on('POST', '/submit/repetition/', repetition)
  app.route('/', pages)
}
