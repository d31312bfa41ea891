import { reportGuess } from '../../calendar/imports/guesses.ts'
import {
  codeOfStatus,
  type ReaderContext,
  recordStart,
  type SourceItem,
  Unreadable,
} from '../../calendar/imports/records.ts'
import { formatInstant } from '../../kit/lib/time.ts'
import { apiPath } from '../documents.ts'
import { absoluteUrl, decodedPage, readPage, upToScripts, withoutFragment } from '../html-page.ts'
import type { Client, GetOptions, HttpResponse } from '../http.ts'
import { isLikelyEventPage, isWholeSitemap, locations, MAX_LOCATIONS, sitemapKind } from '../sitemap.ts'
import {
  advance,
  type CrawlState,
  MAX_BYTES,
  MAX_LISTS,
  MAX_PAGES,
  newCrawl,
  noteLink,
  type PageMemory,
  type PageOfSite,
  SitePages,
  unreadLinks,
  validatorsOf,
} from './crawl.ts'
import { eventItems, nodeAddress } from './events.ts'
import { type Nodes, nodesOf } from './nodes.ts'

/** The most successive pages without an event, among links that don't look as if they lead to events. */
const MAX_BARREN = 20
/** The source of a page's events: its address without the scheme. */
export const pageSource = (address: string): string => `jsonld:${apiPath(address)}${new URL(address).search}`

/**
 * Reads events in JSON-LD (https://schema.org/Event): the events of a page and of the next pages of its
 * list or, if the page has no events, of the pages on its host to which it links; for a sitemap, the events
 * of the pages in it.
 *
 * @param address the address of the source, which identifies it
 * @param first the response from that address
 * @throws Unreadable if the page is too long, or robots.txt forbids it; Unreachable if robots.txt gives no
 *   response
 */
export async function* pageItems(
  client: Client,
  address: string,
  first: HttpResponse,
  context: ReaderContext,
): AsyncGenerator<SourceItem> {
  const source = pageSource(address)
  const reader = new PageReader(client, { source, context, memory: new Map() })
  let items: SourceItem[] | undefined = await reader.start(first)
  for (; items; items = await reader.next())
    for (const item of items)
      if (item.type === 'note') context.note(item.text)
      else yield item
  for (const link of unreadLinks(reader.crawl)) yield { type: 'unread', source, kind: 'event', what: link }
  const period = reader.period()
  yield period
    ? { type: 'complete', source, kind: 'event', ...period }
    : { type: 'incomplete', source, kind: 'event', reason: reader.gap() ?? 'nothing of it is still to come' }
}

/** Reads pages one after the other. Its crawl records the progress, so that another reader can continue. */
export class PageReader {
  readonly crawl: CrawlState
  readonly #site: SitePages
  readonly #source: string
  readonly #context: ReaderContext
  readonly #memory: PageMemory

  constructor(
    client: Client,
    {
      context,
      crawl = newCrawl(),
      ...options
    }: {
      source: string
      context: ReaderContext
      memory: PageMemory
      crawl?: CrawlState
      limits?: GetOptions
    },
  ) {
    this.crawl = crawl
    this.#site = new SitePages(client, { ...options, crawl })
    this.#source = options.source
    this.#context = context
    this.#memory = options.memory
  }

  /** Reads the first page. @throws Unreadable, Unreachable */
  async start(first: HttpResponse): Promise<SourceItem[]> {
    const { url, status, bytes } = first
    if (bytes.length > MAX_BYTES)
      throw new Unreadable(`${url} is longer than ${MAX_BYTES} bytes`, 'source_too_large')
    if (status !== 200) throw new Unreadable(`${url}: HTTP ${status}`, codeOfStatus(status))
    const page = decodedPage(first)
    const { text } = page
    const isSitemap = sitemapKind(text) !== undefined
    Object.assign(this.crawl, { start: url, isSitemap, first: validatorsOf(first) })
    const { scripts, links } = readPage(isSitemap ? '' : text, url)
    if (!isSitemap && scripts.length === 0 && links.length === 0) return []
    if (!(await this.#site.mayRead(new URL(url))))
      throw new Unreadable(`${url}: the site's robots.txt does not allow it to be read`, 'source_refuses')
    const address = withoutFragment(new URL(url))
    this.crawl.visited.push(address)
    return this.#itemsOf(() => this.#read({ url, ...page, address, response: first }))
  }

  /**
   * Reads the next page, if that is allowed, necessary and possible.
   * @returns undefined if there is none
   * @throws Unreachable
   */
  async next(): Promise<SourceItem[] | undefined> {
    const { crawl } = this
    let url = crawl.queue.shift()
    while (url === undefined && advance(crawl)) url = crawl.queue.shift()
    if (url === undefined) return undefined
    const address = new URL(url)
    return this.#itemsOf(async () => {
      const page = await this.#site.get(address)
      if (page) await this.#read(page)
      if (crawl.stage !== 'any' || crawl.barren < MAX_BARREN || crawl.queue.length === 0) return
      crawl.queue = []
      this.#site.leaveOut(`${MAX_BARREN} pages had no events: the rest is not read.`)
    })
  }

