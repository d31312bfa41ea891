import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import {
  QueryBuilder,
  SQLiteDeleteBase,
  type SQLiteTable,
  SQLiteUpdateBuilder,
  type SQLiteUpdateSetSource,
} from 'drizzle-orm/sqlite-core'
import { dialect } from './query.ts'

// Drizzle's builders without Drizzle's client: they need its session only to run statements, which the executor in
// db/database.ts does instead.
const NO_SESSION = undefined as never

/** `SELECT …`, Drizzle's own builder. */
export const select = new QueryBuilder().select.bind(new QueryBuilder())

/** `UPDATE table SET … WHERE condition`. Undefined values are left out. */
export const update = <T extends SQLiteTable>(
  table: T,
  values: SQLiteUpdateSetSource<T>,
  condition: SQL,
): SQL => new SQLiteUpdateBuilder(table, NO_SESSION, dialect).set(values).where(condition).getSQL()

/** `DELETE FROM table WHERE condition`. */
export const deleteFrom = (table: SQLiteTable, condition: SQL): SQL =>
  new SQLiteDeleteBase(table, NO_SESSION, dialect).where(condition).getSQL()

const isSql = (value: unknown): value is SQL =>
  typeof value === 'object' && value !== null && 'queryChunks' in value

/** Values for columns of a table: plain, or expressions. */
export type ColumnValues<T extends SQLiteTable> = {
  [K in keyof T['$inferInsert']]?: T['$inferInsert'][K] | SQL | undefined
}

/**
 * `INSERT INTO table (…) SELECT … [WHERE condition]`, of the columns that have a value. Drizzle's builder always inserts
 * all columns, and takes no condition.
 */
export function insertInto<T extends SQLiteTable>(table: T, values: ColumnValues<T>, condition?: SQL): SQL {
  const given: Record<string, unknown> = values
  const assigned = Object.entries(getTableColumns(table)).filter(([name]) => given[name] !== undefined)
  const names = assigned.map(([, column]) => sql.identifier(column.name))
  const row = assigned.map(([name, column]) => {
    const value = given[name]
    return isSql(value) ? value : sql`${sql.param(value, column)}`
  })
  return sql`INSERT INTO ${table} (${sql.join(names, sql`, `)}) SELECT ${sql.join(row, sql`, `)}${
    condition ? sql` WHERE ${condition}` : sql``
  }`
}
