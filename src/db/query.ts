import { Column, is, Name, SQL, type SQLChunk, StringChunk, sql, Table } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { bindable, type Value } from '../lib/connection.ts'
import { shaped } from './shapes.ts'

/** A row of D1: numbers, texts and nulls by column name. */
export type RawRow = Record<string, unknown>

/** Statements, mostly one, and a function that reads their rows as a value. */
export type Query<T> = { statements: readonly SQL[]; read: (results: readonly RawRow[][]) => T }

/** A query of all rows of a statement, each read as a value. */
export const many = <T>(statement: SQL, row: (raw: RawRow) => T): Query<T[]> => ({
  statements: [statement],
  read: ([rows = []]) => rows.map(row),
})

/** A query of the first row of a statement, or undefined. */
export const first = <T>(statement: SQL, row: (raw: RawRow) => T): Query<T | undefined> => ({
  statements: [statement],
  read: ([rows]) => rows?.[0] && row(rows[0]),
})

/** A query of the first of several values, or undefined. */
export const firstOf = <T>(query: Query<T[]>): Query<T | undefined> => mapped(query, ([value]) => value)

/** A query of the number of rows of a FROM clause. */
export const countOf = (from: SQL): Query<number> => ({
  statements: [sql`SELECT count(*) AS n FROM ${from}`],
  read: ([rows]) => Number(rows?.[0]?.n ?? 0),
})

/** A query that ignores the rows of its statement. */
export const exec = (statement: SQL): Query<undefined> => ({ statements: [statement], read: () => undefined })

/** A query that takes no statements: its result is known. */
export const settled = <T>(value: T): Query<T> => ({ statements: [], read: () => value })

/** A query with its result converted by a function. */
export const mapped = <T, U>({ statements, read }: Query<T>, turn: (value: T) => U): Query<U> => ({
  statements,
  read: results => turn(read(results)),
})

export type Results<Q> = { -readonly [K in keyof Q]: Q[K] extends Query<infer T> ? T : never }

/** A list of queries as one, for a single round trip. */
export const inOrder = <T>(queries: readonly Query<T>[]): Query<T[]> => ({
  statements: queries.flatMap(({ statements }) => statements),
  read: results => {
    let from = 0
    return queries.map(({ statements, read }) => {
      const own = results.slice(from, from + statements.length)
      from += statements.length
      return read(own)
    })
  },
})

/** Queries by name as one. */
export function together<const Q extends Readonly<Record<string, Query<unknown>>>>(
  queries: Q,
): Query<Results<Q>> {
  const names = Object.keys(queries)
  return mapped(
    inOrder(Object.values(queries)),
    // Object.fromEntries forgets the keys' types.
    values => Object.fromEntries(names.map((name, i) => [name, values[i]])) as Results<Q>,
  )
}

const dialect = new SQLiteAsyncDialect()

const names = new WeakMap<Column | Table, string>()

/** The name of a table or column in statements. */
function nameOf(named: Column | Table): string {
  const name = names.get(named) ?? dialect.sqlToQuery(sql`${named}`).sql
  names.set(named, name)
  return name
}

/**
 * Renders a statement for D1. Equal values become one parameter: D1 allows 100, and a list repeats its interval, caller
 * and filters for the page, for the total and for each index that it reads. Texts, names and values, which are nearly all
 * of a statement, are put together here, the rest by Drizzle: that of a list takes 10 µs instead of 90.
 *
 * @throws TypeError for a value that no column stores, such as a boolean: Drizzle's templates take any
 */
export function rendered(statement: SQL): { text: string; params: Value[] } {
  const params: Value[] = []
  const numbers = new Map<unknown, number>()
  const parameter = (value: unknown): string => {
    const number = numbers.get(value) ?? params.push(bindable(value))
    numbers.set(value, number)
    return `?${number}`
  }
  const textOf = (chunk: SQLChunk): string => {
    if (chunk instanceof StringChunk) return chunk.value.join('')
    if (chunk instanceof SQL) {
      let text = ''
      for (const part of chunk.queryChunks) text += textOf(part)
      return text
    }
    if (chunk instanceof Column || chunk instanceof Table) return nameOf(chunk)
    if (is(chunk, Name)) return dialect.escapeName(chunk.value)
    if (typeof chunk === 'string' || typeof chunk === 'number' || chunk === null) return parameter(chunk)
    // Called with the value as well, as `BuildQueryConfig` of Drizzle has it.
    const numbering = new SQLiteAsyncDialect()
    numbering.escapeParam = (_, value?: unknown) => parameter(value)
    return numbering.sqlToQuery(sql`${chunk}`).sql
  }
  return { text: textOf(statement), params }
}

