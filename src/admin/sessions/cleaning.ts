import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { literal } from '../../db/query.ts'
import { sessions, signInLinks, usedChallenges } from '../../db/schema.ts'
import { formatInstant } from '../../lib/time.ts'

/** The most of each that one run of the cron deletes. */
const MOST = 1_000

/** The work of the cron: deletes sessions, links and challenges that have expired. @param nowMs epoch milliseconds */
export const forgetExpired = (db: Database, nowMs: number): Promise<void> =>
  db.change(
    [sessions, signInLinks, usedChallenges].map(
      table => sql`DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table}
        WHERE expires_utc <= ${formatInstant(nowMs)} ORDER BY expires_utc LIMIT ${literal(MOST)})`,
    ),
  )
