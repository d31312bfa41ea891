// A database as those see it who hand it SQL and take rows: it may be at hand, or reached through another program.

export type Value = string | number | null
export type Row = Record<string, Value>

/** SQL with a `?` for each parameter, or `?1` and so on for parameters by their number. */
export type Statement = readonly [sql: string, ...params: Value[]]

/** A SQLite database; where it is makes no difference to its user. */
export interface Connection {
  query(sql: string, ...params: Value[]): Promise<Row[]>
  /** One transaction: all of it happens or nothing. Returns the rows of each statement. */
  batch(statements: readonly Statement[]): Promise<Row[][]>
  close(): Promise<void>
}

/** A text literal of SQL, or a parameter: a literal holds no parameters. */
const TEXT_OR_PARAMETER = /'(?:[^']|'')*'|\?(\d*)/g

/**
 * Takes a statement apart at its parameters.
 *
 * @returns pieces of SQL, and between them the values of the parameters
 * @throws Error if there are more or fewer parameters than places for them
 */
export function parts([sql, ...params]: Statement): { pieces: string[]; values: Value[] } {
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

/** Writes a statement's parameters into it as literals. @throws Error as {@link parts} */
export function inline(statement: Statement): string {
  const { pieces, values } = parts(statement)
  return pieces.map((piece, i) => piece + (i < values.length ? literal(values[i] ?? null) : '')).join('')
}

function literal(value: Value): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`${value} is no number for SQL`)
    return String(value)
  }
  // Hexadecimal leaves nothing for a quote, a semicolon or a line end to break on the way through wrangler.
  return /^[\w .@-]*$/.test(value) ? `'${value}'` : `CAST(X'${Buffer.from(value).toString('hex')}' AS TEXT)`
}
