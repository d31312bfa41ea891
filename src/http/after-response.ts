import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'

/** Lets work go on when the response has been sent: work that may fail without anybody missing it. */
export function afterResponse(c: Context<AppEnv>, work: Promise<unknown>): void {
  const settled = work.catch(() => undefined)
  try {
    c.executionCtx.waitUntil(settled)
  } catch {
    // Outside of Workers there is no such context, and nothing ends with the response.
  }
}
