import { sql } from 'drizzle-orm'
import { type Database, exec } from '../db/client.ts'
import { events, organizers, venues } from '../db/schema.ts'
import { formatInstant } from '../lib/time.ts'

/**
 * Publishes every scheduled event, venue and organizer whose time has come. Reads show them from that time
 * on anyway; this makes it so in the tables, where counts are kept. Running twice at once changes nothing.
 *
 * @param nowMs epoch milliseconds
 */
export async function publishDue(db: Database, nowMs: number): Promise<void> {
  const now = formatInstant(nowMs)
  await db.batch(
    [events, venues, organizers].map(table =>
      exec(sql`UPDATE ${table} SET status = 'publish', version = version + 1
        WHERE status = 'future' AND date_utc <= ${now}`),
    ),
  )
}
