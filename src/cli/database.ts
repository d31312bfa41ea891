import { join } from 'node:path'
import type { ExecutionContext } from 'hono'
import * as z from 'zod'
import type { Bindings } from '../env.ts'
import { type Connection, inline, type Statement } from '../lib/connection.ts'
import { connectionTo } from './connection.ts'
import { applyMigrations, runD1, stateFolder, type Target } from './wrangler.ts'

export type { Connection, Row, Statement, Value } from '../lib/connection.ts'

/** A local database, with the bindings and the context that the Worker would get. */
export type LocalConnection = Connection & { bindings: Bindings; context: ExecutionContext }

/**
 * Connects to the database of a target. A local one without tables gets them first.
 *
 * @throws Error if the configuration has no database with the binding `DB`
 */
export const openDatabase = (target: Target): Promise<Connection> =>
  target.remote ? Promise.resolve(openThroughWrangler(target)) : openLocal(target)

/**
 * Like {@link openDatabase}, for local ones. `wrangler dev` may run on the same data meanwhile.
 */
export async function openLocal(target: Target): Promise<LocalConnection> {
  // Wrangler reads this when it is loaded; otherwise it prints notes into a command's output.
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
    const connection = { ...connectionTo(DB, dispose), bindings: { ...env, DB }, context: ctx }
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

const executeResponse = z.array(
  z.object({ results: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))) }),
)

// Linux limits arguments to about this length, and D1 statements.
const MAX_COMMAND_BYTES = 100_000

/**
 * Connects to D1 at Cloudflare through wrangler, with the account that wrangler is logged in to. Wrangler runs the
 * statements of one command as one batch, but takes no parameters.
 */
export function openThroughWrangler(target: Target): Connection {
  const batch = async (statements: readonly Statement[]) => {
    const command = statements.map(inline).join(';\n')
    if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
      throw new Error(`A batch of more than ${MAX_COMMAND_BYTES} bytes is too long for a remote database.`)
    }
    const stdout = await runD1(target, ['execute', 'DB', '--json', '--command', command])
    return executeResponse.parse(JSON.parse(stdout)).map(result => result.results)
  }
  return { batch, query: async (...statement) => (await batch([statement]))[0] ?? [], close: async () => {} }
}
