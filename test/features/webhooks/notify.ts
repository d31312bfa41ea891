import { notifyWebhooks } from '../../../src/features/webhooks/run.ts'
import { Database } from '../../../src/kit/db/database.ts'
import type { Calendar } from '../../node-calendar.ts'

/** A run that sends messages. @returns what it took */
export async function notify(
  { DB, settings }: Pick<Calendar, 'DB' | 'settings'>,
  input: { messages?: number; patienceMs?: number; DB?: D1Database } = {},
) {
  const db = new Database(input.DB ?? DB)
  await notifyWebhooks({ db, settings, nowMs: Date.now(), messages: 30, ...input })
  return db.metrics
}
