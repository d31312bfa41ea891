import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv, Bindings } from '../env.ts'
import { ApiError } from '../lib/errors.ts'
import { LruCache } from '../lib/memo.ts'
import { networkOf } from '../lib/network.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { asError, logError } from '../work/error-log.ts'

const READS = ['GET', 'HEAD', 'OPTIONS']

/** The period of the rate limits, the longest possible. */
const PERIOD_MS = MINUTE_MS

const tooMany = (what: string) =>
  new ApiError('rest_too_many_requests', `Too many ${what}. Please try again in a minute.`)

/** True if an error means that a limit was reached. */
export const isTooManyRequests = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'rest_too_many_requests'

/**
 * Until when failures of limits are not logged again, in epoch milliseconds: each request would add the same
 * line.
 */
let loggedUntil = 0

function logFailure(error: unknown): undefined {
  if (Date.now() < loggedUntil) return
  loggedUntil = Date.now() + PERIOD_MS
  logError('rate limit', asError(error))
}

/**
 * Counts a request, and says whether its limit allows it. A limit that is not bound, or fails, allows
 * everything.
 */
async function allows(limit: RateLimit | undefined, key: string): Promise<boolean> {
  const verdict = await limit?.limit({ key }).catch(logFailure)
  return verdict?.success ?? true
}

/** The network that a request came from; undefined if Cloudflare is not in front. */
export function networkOfRequest(request: Request): string | undefined {
  const address = request.headers.get('cf-connecting-ip')
  return address === null ? undefined : networkOf(address)
}

/**
 * Counts writes by the caller. Anonymous callers write little, but come by the thousand, so their writes
 * count by network, with the limit for failed log-ins.
 *
 * @throws ApiError `rest_too_many_requests` if they are too many
 */
export async function countWrites(c: Context<AppEnv>, count: number): Promise<void> {
  const { id } = c.get('caller')
  const network = networkOfRequest(c.req.raw)
  if (id === 0 && network === undefined) return
  const [limit, key] = id === 0 ? [c.env.LOGIN_LIMIT, `writes ${network}`] : [c.env.WRITE_LIMIT, String(id)]
  for (let callsLeft = count; callsLeft > 0; callsLeft--)
    if (!(await allows(limit, key))) throw tooMany('writes')
}

/**
 * Counts what anonymous callers look at and nothing caches, such as previews and personal pages, by network.
 *
 * @throws ApiError `rest_too_many_requests`
 */
export async function countLooks({ env, req }: Context<AppEnv>): Promise<void> {
  const network = networkOfRequest(req.raw)
  if (network !== undefined && !(await allows(env.WRITE_LIMIT, `looks ${network}`))) throw tooMany('requests')
}

/** Limits the rate of writes. It must come after `authenticate`. */
export const limitWrites = createMiddleware<AppEnv>(async (c, next) => {
  if (!READS.includes(c.req.method)) await countWrites(c, 1)
  await next()
})

/**
 * Networks (kit/lib/network.ts), and logins at one, with too many failed log-ins, each with the time until
 * which it is refused, in epoch milliseconds. A rate limit cannot be read without counting; with this map,
 * log-ins that will be refused don't reach the database. Each instance of the Worker has its own.
 */
const refusedUntil = new LruCache<number>({ maxSize: 10_000 })

/** Who tries to log in: a login, or the kind of credentials that have none. */
export type LoginClaim = { login: string } | 'token' | 'form'

/** The characters of a login that count, more than any login has. */
const MAX_LOGIN_LENGTH = 100

/** The key of the failures that one login, or one kind of credentials without a login, has at a network. */
const claimKey = (network: string, claim: LoginClaim): string =>
  typeof claim === 'string'
    ? `${claim} ${network}`
    : `login ${network} ${claim.login.toLowerCase().slice(0, MAX_LOGIN_LENGTH)}`

const isRefused = (key: string): boolean => (refusedUntil.get(key) ?? 0) > Date.now()

/**
 * Refuses a network with too many failed log-ins, and a claim with too many there.
 * @throws ApiError `rest_too_many_requests`
 */
export function assertFewFailures(network: string | undefined, claim?: LoginClaim): void {
  if (network === undefined) return
  if (isRefused(network) || (claim && isRefused(claimKey(network, claim)))) throw tooMany('failed log-ins')
}

const networkLimit = ({ NETWORK_LIMIT, LOGIN_LIMIT }: Bindings): RateLimit | undefined =>
  NETWORK_LIMIT ?? LOGIN_LIMIT

/**
 * Counts an attempt to sign in by a form before the form is read, so that right and wrong ones count.
 *
 * @throws ApiError `rest_too_many_requests` if it is one too many
 */
export async function countLoginAttempt(c: Context<AppEnv>): Promise<void> {
  const network = networkOfRequest(c.req.raw)
  assertFewFailures(network)
  if (network !== undefined && !(await allows(networkLimit(c.env), `tries ${network}`)))
    throw tooMany('log-ins')
}

/**
 * Counts a failure with a limit, and refuses its key for a minute if it is one too many.
 *
 * @throws ApiError `rest_too_many_requests`
 */
async function countBy(limit: RateLimit | undefined, key: string): Promise<void> {
  if (await allows(limit, key)) return
  refusedUntil.set(key, Date.now() + PERIOD_MS)
  throw tooMany('failed log-ins')
}

/**
 * Counts a failed log-in, first for its claim and network together. If this limit is not exceeded, it counts
 * for the network as well. So a program that keeps sending a wrong password locks out only itself, and not
 * others behind the same address.
 *
 * @throws ApiError `rest_too_many_requests` if it is one too many
 */
export async function countFailure(
  env: Bindings,
  network: string | undefined,
  claim: LoginClaim,
): Promise<void> {
  if (network === undefined) return
  await countBy(env.LOGIN_LIMIT, claimKey(network, claim))
  await countBy(networkLimit(env), network)
}
