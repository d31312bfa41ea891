import { type GetColumnData, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { SIZES } from '../lib/budgets.ts'
import { memoize } from '../lib/memo.ts'
import { batchesWithin } from '../lib/values.ts'
import { eachOf } from './query.ts'

// Statements that write many rows of a table at once. The rows are one JSON text, because D1 allows only 100
// parameters.

/**
 * A row of a table, or of any table, by the names of its columns in the database. The compiler checks its
 * values if the table is known. Columns that it doesn't name get their defaults, or stay as they are.
 */
export type ColumnValues<T extends SQLiteTable = SQLiteTable> = {
  readonly [C in keyof T['_']['columns']]?: GetColumnData<T['_']['columns'][C]> | undefined
}

/** Rows whose names are columns of a table: `ColumnValues` lets a row that isn't a literal have others. */
type RowsOnlyOf<T extends SQLiteTable, R> = readonly (R & {
  readonly [C in keyof R]: C extends keyof T['_']['columns'] ? unknown : never
})[]

/** Expressions that compute columns from the values that the rows have for them. @see inputValue */
export type ComputedColumns<T extends SQLiteTable = SQLiteTable> = {
  readonly [C in keyof T['_']['columns']]?: (value: SQL) => SQL
}

/** A value of a row that a statement reads from JSON, which its FROM clause calls `input`. */
export const inputValue = (name: string): SQL => sql.raw(`(input.value ->> '$.${name}')`)

/**
 * A list of rows as JSON texts, each short enough for a parameter, unless a single row is longer than that.
 */
export function jsonBatches(rows: readonly object[]): string[] {
  if (rows.length === 0) return []
  const json = JSON.stringify(rows)
  if (json.length <= SIZES.jsonUnits) return [json]
  const texts = rows.map(row => JSON.stringify(row))
  // Each row counts with a comma. The last row has none, but there are two brackets, hence one more
  // character.
  const batches = batchesWithin(texts, SIZES.jsonUnits - 1, text => text.length + 1)
  return [...batches].map(batch => `[${batch.join()}]`)
}

/**
 * Rows as JSON. If a single row is too long for a parameter, `longTexts` has its long texts by column, and
 * the JSON leaves them out.
 */
type JsonBatch = { json: string; longTexts: ReadonlyMap<string, string> }

const isLongText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > SIZES.longUnits

const batchesOf = (rows: readonly ColumnValues[]): JsonBatch[] =>
  jsonBatches(rows).map(json => {
    if (json.length <= SIZES.jsonUnits) return { json, longTexts: new Map() }
    // Only a single row is that long.
    const [row = {}]: ColumnValues[] = JSON.parse(json)
    const longTexts = new Map<string, string>()
    const otherValues = new Map<string, unknown>()
    for (const [name, value] of Object.entries(row))
      if (isLongText(value)) longTexts.set(name, value)
      else otherValues.set(name, value)
    return { json: JSON.stringify([Object.fromEntries(otherValues)]), longTexts }
  })

const toDriver = (column: SQLiteColumn, value: unknown): unknown =>
  value === null || typeof value === 'object' ? value : column.mapToDriverValue(value)

/**
 * The columns of a table by name, memoized because a batch of an import has hundreds of rows. Tables whose
 * columns have other names in the code (kit/db/tables.ts) are written one row at a time.
 */
const tableColumns = memoize((table: SQLiteTable): [name: string, column: SQLiteColumn][] =>
  Object.entries(getTableColumns(table)),
)

/** The columns of a table among the values of a row, as the database stores them. */
export function storedValues(table: SQLiteTable, row: ColumnValues): ColumnValues {
  const valuesByColumn: Record<string, unknown> = {}
  for (const [name, column] of tableColumns(table))
    if (row[name] !== undefined) valuesByColumn[name] = toDriver(column, row[name])
  return valuesByColumn
}

/**
 * The columns that a row names, as the database stores them.
 *
 * @throws TypeError if the table lacks one of them, whose value would otherwise be lost. The compiler finds
 *   such names first, except in the rows of a backup, and in code for several tables
 */
function checkedValues(table: SQLiteTable, row: ColumnValues): ColumnValues {
  const stored = storedValues(table, row)
  const unknownNames = Object.keys(row).filter(name => row[name] !== undefined && !(name in stored))
  if (unknownNames.length > 0)
    throw new TypeError(`${getTableName(table)} has no column ${unknownNames.join(', ')}.`)
  return stored
}

/** The values of columns that a row doesn't name. */
export const defaultValues = (columns: Record<string, SQLiteColumn>): ColumnValues =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, toDriver(column, column.default ?? null)]),
  )

