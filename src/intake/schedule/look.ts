import type { RequestContext } from '../../context.ts'
import type { Allowance } from '../../db/allowance.ts'
import type { Database } from '../../db/database.ts'
import { revision } from '../../db/derived.ts'
import { first } from '../../db/query.ts'
import { build } from '../../db/statements.ts'
import { calendarId } from '../../http/revision.ts'
import { SOURCE_WORK } from '../../lib/budgets.ts'
import { isOwnUid } from '../../lib/ical/lines.ts'
import { inTime, pause, Turns } from '../../lib/pause.ts'
import { fold, htmlToText, searchWords } from '../../lib/text.ts'
import { addMonths, startOfDay, toEpoch } from '../../lib/time.ts'
import { LIMIT } from '../../lib/values.ts'
import { type CalendarPlace, isOwnAddress } from '../../resources/sources/writes.ts'
import type { Settings } from '../../settings.ts'
import { apiOf } from '../readers/addresses.ts'
import {
  Client,
  type ClientOptions,
  fetchTransport,
  type HttpResponse,
  type Transport,
  Unreachable,
} from '../readers/http.ts'
import { icsItems } from '../readers/ics.ts'
import { propertyText, readIcs } from '../readers/ics-file.ts'
import { OF_WORKER } from '../readers/ics-work.ts'
import { siteItems } from '../readers/site.ts'
import { isCalendar } from '../readers/site-address.ts'
import {
  type AnyRecord,
  type EventLike,
  importKey,
  isEventLike,
  isRecordKind,
  isShownAfter,
  isTerm,
  type ReaderContext,
  recordName,
  recordsNamedBy,
  type SourceItem,
  Unreadable,
} from '../records.ts'

// A calendar that read itself would double all events with each run.

/** The id that this calendar sends with its responses. */
export async function ownId(db: Database, { siteUrl }: Settings): Promise<string | undefined> {
  const own = await db.get(first(build.select({ epoch: revision.epoch }).from(revision)))
  return own && calendarId(own, siteUrl)
}

const withoutScheme = (address: string | null): string => (address ?? '').replace(/^https?:/, '')

/**
 * Tells whether a record is an event of this calendar, or was taken from it: by its UID, by the address of its page, or
 * by the calendars that it names as origins, among which calendars that read this one list it. An event whose website
 * is the home page proves nothing, since a club may have this calendar there.
 */
