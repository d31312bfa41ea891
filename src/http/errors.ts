import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'
import { ApiError, shownCode, statusOf } from '../lib/errors.ts'

/** Turns whatever was thrown into the answer that the interface promises. */
export function answerError(error: Error, c: Context<AppEnv>): Response {
  if (!(error instanceof ApiError)) {
    // The caller gets the request's id, the log the rest.
    console.error(JSON.stringify({ id: c.get('requestId'), message: error.message, stack: error.stack }))
    return answerError(
      new ApiError('rest_internal_error', 'Something went wrong here. Please try again later.', {
        request_id: c.get('requestId'),
      }),
      c,
    )
  }
  const status = statusOf(error.code)
  if (status === 401) c.header('WWW-Authenticate', 'Basic realm="Calendar", charset="UTF-8"')
  return c.json(
    { code: shownCode(error.code), message: error.message, data: { status, ...error.data }, ...error.extra },
    status,
  )
}

/** The answer where no route is. */
export const noRoute = (): never => {
  throw new ApiError('rest_no_route', 'No route matches this address and method.')
}
