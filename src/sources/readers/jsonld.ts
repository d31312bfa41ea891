import type { DateTime } from '../../lib/time.ts'
import { formatInstant } from '../../lib/time.ts'
import { type ReaderContext, recordStart, type SourceItem, Unreadable } from '../records.ts'
import { apiPath } from './documents.ts'
import { absolute, type HtmlPage, pageText, readPage, withoutFragment } from './html-page.ts'
import {
  AGENT,
  type Client,
  type GetOptions,
  type HttpResponse,
  Unreachable,
  type Validators,
} from './http.ts'
import { eventItems, nodeAddress } from './jsonld-events.ts'
import { type Nodes, nodesOf } from './jsonld-nodes.ts'
import { type Robots, readRobots } from './robots.ts'
import { FILE, likely, locations, sitemapKind } from './sitemap.ts'

const MOST_PAGES = 200
const MOST_SITEMAPS = 20
/** Pages of one list. */
const MOST_LISTS = 20
/** Addresses of all sitemaps together. */
const MOST_LINKS = 20_000
/** Pages one after the other that give no response, after which no more are asked for. */
const MOST_FAILURES = 3
/** Pages one after the other without an event, of links of which nothing tells that they lead to one. */
const MOST_BARREN = 20
const MOST_BYTES = 10_000_000

/** Limits of each request for a page: one a second, at most. */
const POLITELY = {
  maxBytes: MOST_BYTES,
  maxRedirects: 3,
  pauseMs: 1_000,
  timeoutMs: 20_000,
} as const satisfies GetOptions

/** What pages said of themselves when they were read before. Without it, every page is read as for the first time. */
export type PageMemory = {
  get: (url: string) => Validators | undefined
  set: (url: string, validators: Validators) => void
}

/** The source of the events of a page, by its address without the scheme. */
export const pageSource = (address: string): string => `jsonld:${apiPath(address)}${new URL(address).search}`

/**
 * Reads the events that a page has as JSON-LD (https://schema.org/Event): its own and those of the pages of its list after
 * it, or, if it has none, those of the pages that it links to on its host. Of a sitemap, those of its pages.
 *
 * @param address that of the source, by which it is known again
 * @param first the response of that address
 * @throws Unreadable if the page is too long, or robots.txt forbids it; Unreachable if that gives no response
 */
export async function* pageItems(
  client: Client,
  address: string,
  first: HttpResponse,
  context: ReaderContext,
  memory?: PageMemory,
): AsyncGenerator<SourceItem> {
  yield* new PageReader(client, address, first, context, memory).items()
}

class PageReader {
  readonly #client: Client
  readonly #address: string
  readonly #first: HttpResponse
  readonly #context: ReaderContext
  readonly #memory: PageMemory | undefined
  readonly #source: string
  readonly #host: string
  readonly #visited = new Set<string>()
  readonly #taken = new Map<string, string>()
  #robots: Robots = () => true
  #requests = 0
  #events = 0
  #failures = 0
  #unchanged = 0
  #latest: DateTime = ''
  /** True while nothing was left out that may have had events. */
  #isWhole = true

  constructor(
    client: Client,
    address: string,
    first: HttpResponse,
    context: ReaderContext,
    memory: PageMemory | undefined,
  ) {
    this.#client = client
    this.#address = address
    this.#first = first
    this.#context = context
    this.#memory = memory
    this.#source = pageSource(address)
    this.#host = new URL(first.url).host
  }

