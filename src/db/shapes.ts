import { fillPlaceholders, Placeholder, SQL, type SQLChunk, StringChunk, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { Query, Rendered } from './query.ts'

// The text of a statement depends on its shape: which columns, filters and bounds it has. It is built once for each
// shape, from placeholders. The code that builds it gets no values, so that none can stay in the text.

/** A value that a statement binds, or a part of a statement with values of its own. */
type ShapeValue = string | number | null | SQL
type ShapeValues = Readonly<Record<string, ShapeValue>>

/** Stands for a value in the text of a statement, where this character never occurs. */
const VALUE = '\0'

const marking = new SQLiteAsyncDialect()
marking.escapeParam = () => VALUE

/** Stand-ins for values, by name. */
export type Placeholders<V> = { readonly [K in keyof V]: Placeholder<string, V[K]> }

/**
 * Makes a function from values to a statement, to a part of one or to a query, whose text is built at first use and
 * then kept.
 *
 * @throws Error at first use if the result of `build` contains other values
 */
export function shaped<
  V extends ShapeValues = Record<never, ShapeValue>,
  S extends SQL | Query<unknown> = SQL,
>(
  build: (placeholders: Placeholders<V>) => S,
): (...values: Record<never, ShapeValue> extends V ? [] : [V]) => S {
  // `build` can ask only for the names of V.
  const placeholders = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) }) as Placeholders<V>
  let fill: ((values: ShapeValues) => SQL | Query<unknown>) | undefined
  return (...given) => {
    fill ??= filling(build(placeholders))
    // The filled statement has the type of the one that was built.
    return fill(given[0] ?? {}) as S
  }
}

function filling(built: SQL | Query<unknown>): (values: ShapeValues) => SQL | Query<unknown> {
  if (built instanceof SQL) return fillingPart(built)
  const statements = built.statements.map(statement =>
    'text' in statement ? fillingText(statement) : fillingPart(statement.getSQL()),
  )
  return values => ({ statements: statements.map(fill => fill(values)), read: built.read })
}

function fillingText({ text, params }: Rendered): (values: ShapeValues) => Rendered {
  if (params.some(param => !(param instanceof Placeholder))) throw new OwnValue(text)
  return values => ({ text, params: fillPlaceholders([...params], values) })
}

function fillingPart(part: SQL): (values: ShapeValues) => SQL {
  const chunks = chunksOf(part)
  return values => {
    const bound = chunks.map(chunk => (chunk instanceof Placeholder ? values[chunk.name] : chunk))
    // Drizzle accepts numbers and texts as values, though its type does not say so.
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
