import { type SQL, sql } from 'drizzle-orm'
import { recordPublication } from '../db/audit.ts'
import type { Database } from '../db/database.ts'
import { asOneChange } from '../db/one-change.ts'
import { literal, many } from '../db/query.ts'
import { update } from '../db/statements.ts'
import { attempt } from '../http/log.ts'
import { ApiError } from '../lib/errors.ts'
import { formatInstant } from '../lib/time.ts'
import { contentTables } from './tables.ts'

/** Rows that a run publishes one by one. They are chosen at random, so that those that fail are never in the way of others. */
const MOST_SINGLE = 10

/**
 * Publishes every scheduled event, venue and organizer whose time has come. Reads show them from that time on anyway, but
 * listings and counts need the stored status. Can run twice at the same time.
 *
 * @param nowMs epoch milliseconds
 */
export async function publishDue(db: Database, nowMs: number): Promise<void> {
  const now = formatInstant(nowMs)
  const isDue = sql`status = 'future' AND date_utc <= ${now}`
  // Mostly nothing is: one statement instead of twelve, of the fifty that a run of the cron may make on the free plan.
  const found = contentTables.map(
    ([kind, table]) => sql`SELECT ${kind} AS kind WHERE EXISTS (SELECT 1 FROM ${table} WHERE ${isDue})`,
  )
  let kinds: unknown[] = []
  await attempt('publication', async () => {
    kinds = await db.get(many(sql.join(found, sql` UNION ALL `), row => row.kind))
  })
  for (const [kind, table] of contentTables) {
    if (!kinds.includes(kind)) continue
    const publish = (due: SQL): Promise<void> =>
      db.change(
        asOneChange([
          recordPublication(now, kind, sql`SELECT id FROM ${table} WHERE ${due}`),
          update(table, { status: 'publish', version: sql`version + 1` }, due),
        ]),
      )
    const failure = await attempt(`publication of ${kind}s`, () => publish(isDue))
    // D1 itself fails for each of them alike.
    if (!failure || failure instanceof ApiError) continue
    await attempt(`publication of ${kind}s`, async () => {
      const ids = await db.get(
        many(
          sql`SELECT id FROM ${table} WHERE ${isDue} ORDER BY random() LIMIT ${literal(MOST_SINGLE)}`,
          row => Number(row.id),
        ),
      )
      for (const id of ids)
        await attempt(`publication of ${kind} ${id}`, () => publish(sql`${isDue} AND id = ${id}`))
    })
  }
}
