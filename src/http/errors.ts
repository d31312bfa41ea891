import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'
import { ApiError, type ErrorCode, shownCode, statusOf } from '../lib/errors.ts'
import { logError } from './log.ts'

const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = {
  rest_too_many_requests: 60,
  rest_service_unavailable: 5,
}

/** Logs what a response does not tell: an unforeseen error, or the cause of a foreseen one. */
export function logUntold(requestId: string, error: Error): void {
  if (!(error instanceof ApiError) || error.cause !== undefined) logError(requestId, error)
}

/** Turns an error into a response of the interface. */
export function respondToError(error: Error, c: Context<AppEnv>): Response {
  logUntold(c.get('requestId'), error)
  if (!(error instanceof ApiError)) {
    // The client gets the request's id only.
    return respondToError(
      new ApiError('rest_internal_error', 'Something went wrong here. Please try again later.', {
        request_id: c.get('requestId'),
      }),
      c,
    )
  }
  const status = statusOf(error.code)
  if (status === 401) c.header('WWW-Authenticate', 'Basic realm="Calendar", charset="UTF-8"')
  const wait = RETRY_AFTER_SECONDS[error.code]
  if (wait) c.header('Retry-After', String(wait))
  return c.json(
    { code: shownCode(error.code), message: error.message, data: { status, ...error.data }, ...error.extra },
    status,
  )
}

/** The handler for addresses without a route. */
export const noRoute = (): never => {
  throw new ApiError('rest_no_route', 'No route matches this address and method.')
}
