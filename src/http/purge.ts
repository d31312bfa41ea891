import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'

/** Purging by tag is limited to five a minute; a little slower than that is always allowed. */
const PAUSE_MS = 15_000

type Purgeable = { cache?: { purge(options: { tags: string[] }): Promise<unknown> } }

let lastPurge = Number.NEGATIVE_INFINITY
let pending = false

/**
 * Makes shared caches forget answers after a write: at once, or, if that was done a moment ago, once for all
 * writes since. Does nothing where the runtime has no cache, as in local development.
 */
export function purgeSoon(c: Context<AppEnv>, tag: string): void {
  // Types of the runtime don't know the cache yet that wrangler.toml switches on.
  const { cache } = c.executionCtx as unknown as Purgeable
  if (!cache || pending) return
  pending = true
  const wait = Math.max(0, lastPurge + PAUSE_MS - Date.now())
  const purge = async () => {
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait))
    pending = false
    lastPurge = Date.now()
    await cache.purge({ tags: [tag] })
  }
  c.executionCtx.waitUntil(purge())
}
