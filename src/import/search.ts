import { sql } from 'drizzle-orm'
import { events } from '../db/schema.ts'
import { indexEvent } from '../events/search.ts'
import type { Statement } from '../lib/connection.ts'
import { indexNewText, indexText } from '../content/search.ts'
import type { PostKind } from './records.ts'
import { type Columns, searchText } from './rows.ts'
import { partsOf, statementOf } from './statements.ts'

const textOf = (row: Columns, column: string): string => String(row[column] ?? '')

/**
 * The statements that store what `search` looks through, for a row that is there already. A text that is too long
 * for one statement is written in parts.
 */
export function searchStatements(kind: PostKind, id: number, row: Columns, maxBytes: number): Statement[] {
  const room = Math.floor(maxBytes / 8)
  if (kind === 'event') {
    const [title, description, excerpt] = ['title', 'description', 'excerpt'].map(column =>
      textOf(row, column),
    )
    const key = sql`(SELECT search_key FROM ${events} WHERE id = ${id})`
    return inParts(statementOf(indexEvent(id, { title, description, excerpt })), room, text =>
      statementOf(sql`UPDATE events_search SET listed = listed || ${text}, unlisted = unlisted || ${text}
        WHERE rowid = ${key}`),
    )
  }
  const table = `${kind}s_search` as const
  const text = searchText(kind, row)
  const append = (part: string) =>
    statementOf(
      sql`UPDATE ${sql.identifier(table)} SET search_text = search_text || ${part} WHERE rowid = ${id}`,
    )
  const [first = '', ...others] = partsOf(text, room)
  return [
    statementOf(indexText(table, id, first)),
    statementOf(indexNewText(table, sql`${id}`, first)),
    ...others.map(append),
  ]
}

/** A statement with one text, whatever that appears as, of which only the first part is written along. */
function inParts(
  [sql, ...params]: Statement,
  room: number,
  append: (part: string) => Statement,
): Statement[] {
  const long = params.find(param => typeof param === 'string' && param.length > room)
  if (typeof long !== 'string') return [[sql, ...params]]
  const [first = '', ...others] = partsOf(long, room)
  return [[sql, ...params.map(param => (param === long ? first : param))], ...others.map(append)]
}
