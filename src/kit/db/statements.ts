import {
  Column,
  fillPlaceholders,
  is,
  Name,
  noopEncoder,
  Param,
  Placeholder,
  type QueryWithTypings,
  SQL,
  type SQLChunk,
  StringChunk,
  sql,
  Table,
} from 'drizzle-orm'
import { SQLiteAsyncDialect, type SQLiteSelectConfig } from 'drizzle-orm/sqlite-core'
import { SQLiteRemoteSession, SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { memoizeByObject } from '../lib/memo.ts'
import { revision } from './derived.ts'
import { literal, type Query, type Rendered, type Statement, type Value } from './query.ts'
import { events } from './tables.ts'

// Statements: how they are built with Drizzle, and rendered as texts with parameters for D1.

const sqlite = new SQLiteAsyncDialect()

/** The name of a table or column, as written in statements. */
const renderedName = memoizeByObject((named: Column | Table) => sqlite.sqlToQuery(sql`${named}`).sql)

/**
 * Renders a statement for D1. Statements that differ in their values only have the same text, which SQLite
 * compiles once: preparing a list takes 1.3 to 3.6 ms, running it 0.15. D1 allows 100 parameters, and a list
 * repeats its interval, caller and filters for the page, for the total and for each index that it reads:
 * equal texts share a parameter, and so does a part that occurs several times. Numbers of templates are often
 * equal by chance, such as a size and an id, and share none, nor does a text in `sql.param`.
 *
 * Drizzle's own renderer does not know that a part occurs several times: it binds the numbers of a part each
 * time, and a list with all filters then has more parameters than D1 allows (.github/mechanisms/database.md).
 *
 * @throws TypeError for a value that no column can store, such as a boolean, which Drizzle's templates accept
 */
export function renderStatement(statement: Statement): Rendered<Value> {
  const { text, params } = render(statement)
  return { text, params: params.map(requireBindable) }
}

/**
 * Returns a value that may be bound: text, a finite number or null. Databases that accept other values, such
 * as D1, convert them in their own ways.
 *
 * @throws TypeError for anything else
 */
export function requireBindable(value: unknown): Value {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new TypeError(`Cannot bind ${typeof value} ${value}: expected text, a finite number or null`)
}

/** Converts a value to the form in which its column stores it. */
const toStoredForm = ({ value, encoder }: Param): unknown =>
  value === null ? null : encoder.mapToDriverValue(value)

/**
 * Renders a statement whose parameters may be placeholders. `test/kit/db/rendering.test.ts` compares the
 * result with that of Drizzle.
 */
export function render(statement: Statement): Rendered {
  if ('text' in statement) return statement
  const params: unknown[] = []
  const numbers = new Map<unknown, number>()
  const texts = new Map<SQL, string>()
  const ownParameter = (value: unknown): string => `?${params.push(value)}`
  const sharedParameter = (value: unknown): string => {
    const number = numbers.get(value) ?? params.push(value)
    numbers.set(value, number)
    return `?${number}`
  }
  const textOf = (chunk: SQLChunk): string => {
    if (chunk instanceof StringChunk) return chunk.value.join('')
    if (chunk instanceof SQL) {
      const knownText = texts.get(chunk)
      if (knownText !== undefined) return knownText
      let text = ''
      for (const part of chunk.queryChunks) text += textOf(part)
      texts.set(chunk, text)
      return text
    }
    if (chunk instanceof Column || chunk instanceof Table) return renderedName(chunk)
    if (is(chunk, Name)) return sqlite.escapeName(chunk.value)
    if (is(chunk, Param))
      return chunk.encoder === noopEncoder ? ownParameter(chunk.value) : sharedParameter(toStoredForm(chunk))
    if (is(chunk, Placeholder)) return sharedParameter(chunk)
    if (typeof chunk === 'number') return ownParameter(chunk)
    if (typeof chunk === 'string' || chunk === null) return sharedParameter(chunk)
    // Drizzle passes the value as well: see its `BuildQueryConfig`.
    const numbering = new SQLiteAsyncDialect()
    numbering.escapeParam = (_, value?: unknown) => sharedParameter(value)
    return numbering.sqlToQuery(sql`${chunk}`).sql
  }
  return { text: textOf(statement.getSQL()), params }
}

/**
 * Turns a part of a statement into plain SQL text, so that it is rendered only once. Long parts of frequent
 * statements are memoized in this form.
 *
 * @throws Error if the part has values, which other callers would get with the memoized text
 */
export function sqlText(part: SQL): SQL {
  const { text, params } = render(part)
  if (params.length > 0) throw new Error(`Only a part without values can be a text: ${text}`)
  return sql.raw(text)
}

/**
 * A query with values in place of its placeholders. Queries that every request makes are memoized with
 * placeholders, because one of Drizzle's builders takes 45 µs for two columns, and 140 µs for twelve.
 *
 * @throws Error if a placeholder gets no value
 */
export const withValues = <T>(query: Query<T>, values: Readonly<Record<string, Value>>): Query<T> => ({
  ...query,
  statements: query.statements.map(statement => {
    const { text, params } = render(statement)
    return { text, params: fillPlaceholders([...params], values) }
  }),
})

/** Drizzle's SQLite dialect, adapted to the ways in which D1 differs. */
class D1Dialect extends SQLiteAsyncDialect {
  override sqlToQuery(statement: SQL): QueryWithTypings {
    const { text, params } = render(statement)
    return { sql: text, params: [...params] }
  }

  /**
   * D1 returns the rows of a batch as objects, in which columns of the same name overwrite one another, so
   * each column gets the name of its key. The limit is written into the text ({@link literal}).
   */
  override buildSelectQuery({ fields, limit, offset, ...config }: SQLiteSelectConfig): SQL {
    const select = super.buildSelectQuery({ ...config, fields: namedByKey(fields) })
    if (typeof limit !== 'number') return select
    return sql`${select} limit ${literal(limit)}${offset === undefined ? sql`` : sql` offset ${offset}`}`
  }
}

/** Names selected columns and expressions after their keys. */
const namedByKey = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([key, field]) =>
      is(field, Column) && field.name === key
        ? [key, field]
        : // Nested expressions keep the names of tables, which Drizzle leaves out of a SELECT from one table, because a
          // subquery may have a column of the same name.
          [key, sql`${is(field, SQL.Aliased) ? field.sql : field}`.as(key)],
    ),
  )

