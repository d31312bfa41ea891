import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'

/** Lets work go on after the response has been sent. Failures are ignored. */
export function afterResponse(c: Context<AppEnv>, work: Promise<unknown>): void {
  const settled = work.catch(() => undefined)
  try {
    c.executionCtx.waitUntil(settled)
  } catch {
    // Outside of Workers there is no such context, and work goes on anyway.
  }
}
