import { Guesses } from '../../../calendar/imports/guesses.ts'
import {
  type AnyRecord,
  codeOfStatus,
  importKey,
  isRecordKind,
  isShownAfter,
  type ReaderContext,
  type SourceItem,
  Unreadable,
} from '../../../calendar/imports/records.ts'
import type { BaseContext } from '../../../kit/context.ts'
import type { Allowance } from '../../../kit/db/allowance.ts'
import { pause, withTimeout } from '../../../kit/lib/pause.ts'
import { addMonths, startOfDay, toEpoch } from '../../../kit/lib/time.ts'
import { FIELD_LIMITS } from '../../../kit/lib/values.ts'
import { locateApi } from '../../../readers/addresses.ts'
import {
  Client,
  type ClientOptions,
  fetchTransport,
  type HttpResponse,
  type Transport,
  Unreachable,
} from '../../../readers/http.ts'
import { propertyText, readIcs } from '../../../readers/ics/file.ts'
import { icsItems } from '../../../readers/ics/items.ts'
import { WORKER_LIMITS } from '../../../readers/ics/limits.ts'
import { siteItems } from '../../../readers/site.ts'
import { isCalendar, type SiteFilters } from '../../../readers/site-address.ts'
import { SOURCE_WORK } from '../budgets.ts'
import { isOwnUrl } from '../writes.ts'
import { leaveOutOwnEvents, type SkippedItem } from './record-filter.ts'

/** Settings of requests that tests change. */
export type Patience = Pick<ClientOptions, 'timeoutMs' | 'sleep'>

/**
 * Takes the requests for sources, redirects included, from the allowance of an invocation, and counts the
 * bytes received.
 */
export class MeteredTransport {
  /** Bytes received, decompressed. */
  bytes = 0
  readonly patience: Patience
  readonly #allowance: Allowance
  readonly #send: Transport

  /** @param options.transport by default the Worker's */
  constructor(
    allowance: Allowance,
    { transport = fetchTransport, ...patience }: Patience & { transport?: Transport } = {},
  ) {
    this.#allowance = allowance
    this.#send = transport
    this.patience = patience
  }

  get remainingRequests(): number {
    return this.#allowance.requests
  }

  send: Transport = async (url, options) => {
    if (this.remainingRequests <= 0)
      throw new Unreachable('not asked for: it takes more requests than one run may make', 'record_too_much')
    this.#allowance.spend({ requests: 1 })
    const response = await this.#send(url, options)
    return { ...response, chunks: this.#counted(response.chunks) }
  }

  async *#counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.bytes += chunk.byteLength
      yield chunk
    }
  }
}

/** The client that reads a source. @param ownId the id of this calendar, which must not read itself */
export const sourceClient = (
  { settings }: BaseContext,
  { send, patience }: MeteredTransport,
  ownId?: string,
): Client =>
  new Client({
    transport: send,
    maxBytes: 10_000_000,
    maxRedirects: 3,
    attempts: 1,
    timeoutMs: 20_000,
    pauseMs: 200,
    allowsPrivate: settings.allowsPrivateHosts,
    ownId,
    ...patience,
  })

export type FoundCalendar = {
  kind: 'ical' | 'site' | 'csv' | 'html'
  name: string
  /** The filters in the address that the source keeps. */
  filters: SiteFilters
  etag: string
  lastModified: string
  /** Each record once, in order. */
  records: AnyRecord[]
  skipped: SkippedItem[]
  guesses: Guesses
  /** The kinds that were read completely. */
  completes: Extract<SourceItem, { type: 'complete' }>[]
  /** The reason why some events may not have been read; undefined if all were. */
  gap: string | undefined
  /** Keys of records that exist but could not be read. */
  unread: Set<string>
}

/** A page that may have events in JSON-LD, or links to such pages, which are read a few at a time. */
type FoundPage = { kind: 'jsonld'; first: HttpResponse }

type FetchInput = {
  url: string
  /** The name of the source that records get. */
  source: string
  kind: string
  client: Client
  /** The source's validators from when it was last read to its end. */
  known: { etag: string; lastModified: string }
  /** The time, in milliseconds, after which reading stops, even if it is not finished; 25,000 by default. */
  maxMs?: number
}

export const emptyCalendar = (url: string): FoundCalendar => ({
  kind: 'site',
  name: new URL(url).hostname,
  filters: {},
  etag: '',
  lastModified: '',
  records: [],
  skipped: [],
  guesses: new Guesses(),
  completes: [],
  gap: undefined,
  unread: new Set(),
})

/** The context for reading. @param guesses takes what readers guess */
export const readerContext = ({ settings, clock }: BaseContext, guesses: Guesses): ReaderContext => ({
  timezone: settings.timezone,
  nowMs: toEpoch(clock.now()),
  limits: WORKER_LIMITS,
  note: () => {},
  guess: guesses.take,
})

/**
 * Reads the calendar at an address: an iCalendar feed, a site with the API, or else its first page.
 *
 * @returns undefined if nothing has changed
 * @throws Unreachable, Unreadable
 */
