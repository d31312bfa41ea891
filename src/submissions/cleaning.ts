import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { literal } from '../db/query.ts'
import { events, submissionKeys, submissions } from '../db/schema.ts'
import { addDays, formatInstant } from '../lib/time.ts'
import { keptDays } from './keys.ts'

/** Days after a decision for which an editor may write to whoever sent something in, and for which its page is there. */
const CONTACT_DAYS = 90
const PAGE_DAYS = 400

/** Rows that one run looks at. */
const MOST = literal(200)

/** An event that waits, or that was sent back and may be changed. */
const waits = sql`EXISTS (SELECT 1 FROM ${events} WHERE ${events.id} = ${submissions.event_id} AND ${events.status} IN ('pending', 'draft'))`

/**
 * Notes which submissions were decided, by whatever way, and forgets: names and addresses 90 days after the decision, at which
 * network something came from after two days, and everything of a submission after 400.
 */
export async function cleanSubmissions(db: Database, nowMs: number): Promise<void> {
  const now = formatInstant(nowMs)
  const [, yesterday] = keptDays(now)
  const some = (condition: ReturnType<typeof sql>) =>
    sql`${submissions.id} IN (SELECT ${submissions.id} FROM ${submissions} WHERE ${condition} LIMIT ${MOST})`
  await db.change([
    sql`UPDATE ${submissions} SET decided_utc = ${now}
      WHERE ${some(sql`${submissions.decided_utc} IS NULL AND NOT ${waits}`)}`,
    sql`UPDATE ${submissions} SET name = '', email = ''
      WHERE ${some(sql`${submissions.email} <> '' AND ${submissions.decided_utc} < ${addDays(now, -CONTACT_DAYS)}`)}`,
    sql`UPDATE ${submissions} SET sender = ''
      WHERE ${some(sql`${submissions.sender} <> '' AND ${submissions.created_utc} < ${`${yesterday} 00:00:00`}`)}`,
    sql`DELETE FROM ${submissions}
      WHERE ${some(sql`${submissions.created_utc} < ${addDays(now, -PAGE_DAYS)} AND ${submissions.decided_utc} < ${addDays(now, -PAGE_DAYS)}`)}`,
    sql`DELETE FROM ${submissionKeys} WHERE day < ${yesterday}`,
  ])
}
