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
import type { LinkName, RecordKind } from './records.ts'

// The columns of every table, with the part that each plays in a backup. A new column or table that is missing here
// does not compile.

/**
 * The part that a column plays in a backup. A `value` is stored again as it is, after cleaning. `id`, `slug` and `reference` get
 * other values where theirs are taken, and an `external_id` that is taken is dropped. `derived` columns are computed again and
 * not part of a backup.
 */
export type BackupPart = 'value' | 'id' | 'slug' | 'external_id' | 'reference' | 'derived'

/** Columns that play one part. */
const are = <P extends BackupPart, const N extends string>(part: P, ...names: N[]) =>
  // Object.fromEntries forgets the keys.
  Object.fromEntries(names.map(name => [name, part])) as Record<N, P>

export type ColumnName<T extends SQLiteTable> = keyof T['_']['columns'] & string

/** A part for each column of a table. */
export type BackupParts<T extends SQLiteTable> = Readonly<Record<ColumnName<T>, BackupPart>>

type Tables = {
  [K in keyof typeof schema as (typeof schema)[K] extends SQLiteTable ? K : never]: (typeof schema)[K]
}

const CONTENT = {
  id: 'id',
  ...are('value', 'version', 'status', 'date', 'date_utc', 'modified', 'modified_utc', 'description'),
  ...are('reference', 'author_id', 'image_id'),
  slug: 'slug',
  external_id: 'external_id',
} as const

/** The columns that events and series have in common. */
const EVENT = {
  ...CONTENT,
  ...are('value', 'title', 'excerpt', 'all_day', 'start_date', 'end_date', 'timezone'),
  ...are('value', 'cost', 'website', 'show_map', 'show_map_link', 'hide_from_listings', 'sticky'),
  ...are('value', 'featured', 'ticketed', 'event_status', 'event_status_reason', 'custom_fields'),
  ...are('value', 'is_virtual', 'virtual_event_type', 'virtual_url', 'virtual_video_source'),
  ...are('value', 'uid', 'sequence'),
  post_parent: 'reference',
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
    ...are('value', 'url', 'width', 'height', 'version', 'date_utc', 'title'),
    ...are('value', 'alt_text', 'caption', 'mime_type', 'filesize', 'has_sizes'),
    ...are('reference', 'author_id', 'copied_id'),
    slug: 'slug',
    search_text: 'derived',
  },
  // Whoever uploads an image again may use it again.
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
  // Their addresses may be secrets, and their ids are those of this database.
  sources: 'left out',
  sourceRuns: 'left out',
  sourcePages: 'left out',
  twins: 'left out',
  twinsPlace: 'left out',
  series: {
    ...EVENT,
    ...are('value', 'rrule', 'rdate', 'exdate', 'extend_from'),
  },
  events: {
    ...EVENT,
    ...are('value', 'utc_start_date', 'utc_end_date', 'timezone_abbr', 'occurrence_date', 'detached'),
    series_id: 'reference',
    ...are('derived', 'duplicate_of', 'listed', 'span', 'search_key', 'shares_text'),
  },
  venues: {
    ...CONTENT,
    ...are('value', 'name', 'address', 'city', 'country', 'province', 'state'),
    ...are('value', 'stateprovince', 'zip', 'phone', 'website', 'show_map', 'show_map_link'),
    ...are('value', 'geo_lat', 'geo_lng'),
  },
  organizers: { ...CONTENT, ...are('value', 'name', 'phone', 'website', 'email') },
  terms: {
    id: 'id',
    ...are('value', 'version', 'taxonomy', 'name', 'description', 'standalone'),
    parent: 'reference',
    ...are('derived', 'name_key', 'sort_name', 'path', 'count'),
    slug: 'slug',
  },
  seriesVenues: { ...SERIES_LINK, position: 'value' },
  seriesOrganizers: { ...SERIES_LINK, position: 'value' },
  seriesTerms: SERIES_LINK,
  eventVenues: { ...LINK, position: 'value' },
  eventOrganizers: { ...LINK, position: 'value' },
  eventTerms: LINK,
  imports: {
    ...are('value', 'source', 'kind', 'external_id', 'hash', 'imported_version'),
    target_id: 'reference',
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
export type OwnColumn<K extends BackupTable> = ColumnsOf<K, 'value'>

/** The columns of a table that a backup holds. */
export function backedUp(table: BackupTable) {
  const parts: Record<string, BackupPart> = BACKUP[table]
  return Object.fromEntries(
    Object.entries(getTableColumns<SQLiteTable>(TABLES[table])).filter(([name]) => parts[name] !== 'derived'),
  )
}

/** The columns of a row that mean the same in every calendar. */
export function ownValues<T>(row: Readonly<Record<string, T>>, table: BackupTable): Record<string, T> {
  const parts: Record<string, BackupPart> = BACKUP[table]
  return Object.fromEntries(Object.entries(row).filter(([name]) => parts[name] === 'value'))
}
