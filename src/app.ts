import type { Hono } from 'hono'
import { requestId } from 'hono/request-id'
import { secureHeaders } from 'hono/secure-headers'
import { changesRoutes } from './calendar/changes/routes.ts'
import { batchRoute } from './calendar/content/batch.ts'
import { datesHeader } from './calendar/content/series-dates.ts'
import { duplicateRoutes } from './calendar/duplicates/routes.ts'
import { calendarRoutes } from './calendar/events/ical/routes.ts'
import { eventPage } from './calendar/events/listing/page.ts'
import { selectEventPage } from './calendar/events/queries.ts'
import { eventRoutes } from './calendar/events/routes.ts'
import { seriesRoutes } from './calendar/events/series-route.ts'
import { mountImages } from './calendar/media/files.ts'
import { mediaRoutes } from './calendar/media/routes.ts'
import { organizerRoutes } from './calendar/organizers/resource.ts'
import { settingsRoutes } from './calendar/settings/routes.ts'
import { categoryRoutes, tagRoutes } from './calendar/terms/routes.ts'
import { venueRoutes } from './calendar/venues/resource.ts'
import { mountEditor } from './editor/mount.ts'
import { readFresh } from './editor/visit.ts'
import { type ApiRoutes, type Feature, switchedOn } from './feature.ts'
import { FEATURES } from './features.ts'
import type { Dispatch } from './kit/context.ts'
import { openApiDocument } from './kit/docs/openapi.ts'
import { docRoutes, mountOptions } from './kit/docs/routes.ts'
import { documentTemplate } from './kit/docs/template.ts'
import type { AppEnv } from './kit/env.ts'
import { namespaceOf, resolveAliases, routedPath } from './kit/http/aliases.ts'
import { authenticate } from './kit/http/auth.ts'
import { cors } from './kit/http/cors.ts'
import { dispatchTo } from './kit/http/dispatch.ts'
import { missingRoute, noRoute, respondToError } from './kit/http/error-replies.ts'
import { mountHealth } from './kit/http/health.ts'
import { idempotent } from './kit/http/idempotency.ts'
import { limitWrites } from './kit/http/limits.ts'
import { sliceOf } from './kit/http/lists.ts'
import { logRequests } from './kit/http/log.ts'
import { newApp, openDatabase, serverTiming, setRequestContext } from './kit/http/request-context.ts'
import type { Route } from './kit/http/route.ts'
import { cacheControl, purgeSoon } from './kit/http/shared-caches.ts'
import { knownSettings } from './kit/http/stored-settings.ts'
import { Clock } from './kit/lib/clock.ts'
import { memoize } from './kit/lib/memo.ts'
import type { Json } from './kit/lib/values.ts'
import { mergedFields } from './kit/lib/values.ts'
import { NAMESPACE, type Settings, settingsOf } from './kit/settings.ts'
import { mountVisitorPages, pagesWhileOff } from './site/forms/visitor-pages.ts'
import { frontPage } from './site/pages/list.ts'
import { mountSite, noPage } from './site/pages/mount.ts'

/** The routes of the API with some of the features, and the dispatch of writes to them. */
const apiWith = memoize(routesWith, { by: features => features.map(({ name }) => name) })

function routesWith(features: readonly Feature[]) {
  const resources: readonly Route[] = [
    ...changesRoutes,
    // The routes of calendars come before the routes of events, whose slugs may end in .ics as well.
    ...calendarRoutes,
    ...eventRoutes,
    ...venueRoutes,
    ...organizerRoutes,
    ...seriesRoutes,
    ...categoryRoutes,
    ...tagRoutes,
    ...mediaRoutes,
    ...duplicateRoutes,
    ...features.flatMap(({ routes = [] }) => routes),
    ...settingsRoutes,
    batchRoute,
  ]
  const docs: readonly Route[] = docRoutes(
    () => api.routes,
    context => features.flatMap(({ documented }) => documented?.(context, api) ?? []),
    features.map(({ name }) => name),
  )
  const api: ApiRoutes = {
    routes: [...docs, ...resources],
    otherNamespaces: mergedFields(features.map(({ namespaces }) => namespaces)),
  }
  // A batch dispatches the requests in it. It must not contain another batch.
  const dispatch = dispatchTo(() => resources.filter(route => route !== batchRoute))
  return { apiRoutes: api, docs, resources, dispatch }
}

