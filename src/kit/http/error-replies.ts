import type { Context } from 'hono'
import type { WriteReply } from '../context.ts'
import type { AppEnv } from '../env.ts'
import { type ErrorCode, type ErrorStatus, isErrorCode, shownCode, statusOf } from '../lib/error-codes.ts'
import { ApiError } from '../lib/errors.ts'
import { closestTo } from '../lib/likeness.ts'
import { memoize } from '../lib/memo.ts'
import { isLocal } from '../lib/network.ts'
import { isObject, withoutTrailingSlashes } from '../lib/values.ts'
import { logError, remedyFor } from '../work/error-log.ts'
import { addressTooLong, fitsHeader, type Reply } from './reply.ts'

const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = {
  rest_too_many_requests: 60,
  rest_service_unavailable: 5,
  rest_concurrent_changes: 5,
  rest_idempotency_conflict: 2,
}

/** Seconds after which the client may try again; undefined if that would not help. */
export function retryAfter({ code, data }: ApiError): number | undefined {
  const seconds = Number(data.retry_after ?? RETRY_AFTER_SECONDS[code])
  return Number.isFinite(seconds) ? seconds : undefined
}

/** Logs what a response doesn't show: an unexpected error, or the cause of an expected one. */
export function logCause(requestId: string, error: Error): void {
  if (!(error instanceof ApiError) || error.cause !== undefined) logError(requestId, error)
}

/**
 * An error about parameters that name a merged resource, with the location that names the survivor instead.
 * Other errors stay as they are.
 */
export function withLocation(error: Error, address: string): Error {
  if (!(error instanceof ApiError) || error.code !== 'rest_moved' || !isObject(error.data.params))
    return error
  const url = new URL(address)
  for (const [name, value] of Object.entries(error.data.params)) {
    for (const parameter of [...url.searchParams.keys()])
      if (parameter === name || parameter.startsWith(`${name}[`)) url.searchParams.delete(parameter)
    url.searchParams.set(name, String(value))
  }
  const location = url.href.replaceAll('%2C', ',')
  if (!fitsHeader(location)) return addressTooLong()
  return new ApiError(error.code, error.message, { ...error.data, location })
}

/**
 * What helps against an unexpected error, for the developer at this machine; visitors of a deployed calendar
 * are not told.
 */
export const remedyHere = (error: Error, address: string): string | undefined =>
  isLocal(new URL(address)) ? remedyFor(error) : undefined

/**
 * The reply for an error.
 *
 * @param requestId for the log, and for the client if the error must not be shown
 * @param remedy what the client can do about such an error
 */
export function replyToError(
  error: Error,
  requestId: string,
  remedy = 'Please try again later.',
): Reply<ErrorStatus> {
  logCause(requestId, error)
  if (!(error instanceof ApiError)) {
    // The client gets the request's id only.
    const message = `Something went wrong here. ${remedy}`
    return replyToError(new ApiError('rest_internal_error', message, { request_id: requestId }), requestId)
  }
  const status = statusOf(error.code)
  const wait = retryAfter(error)
  return {
    status,
    headers: {
      ...(status === 401 && { 'WWW-Authenticate': 'Basic realm="Calendar", charset="UTF-8"' }),
      ...(wait !== undefined && { 'Retry-After': String(wait) }),
      ...(error.data.location !== undefined && { Location: error.data.location }),
      ...(error.data.allow !== undefined && { Allow: error.data.allow }),
    },
    body: {
      code: shownCode(error.code),
      message: error.message,
      data: { status, ...error.data },
    },
  }
}

export function errorIn({ body }: WriteReply): ApiError {
  const { code, message, data } = isObject(body) ? body : {}
  return new ApiError(
    isErrorCode(code) ? code : 'rest_internal_error',
    String(message),
    isObject(data) ? { ...data } : {},
  )
}

export function respondToError(thrown: Error, c: Context<AppEnv>): Response {
  const error = withLocation(thrown, c.req.url)
  const { status, headers, body } = replyToError(error, c.get('requestId'), remedyHere(error, c.req.url))
  for (const [name, value] of Object.entries(headers ?? {})) c.header(name, value)
  return c.json(body, status)
}

const NO_ROUTE = 'No route matches this address and method.'

/** The methods and the path of a route below the namespace, such as `/events/{id}`. */
type Signpost = { methods: readonly string[]; path: string }

/** The `Allow` header: HEAD comes with GET, and OPTIONS always. */
export const allowHeader = (methods: readonly string[]): string =>
  [...methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ')

/** The patterns of the variable parts of paths that are not numbers. */
const PARAMETER_PATTERNS: Readonly<Record<string, string>> = { slug: '[^/]+', external_id: '.+' }

/** A declared path with patterns for its variable parts. @param write how to write one of these patterns */
export const withPatterns = (
  path: string,
  write: (pattern: string, name: string) => string = pattern => pattern,
): string => path.replace(/\{(\w+)\}/g, (_, name) => write(PARAMETER_PATTERNS[name] ?? '\\d+', name))

const patternOf = memoize((path: string) => new RegExp(`^${withPatterns(path.replaceAll('.', '\\.'))}$`))

const isAt = (path: string, address: string): boolean => patternOf(path).test(address)

/** The address that was probably meant: with `events` for `event`, or `by-slug` before a slug. */
function meantAddress(address: string, routes: readonly Signpost[]): string | undefined {
  const [first = '', ...segments] = address.slice(1).split('/')
  const starts = [...new Set(routes.map(({ path }) => path.split('/')[1] ?? ''))].filter(Boolean)
  const plural = `${first.replace(/y$/, 'ie')}s`
  const start = [first, plural].find(name => starts.includes(name)) ?? closestTo(first, starts)
  return [segments, ['by-slug', ...segments]]
    .map(parts => `/${[start, ...parts].join('/')}`)
    .find(other => routes.some(({ path }) => isAt(path, other)))
}

/**
 * The error for an address below a namespace that has no route with this method. It names the existing
 * methods, or the address that was probably meant.
 *
 * @param address below the namespace, as routes match it: without the slash that may be at its end
 */
export function missingRoute(address: string, routes: readonly Signpost[]): ApiError {
  const routesAtPath = routes.filter(route => isAt(route.path, address))
  const methods = [...new Set(routesAtPath.flatMap(route => route.methods))]
  if (methods.length > 0)
    return new ApiError('rest_no_route', `This address takes ${methods.join(', ')}.`, {
      allow: allowHeader(methods),
    })
  const path = withoutTrailingSlashes(address).replace(/\/{2,}/g, '/')
  const meant = path.length > MAX_ADDRESS ? undefined : meantAddress(path, routes)
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  return new ApiError('rest_no_route', NO_ROUTE + hint)
}

/**
 * The longest address that is compared with similar ones: comparing takes time, and people don't type long
 * addresses.
 */
const MAX_ADDRESS = 300

/** The handler for addresses without a route. */
export const noRoute = (): never => {
  throw new ApiError('rest_no_route', NO_ROUTE)
}
