import type { Context, Hono, MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import type { RequestContext } from '../../kit/context.ts'
import type { AppEnv } from '../../kit/env.ts'
import { FOR_EVERYBODY } from '../../kit/http/body.ts'
import { retryAfter } from '../../kit/http/error-replies.ts'
import { matchedPath, newApp, serverTiming } from '../../kit/http/request-context.ts'
import { updateSettings } from '../../kit/http/stored-settings.ts'
import { type ErrorCode, statusOf } from '../../kit/lib/error-codes.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { isObject } from '../../kit/lib/values.ts'
import { newTicket, readTicket, type Ticket } from '../../kit/work/day-keys.ts'
import { textsIn } from '../../words/words.ts'
import { pageHeaders, pageMiddleware } from '../html/define-page.ts'
import { respondWithPage } from '../html/error-page.ts'
import { type Html, html } from '../html/html.ts'
import { type PageContext, pageContextOf } from '../html/page-context.ts'
import { withTurnstile } from '../html/turnstile.ts'
import { type FormLimits, formText, readForm } from './field-html.ts'
import { errorsOf, type FormErrors } from './requests.ts'

// Pages with forms for visitors, who have no account. They are mounted before the middleware of the API.

/** The limits of visitors' forms: several times what visitors may write. */
const VISITOR_FORM = { typed: FOR_EVERYBODY.bytes, fields: FOR_EVERYBODY.parameters, fileBytes: 0 }

/** What a page answers: a document, a redirect, or a response for its script. */
export type VisitorResponse =
  | Response
  | { to: string }
  | {
      status: 200 | 404 | 409 | 410 | 412 | 422 | 429 | 503
      body: string
      /** Seconds to wait before the form is sent again. */
      retryAfter?: number | undefined
    }

type Show = (site: PageContext, c: Context<AppEnv>) => Promise<VisitorResponse>

/** A page with a form, which is not cached. */
export type VisitorPage = {
  /** A path in Hono's notation, with a slash at its end. */
  path: string
  /** False while the page does not exist. */
  isOn?: (context: RequestContext) => boolean
  /**
   * True if its form may use Cloudflare Turnstile. Personal pages must not, because their addresses are
   * secret.
   */
  mayUseTurnstile?: true
  /** Absent for a page that `definePage` shows. */
  show?: Show
  /** Handles the form after it was counted towards the limits. */
  take?: (site: PageContext, data: FormData, c: Context<AppEnv>) => Promise<VisitorResponse>
  /**
   * What counts the form before it is read; by default a write, of which an anonymous visitor may send a few
   * a minute.
   */
  count?: (c: Context<AppEnv>) => Promise<void> | undefined
  /** Limits that differ from those of other forms. */
  limits?: (context: RequestContext) => Partial<FormLimits>
  /** True if other sites may send a form, too. */
  isFromAnywhere?: (data: FormData) => boolean
  /**
   * What it does while its feature is off, or the calendar has no pages: people can still erase their data.
   */
  whileOff?: Pick<VisitorPage, 'show' | 'take'>
}

/** What pages do while their feature is off. */
export const pagesWhileOff = (pages: readonly VisitorPage[]): VisitorPage[] =>
  pages.flatMap(page => (page.whileOff ? { ...page, ...page.whileOff } : []))

const asVisitor: MiddlewareHandler<AppEnv> = async (c, next) => {
  // Forms are read only once, so settings come before.
  await updateSettings(c)
  c.set('context', { ...c.get('context'), isVisitor: true })
  return next()
}

/**
 * Refuses a form that another site sends: any page could have its visitors sign somebody up, each from a
 * network of its own. These pages hide their addresses, so browsers send their forms with `Origin: null`, and
 * `Sec-Fetch-Site` tells where they come from. Browsers without that header are from before 2023; programs
 * send neither.
 *
 * @throws ApiError `rest_forbidden`
 */
function assertFromHere({ req, get }: Context<AppEnv>): void {
  const origin = req.header('origin')
  const site = req.header('sec-fetch-site')
  if (origin !== undefined && get('settings').allowedOrigins.includes(origin)) return
  const isHere =
    site === undefined
      ? origin === undefined || origin === 'null' || origin === new URL(req.url).origin
      : site === 'same-origin' || site === 'none'
  if (!isHere)
    throw new ApiError(
      'rest_forbidden',
      'Pages of other sites may not send this form: ALLOWED_ORIGINS lists those that may.',
    )
}

const visitorContext: MiddlewareHandler<AppEnv>[] = [...pageMiddleware, asVisitor]

/** The headers of responses that are not cached. */
export const UNCACHED_HEADERS = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' }

const pageHandler = (work: Show, mayUseTurnstile: boolean) => async (c: Context<AppEnv>) => {
  const site = pageContextOf(c.get('context'))
  const page = await work(site, c)
  if (page instanceof Response) return page
  const headers = mayUseTurnstile ? withTurnstile(site, pageHeaders(site)) : pageHeaders(site)
  for (const [name, value] of Object.entries({ ...headers, ...UNCACHED_HEADERS })) c.header(name, value)
  if ('to' in page) return c.redirect(page.to, 303)
  if (page.retryAfter !== undefined) c.header('Retry-After', String(page.retryAfter))
  return c.html(page.body, page.status)
}

const countWrite = (c: Context<AppEnv>) => c.get('context').countWrites(1)

/** What a page does with a form. */
const formHandler =
  (take: NonNullable<VisitorPage['take']>, page: VisitorPage): Show =>
  async (site, c) => {
    const { count = countWrite, limits, isFromAnywhere } = page
    if (!isFromAnywhere) assertFromHere(c)
    await count(c)
    const data = await readForm(c.req.raw, { ...VISITOR_FORM, ...limits?.(site.context) })
    if (isFromAnywhere?.(data) === false) assertFromHere(c)
    return take(site, data, c)
  }

/** Mounts pages with forms at a path and below it. */
export function mountVisitorPages(
  app: Hono<AppEnv>,
  base: string,
  visitorPages: readonly VisitorPage[],
): void {
  if (visitorPages.length === 0) return
  const pagesApp = newApp()
  pagesApp.onError(respondWithPage)
  const headers = secureHeaders({ crossOriginResourcePolicy: 'same-origin', xFrameOptions: 'DENY' })
  for (const path of [base, `${base}/*`]) pagesApp.use(path, headers, serverTiming)
  for (const page of visitorPages) {
    const { path, isOn, show, take, mayUseTurnstile = false } = page
    const register = (method: 'GET' | 'POST', work: Show | undefined) => {
      if (!work) return
      const handle = pageHandler(work, mayUseTurnstile)
      pagesApp.on(method, [matchedPath(path)], ...visitorContext, (c, next) =>
        isOn?.(c.get('context')) === false ? next() : handle(c),
      )
    }
    register('GET', show)
    register('POST', take && formHandler(take, page))
  }
  app.route('/', pagesApp)
}

/** The input by which a form is recognised. */
export const TICKET_INPUT = 'ticket'

/**
 * An input that is valid for two days, and for forms of this calendar.
 * @param ticket the ticket of a form that is shown again
 */
export const ticketInput = async ({ context }: PageContext, ticket?: string): Promise<Html> =>
  html`<input type="hidden" name="${TICKET_INPUT}" value="${ticket ?? (await newTicket(context))}">`

/**
 * The ticket of a form; undefined if the form does not come from one of our pages, such as a request of a
 * program that scans e-mails.
 */
export const ticketOf = ({ context }: PageContext, data: FormData): Promise<Ticket | undefined> =>
  readTicket(context, formText(data, TICKET_INPUT))

/** Why a form is shown again. */
export type Refusal = {
  status: 409 | 422 | 429 | 503
  retryAfter?: number | undefined
  /** A message that concerns no particular field. */
  message?: string | undefined
  errors: FormErrors
}

/**
 * Why a form is shown again after an error.
 *
 * @param words the texts for errors of some codes, which concern no field; the text for an unavailable
 * service goes for all errors with 503
 */
export function refusalOf(
  { language }: PageContext,
  error: ApiError,
  words: { readonly [C in ErrorCode]?: string },
): Refusal {
  const { code, message, data } = error
  const texts = textsIn(language)
  const isRobot = isObject(data.params) && 'turnstile' in data.params
  const status = statusOf(code)
  const word = words[code] ?? (status === 503 ? words.rest_service_unavailable : undefined)
  const knownReason = isRobot ? texts.form.robot : word
  const errors =
    knownReason === undefined ? errorsOf(texts, { code, message, data }) : new Map([['', knownReason]])
  const general = errors.get('')
  errors.delete('')
  return status === 429 || status === 503
    ? { status, retryAfter: retryAfter(error), message: general, errors }
    : { status: 422, message: general, errors }
}

/** A message about a form as a whole, above its fields. */
export const alertOf = (message: string | undefined): Html | '' =>
  message
    ? html`<div class="notice notice-alert" role="alert" tabindex="-1" autofocus><p>${message}</p></div>`
    : ''

/** The token in the address of a page that only the owner of a link knows. */
export const tokenIn = (c: Context<AppEnv>): string => c.req.param('token') ?? ''
