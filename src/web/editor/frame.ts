import type { Query } from '../../db/query.ts'
import type { Capability } from '../../lib/roles.ts'
import type { Settings } from '../../settings.ts'

/** An entry of the editor's menu, shown to those who may. */
export type MenuEntry = {
  /** The start of the paths that it is current on: `/admin/events/`. */
  path: string
  label: (language: string) => string
  requires: Capability
  /** Counts what waits there, up to `MOST_WAITING`, in the trip of each page. */
  count?: Query<number>
}

/** The most that the menu counts: more of it is just more. */
export const MOST_WAITING = 20

/** What all routes of the editor are mounted with. */
export type Frame = { settings: Settings; menu: readonly MenuEntry[] }
