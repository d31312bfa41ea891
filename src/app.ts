import type { Hono } from 'hono'
import { requestId } from 'hono/request-id'
import { secureHeaders } from 'hono/secure-headers'
import { readFresh } from './admin/fresh.ts'
import { mountAdmin } from './admin/mount.ts'
import { changesRoutes } from './changes/routes.ts'
import type { DocsContext } from './context.ts'
import { mountOptions } from './docs/options.ts'
import { docRoutes } from './docs/routes.ts'
import type { AppEnv } from './env.ts'
import { eventPage } from './events/listing/page.ts'
import { selectEventPage } from './events/queries.ts'
import { seriesRoutes } from './events/recurrence/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { feedRoutes } from './feeds/routes.ts'
import { authenticate } from './http/auth.ts'
import { batchRoute } from './http/batch.ts'
import { cacheControl } from './http/caching.ts'
import { requestContext } from './http/context.ts'
import { cors } from './http/cors.ts'
import { openDatabase } from './http/database.ts'
import { noRoute, respondToError } from './http/errors.ts'
import { mountHealth } from './http/health.ts'
import { onlyOnce } from './http/idempotency.ts'
import { limitWrites } from './http/limits.ts'
import { pageOf } from './http/lists.ts'
import { logRequests } from './http/log.ts'
import { purgeSoon } from './http/purge.ts'
import type { Route } from './http/route.ts'
import { newApp } from './http/routing.ts'
import { tellDates } from './http/series-dates.ts'
import { serverTiming } from './http/timing.ts'
import { mountMcp } from './mcp/mount.ts'
import { mountImages } from './media/files.ts'
import { mediaRoutes } from './media/routes.ts'
import { organizerRoutes } from './organizers/routes.ts'
import { NAMESPACE, type Settings } from './settings.ts'
import { mountSite, noPage } from './site/mount.ts'
import { sourceRoutes } from './sources/resource/routes.ts'
import { twinRoutes } from './sources/twins/routes.ts'
import { submissionRoutes } from './submissions/routes.ts'
import { mountSubmit } from './submit/mount.ts'
import { categoryRoutes, tagRoutes } from './terms/routes.ts'
import { venueRoutes } from './venues/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { tellSoon } from './webhooks/soon.ts'
import { wordpressRoutes } from './wordpress/routes.ts'

const RESOURCES: readonly Route[] = [
  ...feedRoutes,
  ...changesRoutes,
  ...eventRoutes,
  ...venueRoutes,
  ...organizerRoutes,
  ...seriesRoutes,
  ...categoryRoutes,
  ...tagRoutes,
  ...mediaRoutes,
  ...sourceRoutes,
  ...twinRoutes,
  ...webhookRoutes,
  ...submissionRoutes,
  batchRoute(() => RESOURCES),
]
const DOCS: readonly Route[] = docRoutes(() => ROUTES, wordpressAt)

/** Every route of the API, in the order in which documents list them. */
export const ROUTES: readonly Route[] = [...DOCS, ...RESOURCES]

/** The routes of WordPress at their whole paths, if there are any. */
function wordpressAt({ api, settings: { corePrefix } }: DocsContext) {
  if (corePrefix === '') return []
  const servers = [{ url: new URL(api).origin }]
  return wordpressRoutes.map(route => ({ ...route, path: `/${corePrefix}${route.path}`, servers }))
}

/** Puts the routes of WordPress on an app. Their middleware is not to run for namespaces below the same path. */
function mountWordpress(app: Hono<AppEnv>, settings: Settings): void {
  if (settings.corePrefix === '') return
  const wordpress = newApp()
  for (const path of ['/', '/wp/v2/*'])
    wordpress.use(path, authenticate, limitWrites, onlyOnce, requestContext(NAMESPACE, settings))
  mountOptions(wordpress, wordpressRoutes)
  for (const route of wordpressRoutes) route.mount(wordpress)
  app.route(`/${settings.corePrefix}`, wordpress)
}

/** The app: middleware in order, then every resource under every namespace. */
export function createApp(settings: Settings): Hono<AppEnv> {
  const app = newApp()
  app.use(requestId(), openDatabase, purgeSoon, tellSoon(settings), logRequests)
  if (settings.website.isOn) {
    mountAdmin(app, settings)
    mountSubmit(app, settings)
  }
  app.use(secureHeaders({ crossOriginResourcePolicy: 'cross-origin' }))
  app.use(serverTiming(settings), cacheControl(settings), cors(settings.allowedOrigins))
  app.onError(respondToError)
  app.notFound(settings.website.isOn ? noPage(settings) : noRoute)
  mountHealth(app, settings, context =>
    selectEventPage(context, eventPage(context, { values: {}, page: pageOf({ per_page: 1 }, context) })),
  )
  mountImages(app)
  for (const namespace of settings.namespaces) {
    const api = newApp()
    api.use(authenticate, limitWrites, onlyOnce, tellDates, requestContext(namespace, settings))
    for (const route of DOCS) route.mount(api)
    mountOptions(api, ROUTES)
    for (const route of RESOURCES) route.mount(api)
    app.route(`/${namespace}`, api)
  }
  mountWordpress(app, settings)
  mountMcp(app, settings)
  if (settings.website.isOn) {
    app.use(readFresh)
    mountSite(app, settings)
  }
  return app
}
