import type { RequestContext } from '../../context.ts'
import { pause } from '../../lib/pause.ts'
import { addMonths, startOfDay, toEpoch } from '../../lib/time.ts'
import { LIMIT } from '../../lib/values.ts'
import { isOwnAddress } from '../../resources/sources/own-address.ts'
import { isOwnEvent } from '../itself.ts'
import { importKey } from '../keys.ts'
import { apiOf } from '../readers/addresses.ts'
import type { Client, HttpResponse } from '../readers/http.ts'
import { icsItemsAndPauses } from '../readers/ics.ts'
import { propertyText, readIcs } from '../readers/ics-file.ts'
import { type ItemOrPause, OF_WORKER } from '../readers/ics-work.ts'
import { siteItems } from '../readers/site.ts'
import { isCalendar } from '../readers/site-address.ts'
import { Unreachable } from '../readers/transport.ts'
import {
  type AnyRecord,
  isRecordKind,
  isShownAfter,
  type ReaderContext,
  recordName,
  type SourceItem,
  Unreadable,
} from '../records.ts'

/** The time after which a look ends, whatever is still to come. */
const MOST_MS = 25_000

export type Skipped = { what: string; why: string }

/** What a look at a source has found. */
export type FoundCalendar = {
  kind: 'ical' | 'site'
  name: string
  etag: string
  lastModified: string
  /** Each once, in order. */
  records: AnyRecord[]
  skipped: Skipped[]
  /** The kinds that were read to their end. */
  completes: Extract<SourceItem, { type: 'complete' }>[]
  /** Why there may be more events than were read; undefined if there are not. */
  gap: string | undefined
  /** Keys of what is there and could not be read. */
  unread: Set<string>
}

/** A page whose events, or those of pages that it leads to, may be there as JSON-LD: it is read a few pages at a time. */
type FoundPage = { kind: 'jsonld'; first: HttpResponse }

export type Looking = {
  url: string
  /** The name that records get as their source. */
  source: string
  kind: string
  client: Client
  /** What it said of itself when it was read to its end. */
  known: { etag: string; lastModified: string }
  /** The time after which it ends, whatever is still to come; 25,000 by default, in milliseconds. */
  mostMs?: number
}

/** Nothing, so far. */
export const finding = (url: string): FoundCalendar => ({
  ...{ kind: 'site', name: new URL(url).hostname, etag: '', lastModified: '' },
  ...{ records: [], skipped: [], completes: [], gap: undefined, unread: new Set() },
})

/** What is read with. Runs tell of dates that could not be read, and of no other values. @param skipped takes those */
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
 * Reads what is at an address: an iCalendar feed, a site with the interface, or else the first one of its pages.
 *
 * @returns undefined if it is what it was
 * @throws Unreachable, Unreadable
 */
export function look(
  context: RequestContext,
  looking: Looking,
): Promise<FoundCalendar | FoundPage | undefined> {
  const { url, mostMs = MOST_MS } = looking
  const limit = Promise.withResolvers<never>()
  const over = new AbortController()
  const timer = setTimeout(() => {
    const reason = new Unreachable(`${url}: no end after ${mostMs / 1000} seconds`)
    over.abort(reason)
    limit.reject(reason)
  }, mostMs)
  return Promise.race([lookAt(context, looking, over.signal), limit.promise]).finally(() =>
    clearTimeout(timer),
  )
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
    await collected(icsItemsAndPauses(file, source, window, reading), source, found, signal)
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

/** Leaves out what is an event of this calendar, which another one has read. @returns false if there was nothing else */
export function leaveOwnOut(context: RequestContext, found: FoundCalendar): boolean {
  const isOwn = (record: AnyRecord) => isOwnEvent(context, record)
  const own = found.records.filter(isOwn)
  found.records = found.records.filter(record => !isOwn(record))
  for (const record of own)
    found.skipped.push({ what: recordName(record), why: 'it is an event of this calendar' })
  return own.length === 0 || found.records.some(record => 'venues' in record)
}

/** Items after which others have their turn, if none asks for a pause itself. */
const TURN = 100

/** Adds items to what was found. @param signal of the end of the time for it @throws what it was aborted with */
export async function collected(
  items: AsyncIterable<ItemOrPause> | Iterable<ItemOrPause>,
  source: string,
  found: FoundCalendar,
  signal?: AbortSignal,
): Promise<FoundCalendar> {
  const places = new Map<string, number>()
  let count = 0
  for await (const item of items) {
    count += 1
    if (item.type === 'pause' || count % TURN === 0) await pause()
    signal?.throwIfAborted()
    if (item.type === 'record') {
      const key = importKey(source, item.record.kind, item.record.externalId)
      const place = places.get(key) ?? found.records.length
      places.set(key, place)
      const earlier = found.records[place]
      if (!earlier || isShownAfter(earlier, item.record)) found.records[place] = ownedBy(item.record, source)
    } else if (item.type === 'complete') found.completes.push({ ...item, source })
    else if (item.type === 'incomplete' && item.kind === 'event') found.gap = item.reason
    else if (item.type === 'unread') found.unread.add(importKey(source, item.kind, item.what))
    else if (item.type === 'failed' || item.type === 'skipped') {
      const { what, title, reason, kind } = item
      // A list that could not be read to its end.
      if (kind === 'page' && what === 'events' && found.records.every(one => one.kind !== 'event'))
        throw new Unreachable(reason)
      found.skipped.push({ what: title ? `${what} (${title})` : what, why: reason })
      if (item.source && isRecordKind(kind)) found.unread.add(importKey(source, kind, what))
    }
  }
  return found
}

/** A record as one of the source: neither its authors nor its numbers are those of this calendar. */
function ownedBy(record: AnyRecord, source: string): AnyRecord {
  const own = { ...record, source, id: undefined, author: undefined }
  if (!('image' in own) || !own.image) return own
  const { id: _, ...image } = own.image
  return { ...own, image }
}
