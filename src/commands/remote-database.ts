import { writeFile } from 'node:fs/promises'
import * as z from 'zod'
import { Database } from '../kit/db/database.ts'
import type { Purpose } from '../kit/db/failures.ts'
import type { RawRow, Statement, Value } from '../kit/db/query.ts'
import { renderStatement } from '../kit/db/statements.ts'
import { batchesWithin } from '../kit/lib/values.ts'
import { runOnTarget, type Target, withTemporaryFile } from './wrangler.ts'

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
  const usedIds = new Set<number>()
  let from = 0
  for (const { 0: token, 1: number, index } of sql.matchAll(TEXT_OR_PARAMETER)) {
    if (number === undefined) continue
    const position = number === '' ? usedIds.size : Number(number) - 1
    const value = params[position]
    if (value === undefined) throw new Error(`Too few parameters for: ${sql}`)
    usedIds.add(position)
    values.push(value)
    pieces.push(sql.slice(from, index))
    from = index + token.length
  }
  if (usedIds.size < params.length) throw new Error(`Too many parameters for: ${sql}`)
  return { pieces: [...pieces, sql.slice(from)], values }
}

/**
 * Writes a statement's parameters into it.
 *
 * @param textOf the SQL expression for a value, by default a literal
 * @throws Error as {@link statementParts}
 */
export function inline(statement: PlainStatement, textOf: (value: Value) => string = valueLiteral): string {
  const { pieces, values } = statementParts(statement)
  return pieces.map((piece, i) => piece + (i < values.length ? textOf(values[i] ?? null) : '')).join('')
}

function valueLiteral(value: Value): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`${value} is not a number for SQL`)
    return String(value)
  }
  // Hexadecimal has no quotes, semicolons or line ends that could break on the way through wrangler.
  return /^[\w .@-]*$/.test(value) ? `'${value}'` : `CAST(X'${Buffer.from(value).toString('hex')}' AS TEXT)`
}

const executeResponse = z.array(
  z.object({ results: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))) }),
)

/** Runs statements as one transaction, and returns the rows of each. */
type RunStatements = (statements: readonly PlainStatement[]) => Promise<RawRow[][]>

// Linux limits arguments to about this length, and so does D1 for statements.
const MAX_COMMAND_BYTES = 100_000

/**
 * Runs statements in D1 at Cloudflare through wrangler, with the account that wrangler is logged in to.
 * Wrangler runs the statements of one command as one batch, but accepts no parameters.
 */
const throughWrangler =
  (target: Target): RunStatements =>
  async statements => {
    const command = statements.map(statement => inline(statement)).join(';\n')
    if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
      throw new Error(`A batch of more than ${MAX_COMMAND_BYTES} bytes is too long for a remote database.`)
    }
    const stdout = await runOnTarget(target, ['d1', 'execute', 'DB', '--json', '--command', command])
    return executeResponse.parse(JSON.parse(stdout)).map(result => result.results)
  }

// An import of 1,000 events is 23 commands, each of which takes two seconds to start wrangler. Wrangler's
// remote bindings (`startRemoteProxySession`) would start once, but load wrangler into this process (260 MB),
// upload a Worker to the account for each command, and run each batch as one invocation of that Worker, with
// its limits: 50 statements on the free plan, and 30 seconds. A file is one import of any length.

/**
 * An executor on D1 at Cloudflare. Wrangler sends a file as one import, which D1 undoes if any part fails.
 */
export const openRemote = (target: Target): Database =>
  new RemoteDatabase(throughWrangler(target), file =>
    runOnTarget(target, ['d1', 'execute', 'DB', '--yes', '--file', file]),
  )

/**
 * Limit of a statement in a file, in bytes: D1 accepts 100 KB. Texts are in hexadecimal, up to 6 bytes of a
 * UTF-16 unit.
 */
const MAX_STATEMENT_BYTES = 90_000
const PART_UNITS = 12_000
/** The longest text that stays in a statement that is too long. Longer texts move to a table. */
const MAX_INLINE_UNITS = 1_000

/** Limit of the statements in one command, in bytes, because Linux limits the arguments of a program. */
const MAX_BATCH_BYTES = 95_000

/**
 * An executor on a database that only another program can access: it reads and writes with commands of
 * limited length, and uses files of statements, which return no rows, for longer writes.
 */
export class RemoteDatabase extends Database {
  readonly #runStatements: RunStatements
  readonly #runFile: (path: string) => Promise<unknown>

  /** @param runFile runs a file as one transaction */
  constructor(run: RunStatements, runFile: (path: string) => Promise<unknown>) {
    super({ prepare: unusedMethod, batch: unusedMethod })
    this.#runStatements = run
    this.#runFile = runFile
  }

  /** Reads may be several commands; a write is one, or a file. */
  protected override async send(purpose: Purpose, statements: readonly Statement[]): Promise<RawRow[][]> {
    const plain = statements.map(statementOf)
    const bytes = plain.reduce((total, statement) => total + statementBytes(statement), 0)
    if (purpose === 'write' && bytes > MAX_BATCH_BYTES) return this.#runAll(plain)
    const results: RawRow[][] = []
    for (const group of batchesWithin(plain, MAX_BATCH_BYTES, statementBytes))
      results.push(...(await this.#runStatements(group)))
    return results
  }

  /** Runs statements as a file. @returns an empty list of rows for each */
  async #runAll(statements: readonly PlainStatement[]): Promise<RawRow[][]> {
    await withTemporaryFile(async file => {
      await writeFile(file, fileLines(statements))
      await this.#runFile(file)
    })
    return statements.map(() => [])
  }
}

const unusedMethod = (): never => {
  throw new Error('A remote database is asked by commands.')
}

function statementOf(statement: Statement): PlainStatement {
  const { text, params } = renderStatement(statement)
  return [text, ...params]
}

const statementBytes = (statement: PlainStatement): number => Buffer.byteLength(inline(statement)) + 2

/** The lines of a file. A table stores texts that make a statement too long, while the file runs. */
function* fileLines(statements: readonly PlainStatement[]): Generator<string> {
  const ids = new Map<string, number>()
  yield 'DROP TABLE IF EXISTS long_texts;\nCREATE TABLE long_texts (text_id INTEGER, part TEXT);\n'
  for (const statement of statements) {
    const wholeSql = inline(statement)
    if (Buffer.byteLength(wholeSql) <= MAX_STATEMENT_BYTES) {
      yield `${wholeSql};\n`
      continue
    }
    for (const text of statement.slice(1)) {
      if (typeof text !== 'string' || text.length <= MAX_INLINE_UNITS || ids.has(text)) continue
      ids.set(text, ids.size)
      for (const part of textChunks(text))
        yield `INSERT INTO long_texts VALUES (${ids.get(text)}, ${valueLiteral(part)});\n`
    }
    const valueSql = (value: Value) => {
      const id = typeof value === 'string' ? ids.get(value) : undefined
      if (id === undefined) return valueLiteral(value)
      return `(SELECT group_concat(part, '') FROM (SELECT part FROM long_texts WHERE text_id = ${id} ORDER BY rowid))`
    }
    yield `${inline(statement, valueSql)};\n`
  }
  yield 'DROP TABLE long_texts;\n'
}

/** Splits a text into parts, without cutting surrogate pairs. */
function* textChunks(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = start + PART_UNITS
    const isHigh = /[\uD800-\uDBFF]/.test(text.charAt(end - 1))
    yield text.slice(start, isHigh ? end - 1 : end)
    start = isHigh ? end - 1 : end
  }
}
