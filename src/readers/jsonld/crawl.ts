import { codeOfStatus, type SourceItem } from '../../calendar/imports/records.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import { decodedPage, pageText, withoutFragment } from '../html-page.ts'
import {
  AGENT,
  type Client,
  type GetOptions,
  type HttpResponse,
  Unreachable,
  type Validators,
} from '../http.ts'
import { MAX_ROBOTS_BYTES, type Robots, readRobots } from '../robots.ts'
import { isLikelyEventPage, NON_PAGE_FILE } from '../sitemap.ts'

export const MAX_PAGES = 200
/** The most pages of a list, or sitemaps, to read. */
export const MAX_LISTS = 20
/**
 * Longer addresses are not followed, and longer entity tags not kept, so that the stored state of pages has a
 * bounded size.
 */
const MAX_ADDRESS_LENGTH = 1_000
const MAX_TAG_LENGTH = 200

/** The validators of a page when it was read, and the events that it had. */
export type KnownPage = Validators & { events: [id: string, start: DateTime][] }

/** The known state of pages, by address. */
export type PageMemory = {
  get: (url: string) => KnownPage | undefined
  set: (url: string, known: KnownPage) => void
}

/** The progress of reading pages, in a form that JSON can hold, so that another run can continue. */
export type CrawlState = {
  /** The first page, after redirects, and its validators. */
  start: string
  first: Validators
  isSitemap: boolean
  /** The stage: pages of the list or sitemaps, then pages that these name, or pages that they link to. */
  stage: 'lists' | 'listed' | 'likely' | 'any' | 'end'
  queue: string[]
  /**
   * Addresses for later stages: those in lists, links that look as if they lead to events, and other links.
   */
  listed: string[]
  likely: string[]
  others: string[]
  visited: string[]
  /**
   * The number of requests, lists and events, and of successive pages without a response, or without an
   * event.
   */
  requests: number
  lists: number
  events: number
  failures: number
  barren: number
  /** The start of the last event. */
  latest: DateTime
  /** True as long as nothing was left out that might have events. */
  isWhole: boolean
}

export const newCrawl = (): CrawlState => ({
  start: '',
  first: {},
  isSitemap: false,
  stage: 'lists',
  isWhole: true,
  latest: '',
  queue: [],
  listed: [],
  likely: [],
  others: [],
  visited: [],
  requests: 0,
  lists: 0,
  events: 0,
  failures: 0,
  barren: 0,
})

/** Continues with the next stage. @returns false if there is none */
export function advance(crawl: CrawlState): boolean {
  const { stage, events, listed, likely, others, isSitemap } = crawl
  const after = (): [CrawlState['stage'], string[]] => {
    if (stage === 'lists' && listed.length > 0) return ['listed', listed]
    if (stage === 'lists' && (isSitemap || events === 0)) return ['likely', likely]
    if (stage === 'likely' && events === 0) return ['any', others]
    return ['end', []]
  }
  const [next, queue] = after()
  Object.assign(crawl, { stage: next, queue, barren: 0 })
  return next !== 'end'
}

/** Notes an address in a list, or a link of a page or sitemap. @returns true if it is new */
export function noteLink(
  crawl: CrawlState,
  { href, host, pathname }: URL,
  { isNamed = false } = {},
): boolean {
  const start = new URL(crawl.start)
  const path = start.pathname.replace(/(?<![^/])[^/]*$/, '')
  const isBelow = !crawl.isSitemap && path !== '/' && pathname.startsWith(path)
  if (host !== start.host || href.length > MAX_ADDRESS_LENGTH || (!isNamed && NON_PAGE_FILE.test(pathname)))
    return false
  const list = isNamed
    ? crawl.listed
    : isBelow || isLikelyEventPage({ pathname })
      ? crawl.likely
      : crawl.others
  // One more than the limit, to show that there are more.
  if (list.length > MAX_PAGES || list.includes(href)) return false
  list.push(href)
  return true
}

/**
 * The linked addresses that were not requested because other pages had events. Events that were read from
 * them earlier, when no other page had events, have not vanished.
 */
export function unreadLinks({ listed, likely, others, visited }: CrawlState): string[] {
  const readAddresses = new Set(visited)
  return [...listed, ...likely, ...others].filter(url => !readAddresses.has(url))
}

export function validatorsOf({ headers }: Pick<HttpResponse, 'headers'>): Validators {
  const [etag, lastModified] = ['etag', 'last-modified'].map(name => {
    const value = headers.get(name) ?? ''
    return value.length > MAX_TAG_LENGTH ? '' : value
  })
  return { ...(etag && { etag }), ...(lastModified && { lastModified }) }
}

export const MAX_BYTES = 10_000_000
/** The number of successive pages without a response after which no more are requested. */
const MAX_FAILURES = 3

/** Limits on requests for pages: at most one a second. */
const POLITELY = {
  maxBytes: MAX_BYTES,
  maxRedirects: 3,
  pauseMs: 1_000,
  timeoutMs: 20_000,
} as const satisfies GetOptions

