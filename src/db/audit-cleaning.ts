import { type SQL, sql } from 'drizzle-orm'
import { ApiError } from '../lib/errors.ts'
import { DAY_MS, formatInstant } from '../lib/time.ts'
import type { Database } from './database.ts'
import { first, literal } from './query.ts'
import { audit, auditState, undoRequests } from './schema.ts'

/** Days for which the audit keeps the values of changes. */
const VALUES_DAYS = 400
/** The time for which a change can be undone. */
export const UNDO_MS = 60 * 60_000
/** Entries that one run of the cron looks at. */
const MOST = 500

/** Sizes of what is tried in turn where an entry cannot be changed. */
const STEPS = [MOST, 20, 1]

/** Statements that {@link forgetValues} makes at most. */
export const MOST_OF_VALUES = 9

const clearedTo = sql`(SELECT cleared_to FROM ${auditState})`
const keptFrom = (nowMs: number): string => formatInstant(nowMs - VALUES_DAYS * DAY_MS)
/** The first entry that still has its values: nearly always it is too young, and all that is read. */
const oldest = sql`SELECT at_utc FROM ${audit} WHERE id > ${clearedTo} ORDER BY id LIMIT 1`
const isUndoOver = (nowMs: number): SQL => sql`at_utc < ${formatInstant(nowMs - UNDO_MS)}`

/** A condition that is true if {@link forgetValues} has something to do. */
export const hasOldValues = (nowMs: number): SQL =>
  sql`((${oldest}) < ${keptFrom(nowMs)} OR EXISTS (SELECT 1 FROM ${undoRequests} WHERE ${isUndoOver(nowMs)}))`

/** Deletes values of changes that are too old, some at a time, and what undoes changes that are. @param nowMs Unix time */
export async function forgetValues(db: Database, nowMs: number): Promise<void> {
  const outcomes = await Promise.allSettled([
    clearValues(db, nowMs),
    db.change([sql`DELETE FROM ${undoRequests} WHERE ${isUndoOver(nowMs)}`]),
  ])
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

async function clearValues(db: Database, nowMs: number): Promise<void> {
  const before = keptFrom(nowMs)
  const at = await db.get(first(oldest, row => String(row.at_utc)))
  if (at === undefined || at >= before) return
  const next = (most: number): SQL =>
    sql`(SELECT max(id) FROM (SELECT id, at_utc FROM ${audit} WHERE id > ${clearedTo} ORDER BY id LIMIT ${literal(most)})
      WHERE at_utc < ${before})`
  const moveOn = (most: number): SQL => sql`UPDATE ${auditState} SET cleared_to = ${next(most)}`
  let refused: unknown
  for (const most of STEPS)
    try {
      return await db.change([
        sql`UPDATE ${audit} SET changed = NULL WHERE id > ${clearedTo} AND id <= ${next(most)} AND changed IS NOT NULL`,
        moveOn(most),
      ])
    } catch (error) {
      if (error instanceof ApiError) throw error
      refused = error
    }
  // An entry that cannot be changed is passed over, and keeps nothing else from being.
  await db.change([moveOn(1)])
  throw refused
}
