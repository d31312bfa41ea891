import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type * as schema from '../db/schema.ts'
import {
  eventOrganizers,
  events,
  eventTerms,
  eventVenues,
  images,
  imports,
  organizers,
  series,
  seriesOrganizers,
  seriesTerms,
  seriesVenues,
  terms,
  users,
  venues,
} from '../db/schema.ts'
import type { Row } from '../lib/connection.ts'
import type { LinkName, RecordKind } from './records.ts'

// The columns of every table, with the part that each plays in a backup. A new column or table that is missing here
// does not compile.

/**
 * The part that a column plays in a backup. `value`, `text`, `html`, `url` and `custom_fields` are stored again as they are, all
 * but the first after cleaning. `id`, `slug` and `reference` get other values where theirs are taken, and an `external_id` that is taken is dropped. `derived` columns are
 * computed again and not part of a backup.
 */
export type BackupPart =
  | 'value'
  | 'text'
  | 'html'
  | 'url'
  | 'custom_fields'
  | 'id'
  | 'slug'
  | 'external_id'
  | 'reference'
  | 'derived'

export type ColumnName<T extends SQLiteTable> = keyof T['_']['columns'] & string

/** A part for each column of a table. */
export type BackupParts<T extends SQLiteTable> = Readonly<Record<ColumnName<T>, BackupPart>>

type Tables = {
  [K in keyof typeof schema as (typeof schema)[K] extends SQLiteTable ? K : never]: (typeof schema)[K]
}

const CONTENT = {
  id: 'id',
  version: 'value',
  author_id: 'reference',
  status: 'value',
  slug: 'slug',
  date: 'value',
  date_utc: 'value',
  modified: 'value',
  modified_utc: 'value',
  description: 'html',
  image_id: 'reference',
  external_id: 'external_id',
} as const

/** The columns that events and series have in common. */
const EVENT = {
  ...CONTENT,
  title: 'text',
  excerpt: 'html',
  all_day: 'value',
  start_date: 'value',
  end_date: 'value',
  timezone: 'value',
  cost: 'text',
  website: 'url',
  show_map: 'value',
  show_map_link: 'value',
  hide_from_listings: 'value',
  sticky: 'value',
  featured: 'value',
  ticketed: 'value',
  post_parent: 'reference',
  event_status: 'value',
  event_status_reason: 'text',
  is_virtual: 'value',
  virtual_event_type: 'value',
  virtual_url: 'url',
  virtual_video_source: 'text',
  custom_fields: 'custom_fields',
  uid: 'value',
  sequence: 'value',
} as const

const LINK = { event_id: 'id', target_id: 'reference' } as const
const SERIES_LINK = { series_id: 'id', target_id: 'reference' } as const

