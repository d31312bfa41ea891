import { sql } from 'drizzle-orm'
import { literal } from '../../db/query.ts'
import { webhookDeliveries } from '../../db/schema.ts'
import type { DueRows } from '../../http/due-rows.ts'
import { DAY_MS, formatInstant } from '../../lib/time.ts'

/** The time for which messages are kept, and the number of all webhooks together. */
const KEPT_MS = 30 * DAY_MS
const MOST_KEPT = 50_000

/** The most that one run deletes. */
const MOST = 5_000

/** Tells if it is time to delete messages: every ten minutes. */
export const isTimeToForget = (nowMs: number): boolean => new Date(nowMs).getUTCMinutes() % 10 === 7

/** Old messages to webhooks. What waits is known elsewhere. @param nowMs epoch milliseconds */
export const oldDeliveries = (nowMs: number): DueRows => ({
  ...{ name: 'old deliveries', one: 'delivery', table: webhookDeliveries, most: MOST },
  due: sql`id IN (SELECT id FROM (SELECT id, at_utc FROM ${webhookDeliveries} ORDER BY id LIMIT ${literal(MOST)})
    WHERE at_utc < ${formatInstant(nowMs - KEPT_MS)}
      OR id <= (SELECT max(id) FROM ${webhookDeliveries}) - ${literal(MOST_KEPT)})`,
  change: chosen => [sql`DELETE FROM ${webhookDeliveries} WHERE ${chosen}`],
})
