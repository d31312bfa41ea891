import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { WITHOUT_ROWID } from '../../../src/kit/db/tables.ts'

// SQL that changes and copies rows of any table, for tests that walk all of its columns.

/** Columns that are neither generated nor the id. */
export const storedColumns = (table: SQLiteTable): SQLiteColumn[] =>
  Object.values(getTableColumns(table)).filter(column => !column.generated && column.name !== 'id')

/** Columns that do not allow arbitrary values. `SET column = column` fires triggers all the same. */
const KEPT = ['status', 'taxonomy', 'parent']

/** The table that a column refers to. */
function targetOf(table: SQLiteTable, { name }: SQLiteColumn): string | undefined {
  const key = getTableConfig(table).foreignKeys.find(key =>
    key.reference().columns.some(column => column.name === name),
  )
  return key && getTableName(key.reference().foreignTable)
}

const LINKS: readonly string[] = WITHOUT_ROWID.map(getTableName)

/** An SQL expression that orders the rows of a table. */
function keyOf(name: string): string {
  if (name === 'imports') return "source || ' ' || kind || ' ' || external_id"
  return LINKS.includes(name) ? 'event_id * 1000 + target_id' : 'rowid'
}

/** A condition for the last row of a table, or of some of its rows. */
export function lastRowSql(name: string, rows = '1'): string {
  const key = keyOf(name)
  return `${key} = (SELECT max(${key}) FROM ${name} WHERE ${rows})`
}

/** A different value for a column, in SQL. */
export function changedSql(table: SQLiteTable, column: SQLiteColumn): string {
  const { name } = column
  const target = targetOf(table, column)
  if (target && !column.notNull) return `iif(${name} IS NULL, (SELECT min(id) FROM ${target}), NULL)`
  if (target || KEPT.includes(name)) return name
  if (name === 'external_id' && getTableName(table) !== 'imports') return `${name} || 'x' || rowid`
  if (column.dataType === 'boolean') return `1 - ${name}`
  return column.dataType === 'number' ? `coalesce(${name}, 0) + 1` : `coalesce(${name}, '') || 'x'`
}

/**
 * A value for a copy of a row, in SQL. Unique values differ from the original, and links lead to the last
 * target.
 */
export function copiedSql(table: SQLiteTable, { name }: SQLiteColumn): string {
  if (name === 'slug' || name === 'external_id') return `${name} || '-copy'`
  if (name === 'occurrence_date') return `${name} || '-copy'`
  if (name !== 'target_id' || !getTableName(table).startsWith('event_')) return name
  const target = getTableName(table).replace('event_', '')
  return `(SELECT max(id) FROM ${target})`
}
