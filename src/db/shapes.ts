import { Placeholder, SQL, type SQLChunk, StringChunk, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'

// The text of a statement depends on its shape: on which columns, filters and bounds there are. It is put together once for
// each shape, from placeholders: what makes it gets no values, so that none can be kept.

/** What a statement binds, or a part of it that has values of its own. */
type Value = string | number | null | SQL

/** Stands for values in texts, which have no such character. */
const VALUE = '\0'

const marking = new SQLiteAsyncDialect()
marking.escapeParam = () => VALUE

/**
 * A function from values to a statement, or to a part of one, whose text is put together at first use and kept.
 *
 * @param build gets placeholders of the values, by name
 * @throws Error at first use if what it makes has other values
 */
export function shaped<V extends Readonly<Record<string, Value>> = Record<never, Value>>(
  build: (placeholders: { readonly [K in keyof V]: Placeholder }) => SQL,
): (...values: Record<never, Value> extends V ? [] : [V]) => SQL {
  // Whatever name `build` asks for is one of V.
  const placeholders = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) }) as Parameters<
    typeof build
  >[0]
  let chunks: readonly (StringChunk | Placeholder)[] | undefined
  return (...given) => {
    const values: Readonly<Record<string, Value>> = given[0] ?? {}
    chunks ??= chunksOf(build(placeholders))
    const bound = chunks.map(chunk => (chunk instanceof Placeholder ? values[chunk.name] : chunk))
    // Drizzle's type names no numbers and texts, which it takes as values.
    return new SQL(bound as SQLChunk[])
  }
}

/** The texts of a part of a statement, and the placeholders between them. */
function chunksOf(part: SQL): (StringChunk | Placeholder)[] {
  const { sql: text, params } = marking.sqlToQuery(part)
  return text.split(VALUE).flatMap((piece, i) => {
    const chunk = new StringChunk(piece)
    const value = params[i]
    if (i >= params.length) return [chunk]
    if (value instanceof Placeholder) return [chunk, value]
    throw new Error(`A shape has a value of its own: ${text.replaceAll(VALUE, '?')}`)
  })
}