/** A page, and the address that identifies it. */
export type PageOfSite = {
  url: string
  text: string
  /** The first line that is not UTF-8, in a page that should be. */
  foreign?: string
  address: string
  response: Pick<HttpResponse, 'headers'>
}

type SiteOptions = {
  source: string
  memory: PageMemory
  crawl: CrawlState
  limits?: GetOptions | undefined
}

/**
 * The pages of one host. Each is requested once, and only read if it has changed. The crawl records the
 * progress.
 */
export class SitePages {
  /** The events found so far, with their starts. */
  readonly known = new Map<string, string>()
  /** Collects the items of the current page. */
  items: SourceItem[] = []
  readonly #client: Client
  readonly #options: SiteOptions
  readonly #limits: GetOptions
  #robots: Robots | undefined

  constructor(client: Client, options: SiteOptions) {
    this.#client = client
    this.#options = options
    this.#limits = { ...POLITELY, ...options.limits }
    for (const url of options.crawl.visited) this.#take(options.memory.get(url)?.events ?? [])
  }

  /** Notes that something was not read, so that no event counts as vanished. */
  leaveOut(text: string): void {
    this.#options.crawl.isWhole = false
    this.items.push({ type: 'note', text })
  }

  /**
   * True if robots.txt allows reading a page. If there is no such file, all pages are allowed; if it cannot
   * be fetched, none (RFC 9309 §2.3.1).
   *
   * @throws Unreachable
   */
  async mayRead({ host, pathname, search }: URL): Promise<boolean> {
    const { start } = this.#options.crawl
    if (host !== new URL(start).host) return false
    if (!this.#robots) {
      const response = await this.#client.get(new URL('/robots.txt', start).href, this.#limits)
      const { status, headers, bytes } = response
      if (status >= 500) throw new Unreachable(`${response.url}: HTTP ${status}`, codeOfStatus(status))
      const text = status === 200 ? pageText({ headers, bytes: bytes.subarray(0, MAX_ROBOTS_BYTES) }) : ''
      this.#robots = readRobots(text, AGENT)
    }
    return this.#robots(pathname + search)
  }

  /**
   * Gets a page of the same host that was not read before; undefined if it may not, need not or cannot be
   * read.
   *
   * @throws Unreachable
   */
  async get(url: URL): Promise<PageOfSite | undefined> {
    const { crawl, source } = this.#options
    const address = withoutFragment(url)
    if (url.host !== new URL(crawl.start).host || crawl.visited.includes(address)) return undefined
    crawl.visited.push(address)
    if (!(await this.mayRead(url))) {
      this.leaveOut('The robots.txt of the site does not allow some of its pages to be read.')
      return undefined
    }
    const end =
      crawl.requests === MAX_PAGES
        ? `More than ${MAX_PAGES} pages`
        : crawl.failures === MAX_FAILURES
          ? `${MAX_FAILURES} pages in a row gave no response`
          : undefined
    if (end !== undefined) {
      Object.assign(crawl, { queue: [], stage: 'end' })
      this.leaveOut(`${end}: the rest is not read.`)
      return undefined
    }
    crawl.requests += 1
    let isSilent = true
    try {
      const page = await this.#request(address, () => {
        isSilent = false
      })
      crawl.failures = 0
      return page
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      crawl.isWhole = false
      crawl.failures = isSilent ? crawl.failures + 1 : 0
      this.items.push({
        type: 'failed',
        kind: 'page',
        source,
        what: address,
        reason: error.message,
        code: 'record_page',
      })
      return undefined
    }
  }

  async #request(address: string, onRedirect: () => void): Promise<PageOfSite | undefined> {
    const { crawl, memory } = this.#options
    const knownPage = crawl.stage === 'lists' ? undefined : memory.get(address)
    const mayFollow = (url: URL): Promise<boolean> => {
      onRedirect()
      return this.mayRead(url)
    }
    const response = await this.#client.get(address, { ...this.#limits, known: knownPage, mayFollow })
    const { status } = response
    if (status === 304 && (knownPage?.etag || knownPage?.lastModified)) {
      const addedEvents = knownPage.events.filter(([id]) => !this.known.has(id))
      this.#take(knownPage.events)
      for (const [, start] of knownPage.events) if (start > crawl.latest) crawl.latest = start
      crawl.events += addedEvents.length
      crawl.barren = addedEvents.length > 0 ? 0 : crawl.barren + 1
      return undefined
    }
    // The page is gone, and so are its events.
    if (status === 404 || status === 410) {
      if (crawl.stage === 'lists') this.leaveOut(`${address}: HTTP ${status}, where the list goes on.`)
      memory.set(address, { events: [] })
      return undefined
    }
    if (status !== 200) throw new Unreachable(`${address}: HTTP ${status}`, codeOfStatus(status))
    const end = withoutFragment(new URL(response.url))
    if (address !== end && crawl.visited.includes(end)) return undefined
    if (address !== end) crawl.visited.push(end)
    return { url: response.url, ...decodedPage(response), address, response }
  }

  #take(events: KnownPage['events']): void {
    for (const [id, start] of events) this.known.set(id, start)
  }
}
