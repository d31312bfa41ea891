import type { RequestContext } from '../../context.ts'
import { addDays, addMonths, startOfDay, toEpoch } from '../../lib/time.ts'
import { importKey } from '../keys.ts'
import { FETCH_TRANSPORT } from '../readers/fetch-transport.ts'
import { Client, type ClientOptions } from '../readers/http.ts'
import { icsItems } from '../readers/ics.ts'
import { propertyText, readIcs } from '../readers/ics-file.ts'
import { siteItems } from '../readers/site.ts'
import { findApi, isCalendar } from '../readers/site-address.ts'
import { Unreachable } from '../readers/transport.ts'
import { type AnyRecord, type SourceItem, Unreadable } from '../records.ts'

/** Limits of what one look at a source may take. The free plan allows 50 requests. */
const LIMITS = {
  transport: FETCH_TRANSPORT,
  maxBytes: 10_000_000,
  maxRedirects: 3,
  maxRequests: 30,
  attempts: 1,
  timeoutMs: 20_000,
  pauseMs: 200,
} as const satisfies ClientOptions

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
  /** Keys of what is there and could not be read. */
  unread: Set<string>
}

export type Looking = {
  url: string
  /** The name that records get as their source. */
  source: string
  kind: string
  known: { etag: string; lastModified: string }
  /** The time for which a response is waited for; 20,000 by default. */
  timeoutMs?: number | undefined
}

/**
 * Reads what is at an address.
 *
 * @returns undefined if it is what it was
 * @throws Unreachable, Unreadable
 */
export function look(context: RequestContext, looking: Looking): Promise<FoundCalendar | undefined> {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => limit.reject(new Unreachable(`${looking.url}: no end after ${MOST_MS / 1000} seconds`)),
    MOST_MS,
  )
  return Promise.race([lookAt(context, looking), limit.promise]).finally(() => clearTimeout(timer))
}

async function lookAt(
  { settings, now }: RequestContext,
  { url, source, kind, known, timeoutMs = LIMITS.timeoutMs }: Looking,
): Promise<FoundCalendar | undefined> {
  const client = new Client([url], { ...LIMITS, timeoutMs, allowsPrivate: settings.allowsPrivateHosts })
  const response = await client.get(url, kind === 'ical' ? { known } : {})
  if (response.status === 304) return undefined
  const today = startOfDay(now)
  const reading = { timezone: settings.timezone, nowMs: toEpoch(now), note: () => {} }
  const found: FoundCalendar = {
    kind: 'site',
    name: new URL(url).hostname,
    etag: '',
    lastModified: '',
    records: [],
    skipped: [],
    completes: [],
    unread: new Set(),
  }
  if (kind !== 'site' && isCalendar(response) && response.status === 200) {
    const file = readIcs(response.bytes)
    Object.assign(found, {
      kind: 'ical',
      name: propertyText(file.calendar, 'x-wr-calname') || found.name,
      etag: response.headers.get('etag') ?? '',
      lastModified: response.headers.get('last-modified') ?? '',
    })
    const window = { from: addMonths(today, -1), to: addMonths(today, 24) }
    return collected(icsItems(file, source, window, reading), source, found)
  }
  if (kind === 'ical') throw new Unreadable(`${url}: HTTP ${response.status} without an iCalendar file`)
  const api = await findApi(client, url, response.status < 400 ? response : undefined)
  return collected(siteItems(client, api, reading, addDays(today, -1)), source, found)
}

async function collected(
  items: AsyncIterable<SourceItem> | Iterable<SourceItem>,
  source: string,
  found: FoundCalendar,
): Promise<FoundCalendar> {
  const seen = new Set<string>()
  for await (const item of items) {
    if (item.type === 'record') {
      const key = importKey(source, item.record.kind, item.record.externalId)
      if (seen.has(key)) continue
      seen.add(key)
      found.records.push(ownedBy(item.record, source))
    } else if (item.type === 'complete') found.completes.push({ ...item, source })
    else if (item.type === 'failed' || item.type === 'skipped') {
      const { what, title, reason, kind } = item
      // A list that could not be read to its end.
      if (kind === 'page' && what === 'events' && found.records.every(one => one.kind !== 'event'))
        throw new Unreachable(reason)
      found.skipped.push({ what: title ? `${what} (${title})` : what, why: reason })
      if (item.source) found.unread.add(`${kind} ${what}`)
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
