import { createMiddleware } from 'hono/factory'
import { Database } from '../../db/database.ts'
import type { AppEnv } from '../../env.ts'
import { contextOf } from '../../http/context.ts'
import { attempt } from '../../http/log.ts'
import { WEBHOOK_WORK } from '../../lib/budgets.ts'
import { tellWebhooks } from './run.ts'

/** The time after which the first failure is tried again, and those for which it is known that there is no webhook. */
const PAUSE_MS = 5_000
const QUIET_MS = 60_000

/** The time until which a database is taken to have no webhook, in epoch milliseconds. Each instance of the Worker has its own. */
let quietUntil = new WeakMap<D1Database, number>()

/** Has the next write ask for webhooks: there may be one now. */
export const expectWebhooks = (): void => {
  quietUntil = new WeakMap()
}

/** Tells webhooks of a write right after its response, so that messages come within seconds. */
export const tellSoon = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { metrics, allowance } = c.get('db')
  const { DB } = c.env
  const context = contextOf(c)
  if (!context || metrics.rowsWritten === 0 || (quietUntil.get(DB) ?? 0) > Date.now()) return
  // The free plan counts all statements of an invocation together.
  const db = new Database(DB, allowance)
  const tell = () =>
    tellWebhooks({
      db,
      settings: c.get('settings'),
      nowMs: Date.now(),
      messages: WEBHOOK_WORK.messagesAfterWrite,
    })
  const work = async () => {
    const { active, isSoonDue } = await tell()
    if (active === 0) quietUntil.set(DB, Date.now() + QUIET_MS)
    if (!isSoonDue) return
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
    await tell()
  }
  // What they are told is told by the cron, once the database does something again.
  context.waitUntil(attempt('webhooks', work).catch(() => undefined))
})