/** The columns of every table; tables that are `left out` are in no backup. */
export const BACKUP = {
  users: { id: 'id', login: 'value', role: 'value', created_utc: 'value' },
  // Passwords are made anew after a restore.
  passwords: 'left out',
  sessions: 'left out',
  signInLinks: 'left out',
  recoveryCodes: 'left out',
  passkeys: 'left out',
  usedChallenges: 'left out',
  keys: 'left out',
  // The audit is about this database, not about its content.
  audit: 'left out',
  auditState: 'left out',
  undoRequests: 'left out',
  // Addresses of before a merge stay with the calendar that had them.
  formerSlugs: 'left out',
  images: {
    id: 'id',
    url: 'value',
    width: 'value',
    height: 'value',
    version: 'value',
    author_id: 'reference',
    date_utc: 'value',
    slug: 'slug',
    title: 'text',
    alt_text: 'text',
    caption: 'text',
    search_text: 'derived',
    mime_type: 'value',
    filesize: 'value',
    has_sizes: 'value',
    copied_id: 'reference',
  },
  // Whoever uploads a picture again may use it again.
  imageUploaders: 'left out',
  // What editors and authors say to each other is not content.
  reviewNotes: 'left out',
  // These are about the files of this calendar.
  unusedImages: 'left out',
  imageRemovals: 'left out',
  idempotencyKeys: 'left out',
  submissionKeys: 'left out',
  // Contact data are in no backup.
  submissions: 'left out',
  // A calendar that is restored elsewhere tells nobody in the name of this one; and secrets are in no backup.
  webhooks: 'left out',
  webhookPlaces: 'left out',
  webhookResources: 'left out',
  webhookDeliveries: 'left out',
  series: {
    ...EVENT,
    rrule: 'value',
    rdate: 'value',
    exdate: 'value',
    extend_from: 'value',
  },
  events: {
    ...EVENT,
    utc_start_date: 'value',
    utc_end_date: 'value',
    timezone_abbr: 'value',
    series_id: 'reference',
    occurrence_date: 'value',
    detached: 'value',
    listed: 'derived',
    span: 'derived',
    search_key: 'derived',
    shares_text: 'derived',
  },
  venues: {
    ...CONTENT,
    name: 'text',
    address: 'text',
    city: 'text',
    country: 'text',
    province: 'text',
    state: 'text',
    stateprovince: 'text',
    zip: 'text',
    phone: 'text',
    website: 'url',
    show_map: 'value',
    show_map_link: 'value',
    geo_lat: 'value',
    geo_lng: 'value',
  },
  organizers: { ...CONTENT, name: 'text', phone: 'text', website: 'url', email: 'text' },
  terms: {
    id: 'id',
    version: 'value',
    taxonomy: 'value',
    parent: 'reference',
    name: 'text',
    name_key: 'derived',
    sort_name: 'derived',
    slug: 'slug',
    path: 'derived',
    description: 'text',
    count: 'derived',
    standalone: 'value',
  },
  seriesVenues: { ...SERIES_LINK, position: 'value' },
  seriesOrganizers: { ...SERIES_LINK, position: 'value' },
  seriesTerms: SERIES_LINK,
  eventVenues: { ...LINK, position: 'value' },
  eventOrganizers: { ...LINK, position: 'value' },
  eventTerms: LINK,
  imports: {
    source: 'value',
    kind: 'value',
    external_id: 'value',
    target_id: 'reference',
    hash: 'value',
    imported_version: 'value',
  },
} as const satisfies { [K in keyof Tables]: BackupParts<Tables[K]> | 'left out' }

/** Name of a table that backups hold. */
export type BackupTable = {
  [K in keyof typeof BACKUP]: (typeof BACKUP)[K] extends string ? never : K
}[keyof typeof BACKUP]

/** The tables that backups hold. */
export const TABLES = {
  users,
  images,
  series,
  events,
  venues,
  organizers,
  terms,
  seriesVenues,
  seriesOrganizers,
  seriesTerms,
  eventVenues,
  eventOrganizers,
  eventTerms,
  imports,
} satisfies Pick<Tables, BackupTable>

/** The table of each kind of record. */
export const TABLE_OF = {
  category: 'terms',
  tag: 'terms',
  venue: 'venues',
  organizer: 'organizers',
  series: 'series',
  event: 'events',
} as const satisfies Record<RecordKind, BackupTable>

/** Tables of links, by the name that they have beside the row of an event or series. */
export const LINK_TABLES = {
  event: { venues: 'eventVenues', organizers: 'eventOrganizers', terms: 'eventTerms' },
  series: { venues: 'seriesVenues', organizers: 'seriesOrganizers', terms: 'seriesTerms' },
} as const satisfies Record<'event' | 'series', Record<LinkName, string>>

/** The columns of a table that play some part. */
export type ColumnsOf<K extends BackupTable, P extends BackupPart> = {
  [C in keyof (typeof BACKUP)[K]]: (typeof BACKUP)[K][C] extends P ? C : never
}[keyof (typeof BACKUP)[K]]

/** The columns that mean the same in every calendar. */
export type OwnColumn<K extends BackupTable> = ColumnsOf<
  K,
  'value' | 'text' | 'html' | 'url' | 'custom_fields'
>

/** The columns of a table that a backup holds. */
export function backedUp(table: BackupTable) {
  const parts: Record<string, BackupPart> = BACKUP[table]
  return Object.fromEntries(
    Object.entries(getTableColumns<SQLiteTable>(TABLES[table])).filter(([name]) => parts[name] !== 'derived'),
  )
}

/** Some columns of a row. */
export function pick(row: Row, table: BackupTable, ...wanted: BackupPart[]): Row {
  const parts: Record<string, BackupPart> = BACKUP[table]
  return Object.fromEntries(Object.entries(row).filter(([name]) => wanted.some(part => part === parts[name])))
}
