import type { Database } from './db/client.ts'
import type { Caller } from './lib/roles.ts'
import type { Vars } from './settings.ts'
import type { View } from './view.ts'

export type Bindings = Vars & {
  DB: D1Database
  /** Which build runs; bound by wrangler.toml, absent in some local set-ups. */
  CF_VERSION_METADATA?: { id: string }
  /** By user. */
  WRITE_LIMIT?: RateLimit
  /** By address. */
  LOGIN_LIMIT?: RateLimit
}

export type Variables = {
  db: Database
  caller: Caller
  view: View
  requestId: string
}

export type AppEnv = { Bindings: Bindings; Variables: Variables }
