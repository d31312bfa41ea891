import type { Caller } from './lib/roles.ts'
import type { Settings, Vars } from './settings.ts'
import type { View } from './view.ts'

export type Bindings = Vars & { DB: D1Database }

export type Variables = {
  settings: Settings
  caller: Caller
  view: View
  requestId: string
}

export type AppEnv = { Bindings: Bindings; Variables: Variables }
