import type { SQL } from 'drizzle-orm'
import { dialect } from '../../db/query.ts'
import type { Connection, Statement, Value } from '../../lib/connection.ts'

/** The destination of an import's statements. */
export interface Writer {
  /** Number of records in one transaction. */
  readonly records: number
  /** Runs statements as one transaction. */
  write(statements: readonly Statement[]): Promise<void>
}

/** Renders a statement of a resource for a connection. */
export function statementOf(query: SQL): Statement {
  const { sql, params } = dialect.sqlToQuery(query)
  // Our columns and statements bind texts, numbers and nulls only.
  return [sql, ...(params as Value[])]
}

/** Writes to a local database. */
export const localWriter = (db: Connection): Writer => ({
  records: 200,
  write: async statements => {
    await db.batch(statements)
  },
})
