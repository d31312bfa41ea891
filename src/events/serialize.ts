import { formatCost } from '../lib/cost.ts'
import { jsonLd, type Node, node } from '../lib/json-ld.ts'
import { htmlToText } from '../lib/text.ts'
import { dateDetails, isoWithOffset } from '../lib/time.ts'
import { organizerAnswer, personNode } from '../organizers/serialize.ts'
import { imageAnswer } from '../posts/images.ts'
import { isReadable } from '../posts/queries.ts'
import { globalIds, permalink, postHead } from '../posts/serialize.ts'
import { embeddedTermAnswer } from '../terms/serialize.ts'
import { placeNode, venueAnswer } from '../venues/serialize.ts'
import { restUrl, type View } from '../view.ts'
import type { EventRow } from './rows.ts'
import type { EventAnswer } from './schema.ts'

/** An item by itself, several as a list: what consumers expect of `venue` and of JSON-LD's properties. */
const oneOrMany = <T>(items: readonly T[]): T | T[] => {
  const [only, ...rest] = items
  return only !== undefined && rest.length === 0 ? only : [...items]
}

/** The venues and organizers that the caller may see: an unpublished one stays hidden behind a published event. */
const readableLinks = (row: EventRow, view: View) => ({
  venues: row.venues.filter(venue => isReadable(venue, view)),
  organizers: row.organizers.filter(organizer => isReadable(organizer, view)),
})

export function eventAnswer(row: EventRow, view: View): EventAnswer {
  const { venues, organizers } = readableLinks(row, view)
  const url = permalink(row, 'event', view)
  const terms = (taxonomy: string) =>
    row.terms.filter(term => term.taxonomy === taxonomy).map(term => embeddedTermAnswer(term, view))
  return {
    id: row.id,
    ...globalIds(view, row.id),
    ...postHead(row, view),
    url,
    rest_url: restUrl(view, 'events', row.id),
    title: row.title,
    description: row.description,
    excerpt: row.excerpt,
    slug: row.slug,
    image: row.image ? imageAnswer(row.image, view) : false,
    all_day: row.all_day,
    start_date: row.start_date,
    start_date_details: dateDetails(row.start_date),
    end_date: row.end_date,
    end_date_details: dateDetails(row.end_date),
    utc_start_date: row.utc_start_date,
    utc_start_date_details: dateDetails(row.utc_start_date),
    utc_end_date: row.utc_end_date,
    utc_end_date_details: dateDetails(row.utc_end_date),
    timezone: row.timezone,
    timezone_abbr: row.timezone_abbr,
    ...formatCost(row.cost, view.settings.currency),
    website: row.website ?? url,
    show_map: row.show_map,
    show_map_link: row.show_map_link,
    hide_from_listings: row.hide_from_listings,
    sticky: row.sticky,
    featured: row.featured,
    ticketed: row.ticketed,
    categories: terms('event_category'),
    tags: terms('event_tag'),
    venue: oneOrMany(venues.map(venue => venueAnswer(venue, view))),
    organizer: organizers.map(organizer => organizerAnswer(organizer, view)),
    custom_fields: [],
  }
}

/** With JSON-LD, as single reads answer. */
export const singleEventAnswer = (row: EventRow, view: View): EventAnswer => ({
  ...eventAnswer(row, view),
  json_ld: jsonLd(eventNode(row, view)),
})

/** https://schema.org/Event */
function eventNode(row: EventRow, view: View): Node {
  const { venues, organizers } = readableLinks(row, view)
  const url = permalink(row, 'event', view)
  return node('Event', {
    name: row.status === 'private' ? `Private: ${row.title}` : row.title,
    description: htmlToText(row.description),
    image: row.image?.url,
    url,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: 'https://schema.org/EventScheduled',
    startDate: isoWithOffset(row.start_date, row.utc_start_date),
    endDate: isoWithOffset(row.end_date, row.utc_end_date),
    location: venues.length > 0 ? oneOrMany(venues.map(venue => placeNode(venue, view))) : undefined,
    organizer:
      organizers.length > 0 ? oneOrMany(organizers.map(organizer => personNode(organizer, view))) : undefined,
    offers: offerNode(row, url, view),
  })
}

/** https://schema.org/Offer: the lowest price is what consumers show. */
function offerNode(row: EventRow, url: string, view: View): Node | undefined {
  const { currency_code, values } = formatCost(row.cost, view.settings.currency).cost_details
  const [price] = values
  if (price === undefined) return undefined
  return node('Offer', {
    price: Number.isNaN(Number(price)) ? '0' : price,
    priceCurrency: currency_code || view.settings.currency.code,
    url,
    category: 'primary',
    availability: 'https://schema.org/InStock',
    validFrom: isoWithOffset(row.date, row.date_utc),
  })
}
