import { type SQL, sql } from 'drizzle-orm'
import { events, submissionKeys, submissions } from '../../db/schema.ts'
import type { DueRows } from '../../http/due-rows.ts'
import { addDays, formatInstant } from '../../lib/time.ts'
import { keptDays } from './keys.ts'

/** Days after a decision for which an editor may write to whoever sent something in, and for which its page is there. */
const CONTACT_DAYS = 90
const PAGE_DAYS = 400

/** Rows that one run changes. */
const MOST = 200

/** An event that waits, or that was sent back and may be changed. */
const waits = sql`EXISTS (SELECT 1 FROM ${events} WHERE ${events.id} = ${submissions.event_id} AND ${events.status} IN ('pending', 'draft'))`

/**
 * Submissions of which the cron notes that they were decided, by whatever way, and those of which it forgets something: names
 * and addresses 90 days after the decision, at which network one came from after two days, and all of it after 400.
 */
export function oldSubmissions(nowMs: number): DueRows[] {
  const now = formatInstant(nowMs)
  const [, yesterday] = keptDays(now)
  const set = (assigned: SQL) => (chosen: SQL) => [sql`UPDATE ${submissions} SET ${assigned} WHERE ${chosen}`]
  const of = (name: string, due: SQL, change: DueRows['change']): DueRows => ({
    ...{
      name: `submissions: ${name}`,
      one: `submission: ${name}`,
      table: submissions,
      most: MOST,
      due,
      change,
    },
  })
  const page = addDays(now, -PAGE_DAYS)
  return [
    of('decision', sql`${submissions.decided_utc} IS NULL AND NOT ${waits}`, set(sql`decided_utc = ${now}`)),
    of(
      'contact',
      sql`${submissions.email} <> '' AND ${submissions.decided_utc} < ${addDays(now, -CONTACT_DAYS)}`,
      set(sql`name = '', email = ''`),
    ),
    of(
      'sender',
      sql`${submissions.sender} <> '' AND ${submissions.created_utc} < ${`${yesterday} 00:00:00`}`,
      set(sql`sender = ''`),
    ),
    of('page', sql`${submissions.created_utc} < ${page} AND ${submissions.decided_utc} < ${page}`, chosen => [
      sql`DELETE FROM ${submissions} WHERE ${chosen}`,
    ]),
    {
      ...{ name: 'keys of submissions', one: 'key of submissions', table: submissionKeys, most: MOST },
      due: sql`day < ${yesterday}`,
      change: chosen => [sql`DELETE FROM ${submissionKeys} WHERE ${chosen}`],
    },
  ]
}
