import type { Hono } from 'hono'
import { type ApiRoutes, defineFeature, type Feature } from '../../feature.ts'
import { type BaseContext, type DocsContext, wordpressBase } from '../../kit/context.ts'
import type { DocumentedRoute } from '../../kit/docs/openapi.ts'
import { mountOptions } from '../../kit/docs/routes.ts'
import type { AppEnv } from '../../kit/env.ts'
import { authenticate } from '../../kit/http/auth.ts'
import { idempotent } from '../../kit/http/idempotency.ts'
import { limitWrites } from '../../kit/http/limits.ts'
import { newApp, requestContext } from '../../kit/http/request-context.ts'
import { NAMESPACE, type Settings } from '../../kit/settings.ts'
import type { HeadLink } from '../../site/html/slots.ts'
import { wordpressRoutes } from './routes.ts'
import { SUBJECT } from './shapes.ts'

/** The routes of WordPress with full paths, if they are enabled. */
function wordpressAt(
  { api, settings: { corePrefix } }: DocsContext,
  apiRoutes: ApiRoutes,
): DocumentedRoute[] {
  if (corePrefix === '') return []
  const servers = [{ url: new URL(api).origin }]
  return wordpressRoutes(apiRoutes).map(route => ({ ...route, path: `/${corePrefix}${route.path}`, servers }))
}

/**
 * Mounts the routes of WordPress on an app: its index, if there is anything below it, and others if they are
 * enabled. Their middleware must not run for namespaces below the same path.
 */
function mountWordpress(app: Hono<AppEnv>, settings: Settings, api: ApiRoutes): void {
  const { root, namespaces } = settings.wordpress
  if (namespaces.length === 0) return
  const wordpress = newApp()
  for (const path of ['/', '/wp/v2/*'])
    wordpress.use(path, authenticate, limitWrites, idempotent, requestContext(NAMESPACE))
  const routes = wordpressRoutes(api).filter(({ path }) => path === '' || settings.corePrefix !== '')
  mountOptions(wordpress, routes)
  for (const route of routes) route.mount(wordpress)
  app.route(`/${root}`, wordpress)
}

/** The link to the index, where clients of WordPress find the API. */
const rootLink = (context: BaseContext): HeadLink[] =>
  context.settings.wordpress.namespaces.length > 0
    ? [{ rel: 'https://api.w.org/', href: `${wordpressBase(context)}/`, isHeader: true }]
    : []

const DECLARED = { errors: { 400: { rest_post_invalid_page_number: 'The list has no such page.' } } } as const

/**
 * Routes of WordPress itself, in its shapes, for programs that use them beside the calendar, and its index of
 * all routes.
 */
export const wordpressFeature: Feature<typeof DECLARED> = defineFeature({
  name: 'wordpress',
  declares: DECLARED,
  subjects: {
    [SUBJECT]:
      'Routes of WordPress that clients of The Events Calendar use besides its own, in the format that they expect.',
  },
  mount: mountWordpress,
  documented: wordpressAt,
  headLinks: rootLink,
})
