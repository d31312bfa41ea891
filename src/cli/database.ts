import { join } from 'node:path'
import type { ExecutionContext } from 'hono'
import * as z from 'zod'
import type { Bindings } from '../env.ts'
import { applyMigrations, runD1, stateFolder, type Target } from './wrangler.ts'

export type Value = string | number | null
export type Row = Record<string, Value>

/** SQL with a `?` for each parameter. */
export type Statement = readonly [sql: string, ...params: Value[]]

/** A D1 database as seen from the command line; where it is makes no difference to its user. */
export interface Connection {
  query(sql: string, ...params: Value[]): Promise<Row[]>
  /** One transaction: all of it happens or nothing. Answers the rows of each statement. */
  batch(statements: readonly Statement[]): Promise<Row[][]>
  close(): Promise<void>
}

/** A local database, with the bindings and the context that a Worker beside it would get. */
export type LocalConnection = Connection & { bindings: Bindings; context: ExecutionContext }

/**
 * Connects to the database of a target; a local one that has no tables yet gets them first.
 *
 * @throws Error if there is none by the name `DB`
 */
export const openDatabase = (target: Target): Promise<Connection> =>
  target.remote ? Promise.resolve(openThroughWrangler(target)) : openLocal(target)

/**
 * Like {@link openDatabase}, for local ones. `wrangler dev` may run on the same data meanwhile.
 */
export async function openLocal(target: Target): Promise<LocalConnection> {
  // Wrangler reads this when it is loaded, and would otherwise print notes among a command's own output.
  process.env.WRANGLER_LOG ??= 'error'
  const { getPlatformProxy } = await import('wrangler')
  const { env, ctx, dispose } = await getPlatformProxy<Partial<Bindings>>({
    configPath: target.config,
    persist: { path: join(stateFolder(target), 'v3') },
    remoteBindings: false,
    ...(target.environment && { environment: target.environment }),
  })
  try {
    const { DB } = env
    if (!DB)
      throw new Error(`${target.config} has no D1 database with the binding DB${inEnvironment(target)}.`)
    const connection = connect({ ...env, DB }, ctx, dispose)
    const [users] = await connection.query(`SELECT 1 FROM sqlite_master WHERE name = 'users'`)
    if (!users) await applyMigrations(target)
    return connection
  } catch (error) {
    await dispose()
    throw error
  }
}

const inEnvironment = ({ environment }: Target): string =>
  environment ? ` in the environment ${environment}` : ''

function connect(bindings: Bindings, context: ExecutionContext, close: () => Promise<void>): LocalConnection {
  const batch = async (statements: readonly Statement[]) => {
    const d1 = bindings.DB
    const results = await d1.batch<Row>(statements.map(([sql, ...params]) => d1.prepare(sql).bind(...params)))
    return results.map(result => result.results)
  }
  return {
    bindings,
    context,
    batch,
    query: async (...statement) => (await batch([statement]))[0] ?? [],
    close,
  }
}

const answerOfExecute = z.array(
  z.object({ results: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))) }),
)

// Linux takes no longer arguments, and D1 no longer statements.
const MAX_COMMAND_BYTES = 100_000

/**
 * A database that only wrangler reaches: D1 at Cloudflare, by the account that wrangler is logged in to.
 * It runs the statements of one command as one batch, but takes no parameters with them.
 */
export function openThroughWrangler(target: Target): Connection {
  const batch = async (statements: readonly Statement[]) => {
    const command = statements.map(inline).join(';\n')
    if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
      throw new Error(`A batch of more than ${MAX_COMMAND_BYTES} bytes is too long for a remote database.`)
    }
    const stdout = await runD1(target, ['execute', 'DB', '--json', '--command', command])
    return answerOfExecute.parse(JSON.parse(stdout)).map(result => result.results)
  }
  return { batch, query: async (...statement) => (await batch([statement]))[0] ?? [], close: async () => {} }
}

/**
 * A statement with its parameters written into it as literals.
 *
 * @throws Error if there are more or fewer parameters than question marks outside of texts
 */
export function inline([sql, ...params]: Statement): string {
  let used = 0
  const inlined = sql.replace(/'(?:[^']|'')*'|\?/g, token => {
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
