import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { Metrics } from '../db/database.ts'
import type { AppEnv } from '../env.ts'

/**
 * The result of caching: `hit` is a 304, `memory` a response from the instance's cache, `miss` an outdated
 * copy of the client. Responses of shared caches never get here.
 */
const cacheResult = (c: Context<AppEnv>): 'hit' | 'memory' | 'miss' | 'none' =>
  c.res.status === 304 ? 'hit' : c.get('cache') ? 'memory' : c.req.header('if-none-match') ? 'miss' : 'none'

/** What the database did, for a line of the log. */
export const loggedMetrics = ({ sqlMs, roundTrips, statements, rowsRead, rowsWritten }: Metrics) => ({
  sql_ms: Math.round(sqlMs * 10) / 10,
  round_trips: roundTrips,
  statements,
  rows_read: rowsRead,
  rows_written: rowsWritten,
})

/**
 * Logs one line of JSON for each request. Routes are logged as patterns and queries not at all, so that logs
 * hold neither search terms nor personal data.
 */
export const logRequests = createMiddleware<AppEnv>(async (c, next) => {
  const startMs = performance.now()
  await next()
  console.log(
    JSON.stringify({
      id: c.get('requestId'),
      method: c.req.method,
      route: routePath(c),
      status: c.res.status,
      ms: Math.round(performance.now() - startMs),
      ...loggedMetrics(c.get('db').metrics),
      cache: cacheResult(c),
      user: c.get('caller')?.id ?? 0,
    }),
  )
})

/** An e-mail that came, for the log. */
export type LoggedMail = {
  id: string
  /** Bytes as it travelled. */
  bytes: number
  outcome: 'taken' | 'refused' | 'again'
  /** The code of the reason for which it was not taken. */
  reason?: string
  /** The number of events in it, if it was taken. */
  events?: number
  ms: number
  metrics: Metrics | undefined
}

/** Logs one line of JSON for an e-mail that came, without its addresses and texts. */
export function logMail({ id, bytes, outcome, reason, events, ms, metrics }: LoggedMail): void {
  console.log(
    JSON.stringify({
      id,
      email: outcome,
      ...(reason !== undefined && { reason }),
      ...(events !== undefined && { events }),
      bytes,
      ms: Math.round(ms),
      ...(metrics && loggedMetrics(metrics)),
    }),
  )
}

const MAX_ORIGIN = 200

/** Logs an origin whose pages may not write. Browsers only show that something failed. */
export const logRefusedOrigin = (requestId: string, origin: string): void =>
  console.warn(
    JSON.stringify({
      id: requestId,
      refused_origin: origin.slice(0, MAX_ORIGIN),
      hint: 'The setting ALLOWED_ORIGINS has the origins whose pages may log in and write.',
    }),
  )
