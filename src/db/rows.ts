import { type GetColumnData, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { RawRow } from './client.ts'

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
export const columnList = (columns: Columns): SQL =>
  sql.join(
    Object.values(columns).map(column => sql`${column}`),
    sql`, `,
  )

/** One row's columns as a JSON array, to be read by {@link fromList}. D1 allows 32 arguments a function. */
export const jsonList = (columns: Columns): SQL => sql`json_array(${columnList(columns)})`

type Decode = (raw: unknown) => unknown
type Field = { name: string; column: string; decode: Decode | undefined }

const fieldsOf = new WeakMap<Columns, readonly Field[]>()

/** How to read some columns, worked out once: a page reads hundreds of values. Only booleans come as something else. */
function fields(columns: Columns): readonly Field[] {
  const known = fieldsOf.get(columns)
  if (known) return known
  const made = Object.entries(columns).map(([name, column]): Field => {
    const decode =
      column.dataType === 'boolean' ? (raw: unknown) => column.mapFromDriverValue(raw) : undefined
    return { name, column: column.name, decode }
  })
  fieldsOf.set(columns, made)
  return made
}

function decoded<C extends Columns>(columns: C, read: (field: Field, position: number) => unknown): Row<C> {
  const row: Record<string, unknown> = {}
  let position = 0
  for (const field of fields(columns)) {
    const raw = read(field, position++) ?? null
    row[field.name] = raw === null || !field.decode ? raw : field.decode(raw)
  }
  // The values are of the columns' types: the database's own, or what the columns made of them.
  return row as Row<C>
}

/** A row by column names → the columns' values. */
export const fromRow = <C extends Columns>(columns: C, raw: RawRow): Row<C> =>
  decoded(columns, ({ column }) => raw[column])

/** A row by position, as {@link jsonList} wrote it → the columns' values. */
export const fromList = <C extends Columns>(columns: C, list: readonly unknown[]): Row<C> =>
  decoded(columns, (_, position) => list[position])

/** The elements of a JSON array that a subselect answered. */
export const fromJson = (raw: unknown): unknown[][] => (typeof raw === 'string' ? JSON.parse(raw) : [])

/** A column's new value: plain, or an expression. */
export type Values<T extends SQLiteTable> = {
  [K in keyof T['$inferInsert']]?: T['$inferInsert'][K] | SQL | undefined
}

const isSql = (value: unknown): value is SQL =>
  typeof value === 'object' && value !== null && 'queryChunks' in value

/** The given columns of a table beside their values, as SQL; an undefined value counts as not given. */
function assignments<T extends SQLiteTable>(
  table: T,
  values: Values<T>,
): { column: SQLiteColumn; value: SQL }[] {
  const given: Record<string, unknown> = values
  return Object.entries(getTableColumns(table))
    .filter(([name]) => given[name] !== undefined)
    .map(([name, column]) => {
      const value = given[name]
      return { column, value: isSql(value) ? value : sql`${sql.param(value, column)}` }
    })
}

/** `INSERT INTO table (…) SELECT … [WHERE condition]`. */
export function insertInto<T extends SQLiteTable>(table: T, values: Values<T>, condition?: SQL): SQL {
  const given = assignments(table, values)
  const names = sql.join(
    given.map(({ column }) => sql.identifier(column.name)),
    sql`, `,
  )
  const row = sql.join(
    given.map(({ value }) => value),
    sql`, `,
  )
  return sql`INSERT INTO ${table} (${names}) SELECT ${row}${condition ? sql` WHERE ${condition}` : sql``}`
}

/** `UPDATE table SET … WHERE condition`. */
export function updateSet<T extends SQLiteTable>(table: T, values: Values<T>, condition: SQL): SQL {
  const changes = assignments(table, values).map(
    ({ column, value }) => sql`${sql.identifier(column.name)} = ${value}`,
  )
  return sql`UPDATE ${table} SET ${sql.join(changes, sql`, `)} WHERE ${condition}`
}

/** `(SELECT value FROM json_each(?))`: a list of any length as one bound parameter. */
export const inList = (values: readonly (string | number)[]): SQL =>
  sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`
