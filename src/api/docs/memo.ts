import type { DocsContext } from '../../context.ts'
import { toWall } from '../../lib/time.ts'
import type { Settings } from '../../settings.ts'

/** Limit of the addresses that are remembered. Origins come from requests, so there may be many. */
const KEPT = 16

/**
 * Memoises a function of a context. Its result may depend on the settings, on the API's address and on the day, as the
 * defaults of dates do.
 *
 * @param make must use nothing else of the context
 */
export function memoised<T>(make: (context: DocsContext) => T): (context: DocsContext) => T {
  const bySettings = new WeakMap<Settings, Map<string, T>>()
  return context => {
    const made = bySettings.get(context.settings) ?? new Map<string, T>()
    bySettings.set(context.settings, made)
    const key = `${context.api} ${toWall(context.now, context.settings.timezone).slice(0, 10)}`
    const known = made.get(key)
    if (known !== undefined) return known
    if (made.size >= KEPT) made.clear()
    const fresh = make(context)
    made.set(key, fresh)
    return fresh
  }
}
