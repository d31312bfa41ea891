import { eventPath } from '../../calendar/events/listed-events.ts'
import { stateNode } from '../../calendar/events/resource.ts'
import type { EventResponse } from '../../calendar/events/schema.ts'
import { dayOf, isoWithOffset } from '../../kit/lib/time.ts'
import { asObject, isObject } from '../../kit/lib/values.ts'
import { isOver, startOf } from './events.ts'
import type { PageContext } from './page-context.ts'
import type { EventSummary } from './queries.ts'
import type { ProgrammePart, RelatedEvents } from './related-events.ts'
import { plain } from './text.ts'

type Data = Readonly<Record<string, unknown>>

/** JSON for a script element: it cannot end the element or start a comment. */
export const jsonOf = (data: object): string =>
  JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    char => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )

/** Unescapes the API's texts, which have `&lt;` for `<` so that they can be inserted into pages. */
function unescapeValues(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('&lt;', '<')
  if (Array.isArray(value)) return value.map(unescapeValues)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, unescapeValues(item)]))
}

/**
 * The data of an event for search engines, from the API's JSON-LD:
 * https://developers.google.com/search/docs/appearance/structured-data/event. They require a place with an
 * address, or a virtual one, and dates without times for all-day events. An event without a place has no such
 * data. The programme is only here: the API has the parts of an event by `post_parent`, and reads of one
 * event do not look for any.
 *
 * @param isOpen false while nobody can get places, whatever is left of them
 */
export function eventData(
  site: PageContext,
  event: EventResponse,
  { programme, parent }: RelatedEvents,
  isOpen = true,
): object | undefined {
  const data: Data = { ...event.json_ld }
  const location = [data.location].flat().flatMap(each => (isObject(each) ? (withAddress(each) ?? []) : []))
  if (location.length === 0) return undefined
  const place = unescapeValues(location.length === 1 ? location[0] : location)
  return {
    ...asObject(unescapeValues(data)),
    location: place,
    ...(event.all_day && {
      startDate: dayOf(event.start_date),
      endDate: dayOf(event.end_date),
      ...(typeof data.previousStartDate === 'string' && {
        previousStartDate: dayOf(data.previousStartDate),
      }),
    }),
    // Nobody can buy a ticket for an event that is over.
    ...(isObject(data.offers) && {
      offers: isOver(site, event)
        ? undefined
        : {
            ...data.offers,
            url: event.website || event.url,
            ...(!isOpen &&
              !String(data.offers.availability).endsWith('SoldOut') && { availability: undefined }),
          },
    }),
    ...(programme.length > 0 && {
      subEvent: programme
        .slice(0, MAX_LISTED)
        .map(part => summaryData(site, part, locationOfPart(site, part, [place].flat()))),
    }),
    ...(parent && { superEvent: summaryData(site, parent, [place].flat().find(isPlace)) }),
  }
}

/** The most parts of an event, or events of a list, that the data has. */
const MAX_LISTED = 100

/** An event of a list, with what its address is made of. */
export type ListedLink = Parameters<typeof eventPath>[1] & { title: string }

/**
 * The data of a list of events, for search engines and other programs: the addresses of what a page shows, in
 * its order. An event on several days is listed once.
 */
export function listData({ context }: PageContext, events: readonly ListedLink[]): object | undefined {
  const names = new Map(
    events.map(event => [eventPath({ base: context.site }, event), plain(event.title)] as const),
  )
  if (names.size === 0) return undefined
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: [...names]
      .slice(0, MAX_LISTED)
      .map(([url, name], i) => ({ '@type': 'ListItem', position: i + 1, url, name })),
  }
}

/** The data of a part of an event, or of the event that it is a part of. */
const summaryData = ({ context }: PageContext, event: EventSummary, location: unknown): Data => ({
  '@type': 'Event',
  name: plain(event.title),
  url: eventPath({ base: context.site }, event),
  startDate: startOf(event),
  endDate: event.all_day ? dayOf(event.end_date) : isoWithOffset(event.end_date, event.utc_end_date),
  ...stateNode(event),
  location,
})

/**
 * Where a part of an event takes place: where the event does, unless it has a venue of its own or is online.
 * @param locations of the event
 */
function locationOfPart(
  { context }: PageContext,
  part: ProgrammePart,
  locations: readonly unknown[],
): unknown {
  const name = plain(part.venue)
  const places = locations.filter(isPlace)
  const known = places.find(place => place.name === name)
  const own = known ?? (name ? { '@type': 'Place', name, address: name } : undefined)
  const inherited = places.length > 0 ? places : locations
  const found = [
    ...(part.virtual_event_type === 'virtual' ? [] : own ? [own] : inherited),
    ...(part.is_virtual
      ? [
          {
            '@type': 'VirtualLocation',
            url: part.virtual_url || eventPath({ base: context.site }, part),
          },
        ]
      : []),
  ]
  return found.length === 1 ? found[0] : found
}

const isPlace = (value: unknown): value is Data => isObject(value) && value['@type'] === 'Place'

/** A place whose address is at least its name; undefined if it has neither. */
function withAddress(place: Data): Data | undefined {
  if (place['@type'] !== 'Place') return place
  const isEmpty = isObject(place.address) && Object.keys(place.address).length <= 1
  // Imported places may have no name.
  const { name, ...nameless } = place
  if (!place.address || isEmpty) return name ? { ...place, address: name } : undefined
  return name ? place : nameless
}

/** The data of a venue or organizer, from the API's JSON-LD. */
export const dataOf = (resource: Pick<EventResponse, 'json_ld'>): object | undefined =>
  resource.json_ld && asObject(unescapeValues(resource.json_ld))
