import { type GetColumnData, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { RawRow } from './query.ts'
import { logUnreadable, readerOf } from './stored-values.ts'

export type Columns = Record<string, SQLiteColumn>

/** A row of some columns, as Drizzle types their values. */
export type RowOf<C extends Columns> = { [K in keyof C]: GetColumnData<C[K]> }

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

type Reader = { key: string; column: SQLiteColumn; read: (stored: unknown) => unknown; isFlag: boolean }

const known = new WeakMap<Columns, { readers: readonly Reader[]; blank: Readonly<Record<string, null>> }>()

/**
 * The columns, with the function that reads a stored value of each, and a row without values: what they are is asked once, not
 * for each row.
 */
function readersOf(columns: Columns) {
  const made = known.get(columns) ?? {
    readers: Object.entries(columns).map(([key, column]) => ({
      ...{ key, column, read: readerOf(column) },
      isFlag: column.dataType === 'boolean',
    })),
    blank: Object.fromEntries(Object.keys(columns).map(key => [key, null])),
  }
  known.set(columns, made)
  return made
}

function decoded<C extends Columns>(
  columns: C,
  value: (column: SQLiteColumn, position: number) => unknown,
): RowOf<C> {
  const { readers, blank } = readersOf(columns)
  // A copy has its keys from the start: adding one after the other took half the time of all this (5,000 events of a feed).
  const row: Record<string, unknown> = { ...blank }
  let position = 0
  for (const { key, column, read, isFlag } of readers) {
    const stored = value(column, position++) ?? null
    const given = read(stored)
    if (given !== stored) logUnreadable(row.id, key)
    // Flags are stored as numbers.
    row[key] = isFlag && given !== null ? given === 1 : given
  }
  // The values have the columns' types: the database stores them so, or they were converted.
  return row as RowOf<C>
}

/** Reads the columns' values from a row of D1. */
export const decodeRow = <C extends Columns>(columns: C, raw: RawRow): RowOf<C> =>
  decoded(columns, column => raw[column.name])

/** Reads the columns' values from a list that has them from a position on. */
export const decodeList = <C extends Columns>(columns: C, values: readonly unknown[], from = 0): RowOf<C> =>
  decoded(columns, (_, position) => values[from + position])