/** All routes of the API, in the order of the documentation. */
export const ROUTES: readonly Route[] = apiWith(FEATURES).apiRoutes.routes

/** The template of the API's document with all features, for the build. */
export const templateOfApi = (): string => documentTemplate(ROUTES, settingsOf({}))

/** The document of a service with default settings at an address, for the types of clients. */
export const documentAt = (site: string): Json =>
  openApiDocument(ROUTES, {
    api: `${site}/${NAMESPACE}`,
    clock: new Clock(Date.now()),
    settings: settingsOf({}),
  })

/**
 * The dispatch of writes that come without a request, such as e-mails, with the features that are switched
 * on.
 */
export const dispatchWith = (settings: Settings): Dispatch => apiWith(switchedOn(FEATURES, settings)).dispatch

/** The app: middleware in order, then every resource under the namespace, which aliases lead to. */
export function createApp(settings: Settings): Hono<AppEnv> {
  const features = switchedOn(FEATURES, settings)
  const { apiRoutes, docs, resources, dispatch } = apiWith(features)
  const app = newApp(routedPath(settings))
  app.use(
    requestId(),
    resolveAliases(settings, (request, env, context) => app.fetch(request, env, context)),
  )
  app.use((c, next) => {
    c.set('dispatch', dispatch)
    c.set('settings', knownSettings(settings))
    return next()
  })
  app.use(openDatabase, purgeSoon)
  for (const { middleware } of features) if (middleware) app.use(middleware)
  app.use(logRequests)
  if (settings.website.isOn)
    mountEditor(app, { features: features.flatMap(({ area }) => area ?? []), frontPage })
  // Pages that hide their addresses send forms with `Origin: null`, which the API refuses.
  for (const feature of FEATURES) {
    const isOn = settings.website.isOn && features.includes(feature)
    for (const [base, pages] of Object.entries(feature.forms ?? {}))
      mountVisitorPages(app, base, isOn ? pages : pagesWhileOff(pages))
  }
  app.use(async (c, next) => {
    await next()
    // This header would contradict the policy of framed pages in older browsers, which don't know
    // `frame-ancestors`.
    if (c.get('isFramed')) c.res.headers.delete('X-Frame-Options')
  })
  app.use(secureHeaders({ crossOriginResourcePolicy: 'cross-origin' }))
  app.use(serverTiming, cacheControl(settings), cors(settings.allowedOrigins))
  app.onError(respondToError)
  app.notFound(settings.website.isOn ? noPage(settings) : noRoute)
  mountHealth(app, context =>
    selectEventPage(context, eventPage(context, { values: {}, page: sliceOf({ per_page: 1 }, context) })),
  )
  mountImages(app)
  const api = newApp()
  api.use(authenticate, limitWrites, idempotent, datesHeader, (c, next) => {
    setRequestContext(c, namespaceOf(settings, new URL(c.req.url).pathname))
    return next()
  })
  for (const route of docs) route.mount(api)
  mountOptions(api, apiRoutes.routes)
  for (const route of resources) route.mount(api)
  for (const { erasing = [] } of FEATURES.filter(feature => !features.includes(feature)))
    for (const route of erasing) route.mount(api)
  api.all('*', c => {
    throw missingRoute(c.req.path.slice(NAMESPACE.length + 1), apiRoutes.routes)
  })
  app.route(`/${NAMESPACE}`, api)
  for (const { mount } of features) mount?.(app, settings, apiRoutes)
  if (settings.website.isOn) {
    app.use(readFresh)
    mountSite(
      app,
      features.flatMap(({ pages = [] }) => pages),
    )
  }
  return app
}
