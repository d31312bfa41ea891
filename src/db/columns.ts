import { type GetColumnData, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { memoizeByObject } from '../lib/memo.ts'
import { type DateTime, isDateTime } from '../lib/time.ts'
import { canonicalZone } from '../lib/zones.ts'
import type { RawRow } from './query.ts'

// The Worker writes only values that it can read again. Invalid values that others wrote into the database must not
// stop it from reading everything else, so they are shown as if they were missing.

const zones = new Map<string, boolean>()

function isZone(name: string): boolean {
  const known = zones.get(name)
  if (known !== undefined) return known
  const isKnown = canonicalZone(name) !== undefined
  if (zones.size < 1_000) zones.set(name, isKnown)
  return isKnown
}

/** The time that is shown in place of an invalid one. */
const NO_TIME: DateTime = '1970-01-01 00:00:00'

type Repair = (value: string) => string

const MOMENT = /(?:^|_)(?:date|utc)$|^modified$/
const repairs: readonly (readonly [RegExp, Repair])[] = [
  [/^timezone$/, value => (isZone(value) ? value : 'UTC')],
  [MOMENT, value => (isDateTime(value) ? value : NO_TIME)],
]

/** Makes the function that repairs a stored value if its column cannot have it. */
function readerOf(column: SQLiteColumn): (value: unknown) => unknown {
  if (column.dataType !== 'string')
    return value => (value === null || typeof value === 'number' ? value : column.notNull ? 0 : null)
  const repair = repairs.find(([name]) => name.test(column.name))?.[1]
  if (!repair) return value => (value === null || typeof value === 'string' ? value : String(value))
  const isEmpty = (value: unknown): boolean => value === null || (value === '' && column.default === '')
  return value => (isEmpty(value) ? value : repair(typeof value === 'string' ? value : String(value)))
}

/** Logged values, by row and column: an instance logs each only once. */
const logged = new Set<string>()
const MOST_LOGGED = 1_000

/** Logs the place of an invalid value. */
export function logUnreadable(row: unknown, column: string): void {
  const key = `${row} ${column}`
  if (logged.has(key) || logged.size >= MOST_LOGGED) return
  logged.add(key)
  console.error(JSON.stringify({ error: 'unreadable value', row, column }))
}

export type Columns = Record<string, SQLiteColumn>

/** A row of some columns, with the types that Drizzle gives them. */
export type RowOf<C extends Columns> = { [K in keyof C]: GetColumnData<C[K]> }

/** The columns of a table that can be written: the others follow from them. */
export const writtenColumns = (table: SQLiteTable): Columns =>
  Object.fromEntries(Object.entries(getTableColumns(table)).filter(([, { generated }]) => !generated))

/** `table.column, …` for a SELECT; D1 names the results after the columns. */
export const columnList = (columns: Columns): SQL => sql.join(columnExpressions(columns), sql`, `)

export const columnExpressions = (columns: Columns): SQL[] =>
  Object.values(columns).map(column => sql`${column}`)

/** The columns with the functions that read their stored values, made once, not for each row. */
const readersOf = memoizeByObject((columns: Columns) =>
  Object.entries(columns).map(([key, column]) => ({
    ...{ key, column, read: readerOf(column) },
    isFlag: column.dataType === 'boolean',
  })),
)

/** Reads the columns' values from a list, beginning at a position. */
export function decodeList<C extends Columns>(columns: C, values: readonly unknown[], from = 0): RowOf<C> {
  const row: Record<string, unknown> = {}
  let position = from
  for (const { key, read, isFlag } of readersOf(columns)) {
    const stored = values[position++] ?? null
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
  decodeList(
    columns,
    readersOf(columns).map(({ column }) => raw[column.name]),
  )
