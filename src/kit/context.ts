import type { Database, Prelude } from './db/database.ts'
import type { Clock } from './lib/clock.ts'
import type { Images } from './lib/images/make-image.ts'
import type { Caller } from './lib/roles.ts'
import type { Settings } from './settings.ts'

/** An R2 bucket, with only the methods that writes use. */
export type Bucket = {
  put(
    file: string,
    bytes: ArrayBuffer | ArrayBufferView,
    options?: { httpMetadata?: { contentType?: string } },
  ): Promise<unknown>
  delete(files: string[]): Promise<void>
  has(file: string): Promise<boolean>
}

/** The bucket of a calendar's images, with the methods that commands use. */
export type ImageStore = {
  put: (file: string, bytes: Uint8Array, mimeType: string) => Promise<void>
  /** The bytes of a file; undefined if it is not there. */
  get: (file: string) => Promise<Uint8Array | undefined>
}

/** An e-mail, as the platform's mail service takes it. @see EmailMessageBuilder */
type MailMessage = {
  from: { email: string; name: string }
  to: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
  attachments?: EmailAttachment[]
}

/** The sender of this calendar's e-mails. */
export type Mailer = {
  from: { email: string; name: string }
  send: (message: MailMessage) => Promise<unknown>
}

/** A question to a language model: its instructions, its message, and the JSON Schema of the answer. */
export type ModelQuestion = { system: string; user: string; schema: Readonly<Record<string, unknown>> }

/** The language model that this calendar asks. */
export type LanguageModel = {
  /** The name and the place of the model, for people whose texts it gets. */
  name: string
  /**
   * Returns the answer as a value; undefined if it is no JSON.
   *
   * @throws Error if there is no answer, or if the signal has ended the wait
   */
  answer: (question: ModelQuestion, signal: AbortSignal) => Promise<unknown>
}

/** The reply of the API to a {@link WriteRequest}. */
export type WriteReply = { status: number; headers?: Record<string, string>; body: unknown }

/**
 * A request that writes, as a client of the API would send it. A form is sent as multipart, anything else as
 * JSON.
 */
export type WriteRequest = {
  method: string
  /** A path below the namespace, with a query if needed. */
  path: string
  body?: unknown
  /** The headers `if-match` and `if-none-match`. */
  headers?: Readonly<Record<string, string>>
}

/**
 * Carries out writes of the API inside the Worker, in order and with the rights of the context's caller, for
 * the editor, visitors' forms, batches and agents. Each write is a transaction of its own; with `isWhole`,
 * either all writes are done or none. With `isBatch`, no response may have personal data. The first
 * transaction begins with `before`.
 */
export type Dispatch = (
  context: RequestContext,
  requests: readonly WriteRequest[],
  options?: { isWhole?: boolean; isBatch?: boolean; before?: Prelude | undefined },
) => Promise<{ replies: (WriteReply | null)[]; isDone: boolean }>

/** The static files of the build, by their addresses. */
export type Files = { fetch: (address: URL) => Promise<Response> }

/** Who asks, and when: what decides which rows somebody may read. */
export type CallerContext = { caller: Caller; clock: Clock }

/** What is the same for all callers at a moment. */
export type CalendarContext = { clock: Clock; settings: Settings }

/** What serializers need. They make no queries. */
export type SerializeContext = CallerContext &
  CalendarContext & {
    /** The start of permalinks, e.g. `https://example.org`. */
    site: string
    /** The site's host, with its port if it has one. */
    host: string
    /**
     * The API's address under the namespace that the request came by, e.g.
     * `https://example.org/calendar/events/v1`.
     */
    api: string
    /** The id of this calendar, once its revision has been read. @see calendarId of kit/http/revision.ts */
    calendarId?: string | undefined
  }

/** What the statements of writes depend on. */
export type WriteContext = CallerContext &
  CalendarContext & {
    /** The request's id in logs, in the audit and in the response's headers. */
    requestId: string
    /**
     * True for a visitor's submission. It acts with the caller's rights, but must not reveal what else the
     * caller owns.
     */
    isVisitor?: true
    /** True if a name may also mean content that the same request has created before, as in one e-mail. */
    reusesCreated?: true
    /** True if nothing that the write creates may be public, neither the event nor its venue. */
    isDraft?: true
    /** True if the data for undoing changes is stored. */
    keepsUndo?: true
  }

/** What queries and most writes need. It is all that the cron and commands have. */
export type BaseContext = SerializeContext & WriteContext & { db: Database }

/** What e-mails need. */
export type MailContext = BaseContext & { mailer: Mailer }

/** What writes of content need. The cron makes such writes too, without uploads, headers and limits. */
export type ContentContext = BaseContext &
  Partial<
    Pick<RequestContext, 'media' | 'images' | 'databaseSecret' | 'ifMatch' | 'ifNoneMatch' | 'countWrites'>
  >

/** The context of a request, or of an e-mail to the calendar. */
export type RequestContext = BaseContext & {
  /**
   * The secret of the database, read together with the caller's password; undefined for callers without a
   * password.
   */
  databaseSecret: string | undefined
  /** The network of the request (kit/lib/network.ts), if it is known. */
  network: string | undefined
  /** The bucket of uploaded images, if there is one. */
  media: Bucket | undefined
  /** The decoder and encoder of uploads, if there is one. */
  images: Images | undefined
  /** The static files of the build, where they can be read. */
  files: Files | undefined
  /** The sender of e-mails, if this calendar has one. */
  mailer: Mailer | undefined
  /** The language model that reads announcements; undefined if this calendar has none. */
  model: LanguageModel | undefined
  dispatch: Dispatch
  /** Counts further writes of the request. @throws ApiError if the caller makes too many */
  countWrites: (count: number) => Promise<void>
  /** Does work after the response, which neither waits for it nor tells how long it takes. */
  afterResponse: (work: () => Promise<unknown>) => void
  /** The request's `If-Match` header, which writes check. */
  ifMatch: string | undefined
  /** The request's `If-None-Match` header, which writes check as well. */
  ifNoneMatch: string | undefined
}

/**
 * What work in the background begins with: the database, the settings, and the time in epoch milliseconds.
 */
export type CronRun = { db: Database; settings: Settings; nowMs: number }

/** The same for work that sends e-mails. */
export type MailRun = CronRun & { mailer: Mailer }

/** What documents depend on. It is the same for all callers. */
export type DocsContext = CalendarContext &
  Pick<SerializeContext, 'api'> & {
    /** Returns a stand-in for a default that depends on the context, in a template for any context. */
    standIn?: (fallback: unknown) => string
  }

/**
 * The part of a context that its settings determine.
 *
 * @param api the API's address, as a request or the cron has it
 * @throws TypeError if a stored `api` is not an address, so that nothing is sent with it
 */
export function contextAt(settings: Settings, api: string) {
  const { origin } = new URL(api)
  const site = settings.siteUrl ?? origin
  return { settings, api, site, host: new URL(site).host }
}

/** The address of one resource, e.g. `…/events/12`. */
export const restUrl = ({ api }: Pick<SerializeContext, 'api'>, collection: string, id: number): string =>
  `${api}/${collection}/${id}`

/** The global id of a resource in The Events Calendar: `host?id=N`. */
export const globalId = ({ host }: Pick<SerializeContext, 'host'>, id: number): string => `${host}?id=${id}`

/** The address of WordPress's index of routes. Its routes are below this. */
export const wordpressBase = ({ api, settings }: Pick<SerializeContext, 'api' | 'settings'>): string =>
  `${new URL(api).origin}/${settings.wordpressRoot}`
