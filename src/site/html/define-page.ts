import type { Context, Hono, MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Query } from '../../kit/db/query.ts'
import type { AppEnv } from '../../kit/env.ts'
import { asAnonymous } from '../../kit/http/auth.ts'
import { cachedRead } from '../../kit/http/caching.ts'
import { parseRequest } from '../../kit/http/input.ts'
import { addressTooLong, apiHeaders, fitsHeader, type Reply } from '../../kit/http/reply.ts'
import { matchedPath, requestContext } from '../../kit/http/request-context.ts'
import type { FieldsSchema } from '../../kit/http/route.ts'
import { withSettings } from '../../kit/http/stored-settings.ts'
import { NAMESPACE } from '../../kit/settings.ts'
import { cleanedAddress, currentAddress, isSamePath } from './addresses.ts'
import { browserLanguageOf, type PageContext, pageContextOf } from './page-context.ts'
import { headerLinks } from './slots.ts'
import { withTurnstile } from './turnstile.ts'

/**
 * The content security policy of pages: everything from here, nothing inline, and media of descriptions from
 * anywhere.
 */
function policy({ settings }: PageContext, isFramed: boolean): string {
  const styles = URL.canParse(settings.stylesheet) ? ` ${new URL(settings.stylesheet).origin}` : ''
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styles}`,
    ...(styles && [`font-src 'self'${styles}`]),
    "img-src 'self' https: http: data:",
    "media-src 'self' https: http:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${isFramed ? '*' : "'none'"}`,
  ].join('; ')
}

/** The end of the plugin's namespace, after any prefix. */
const PLUGIN_NAMESPACE = /(?:^|\/)tribe\/events\/v1$/

/**
 * The address of the API under the plugin's namespace; undefined without such an alias. Programs recognise
 * pages of The Events Calendar by a link to this address and by a class of the body.
 */
export function pluginRoot({ context }: PageContext): string | undefined {
  const alias = context.settings.namespaces.find(namespace => PLUGIN_NAMESPACE.test(namespace))
  return alias && `${context.site}/${alias}`
}

/**
 * The headers of all pages. Clients find the API through the last ones, as on sites with The Events Calendar.
 */
export const pageHeaders = (site: PageContext, isFramed = false): Record<string, string> => ({
  'Content-Security-Policy': policy(site, isFramed),
  'Content-Language': site.language,
  ...apiHeaders(site.context),
  ...headerLinks(site.context),
})

/** The decoded parts of an address and its checked parameters. */
type PageInput<Q> = { params: Readonly<Record<string, string>>; query: Partial<Q>; url: URL }

/**
 * A document as text. `type` is its media type, by default HTML; `subject` is the address in the API of the
 * resource that it shows.
 */
export type PageDocument = { body: string; type?: string; subject?: string }

const API_ROOT = 'X-TEC-API-ROOT'

type PageDeclaration<Q, L> = {
  /** A path in Hono's notation, with a trailing slash if the page's address has one. */
  path: string
  query?: FieldsSchema<Q>
  /** True if other sites may show the page in a frame: it has no buttons, and is the same for everybody. */
  isFramed?: true
  /** True if it has a form for visitors, which may use Cloudflare Turnstile. */
  mayUseTurnstile?: true
  /** The query for everything on the page, run in one round trip. */
  load: (site: PageContext, input: PageInput<Q>) => Query<L>
  /**
   * Makes the page.
   * @throws ApiError for a page that does not exist, `redirect` for a page at another address
   */
  respond: (site: PageContext, input: PageInput<Q> & { loaded: L }) => PageDocument | Promise<PageDocument>
}

export type MountPage = (app: Hono<AppEnv>) => void

/** The plugin sends this header on the pages of events, categories and tags. */
const subjectHeader = (subject: string | undefined): Record<string, string> =>
  subject === undefined ? {} : { [API_ROOT]: subject }

/**
 * A redirect to be thrown, or an error of 400 if the address is too long for a header.
 *
 * @param address a path, or a whole address
 * @param subject the address in the API of the resource that the page there shows
 */
export const redirect = (address: string, status: 301 | 302 = 301, subject?: string): Error =>
  fitsHeader(address)
    ? new HTTPException(status, {
        res: new Response(null, { status, headers: { Location: address, ...subjectHeader(subject) } }),
      })
    : addressTooLong()

