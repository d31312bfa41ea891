import { type SQL, sql } from 'drizzle-orm'
import { type Connection, type PlainStatement, parts, type Row } from '../lib/connection.ts'
import type { Database } from './database.ts'
import { many } from './query.ts'

/** Converts a statement to Drizzle's form. */
function sqlOf(statement: PlainStatement): SQL {
  const { pieces, values } = parts(statement)
  return sql.join(
    pieces.map((piece, i) => (i < values.length ? sql`${sql.raw(piece)}${values[i]}` : sql.raw(piece))),
  )
}

const isRead = ([text]: PlainStatement): boolean => /^\s*SELECT\b/i.test(text)

/** A connection over the executor of a request. A batch whose statements all begin with SELECT is a read, others are writes. */
export function connectionOver(db: Database): Connection {
  const batch = (statements: readonly PlainStatement[]) => {
    // D1 hands over numbers, texts and nulls, as long as no column holds a blob; none does.
    const queries = statements.map(statement => many(sqlOf(statement), row => row as Row))
    return statements.every(isRead) ? db.batch(queries) : db.write(queries)
  }
  return { batch, query: async (...statement) => (await batch([statement]))[0] ?? [], close: async () => {} }
}
