import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'

/** Pause between purges, in milliseconds. Cloudflare allows five a minute. */
const PAUSE_MS = 15_000

type Purgeable = { cache?: { purge(options: { tags: string[] }): Promise<unknown> } }

let lastPurge = Number.NEGATIVE_INFINITY
/** The tags that the next purge is for; undefined while none is to come. */
let pending: Set<string> | undefined

/**
 * Purges shared caches after a write: at once or, if that was done a moment ago, once for all writes since. Does nothing
 * if the runtime has no cache, as in local development.
 */
export function purgeSoon(c: Context<AppEnv>, tag: string): void {
  // The types of the runtime lack the cache, which wrangler.toml switches on.
  const { cache } = c.executionCtx as unknown as Purgeable
  if (!cache) return
  if (pending) return void pending.add(tag)
  const tags = new Set([tag])
  pending = tags
  const wait = Math.max(0, lastPurge + PAUSE_MS - Date.now())
  const purge = async () => {
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait))
    pending = undefined
    lastPurge = Date.now()
    await cache.purge({ tags: [...tags] })
  }
  c.executionCtx.waitUntil(purge())
}
