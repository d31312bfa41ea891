import type { Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { datesHeader } from '../../calendar/content/series-dates.ts'
import { defineFeature, type Feature } from '../../feature.ts'
import { indexRoute, memoizeForDay } from '../../kit/docs/index-route.ts'
import { mountOptions } from '../../kit/docs/routes.ts'
import type { AppEnv } from '../../kit/env.ts'
import { assertMay, authenticate, confirmCaller } from '../../kit/http/auth.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import { missingRoute, respondToError } from '../../kit/http/error-replies.ts'
import { idempotent } from '../../kit/http/idempotency.ts'
import { limitWrites } from '../../kit/http/limits.ts'
import { ok } from '../../kit/http/reply.ts'
import { newApp, requestContext } from '../../kit/http/request-context.ts'
import { checkFields, honoPath, type Route } from '../../kit/http/route.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { may } from '../../kit/lib/roles.ts'
import { type Settings, TEC_V1 } from '../../kit/settings.ts'
import { EVENT_ROUTES } from './events.ts'
import { documentResponse, openApi30Document } from './openapi30.ts'
import { RELATED_ROUTES } from './related.ts'

/**
 * The route that documents the given routes.
 *
 * @param routes called on each request, because this route may be one of them
 */
function documentRoute(routes: () => readonly Route[]): Route {
  const documentFor = memoizeForDay(context => openApi30Document(routes(), context))
  return defineRead({
    path: '/docs',
    subject: 'index',
    summary: 'Document this API',
    requires: 'read',
    isFixed: true,
    responses: { 200: documentResponse },
    handle: context => ok(documentFor(context)),
  })
}

const ENTITY_ROUTES: readonly Route[] = [...EVENT_ROUTES, ...RELATED_ROUTES].map(route => ({
  ...route,
  errors: [...(route.errors ?? []), 'missing_experimental_endpoint_acknowledgement'],
}))

const DOCUMENT_ROUTE: Route = documentRoute(() => [...ENTITY_ROUTES, DOCUMENT_ROUTE])

const INDEX_AND_DOCUMENT: readonly Route[] = [indexRoute(() => TEC_ROUTES), DOCUMENT_ROUTE]

/** All routes of `tec/v1`, without its prefix. */
export const TEC_ROUTES: readonly Route[] = [...INDEX_AND_DOCUMENT, ...ENTITY_ROUTES]

const ACKNOWLEDGEMENT_HEADER = 'X-TEC-EEA'

/** The sentence that clients of the plugin send to accept that its API is experimental. */
const ACKNOWLEDGEMENT =
  'i understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility. i also understand that i am using this endpoint at my own risk, while support is not provided for it.'

const acknowledges = (c: Context<AppEnv>): boolean =>
  !c.get('settings').tec.asksAcknowledgement ||
  c.req.header(ACKNOWLEDGEMENT_HEADER)?.trim().toLowerCase() === ACKNOWLEDGEMENT

/** Responds to a request after checks in the order of the plugin: fields, role, acknowledgement. */
const respondInOrder =
  (route: Route) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    const isRefused = () => !may(c.get('context').caller, route.requires)
    if (isRefused()) await confirmCaller(c)
    if (isRefused() || !acknowledges(c)) {
      await checkFields(c, route)
      assertMay(c.get('context').caller, route.requires)
      throw new ApiError(
        'missing_experimental_endpoint_acknowledgement',
        `This needs the header ${ACKNOWLEDGEMENT_HEADER}, with the sentence of the plugin's documentation.`,
      )
    }
    return route.respond(c)
  }

/**
 * The error in this API: content that the caller may not read is forbidden and, for anonymous callers, asks
 * for a login.
 */
function asForbidden(error: Error, c: Context<AppEnv>): Error {
  if (!(error instanceof ApiError) || !/-(not-accessible|no-longer-available)$/.test(error.code)) return error
  const code = c.get('context').caller.id === 0 ? 'rest_unauthenticated' : 'rest_forbidden'
  return new ApiError(code, error.message)
}

const ENVELOPE = '_envelope'

/**
 * Two features of WordPress's requests: fields of the body in the address, and `_envelope`, for clients that
 * cannot read status and headers.
 */
const acceptWordpressForms = createMiddleware<AppEnv>(async (c, next) => {
  const url = new URL(c.req.url)
  const isEnveloped = url.searchParams.has(ENVELOPE)
  url.searchParams.delete(ENVELOPE)
  const { method, headers, body } = c.req.raw
  if (['POST', 'PUT', 'PATCH'].includes(method) && body === null && url.search !== '') {
    const form = new URLSearchParams(url.search)
    url.search = ''
    const ownHeaders = new Headers(headers)
    ownHeaders.delete('content-type')
    c.req.raw = new Request(url, { method, headers: ownHeaders, body: form })
  } else if (isEnveloped) c.req.raw = new Request(url, c.req.raw)
  await next()
  if (!isEnveloped || c.req.method === 'HEAD' || c.res.status === 304) return
  const { status, headers: sentHeaders } = c.res
  const content = await c.res.json()
  const envelopeHeaders = new Headers(sentHeaders)
  // Caches would treat the error as a response of 200.
  if (status >= 400) envelopeHeaders.set('Cache-Control', 'no-store')
  c.res = Response.json(
    { body: content, status, headers: Object.fromEntries(sentHeaders) },
    { headers: envelopeHeaders },
  )
})

/**
 * Keeps shared caches from storing responses that depend on the header, because they do not distinguish it.
 */
const neverShared = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  c.header('Vary', ACKNOWLEDGEMENT_HEADER, { append: true })
  c.header('Cache-Control', 'private, no-cache')
})

/** Mounts the API on an app, if it is enabled. */
function mountTec(app: Hono<AppEnv>, { tec: { path, asksAcknowledgement } }: Settings): void {
  if (path === '') return
  const tec = newApp()
  tec.onError((error, c) => respondToError(asForbidden(error, c), c))
  if (asksAcknowledgement) tec.use(neverShared)
  tec.use(acceptWordpressForms, authenticate, limitWrites, idempotent, datesHeader, requestContext(path))
  for (const route of INDEX_AND_DOCUMENT) route.mount(tec)
  mountOptions(tec, TEC_ROUTES)
  for (const route of ENTITY_ROUTES) tec.on([...route.methods], honoPath(route.path), respondInOrder(route))
  tec.all('*', c => {
    throw missingRoute(c.req.path.slice(path.length + 1), TEC_ROUTES)
  })
  app.route(`/${path}`, tec)
}

const DECLARED = {
  errors: {
    404: { tec_rest_organizers_page_not_found: 'The list has no such page.' },
    400: {
      missing_experimental_endpoint_acknowledgement:
        'The header `X-TEC-EEA` with its sentence is missing (`TEC_EEA`).',
    },
  },
} as const

/** The second API of The Events Calendar, `tec/v1`, for the same resources. */
export const tecFeature: Feature<typeof DECLARED> = defineFeature({
  name: 'tec',
  declares: DECLARED,
  namespaces: { [TEC_V1]: TEC_ROUTES },
  mount: mountTec,
})
