import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/database.ts'
import { sessions, signInLinks, usedChallenges } from '../../../db/schema.ts'
import { changeDue, type DueRows } from '../../../http/due-rows.ts'
import { formatInstant } from '../../../lib/time.ts'

/** The most of each that one run of the cron deletes. */
const MOST = 1_000

const TABLES = [
  ['sessions', 'session', sessions],
  ['sign-in links', 'sign-in link', signInLinks],
  ['used challenges', 'used challenge', usedChallenges],
] as const

/** Sessions, links and challenges that have expired. @param nowMs epoch milliseconds */
export const expired = (nowMs: number): DueRows[] =>
  TABLES.map(([name, one, table]) => ({
    ...{ name, one, table, most: MOST, due: sql`expires_utc <= ${formatInstant(nowMs)}` },
    change: chosen => [sql`DELETE FROM ${table} WHERE ${chosen}`],
  }))

/** The work of the cron: deletes what has expired. @param nowMs epoch milliseconds */
export async function forgetExpired(db: Database, nowMs: number): Promise<void> {
  for (const rows of expired(nowMs)) await changeDue(db, rows, nowMs)
}
