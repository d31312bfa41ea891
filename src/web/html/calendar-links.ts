import { utcValue } from '../../lib/ical/lines.ts'
import { summary } from '../../lib/text.ts'
import { addDays, type DateTime, isoUtc } from '../../lib/time.ts'
import type { EventResponse } from '../../resources/events/schema.ts'
import { queryOf } from './addresses.ts'
import { venuesOf } from './events.ts'
import { inLine, nameOf } from './text.ts'

const day = (wall: DateTime): string => wall.slice(0, 10)

/** The location of an event in one line. */
function locationLine(event: EventResponse): string {
  const [venue] = venuesOf(event)
  if (!venue) return event.is_virtual ? event.virtual_url : ''
  const { venue: name, address, zip, city, country } = venue
  return inLine([name, address, zip, city, country])
}

/** The longest description in an address, in characters: addresses may have some thousand. */
const DETAILS = 300

const detailsOf = (event: EventResponse): string =>
  [summary(event.description, DETAILS), event.url].filter(Boolean).join('\n\n')

/** The address that adds an event to a Google calendar. */
export function googleAddress(event: EventResponse): string {
  const { start_date, end_date, utc_start_date, utc_end_date } = event
  const dates = event.all_day
    ? `${day(start_date)}/${day(addDays(end_date, 1))}`.replaceAll('-', '')
    : `${utcValue(utc_start_date)}/${utcValue(utc_end_date)}`
  const query = {
    action: 'TEMPLATE',
    text: nameOf(event.title, event.slug),
    dates,
    details: detailsOf(event),
    location: locationLine(event),
  }
  return `https://calendar.google.com/calendar/render${queryOf({}, query)}`
}

/** The address that adds an event to an Outlook.com calendar. */
export function outlookAddress(event: EventResponse): string {
  const query = {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: nameOf(event.title, event.slug),
    ...(event.all_day
      ? { startdt: day(event.start_date), enddt: day(addDays(event.end_date, 1)), allday: 'true' }
      : { startdt: isoUtc(event.utc_start_date), enddt: isoUtc(event.utc_end_date) }),
    body: detailsOf(event),
    location: locationLine(event),
  }
  return `https://outlook.live.com/calendar/0/deeplink/compose${queryOf({}, query)}`
}

type Venue = ReturnType<typeof venuesOf>[number]

/** The location of a venue: coordinates, or else its address in one line; undefined if it is unknown or hidden. */
function pointOf(venue: Venue): { lat: number; lng: number } | string | undefined {
  const { geo_lat, geo_lng, address, zip, city, country, show_map_link } = venue
  if (!show_map_link) return undefined
  if (geo_lat !== undefined && geo_lng !== undefined) return { lat: geo_lat, lng: geo_lng }
  return inLine([address, zip, city, country]) || undefined
}

const MAP = 'https://www.openstreetmap.org'

/** The address of a map with a venue; undefined if its location is unknown. */
export function mapAddress(venue: Venue): string | undefined {
  const point = pointOf(venue)
  if (typeof point !== 'object') return point && `${MAP}/search?query=${encodeURIComponent(point)}`
  const { lat, lng } = point
  return `${MAP}/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`
}

/** The address of directions to a venue; undefined if its location is unknown. */
export function directionsAddress(venue: Venue): string | undefined {
  const point = pointOf(venue)
  const to = typeof point === 'object' ? `${point.lat},${point.lng}` : point
  return to && `${MAP}/directions?to=${encodeURIComponent(to)}`
}
