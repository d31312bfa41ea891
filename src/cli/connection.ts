import { type SQL, sql } from 'drizzle-orm'
import { Database } from '../db/database.ts'
import { many } from '../db/query.ts'
import { type Connection, parts, type Row, type Statement, type Value } from '../lib/connection.ts'
import { ApiError } from '../lib/errors.ts'

/** The part of D1 that {@link Database} uses. */
type D1 = ConstructorParameters<typeof Database>[0]

/** Converts a statement to Drizzle's form. */
function sqlOf(statement: Statement): SQL {
  const { pieces, values } = parts(statement)
  return sql.join(
    pieces.map((piece, i) => (i < values.length ? sql`${sql.raw(piece)}${values[i]}` : sql.raw(piece))),
  )
}

/** A connection to a D1 binding. */
export function connectionTo(d1: D1, close: () => Promise<void>): Connection {
  const db = new Database(d1)
  const batch = (statements: readonly Statement[]) =>
    db
      // D1 hands over numbers, texts and nulls, as long as no column holds a blob; none does.
      .write(statements.map(statement => many(sqlOf(statement), row => row as Row)))
      .catch((error: unknown) => {
        // Whoever runs a command is told what the database says, which clients of the API are not.
        throw error instanceof ApiError && error.cause ? error.cause : error
      })
  return { batch, query: async (...statement) => (await batch([statement]))[0] ?? [], close }
}

const UNCOUNTED = { rows_read: 0, rows_written: 0, duration: 0 }

/** An executor of the resources' queries over a connection. */
export const databaseOver = (connection: Connection): Database => {
  const d1 = {
    prepare: (text: string) => ({ bind: (...params: Value[]): Statement => [text, ...params] }),
    batch: async (statements: readonly Statement[]) =>
      (await connection.batch(statements)).map(results => ({ results, meta: UNCOUNTED })),
  }
  // Database uses only these two methods.
  return new Database(d1 as unknown as D1)
}
