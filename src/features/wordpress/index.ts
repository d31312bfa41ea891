import { eq } from 'drizzle-orm'
import type { Hono } from 'hono'
import * as z from 'zod/mini'
import { displayName } from '../../calendar/users/records.ts'
import { type ApiRoutes, defineFeature, type Feature } from '../../feature.ts'
import { type BaseContext, type DocsContext, wordpressBase } from '../../kit/context.ts'
import { first } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { users } from '../../kit/db/tables.ts'
import { describeAll, memoizeForDay } from '../../kit/docs/index-route.ts'
import type { DocumentedRoute } from '../../kit/docs/openapi.ts'
import { mountOptions } from '../../kit/docs/routes.ts'
import type { AppEnv } from '../../kit/env.ts'
import { authenticate } from '../../kit/http/auth.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import { idempotent } from '../../kit/http/idempotency.ts'
import { limitWrites } from '../../kit/http/limits.ts'
import { documented, lazyObject } from '../../kit/http/params.ts'
import { linkHeader, ok } from '../../kit/http/reply.ts'
import { newApp, requestContext } from '../../kit/http/request-context.ts'
import type { Route } from '../../kit/http/route.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { memoizeByObject } from '../../kit/lib/memo.ts'
import { type Capability, may, ROLES } from '../../kit/lib/roles.ts'
import { HOUR_MS, toEpoch } from '../../kit/lib/time.ts'
import { offsetOf } from '../../kit/lib/zones.ts'
import { NAMESPACE, type Settings } from '../../kit/settings.ts'
import type { HeadLink } from '../../site/html/slots.ts'
import { wordpressEvents } from './events.ts'
import { wordpressMedia } from './media.ts'
import { wordpressRelated } from './related.ts'
import { linksSchema, WORDPRESS_SUBJECT } from './shapes.ts'
import { wordpressTerms } from './terms.ts'

const indexShape = lazyObject('WordPressIndex', () => ({
  name: z.string(),
  description: z.string(),
  url: z.string(),
  home: z.string(),
  gmt_offset: documented(z.number(), 'Hours that the site is ahead of UTC.'),
  timezone_string: z.string(),
  namespaces: z.array(z.string()),
  authentication: z.looseObject({}),
  routes: z.looseObject({}),
  _links: linksSchema,
}))

const WORDPRESS_V2 = 'wp/v2'

/** The namespaces below the path of the index, by the names that clients know. */
function namespacesOf({ namespaces, wordpressRoot, tec, corePrefix }: Settings): string[] {
  const namesBelow = [...namespaces.slice(1), tec.path]
    .filter(path => path.startsWith(`${wordpressRoot}/`))
    .map(path => path.slice(wordpressRoot.length + 1))
  return corePrefix === '' ? namesBelow : [...namesBelow, WORDPRESS_V2]
}

/** The route that describes the site and all routes below its path, which include the routes of the API. */
const indexRoute = ({ routes, otherNamespaces }: ApiRoutes) => {
  const routesIn = (namespace: string): readonly Route[] => {
    if (namespace === WORDPRESS_V2)
      return ownRoutes.map(route => ({ ...route, path: route.path.slice(WORDPRESS_V2.length + 1) }))
    return otherNamespaces[namespace] ?? routes
  }
  const describe = memoizeForDay(context => {
    const base = wordpressBase(context)
    return Object.fromEntries(
      namespacesOf(context.settings).flatMap(namespace =>
        describeAll(routesIn(namespace), { ...context, namespace, api: `${base}/${namespace}` }),
      ),
    )
  })
  return defineRead({
    path: '',
    subject: WORDPRESS_SUBJECT,
    summary: 'Describe the site as WordPress does',
    requires: 'read',
    responses: { 200: indexShape },
    headers: { Link: 'This address, `rel="https://api.w.org/"`, as on the pages.' },
    handle: context => {
      const { clock, site, settings } = context
      const index = {
        name: settings.siteName,
        description: settings.tagline,
        url: site,
        home: site,
        gmt_offset: offsetOf(settings.timezone)(toEpoch(clock.now())) / HOUR_MS,
        timezone_string: settings.timezone,
        namespaces: namespacesOf(settings),
        authentication: {},
        routes: describe(context),
        _links: { help: [{ href: `${context.api}/doc` }] },
      }
      return ok(index, linkHeader({ 'https://api.w.org/': `${wordpressBase(context)}/` }))
    },
  })
}

