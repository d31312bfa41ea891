import type { Dispatch, RequestContext } from './context.ts'
import type { Database } from './db/database.ts'
import type { Caller } from './lib/roles.ts'
import type { Settings, Vars } from './settings.ts'

export type Bindings = Vars & {
  DB: D1Database
  /** The version of the deployed Worker; absent in some local set-ups. */
  CF_VERSION_METADATA?: { id: string }
  /** The bucket of uploaded images; without it, uploads are off. */
  MEDIA?: R2Bucket
  /** The decoder and encoder of uploads; without it, uploads are off. */
  IMAGES?: ImagesBinding
  /** The static files of the build; without it, the document of the API is made when it is asked for. */
  ASSETS?: Fetcher
  /** The sender of e-mails; without it, there are no letters and notices. */
  EMAIL?: SendEmail
  /** Workers AI, whose language model reads announcements; the vars can name another server instead. */
  AI?: { run: (model: string, input: object, options: { signal: AbortSignal }) => Promise<unknown> }
  WRITE_LIMIT?: RateLimit
  /** The limit of failed log-ins by network and login, and of forms from people who are not signed in. */
  LOGIN_LIMIT?: RateLimit
  /** The limit of failed log-ins by network, whatever their logins; without it, `LOGIN_LIMIT` applies. */
  NETWORK_LIMIT?: RateLimit
}

type Variables = {
  db: Database
  caller: Caller
  /** @see RequestContext */
  databaseSecret?: string | undefined
  context: RequestContext
  settings: Settings
  requestId: string
  dispatch: Dispatch
  /** Set if the response came from the instance's cache. */
  cache?: 'memory'
  /**
   * The seconds for which a purged shared cache may keep the response: 0 if the time of day may change it
   * within a minute, undefined if that is unknown.
   */
  sharedSeconds?: number | undefined
  /** True for pages, which browsers revalidate each time. */
  isPage?: boolean
  /** True while nothing that everybody sees has been saved yet; unset until the revision has been read. */
  isNew?: boolean
  /** True for pages that other sites may show in a frame. */
  isFramed?: boolean
}

export type AppEnv = { Bindings: Bindings; Variables: Variables }