function isOwnEvent(here: CalendarPlace & Pick<RequestContext, 'host'>, record: AnyRecord): boolean {
  if (!('website' in record && 'venues' in record)) return false
  const { site, host } = here
  const { externalId, website, origins = [] } = record
  if (origins.some(origin => isOwnAddress(here, origin))) return true
  const page = externalId.replace(/#\d{8}T\d{6}Z$/, '')
  const pages = withoutScheme(`${site}/event/`)
  return isOwnUid(page, host) || [website, page].some(address => withoutScheme(address).startsWith(pages))
}

/** Settings of requests that tests change. */
export type Patience = Pick<ClientOptions, 'timeoutMs' | 'sleep'>

/** Takes the requests for sources, redirects included, from the allowance of an invocation, and counts the bytes received. */
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

  /** The number of requests left. */
  get requests(): number {
    return this.#allowance.requests
  }

  send: Transport = async (url, options) => {
    if (this.requests <= 0)
      throw new Unreachable('not asked for: it takes more requests than one run may make')
    this.#allowance.requests -= 1
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

/** The client that reads a source. @param own the id of this calendar, which must not read itself */
export const sourceClient = (
  { settings }: RequestContext,
  { send, patience }: MeteredTransport,
  own?: string,
): Client =>
  new Client({
    ...{ transport: send, maxBytes: 10_000_000, maxRedirects: 3, attempts: 1, timeoutMs: 20_000 },
    ...{ pauseMs: 200, allowsPrivate: settings.allowsPrivateHosts, own },
    ...patience,
  })

export type Skipped = { what: string; why: string }

/** The result of looking at a source. */
export type FoundCalendar = {
  kind: 'ical' | 'site'
  name: string
  etag: string
  lastModified: string
  /** Each record once, in order. */
  records: AnyRecord[]
  skipped: Skipped[]
  /** The kinds that were read completely. */
  completes: Extract<SourceItem, { type: 'complete' }>[]
  /** The reason why there may be more events than were read; undefined if there are none. */
  gap: string | undefined
  /** Keys of records that exist but could not be read. */
  unread: Set<string>
}

/** A page that may have events in JSON-LD, itself or on pages that it links to, and which is read a few pages at a time. */
type FoundPage = { kind: 'jsonld'; first: HttpResponse }

type Looking = {
  url: string
  /** The name of the source that records get. */
  source: string
  kind: string
  client: Client
  /** Its validators when it was last read to its end. */
  known: { etag: string; lastModified: string }
  /** The time, in milliseconds, after which reading stops, even if it is not finished; 25,000 by default. */
  mostMs?: number
}

/** An empty result. */
export const finding = (url: string): FoundCalendar => ({
  ...{ kind: 'site', name: new URL(url).hostname, etag: '', lastModified: '' },
  ...{ records: [], skipped: [], completes: [], gap: undefined, unread: new Set() },
})

/** The context for reading. Runs report dates that could not be read, but no other values. @param skipped gets those dates */
export const readingOf = (
  { settings, now }: RequestContext,
  what: string,
  skipped: Skipped[],
): ReaderContext => ({
  timezone: settings.timezone,
  nowMs: toEpoch(now),
  limits: OF_WORKER,
  note: () => {},
  noteDate: why => void skipped.push({ what, why }),
})

/**
 * Reads the calendar at an address: an iCalendar feed, a site with the API, or else its first page.
 *
 * @returns undefined if nothing has changed
 * @throws Unreachable, Unreadable
 */
export function look(
  context: RequestContext,
  looking: Looking,
): Promise<FoundCalendar | FoundPage | undefined> {
  const { url, mostMs = SOURCE_WORK.lookMs } = looking
  const over = new AbortController()
  return inTime(mostMs, lookAt(context, looking, over.signal), () => {
    const reason = new Unreachable(`${url}: no end after ${mostMs / 1000} seconds`)
    over.abort(reason)
    throw reason
  })
}

async function lookAt(
  context: RequestContext,
  { url, source, kind, client, known }: Looking,
  signal: AbortSignal,
): Promise<FoundCalendar | FoundPage | undefined> {
  const response = await client.get(url, { known })
  const { status, headers } = response
  if (status === 304 && (known.etag || known.lastModified)) return undefined
  const itself = new Unreadable(`${url} is this calendar itself`)
  const named = ['x-tec-api-root', 'x-tec-api-origin'].map(name => headers.get(name))
  if ([response.url, ...named].some(address => isOwnAddress(context, address))) throw itself
  const today = startOfDay(context.now)
  const found = finding(url)
  const reading = readingOf(context, found.name, found.skipped)
  if (kind !== 'site' && kind !== 'jsonld' && isCalendar(response) && status === 200) {
    const file = readIcs(response.bytes, OF_WORKER, client.own)
    Object.assign(found, {
      kind: 'ical',
      name: propertyText(file.calendar, 'x-wr-calname').slice(0, LIMIT.name) || found.name,
      etag: headers.get('etag') ?? '',
      lastModified: headers.get('last-modified') ?? '',
    })
    const window = { from: addMonths(today, -1), to: addMonths(today, 24) }
    await collected(icsItems(file, source, window, reading), source, found, signal)
    if (!leaveOwnOut(context, found)) throw itself
    return found
  }
  if (kind === 'ical') throw new Unreadable(`${url}: HTTP ${status} without an iCalendar file`)
  if (kind === 'jsonld') return { kind, first: response }
  const api = await apiOf(client, url, status < 400 ? response : undefined).catch(error => {
    throw status >= 400 && error instanceof Unreadable ? new Unreachable(`${url}: HTTP ${status}`) : error
  })
  if (!(api instanceof Unreadable)) {
    found.name = api.name || found.name
    await collected(siteItems(client, api, reading, today), source, found, signal)
    leaveOwnOut(context, found)
    return found
  }
  if (kind === 'site') throw api
  return { kind: 'jsonld', first: response }
}

/** Leaves out events of this calendar that the other one has read from it. @returns false if there were no others */
export function leaveOwnOut(context: RequestContext, found: FoundCalendar): boolean {
  const isOwn = (record: AnyRecord) => isOwnEvent(context, record)
  const own = found.records.filter(isOwn)
  found.records = found.records.filter(record => !isOwn(record))
  for (const record of own)
    found.skipped.push({ what: recordName(record), why: 'it is an event of this calendar' })
  return own.length === 0 || found.records.some(record => 'venues' in record)
}

/** Items after which others get their turn, however quickly they come. */
const TURN = 100

/** Adds items to a result. @param signal aborted when time is up @throws the signal's reason */
export async function collected(
  items: AsyncIterable<SourceItem> | Iterable<SourceItem>,
  source: string,
  found: FoundCalendar,
  signal?: AbortSignal,
): Promise<FoundCalendar> {
  const places = new Map<string, number>()
  let count = 0
  for await (const item of items) {
    count += 1
    if (count % TURN === 0) await pause()
    signal?.throwIfAborted()
    if (item.type === 'record') {
      const key = importKey(source, item.record.kind, item.record.externalId)
      const place = places.get(key) ?? found.records.length
      places.set(key, place)
      const earlier = found.records[place]
      if (!earlier || isShownAfter(earlier, item.record)) found.records[place] = ownedBy(item.record, source)
    } else noteItem(item, source, found)
  }
  return found
}

/** Adds to a result what a source says beside its records. @throws Unreachable if none of its events could be read */
function noteItem(item: Exclude<SourceItem, { type: 'record' }>, source: string, found: FoundCalendar): void {
  if (item.type === 'complete') found.completes.push({ ...item, source })
  else if (item.type === 'incomplete' && item.kind === 'event') found.gap = item.reason
  else if (item.type === 'unread') found.unread.add(importKey(source, item.kind, item.what))
  else if (item.type === 'failed' || item.type === 'skipped') {
    const { what, title, reason, kind } = item
    // The list could not be read to its end.
    if (kind === 'page' && what === 'events' && found.records.every(one => one.kind !== 'event'))
      throw new Unreachable(reason)
    found.skipped.push({ what: title ? `${what} (${title})` : what, why: reason })
    if (item.source && isRecordKind(kind)) found.unread.add(importKey(source, kind, what))
  }
}

/** A record as one of the source. Its authors and ids are not those of this calendar. */
function ownedBy(record: AnyRecord, source: string): AnyRecord {
  const own = { ...record, source, id: undefined, author: undefined }
  if (!('image' in own) || !own.image) return own
  const { id: _, ...image } = own.image
  return { ...own, image }
}

/** The records that pass a source's filter: events with any of its words, and the records that they refer to. */
export async function wantedRecords(
  records: readonly AnyRecord[],
  search: string,
): Promise<readonly AnyRecord[]> {
  const words = searchWords(search)
  if (words.length === 0) return records
  let last = { title: '', description: '', isIn: false }
  const isIn = ({ title, description }: EventLike): boolean => {
    // The dates of an event share their texts, which may be long.
    if (title !== last.title || description !== last.description) {
      const text = fold(`${title} ${htmlToText(description)}`)
      last = { title, description, isIn: words.some(word => text.includes(word)) }
    }
    return last.isIn
  }
  const turns = new Turns()
  const series = new Set<string>()
  const found = new Set<AnyRecord>()
  for (const record of records.filter(isEventLike)) {
    await turns.take(record)
    if (!isIn(record)) continue
    found.add(record)
    if (record.kind === 'series') series.add(record.externalId)
  }
  // The dates of a series pass along with it.
  const events = records.filter(
    (record): record is EventLike =>
      isEventLike(record) &&
      (found.has(record) ||
        (record.kind === 'event' && record.occurrence !== undefined && series.has(record.occurrence.series))),
  )
  const kept = new Set<AnyRecord>(events)
  const used = new Set(
    events.flatMap(event => [
      ...recordsNamedBy(event).map(([kind, id]) => `${kind} ${id}`),
      ...(event.kind === 'event' && event.occurrence ? [`series ${event.occurrence.series}`] : []),
    ]),
  )
  // Parents come before their children.
  for (const record of records.toReversed()) {
    if (!used.has(`${record.kind} ${record.externalId}`)) continue
    kept.add(record)
    if (isTerm(record) && record.parent !== undefined) used.add(`${record.kind} ${record.parent}`)
  }
  return records.filter(record => kept.has(record))
}