/**
 * A whole number in the text of a statement, for constants and for LIMIT: SQLite compiles a statement anew each time that
 * a parameter of LIMIT is bound, which takes longer than running that of a list (0.35 of 0.5 ms).
 */
export const literal = (number: number): SQL => sql.raw(String(number))

/** Conditions joined with AND; true if there are none. */
export const allOf = (conditions: readonly SQL[]): SQL =>
  conditions.length === 0 ? sql`1` : sql.join([...conditions], sql` AND `)

/** A list of any length as one bound parameter: `(SELECT value FROM json_each(?))`. */
export const inList = (values: readonly (string | number)[]): SQL =>
  sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`

/** One of several SELECTs in a UNION, without parameters. */
export type UnionPart<T> = {
  columns: readonly SQL[]
  /** The columns of rows that fulfil no condition. It is asked once a row: in each column it took half the time of a large page. */
  otherwise?: { unless: SQL; columns: readonly SQL[] }
  /** The FROM clause and everything after it. */
  from: SQL
  /** @param values in the order of the columns */
  read: (values: readonly unknown[]) => T
}

type Parts = Readonly<Record<string, UnionPart<unknown>>>
type PartRows<P extends Parts> = { -readonly [K in keyof P]: P[K] extends UnionPart<infer T> ? T[] : never }

const PART = 'part'
const VALUES = 'row_values'
const HEAD = 'head'

/**
 * Selects rows of several kinds in one statement, so that they share a WITH clause, which is evaluated once. All SELECTs of
 * a UNION must have the same columns: each row is one JSON array, which also takes a quarter less time than filling up
 * the shorter ones with nulls (a list of 50 events at 100,000).
 *
 * @returns a function that makes the query from a WITH clause and the expression `head`; parts are rendered once
 */
export function unionOf<const P extends Parts>(
  parts: P,
): (withClause: SQL, head: SQL) => Query<PartRows<P> & { head: number }> {
  const entries = Object.entries(parts)
  const selects = shaped(() =>
    unionAll(entries.map(([part, { columns, otherwise, from }]) => selectOf(part, columns, from, otherwise))),
  )
  return (withClause, head) =>
    mapped(
      many(sql`${withClause} ${selectOf(HEAD, [head], sql``)} UNION ALL ${selects()}`, raw => raw),
      rows => {
        const byPart = Map.groupBy(rows, row => row[PART])
        const valuesOf = (part: string): unknown[][] =>
          (byPart.get(part) ?? []).map(row => JSON.parse(String(row[VALUES])))
        const read = Object.fromEntries(
          entries.map(([part, { read }]) => [part, valuesOf(part).map(values => read(values))]),
        )
        // The rows of each part were read by its own function.
        return { ...(read as PartRows<P>), head: Number(valuesOf(HEAD)[0]?.[0] ?? 0) }
      },
    )
}

/** D1 allows five SELECTs in a UNION, of which the first selects the number `head`, but not how often one stands in another. */
const MOST_SELECTS = 4

function unionAll(selects: readonly SQL[]): SQL {
  if (selects.length <= MOST_SELECTS) return sql.join([...selects], sql` UNION ALL `)
  const rest = sql`SELECT * FROM (${unionAll(selects.slice(MOST_SELECTS - 1))})`
  return unionAll([...selects.slice(0, MOST_SELECTS - 1), rest])
}

function selectOf(
  part: string,
  columns: readonly SQL[],
  from: SQL,
  otherwise?: UnionPart<unknown>['otherwise'],
): SQL {
  const array = (values: readonly SQL[]) => sql`json_array(${sql.join([...values], sql`, `)})`
  const row = otherwise
    ? sql`CASE WHEN ${otherwise.unless} THEN ${array(columns)} ELSE ${array(otherwise.columns)} END`
    : array(columns)
  return sql`SELECT ${sql.raw(`'${part}' AS ${PART}`)}, ${row} AS ${sql.raw(VALUES)} ${from}`
}
