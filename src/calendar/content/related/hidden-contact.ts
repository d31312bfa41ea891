import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { organizers } from '../../../kit/db/tables.ts'
import { type Caller, mayEdit } from '../../../kit/lib/roles.ts'

// Organizers may hide their phone number and e-mail address. While they do, private columns hold the values,
// and `phone` and `email` are empty: pages, feeds, searches and events read only these two columns, so they
// can't show a hidden contact.

/** The columns of a contact, each with the private column for it. */
const CONTACT = [
  ['phone', 'hidden_phone'],
  ['email', 'hidden_email'],
] as const

export const CONTACT_FIELDS: readonly string[] = CONTACT.map(([field]) => field)

/** The fields that rows of a table can hide. */
export const hideableFields = ({ table }: { table: SQLiteTable }): readonly string[] =>
  table === organizers ? CONTACT_FIELDS : []

/** The columns that only callers who may edit an organizer may read. */
export const PRIVATE_COLUMNS = ['hide_contact', 'hidden_phone', 'hidden_email'] as const

type Columns = Readonly<Record<string, unknown>>

/** A row with its contact in `phone` and `email`, even if it is hidden. */
export function withContact<R extends Columns>(row: R): R {
  if (!row.hide_contact) return row
  return { ...row, ...Object.fromEntries(CONTACT.map(([shown, hidden]) => [shown, row[hidden]])) }
}

/**
 * The row as the caller may read it. Only callers who may edit the row read a hidden contact, and learn that
 * it is hidden.
 */
export function readableContact<R extends Columns & { author_id: number; status: string }>(
  row: R,
  { caller }: { caller: Caller },
): R {
  if (!row.hide_contact) return row
  return mayEdit(caller, row) ? withContact(row) : { ...row, hide_contact: false }
}

/**
 * A column in SQL, as a condition reads it.
 * @param readerSql a condition for rows whose hidden contact the caller may read
 */
export function readableColumn(table: SQLiteTable, name: string, readerSql: SQL): SQL {
  const column = sql`${table}.${sql.identifier(name)}`
  if (name === 'hide_contact') return sql`(${column} AND ${readerSql})`
  const hiddenColumn = table === organizers && CONTACT.find(([shown]) => shown === name)?.[1]
  return hiddenColumn
    ? sql`iif(${organizers.hide_contact} AND ${readerSql}, ${organizers[hiddenColumn]}, ${column})`
    : column
}

/**
 * The columns that a write stores: a hidden contact goes to the private columns.
 *
 * @param stored the row before an update
 */
export function storedContact<C extends Columns>(
  { table }: { table: SQLiteTable },
  columns: C,
  stored: Columns = {},
): C {
  if (table !== organizers) return columns
  const isHidden = Boolean(columns.hide_contact ?? stored.hide_contact)
  if (!isHidden && !stored.hide_contact) return columns
  const before = withContact(stored)
  const contact = CONTACT.flatMap(([column, hiddenColumn]) => {
    const value = columns[column] ?? before[column] ?? ''
    return [
      [column, isHidden ? '' : value],
      [hiddenColumn, isHidden ? value : ''],
    ]
  })
  return { ...columns, ...Object.fromEntries(contact) }
}

/**
 * The columns that store the values which a row inherits in a merge. A contact that the merged row hid stays
 * hidden.
 */
export function mergedContact(
  resource: { table: SQLiteTable },
  columns: Columns,
  { row, into }: { row: Columns; into: Columns },
): Columns {
  const isInherited = CONTACT_FIELDS.some(field => field in columns)
  const hides = isInherited && Boolean(row.hide_contact) && !into.hide_contact
  return isInherited
    ? storedContact(resource, { ...columns, ...(hides && { hide_contact: true }) }, into)
    : columns
}
