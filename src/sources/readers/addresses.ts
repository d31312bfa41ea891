import type { DateTime } from '../../lib/time.ts'
import type { ReaderContext, SourceItem } from '../records.ts'
import { Unreadable } from '../records.ts'
import { apiPath } from './documents.ts'
import { Client, type ClientOptions, type HttpResponse } from './http.ts'
import { icsItems } from './ics.ts'
import { readIcs } from './ics-file.ts'
import type { Window } from './ics-recurrence.ts'
import { type PageMemory, pageItems } from './jsonld.ts'
import { siteItems } from './site.ts'
import { findApi, isCalendar, type SiteApi } from './site-address.ts'
import { isSitemap } from './sitemap.ts'

/** An address of a feed with `https:` for the scheme `webcal:` that calendar programs write. */
export const httpAddress = (address: string): string => address.replace(/^webcals?:/i, 'https:')

/** Tells addresses from files among the operands of the command. */
export const isAddress = (operand: string): boolean => /^(?:https?|webcals?):\/\//i.test(operand)

const looksLikeFeed = (address: string): boolean =>
  /^webcal/i.test(address) || /\.(?:ics|ical)(?:[?#]|$)/i.test(address) || /[?&]ical=1\b/.test(address)

/**
 * Reads the records behind an address: those of an iCalendar feed, of a site with the interface, or else of a page or
 * sitemap whose events are there as JSON-LD.
 *
 * @param options.memory what pages said of themselves before
 * @throws Unreadable if it is none of these, Unreachable if there is no response
 */
export async function* addressItems(
  given: string,
  options: {
    namespace?: string | undefined
    since?: DateTime | undefined
    window: Window
    client: ClientOptions
    memory?: PageMemory | undefined
  },
  context: ReaderContext,
): AsyncGenerator<SourceItem> {
  const address = httpAddress(given)
  const client = new Client([address], options.client)
  // The namespace says where the API is, so the site itself need not be requested.
  const response =
    options.namespace === undefined
      ? await client.get(address, { known: options.memory?.get(address) })
      : undefined
  if (response?.status === 304) return yield { type: 'note', text: `${address} has not changed.` }
  if (response && isCalendar(response)) {
    const { search } = new URL(address)
    yield* icsItems(readIcs(response.bytes), `ics:${apiPath(address)}${search}`, options.window, context)
    return
  }
  if (looksLikeFeed(given))
    throw new Unreadable(`${address}: HTTP ${response?.status} without an iCalendar file`)
  const api = await apiOf(client, address, response, options.namespace)
  if (!(api instanceof Unreadable)) return yield* siteItems(client, api, context, options.since)
  // An API that is named, and is not there at the moment, has its events under other ids: they would come in twice.
  if (response?.status !== 200 || response.headers.has('x-tec-api-root')) throw api
  let isEmpty = true
  for await (const item of pageItems(client, address, response, context, options.memory)) {
    isEmpty &&= item.type === 'complete' || item.type === 'incomplete'
    yield item
  }
  if (isEmpty) throw api
}

/** The API of a site, or why there is none. @throws Unreachable: one that is there may be out of order. */
async function apiOf(
  client: Client,
  address: string,
  response: HttpResponse | undefined,
  namespace: string | undefined,
): Promise<SiteApi | Unreadable> {
  try {
    if (response && isSitemap(response)) return new Unreadable(`${address} leads to no events`)
    return await findApi(client, address, response, namespace)
  } catch (error) {
    if (error instanceof Unreadable) return error
    throw error
  }
}