/**
 * Redirects to the canonical path from a variant, such as one in upper case, unless the address is too long
 * for a header.
 *
 * @param subject the address in the API of the resource that the page shows
 * @throws HTTPException
 */
export function assertOwnPath(path: string, { pathname, search }: URL, subject?: string): void {
  if (!isSamePath(path, pathname) && fitsHeader(path + search)) throw redirect(path + search, 301, subject)
}

const markPage = createMiddleware<AppEnv>((c, next) => {
  c.set('isPage', true)
  return next()
})

/** Pages show public content only, so they can be cached. */
export const pageMiddleware: MiddlewareHandler<AppEnv>[] = [asAnonymous, markPage, requestContext(NAMESPACE)]

/**
 * Redirects to the canonical form of an address: with a trailing slash, without empty parameters, and with
 * our parameters in place of those of The Events Calendar.
 *
 * @throws HTTPException
 */
function assertCanonical(url: URL, path: string, parameters: object): void {
  const cleanUrl = cleanedAddress(url)
  // An address that is too long for a header is served without a redirect.
  if (!fitsHeader(url.pathname + url.search)) return
  const current = currentAddress(url, name => name in parameters)
  if (current !== undefined) throw redirect(current)
  if (!path.endsWith('/') || url.pathname.endsWith('/')) {
    if (cleanUrl !== undefined) throw redirect(cleanUrl, 302)
    return
  }
  url.pathname += '/'
  throw redirect(cleanedAddress(url) ?? url.pathname + url.search)
}

/**
 * Declares a page: its query, and the function that shows the result. It is cached like the API's responses.
 * As long as nothing public was saved and no language was chosen, the page is in the visitor's language: the
 * visitor is probably setting up the calendar.
 */
export function definePage<L, Q = Record<never, never>>(declaration: PageDeclaration<Q, L>): MountPage {
  const { path, query, isFramed, mayUseTurnstile, load, respond } = declaration

  async function handle(c: Context<AppEnv>): Promise<Response> {
    const url = new URL(c.req.url)
    assertCanonical(url, path, query?.shape ?? {})
    const { input, errors, address } = await parseRequest<Q, unknown>(c, { query })
    errors.throwIfAny()
    const context = c.get('context')
    const site = pageContextOf(context)
    const { isLanguageChosen, stored } = context.settings
    const isNotSetUp = !isLanguageChosen && stored === ''
    const language = isNotSetUp ? browserLanguageOf(c, site.language) : site.language
    const page: PageInput<Q> = { params: c.req.param(), query: input.query, url }
    c.set('isFramed', isFramed ?? false)
    const headers = pageHeaders(site, isFramed)
    for (const [name, value] of Object.entries(mayUseTurnstile ? withTurnstile(site, headers) : headers))
      c.header(name, value)
    const send = ({ body, status, headers = {} }: Reply, bytes?: Uint8Array<ArrayBuffer>): Response => {
      for (const [name, value] of Object.entries(headers)) c.header(name, value)
      // Pages have the status 200; everything else is an error.
      return c.body(bytes ?? String(body), status as ContentfulStatusCode)
    }
    const response = await cachedRead(
      c,
      {
        requestKey: language === site.language ? address : `${address} ${language}`,
        declaredHeaders: [API_ROOT],
        content: String,
      },
      async get => {
        const loaded = await get(load(site, page))
        const shownSite = c.get('isNew') ? pageContextOf(context, { language }) : site
        const {
          body,
          type = 'text/html; charset=utf-8',
          subject,
        } = await respond(shownSite, { ...page, loaded })
        return { status: 200, body, headers: { 'Content-Type': type, ...subjectHeader(subject) } }
      },
      send,
    )
    // A 304 doesn't know the subject, and would replace the header in the client's copy.
    if (response.status === 304) response.headers.delete(API_ROOT)
    if (isNotSetUp && c.get('isNew')) {
      response.headers.set('Content-Language', language)
      // Shared caches don't tell languages apart.
      response.headers.set('Cache-Control', 'private, no-cache')
      response.headers.append('Vary', 'Accept-Language')
    }
    return response
  }

  return app =>
    void app.on('GET', [matchedPath(path)], ...pageMiddleware, c => withSettings(c, () => handle(c)))
}
