import { Column, getTableColumns, is, type QueryWithTypings, SQL, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect, type SQLiteSelectConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { SQLiteRemoteSession, SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { revision } from './derived.ts'
import { literal, type Statement } from './query.ts'
import { render } from './rendering.ts'
import { events } from './schema.ts'

/** Drizzle's SQLite dialect, adapted to the ways in which D1 differs. */
class D1Dialect extends SQLiteAsyncDialect {
  override sqlToQuery(statement: SQL): QueryWithTypings {
    const { text, params } = render(statement)
    return { sql: text, params: [...params] }
  }

  /**
   * D1 returns the rows of a batch as objects, in which columns of the same name overwrite one another, so each
   * column gets the name of its key. The limit is written into the text ({@link literal}).
   */
  override buildSelectQuery({ fields, limit, offset, ...config }: SQLiteSelectConfig): SQL {
    const select = super.buildSelectQuery({ ...config, fields: named(fields) })
    if (typeof limit !== 'number') return select
    return sql`${select} limit ${literal(limit)}${offset === undefined ? sql`` : sql` offset ${offset}`}`
  }
}

/** Names selected columns and expressions after their keys. */
const named = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
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
const unused = () => Promise.reject(new Error('Statements are run by Database.'))

/**
 * Drizzle's builders: `build.select({ id: users.id }).from(users).where(…)`. The executor in db/database.ts runs their
 * statements, and `many` and `first` of db/query.ts read and type the rows.
 */
export const build = new SqliteRemoteDatabase(
  'async',
  dialect,
  new SQLiteRemoteSession(unused, dialect, undefined),
  undefined,
)

const isSql = (value: unknown): value is SQL =>
  typeof value === 'object' && value !== null && 'queryChunks' in value

/** Values for columns of a table: plain values, or expressions. */
type ColumnValues<T extends SQLiteTable> = {
  [K in keyof T['$inferInsert']]?: T['$inferInsert'][K] | SQL | undefined
}

/**
 * `INSERT INTO table (…) SELECT … [WHERE condition]`, with the columns that have a value. Drizzle's builder always
 * inserts all columns, and takes no condition.
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

const firstNewId = sql`(SELECT coalesce(max(id), 0) + 1 FROM ${events})`
const begin = sql`UPDATE ${revision} SET stage = 1, first_new_id = ${firstNewId}`
/** The same, with the numbers of a public change, which its first change would set otherwise (db/triggers/revision.sql). */
const beginPublic = sql`UPDATE ${revision} SET n = n + 1, modified_utc = datetime('now'), public_n = public_n + 1,
  public_modified_utc = datetime('now'), purges_left = 2, stage = 3, first_new_id = ${firstNewId}`
const end = sql`INSERT INTO write_ends SELECT first_new_id FROM ${revision}`

/**
 * The statements of a write whose changes all share one number (db/triggers/changes.sql). A resource that changes
 * several times, such as an event with its links, is numbered once, which saves a third of the rows that a batch of 100
 * events writes. New events are counted once, at the end (db/triggers/revision.sql).
 *
 * @param isPublic true if the write certainly changes something public, which saves a row
 */
export const asOneChange = <S extends Statement>(statements: readonly S[], isPublic = false): (S | SQL)[] =>
  statements.length === 0 ? [] : [isPublic ? beginPublic : begin, ...statements, end]
