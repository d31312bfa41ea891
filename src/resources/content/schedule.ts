import { sql } from 'drizzle-orm'
import { recordPublication } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { asOneChange } from '../../db/one-change.ts'
import { many } from '../../db/query.ts'
import { update } from '../../db/statements.ts'
import { changeAll, type DueRows, hasDue } from '../../http/due-rows.ts'
import { attempt } from '../../http/log.ts'
import { formatInstant } from '../../lib/time.ts'
import { contentTables } from './tables.ts'

/** All that is published in a minute, in one transaction. */
const MOST = 10_000

/**
 * Publishes every scheduled event, venue and organizer whose time has come. Reads show them from that time on anyway, but
 * listings and counts need the stored status. Can run twice at the same time.
 *
 * @param nowMs epoch milliseconds
 * @returns the kinds of which the database has refused some: each is to be published by itself
 */
export async function publishDue(db: Database, nowMs: number): Promise<DueRows[]> {
  const now = formatInstant(nowMs)
  const due = sql`status = 'future' AND date_utc <= ${now}`
  const kinds = contentTables.map(
    ([kind, table]): DueRows => ({
      ...{ name: `publication of ${kind}s`, one: `publication of ${kind}`, table, due, most: MOST },
      change: chosen =>
        asOneChange([
          recordPublication(now, kind, sql`SELECT id FROM ${table} WHERE ${chosen}`),
          update(table, { status: 'publish', version: sql`version + 1` }, chosen),
        ]),
    }),
  )
  // Mostly nothing is: one statement instead of twelve, of the fifty that a run of the cron may make on the free plan.
  const found = kinds.map(rows => sql`SELECT ${rows.name} AS name WHERE ${hasDue(rows, nowMs)}`)
  let names: unknown[] = []
  await attempt('publication', async () => {
    names = await db.get(many(sql.join(found, sql` UNION ALL `), row => row.name))
  })
  const refused: DueRows[] = []
  for (const rows of kinds)
    if (names.includes(rows.name) && (await changeAll(db, rows, nowMs))) refused.push(rows)
  return refused
}
