import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { newestId } from '../db/bulk.ts'
import { first, literal, mapQuery, type Query } from '../db/query.ts'
import { addDays, type DateTime, formatInstant, HOUR_MS, toEpoch } from '../lib/time.ts'

// Limits on what strangers write. They count the rows that exist. The transaction that inserts a row fails if
// the row is one too many, so that simultaneous requests can't insert more rows than successive ones.

/** A limit on the rows of a table for which a condition holds. */
export type RowLimit = {
  table: SQLiteTable & { id: SQLiteColumn }
  rows: SQL | undefined
  limit: number
  /** A SELECT of what counts, if that is not the number of rows. */
  sum?: (rows: SQL | undefined) => SQL
}

// Counting stops at the limit.
const reachedSql = ({ table, rows, limit, sum }: RowLimit): SQL =>
  sum
    ? sql`(${sum(rows)}) >= ${literal(limit)}`
    : sql`(SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${rows} LIMIT ${literal(limit)})) = ${literal(limit)}`

/** A condition that is true if any limit is reached. */
export const anyReachedSql = (limits: readonly RowLimit[]): SQL => sql.join(limits.map(reachedSql), sql` OR `)

/** A query that tells whether any limit is reached. */
export const selectReached = (limits: readonly RowLimit[]): Query<boolean> =>
  mapQuery(
    first(sql`SELECT ${anyReachedSql(limits)} AS n`, ({ n }) => n === 1),
    Boolean,
  )

/**
 * The same limits, without the row that the transaction has just inserted. That row is one too many if other
 * requests have inserted theirs in the meantime.
 */
export const beforeLast = (limits: readonly RowLimit[]): RowLimit[] =>
  limits.map(limit => ({
    ...limit,
    rows: and(sql`${limit.table.id} < ${newestId(limit.table)}`, limit.rows),
  }))

/**
 * A table of what strangers send, with the digest of the network that it comes from (`networkDigests`); '' if
 * that is unknown.
 */
type SentTable = RowLimit['table'] & Record<'created_utc' | 'sender', SQLiteColumn>

/** The most rows of a network within an hour and a day, and of all within a day. */
type SentLimits = Record<'hour' | 'day' | 'all', number>

/** Limits on the number of rows that come from a network, and from all. */
export function numberLimits(
  table: SentTable,
  limits: SentLimits,
  { now, sender }: { now: DateTime; sender: string },
): RowLimit[] {
  const [hourAgo, dayAgo] = [formatInstant(toEpoch(now) - HOUR_MS), addDays(now, -1)]
  const ofSender = (since: DateTime) => and(gt(table.created_utc, since), eq(table.sender, sender))
  return [
    ...(sender
      ? [
          { table, rows: ofSender(hourAgo), limit: limits.hour },
          { table, rows: ofSender(dayAgo), limit: limits.day },
        ]
      : []),
    { table, rows: gt(table.created_utc, dayAgo), limit: limits.all },
  ]
}
