import { fold, htmlToText } from '../lib/text.ts'
import { zoneAbbreviation } from '../lib/zones.ts'
import type { EventRecord, OrganizerRecord, PostRecord, VenueRecord } from './records.ts'

// Records → columns of their tables; those that depend on what is stored are added when planning.

export type Cell = string | number | null
export type Columns = Record<string, Cell>

const bit = (flag: boolean): number => (flag ? 1 : 0)

const eventColumns = (event: EventRecord): Columns => ({
  title: event.title,
  excerpt: event.excerpt,
  all_day: bit(event.all_day),
  start_date: event.start.wall,
  end_date: event.end.wall,
  utc_start_date: event.start.utc,
  utc_end_date: event.end.utc,
  timezone: event.timezone,
  timezone_abbr: zoneAbbreviation(event.start.utc, event.timezone),
  cost: event.cost,
  website: event.website,
  show_map: bit(event.show_map),
  show_map_link: bit(event.show_map_link),
  hide_from_listings: bit(event.hide_from_listings),
  sticky: bit(event.sticky),
  featured: bit(event.featured),
  ticketed: bit(event.ticketed),
})

const venueColumns = (venue: VenueRecord): Columns => ({
  name: venue.name,
  address: venue.address,
  city: venue.city,
  country: venue.country,
  province: venue.province,
  state: venue.state,
  stateprovince: venue.stateprovince,
  zip: venue.zip,
  phone: venue.phone,
  website: venue.website,
  show_map: bit(venue.show_map),
  show_map_link: bit(venue.show_map_link),
  geo_lat: venue.geo_lat,
  geo_lng: venue.geo_lng,
})

const organizerColumns = ({ name, phone, website, email }: OrganizerRecord): Columns => ({
  name,
  phone,
  website,
  email,
})

/** The columns that a record fills by itself; null for dates that it doesn't tell. */
export const ownColumns = (record: PostRecord): Columns => ({
  status: record.status,
  date: record.date?.wall ?? null,
  date_utc: record.date?.utc ?? null,
  modified: record.modified?.wall ?? null,
  modified_utc: record.modified?.utc ?? null,
  description: record.description,
  ...(record.kind === 'event'
    ? eventColumns(record)
    : record.kind === 'venue'
      ? venueColumns(record)
      : organizerColumns(record)),
})

/** Folded text as `search` sees it: the same that the API stores for such a row. */
export function searchText(record: PostRecord): string {
  const parts =
    record.kind === 'event'
      ? [record.title, htmlToText(record.description), htmlToText(record.excerpt)]
      : [record.name, htmlToText(record.description), ...searchedTexts(record)]
  return fold(parts.filter(Boolean).join('\n'))
}

// The kinds' own lists; asking these would load the whole API. A test compares what comes of both.
const SEARCHED = {
  venue: ['address', 'city', 'country', 'province', 'state', 'stateprovince', 'zip', 'phone', 'website'],
  organizer: ['phone', 'website', 'email'],
} as const

function searchedTexts(record: VenueRecord | OrganizerRecord): string[] {
  const columns = ownColumns(record)
  return SEARCHED[record.kind].map(column => String(columns[column] ?? ''))
}
