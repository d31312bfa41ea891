import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { defaultValues, type GivenRow } from '../../db/bulk.ts'
import type { Row } from '../../lib/connection.ts'
import { shortDigest } from '../../lib/digest.ts'

/** A hash of a value's JSON. */
export const digest = (value: unknown): Promise<string> => shortDigest(JSON.stringify(value), 27)

/** The columns that the hashes of all databases cover, in their order. */
const HASHED: ReadonlySet<string> = new Set(
  (
    'status date date_utc modified modified_utc description title excerpt all_day start_date end_date timezone cost ' +
    'name address city country province state stateprovince zip phone website email show_map show_map_link ' +
    'geo_lat geo_lng hide_from_listings sticky featured ticketed event_status event_status_reason is_virtual ' +
    'virtual_event_type virtual_url virtual_video_source custom_fields uid sequence ' +
    'utc_start_date utc_end_date timezone_abbr occurrence_date detached rrule rdate exdate extend_from'
  ).split(' '),
)

/** Defaults of tables, which are worked out once. */
const known = new WeakMap<SQLiteTable, GivenRow>()

/**
 * The columns of a record for its hash. Hashes are in databases, and stay as they are: columns that came later count where they
 * differ from their defaults.
 *
 * @param isOrdered true for rows of backups, which have an order of their own
 */
export function hashed(own: Row, table: SQLiteTable, isOrdered: boolean): Row {
  const defaults = known.get(table) ?? defaultValues(getTableColumns(table))
  known.set(table, defaults)
  const names = Object.keys(own)
  const first = (isOrdered ? names : [...HASHED]).filter(name => HASHED.has(name) && name in own)
  const later = names.filter(name => !HASHED.has(name) && own[name] !== defaults[name]).sort()
  return Object.fromEntries([...first, ...later].map(name => [name, own[name] ?? null]))
}