const userShape = lazyObject('WordPressUser', () => ({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  slug: z.string(),
  url: z.string(),
  description: z.string(),
  link: z.string(),
  roles: z.array(z.enum(ROLES)),
  capabilities: z.record(z.string(), z.boolean()),
  avatar_urls: z.looseObject({}),
  meta: z.array(z.unknown()),
  _links: linksSchema,
}))

/** WordPress's names for the capabilities of a role. */
const CAPABILITIES: readonly [name: string, capability: Capability][] = [
  ['read', 'read'],
  ['edit_posts', 'edit_content'],
  ['publish_posts', 'publish_content'],
  ['edit_others_posts', 'edit_others_content'],
  ['upload_files', 'upload_media'],
  ['manage_categories', 'manage_terms'],
]

const meRoute = defineRead({
  path: '/wp/v2/users/me',
  subject: WORDPRESS_SUBJECT,
  summary: 'Read the user behind the credentials',
  requires: 'read',
  responses: { 200: userShape },
  errors: ['rest_unauthenticated'],
  // This is not a query of `load`, because its responses are cached for all callers of the same kind.
  handle: async context => {
    const user = await context.db.read(
      first(
        build
          .select({ login: users.login, name: displayName })
          .from(users)
          .where(eq(users.id, context.caller.id)),
      ),
    )
    if (!user) throw new ApiError('rest_unauthenticated', 'This needs a login and an application password.')
    const { caller, site } = context
    const self = `${wordpressBase(context)}/wp/v2/users/${caller.id}`
    return ok({
      id: caller.id,
      username: user.login,
      name: user.name,
      slug: user.login.toLowerCase(),
      url: '',
      description: '',
      link: `${site}/`,
      roles: ROLES.filter(role => role === caller.role),
      capabilities: Object.fromEntries(CAPABILITIES.map(([name, needed]) => [name, may(caller, needed)])),
      avatar_urls: {},
      meta: [],
      _links: { self: [{ href: self }] },
    })
  },
})

/** The routes at the paths of WordPress. */
const ownRoutes: readonly Route[] = [
  meRoute,
  ...wordpressEvents,
  ...wordpressRelated,
  ...wordpressMedia,
  ...wordpressTerms,
]

/**
 * The routes of WordPress that clients of The Events Calendar use besides its API, below the path
 * `CORE_PREFIX`: they upload an image, ask for their user or look up tags before they write an event, and
 * complete the event afterwards. Our own routes for the same work define rights, limits and the audit.
 */
export const wordpressRoutes = memoizeByObject((api: ApiRoutes): Route[] => [indexRoute(api), ...ownRoutes])

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
  if (namespacesOf(settings).length === 0) return
  const wordpress = newApp()
  for (const path of ['/', '/wp/v2/*'])
    wordpress.use(path, authenticate, limitWrites, idempotent, requestContext(NAMESPACE))
  const routes = wordpressRoutes(api).filter(({ path }) => path === '' || settings.corePrefix !== '')
  mountOptions(wordpress, routes)
  for (const route of routes) route.mount(wordpress)
  app.route(`/${settings.wordpressRoot}`, wordpress)
}

/** The link to the index, where clients of WordPress find the API. */
const rootLink = (context: BaseContext): HeadLink[] =>
  namespacesOf(context.settings).length > 0
    ? [{ rel: 'https://api.w.org/', href: `${wordpressBase(context)}/`, isHeader: true }]
    : []

const DECLARED = { errors: { 400: { rest_post_invalid_page_number: 'The list has no such page.' } } } as const

/**
 * Routes of WordPress itself, in the format of WordPress, for programs that use them along with the calendar,
 * and the index of all routes.
 */
export const wordpressFeature: Feature<typeof DECLARED> = defineFeature({
  name: 'wordpress',
  declares: DECLARED,
  docTags: {
    [WORDPRESS_SUBJECT]:
      'Routes of WordPress that clients of The Events Calendar use besides its own, in the format that they expect.',
  },
  mount: mountWordpress,
  documented: wordpressAt,
  headLinks: rootLink,
})
