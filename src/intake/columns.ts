import { getTableColumns } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { defaultValues, type GivenRow } from '../db/bulk.ts'
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

// The tables of backups. A new table that is missing here does not compile, a new column is in backups by itself;
// test/intake/every-column.test.ts restores each.

/**
 * The columns of a table that are not stored again as they are, after cleaning. `placed` ones get other values where theirs are
 * taken or mean something else here: ids, slugs, references, and external ids, which are dropped. `derived` ones are computed
 * again, as generated ones are, and not part of a backup.
 */
export type BackedUpTable = { table: SQLiteTable; placed: readonly string[]; derived?: readonly string[] }

const CONTENT = ['id', 'slug', 'external_id', 'author_id', 'image_id']
const EVENT_LINK = ['event_id', 'target_id']
const SERIES_LINK = ['series_id', 'target_id']

/** The tables that backups hold. */
export const BACKUP = {
  users: { table: users, placed: ['id'] },
  images: { table: images, placed: ['id', 'slug', 'author_id', 'copied_id'], derived: ['search_text'] },
  series: { table: series, placed: [...CONTENT, 'post_parent'] },
  events: { table: events, placed: [...CONTENT, 'post_parent', 'series_id', 'duplicate_of'] },
  venues: { table: venues, placed: CONTENT },
  organizers: { table: organizers, placed: CONTENT },
  terms: {
    table: terms,
    placed: ['id', 'slug', 'parent'],
    derived: ['name_key', 'sort_name', 'path', 'count'],
  },
  seriesVenues: { table: seriesVenues, placed: SERIES_LINK },
  seriesOrganizers: { table: seriesOrganizers, placed: SERIES_LINK },
  seriesTerms: { table: seriesTerms, placed: SERIES_LINK },
  eventVenues: { table: eventVenues, placed: EVENT_LINK },
  eventOrganizers: { table: eventOrganizers, placed: EVENT_LINK },
  eventTerms: { table: eventTerms, placed: EVENT_LINK },
  imports: { table: imports, placed: ['target_id'] },
} as const satisfies Record<string, BackedUpTable>

/** Name of a table that backups hold. */
export type BackupTable = keyof typeof BACKUP

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
} as const satisfies Record<'event' | 'series', Record<LinkName, BackupTable>>

export const backupTable = (table: BackupTable): SQLiteTable => BACKUP[table].table

/** What is worked out once of a table. */
type Known = { columns: Readonly<Record<string, SQLiteColumn>>; own: readonly string[]; defaults: GivenRow }
const known = new Map<BackupTable, Known>()

function knownOf(table: BackupTable): Known {
  const before = known.get(table)
  if (before) return before
  const { placed, derived = [] }: BackedUpTable = BACKUP[table]
  const columns = Object.fromEntries(
    Object.entries(getTableColumns(backupTable(table))).filter(
      ([name, { generated }]) => !generated && !derived.includes(name),
    ),
  )
  const own = Object.keys(columns).filter(name => !placed.includes(name))
  const made = { columns, own, defaults: defaultValues(columns) }
  known.set(table, made)
  return made
}

/** The columns of a table that a backup holds. */
export const backedUp = (table: BackupTable) => knownOf(table).columns

/** A row in which all columns have their defaults, or nothing. */
export const newRow = (table: BackupTable): GivenRow => knownOf(table).defaults

/** The columns of a row that mean the same in every calendar, in the order of the table. */
export const ownColumns = (table: BackupTable, row: Row): Row =>
  Object.fromEntries(knownOf(table).own.map(name => [name, row[name] ?? null]))
