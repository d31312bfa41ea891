import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { Database } from '../db/database.ts'
import { revision } from '../db/derived.ts'
import { first } from '../db/query.ts'
import { build } from '../db/statements.ts'
import type { AppEnv } from '../env.ts'
import { isSecure } from '../lib/network.ts'
import { pause, withTimeout } from '../lib/pause.ts'
import type { Settings } from '../settings.ts'
import { runLogged } from '../work/error-log.ts'
import { afterResponse, BOOKMARK_HEADER, executionContextOf } from './request-context.ts'

// Caches between the Worker and its clients: Workers Cache, which is purged after changes, and the caches of
// browsers.

/** The tags that purge responses from shared caches. Caches keep images for a year. */
export const CACHE_TAGS = { content: 'calendar', images: 'media' } as const

/**
 * Pause between purges by an instance of the Worker, in milliseconds. Cloudflare allows five a minute, one of
 * which is the cron's.
 */
const PAUSE_MS = 15_000

/** The longest time to wait for a purge, in milliseconds. */
const PATIENCE_MS = 10_000

const TASK = 'shared caches'

/**
 * Looks up what to purge: how many times content and images still have to be purged, and the revision;
 * undefined if there is nothing to purge. It reads one row.
 */
async function findPendingPurges(db: Database) {
  const {
    public_change_number: publicChangeNumber,
    purges_left: content,
    image_purges_left: images,
  } = revision
  const state = await db.read(first(build.select({ publicChangeNumber, content, images }).from(revision)))
  if (!state) return undefined
  const tags = (['content', 'images'] as const).filter(name => state[name] > 0).map(name => CACHE_TAGS[name])
  return tags.length > 0 ? { ...state, tags } : undefined
}

/** @throws Error if the caches do not confirm the purge in time */
async function purge(cache: CacheContext, tags: string[]): Promise<void> {
  const { success, errors } = await withTimeout(PATIENCE_MS, cache.purge({ tags }), () => {
    throw new Error('A purge took too long.')
  })
  if (!success) throw new Error(`A purge failed: ${errors?.[0]?.message ?? 'no reason was given'}`)
}

/**
 * The work of the cron: purges shared caches of changed responses, in two runs, because a read that began
 * before the change, or on a replica that lags behind, may fill them again. The next run repeats a purge that
 * fails.
 *
 * @param cache undefined if the runtime has none, as in local development
 */
export async function purgeChanged(db: Database, cache: CacheContext | undefined): Promise<void> {
  if (!cache) return
  const state = await findPendingPurges(db)
  if (!state || !db.allowance.allows(TASK, { statements: 1, requests: 1, ms: PATIENCE_MS })) return
  db.allowance.spend({ requests: 1 })
  await purge(cache, state.tags)
  const { publicChangeNumber, content, images } = state
  // Counters that a write or another run has changed in the meantime stay as they are.
  await db.write([
    build.update(revision).set({
      purges_left: sql`iif(purges_left = ${content} AND public_change_number = ${publicChangeNumber}, ${Math.max(0, content - 1)}, purges_left)`,
      image_purges_left: sql`iif(image_purges_left = ${images}, ${Math.max(0, images - 1)}, image_purges_left)`,
    }),
  ])
}

/** The time of this instance's last purge, or of the next one if it is planned, in epoch milliseconds. */
let purgedMs = Number.NEGATIVE_INFINITY

/** For tests, whose clocks run backwards from one file to the next. */
export const forgetPurges = (): void => {
  purgedMs = Number.NEGATIVE_INFINITY
}

/**
 * Purges shared caches after a write that changed anything public: at once or, if the last purge was a moment
 * ago, once for all writes since. The cron repeats purges that fail, and makes up for purges that are skipped
 * here.
 */
export const purgeSoon = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { metrics, allowance } = c.get('db')
  const cache = executionContextOf(c)?.cache
  const now = Date.now()
  if (!cache || metrics.rowsWritten === 0 || purgedMs > now) return
  const lastPurgeMs = purgedMs
  const plannedMs = Math.max(now, lastPurgeMs + PAUSE_MS)
  purgedMs = plannedMs
  const work = async () => {
    if (plannedMs > now) await pause(plannedMs - now)
    const state = await findPendingPurges(new Database(c.env.DB, allowance))
    if (state) await purge(cache, state.tags)
    else if (purgedMs === plannedMs) purgedMs = lastPurgeMs
  }
  afterResponse(c, () => runLogged(TASK, work))
})

/**
 * The request headers that tell responses in shared caches apart. Host is one of them, because links contain
 * it and the caches' keys do not.
 */
const VARIES = `Authorization, Host, ${BOOKMARK_HEADER}`

/**
 * Cache control for Workers Cache, for a response to an anonymous read. The cache may keep it until something
 * changes, if it is sure to be purged then, and otherwise for `maxAge`. The cache does not distinguish
 * `http:` from `https:`, although links of the API begin with one or the other.
 */
function sharedControl(c: Context<AppEnv>, { maxAge, staleWhileRevalidate }: Settings['cache']): string {
  if (!isSecure(new URL(c.req.url))) return 'no-store'
  const seconds = c.get('sharedSeconds')
  if (seconds === undefined || maxAge === 0) return `public, max-age=${maxAge}`
  if (seconds > 0) return `public, max-age=${seconds}`
  // Nothing links to the page of a date that ended long ago.
  return `public, max-age=${maxAge}${c.get('isPage') ? '' : `, stale-while-revalidate=${staleWhileRevalidate}`}`
}

const REDIRECTS: readonly number[] = [301, 302]

/**
 * Sets `Cache-Control`: shared caches may keep responses to anonymous reads for a while, and no others.
 * Without this header Workers Cache would keep responses for two hours. Browsers revalidate pages each time.
 */
export const cacheControl = ({ cache }: Settings) =>
  createMiddleware<AppEnv>(async (c, next) => {
    await next()
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    // `c.header` copies an existing response: the copies of this middleware and its neighbours took 0.1 ms of
    // CPU of each request (4 % of the default list, and its budget of the benchmark).
    const { headers, ok, status } = c.res
    if (headers.has('cache-control')) return
    const isPage = c.get('isPage')
    const isKept = ok || status === 304 || (isPage && REDIRECTS.includes(status))
    const isPersonal =
      c.req.header('authorization') !== undefined || c.req.header(BOOKMARK_HEADER) !== undefined
    if (!isRead || isPersonal) headers.set('Cache-Control', 'private, no-store')
    else if (!isKept) headers.set('Cache-Control', 'no-store')
    else {
      headers.set(
        'Cache-Control',
        isPage ? 'public, max-age=0, must-revalidate' : `public, max-age=${cache.maxAge}`,
      )
      headers.set('Cloudflare-CDN-Cache-Control', sharedControl(c, cache))
      headers.set('Cache-Tag', CACHE_TAGS.content)
      headers.append('Vary', VARIES)
    }
  })
