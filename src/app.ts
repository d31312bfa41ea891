import { Hono } from 'hono'
import { requestId } from 'hono/request-id'
import { secureHeaders } from 'hono/secure-headers'
import { changesRoutes } from './changes/routes.ts'
import { mountOptions } from './docs/options.ts'
import { docRoutes } from './docs/routes.ts'
import type { AppEnv } from './env.ts'
import { eventPage } from './events/listing/page.ts'
import { selectEventPage } from './events/queries.ts'
import { seriesRoutes } from './events/recurrence/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { feedRoutes } from './feeds/routes.ts'
import { authenticate } from './http/auth.ts'
import { cacheControl } from './http/caching.ts'
import { requestContext } from './http/context.ts'
import { cors } from './http/cors.ts'
import { openDatabase } from './http/database.ts'
import { noRoute, respondToError } from './http/errors.ts'
import { mountHealth } from './http/health.ts'
import { limitWrites } from './http/limits.ts'
import { pageOf } from './http/lists.ts'
import { logRequests } from './http/log.ts'
import type { Route } from './http/route.ts'
import { serverTiming } from './http/timing.ts'
import { organizerRoutes } from './organizers/routes.ts'
import type { Settings } from './settings.ts'
import { categoryRoutes, tagRoutes } from './terms/routes.ts'
import { venueRoutes } from './venues/routes.ts'

const RESOURCES: readonly Route[] = [
  ...feedRoutes,
  ...changesRoutes,
  ...eventRoutes,
  ...venueRoutes,
  ...organizerRoutes,
  ...seriesRoutes,
  ...categoryRoutes,
  ...tagRoutes,
]
const DOCS: readonly Route[] = docRoutes(() => ROUTES)

/** Every route of the API, in the order in which documents list them. */
export const ROUTES: readonly Route[] = [...DOCS, ...RESOURCES]

/** The app: middleware in order, then every resource under every namespace. */
export function createApp(settings: Settings): Hono<AppEnv> {
  // Not strict: a trailing slash means the same address.
  const app = new Hono<AppEnv>({ strict: false })
  app.use(requestId(), openDatabase, logRequests)
  app.use(secureHeaders({ crossOriginResourcePolicy: 'cross-origin' }))
  app.use(serverTiming(settings), cacheControl(settings), cors(settings.allowedOrigins))
  app.onError(respondToError)
  app.notFound(noRoute)
  mountHealth(app, settings, context =>
    selectEventPage(context, eventPage(context, { values: {}, page: pageOf({ per_page: 1 }, context) })),
  )
  for (const namespace of settings.namespaces) {
    const api = new Hono<AppEnv>({ strict: false })
    api.use(authenticate, limitWrites, requestContext(namespace, settings))
    for (const route of DOCS) route.mount(api)
    mountOptions(api, ROUTES)
    for (const route of RESOURCES) route.mount(api)
    app.route(`/${namespace}`, api)
  }
  return app
}
