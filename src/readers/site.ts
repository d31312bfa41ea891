import {
  type AnyRecord,
  COLLECTIONS,
  codeOfStatus,
  isTerm,
  isTermRecordKind,
  RECORD_KINDS,
  type ReaderContext,
  type RecordKind,
  type SourceItem,
} from '../calendar/imports/records.ts'
import { Turns } from '../kit/lib/pause.ts'
import type { ReadingCode } from '../kit/lib/reasons.ts'
import { addDays, type DateTime } from '../kit/lib/time.ts'
import { isObject } from '../kit/lib/values.ts'
import { apiPath, parentsFirst, readDocument, sentCount } from './documents.ts'
import { readId } from './fields.ts'
import { type Client, type HttpResponse, Unreachable } from './http.ts'
import { seriesIdIn } from './read-event.ts'
import { jsonIn, type SiteApi } from './site-address.ts'

/** The address of a list. Without dates, servers list the events of the next two years only. */
function listAddress({ api, since }: SiteReading, kind: RecordKind): URL {
  const url = api.collection(COLLECTIONS[kind])
  const parameters = {
    per_page: '50',
    ...(kind === 'event' && {
      status: 'publish',
      // In the site's local time, which may be that of any zone.
      start_date: since === undefined ? '1970-01-01 00:00:00' : addDays(since, -1),
      end_date: '2100-12-31 23:59:59',
    }),
    ...(isTermRecordKind(kind) && { hide_empty: 'false' }),
    ...(kind === 'event' && api.filters),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

/** The name of the calendar behind an API: host and path, so that http and https are the same. */
const sourceOf = (api: SiteApi): string => apiPath(api.collection('events').href).replace(/\/events$/, '')

/**
 * Reads the public lists of a site, and also the terms, venues and organizers embedded in events, because
 * lists may lack some, or be missing.
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
  const series = new SeriesReader(id => client.get(api.collection(`series/${id}`).href))
  const reading = { client, api, context, source, since, series, turns: new Turns() }
  const isWhole = Object.keys(api.filters).length === 0
  if (!isWhole) {
    const keptFilters = Object.entries(api.filters).map(([name, value]) => `${name}=${value}`)
    yield {
      type: 'note',
      text: `The address has filters: only events with ${keptFilters.join(', ')} are read.`,
    }
  }
  // Events embed their terms and places; the lists of these have no such filters.
  for (const kind of isWhole ? LISTS : (['event'] as const)) {
    const gap = yield* listItems(reading, kind)
    for (const finished of kind === 'event' ? (['series', kind] as const) : [kind]) {
      if (gap !== undefined) yield { type: 'incomplete', source, kind: finished, reason: gap }
      // What a filter leaves out has not vanished from the site.
      else if (isWhole)
        yield { type: 'complete', source, kind: finished, ...(since !== undefined && { from: since }) }
    }
  }
}

type SiteReading = {
  client: Client
  api: SiteApi
  context: ReaderContext
  source: string
  since: DateTime | undefined
  series: SeriesReader
  turns: Turns
}

/** Reads a list of a site. @returns the reason why it lacks something, if it does */
async function* listItems(
  reading: SiteReading,
  kind: RecordKind,
): AsyncGenerator<SourceItem, string | undefined> {
  let gap: string | undefined
  let listedCount: number | undefined
  const ids = new Set<string>()
  const terms: AnyRecord[] = []
  for await (const page of pagesOf(reading, kind, ids)) {
    if ('reason' in page) {
      gap ??= page.reason
      if (page.as === 'note') yield { type: 'note', text: page.reason }
      if (page.as === 'failure')
        yield { type: 'failed', kind: 'page', what: COLLECTIONS[kind], reason: page.reason, code: page.code }
      continue
    }
    if (listedCount === undefined) yield { type: 'expect', count: Math.max(page.total, page.items.length) }
    listedCount ||= page.total
    for await (const item of pageItems(reading, kind, page.items)) {
      // A category may be listed before its parent.
      if (item.type === 'record' && kind !== 'event' && isTerm(item.record)) terms.push(item.record)
      else yield item
    }
  }
  yield* parentsFirst(terms)
  if (listedCount) yield { type: 'total', kind, read: ids.size, listed: listedCount }
  return gap
}

/** Reads the items of a page of a list, after the series that its events name. */
async function* pageItems(
  { context, source, series, turns }: SiteReading,
  kind: RecordKind,
  items: readonly unknown[],
): AsyncGenerator<SourceItem> {
  if (kind === 'event') yield* series.itemsOf(items, source, context)
  const place = { source, series: series.known }
  for (const [from, raw] of items.entries()) {
    await turns.take(raw)
    yield* readDocument({ kind, items: [raw], from }, place, context)
  }
}

/** The kinds that sites list. Occurrences name their series. */
const LISTS = RECORD_KINDS.filter(kind => kind !== 'series')

/** The number of series without a response after which no more are requested. */
const MAX_FAILURES = 3

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

  /**
   * Reads the series of some events. One that cannot be read is reported, and its occurrences become single
   * events.
   */
  async *itemsOf(
    events: readonly unknown[],
    source: string,
    context: ReaderContext,
  ): AsyncGenerator<SourceItem> {
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
    if (this.#failures === MAX_FAILURES) return undefined
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

/**
 * The content of a page. `total` and `pages` count the whole list, and are 0 if the page doesn't name them.
 */
type ListContent = { items: readonly unknown[]; total: number; pages: number; next: string | undefined }

/** Why a list is incomplete, and how to report it. */
type Gap = { reason: string; code?: ReadingCode; as: 'failure' | 'note' | 'gap' }

/** The number of successive pages without anything new that end a list. */
const MAX_STALE = 3
/**
 * The most items of a page, and pages of a list. Requests ask for fifty items, and some servers send all that
 * they have.
 */
const MAX_ITEMS = 10_000
const MAX_PAGES = 20_000

/** The items that were read of a list, and the totals that its pages claim. */
class ListCounts {
  readonly #ids: Set<string>
  #total = 0
  #pages = 0
  #read = 0
  #nameless = 0
  /** The number of successive pages without anything new, and without any items, up to now. */
  #stale = 0
  #empty = 0
  /** Set when an empty page is followed by one that is not empty. */
  #hole: string | undefined

  constructor(ids: Set<string>) {
    this.#ids = ids
  }

  add({ items, total, pages }: ListContent, number: number): void {
    const before = this.#ids.size
    for (const item of items) {
      const id = isObject(item) ? readId(item.id) : undefined
      if (id === undefined) this.#nameless += 1
      else this.#ids.add(String(id))
    }
    const isEmpty = items.length === 0
    if (!isEmpty) this.#read += 1
    if (!isEmpty && this.#empty > 0) this.#hole ??= `its page ${number - 1} is empty, and the next one is not`
    this.#empty = isEmpty ? this.#empty + 1 : 0
    this.#stale = this.#ids.size > before ? 0 : this.#stale + 1
    // The list may shrink while it is read, so that an item moves to a page that was read before.
    this.#total = Math.max(this.#total, total)
    this.#pages = Math.max(this.#pages, pages)
  }

  /** True if as many items were read as the list claims to have. */
  get #hasTotal(): boolean {
    return this.#ids.size === this.#total
  }

  /**
   * True if the last page is empty, and the one before was not, although the list claims to have other items.
   */
  get breaksOff(): boolean {
    return this.#empty === 1 && !this.#hasTotal
  }

  /**
   * The reason to assume that the list goes on for ever, if there is one.
   * @param number the number of the last page
   */
  endless(number: number): string | undefined {
    if (this.#stale === MAX_STALE) return `the last ${MAX_STALE} pages have nothing new`
    return number === MAX_PAGES ? `${number} pages are read` : undefined
  }

  /**
   * The reason why the list lacks something, if it does.
   * @param lostPage the reason why no other page was found
   */
  gap(lostPage: string | undefined): string | undefined {
    const { size } = this.#ids
    const reasons = [
      size < this.#total && `${size} of ${this.#total} are in its pages`,
      size === 0 && 'it is empty',
      this.#read < this.#pages && `it has ${this.#pages} pages, and ends after ${this.#read}`,
      !this.#hasTotal && (lostPage ?? this.#hole),
      this.#nameless > 0 && `${this.#nameless} in it have no id`,
    ]
    return reasons.find(reason => typeof reason === 'string')
  }
}

/**
 * Reads the pages of a list, following the link from each to the next. The list is incomplete if it is empty,
 * brings nothing new, does not end, has fewer items or pages than it claims, or an empty page before others.
 * Having as many as it claims proves nothing, since some totals are wrong.
 *
 * @param ids gets the ids of the items
 */
async function* pagesOf(
  reading: SiteReading,
  kind: RecordKind,
  ids: Set<string>,
): AsyncGenerator<ListContent | Gap> {
  const counts = new ListCounts(ids)
  const visited = new Set<string>()
  let url: URL | undefined = listAddress(reading, kind)
  let isAfterFailure = false
  let isUnlinked = false
  let lostPage: string | undefined
  for (let number = 1; url; number += 1) {
    if (visited.has(url.href)) {
      lostPage = 'its last page leads back'
      break
    }
    visited.add(url.href)
    const page = await readPage(reading.client, url, kind, number)
    if (page === 'missing') {
      if (!isUnlinked) lostPage = 'its next page is missing'
      break
    }
    if ('reason' in page) {
      yield page
      // One failing page may be due to one record on it; two in a row mean that the server is broken.
      if (page.as === 'note' || isAfterFailure || number === 1) return
      isAfterFailure = true
      url = withPage(url, number + 1)
      continue
    }
    isAfterFailure = false
    counts.add(page, number)
    yield { ...page, items: page.items.slice(0, MAX_ITEMS) }
    if (page.items.length > MAX_ITEMS)
      return yield {
        reason: `${url.href} has more than ${MAX_ITEMS} items: the rest is not read`,
        code: 'record_not_all',
        as: 'failure',
      }
    // After an empty page, the next page, to which it doesn't link, shows whether the list ends there or
    // lacks a page.
    isUnlinked = page.next === undefined && number > 1 && counts.breaksOff
    if (page.next === undefined && !isUnlinked) break
    url = page.next === undefined ? withPage(url, number + 1) : sameSite(page.next, url)
    const endless = counts.endless(number)
    if (!url) lostPage = 'its next page has no address'
    else if (endless)
      return yield { reason: `the list does not end: ${endless}`, code: 'record_not_all', as: 'failure' }
  }
  const reason = counts.gap(lostPage)
  if (reason) yield { reason, as: 'gap' }
}

/** The page after the last of a list. */
const END: ListContent = { items: [], total: 0, pages: 0, next: undefined }

/** Reads a page, or finds that it does not exist. */
async function readPage(
  client: Client,
  url: URL,
  kind: RecordKind,
  number: number,
): Promise<ListContent | Gap | 'missing'> {
  const name = COLLECTIONS[kind]
  try {
    const response = await client.get(url.href)
    const { status, headers } = response
    const json = jsonIn(response)
    const { [name]: items, total, total_pages, next_rest_url: next, code } = isObject(json) ? json : {}
    if (Array.isArray(items))
      return {
        items,
        total: Math.max(sentCount(total), sentCount(headers.get('x-tec-total'))),
        pages: Math.max(sentCount(total_pages), sentCount(headers.get('x-tec-totalpages'))),
        next: next && typeof next === 'string' ? next : undefined,
      }
    // Older servers send an empty list, and any page after the last, like this.
    const isEnd = status === 404 && /archive-page-not-found/.test(String(code))
    if (status === 404 && number > 1) return isEnd ? END : 'missing'
    if (isEnd) return { reason: `The site lists no ${name}.`, as: 'note' }
    if (status === 404 && kind !== 'event') return { reason: `The site has no list of ${name}.`, as: 'note' }
    return {
      reason: `${url.href}: HTTP ${status} without a list of ${name}`,
      code: codeOfStatus(status),
      as: 'failure',
    }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return { reason: error.message, code: error.code, as: 'failure' }
  }
}

function withPage(url: URL, number: number): URL {
  const next = new URL(url)
  next.searchParams.set('page', String(number))
  return next
}

/**
 * The address of the next page on the same server. Servers behind a proxy, and copies of a site, link to
 * another host or to plain http. Then only the parameters of the link are used.
 */
export function sameSite(next: string, current: URL): URL | undefined {
  if (!URL.canParse(next, current.href)) return undefined
  const url = new URL(next, current)
  if (url.origin === current.origin) return url
  const rewritten = new URL(current)
  rewritten.search = url.search
  return rewritten
}
