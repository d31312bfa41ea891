import { type GetColumnData, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { memoize, memoizeByObject } from '../lib/memo.ts'
import { type DateTime, isDateTime } from '../lib/time.ts'
import { canonicalZone } from '../lib/zones.ts'
import { many, mapQuery, type Query, type RawRow } from './query.ts'
import { sqlText } from './statements.ts'

// The Worker writes only values that it can read again. Invalid values that others wrote into the database
// must not stop it from reading everything else, so they are shown as if they were missing.

const isZone = memoize((name: string) => canonicalZone(name) !== undefined, { most: 1_000 })

/** The time that is shown instead of an invalid time. */
const NO_TIME: DateTime = '1970-01-01 00:00:00'

type Repair = (value: string) => string

/**
 * The names of columns of times, in every table. A column type of their own would give them another
 * `dataType`, by which backups and lists of columns tell texts from numbers.
 */
export const TIME_COLUMN = /(?:^|_)(?:date|utc)$|^(?:modified|extend_from)$/
const repairs: readonly (readonly [RegExp, Repair])[] = [
  [/^timezone$/, value => (isZone(value) ? value : 'UTC')],
  [TIME_COLUMN, value => (isDateTime(value) ? value : NO_TIME)],
]

/** Returns the function that replaces a stored value which its column should never contain. */
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
const MAX_LOGGED = 1_000

/** Logs the row and column of an invalid value. */
export function logUnreadable(row: unknown, column: string): void {
  const key = `${row} ${column}`
  if (logged.has(key) || logged.size >= MAX_LOGGED) return
  logged.add(key)
  console.error(JSON.stringify({ error: 'unreadable value', row, column }))
}

export type Columns = Record<string, SQLiteColumn>

/** A row of some columns, with the types that Drizzle gives them. */
export type RowOf<C extends Columns> = { [K in keyof C]: GetColumnData<C[K]> }

/** The columns of a table that can be written. The others follow from these. */
export const writtenColumns = (table: SQLiteTable): Columns =>
  Object.fromEntries(Object.entries(getTableColumns(table)).filter(([, { generated }]) => !generated))

/** `table.column, …` for a SELECT; D1 names the results after the columns. */
export const columnList = (columns: Columns): SQL => sql.join(columnExpressions(columns), sql`, `)

export const columnExpressions = (columns: Columns): SQL[] =>
  Object.values(columns).map(column => sql`${column}`)

/** The columns with the functions that read their stored values, made once, not for each row. */
const readersOf = memoizeByObject((columns: Columns) =>
  Object.entries(columns).map(([key, column]) => ({
    key,
    column,
    read: readerOf(column),
    isFlag: column.dataType === 'boolean',
  })),
)

/** Reads the columns' values from a list, beginning at a position. */
export function decodeList<C extends Columns>(columns: C, values: readonly unknown[], from = 0): RowOf<C> {
  const row: Record<string, unknown> = {}
  let position = from
  for (const { key, read, isFlag } of readersOf(columns)) {
    const storedValue = values[position++] ?? null
    const readValue = read(storedValue)
    if (readValue !== storedValue) logUnreadable(row.id, key)
    // Flags are stored as numbers.
    row[key] = isFlag && readValue !== null ? readValue === 1 : readValue
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

// Rows of several kinds in one statement.

/** One of several SELECTs in a UNION, without parameters. */
export type UnionPart<T> = {
  columns: readonly SQL[]
  /**
   * The columns of rows that don't meet a condition, which is evaluated once for each row; evaluating it for
   * each column took half the time of a large page.
   */
  otherwise?: { unless: SQL; columns: readonly SQL[] }
  /** The FROM clause, and everything after it. */
  from: SQL
  /** @param values in the order of the columns */
  read: (values: readonly unknown[]) => T
}

type UnionParts = Readonly<Record<string, UnionPart<unknown>>>
type PartRows<P extends UnionParts> = {
  -readonly [K in keyof P]: P[K] extends UnionPart<infer T> ? T[] : never
}

const PART_COLUMN = 'part'
const VALUES_COLUMN = 'row_values'
const HEAD = 'head'

/**
 * Selects rows of several kinds in one statement, so that they share a WITH clause, which is evaluated once.
 * All SELECTs of a UNION must have the same columns, so each row is one JSON array. That also takes a quarter
 * less time than padding the shorter ones with nulls (a list of 50 events among 100,000).
 *
 * @returns a function that makes the query from a WITH clause and the expression `head`; parts are rendered
 *   once
 */
export function unionOf<const P extends UnionParts>(
  parts: P,
): (withClause: SQL, head: SQL) => Query<PartRows<P> & { head: number }> {
  const entries = Object.entries(parts)
  const selects = memoize(() =>
    sqlText(
      unionAll(
        entries.map(([part, { columns, otherwise, from }]) => rowsOfPart(part, columns, from, otherwise)),
      ),
    ),
  )
  return (withClause, head) =>
    mapQuery(
      many(sql`${withClause} ${rowsOfPart(HEAD, [head], sql``)} UNION ALL ${selects()}`, raw => raw),
      rows => {
        const byPart = Map.groupBy(rows, row => row[PART_COLUMN])
        const valuesOf = (part: string): unknown[][] =>
          (byPart.get(part) ?? []).map(row => JSON.parse(String(row[VALUES_COLUMN])))
        const rowsByPart = Object.fromEntries(
          entries.map(([part, { read }]) => [part, valuesOf(part).map(values => read(values))]),
        )
        // The rows of each part were read by its own function.
        return { ...(rowsByPart as PartRows<P>), head: Number(valuesOf(HEAD)[0]?.[0] ?? 0) }
      },
    )
}

/**
 * D1 allows five SELECTs in a UNION, but sets no limit to nesting them. {@link unionOf} needs one for the
 * number `head`.
 */
const MAX_SELECTS = 4

export function unionAll(selects: readonly SQL[]): SQL {
  if (selects.length <= MAX_SELECTS) return sql.join([...selects], sql` UNION ALL `)
  const furtherSelects = sql`SELECT * FROM (${unionAll(selects.slice(MAX_SELECTS - 1))})`
  return unionAll([...selects.slice(0, MAX_SELECTS - 1), furtherSelects])
}

function rowsOfPart(
  part: string,
  columns: readonly SQL[],
  from: SQL,
  otherwise?: UnionPart<unknown>['otherwise'],
): SQL {
  const array = (values: readonly SQL[]) => sql`json_array(${sql.join([...values], sql`, `)})`
  const row = otherwise
    ? sql`CASE WHEN ${otherwise.unless} THEN ${array(columns)} ELSE ${array(otherwise.columns)} END`
    : array(columns)
  return sql`SELECT ${sql.raw(`'${part}' AS ${PART_COLUMN}`)}, ${row} AS ${sql.raw(VALUES_COLUMN)} ${from}`
}