function valueIn({ longTexts }: JsonBatch, name: string, computed: ComputedColumns): SQL {
  const value = longTexts.has(name) ? sql`${longTexts.get(name)}` : inputValue(name)
  return computed[name]?.(value) ?? value
}

// Raw texts take half the time of Drizzle's parts: 45 µs for an event's 51 columns.
const quotedName = (name: string): string => `"${name}"`
const commaSeparated = (parts: SQL[]): SQL => sql.join(parts, sql.raw(', '))

/** The statements that insert rows, in order. All rows get the columns that any of them names. */
export function rowInsertStatements<T extends SQLiteTable, R extends ColumnValues<T>>(
  table: T,
  rows: RowsOnlyOf<T, R>,
  computed: ComputedColumns<T> = {},
): SQL[] {
  const storedRows = rows.map(row => checkedValues(table, row))
  const columns = tableColumns(table).filter(([name]) => storedRows.some(row => row[name] !== undefined))
  const defaults = defaultValues(Object.fromEntries(columns))
  const names = columns.map(([name]) => name)
  return batchesOf(storedRows.map(row => ({ ...defaults, ...row }))).map(
    batch => sql`INSERT INTO ${table} (${sql.raw(names.map(quotedName).join(', '))})
      SELECT ${commaSeparated(names.map(name => valueIn(batch, name, computed)))}
      FROM json_each(${batch.json}) AS input`,
  )
}

/** The number of sets of columns that get statements of their own; rows with other columns share one. */
const MAX_COLUMN_SETS = 3

/**
 * The statements that change rows by `id`, each in the columns that it names. A statement writes the indexes
 * of all columns that it names, even if they don't change, so there is one for each set of columns as long as
 * there are few sets.
 */
export function rowUpdateStatements<T extends SQLiteTable & { id: SQLiteColumn }, R extends ColumnValues<T>>(
  table: T,
  rows: RowsOnlyOf<T, R>,
  computed: ComputedColumns<T> = {},
): SQL[] {
  const storedRows = rows.map(row => checkedValues(table, row))
  const groups = [...Map.groupBy(storedRows, row => Object.keys(row).join()).values()]
  const largestFirst = groups.toSorted((a, b) => b.length - a.length)
  const otherRows = largestFirst.slice(MAX_COLUMN_SETS).flat()
  return [...largestFirst.slice(0, MAX_COLUMN_SETS), otherRows].flatMap(group =>
    updateStatements(table, group, computed),
  )
}

/** The statements that change rows. A row keeps the values of columns that only other rows name. */
function updateStatements(
  table: SQLiteTable,
  rows: readonly ColumnValues[],
  computed: ComputedColumns,
): SQL[] {
  const names = [...new Set(rows.flatMap(Object.keys))].filter(name => name !== 'id')
  const namesOfSomeRows = new Set(names.filter(name => rows.some(row => row[name] === undefined)))
  return batchesOf(rows).map(batch => {
    const assignments = names.map(name => {
      const value = valueIn(batch, name, computed)
      const column = sql.raw(quotedName(name))
      if (!namesOfSomeRows.has(name) || batch.longTexts.has(name)) return sql`${column} = ${value}`
      const namedSql = sql.raw(`json_type(input.value, '$.${name}') IS NOT NULL`)
      return sql`${column} = iif(${namedSql}, ${value}, ${table}.${column})`
    })
    return sql`UPDATE ${table} SET ${commaSeparated(assignments)}
      FROM json_each(${batch.json}) AS input WHERE ${table}.id = ${inputValue('id')}`
  })
}

/**
 * The highest id of a table, which is the id of the row that a transaction has inserted last, as ids only
 * grow; NULL without rows.
 */
export const newestId = (table: SQLiteTable): SQL => sql`(SELECT max(id) FROM ${table})`

/**
 * The id of a row that a transaction may have inserted. New rows have no id beforehand, so they are numbered
 * from the end: -1 is the last one inserted, -2 the one before. This works because ids only grow, and no
 * other transaction comes in between.
 */
export const resolvedId = (table: SQLiteTable, value: SQL): SQL =>
  sql`iif(${value} < 0, ${newestId(table)} + 1 + ${value}, ${value})`

/** A list of ids of rows, some of which may be new. @see resolvedId */
export const resolvedIds = (table: SQLiteTable, ids: readonly number[]): SQL =>
  sql`(SELECT ${resolvedId(table, sql`value`)} FROM ${eachOf(ids)})`

/**
 * The number of a new row, for {@link resolvedId}.
 * @param position among the new rows of a transaction, from 0
 */
export const newRowNumber = (position: number, count: number): number => position - count
