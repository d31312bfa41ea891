import { httpAddress } from '../../lib/network.ts'
import type { DateTime } from '../../lib/time.ts'
import { type ReaderContext, type SourceItem, Unreadable } from '../records.ts'
import { apiPath } from './documents.ts'
import { Client, type ClientOptions, type HttpResponse } from './http.ts'
import { icsItems } from './ics.ts'
import { readIcs } from './ics-file.ts'
import type { Window } from './ics-recurrence.ts'
import { pageItems } from './jsonld.ts'
import { isSitemap } from './robots.ts'
import { siteItems } from './site.ts'
import { findApi, isCalendar, type SiteApi } from './site-address.ts'

const looksLikeFeed = (address: string): boolean =>
  /^webcal/i.test(address) || /\.(?:ics|ical)(?:[?#]|$)/i.test(address) || /[?&]ical=1\b/.test(address)

/**
 * Reads the records behind an address: an iCalendar feed, a site with the API, or a page or sitemap whose events are in
 * JSON-LD.
 *
 * @throws Unreadable if it is none of these, Unreachable if there is no response
 */
export async function* addressItems(
  given: string,
  options: {
    namespace?: string | undefined
    since?: DateTime | undefined
    window: Window
    client: ClientOptions
  },
  context: ReaderContext,
): AsyncGenerator<SourceItem> {
  const address = httpAddress(given)
  const client = new Client([address], { ...options.client, own: context.own })
  // The namespace gives the address of the API, so there is no need to request the site itself.
  const response = options.namespace === undefined ? await client.get(address) : undefined
  if (response && isCalendar(response)) {
    const { search } = new URL(address)
    const file = readIcs(response.bytes, context.limits, context.own)
    yield { type: 'expect', count: file.events.length }
    yield* icsItems(file, `ics:${apiPath(address)}${search}`, options.window, context)
    return
  }
  if (looksLikeFeed(given))
    throw new Unreadable(`${address}: HTTP ${response?.status} without an iCalendar file`)
  const api = await apiOf(client, address, response, options.namespace)
  if (!(api instanceof Unreadable)) return yield* siteItems(client, api, context, options.since)
  if (!response) throw api
  let isEmpty = true
  for await (const item of pageItems(client, address, response, context)) {
    isEmpty &&= ['complete', 'incomplete', 'unread'].includes(item.type)
    yield item
  }
  if (isEmpty) throw new Unreadable(`${api.message}; if it has, name its --namespace`)
}

/**
 * The API of a site, or the reason why it has none.
 *
 * @throws Unreachable if the API may exist but be out of order; Unreadable if it is named but does not exist at the
 *   moment: its events have other ids than those on the site's pages, so that they would be imported twice
 */
export async function apiOf(
  client: Client,
  address: string,
  response: HttpResponse | undefined,
  namespace?: string,
): Promise<SiteApi | Unreadable> {
  try {
    if (response && isSitemap(response)) return new Unreadable(`${address} leads to no events`)
    return await findApi(client, address, response, namespace)
  } catch (error) {
    const isNamed = response?.status !== 200 || response.headers.has('x-tec-api-root')
    if (error instanceof Unreadable && !isNamed) return error
    throw error
  }
}
