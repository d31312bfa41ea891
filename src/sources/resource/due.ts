import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { first } from '../../db/query.ts'
import { sources } from '../../db/schema.ts'
import { formatInstant } from '../../lib/time.ts'

/** Tells if a source is to be read, or to be taken apart, now. @param nowMs epoch milliseconds */
export const hasSourceDue = async (db: Database, nowMs: number): Promise<boolean> =>
  (await db.get(
    first(
      sql`SELECT 1 FROM ${sources} WHERE next_run_utc <= ${formatInstant(nowMs)}
        AND (state <> 'paused' OR is_ending) LIMIT 1`,
      () => true,
    ),
  )) ?? false
