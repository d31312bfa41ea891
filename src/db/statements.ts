import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import { revision } from './derived.ts'
import { shaped } from './shapes.ts'

/** Drizzle's builders. The executor in db/database.ts runs what they make. */
const builders = drizzle(() => Promise.reject(new Error('Statements are run by Database.')))

/** `UPDATE table SET … WHERE condition`. Undefined values are left out. */
export const update = <T extends SQLiteTable>(
  table: T,
  values: SQLiteUpdateSetSource<T>,
  condition: SQL,
): SQL => builders.update(table).set(values).where(condition).getSQL()

/** `DELETE FROM table WHERE condition`. */
export const deleteFrom = (table: SQLiteTable, condition: SQL): SQL =>
  builders.delete(table).where(condition).getSQL()

const isSql = (value: unknown): value is SQL =>
  typeof value === 'object' && value !== null && 'queryChunks' in value

/** Values for columns of a table: plain, or expressions. */
type ColumnValues<T extends SQLiteTable> = {
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

const begin = shaped(() => sql`UPDATE ${revision} SET stage = 1`)
const end = shaped(() => sql`UPDATE ${revision} SET stage = 0`)

/**
 * The statements of a write, of which all changes get one number (db/triggers/changes.sql): what it changes several times, as an
 * event with its links, is numbered once. For a batch of 100 events, that saves a third of the rows that it writes.
 */
export const asOneChange = (statements: readonly SQL[]): SQL[] =>
  statements.length === 0 ? [] : [begin(), ...statements, end()]
