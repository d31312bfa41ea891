import { type Query as DrizzleQuery, SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { storedJson } from '../lib/values.ts'

/** A value that D1 stores and returns. */
export type Value = string | number | null

/** A row as D1 returns it: values by column name. */
export type RawRow = Record<string, Value>

/** A statement as D1 receives it: its text, and the values of its parameters. */
export type Rendered<V = unknown> = { text: string; params: readonly V[] }

/** A statement of a batch: an SQL template, one of Drizzle's builders, or a rendered statement. */
export type Statement = SQLWrapper | Rendered

/** Statements, usually one, and a function that turns their rows into a value. */
export type Query<T> = { statements: readonly Statement[]; read: (results: readonly RawRow[][]) => T }

/** A builder of a statement that returns rows: a SELECT, or a write with `returning`. */
type RowsBuilder<T> = {
  readonly _: { readonly result: T[] }
  prepare(): { getQuery(): DrizzleQuery; mapAllResult(rows: unknown[][]): unknown }
}

function rowsOf<T>(builder: RowsBuilder<T>): Query<T[]> {
  const prepared = builder.prepare()
  const { sql: text, params } = prepared.getQuery()
  return {
    statements: [{ text, params }],
    read: ([rows = []]) => {
      // Drizzle reads rows into the type that their builder declares.
      const readRows = prepared.mapAllResult(rows.map(row => Object.values(row))) as T[]
      assertComplete(readRows[0])
      return readRows
    },
  }
}

/**
 * @throws TypeError if two columns had the same name, so that D1 returned only one of them, and the values of
 *   other columns were read in place of the missing one
 */
function assertComplete(row: unknown): void {
  if (Object.values(row ?? {}).includes(undefined))
    throw new TypeError('Two columns of a builder have the same name.')
}

/**
 * Returns a value of a column.
 * @throws TypeError if the statement has no such column, or its value has another type
 */
type ColumnReader<T> = (value: Value | undefined, column?: string) => T

const columnReader =
  <T extends Value>(type: string, isType: (value: unknown) => value is T): ColumnReader<T> =>
  (value, column = 'A column') => {
    if (isType(value)) return value
    throw new TypeError(`${column} has the value ${value}; expected ${type}.`)
  }

export const readNumber = columnReader('number', value => typeof value === 'number')
export const readText = columnReader('text', value => typeof value === 'string')
/** Reads the ids in a JSON array, as `json_group_array()` makes it. */
export const readIds: ColumnReader<number[]> = (value, column) =>
  storedJson<number[]>(readText(value, column))
export const readOneOf = <T extends string>(values: readonly T[]): ColumnReader<T> =>
  columnReader(values.join(' or '), (value): value is T => values.some(known => known === value))
export const orNull =
  <T>(read: ColumnReader<T>): ColumnReader<T | null> =>
  (value, column) =>
    value === null ? null : read(value, column)

/**
 * How to read a row of a template: its columns, such as `{ id: readNumber, slug: readText }`, or a function.
 * Drizzle itself reads the rows of its query builders.
 */
export type RowReader<R> = ((row: RawRow) => R) | { readonly [K in keyof R]: ColumnReader<R[K]> }

function toRowFunction<R>(reader: RowReader<R>): (row: RawRow) => R {
  if (typeof reader === 'function') return reader
  const columns = Object.entries<ColumnReader<unknown>>(reader)
  // Every column has its reader.
  return row => Object.fromEntries(columns.map(([name, read]) => [name, read(row[name], name)])) as R
}

/** A query for all rows of a statement. */
export function many<T>(builder: RowsBuilder<T>): Query<T[]>
export function many<T>(template: SQL, row: RowReader<T>): Query<T[]>
export function many<T>(statement: RowsBuilder<T> | SQL, row?: RowReader<T>): Query<T[]> {
  if (!(statement instanceof SQL)) return rowsOf(statement)
  // The overloads demand a reader for a template.
  const read = toRowFunction(row as RowReader<T>)
  return { statements: [statement], read: ([rows = []]) => rows.map(read) }
}

/** A query for the first row of a statement, or the first value of another query, or undefined. */
export function first<T>(rows: RowsBuilder<T> | Query<T[]>): Query<T | undefined>
export function first<T>(template: SQL, row: RowReader<T>): Query<T | undefined>
export function first<T>(...rows: [RowsBuilder<T> | Query<T[]>] | [SQL, RowReader<T>]): Query<T | undefined> {
  const query = rows.length === 2 ? many(...rows) : 'read' in rows[0] ? rows[0] : many(rows[0])
  return mapQuery(query, ([value]) => value)
}

/** A query for the number of rows of a FROM clause. */
export const countOf = (from: SQL): Query<number> => ({
  statements: [sql`SELECT count(*) AS n FROM ${from}`],
  read: ([rows]) => readNumber(rows?.[0]?.n),
})

/** A query that ignores the rows of its statement. */
export const rowlessQuery = (statement: Statement): Query<undefined> => ({
  statements: [statement],
  read: () => undefined,
})

/** A query without statements, whose result is already known. */
export const resolvedQuery = <T>(value: T): Query<T> => ({ statements: [], read: () => value })

/** Converts the result of a query with a function. */
export const mapQuery = <T, U>({ statements, read }: Query<T>, map: (value: T) => U): Query<U> => ({
  statements,
  read: results => map(read(results)),
})

/** The type of a row of the query that a function returns. */
export type RowOfQuery<F extends (...input: never[]) => Query<unknown>> =
  ReturnType<F> extends Query<infer T> ? (T extends readonly (infer Row)[] ? Row : NonNullable<T>) : never

type Results<Q> = { -readonly [K in keyof Q]: Q[K] extends Query<infer T> ? T : never }

type NamedQueries = Readonly<Record<string, Query<unknown>>>

/**
 * Combines queries into one, for a single round trip. The result is a list, or an object with the same keys.
 *
 * @param map converts the result
 */
export function combineQueries<const Q extends readonly [Query<unknown>, ...Query<unknown>[]]>(
  queries: Q,
): Query<Results<Q>>
export function combineQueries<T>(queries: readonly Query<T>[]): Query<T[]>
export function combineQueries<T, U>(queries: readonly Query<T>[], map: (values: T[]) => U): Query<U>
export function combineQueries<const Q extends NamedQueries>(queries: Q): Query<Results<Q>>
export function combineQueries<const Q extends NamedQueries, U>(
  queries: Q,
  map: (values: Results<Q>) => U,
): Query<U>
export function combineQueries(
  queries: readonly Query<unknown>[] | NamedQueries,
  // The overloads give the function the type of the result.
  map: (values: never) => unknown = values => values,
): Query<unknown> {
  const entries = Object.entries(queries)
  return {
    statements: entries.flatMap(([, { statements }]) => statements),
    read: results => {
      let from = 0
      const values = entries.map(([name, { statements, read }]) => {
        const ownRows = results.slice(from, from + statements.length)
        from += statements.length
        return [name, read(ownRows)] as const
      })
      return map(
        (Array.isArray(queries) ? values.map(([, value]) => value) : Object.fromEntries(values)) as never,
      )
    },
  }
}

// D1 bills the rows that it scans. SQLite chooses between two tables or two indexes by statistics, which a
// database lacks unless somebody runs `ANALYZE` or `PRAGMA optimize`, and which stay as they are while the
// calendar grows: those of a calendar without series would have every request read all dates of the first
// ones. So wherever SQLite could choose wrongly, a template decides:
//
// - `a CROSS JOIN b` reads `a` first, and then `b` for each of its rows: `a` has the fewer rows, such as
//   `json_each` of a list.
// - `INDEXED BY` names the index, if the conditions fit several, or a partial one. Without the condition of a
//   partial index the statement fails, instead of scanning the table.
// - A unary plus, as in `+target_id`, keeps a condition from choosing an index.
// - `coalesce(series_id, 0)` of a row that is found by its id: a partial index over the rows that have a
//   series fits a comparison of `series_id`, even with a plus, and looks like the shorter way while it has no
//   rows.
//
// A search by the key of a table, or by the only index that has the column, needs none of them.

/** A constant of the code, written into the text of a statement. */
export const literal = (constant: number | string): SQL =>
  sql.raw(typeof constant === 'number' ? String(constant) : `'${constant.replaceAll("'", "''")}'`)

/**
 * A LIMIT whose number is bound. SQLite looks at the value of a parameter that is a LIMIT by itself, and
 * compiles the statement again when another is bound, but not at a sum: a list takes 0.15 ms instead of
 * 2.9, and pages of all sizes have one text.
 */
export const rowLimit = (rows: number): SQL => sql`${rows} + 0`

/** The longest chain of conditions. Each adds a level to the expression, and D1 allows 100 levels. */
const MAX_CHAIN_LENGTH = 8

/** Conditions joined with AND; true if there are none. */
export function allOf(conditions: readonly SQL[]): SQL {
  if (conditions.length === 0) return sql`1`
  if (conditions.length <= MAX_CHAIN_LENGTH) return sql.join([...conditions], sql` AND `)
  const middle = Math.ceil(conditions.length / 2)
  return sql`(${allOf(conditions.slice(0, middle))}) AND (${allOf(conditions.slice(middle))})`
}

/**
 * A FROM clause with a row for each of some values, which are one bound parameter: `json_each(?)`, with its
 * columns `key` and `value`.
 */
export const eachOf = (values: object): SQL => sql`json_each(${JSON.stringify(values)})`

/** A list of any length as one bound parameter: `(SELECT value FROM json_each(?))`. */
export const inList = (values: readonly (string | number)[]): SQL =>
  sql`(SELECT value FROM ${eachOf(values)})`

/** A query for whether a condition that names no row of its own is true. */
export const selectCondition = (condition: SQL): Query<boolean> =>
  mapQuery(
    first(sql`SELECT ${condition} AS is_true`, row => row.is_true === 1),
    isTrue => isTrue ?? false,
  )
