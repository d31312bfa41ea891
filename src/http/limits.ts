import { createMiddleware } from 'hono/factory'
import type { AppEnv, Bindings } from '../env.ts'
import { ApiError } from '../lib/errors.ts'

const READS = ['GET', 'HEAD', 'OPTIONS']

/** The period of the rate limits, the longest that there is. */
const PERIOD_MS = 60_000

const tooMany = (what: string) =>
  new ApiError('rest_too_many_requests', `Too many ${what}. Please try again in a minute.`)

/** Counts a request and tells if its limit allows it. A limit that is not bound, or fails, allows everything. */
async function allows(limit: RateLimit | undefined, key: string): Promise<boolean> {
  const verdict = await limit?.limit({ key }).catch(() => undefined)
  return verdict?.success ?? true
}

/** Limits the rate of writes by one user. To be used after `authenticate`. */
export const limitWrites = createMiddleware<AppEnv>(async (c, next) => {
  const { id } = c.get('caller')
  const writes = !READS.includes(c.req.method) && id !== 0
  if (writes && !(await allows(c.env.WRITE_LIMIT, String(id)))) throw tooMany('writes')
  await next()
})

/**
 * Networks (lib/network.ts) with too many failed log-ins, with the time until which they are refused, in epoch milliseconds. A rate
 * limit cannot be read without counting; with this map, log-ins that will be refused don't reach the database. Each
 * instance of the Worker has its own.
 */
const refusedUntil = new Map<string, number>()
const MOST_NETWORKS = 10_000

/** Refuses a network with too many failed log-ins. @throws ApiError `rest_too_many_requests` */
export function assertFewFailures(network: string | undefined): void {
  if (network !== undefined && (refusedUntil.get(network) ?? 0) > Date.now()) throw tooMany('failed log-ins')
}

/** Counts a failed log-in. @throws ApiError `rest_too_many_requests` if it is one too many */
export async function countFailure(env: Bindings, network: string | undefined): Promise<void> {
  if (network === undefined || (await allows(env.LOGIN_LIMIT, network))) return
  if (refusedUntil.size >= MOST_NETWORKS) refusedUntil.clear()
  refusedUntil.set(network, Date.now() + PERIOD_MS)
  throw tooMany('failed log-ins')
}
