import { fillPlaceholders, Placeholder, SQL, type SQLChunk, StringChunk, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { Query, Rendered } from './query.ts'

// The text of a statement depends on its shape: on which columns, filters and bounds there are. It is put together once for
// each shape, from placeholders: what makes it gets no values, so that none can be kept.

/** What a statement binds, or a part of it that has values of its own. */
type Value = string | number | null | SQL
type Values = Readonly<Record<string, Value>>

/** Stands for values in texts, which have no such character. */
const VALUE = '\0'

const marking = new SQLiteAsyncDialect()
marking.escapeParam = () => VALUE

/** Stand-ins for values, by name. */
export type Placeholders<V> = { readonly [K in keyof V]: Placeholder<string, V[K]> }

/**
 * A function from values to a statement, to a part of one, or to a query, whose text is put together at first use and kept.
 *
 * @throws Error at first use if what `build` makes has other values
 */
export function shaped<V extends Values = Record<never, Value>, S extends SQL | Query<unknown> = SQL>(
  build: (placeholders: Placeholders<V>) => S,
): (...values: Record<never, Value> extends V ? [] : [V]) => S {
  // Whatever name `build` asks for is one of V.
  const placeholders = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) }) as Placeholders<V>
  let fill: ((values: Values) => SQL | Query<unknown>) | undefined
  return (...given) => {
    fill ??= filling(build(placeholders))
    // What is filled in has the type of what was built.
    return fill(given[0] ?? {}) as S
  }
}

function filling(built: SQL | Query<unknown>): (values: Values) => SQL | Query<unknown> {
  if (built instanceof SQL) return fillingPart(built)
  const statements = built.statements.map(statement =>
    'text' in statement ? fillingText(statement) : fillingPart(statement.getSQL()),
  )
  return values => ({ statements: statements.map(fill => fill(values)), read: built.read })
}

function fillingText({ text, params }: Rendered): (values: Values) => Rendered {
  if (params.some(param => !(param instanceof Placeholder))) throw new OwnValue(text)
  return values => ({ text, params: fillPlaceholders([...params], values) })
}

function fillingPart(part: SQL): (values: Values) => SQL {
  const chunks = chunksOf(part)
  return values => {
    const bound = chunks.map(chunk => (chunk instanceof Placeholder ? values[chunk.name] : chunk))
    // Drizzle's type names no numbers and texts, which it takes as values.
    return new SQL(bound as SQLChunk[])
  }
}

class OwnValue extends Error {
  constructor(text: string) {
    super(`A shape has a value of its own: ${text}`)
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
    throw new OwnValue(text.replaceAll(VALUE, '?'))
  })
}