  async *items(): AsyncGenerator<SourceItem> {
    const { url, status, bytes } = this.#first
    if (bytes.length > MOST_BYTES) throw new Unreadable(`${url} is longer than ${MOST_BYTES} bytes`)
    if (status !== 200) throw new Unreadable(`${url}: HTTP ${status}`)
    const text = pageText(this.#first)
    const isList = sitemapKind(text) === undefined
    const page = readPage(isList ? text : '', url)
    if (isList && page.scripts.length === 0 && page.links.length === 0) return
    this.#robots = await this.#readRobots()
    if (!this.#mayRead(new URL(url))) throw new Unreadable(`${url}: the site's robots.txt forbids to read it`)
    this.#visited.add(withoutFragment(new URL(url)))
    yield* isList ? this.#ofList(page) : this.#ofSitemap(text)
    if (this.#unchanged > 0)
      yield { type: 'note', text: 'Pages that have not changed since they were read are not read again.' }
    // What a page tells of itself says nothing of those that it links to.
    else if (isList && this.#requests === 0 && this.#isWhole)
      this.#memory?.set(this.#address, validatorsOf(this.#first))
    // Pages forget what is over, and lists end somewhere: neither is a sign that an event was taken back.
    const from = formatInstant(this.#context.nowMs)
    if (this.#isWhole && this.#events > 0 && (!isList || this.#latest >= from))
      yield {
        ...{ type: 'complete', source: this.#source, kind: 'event', from },
        ...(isList && { to: this.#latest }),
      }
    else yield { type: 'incomplete', source: this.#source, kind: 'event' }
  }

  /** Without one, everything may be read; while it cannot be had, nothing (RFC 9309 §2.3.1). */
  async #readRobots(): Promise<Robots> {
    const response = await this.#client.get(new URL('/robots.txt', this.#first.url).href, POLITELY)
    if (response.status >= 500) throw new Unreachable(`${response.url}: HTTP ${response.status}`)
    return response.status === 200 ? readRobots(pageText(response), AGENT) : () => true
  }

  #mayRead = ({ host, pathname, search }: URL): boolean =>
    host === this.#host && this.#robots(pathname + search)

  /** The events of a list and of its further pages, or of what these link to. */
  async *#ofList(start: HtmlPage): AsyncGenerator<SourceItem> {
    const listed: URL[] = []
    let address = this.#first.url
    const known = new Set<string>()
    let read = 1
    for (let page: HtmlPage | undefined = start; page; read += 1) {
      const nodes = nodesOf(page.scripts, address)
      const before = this.#events + known.size
      yield* this.#eventsOf(nodes, address, page.base)
      for (const link of page.links) known.add(link)
      const base = page.base
      const isNew = (url: URL) => !this.#taken.has(url.href)
      listed.push(...nodes.listed.flatMap(one => absolute(one, base) ?? []).filter(isNew))
      // What comes after the page of one event is no list, and calendars go on for ever.
      const isOne = nodes.events.some(({ node }) => isSamePage(nodeAddress(node, base), address))
      const goesOn = !isOne && this.#events + known.size > before
      const next: URL | undefined = page.next === undefined || !goesOn ? undefined : new URL(page.next)
      if (next && read === MOST_LISTS) {
        this.#leaveOut(`More than ${MOST_LISTS} pages of the list: the rest is not read.`)
        break
      }
      const found: SourceItem[] = []
      const following: Page | undefined = next && (await this.#get(next, item => found.push(item)))
      yield* found
      if (following) address = following.url
      page = following && readPage(following.text, following.url)
    }
    if (listed.length > 0) return yield* this.#ofPages(listed)
    if (this.#events > 0) return
    const path = new URL(this.#first.url).pathname.replace(/[^/]*$/, '')
    const isBelow = ({ pathname }: URL) => path !== '/' && pathname.startsWith(path)
    const linked = [...known].map(one => new URL(one))
    yield* this.#ofAny(linked, url => isBelow(url) || likely(url))
  }

  async *#ofSitemap(text: string): AsyncGenerator<SourceItem> {
    let read = 1
    const pages: URL[] = []
    const queue = [{ text, address: this.#first.url }]
    for (let top = queue.shift(); top; top = queue.shift()) {
      const found = locations(top.text, top.address)
      if (sitemapKind(top.text) === 'pages') {
        for (const url of found.filter(({ host }) => host === this.#host)) {
          if (pages.length < MOST_LINKS) pages.push(url)
        }
        continue
      }
      const wanted = found.some(likely) ? found.filter(likely) : found
      for (const url of wanted) {
        if (read === MOST_SITEMAPS) {
          this.#leaveOut(`More than ${MOST_SITEMAPS} sitemaps: the rest is not read.`)
          break
        }
        const items: SourceItem[] = []
        const page = await this.#get(url, item => items.push(item))
        yield* items
        if (!page) continue
        read += 1
        if (sitemapKind(page.text) === undefined) this.#leaveOut(`${page.url} is no sitemap.`)
        else queue.push({ text: page.text, address: page.url })
      }
    }
    yield* this.#ofAny(pages, likely)
  }

  /** The events of pages that look as if they had some, or else of others, as long as these have. */
  async *#ofAny(urls: readonly URL[], isLikely: (url: URL) => boolean): AsyncGenerator<SourceItem> {
    const pages = urls.filter(url => !FILE.test(url.pathname))
    yield* this.#ofPages(pages.filter(isLikely))
    if (this.#events + this.#unchanged === 0) yield* this.#ofPages(pages, MOST_BARREN)
  }

  /** @param mostBarren after how many pages without an event it ends */
  async *#ofPages(urls: readonly URL[], mostBarren = Number.POSITIVE_INFINITY): AsyncGenerator<SourceItem> {
    let barren = 0
    for (const url of urls) {
      if (barren === mostBarren) return this.#leaveOut(`${barren} pages had no events: the rest is not read.`)
      const items: SourceItem[] = []
      const before = this.#events
      const page = await this.#get(url, item => items.push(item))
      yield* items
      if (!page) continue
      const { scripts, base } = readPage(page.text, page.url)
      const nodes = nodesOf(scripts, page.url)
      const own = nodes.events.filter(({ node }) => isSamePage(nodeAddress(node, base), page.url))
      // What the page shows of others besides its own event has a page itself.
      const events = own.length > 0 ? nodes.events.filter(one => isPartOf(one, own)) : nodes.events
      yield* this.#eventsOf({ ...nodes, events }, page.url, base)
      barren = this.#events > before ? 0 : barren + 1
    }
  }

  async *#eventsOf(nodes: Nodes, address: string, base: string): AsyncGenerator<SourceItem> {
    for (const { line, reason } of nodes.failures)
      yield { type: 'failed', kind: 'page', source: this.#source, what: address, line, reason }
    if (nodes.failures.length > 0) this.#isWhole = false
    if (nodes.isCut) this.#leaveOut(`${address} has more, or nests deeper, than is read.`)
    const reading = { source: this.#source, base, byId: nodes.byId, context: this.#context }
    for await (const item of eventItems(nodes, reading, this.#taken)) {
      if (item.type === 'failed') this.#isWhole = false
      const start = item.type === 'record' ? recordStart(item.record) : undefined
      if (start !== undefined) this.#events += 1
      if (start !== undefined && start > this.#latest) this.#latest = start
      yield item
    }
    this.#context.afterPage?.()
  }

  #leaveOut(reason: string): void {
    this.#isWhole = false
    this.#context.note(reason)
  }

  /** A page of the same host that was not read before; undefined if it may not, need not or cannot be read. */
  async #get(url: URL, report: (item: SourceItem) => void): Promise<Page | undefined> {
    const address = withoutFragment(url)
    if (url.host !== this.#host || this.#visited.has(address)) return undefined
    this.#visited.add(address)
    if (!this.#mayRead(url)) {
      this.#leaveOut('The robots.txt of the site forbids to read some of its pages.')
      return undefined
    }
    if (this.#requests === MOST_PAGES) {
      this.#leaveOut(`More than ${MOST_PAGES} pages: the rest is not read.`)
      return undefined
    }
    if (this.#failures === MOST_FAILURES) {
      this.#leaveOut(`${MOST_FAILURES} pages in a row gave no response: the rest is not read.`)
      return undefined
    }
    this.#requests += 1
    try {
      const known = this.#memory?.get(address)
      const response = await this.#client.get(address, { ...POLITELY, known })
      this.#failures = 0
      if (response.status === 304) {
        // What it has is not known any more, so that none of it may count as vanished.
        this.#isWhole = false
        this.#unchanged += 1
        return undefined
      }
      // It has gone, and so have its events.
      if (response.status === 404 || response.status === 410) return undefined
      if (response.status !== 200) throw new Unreachable(`${address}: HTTP ${response.status}`)
      const target = new URL(response.url)
      if (!this.#mayRead(target))
        throw new Unreachable(`${address} leads to ${response.url}, which is not read`)
      if (address !== withoutFragment(target) && this.#visited.has(withoutFragment(target))) return undefined
      this.#visited.add(withoutFragment(target))
      this.#memory?.set(address, validatorsOf(response))
      return { url: response.url, text: pageText(response) }
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      this.#isWhole = false
      this.#failures += 1
      report({ type: 'failed', kind: 'page', source: this.#source, what: address, reason: error.message })
      return undefined
    }
  }
}

type Page = { url: string; text: string }

function validatorsOf({ headers }: HttpResponse): Validators {
  const [etag, lastModified] = [headers.get('etag'), headers.get('last-modified')]
  return { ...(etag && { etag }), ...(lastModified && { lastModified }) }
}

const isSamePage = (address: string | undefined, page: string): boolean => {
  const bare = (url: string) =>
    url
      .replace(/[#?].*$/, '')
      .replace(/^https?:/, '')
      .replace(/\/$/, '')
  return address !== undefined && bare(address) === bare(page)
}

/** Tells if an event is one of some, or part of one. */
const isPartOf = (event: Nodes['events'][number], own: Nodes['events']): boolean =>
  own.includes(event) || own.some(({ node }) => node === event.parent)
