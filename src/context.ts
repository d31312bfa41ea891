import type { Database } from './db/database.ts'
import type { Caller } from './lib/roles.ts'
import type { DateTime } from './lib/time.ts'
import type { Settings } from './settings.ts'

/** Everything that a request brings with it: the first argument of queries, writes and serializers. */
export type RequestContext = {
  db: Database
  caller: Caller
  /** As in logs, in the audit and in the response's headers. */
  requestId: string
  /** UTC. */
  now: DateTime
  settings: Settings
  /** The request's `If-Match`, which writes heed. */
  ifMatch: string | undefined
  /** Start of permalinks, e.g. `https://example.org`. */
  site: string
  /** The site's host, with its port if it has one. */
  host: string
  /** The API's address under the namespace that the request came by, e.g. `https://example.org/calendar/events/v1`. */
  api: string
}

/** The part of a context that documents need: it is the same whoever asks. */
export type DocsContext = Pick<RequestContext, 'api' | 'now' | 'settings'>

/** The part of a context that serializers need: they ask the database for nothing. */
export type SerializeContext = Omit<RequestContext, 'db' | 'requestId' | 'ifMatch'>

/** The address of one resource, e.g. `…/events/12`. */
export const restUrl = ({ api }: Pick<RequestContext, 'api'>, collection: string, id: number): string =>
  `${api}/${collection}/${id}`

/** `host?id=N`: the interface's global id of a resource. */
export const globalId = ({ host }: Pick<RequestContext, 'host'>, id: number): string => `${host}?id=${id}`
