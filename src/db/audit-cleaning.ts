import { sql } from 'drizzle-orm'
import { DAY_MS, formatInstant } from '../lib/time.ts'
import type { Database } from './database.ts'
import { exec, first } from './query.ts'
import { audit, auditState, undoRequests } from './schema.ts'

/** Days for which the audit keeps the values of changes. */
const VALUES_DAYS = 400
/** The time for which a change can be undone. */
export const UNDO_MS = 60 * 60_000
/** Entries that one run of the cron looks at. */
const MOST = 500

/** Deletes values of changes that are too old, some at a time, and what undoes changes that are. @param nowMs Unix time */
export async function forgetValues(db: Database, nowMs: number): Promise<void> {
  const cleared = sql`(SELECT cleared_to FROM ${auditState})`
  const before = formatInstant(nowMs - VALUES_DAYS * DAY_MS)
  const undone = sql`DELETE FROM ${undoRequests} WHERE at_utc < ${formatInstant(nowMs - UNDO_MS)}`
  // Nearly always this one row, which is too young, is all that is read.
  const oldest = first(sql`SELECT at_utc FROM ${audit} WHERE id > ${cleared} ORDER BY id LIMIT 1`, row =>
    String(row.at_utc),
  )
  const [, at] = await db.write([exec(undone), oldest])
  if (at === undefined || at >= before) return
  const next = sql`SELECT max(id) FROM (SELECT id, at_utc FROM ${audit} WHERE id > ${cleared} ORDER BY id LIMIT ${MOST})
    WHERE at_utc < ${before}`
  await db.change([
    sql`UPDATE ${audit} SET changed = NULL WHERE id > ${cleared} AND id <= (${next}) AND changed IS NOT NULL`,
    sql`UPDATE ${auditState} SET cleared_to = (${next})`,
  ])
}
