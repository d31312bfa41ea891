import type { SQL } from 'drizzle-orm'
import { dialect } from '../db/query.ts'
import type { Statement, Value } from '../lib/connection.ts'

/** Renders a statement of a resource for a connection. */
export function statementOf(query: SQL): Statement {
  const { sql, params } = dialect.sqlToQuery(query)
  // Our columns and statements bind texts, numbers and nulls only.
  return [sql, ...(params as Value[])]
}

/** Splits a text into parts of at most `room` characters, without cutting surrogate pairs. */
export function* partsOf(text: string, room: number): Generator<string> {
  if (text.length <= room) return yield text
  const characters = [...text]
  for (let at = 0; at < characters.length; at += room) yield characters.slice(at, at + room).join('')
}
