import type { Hono, MiddlewareHandler } from 'hono'
import * as z from 'zod/mini'
import type { DocsContext, RequestContext } from '../context.ts'
import type { AppEnv } from '../env.ts'
import { DOCUMENT_PATH } from '../http/aliases.ts'
import { defineRead, prefers } from '../http/define-read.ts'
import { allowHeader } from '../http/error-replies.ts'
import type { ReadInput } from '../http/input.ts'
import { documented } from '../http/params.ts'
import { JsonText, ok } from '../http/reply.ts'
import { honoPath, type Route } from '../http/route.ts'
import { escapeXml } from '../lib/xml.ts'
import { describePath, indexRoute, memoizeForDay, pathsOf } from './index-route.ts'
import { type DocumentedRoute, openApiDocument } from './openapi.ts'
import { filledTemplate, storedTemplate } from './template.ts'

/** Mounts OPTIONS on every path. It lists the methods of the path and describes them as the index does. */
export function mountOptions(app: Hono<AppEnv>, routes: readonly Route[]): void {
  for (const path of pathsOf(routes)) {
    const describe = memoizeForDay(context => describePath(path, routes, context))
    app.options(honoPath(path), c => {
      const description = describe(c.get('context'))
      return c.json(description, 200, { Allow: allowHeader(description.methods) })
    })
  }
}

/** The schema of documents for a version of OpenAPI. @param id the schema's own name in documents */
export const documentSchema = <const V extends string>(openapi: V, id: string) =>
  z.lazy(() =>
    documented(
      z.looseObject({
        openapi: z.literal(openapi),
        info: z.looseObject({ title: z.string(), version: z.string() }),
        paths: z.record(z.string(), z.looseObject({})),
      }),
      { id, description: `An OpenAPI ${openapi.slice(0, 3)} document.` },
    ),
  )

const ownSchema = documentSchema('3.1.0', 'Document')

type Document = z.output<typeof ownSchema>

/** The routes of a document, which may depend on the settings. */
type DocumentedRoutes = (context: DocsContext) => readonly DocumentedRoute[]

/** The route that documents all routes: the document for programs, a page for browsers. */
function docRoute(routes: DocumentedRoutes): Route {
  const documentFor = memoizeForDay((context): Document => openApiDocument(routes(context), context))
  const textFor = memoizeForDay((context, template: string | undefined) => {
    const text = template && filledTemplate(template, routes(context), context)
    return text ? new JsonText(text) : undefined
  })
  /**
   * The document from the build, or made now where there is none, or where the client wants some of its
   * fields.
   */
  async function document(context: RequestContext, { fields }: Pick<ReadInput<unknown>, 'fields'>) {
    if (fields) return documentFor(context)
    // The filled template is the same document, as text.
    return (textFor(context, await storedTemplate(context)) ?? documentFor(context)) as Document
  }
  const declared = {
    path: '/doc',
    summary: 'Document this API',
    requires: 'read',
    isFixed: true,
    responses: { 200: ownSchema },
  } as const
  const route = defineRead({
    ...declared,
    headers: { Vary: '`Accept`: browsers get a page.' },
    page: 'The document as an interactive page.',
    handle: async (context, input) => ok(await document(context, input), VARIANT),
  })
  // Everybody gets the same document, so shared caches may keep it.
  const fileRoute = defineRead({
    ...declared,
    handle: async (context, input) => ok(await document(context, input)),
  })
  return {
    ...route,
    mount: app => {
      app.get(honoPath(route.path), pageForBrowsers)
      app.get(DOCUMENT_PATH, fileRoute.respond)
      route.mount(app)
    },
  }
}

/**
 * The routes that describe all routes, including themselves.
 *
 * @param routes called on each request, because these routes are among them
 * @param furtherRoutes routes at other paths, which the document lists as well
 * @param features the names of the features that are switched on
 */
export const docRoutes = (
  routes: () => readonly Route[],
  furtherRoutes: DocumentedRoutes,
  features: readonly string[],
): Route[] => [indexRoute(routes, features), docRoute(context => [...routes(), ...furtherRoutes(context)])]

/** The path of the page's scripts and styles, written by `src/commands/assets.ts`. */
const ASSETS_PATH = '/_docs'

/** The content security policy: everything from this origin, no inline scripts and no eval. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The headers of an address with two representations. Shared caches would store only one of them. */
const VARIANT = { Vary: 'Accept', 'Cache-Control': 'private, max-age=300' }

/** The page, which requests the document from its own address. */
const html = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${ASSETS_PATH}/swagger-ui.css">
<link rel="stylesheet" href="${ASSETS_PATH}/page.css">
<script src="${ASSETS_PATH}/swagger-ui-bundle.js" defer></script>
<script type="module" src="${ASSETS_PATH}/page.js"></script>
</head>
<body>
<noscript>This page needs JavaScript. The document itself is JSON, at this address with <code>Accept: application/json</code>.</noscript>
<main id="document"></main>
</body>
</html>
`

/** Sends browsers a page that shows the document; other clients get the document itself. */
const pageForBrowsers: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!prefers(c, 'text/html')) return next()
  return c.html(html(`${c.get('context').settings.siteName}: calendar API`), 200, {
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
    ...VARIANT,
  })
}
