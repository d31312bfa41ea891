import type { SourceItem } from '../records.ts'
import { pageText, withoutFragment } from './html-page.ts'
import { AGENT, type Client, type GetOptions, type HttpResponse, Unreachable } from './http.ts'
import { type Crawl, type KnownPage, MOST_PAGES, type PageMemory } from './jsonld-crawl.ts'
import { ROBOTS_BYTES, type Robots, readRobots } from './robots.ts'

export const MOST_BYTES = 10_000_000
/** Pages one after the other that give no response, after which no more are asked for. */
const MOST_FAILURES = 3

/** Limits of each request for a page: one a second, at most. */
const POLITELY = {
  maxBytes: MOST_BYTES,
  maxRedirects: 3,
  pauseMs: 1_000,
  timeoutMs: 20_000,
} as const satisfies GetOptions

/** A page, and the address by which it is known. */
export type PageOfSite = {
  url: string
  text: string
  address: string
  response: Pick<HttpResponse, 'headers'>
}

type SiteOptions = {
  source: string
  memory: PageMemory
  crawl: Crawl
  limits?: GetOptions | undefined
}

/** The pages of one host, of which each is asked for once, and only if it has changed. What comes of that is in a crawl. */
export class SitePages {
  /** The events that were there so far, with their starts. */
  readonly taken = new Map<string, string>()
  /** Takes what is to be told of the page that is asked for. */
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

  /** Says what is not read: of what may have been there, nothing counts as vanished. */
  leaveOut(text: string): void {
    this.#options.crawl.isWhole = false
    this.items.push({ type: 'note', text })
  }

  /** Tells if a page may be read. Without a robots.txt all may; while it cannot be had, none (RFC 9309 §2.3.1). @throws Unreachable */
  async mayRead({ host, pathname, search }: URL): Promise<boolean> {
    const { start } = this.#options.crawl
    if (host !== new URL(start).host) return false
    if (!this.#robots) {
      const response = await this.#client.get(new URL('/robots.txt', start).href, this.#limits)
      const { status, headers, bytes } = response
      if (status >= 500) throw new Unreachable(`${response.url}: HTTP ${status}`)
      const text = status === 200 ? pageText({ headers, bytes: bytes.subarray(0, ROBOTS_BYTES) }) : ''
      this.#robots = readRobots(text, AGENT)
    }
    return this.#robots(pathname + search)
  }

  /** A page of the same host that was not read before; undefined if it may not, need not or cannot be read. @throws Unreachable */
  async get(url: URL): Promise<PageOfSite | undefined> {
    const { crawl, source } = this.#options
    const address = withoutFragment(url)
    if (url.host !== new URL(crawl.start).host || crawl.visited.includes(address)) return undefined
    crawl.visited.push(address)
    if (!(await this.mayRead(url))) {
      this.leaveOut('The robots.txt of the site forbids to read some of its pages.')
      return undefined
    }
    const end =
      crawl.requests === MOST_PAGES
        ? `More than ${MOST_PAGES} pages`
        : crawl.failures === MOST_FAILURES
          ? `${MOST_FAILURES} pages in a row gave no response`
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
      this.items.push({ type: 'failed', kind: 'page', source, what: address, reason: error.message })
      return undefined
    }
  }

  async #request(address: string, onRedirect: () => void): Promise<PageOfSite | undefined> {
    const { crawl, memory } = this.#options
    const known = crawl.stage === 'lists' ? undefined : memory.get(address)
    const mayFollow = (url: URL): Promise<boolean> => {
      onRedirect()
      return this.mayRead(url)
    }
    const response = await this.#client.get(address, { ...this.#limits, known, mayFollow })
    const { status } = response
    if (status === 304 && (known?.etag || known?.lastModified)) {
      const added = known.events.filter(([id]) => !this.taken.has(id))
      this.#take(known.events)
      for (const [, start] of known.events) if (start > crawl.latest) crawl.latest = start
      crawl.events += added.length
      crawl.unchanged += 1
      crawl.barren = added.length > 0 ? 0 : crawl.barren + 1
      return undefined
    }
    // It has gone, and so have its events.
    if (status === 404 || status === 410) {
      if (crawl.stage === 'lists') this.leaveOut(`${address}: HTTP ${status}, where the list goes on.`)
      memory.set(address, { events: [] })
      return undefined
    }
    if (status !== 200) throw new Unreachable(`${address}: HTTP ${status}`)
    const end = withoutFragment(new URL(response.url))
    if (address !== end && crawl.visited.includes(end)) return undefined
    if (address !== end) crawl.visited.push(end)
    return { url: response.url, text: pageText(response), address, response }
  }

  #take(events: KnownPage['events']): void {
    for (const [id, start] of events) this.taken.set(id, start)
  }
}
