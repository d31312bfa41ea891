import { type SQL, sql } from 'drizzle-orm'
import { defaultValues, storedValues } from '../../kit/db/bulk.ts'
import { columnList, writtenColumns } from '../../kit/db/columns.ts'
import type { RawRow, Value } from '../../kit/db/query.ts'
import { memoize } from '../../kit/lib/memo.ts'
import { omit } from '../../kit/lib/values.ts'
import { PRIVATE_COLUMNS } from './related/hidden-contact.ts'
import { ILLUSTRATED_TABLES } from './resource.ts'

// Columns of content that sources and imports bring.

type ImportedKind = keyof typeof ILLUSTRATED_TABLES
type ImportedColumn = {
  [K in ImportedKind]: keyof (typeof ILLUSTRATED_TABLES)[K]['$inferSelect']
}[ImportedKind]

/** Columns that have a meaning only in this calendar, or that only this calendar sets. */
const NOT_IMPORTED: readonly ImportedColumn[] = [
  'id',
  'version',
  'slug',
  'external_id',
  'author_id',
  'image_id',
  'post_parent',
  'parent_confirmed_by',
  'series_id',
  'duplicate_of',
  'previous_utc_start_date',
  ...PRIVATE_COLUMNS,
]

/** The columns that sources can fill, with the values for a source that fills none: defaults, or null. */
const initialColumns = memoize((kind: ImportedKind): RawRow => {
  // Defaults are as the database stores them: texts, numbers and nulls.
  return defaultValues(omit(writtenColumns(ILLUSTRATED_TABLES[kind]), ...NOT_IMPORTED)) as RawRow
})

/**
 * The columns of an imported row as the database stores them, in the order of the table. Columns that the
 * values don't name get the values of new rows.
 */
export function importedColumns(kind: ImportedKind, values: Readonly<Record<string, unknown>>): RawRow {
  const columns: RawRow = { ...initialColumns(kind) }
  // Values of fields become texts, numbers and nulls.
  for (const [name, value] of Object.entries(storedValues(ILLUSTRATED_TABLES[kind], values)))
    if (name in columns) columns[name] = value as Value
  return columns
}

/**
 * A SELECT of whole rows by their ids, without columns that follow from other columns.
 *
 * @param ids a SELECT of the ids
 * @param more a further column
 */
export const importedRows = (kind: ImportedKind, ids: SQL, more?: SQL): SQL =>
  sql`SELECT ${columnList(writtenColumns(ILLUSTRATED_TABLES[kind]))} ${more ? sql`, ${more}` : sql``}
    FROM ${ILLUSTRATED_TABLES[kind]} WHERE id IN (${ids})`

/** The columns of an update whose values differ from the stored row. */
export function differingColumns<C extends Readonly<Record<string, unknown>>>(
  kind: ImportedKind,
  stored: RawRow,
  columns: C,
): Partial<C> {
  const values = storedValues(ILLUSTRATED_TABLES[kind], columns)
  const differs = ([name]: [string, unknown]) => (values[name] ?? null) !== (stored[name] ?? null)
  // The result has only some of the columns.
  return Object.fromEntries(Object.entries(columns).filter(differs)) as Partial<C>
}

/** True if an update writes only the time of the change. @param modified this time, if the source knows it */
export const isUnchangedBy = (differing: Readonly<Record<string, unknown>>, modified: unknown): boolean =>
  Object.entries(differing).every(
    ([name, value]) => value === undefined || (!modified && (name === 'modified' || name === 'modified_utc')),
  )
