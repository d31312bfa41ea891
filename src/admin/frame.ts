import type { Capability } from '../lib/roles.ts'
import type { Settings } from '../settings.ts'

/** An entry of the editor's menu, shown to those who may. */
export type MenuEntry = {
  /** The start of the paths that it is current on: `/admin/events/`. */
  path: string
  label: (language: string) => string
  requires: Capability
}

/** What all routes of the editor are mounted with. */
export type Frame = { settings: Settings; menu: readonly MenuEntry[] }
