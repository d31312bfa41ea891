import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { defaultValues, storedValues } from '../../db/bulk.ts'
import type { Row } from '../../lib/connection.ts'
import { zoneAbbreviation } from '../../lib/zones.ts'
import { type OwnColumn, ownValues, TABLE_OF, TABLES } from '../columns.ts'
import type { ContentRecord, EventRecord, OrganizerRecord, SeriesRecord, VenueRecord } from '../records.ts'

// Converts records to columns of their tables. Columns that depend on stored rows are added when planning.

/** The columns of all content that records give in another form. The description of an occurrence is its series', unless it is detached. */
const contentColumns = (record: ContentRecord) => ({
  date: record.date?.wall ?? null,
  date_utc: record.date?.utc ?? null,
  modified: record.modified?.wall ?? null,
  modified_utc: record.modified?.utc ?? null,
  description: sharesText(record, 'description') ? '' : record.description,
})

const sharesText = (record: ContentRecord, name: 'description' | 'excerpt'): boolean =>
  record.kind === 'event' && record.occurrence?.detached.includes(name) === false

/** The columns of events and series that records give in another form. */
const detailColumns = (event: EventRecord | SeriesRecord) => ({
  ...contentColumns(event),
  excerpt: sharesText(event, 'excerpt') ? '' : event.excerpt,
  start_date: event.start.wall,
  end_date: event.end.wall,
  is_virtual: event.virtual_event_type !== '',
  custom_fields: JSON.stringify(event.custom_fields),
  // A trigger takes over the external id.
  uid: '',
  sequence: 0,
})

const eventColumns = (event: EventRecord) => ({
  ...detailColumns(event),
  utc_start_date: event.start.utc,
  utc_end_date: event.end.utc,
  timezone_abbr: zoneAbbreviation(event.start.utc, event.timezone),
  occurrence_date: event.occurrence?.date ?? null,
  detached: JSON.stringify(event.occurrence?.detached ?? []),
})

const seriesColumns = (series: SeriesRecord) => ({
  ...detailColumns(series),
  rrule: series.recurrence.rrule,
  rdate: JSON.stringify(series.recurrence.rdate),
  exdate: JSON.stringify(series.recurrence.exdate),
  extend_from: null,
})

/** Columns that neither records nor the functions above give; the version is counted when planning. */
type Forgotten =
  | Exclude<OwnColumn<'events'>, keyof EventRecord | keyof ReturnType<typeof eventColumns>>
  | Exclude<OwnColumn<'series'>, keyof SeriesRecord | keyof ReturnType<typeof seriesColumns>>
  | Exclude<OwnColumn<'venues'>, keyof VenueRecord | keyof ReturnType<typeof contentColumns>>
  | Exclude<OwnColumn<'organizers'>, keyof OrganizerRecord | keyof ReturnType<typeof contentColumns>>

// What is forgotten does not compile.
true satisfies Forgotten extends 'version' ? true : Forgotten

function columnsOf(record: ContentRecord): Readonly<Record<string, unknown>> {
  if (record.kind === 'event') return eventColumns(record)
  return record.kind === 'series' ? seriesColumns(record) : contentColumns(record)
}

/** The columns that depend on the record only; null for dates that it doesn't have. */
export function ownColumns(record: ContentRecord): Row {
  const table = TABLE_OF[record.kind]
  const values = ownValues<unknown>({ ...record, ...columnsOf(record) }, table)
  // Values of fields and of the functions above become texts, numbers and nulls.
  return storedValues(TABLES[table], values) as Row
}

/** The columns that the hashes of all databases cover, in their order. @see hashed */
const HASHED = [
  ...['status', 'date', 'date_utc', 'modified', 'modified_utc', 'description', 'title', 'excerpt', 'all_day'],
  ...[
    'start_date',
    'end_date',
    'timezone',
    'cost',
    'name',
    'address',
    'city',
    'country',
    'province',
    'state',
  ],
  ...['stateprovince', 'zip', 'phone', 'website', 'email', 'show_map', 'show_map_link', 'geo_lat', 'geo_lng'],
  ...[
    'hide_from_listings',
    'sticky',
    'featured',
    'ticketed',
    'event_status',
    'event_status_reason',
    'is_virtual',
  ],
  ...['virtual_event_type', 'virtual_url', 'virtual_video_source', 'custom_fields', 'uid', 'sequence'],
  ...['utc_start_date', 'utc_end_date', 'timezone_abbr', 'occurrence_date', 'detached'],
  ...['rrule', 'rdate', 'exdate', 'extend_from'],
]

/**
 * The columns of a record for its hash. Hashes are in databases, and stay as they are: columns that came later count where they
 * differ from their defaults.
 *
 * @param isOrdered true for rows of backups, which have an order of their own
 */
export function hashed(own: Row, table: SQLiteTable, isOrdered: boolean): Row {
  const defaults = defaultValues(getTableColumns(table))
  const first = (isOrdered ? Object.keys(own) : HASHED).filter(name => HASHED.includes(name) && name in own)
  const later = Object.keys(own)
    .filter(name => !HASHED.includes(name) && own[name] !== defaults[name])
    .sort()
  return Object.fromEntries([...first, ...later].map(name => [name, own[name] ?? null]))
}
