import { connectionOver } from '../db/connection.ts'
import { Database } from '../db/database.ts'
import type { Connection, PlainStatement, Value } from '../lib/connection.ts'
import { ApiError } from '../lib/errors.ts'

/** The part of D1 that {@link Database} uses. */
type D1 = ConstructorParameters<typeof Database>[0]

/** A connection to a D1 binding. */
export function connectionTo(d1: D1, close: () => Promise<void>): Connection {
  const over = connectionOver(new Database(d1))
  const batch = (statements: readonly PlainStatement[]) =>
    over.batch(statements).catch((error: unknown) => {
      // Whoever runs a command is told what the database says, which clients of the API are not.
      throw error instanceof ApiError && error.cause ? error.cause : error
    })
  return { batch, query: async (...statement) => (await batch([statement]))[0] ?? [], close }
}

const UNCOUNTED = { rows_read: 0, rows_written: 0, duration: 0 }

/** An executor of the resources' queries over a connection. */
export const databaseOver = (connection: Connection): Database => {
  const d1 = {
    prepare: (text: string) => ({ bind: (...params: Value[]): PlainStatement => [text, ...params] }),
    batch: async (statements: readonly PlainStatement[]) =>
      (await connection.batch(statements)).map(results => ({ results, meta: UNCOUNTED })),
  }
  // Database uses only these two methods.
  return new Database(d1 as unknown as D1)
}
