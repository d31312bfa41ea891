import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { requestId } from 'hono/request-id'
import { secureHeaders } from 'hono/secure-headers'
import type { AppEnv } from './env.ts'
import { eventRoutes } from './events/routes.ts'
import { authenticate } from './http/auth.ts'
import { cacheControl, revalidate } from './http/caching.ts'
import { openDatabase } from './http/database.ts'
import { answerError, noRoute } from './http/errors.ts'
import type { Route } from './http/route.ts'
import { serverTiming } from './http/timing.ts'
import { viewUnder } from './http/view.ts'
import { organizerRoutes } from './organizers/routes.ts'
import type { Settings } from './settings.ts'
import { categoryRoutes, tagRoutes } from './terms/routes.ts'
import { venueRoutes } from './venues/routes.ts'

/** Every route of the API, in the order in which documents list them. */
export const ROUTES: readonly Route[] = [
  ...eventRoutes,
  ...venueRoutes,
  ...organizerRoutes,
  ...categoryRoutes,
  ...tagRoutes,
]

const EXPOSED = [
  'X-TEC-Total',
  'X-TEC-TotalPages',
  'X-WP-Total',
  'X-WP-TotalPages',
  'Link',
  'X-Request-Id',
  'ETag',
  'x-d1-bookmark',
]

/** The app: middleware in order, then every resource under every namespace. */
export function createApp(settings: Settings): Hono<AppEnv> {
  // Not strict: a trailing slash means the same address.
  const app = new Hono<AppEnv>({ strict: false })
  app.use(requestId())
  app.use(secureHeaders({ crossOriginResourcePolicy: 'cross-origin' }))
  app.use(cors({ origin: '*', exposeHeaders: EXPOSED }))
  app.use(serverTiming(settings), cacheControl(settings), openDatabase)
  app.onError(answerError)
  app.notFound(noRoute)
  for (const namespace of settings.namespaces) {
    const api = new Hono<AppEnv>({ strict: false })
    api.use(authenticate, viewUnder(namespace, settings), revalidate)
    for (const route of ROUTES) route.mount(api)
    app.route(`/${namespace}`, api)
  }
  return app
}
