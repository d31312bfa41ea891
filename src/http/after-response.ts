import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'

/** The context of the invocation; undefined outside of Workers, where nobody would wait. */
export function contextOf(c: Context<AppEnv>): ExecutionContext | undefined {
  try {
    // Hono's type lacks what not all of its runtimes have.
    return c.executionCtx as ExecutionContext
  } catch {
    return undefined
  }
}

/** Lets work go on after the response has been sent. Failures are ignored. */
export function afterResponse(c: Context<AppEnv>, work: Promise<unknown>): void {
  const settled = work.catch(() => undefined)
  // Without a context, work goes on anyway.
  contextOf(c)?.waitUntil(settled)
}
