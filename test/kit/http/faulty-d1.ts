import { env } from 'cloudflare:workers'

type Fault = {
  /** The message of D1's error. */
  message?: string
  /** The number of batches that fail. */
  times?: number
  /** Fails only batches that write. */
  writesOnly?: boolean
  /** The number of batches that succeed before the first that fails. */
  after?: number
  /** Fails after the batch has happened, like a response that is lost on its way. */
  late?: boolean
  /** Runs once, right before the first batch that writes, in place of another request at the same time. */
  beforeWrite?: () => Promise<unknown>
  /** What a statement of that batch looks like, if not every one that writes is meant. */
  of?: RegExp
  /** Statements that cannot be prepared. */
  refused?: RegExp
}

/** D1 with the given fault; without one, it only counts. */
export function faultyD1({
  message = '',
  times = message === '' ? 0 : 1,
  writesOnly = false,
  late = false,
  after = 0,
  beforeWrite,
  of = /^/,
  refused,
}: Fault = {}) {
  const seen = { batches: 0, failed: 0 }
  let between = beforeWrite
  let spared = after
  const texts = new WeakMap<D1PreparedStatement, string>()

  const prepare = (text: string) => {
    if (refused?.test(text)) throw new Error('This statement is refused.')
    const unbound = env.DB.prepare(text)
    return {
      bind: (...params: unknown[]) => {
        const statement = unbound.bind(...params)
        texts.set(statement, text)
        return statement
      },
    }
  }

  const batch = async (statements: D1PreparedStatement[]) => {
    seen.batches++
    // Drizzle's builders write in lower case.
    const writes = statements.some(statement =>
      /\b(INSERT|UPDATE|DELETE)\b|^\s*(insert|update|delete)\b/.test(texts.get(statement) ?? ''),
    )
    if (writes && between && statements.some(statement => of.test(texts.get(statement) ?? ''))) {
      const interlude = between
      between = undefined
      await interlude()
    }
    const isMeant = seen.failed < times && (writes || !writesOnly)
    const fails = isMeant && spared-- <= 0
    if (fails) seen.failed++
    if (fails && !late) throw new Error(message)
    const results = await env.DB.batch(statements)
    if (fails) throw new Error(message)
    return results
  }

  const session = { prepare, batch, getBookmark: () => null }
  // The Worker uses nothing else of the binding.
  return { DB: { ...session, withSession: () => session } as unknown as D1Database, seen }
}
