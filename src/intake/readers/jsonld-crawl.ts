import type { DateTime } from '../../lib/time.ts'
import type { HttpResponse, Validators } from './http.ts'
import { FILE, likely } from './sitemap.ts'

export const MOST_PAGES = 200
/** Pages of one list, and sitemaps. */
export const MOST_LISTS = 20
/** Longer addresses are not followed, and longer entity tags not kept: what is known of pages has a bounded size. */
const LONGEST_ADDRESS = 1_000
const LONGEST_TAG = 200

/** What a page said of itself when it was read, and the events that it had. */
export type KnownPage = Validators & { events: [id: string, start: DateTime][] }

/** What is known of pages, by their addresses. */
export type PageMemory = {
  get: (url: string) => KnownPage | undefined
  set: (url: string, known: KnownPage) => void
}

/** How far a reading of pages has come, as JSON can hold it: another one can go on from there. */
export type Crawl = {
  /** The first page, after redirects, and what it said of itself. */
  start: string
  first: Validators
  isSitemap: boolean
  /** What is read: pages of the list or sitemaps, then pages that these name, or those that they link to. */
  stage: 'lists' | 'listed' | 'likely' | 'any' | 'end'
  queue: string[]
  /** Addresses for later: those that lists name, links that look as if they led to events, and others. */
  listed: string[]
  likely: string[]
  others: string[]
  visited: string[]
  /** Counts of requests, lists and events, and of pages in a row that gave no response, or no event. */
  requests: number
  lists: number
  events: number
  failures: number
  barren: number
  /** Pages that had not changed. */
  unchanged: number
  /** The start of the last event. */
  latest: DateTime
  /** True while nothing was left out that may have had events. */
  isWhole: boolean
}

export const newCrawl = (): Crawl => ({
  ...{ start: '', first: {}, isSitemap: false, stage: 'lists', isWhole: true, latest: '' },
  ...{ queue: [], listed: [], likely: [], others: [], visited: [] },
  ...{ requests: 0, lists: 0, events: 0, failures: 0, barren: 0, unchanged: 0 },
})

/** Goes on to what is read next. @returns false if that is nothing */
export function advance(crawl: Crawl): boolean {
  const { stage, events, listed, likely, others, isSitemap } = crawl
  const after = (): [Crawl['stage'], string[]] => {
    if (stage === 'lists' && listed.length > 0) return ['listed', listed]
    if (stage === 'lists' && (isSitemap || events === 0)) return ['likely', likely]
    if (stage === 'likely' && events === 0) return ['any', others]
    return ['end', []]
  }
  const [next, queue] = after()
  Object.assign(crawl, { stage: next, queue, barren: 0 })
  return next !== 'end'
}

/** Notes an address that a list names, or that a page or sitemap links to. @returns true if it is a new one */
export function noteLink(crawl: Crawl, { href, host, pathname }: URL, isNamed = false): boolean {
  const start = new URL(crawl.start)
  const path = start.pathname.replace(/[^/]*$/, '')
  const isBelow = !crawl.isSitemap && path !== '/' && pathname.startsWith(path)
  if (host !== start.host || href.length > LONGEST_ADDRESS || (!isNamed && FILE.test(pathname))) return false
  const list = isNamed ? crawl.listed : isBelow || likely({ pathname }) ? crawl.likely : crawl.others
  // One more than are read shows that there are more.
  if (list.length > MOST_PAGES || list.includes(href)) return false
  list.push(href)
  return true
}

export function validatorsOf({ headers }: Pick<HttpResponse, 'headers'>): Validators {
  const [etag, lastModified] = ['etag', 'last-modified'].map(name => {
    const value = headers.get(name) ?? ''
    return value.length > LONGEST_TAG ? '' : value
  })
  return { ...(etag && { etag }), ...(lastModified && { lastModified }) }
}
