import type { Database } from './db/database.ts'
import type { Images } from './lib/images/make-image.ts'
import type { Caller } from './lib/roles.ts'
import type { DateTime } from './lib/time.ts'
import type { Settings } from './settings.ts'

/** The part of an R2 bucket that writes use. */
export type Bucket = {
  put(
    file: string,
    bytes: ArrayBuffer | ArrayBufferView,
    options?: { httpMetadata?: { contentType?: string } },
  ): Promise<unknown>
  delete(files: string[]): Promise<void>
}

/** The reply to a part of a request. */
export type PartReply = { status: number; headers?: Record<string, string>; body: unknown }

/** A request that writes, as a client of the API would send it. A form is sent as multipart, anything else as JSON. */
export type WriteRequest = {
  method: string
  /** Below the namespace, with a query if need be. */
  path: string
  body?: unknown
  /** `if-match` and `if-none-match`. */
  headers?: Readonly<Record<string, string>>
}

/**
 * Does writes of the API inside the Worker, in order, with the rights of the context's caller: the editor, the forms of visitors,
 * batches and agents are its clients. Each is a transaction of its own; with `isWhole` all of them are done, or none.
 */
export type Dispatch = (
  context: RequestContext,
  requests: readonly WriteRequest[],
  options?: { isWhole?: boolean },
) => Promise<{ replies: (PartReply | null)[]; isDone: boolean }>

/** The parts of a request with a key, as those of a batch. */
export type RequestParts = {
  /** The replies of those that were done when the request was sent before: they are not done again. */
  readonly known: ReadonlyMap<number, PartReply>
  /** Has the next write note that it does some parts. */
  begin(positions: readonly number[]): void
  /** Takes the replies of all parts, when no more of them is written. */
  end(replies: readonly (PartReply | null)[]): void
}

/** The context of a request: the first argument of queries, writes and serializers. */
export type RequestContext = {
  db: Database
  caller: Caller
  /** The secret of the database, as it was read with the caller's password; undefined for callers without one. */
  epoch?: string | undefined
  /** True for what a visitor sends in: the caller's rights to what is theirs already, and no knowledge of what else they have. */
  isVisitor?: true
  /** True if nothing that the request makes is to be public, neither the event nor the venue that it describes. */
  isDraft?: true
  /** The id in logs, in the audit and in the response's headers. */
  requestId: string
  /** The network that the request came from (lib/network.ts), if that is known. */
  network?: string | undefined
  /** The bucket of uploaded images, if there is one. */
  media: Bucket | undefined
  /** The decoder and encoder of uploads, if there is one. */
  images: Images | undefined
  /** True if what undoes a change is kept for some time. */
  keepsUndo?: true
  parts?: RequestParts | undefined
  /** Absent for what the cron and commands do. */
  dispatch?: Dispatch | undefined
  /** Counts writes that the request makes beside its own. @throws ApiError if the caller makes too many */
  countWrites?: (count: number) => Promise<void>
  /** The id of this calendar, once its revision was read. @see calendarId of http/revision.ts */
  calendarId?: string | undefined
  /** The time of the request, UTC. */
  now: DateTime
  settings: Settings
  /** The request's `If-Match` header, which writes check. */
  ifMatch: string | undefined
  /** The request's `If-None-Match` header, which writes check as well. */
  ifNoneMatch: string | undefined
  /** Start of permalinks, e.g. `https://example.org`. */
  site: string
  /** The site's host, with its port if it has one. */
  host: string
  /** The API's address under the namespace that the request came by, e.g. `https://example.org/calendar/events/v1`. */
  api: string
}

/** The part of a context that documents depend on, which is the same for all callers. */
export type DocsContext = Pick<RequestContext, 'api' | 'now' | 'settings'>

/** The part of a context that serializers need: they make no queries. */
export type SerializeContext = Omit<
  RequestContext,
  | 'db'
  | 'epoch'
  | 'requestId'
  | 'network'
  | 'media'
  | 'parts'
  | 'countWrites'
  | 'dispatch'
  | 'images'
  | 'ifMatch'
  | 'ifNoneMatch'
>

/** The address of one resource, e.g. `…/events/12`. */
export const restUrl = ({ api }: Pick<RequestContext, 'api'>, collection: string, id: number): string =>
  `${api}/${collection}/${id}`

/** The interface's global id of a resource: `host?id=N`. */
export const globalId = ({ host }: Pick<RequestContext, 'host'>, id: number): string => `${host}?id=${id}`

/** The start of addresses of the routes of WordPress. */
export const wordpressBase = ({ api, settings }: Pick<RequestContext, 'api' | 'settings'>): string =>
  `${new URL(api).origin}/${settings.corePrefix}`
