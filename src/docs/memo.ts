import { toWall } from '../lib/time.ts'
import type { Settings } from '../settings.ts'
import type { Standpoint } from '../view.ts'

/** How many addresses one instance keeps things for. Origins come from the request, so they may be many. */
const KEPT = 16

/**
 * Remembers what is made for a view: it depends on the settings, on the address that the request came by,
 * and, as the defaults of dates do, on the day.
 *
 * @param make must use nothing else of the view
 */
export function memoised<T>(make: (view: Standpoint) => T): (view: Standpoint) => T {
  const bySettings = new WeakMap<Settings, Map<string, T>>()
  return view => {
    const made = bySettings.get(view.settings) ?? new Map<string, T>()
    bySettings.set(view.settings, made)
    const key = `${view.api} ${toWall(view.now, view.settings.timezone).slice(0, 10)}`
    const known = made.get(key)
    if (known !== undefined) return known
    if (made.size >= KEPT) made.clear()
    const fresh = make(view)
    made.set(key, fresh)
    return fresh
  }
}
