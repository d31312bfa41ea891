import type { Row, Value } from '../../lib/connection.ts'
import { zoneAbbreviation } from '../../lib/zones.ts'
import type { OwnColumn } from '../columns.ts'
import type { ContentRecord, EventRecord, OrganizerRecord, SeriesRecord, VenueRecord } from '../records.ts'

// Converts records to columns of their tables. Columns that depend on stored rows are added when planning.

/** The columns that all content has in common. */
type Common = OwnColumn<'events'> &
  OwnColumn<'series'> &
  OwnColumn<'venues'> &
  OwnColumn<'organizers'> &
  keyof typeof COMMON_COLUMNS

const COMMON_COLUMNS = {
  status: true,
  date: true,
  date_utc: true,
  modified: true,
  modified_utc: true,
  description: true,
}

/** The columns that only one kind's table fills, except for the version, which planning counts. */
type Specific<K extends 'events' | 'series' | 'venues' | 'organizers'> = Exclude<
  OwnColumn<K>,
  Common | 'version'
>

const bit = (flag: boolean): number => (flag ? 1 : 0)

/** The columns that events and series have in common. */
const detailColumns = (event: EventRecord | SeriesRecord) =>
  ({
    title: event.title,
    excerpt: event.excerpt,
    all_day: bit(event.all_day),
    start_date: event.start.wall,
    end_date: event.end.wall,
    timezone: event.timezone,
    cost: event.cost,
    website: event.website,
    show_map: bit(event.show_map),
    show_map_link: bit(event.show_map_link),
    hide_from_listings: bit(event.hide_from_listings),
    sticky: bit(event.sticky),
    featured: bit(event.featured),
    ticketed: bit(event.ticketed),
    event_status: event.event_status,
    event_status_reason: event.event_status_reason,
    is_virtual: bit(event.virtual_event_type !== ''),
    virtual_event_type: event.virtual_event_type,
    virtual_url: event.virtual_url,
    virtual_video_source: event.virtual_video_source,
    custom_fields: JSON.stringify(event.custom_fields),
    // A trigger takes over the external id.
    uid: '',
    sequence: 0,
  }) satisfies Record<Specific<'events'> & Specific<'series'>, Value>

const eventColumns = (event: EventRecord) =>
  ({
    ...detailColumns(event),
    utc_start_date: event.start.utc,
    utc_end_date: event.end.utc,
    timezone_abbr: zoneAbbreviation(event.start.utc, event.timezone),
    ...occurrenceColumns(event),
  }) satisfies Record<Specific<'events'>, Value>

/** The columns of an event's place in a series. Texts that it shares are read from there. */
function occurrenceColumns({ occurrence, excerpt }: EventRecord) {
  if (!occurrence) return { occurrence_date: null, detached: '[]' }
  const { date, detached } = occurrence
  return {
    occurrence_date: date,
    detached: JSON.stringify(detached),
    excerpt: detached.includes('excerpt') ? excerpt : '',
  }
}

const seriesColumns = (series: SeriesRecord) =>
  ({
    ...detailColumns(series),
    rrule: series.recurrence.rrule,
    rdate: JSON.stringify(series.recurrence.rdate),
    exdate: JSON.stringify(series.recurrence.exdate),
    extend_from: null,
  }) satisfies Record<Specific<'series'>, Value>

/** The description that is stored: that of an occurrence is its series', unless it is detached. */
const descriptionOf = (record: ContentRecord): string =>
  record.kind === 'event' && record.occurrence?.detached.includes('description') === false
    ? ''
    : record.description

const venueColumns = (venue: VenueRecord) =>
  ({
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
  }) satisfies Record<Specific<'venues'>, Value>

const organizerColumns = ({ name, phone, website, email }: OrganizerRecord) =>
  ({ name, phone, website, email }) satisfies Record<Specific<'organizers'>, Value>

/** The columns that depend on the record only; null for dates that it doesn't have. */
export const ownColumns = (record: ContentRecord): Row => ({
  ...({
    status: record.status,
    date: record.date?.wall ?? null,
    date_utc: record.date?.utc ?? null,
    modified: record.modified?.wall ?? null,
    modified_utc: record.modified?.utc ?? null,
    description: descriptionOf(record),
  } satisfies Record<Common, Value>),
  ...specificColumns(record),
})

function specificColumns(record: ContentRecord): Row {
  if (record.kind === 'event') return eventColumns(record)
  if (record.kind === 'series') return seriesColumns(record)
  return record.kind === 'venue' ? venueColumns(record) : organizerColumns(record)
}
