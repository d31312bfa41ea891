import { type GetColumnData, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { RawRow } from './query.ts'

export type Columns = Record<string, SQLiteColumn>

/** The values of some columns, as Drizzle types them. */
export type Row<C extends Columns> = { [K in keyof C]: GetColumnData<C[K]> }

/** All columns of a table but those named. */
export function columnsWithout<T extends SQLiteTable, const N extends readonly (keyof T['_']['columns'])[]>(
  table: T,
  ...names: N
): Omit<T['_']['columns'], N[number]> {
  const kept = Object.entries(getTableColumns(table)).filter(([name]) => !names.includes(name))
  // Object.fromEntries forgets the keys' types.
  return Object.fromEntries(kept) as Omit<T['_']['columns'], N[number]>
}

/** `table.column, …` for a SELECT; D1 names the results after the columns. */
export const columnList = (columns: Columns): SQL => sql.join(columnExpressions(columns), sql`, `)

export const columnExpressions = (columns: Columns): SQL[] =>
  Object.values(columns).map(column => sql`${column}`)

/** A column's value. Only booleans are stored as something else than they are. */
const decode = (column: SQLiteColumn, value: unknown): unknown =>
  value !== null && column.dataType === 'boolean' ? column.mapFromDriverValue(value) : value

function decoded<C extends Columns>(
  columns: C,
  value: (column: SQLiteColumn, position: number) => unknown,
): Row<C> {
  const row: Record<string, unknown> = {}
  let position = 0
  for (const [key, column] of Object.entries(columns))
    row[key] = decode(column, value(column, position++) ?? null)
  // The values are of the columns' types: the database's own, or what the columns made of them.
  return row as Row<C>
}

/** The columns' values in a row as D1 hands it over. */
export const decodeRow = <C extends Columns>(columns: C, raw: RawRow): Row<C> =>
  decoded(columns, column => raw[column.name])

/** The columns' values in a list that begins with them. */
export const decodeList = <C extends Columns>(columns: C, values: readonly unknown[]): Row<C> =>
  decoded(columns, (_, position) => values[position])
