import * as z from 'zod/mini'
import type { DocsContext } from '../../context.ts'
import { ok } from '../../http/reply.ts'
import { defineRoute, honoPath, type Route } from '../../http/route.ts'
import { indexRoute } from './index-route.ts'
import { memoised } from './memo.ts'
import { type DocumentedRoute, openApiDocument } from './openapi.ts'
import { pageForBrowsers, VARIANT } from './page.ts'

const documentSchema = z.lazy(() =>
  z
    .looseObject({
      openapi: z.literal('3.1.0'),
      info: z.looseObject({ title: z.string(), version: z.string() }),
      paths: z.record(z.string(), z.looseObject({})),
    })
    .register(z.globalRegistry, { id: 'Document', description: 'An OpenAPI 3.1 document.' }),
)

/** The routes of a document, which may depend on the settings. */
type DocumentedRoutes = (context: DocsContext) => readonly DocumentedRoute[]

/** The route that documents all routes: the document for programs, a page for browsers. */
function docRoute(routes: DocumentedRoutes): Route {
  const documentFor = memoised(
    // openApiDocument() makes what the schema says; its type is that of any JSON.
    context => openApiDocument(routes(context), context) as z.output<typeof documentSchema>,
  )
  const route = defineRoute({
    methods: ['GET'],
    path: '/doc',
    summary: 'Document this API',
    requires: 'read',
    responses: { 200: documentSchema },
    headers: { Vary: '`Accept`: browsers get a page.' },
    page: 'The document as an interactive page.',
    handle: context => ok(documentFor(context), VARIANT),
  })
  return {
    ...route,
    mount: app => {
      app.get(honoPath(route.path), pageForBrowsers)
      route.mount(app)
    },
  }
}

/**
 * The routes that describe all routes, themselves included.
 *
 * @param routes called with each request, because these routes are among them
 * @param others routes at other paths, which the document has as well
 */
export const docRoutes = (routes: () => readonly Route[], others: DocumentedRoutes): Route[] => [
  indexRoute(routes),
  docRoute(context => [...routes(), ...others(context)]),
]
