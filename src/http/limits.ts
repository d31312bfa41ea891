import { createMiddleware } from 'hono/factory'
import type { AppEnv, Bindings } from '../env.ts'
import { ApiError } from '../lib/errors.ts'

const READS = ['GET', 'HEAD', 'OPTIONS']

/** The longest period that a rate limit can have. */
const PERIOD_MS = 60_000

const tooMany = (what: string) =>
  new ApiError('rest_too_many_requests', `Too many ${what}. Please try again in a minute.`)

/** Bounds how fast one user may write. To be used after `authenticate`. */
export const limitWrites = createMiddleware<AppEnv>(async (c, next) => {
  const { id } = c.get('caller')
  if (!READS.includes(c.req.method) && id !== 0) {
    const verdict = await c.env.WRITE_LIMIT?.limit({ key: String(id) })
    if (verdict?.success === false) throw tooMany('writes')
  }
  await next()
})

/**
 * Addresses whose log-ins failed too often, and until when they are turned away, in epoch milliseconds. A rate
 * limit can only be asked by counting; with this, log-ins that will be refused don't reach the database.
 * Each instance of the Worker has its own, as approximate as the limit itself.
 */
const turnedAway = new Map<string, number>()
const MOST_ADDRESSES = 10_000

/** @throws ApiError `rest_too_many_requests` if this address has failed to log in too often */
export function demandFewFailures(address: string | undefined): void {
  if (address !== undefined && (turnedAway.get(address) ?? 0) > Date.now()) throw tooMany('failed log-ins')
}

/** Counts a failed log-in. @throws ApiError `rest_too_many_requests` if it is one too many */
export async function countFailure(env: Bindings, address: string | undefined): Promise<void> {
  if (address === undefined) return
  const verdict = await env.LOGIN_LIMIT?.limit({ key: address })
  if (verdict?.success !== false) return
  if (turnedAway.size >= MOST_ADDRESSES) turnedAway.clear()
  turnedAway.set(address, Date.now() + PERIOD_MS)
  throw tooMany('failed log-ins')
}
