import { sql } from 'drizzle-orm'
import { createMiddleware } from 'hono/factory'
import { Database } from '../db/database.ts'
import { revision } from '../db/derived.ts'
import { first } from '../db/query.ts'
import type { AppEnv } from '../env.ts'
import { afterResponse, contextOf } from './after-response.ts'
import { attempt } from './log.ts'

/** The tags of responses in shared caches, by which they are purged. Those of images are kept for a year. */
export const CACHE_TAGS = { content: 'calendar', images: 'media' } as const

/** Pause between purges by one instance of the Worker, in milliseconds. Cloudflare allows five a minute, one of which is the cron's. */
const PAUSE_MS = 15_000

/** The longest that a purge is waited for. */
const PATIENCE_MS = 10_000

const TASK = 'shared caches'

/** What shared caches are to be purged of: how many more times, and at which revision. */
type PurgesLeft = { publicN: number; content: number; images: number }

const purgesLeft = first(
  sql`SELECT public_n, purges_left, image_purges_left FROM ${revision}`,
  (row): PurgesLeft => ({
    publicN: Number(row.public_n),
    content: Number(row.purges_left),
    images: Number(row.image_purges_left),
  }),
)

/** What there is to be purged; undefined if that is nothing. It reads one row. */
async function lookUp(db: Database): Promise<(PurgesLeft & { tags: string[] }) | undefined> {
  const left = await db.get(purgesLeft)
  if (!left) return undefined
  const tags = (['content', 'images'] as const).filter(name => left[name] > 0).map(name => CACHE_TAGS[name])
  return tags.length > 0 ? { ...left, tags } : undefined
}

/** @throws Error if the caches do not say in time that they were purged */
async function purge(cache: CacheContext, tags: string[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('A purge took too long.')), PATIENCE_MS)
  })
  try {
    const { success, errors } = await Promise.race([cache.purge({ tags }), tooLate])
    if (!success) throw new Error(`A purge failed: ${errors?.[0]?.message ?? 'no reason was given'}`)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The work of the cron: purges shared caches of what was changed, in two runs, since a read that began before the change, or on a
 * replica that lags behind, may fill them once more. A purge that fails is made again by the next run.
 *
 * @param cache undefined where the runtime has none, as in local development
 */
export async function purgeChanged(db: Database, cache: CacheContext | undefined): Promise<void> {
  if (!cache) return
  const left = await lookUp(db)
  if (!left || !db.allowance.begin(TASK, { statements: 1, requests: 1, ms: PATIENCE_MS })) return
  db.allowance.requests -= 1
  await purge(cache, left.tags)
  const { publicN, content, images } = left
  // What was changed in the meantime, or counted by another run, stays as it is.
  await db.change([
    sql`UPDATE ${revision} SET
      purges_left = iif(purges_left = ${content} AND public_n = ${publicN}, ${Math.max(0, content - 1)}, purges_left),
      image_purges_left = iif(image_purges_left = ${images}, ${Math.max(0, images - 1)}, image_purges_left)`,
  ])
}

/** The time of the last purge by this instance, or of one that is to come, in epoch milliseconds. */
let purgedMs = Number.NEGATIVE_INFINITY

/**
 * Purges shared caches after a write, if it changed anything in public: at once or, if that was done a moment ago, once for all
 * writes since. What fails here, or is held back, is done by the cron.
 */
export const purgeSoon = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { metrics, allowance } = c.get('db')
  const cache = contextOf(c)?.cache
  const now = Date.now()
  if (!cache || metrics.rowsWritten === 0 || purgedMs > now) return
  const before = purgedMs
  const planned = Math.max(now, before + PAUSE_MS)
  purgedMs = planned
  const work = async () => {
    if (planned > now) await new Promise(resolve => setTimeout(resolve, planned - now))
    const left = await lookUp(new Database(c.env.DB, allowance))
    if (left) await purge(cache, left.tags)
    else if (purgedMs === planned) purgedMs = before
  }
  afterResponse(c, attempt(TASK, work))
})
