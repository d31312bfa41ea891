import { decodeEntities } from '../kit/lib/text.ts'
import { absoluteUrl, pageText } from './html-page.ts'
import type { HttpResponse } from './http.ts'

/**
 * What a sitemap lists: pages or sitemaps (https://www.sitemaps.org/protocol.html); undefined if a text is
 * not a sitemap.
 */
export const sitemapKind = (text: string): 'pages' | 'sitemaps' | undefined => {
  const name = /^\uFEFF?\s*(?:<\?[^>]*>\s*|<!--[^>]*-->\s*)*<(?:\w+:)?(urlset|sitemapindex)[\s>]/.exec(
    text.slice(0, 2_000),
  )?.[1]
  return name === undefined ? undefined : name === 'urlset' ? 'pages' : 'sitemaps'
}

/** True if a sitemap has its closing tag. */
export const isWholeSitemap = (text: string): boolean =>
  /<\/(?:\w+:)?(?:urlset|sitemapindex)\s*>/.test(text.slice(-2_000))

/** The most addresses that a sitemap may have (https://www.sitemaps.org/faq.html). */
export const MAX_LOCATIONS = 50_000
/** Far longer than any address that is followed. */
const MAX_LOCATION_LENGTH = 10_000

/** The addresses in a sitemap, at most one more than the limit. @param base the sitemap's own address */
export function locations(sitemap: string, base: string): URL[] {
  const urls: URL[] = []
  for (const [, location = ''] of sitemap.matchAll(/<loc>([^<]*(?:<!\[CDATA\[[^<]*)?)<\/loc>/gi)) {
    if (urls.length > MAX_LOCATIONS) break
    const text = location
      .trim()
      .slice(0, MAX_LOCATION_LENGTH)
      .replace(/<!\[CDATA\[|\]\]>/g, '')
    const url = absoluteUrl(decodeEntities(text), base)
    if (url) urls.push(url)
  }
  return urls
}

/** Words in the addresses of events, in several languages. */
const EVENT_WORDS =
  /event|veranstalt|termin|agenda|calend|kalend|programm|konzert|concert|gig|show|evento|evenement|attivit/i
/** True if an address looks as if it leads to events. */
export const isLikelyEventPage = ({ pathname }: Pick<URL, 'pathname'>): boolean => EVENT_WORDS.test(pathname)

/** Addresses that are never pages. */
export const NON_PAGE_FILE =
  /\.(?:avif|css|docx?|gif|gz|ics|ico|jpe?g|js|json|mp[34]|pdf|png|rss|svg|webp|xlsx?|xml|zip)$/i

/** True if a response is a sitemap, by its beginning. */
export const isSitemap = ({ headers, bytes }: Pick<HttpResponse, 'headers' | 'bytes'>): boolean =>
  sitemapKind(pageText({ headers, bytes: bytes.subarray(0, 4_000) })) !== undefined
