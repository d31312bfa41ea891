import type { Value } from '../kit/db/query.ts'

// Statements as text, for databases that only another program can access.

/** SQL with a `?` for each parameter, or `?1`, `?2` and so on for numbered parameters. */
export type PlainStatement = readonly [sql: string, ...params: Value[]]

/** A text literal of SQL, or a parameter: question marks in quotes are not parameters. */
const TEXT_OR_PARAMETER = /'(?:[^']|'')*'|\?(\d*)/g

/**
 * Splits a statement at its parameters.
 *
 * @returns parts of SQL, and between them the values of the parameters
 * @throws Error if there are more or fewer parameters than placeholders
 */
export function statementParts([sql, ...params]: PlainStatement): { pieces: string[]; values: Value[] } {
  const pieces: string[] = []
  const values: Value[] = []
  const used = new Set<number>()
  let from = 0
  for (const { 0: token, 1: number, index } of sql.matchAll(TEXT_OR_PARAMETER)) {
    if (number === undefined) continue
    const place = number === '' ? used.size : Number(number) - 1
    const value = params[place]
    if (value === undefined) throw new Error(`Too few parameters for: ${sql}`)
    used.add(place)
    values.push(value)
    pieces.push(sql.slice(from, index))
    from = index + token.length
  }
  if (used.size < params.length) throw new Error(`Too many parameters for: ${sql}`)
  return { pieces: [...pieces, sql.slice(from)], values }
}

/**
 * Writes a statement's parameters into it.
 *
 * @param written the SQL expression for a value, by default a literal
 * @throws Error as {@link statementParts}
 */
export function inline(statement: PlainStatement, written: (value: Value) => string = valueLiteral): string {
  const { pieces, values } = statementParts(statement)
  return pieces.map((piece, i) => piece + (i < values.length ? written(values[i] ?? null) : '')).join('')
}

export function valueLiteral(value: Value): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`${value} is no number for SQL`)
    return String(value)
  }
  // Hexadecimal has no quotes, semicolons or line ends that could break on the way through wrangler.
  return /^[\w .@-]*$/.test(value) ? `'${value}'` : `CAST(X'${Buffer.from(value).toString('hex')}' AS TEXT)`
}
