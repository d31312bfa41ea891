import { type SQL, sql } from 'drizzle-orm'
import { type PlainStatement, statementParts } from '../src/commands/remote-database.ts'
import { Database } from '../src/kit/db/database.ts'
import { combineQueries, many, type RawRow, type Value } from '../src/kit/db/query.ts'
import { ApiError } from '../src/kit/lib/errors.ts'

// Tests look into databases with SQL in texts.

/** A database that takes SQL and returns rows. */
export interface Connection {
  query(sql: string, ...params: Value[]): Promise<RawRow[]>
  /** Runs statements as one transaction, and returns the rows of each. */
  batch(statements: readonly PlainStatement[]): Promise<RawRow[][]>
  close(): Promise<void>
}

/** Converts a statement to Drizzle's form. */
function sqlOf(statement: PlainStatement): SQL {
  const { pieces, values } = statementParts(statement)
  return sql.join(
    pieces.map((piece, i) => (i < values.length ? sql`${sql.raw(piece)}${values[i]}` : sql.raw(piece))),
  )
}

const isRead = ([text]: PlainStatement): boolean => /^\s*SELECT\b/i.test(text)

/** A connection to a D1 binding, whose errors are those of the database. */
export function connectionTo(d1: D1Database, close = async () => {}): Connection {
  const db = new Database(d1)
  const batch = (statements: readonly PlainStatement[]) => {
    const queries = statements.map(statement => many(sqlOf(statement), row => row))
    const done = statements.every(isRead)
      ? db.read(combineQueries(queries))
      : db.write(combineQueries(queries))
    return done.catch((error: unknown) => {
      throw error instanceof ApiError && error.cause ? error.cause : error
    })
  }
  return { batch, query: async (...statement) => (await batch([statement]))[0] ?? [], close }
}

const UNCOUNTED = { rows_read: 0, rows_written: 0, duration: 0 }

/** An executor over a connection. */
export const databaseOver = (connection: Connection): Database => {
  const d1 = {
    prepare: (text: string) => ({ bind: (...params: Value[]): PlainStatement => [text, ...params] }),
    batch: async (statements: readonly PlainStatement[]) =>
      (await connection.batch(statements)).map(results => ({ results, meta: UNCOUNTED })),
  }
  // Database uses only these two methods.
  return new Database(d1 as unknown as D1Database)
}
