import type { SQL } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { Statement, Value } from '../lib/connection.ts'

const dialect = new SQLiteAsyncDialect()

/** A statement that a resource has written, for a connection. */
export function statementOf(query: SQL): Statement {
  const { sql, params } = dialect.sqlToQuery(query)
  // What our columns and statements bind: texts, numbers and nulls.
  return [sql, ...(params as Value[])]
}

/** A text in parts of at most so many characters; no half of a surrogate pair is left at a cut. */
export function* partsOf(text: string, room: number): Generator<string> {
  if (text.length <= room) return yield text
  const characters = [...text]
  for (let at = 0; at < characters.length; at += room) yield characters.slice(at, at + room).join('')
}