export function fetchCalendar(
  context: BaseContext,
  input: FetchInput,
): Promise<FoundCalendar | FoundPage | undefined> {
  const { url, client, maxMs = SOURCE_WORK.documentMs } = input
  const timeout = new AbortController()
  return withTimeout(
    maxMs,
    fetchWithSignal(context, { ...input, client: client.until(timeout.signal) }, timeout.signal),
    () => {
      const reason = new Unreachable(`${url}: no end after ${maxMs / 1000} seconds`, 'source_slow')
      timeout.abort(reason)
      throw reason
    },
  )
}

async function fetchWithSignal(
  context: BaseContext,
  { url, source, kind, client, known }: FetchInput,
  signal: AbortSignal,
): Promise<FoundCalendar | FoundPage | undefined> {
  const response = await client.get(url, { known })
  const { status, headers } = response
  if (status === 304 && (known.etag || known.lastModified)) return undefined
  const itselfError = new Unreadable(`${url} is this calendar itself`, 'source_itself')
  const apiHeaders = ['x-tec-api-root', 'x-tec-api-origin'].map(name => headers.get(name))
  if ([response.url, ...apiHeaders].some(address => isOwnUrl(context, address))) throw itselfError
  const today = startOfDay(context.clock.now())
  const calendar = emptyCalendar(url)
  const reading = readerContext(context, calendar.guesses)
  if (kind !== 'site' && kind !== 'jsonld' && isCalendar(response) && status === 200) {
    const file = readIcs(response.bytes, WORKER_LIMITS, client.ownId)
    Object.assign(calendar, {
      kind: 'ical',
      name: propertyText(file.calendar, 'x-wr-calname').slice(0, FIELD_LIMITS.name) || calendar.name,
      etag: headers.get('etag') ?? '',
      lastModified: headers.get('last-modified') ?? '',
    })
    const window = { from: addMonths(today, -1), to: addMonths(today, 24) }
    await collectItems(icsItems(file, source, window, reading), source, calendar, signal)
    if (!leaveOutOwnEvents(context, calendar)) throw itselfError
    return calendar
  }
  if (kind === 'ical' && status >= 400) throw new Unreachable(`${url}: HTTP ${status}`, codeOfStatus(status))
  if (kind === 'ical')
    throw new Unreadable(`${url}: HTTP ${status} without an iCalendar file`, 'source_no_calendar')
  if (kind === 'jsonld') return { kind, first: response }
  const api = await locateApi(client, url, status < 400 ? response : undefined).catch((error: unknown) => {
    throw status >= 400 && error instanceof Unreadable
      ? new Unreachable(`${url}: HTTP ${status}`, codeOfStatus(status))
      : error
  })
  if (!(api instanceof Unreadable)) {
    calendar.name = api.name || calendar.name
    calendar.filters = api.filters
    await collectItems(siteItems(client, api, reading, today), source, calendar, signal)
    leaveOutOwnEvents(context, calendar)
    return calendar
  }
  if (kind === 'site') throw api
  return { kind: 'jsonld', first: response }
}

/** The number of items after which other work gets its turn. */
const ITEMS_OF_TURN = 100

/** Passes items on, and lets other work run in between. */
export async function* withPauses<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  let count = 0
  for await (const item of items) {
    count += 1
    if (count % ITEMS_OF_TURN === 0) await pause()
    yield item
  }
}

/** Adds items to a result. @param signal aborted when time is up @throws the signal's reason */
export async function collectItems(
  items: AsyncIterable<SourceItem> | Iterable<SourceItem>,
  source: string,
  calendar: FoundCalendar,
  signal?: AbortSignal,
): Promise<FoundCalendar> {
  const positions = new Map<string, number>()
  for await (const item of withPauses(items)) {
    signal?.throwIfAborted()
    if (item.type === 'record') {
      const key = importKey(source, item.record.kind, item.record.externalId)
      const position = positions.get(key) ?? calendar.records.length
      positions.set(key, position)
      const earlier = calendar.records[position]
      if (!earlier || isShownAfter(earlier, item.record))
        calendar.records[position] = ownedBy(item.record, source)
    } else noteItem(item, source, calendar)
  }
  return calendar
}

/**
 * Adds an item that is not a record to a result. @throws Unreachable if none of the source's events could be
 * read
 */
function noteItem(
  item: Exclude<SourceItem, { type: 'record' }>,
  source: string,
  calendar: FoundCalendar,
): void {
  if (item.type === 'complete') calendar.completes.push({ ...item, source })
  else if (item.type === 'incomplete' && item.kind === 'event') calendar.gap = item.reason
  else if (item.type === 'unread') calendar.unread.add(importKey(source, item.kind, item.what))
  else if (item.type === 'failed' || item.type === 'skipped') {
    const { what, title, reason, code, kind } = item
    // The list could not be read to its end.
    if (kind === 'page' && what === 'events' && calendar.records.every(one => one.kind !== 'event'))
      throw new Unreachable(reason, code ?? 'source_no_calendar')
    calendar.skipped.push({ what: title ? `${what} (${title})` : what, why: reason, code })
    if (item.source && isRecordKind(kind)) calendar.unread.add(importKey(source, kind, what))
  }
}

/** A record with the source as its origin. Ids and authors of another calendar mean nothing here. */
function ownedBy(record: AnyRecord, source: string): AnyRecord {
  const ownRecord = { ...record, source, id: undefined, author: undefined }
  if (!('image' in ownRecord) || !ownRecord.image) return ownRecord
  const { id: _, ...image } = ownRecord.image
  return { ...ownRecord, image }
}
