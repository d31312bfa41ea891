// A database that takes SQL and returns rows. It may be a binding, or behind another program.

export type Value = string | number | null
export type Row = Record<string, Value>

/** SQL with a `?` for each parameter. */
export type Statement = readonly [sql: string, ...params: Value[]]

/** A connection to a SQLite database, local or remote. */
export interface Connection {
  query(sql: string, ...params: Value[]): Promise<Row[]>
  /** Runs statements as one transaction, and returns the rows of each. */
  batch(statements: readonly Statement[]): Promise<Row[][]>
  close(): Promise<void>
}

/** A text literal of SQL, or a parameter: question marks in quotes are no parameters. */
export const TEXT_OR_PARAMETER = /'(?:[^']|'')*'|\?/g

/**
 * Writes a statement's parameters into it as literals.
 *
 * @throws Error if there are more or fewer parameters than question marks outside of texts
 */
export function inline([sql, ...params]: Statement): string {
  let used = 0
  const inlined = sql.replace(TEXT_OR_PARAMETER, token => {
    if (token !== '?') return token
    const value = params[used++]
    if (value === undefined) throw new Error(`Too few parameters for: ${sql}`)
    return literal(value)
  })
  if (used < params.length) throw new Error(`Too many parameters for: ${sql}`)
  return inlined
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
