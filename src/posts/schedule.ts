import { sql } from 'drizzle-orm'
import { recordPublication } from '../db/audit.ts'
import type { Database } from '../db/client.ts'
import { events, organizers, venues } from '../db/schema.ts'
import { formatInstant } from '../lib/time.ts'

const SCHEDULED = [
  ['event', events],
  ['venue', venues],
  ['organizer', organizers],
] as const

/**
 * Publishes every scheduled event, venue and organizer whose time has come. Reads show them from that time
 * on anyway; this makes it so in the tables, where counts are kept. Running twice at once changes nothing.
 *
 * @param nowMs epoch milliseconds
 */
export async function publishDue(db: Database, nowMs: number): Promise<void> {
  const now = formatInstant(nowMs)
  const due = sql`status = 'future' AND date_utc <= ${now}`
  await db.change(
    SCHEDULED.flatMap(([kind, table]) => [
      recordPublication(now, kind, sql`SELECT id FROM ${table} WHERE ${due}`),
      sql`UPDATE ${table} SET status = 'publish', version = version + 1 WHERE ${due}`,
    ]),
  )
}
