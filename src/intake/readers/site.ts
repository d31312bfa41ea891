import { Turns } from '../../lib/pause.ts'
import { addDays, type DateTime } from '../../lib/time.ts'
import { isObject } from '../../lib/values.ts'
import {
  type AnyRecord,
  COLLECTIONS,
  isTerm,
  isTermRecordKind,
  RECORD_KINDS,
  type ReaderContext,
  type RecordKind,
  type SourceItem,
} from '../records.ts'
import { apiPath, parentsFirst, readDocument } from './documents.ts'
import { readId } from './fields.ts'
import { type Client, type HttpResponse, Unreachable } from './http.ts'
import { seriesIdIn } from './read-event.ts'
import { jsonIn, type SiteApi } from './site-address.ts'

/** The parameters of a request for a list. Without dates, servers list the events of the next two years only. */
const parametersOf = (kind: RecordKind, since: DateTime | undefined): Record<string, string> => ({
  per_page: '50',
  ...(kind === 'event' && {
    status: 'publish',
    // In the site's local time, which may be that of any zone.
    start_date: since === undefined ? '1970-01-01 00:00:00' : addDays(since, -1),
    end_date: '2100-12-31 23:59:59',
  }),
  ...(isTermRecordKind(kind) && { hide_empty: 'false' }),
})

/** The name of the calendar behind an API: host and path, so that http and https are the same. */
const sourceOf = (api: SiteApi): string => apiPath(api.collection('events').href).replace(/\/events$/, '')

/**
 * Reads the public lists of a site, and also the terms, venues and organizers embedded in events, because lists may
 * lack some, or be missing.
 *
 * @param since UTC: only events that start then or later, and some of the day before, are read
 */
export async function* siteItems(
  client: Client,
  api: SiteApi,
  context: ReaderContext,
  since?: DateTime,
): AsyncGenerator<SourceItem> {
  const source = sourceOf(api)
  const turns = new Turns()
  const series = new SeriesReader(id => client.get(api.collection(`series/${id}`).href))
  for (const kind of LISTS) {
    let gap: string | undefined
    let listed: number | undefined
    const ids = new Set<string>()
    const terms: AnyRecord[] = []
    for await (const page of pagesOf(client, api, { kind, since, ids })) {
      if ('reason' in page) {
        gap ??= page.reason
        if (page.as === 'note') yield { type: 'note', text: page.reason }
        if (page.as === 'failure')
          yield { type: 'failed', kind: 'page', what: COLLECTIONS[kind], reason: page.reason }
        continue
      }
      if (listed === undefined) yield { type: 'expect', count: Math.max(page.total, page.items.length) }
      listed ||= page.total
      if (kind === 'event') yield* series.of(page.items, source, context)
      const place = { source, series: series.known }
      for (const [from, raw] of page.items.entries()) {
        await turns.take(raw)
        for (const item of readDocument({ kind, items: [raw], from }, place, context)) {
          // A category may be listed before its parent.
          if (item.type === 'record' && kind !== 'event' && isTerm(item.record)) terms.push(item.record)
          else yield item
        }
      }
    }
    yield* parentsFirst(terms)
    if (listed) yield { type: 'total', kind, read: ids.size, listed }
    for (const of of kind === 'event' ? (['series', kind] as const) : [kind])
      yield gap === undefined
        ? { type: 'complete', source, kind: of, ...(since !== undefined && { from: since }) }
        : { type: 'incomplete', source, kind: of, reason: gap }
  }
}

/** The kinds that sites list. Occurrences name their series. */
const LISTS = RECORD_KINDS.filter(kind => kind !== 'series')

/** The number of series without a response after which no more are requested. */
const MOST_FAILURES = 3

/** Reads the series of a site's events, each once. */
class SeriesReader {
  /** Ids of the series that have been read. */
  readonly known = new Set<string>()
  readonly #asked = new Set<string>()
  /** The number of successive series without a response. */
  #failures = 0
  readonly #get: (id: string) => Promise<HttpResponse>

  /** @param get requests a series */
  constructor(get: (id: string) => Promise<HttpResponse>) {
    this.#get = get
  }

