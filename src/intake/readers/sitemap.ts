import { decodeEntities } from '../../lib/text.ts'
import { absolute, pageText } from './html-page.ts'
import type { HttpResponse } from './http.ts'

/** What a sitemap lists: pages or sitemaps (https://www.sitemaps.org/protocol.html); undefined if a text is none. */
export const sitemapKind = (text: string): 'pages' | 'sitemaps' | undefined => {
  const [, name] = /^\uFEFF?\s*(?:<\?[^>]*>\s*|<!--[^>]*-->\s*)*<(?:\w+:)?(urlset|sitemapindex)[\s>]/.exec(
    text.slice(0, 2_000),
  ) ?? [undefined, undefined]
  return name === undefined ? undefined : name === 'urlset' ? 'pages' : 'sitemaps'
}

/** Tells if a sitemap has its end. */
export const isWholeSitemap = (text: string): boolean =>
  /<\/(?:\w+:)?(?:urlset|sitemapindex)\s*>/.test(text.slice(-2_000))

/** The most addresses that a sitemap may have (https://www.sitemaps.org/faq.html). */
export const MOST_LOCATIONS = 50_000
/** Far more characters than an address has that is followed. */
const LONGEST_LOCATION = 10_000

/** The addresses in a sitemap, one more than there may be at most. @param base its own */
export function locations(sitemap: string, base: string): URL[] {
  const found: URL[] = []
  for (const [, given = ''] of sitemap.matchAll(/<loc>([^<]*|<!\[CDATA\[[^<\]]*\]\]>\s*)<\/loc>/gi)) {
    if (found.length > MOST_LOCATIONS) break
    const text = given.slice(0, LONGEST_LOCATION).replace(/^<!\[CDATA\[|\]\]>\s*$/g, '')
    const url = absolute(decodeEntities(text), base)
    if (url) found.push(url)
  }
  return found
}

/** Words in the addresses of events, in several languages. */
const EVENT_WORDS =
  /event|veranstalt|termin|agenda|calend|kalend|programm|konzert|concert|gig|show|evento|evenement|attivit/i
/** Tells if an address looks as if it led to events. */
export const likely = ({ pathname }: Pick<URL, 'pathname'>): boolean => EVENT_WORDS.test(pathname)

/** What never is a page. */
export const FILE =
  /\.(?:avif|css|docx?|gif|gz|ics|ico|jpe?g|js|json|mp[34]|pdf|png|rss|svg|webp|xlsx?|xml|zip)$/i

/** Tells if a response is a sitemap, by how it begins. */
export const isSitemap = ({ headers, bytes }: Pick<HttpResponse, 'headers' | 'bytes'>): boolean =>
  sitemapKind(pageText({ headers, bytes: bytes.subarray(0, 4_000) })) !== undefined
