import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../context.ts'
import { conflictIf } from '../db/failures.ts'
import { first, mapQuery, type Query, readText, type Statement } from '../db/query.ts'
import { limitCounts } from '../db/tables.ts'
import type { Clock } from '../lib/clock.ts'
import { widerNetworkOf } from '../lib/network.ts'
import { DAY_MS, type DateTime, formatInstant, HOUR_MS, toEpoch } from '../lib/time.ts'
import { storedJson } from '../lib/values.ts'
import { keyedHash } from './day-keys.ts'
import type { DueRows } from './due-rows.ts'

// Limits on how often something is done. The transaction that does something also counts it, and fails if
// that exceeds the limit: simultaneous requests can't do more than consecutive ones, and deleting what was
// made doesn't make room for more.

const PERIODS_MS = { hour: HOUR_MS, day: DAY_MS } as const
type Period = keyof typeof PERIODS_MS

/** Something that is done at most `limit` times within an hour or a day, which begins with the first time. */
export type Count = { key: string | SQL; limit: number; per: Period }

/**
 * The key of a count by a value that is not stored as it is, such as a mailbox or a network.
 *
 * @param secret of the database
 * @param name what is counted, so that nobody can compare the values of two counts
 */
export const hiddenKey = async (secret: string, name: string, value: string): Promise<string> =>
  `${name} ${await keyedHash({ key: secret }, `${name} ${value}`)}`

/**
 * The counts of the network that a request comes from, and of the /56 of IPv6 around it, whose limit is three
 * times as high; none if the network is unknown.
 */
export async function countsOfNetwork(
  { network }: Pick<RequestContext, 'network'>,
  secret: string,
  { name, limit, per }: { name: string; limit: number; per: Period },
): Promise<Count[]> {
  if (network === undefined) return []
  // For IPv4 both are the same network, and the lower limit holds.
  const limits = new Map([
    [widerNetworkOf(network), limit * 3],
    [network, limit],
  ])
  return Promise.all(
    Array.from(limits, async ([counted, n]) => ({
      key: await hiddenKey(secret, name, counted),
      limit: n,
      per,
    })),
  )
}

const endOf = (start: DateTime, per: Period): DateTime => formatInstant(toEpoch(start) + PERIODS_MS[per])

/** An expression for how often something has been done in the hour or day that has begun. */
export const timesDone = (clock: Clock, key: string | SQL): SQL =>
  sql`coalesce((SELECT count FROM ${limitCounts} WHERE key = ${key} AND until_utc > ${clock.now()}), 0)`

/** A condition that is true if something must not be done any more. */
export const usedUpSql = (clock: Clock, { key, limit }: Count): SQL =>
  sql`${timesDone(clock, key)} >= ${limit}`

/** A query for those of the given counts that have reached their limit. */
export const selectUsedUp = <C extends Count>(clock: Clock, counts: readonly C[]): Query<C[]> =>
  mapQuery(
    first(
      sql`SELECT json_array(${sql.join(
        counts.map(count => usedUpSql(clock, count)),
        sql`, `,
      )}) AS used_up`,
      { used_up: readText },
    ),
    row => {
      const flags: number[] = row ? storedJson(row.used_up) : []
      return counts.filter((_, i) => flags[i] === 1)
    },
  )

/** The statements that count something once; a conflict if that exceeds its limit. */
export function countStatements(clock: Clock, counts: readonly Count[]): Statement[] {
  const now = clock.now()
  const rows = counts.map(({ key, per }) => sql`(${key}, 1, ${endOf(now, per)})`)
  return [
    sql`INSERT INTO ${limitCounts} (key, count, until_utc) VALUES ${sql.join(rows, sql`, `)}
      ON CONFLICT (key) DO UPDATE SET count = iif(until_utc > ${now}, count + 1, 1),
        until_utc = iif(until_utc > ${now}, until_utc, excluded.until_utc)`,
    conflictIf(
      sql.join(
        counts.map(({ key, limit }) => sql`${timesDone(clock, key)} > ${limit}`),
        sql` OR `,
      ),
    ),
  ]
}

/**
 * The statement that gives back what was counted at a time, unless that hour or day is over.
 *
 * @param keys a JSON array, or an expression of one; NULL gives nothing back
 */
export const countReturnStatement = (
  keys: string | SQL,
  { at, per }: { at: DateTime; per: Period },
): Statement =>
  // A count that has begun again since then ends later.
  sql`UPDATE ${limitCounts} SET count = max(0, count - 1)
    WHERE key IN (SELECT value FROM json_each(${keys})) AND until_utc <= ${endOf(at, per)}`

/** Counts whose hour or day is over. @param nowMs epoch milliseconds */
export const oldCounts = (nowMs: number): DueRows => ({
  name: 'counts',
  rowName: 'count',
  table: limitCounts,
  dueSql: sql`until_utc <= ${formatInstant(nowMs)}`,
  limit: 1_000,
})