  /** Reads the series of some events. One that cannot be read is reported, and its occurrences become single events. */
  async *of(events: readonly unknown[], source: string, context: ReaderContext): AsyncGenerator<SourceItem> {
    for (const id of events.flatMap(event => seriesIdIn(event) ?? [])) {
      if (this.#asked.has(id)) continue
      this.#asked.add(id)
      const json = await this.#read(id)
      if (!isObject(json) || String(json.id) !== id) {
        yield { type: 'note', text: `Series ${id} could not be read: its occurrences become single events.` }
        yield { type: 'unread', source, kind: 'series', what: id }
        continue
      }
      for (const item of readDocument({ kind: 'series', items: [json] }, { source }, context)) {
        if (item.type === 'record' && item.record.kind === 'series') this.known.add(id)
        yield item
      }
    }
  }

  async #read(id: string): Promise<unknown> {
    // Each failure costs all attempts and their pauses.
    if (this.#failures === MOST_FAILURES) return undefined
    try {
      const response = await this.#get(id)
      this.#failures = 0
      return jsonIn(response)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      this.#failures += 1
      return undefined
    }
  }
}

/** The content of a page. `total` and `pages` are those of the whole list, 0 if the page doesn't name them. */
type ListContent = { items: readonly unknown[]; total: number; pages: number; next: string | undefined }

/** The reason why a list lacks something, and how to report it: as a failure, as a note, or only as a gap of the list. */
type Gap = { reason: string; as: 'failure' | 'note' | 'gap' }

/** The number of successive pages without anything new that end a list. */
const MOST_STALE = 3
/** The most items of a page, and pages of a list. Requests ask for fifty items, and some servers send all that they have. */
const MOST_ITEMS = 10_000
const MOST_PAGES = 20_000

/**
 * Reads the pages of a list, following the link from each to the next. The list is incomplete if it is empty, brings
 * nothing new, does not end, or has fewer items or pages than it claims. Having as many as it claims proves nothing,
 * since some totals are wrong.
 *
 * @param list.ids gets the ids of the items
 */
async function* pagesOf(
  client: Client,
  api: SiteApi,
  { kind, since, ids }: { kind: RecordKind; since: DateTime | undefined; ids: Set<string> },
): AsyncGenerator<ListContent | Gap> {
  const list = api.collection(COLLECTIONS[kind])
  for (const [name, value] of Object.entries(parametersOf(kind, since))) list.searchParams.set(name, value)
  const visited = new Set<string>()
  const said = { total: 0, pages: 0 }
  let url: URL | undefined = list
  let [read, nameless, stale] = [0, 0, 0]
  let skipped = false
  let lost: string | undefined
  for (let number = 1; url; number += 1) {
    if (visited.has(url.href)) lost = 'its last page leads back'
    if (lost !== undefined) break
    visited.add(url.href)
    const page = await readPage(client, url, kind, number)
    if (page === 'missing') lost = 'its next page is missing'
    if (page === 'end' || page === 'missing') break
    if ('reason' in page) {
      yield page
      // One failing page may be due to one record on it; two in a row mean that the server is broken.
      if (page.as === 'note' || skipped || number === 1) return
      skipped = true
      url = withPage(url, number + 1)
      continue
    }
    skipped = false
    const before = ids.size
    for (const item of page.items) {
      const id = isObject(item) ? readId(item.id) : undefined
      if (id === undefined) nameless += 1
      else ids.add(String(id))
    }
    yield { ...page, items: page.items.slice(0, MOST_ITEMS) }
    if (page.items.length > MOST_ITEMS)
      return yield {
        reason: `${url.href} has more than ${MOST_ITEMS} items: the rest is not read`,
        as: 'failure',
      }
    read += 1
    // The list may shrink while it is read, so that an item moves to a page that was read before.
    said.total = Math.max(said.total, page.total)
    said.pages = Math.max(said.pages, page.pages)
    stale = ids.size > before ? 0 : stale + 1
    url = page.next === undefined ? undefined : sameSite(page.next, url)
    if (page.next !== undefined && !url) lost = 'its next page has no address'
    if (url && (stale === MOST_STALE || number === MOST_PAGES)) {
      const reason =
        stale === MOST_STALE ? `the last ${stale} pages have nothing new` : `${number} pages are read`
      return yield { reason: `the list does not end: ${reason}`, as: 'failure' }
    }
  }
  const reasons = [
    ids.size < said.total && `${ids.size} of ${said.total} are in its pages`,
    ids.size === 0 && 'it is empty',
    read < said.pages && `it has ${said.pages} pages, and ends after ${read}`,
    ids.size !== said.total && lost,
    nameless > 0 && `${nameless} in it have no id`,
  ]
  const reason = reasons.find(Boolean)
  if (reason) yield { reason, as: 'gap' }
}

/** A count that a server has sent, perhaps as a text such as `1,234`; 0 if it is not a number. */
const countIn = (value: unknown): number =>
  Math.max(0, Number(typeof value === 'string' ? value.replace(/(?<=\d)[., ](?=\d{3}\b)/g, '') : value) || 0)

/** Reads a page, or finds that there are no more. */
async function readPage(
  client: Client,
  url: URL,
  kind: RecordKind,
  number: number,
): Promise<ListContent | Gap | 'end' | 'missing'> {
  const name = COLLECTIONS[kind]
  try {
    const response = await client.get(url.href)
    const { status, headers } = response
    const json = jsonIn(response)
    const { [name]: items, total, total_pages, next_rest_url: next, code } = isObject(json) ? json : {}
    if (Array.isArray(items))
      return {
        items,
        total: Math.max(countIn(total), countIn(headers.get('x-tec-total'))),
        pages: Math.max(countIn(total_pages), countIn(headers.get('x-tec-totalpages'))),
        next: next && typeof next === 'string' ? next : undefined,
      }
    // Older servers send an empty list, and any page after the last, like this.
    const isEnd = status === 404 && /archive-page-not-found/.test(String(code))
    if (status === 404 && number > 1) return isEnd ? 'end' : 'missing'
    if (isEnd) return { reason: `The site lists no ${name}.`, as: 'note' }
    if (status === 404 && kind !== 'event') return { reason: `The site has no list of ${name}.`, as: 'note' }
    return { reason: `${url.href}: HTTP ${status} without a list of ${name}`, as: 'failure' }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return { reason: error.message, as: 'failure' }
  }
}

function withPage(url: URL, number: number): URL {
  const next = new URL(url)
  next.searchParams.set('page', String(number))
  return next
}

/**
 * The address of the next page on the same server. Servers behind a proxy, and copies of a site, link to another host
 * or to plain http. Then only the parameters of the link are used.
 */
export function sameSite(next: string, current: URL): URL | undefined {
  if (!URL.canParse(next, current.href)) return undefined
  const url = new URL(next, current)
  if (url.origin === current.origin) return url
  const rewritten = new URL(current)
  rewritten.search = url.search
  return rewritten
}
