import { type ReaderContext, type SourceItem, Unreadable } from '../calendar/imports/records.ts'
import { httpAddress } from '../kit/lib/network.ts'
import type { DateTime } from '../kit/lib/time.ts'
import { apiPath } from './documents.ts'
import { Client, type ClientOptions, type HttpResponse } from './http.ts'
import { readIcs } from './ics/file.ts'
import { icsItems } from './ics/items.ts'
import type { ImportPeriod } from './ics/recurrence.ts'
import { pageItems } from './jsonld/pages.ts'
import { siteItems } from './site.ts'
import { filtersOfAddress, findApi, isCalendar, type SiteApi } from './site-address.ts'
import { isSitemap } from './sitemap.ts'

/** True for spaces and line ends. */
export const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

const looksLikeFeed = (address: string): boolean =>
  /^webcal/i.test(address) || /\.(?:ics|ical)(?:[?#]|$)/i.test(address) || /[?&]ical=1\b/.test(address)

/**
 * Reads the records behind an address: an iCalendar feed, a site with the API, or a page or sitemap whose
 * events are in JSON-LD.
 *
 * @throws Unreadable if it is none of these, Unreachable if there is no response
 */
export async function* addressItems(
  givenAddress: string,
  options: {
    namespace?: string | undefined
    since?: DateTime | undefined
    window: ImportPeriod
    client: ClientOptions
  },
  context: ReaderContext,
): AsyncGenerator<SourceItem> {
  const address = httpAddress(givenAddress)
  const client = new Client({ ...options.client, ownId: context.ownId })
  // The namespace gives the address of the API, so there is no need to request the site itself.
  const response = options.namespace === undefined ? await client.get(address) : undefined
  if (response && isCalendar(response)) {
    const { search } = new URL(address)
    const file = readIcs(response.bytes, context.limits, context.ownId)
    yield { type: 'expect', count: file.events.length }
    yield* icsItems(file, `ics:${apiPath(address)}${search}`, options.window, context)
    return
  }
  const problem = response && problemWith(response)
  if (looksLikeFeed(givenAddress))
    throw new Unreadable(
      `${address}: ${problem ?? 'there is no iCalendar file, but a page'}`,
      'source_no_calendar',
    )
  const api = await locateApi(client, address, response, options.namespace).catch((error: unknown) => {
    throw problem && error instanceof Unreadable
      ? new Unreadable(`${address}: ${problem}`, 'source_no_calendar')
      : error
  })
  if (!(api instanceof Unreadable)) return yield* siteItems(client, api, context, options.since)
  if (!response) throw api
  if (problem) throw new Unreadable(`${address}: ${problem}`, 'source_no_calendar')
  let isEmpty = true
  for await (const item of pageItems(client, address, response, context)) {
    isEmpty &&= ['complete', 'incomplete', 'unread'].includes(item.type)
    yield item
  }
  if (isEmpty)
    throw new Unreadable(
      isSitemap(response)
        ? api.message
        : `${address} has no calendar that can be read: no iCalendar feed, no API, and no events as JSON-LD. If the site has The Events Calendar, name its --namespace`,
      'source_no_calendar',
    )
}

/** The reason why a response has no calendar; undefined if it may have one. */
function problemWith({ status, headers, bytes }: HttpResponse): string | undefined {
  const statusPrefix = `HTTP ${status}: `
  if (status === 401 || status === 403)
    return `${statusPrefix}the server refuses this program. Save what it shows in a browser, and import the file`
  if (status === 404 || status === 410) return `${statusPrefix}there is nothing at this address`
  if (status >= 400) return `${statusPrefix}the server cannot answer`
  if (bytes.every(isBlank)) return 'the response is empty'
  if (/^text\/(?:csv|tab-separated-values)\b/i.test(headers.get('content-type') ?? ''))
    return 'it is CSV: save it, and import the file'
  return undefined
}

/**
 * The API of a site, or the reason why it has none.
 *
 * @throws Unreachable if the API may exist but be out of order; Unreadable if it is named but does not exist
 *   at the moment: its events have other ids than those on the site's pages, so that they would be imported
 *   twice
 */
export async function locateApi(
  client: Client,
  address: string,
  response: HttpResponse | undefined,
  namespace?: string,
): Promise<SiteApi | Unreadable> {
  try {
    if (response && isSitemap(response))
      return new Unreadable(`${address} leads to no events`, 'source_no_calendar')
    const api = await findApi(client, address, response, namespace)
    return { ...api, filters: await filtersOfAddress(client, api, address, response) }
  } catch (error) {
    const isNamed = response?.status !== 200 || response.headers.has('x-tec-api-root')
    if (error instanceof Unreadable && !isNamed) return error
    throw error
  }
}
