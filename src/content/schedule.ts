import { sql } from 'drizzle-orm'
import { recordPublication } from '../db/audit.ts'
import type { Database } from '../db/database.ts'
import { update } from '../db/statements.ts'
import { formatInstant } from '../lib/time.ts'
import { contentTables } from './tables.ts'

/**
 * Publishes every scheduled event, venue and organizer whose time has come. Reads show them from that time on anyway, but
 * listings and counts need the stored status. Can run twice at the same time.
 *
 * @param nowMs epoch milliseconds
 */
export async function publishDue(db: Database, nowMs: number): Promise<void> {
  const now = formatInstant(nowMs)
  const due = sql`status = 'future' AND date_utc <= ${now}`
  await db.change(
    contentTables.flatMap(([kind, table]) => [
      recordPublication(now, kind, sql`SELECT id FROM ${table} WHERE ${due}`),
      update(table, { status: 'publish', version: sql`version + 1` }, due),
    ]),
  )
}
