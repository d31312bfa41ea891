import * as z from 'zod'
import { type Connection, inline, type PlainStatement } from '../lib/connection.ts'
import { runD1, type Target } from './wrangler.ts'

export type { Connection, PlainStatement, Row, Value } from '../lib/connection.ts'

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
  const batch = async (statements: readonly PlainStatement[]) => {
    const command = statements.map(statement => inline(statement)).join(';\n')
    if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
      throw new Error(`A batch of more than ${MAX_COMMAND_BYTES} bytes is too long for a remote database.`)
    }
    const stdout = await runD1(target, ['execute', 'DB', '--json', '--command', command])
    return executeResponse.parse(JSON.parse(stdout)).map(result => result.results)
  }
  return { batch, query: async (...statement) => (await batch([statement]))[0] ?? [], close: async () => {} }
}
