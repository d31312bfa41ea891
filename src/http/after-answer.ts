import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'

/** Lets work go on when the answer has been sent. It is work that may fail without anybody missing it. */
export function afterAnswer(c: Context<AppEnv>, work: Promise<unknown>): void {
  const settled = work.catch(() => undefined)
  try {
    c.executionCtx.waitUntil(settled)
  } catch {
    // Outside of Workers there is no such context, and nothing ends with the answer.
  }
}