const dialect = new D1Dialect()
const unusedDriver = () => Promise.reject(new Error('Statements are run by Database.'))

/**
 * Drizzle's builders: `build.select({ id: users.id }).from(users).where(…)`. The executor in
 * kit/db/database.ts runs their statements, and `many` and `first` of kit/db/query.ts read and type the rows.
 */
export const build = new SqliteRemoteDatabase(
  'async',
  dialect,
  new SQLiteRemoteSession(unusedDriver, dialect, undefined),
  undefined,
)

const firstNewId = sql`(SELECT coalesce(max(id), 0) + 1 FROM ${events})`
// Templates, because every write has these, and a builder takes ten times as long.
const beginWrite = sql`UPDATE ${revision} SET write_state = 1, first_new_id = ${firstNewId}`
/**
 * Begins a write that surely changes something public, and sets the numbers that its first change would
 * otherwise set (kit/db/triggers/revision.sql).
 */
const beginPublicWrite = sql`UPDATE ${revision} SET change_number = change_number + 1, modified_utc = datetime('now'),
  public_change_number = public_change_number + 1, public_modified_utc = datetime('now'), purges_left = 2, write_state = 3, first_new_id = ${firstNewId}`
const endWrite = sql`INSERT INTO write_ends SELECT first_new_id FROM ${revision}`

/**
 * The statements of a write, whose changes all get the same number (kit/db/triggers/changes.sql). A resource
 * that changes several times, such as an event with its links, is numbered once, which saves a third of the
 * rows that a batch of 100 events writes. New events are counted once, at the end
 * (kit/db/triggers/revision.sql).
 *
 * @param isPublic true if the write certainly changes something public, which saves a row
 */
export const asOneChange = <S extends Statement>(statements: readonly S[], isPublic = false): (S | SQL)[] =>
  statements.length === 0 ? [] : [isPublic ? beginPublicWrite : beginWrite, ...statements, endWrite]