  /** The reason why some events may be missing; undefined if none are. */
  gap(): string | undefined {
    const { isWhole, events } = this.crawl
    if (events === 0) return 'it has no events'
    return isWhole ? undefined : 'some of its pages could not be read'
  }

  /** The period of a complete list's events; undefined if some may be missing. */
  period(): { from: string; to?: string } | undefined {
    const { isSitemap, latest } = this.crawl
    // Pages drop past events, and lists end somewhere. Neither means that an event was withdrawn.
    const from = formatInstant(this.#context.nowMs)
    if (this.gap() !== undefined || (!isSitemap && latest < from)) return undefined
    return { from, ...(!isSitemap && { to: latest }) }
  }

  async #itemsOf(read: () => Promise<void>): Promise<SourceItem[]> {
    this.#site.items = []
    await read()
    return this.#site.items
  }

  #read(page: PageOfSite): Promise<void> {
    const { stage, isSitemap } = this.crawl
    if (stage !== 'lists') return this.#readPage(page)
    return isSitemap ? this.#readSitemap(page) : this.#readList(page)
  }

  /** Reads the events of a page of a list, and notes its links. */
  async #readList(page: PageOfSite): Promise<void> {
    const { crawl } = this
    const { scripts, base, links, next, isCut } = readPage(page.text, page.url)
    const nodes = nodesOf(scripts, page.url)
    nodes.isCut ||= isCut
    const before = crawl.events
    await this.#eventsOf(nodes, page, base)
    crawl.lists += 1
    const isNew = links.filter(link => noteLink(crawl, new URL(link))).length > 0 || crawl.events > before
    for (const listedAddress of nodes.listed) {
      const url = absoluteUrl(listedAddress, base)
      if (url && !this.#site.known.has(url.href)) noteLink(crawl, url, { isNamed: true })
    }
    // The page after that of a single event is not a list, and calendars go on for ever.
    const isOne = nodes.events.some(({ node }) => isSamePage(nodeAddress(node, base), page.url))
    if (next === undefined || isOne || !isNew) return
    if (crawl.lists === MAX_LISTS)
      this.#site.leaveOut(`More than ${MAX_LISTS} pages of the list: the rest is not read.`)
    else crawl.queue.push(next)
  }

  async #readSitemap({ text, url }: PageOfSite): Promise<void> {
    const { crawl } = this
    const kind = sitemapKind(text)
    if (kind === undefined) return this.#site.leaveOut(`${url} is not a sitemap.`)
    crawl.lists += 1
    const foundUrls = locations(text, url)
    if (foundUrls.length === 0) this.#site.leaveOut(`${url} is empty.`)
    if (!isWholeSitemap(text)) this.#site.leaveOut(`${url} breaks off.`)
    if (foundUrls.length > MAX_LOCATIONS)
      this.#site.leaveOut(`${url} has more than ${MAX_LOCATIONS} addresses: the rest is not read.`)
    if (kind === 'pages') for (const foundUrl of foundUrls) noteLink(crawl, foundUrl)
    else {
      const wantedUrls = foundUrls.some(isLikelyEventPage) ? foundUrls.filter(isLikelyEventPage) : foundUrls
      for (const { href } of wantedUrls) if (crawl.queue.length <= MAX_PAGES) crawl.queue.push(href)
    }
    if (crawl.lists < MAX_LISTS || crawl.queue.length === 0) return
    crawl.queue = []
    this.#site.leaveOut(`More than ${MAX_LISTS} sitemaps: the rest is not read.`)
  }

  async #readPage(page: PageOfSite): Promise<void> {
    const { crawl } = this
    const { scripts, base, isCut } = readPage(upToScripts(page.text), page.url)
    const nodes = nodesOf(scripts, page.url)
    nodes.isCut ||= isCut
    const ownEvents = nodes.events.filter(({ node }) => isSamePage(nodeAddress(node, base), page.url))
    const nodesOfOwn = new Set(ownEvents.map(({ node }) => node))
    const isOfAnother = this.#eventsOfOthers(page.address)
    // A page's own information about its events takes precedence over that of other pages.
    for (const { node } of ownEvents) this.#site.known.delete(nodeAddress(node, base) ?? '')
    // Other events that a page shows in addition to its own have pages of their own.
    const events =
      ownEvents.length > 0
        ? nodes.events.filter(
            ({ node, parent }) => nodesOfOwn.has(node) || (parent && nodesOfOwn.has(parent)),
          )
        : nodes.events.filter(({ node }) => !isOfAnother(nodeAddress(node, base)))
    const before = crawl.events
    await this.#eventsOf({ ...nodes, events }, page, base)
    crawl.barren = crawl.events > before ? 0 : crawl.barren + 1
  }

  /**
   * Makes a test for events that have a page of their own which is also read, and was seen to contain them.
   */
  #eventsOfOthers(address: string): (id: string | undefined) => boolean {
    const readAddresses = new Set([...this.crawl.visited, ...this.crawl.queue])
    const knownKeys = new Map<string, Set<string>>()
    return id => {
      const page = id === undefined ? '' : withoutFragment(new URL(id))
      if (id === undefined || page === address || !readAddresses.has(page)) return false
      const ids = knownKeys.get(page) ?? new Set(this.#memory.get(page)?.events.map(([one]) => one))
      knownKeys.set(page, ids)
      return ids.has(id)
    }
  }

  async #eventsOf(
    nodes: Nodes,
    { url, address, response, foreign }: PageOfSite,
    base: string,
  ): Promise<void> {
    const { crawl } = this
    const source = this.#source
    for (const { line, reason } of nodes.failures)
      this.#site.items.push({ type: 'failed', kind: 'page', source, what: url, line, reason })
    for (const line of nodes.mended)
      this.#site.items.push({
        type: 'note',
        text: `${url}, line ${line}: mistakes in its JSON-LD were repaired`,
        code: 'record_repaired',
      })
    if (foreign !== undefined && nodes.events.length > 0)
      reportGuess(this.#context, { code: 'guess_encoding', what: url, text: foreign, as: 'UTF-8' })
    let isWhole = nodes.failures.length === 0 && !nodes.isCut
    if (nodes.isCut) this.#site.leaveOut(`${url} has more, or nests deeper, than is read.`)
    const reading = { ...this.#context, source, base }
    const present = new Map<string, string>()
    for await (const item of eventItems(nodes, reading, this.#site.known, present)) {
      if (item.type === 'failed') isWhole = false
      const start = item.type === 'record' ? recordStart(item.record) : undefined
      if (start !== undefined) crawl.events += 1
      if (start !== undefined && start > crawl.latest) crawl.latest = start
      this.#site.items.push(item)
    }
    // The events that the page had before are assumed to still exist, because sites show errors as pages,
    // too.
    const now = formatInstant(this.#context.nowMs)
    const before = this.#memory.get(address)?.events ?? []
    if (present.size === 0 && before.some(([, start]) => start >= now)) {
      isWhole = false
      for (const [id, start] of before) present.set(id, start)
      this.#site.items.push({ type: 'note', text: `${url} had events, and now has none.` })
    }
    // An event may be identified by the address of this page, which no longer shows it.
    if (present.size === 0) this.#site.items.push({ type: 'unread', source, kind: 'event', what: address })
    crawl.isWhole &&= isWhole
    // A list is always read again, since it leads to other pages, and so is a page that was not read
    // completely.
    const isKept = isWhole && crawl.stage !== 'lists'
    this.#memory.set(address, { ...(isKept && validatorsOf(response)), events: [...present] })
  }
}

const isSamePage = (address: string | undefined, page: string): boolean => {
  if (address === undefined) return false
  const addressUrl = new URL(address)
  const pageUrl = new URL(page)
  const path = ({ host, pathname }: URL) => host + pathname.replace(/\/$/, '')
  return (
    path(addressUrl) === path(pageUrl) &&
    (addressUrl.search === pageUrl.search || addressUrl.search === '' || pageUrl.search === '')
  )
}
