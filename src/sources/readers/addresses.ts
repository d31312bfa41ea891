import type { DateTime } from '../../lib/time.ts'
import type { ReaderContext, SourceItem } from '../records.ts'
import { Unreadable } from '../records.ts'
import { apiPath } from './documents.ts'
import { Client, type ClientOptions } from './http.ts'
import { icsItems } from './ics.ts'
import { readIcs } from './ics-file.ts'
import type { Window } from './ics-recurrence.ts'
import { siteItems } from './site.ts'
import { findApi, isCalendar } from './site-address.ts'

/** An address of a feed with `https:` for the scheme `webcal:` that calendar programs write. */
export const httpAddress = (address: string): string => address.replace(/^webcals?:/i, 'https:')

/** Tells addresses from files among the operands of the command. */
export const isAddress = (operand: string): boolean => /^(?:https?|webcals?):\/\//i.test(operand)

const looksLikeFeed = (address: string): boolean =>
  /^webcal/i.test(address) || /\.(?:ics|ical)(?:[?#]|$)/i.test(address) || /[?&]ical=1\b/.test(address)

/**
 * Reads the records behind an address: those of an iCalendar feed, or of a site with the interface.
 *
 * @throws Unreadable if it is neither, Unreachable if there is no response
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
  const client = new Client([address], options.client)
  // The namespace says where the API is, so the site itself need not be requested.
  const response = options.namespace === undefined ? await client.get(address) : undefined
  if (response && isCalendar(response)) {
    const { search } = new URL(address)
    yield* icsItems(readIcs(response.bytes), `ics:${apiPath(address)}${search}`, options.window, context)
    return
  }
  if (looksLikeFeed(given))
    throw new Unreadable(`${address}: HTTP ${response?.status} without an iCalendar file`)
  yield* siteItems(
    client,
    await findApi(client, address, response, options.namespace),
    context,
    options.since,
  )
}
