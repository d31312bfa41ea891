import type { Caller } from './lib/roles.ts'
import type { DateTime } from './lib/time.ts'
import type { Settings } from './settings.ts'

/** Through whose eyes, when and under which address a resource is shown: all that serialising needs beside rows. */
export type View = {
  caller: Caller
  /** As in logs, in the audit and in the answer's headers. */
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

/** Where, when and with which settings something is described, whoever asks: all that documents need. */
export type Standpoint = Pick<View, 'api' | 'now' | 'settings'>

/** The address of one resource, e.g. `…/events/12`. */
export const restUrl = (view: View, collection: string, id: number): string =>
  `${view.api}/${collection}/${id}`

/** `host?id=N`: what the interface calls a resource's global id. */
export const globalId = (view: View, id: number): string => `${view.host}?id=${id}`
