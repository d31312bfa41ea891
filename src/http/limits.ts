import { createMiddleware } from 'hono/factory'
import type { AppEnv, Bindings } from '../env.ts'
import { ApiError } from '../lib/errors.ts'

const READS = ['GET', 'HEAD', 'OPTIONS']

/** The longest period that a rate limit can have. */
const PERIOD_MS = 60_000

const tooMany = (what: string) =>
  new ApiError('rest_too_many_requests', `Too many ${what}. Please try again in a minute.`)

/** Whether a limit allows one more. One that is not bound, or fails, bounds nobody. */
async function allows(limit: RateLimit | undefined, key: string): Promise<boolean> {
  const verdict = await limit?.limit({ key }).catch(() => undefined)
  return verdict?.success ?? true
}

/** Bounds how fast one user may write. To be used after `authenticate`. */
export const limitWrites = createMiddleware<AppEnv>(async (c, next) => {
  const { id } = c.get('caller')
  const writes = !READS.includes(c.req.method) && id !== 0
  if (writes && !(await allows(c.env.WRITE_LIMIT, String(id)))) throw tooMany('writes')
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
export function assertFewFailures(address: string | undefined): void {
  if (address !== undefined && (turnedAway.get(address) ?? 0) > Date.now()) throw tooMany('failed log-ins')
}

/** Counts a failed log-in. @throws ApiError `rest_too_many_requests` if it is one too many */
export async function countFailure(env: Bindings, address: string | undefined): Promise<void> {
  if (address === undefined || (await allows(env.LOGIN_LIMIT, address))) return
  if (turnedAway.size >= MOST_ADDRESSES) turnedAway.clear()
  turnedAway.set(address, Date.now() + PERIOD_MS)
  throw tooMany('failed log-ins')
}
