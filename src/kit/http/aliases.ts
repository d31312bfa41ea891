import { createMiddleware } from 'hono/factory'
import { getPathNoStrict } from 'hono/utils/url'
import type { AppEnv } from '../env.ts'
import { invalidParams } from '../lib/errors.ts'
import { NAMESPACE, type Settings } from '../settings.ts'
import { noRoute } from './error-replies.ts'
import { executionContextOf } from './request-context.ts'

// Programs reach the API by several addresses and methods. Routes are mounted once, under NAMESPACE: mounting
// them again for each alias takes a fifth of the time to start.

const isBelow = (path: string, prefix: string): boolean =>
  path === `/${prefix}` || path.startsWith(`/${prefix}/`)

/**
 * The namespace in a request's address, without slashes at either end. Links in the response have it, too.
 */
export function namespaceOf({ namespaces }: Settings, path: string): string {
  return namespaces.find(namespace => isBelow(path, namespace)) ?? NAMESPACE
}

/** The path, also below the namespaces, where programs look for the OpenAPI document. */
export const DOCUMENT_PATH = '/openapi.json'

/** The path of a request in the form of our routes, for Hono's `getPath`. */
export const routedPath =
  ({ namespaces }: Settings) =>
  (request: Request): string => {
    const path = getPathNoStrict(request)
    if (path === DOCUMENT_PATH) return `/${NAMESPACE}${DOCUMENT_PATH}`
    const alias = namespaces.find(namespace => isBelow(path, namespace))
    return alias === undefined ? path : `/${NAMESPACE}${path.slice(alias.length + 1)}`
  }

const OVERRIDE_HEADER = 'X-HTTP-Method-Override'
const OVERRIDE_PARAM = '_method'
const OVERRIDE_METHODS = ['PUT', 'PATCH', 'DELETE']

/** The first segment of paths where clients of WordPress look for an API. */
export const WORDPRESS_ROOT = 'wp-json'

/**
 * The request that another stands for: `?rest_route=/tribe/events/v1/…` and `/index.php/wp-json/…` are
 * how programs ask sites without permalinks, and a POST below the API may name the method that a client or a
 * proxy cannot send.
 */
function aliasedRequest(request: Request, settings: Settings): Request | undefined {
  const url = new URL(request.url)
  const { pathname } = url
  if (pathname === '/' || pathname === '/index.php') {
    // The query is parsed only here, since it may be long.
    const route = url.searchParams.get('rest_route')
    if (route === null) return undefined
    const prefix = settings.corePrefix || WORDPRESS_ROOT
    url.pathname = `/${prefix}/${route.replace(/^\/+/, '')}`
    // A route with `..`, in whatever spelling, would lead out of the API.
    if (!isBelow(url.pathname, prefix)) return noRoute()
    url.searchParams.delete('rest_route')
    return new Request(url, request)
  }
  if (pathname.startsWith(`/index.php/${WORDPRESS_ROOT}/`)) {
    url.pathname = pathname.slice('/index.php'.length)
    return new Request(url, request)
  }
  return request.method === 'POST' && isOfApi(pathname, settings) ? withMethod(request, url) : undefined
}

const isOfApi = (path: string, { namespaces, corePrefix, tec }: Settings): boolean =>
  [...namespaces, corePrefix, tec.path].some(prefix => prefix !== '' && isBelow(path, prefix))

/**
 * The POST with the method that it names; undefined if it names no method.
 *
 * @throws ApiError for a method that a POST cannot stand for
 */
function withMethod(request: Request, url: URL): Request | undefined {
  const header = request.headers.get(OVERRIDE_HEADER)
  const methodNames = [...(header === null ? [] : [header]), ...url.searchParams.getAll(OVERRIDE_PARAM)]
  const [method, ...otherMethods] = new Set(methodNames.map(name => name.toUpperCase()))
  if (method === undefined) return undefined
  // If two are named, nobody can tell which one is meant.
  const reason = otherMethods.length > 0 ? 'must name one method only' : 'must be PUT, PATCH or DELETE'
  if (!OVERRIDE_METHODS.includes(method) || otherMethods.length > 0)
    throw invalidParams(new Map([[header === null ? OVERRIDE_PARAM : OVERRIDE_HEADER, reason]]))
  url.searchParams.delete(OVERRIDE_PARAM)
  const changedRequest = new Request(url, new Request(request, { method }))
  changedRequest.headers.delete(OVERRIDE_HEADER)
  return changedRequest
}

/** Has the app handle the request that another stands for, before anything is decided. */
export const resolveAliases = (
  settings: Settings,
  handle: (
    request: Request,
    env: AppEnv['Bindings'],
    context: ExecutionContext | undefined,
  ) => Response | Promise<Response>,
) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const request = aliasedRequest(c.req.raw, settings)
    if (!request) return next()
    request.headers.set('x-request-id', c.get('requestId'))
    return handle(request, c.env, executionContextOf(c))
  })
