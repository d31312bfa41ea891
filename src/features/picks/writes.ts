import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext, RequestContext } from '../../kit/context.ts'
import { newestId } from '../../kit/db/bulk.ts'
import { literal } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { tooOften } from '../../kit/lib/errors.ts'
import { randomHex } from '../../kit/lib/hash.ts'
import { networkDigests } from '../../kit/work/day-keys.ts'
import { anyReachedSql, type RowLimit } from '../../kit/work/row-limits.ts'
import { DELETED, isReadDue, listByKey, listByToken, type PickList, storedDigest } from './queries.ts'
import type { Picks } from './schema.ts'
import { pickLists } from './tables.ts'

/** The most new lists of a network and day (UTC), and of a /56 of IPv6. */
const MAX_NEW = { network: 20, wider: 60 } as const
/** The most changes of a list and hour. */
const MAX_CHANGES = 60

const jsonColumns = ({ ids, series }: Picks) => ({ ids: JSON.stringify(ids), series: JSON.stringify(series) })

/**
 * The limits of a network and of its /56, whose digest that of the network begins with. Deleted lists count
 * (`deleteList`).
 */
const limitsOf = (network: string, wider: string): RowLimit[] => [
  { table: pickLists, rows: ofNetworksSql(sql`= ${network}`), limit: MAX_NEW.network },
  { table: pickLists, rows: ofNetworksSql(sql`BETWEEN ${wider} AND ${`${wider}g`}`), limit: MAX_NEW.wider },
]

const ofNetworksSql = (networks: SQL): SQL =>
  sql`${pickLists.network} <> '' AND ${pickLists.network} ${networks}`

/**
 * A condition that is true while fewer lists than the limit were made since midnight, UTC. Ids have no gaps
 * within two days, as deleted lists keep their rows, so that one row tells it.
 */
const dayOpenSql = ({ clock, settings: { picksNewLists } }: BaseContext): SQL =>
  sql`(${picksNewLists} > 0 AND coalesce((SELECT ${pickLists.created_utc} FROM ${pickLists}
    WHERE ${pickLists.id} <= ${newestId(pickLists)} + 1 - ${picksNewLists}
    ORDER BY ${pickLists.id} DESC LIMIT 1), '') < ${clock.now().slice(0, 10)})`

/**
 * Stores a list.
 *
 * @returns the token that reads it, and the key that changes it, of 128 random bits each
 * @throws ApiError `rest_too_many_requests` if its network has stored too many today, or all together have
 */
export async function createList(
  context: RequestContext,
  picks: Picks,
): Promise<{ token: string; key: string }> {
  const { db, clock } = context
  const [token, key] = [randomHex(16), randomHex(16)]
  const [token_digest, key_digest] = await Promise.all([storedDigest(token), storedDigest(key)])
  const { wider, network: ownNetwork } = await networkDigests(context, 'picks')
  const network = wider + ownNetwork
  const fullSql = network === '' ? sql`0` : anyReachedSql(limitsOf(network, wider))
  const { ids, series } = jsonColumns(picks)
  const storedRows = await db.write(
    [
      sql`INSERT INTO ${pickLists} (token_digest, key_digest, ids, series, network, created_utc, read_utc)
        SELECT ${token_digest}, ${key_digest}, ${ids}, ${series}, ${network}, ${clock.now()}, ${clock.now()}
        WHERE NOT (${fullSql}) AND ${dayOpenSql(context)}`,
    ],
    listByToken(token_digest),
  )
  if (!storedRows) throw tooOften('Too many new lists. Please try again later.')
  return { token, key }
}

/**
 * Replaces the picks of a list.
 *
 * @returns the list; undefined if somebody has deleted it in the meantime
 * @throws ApiError `rest_too_many_requests` after too many changes in an hour
 */
export async function changeList(
  { db, clock }: BaseContext,
  list: PickList,
  picks: Picks,
): Promise<PickList | undefined> {
  const columns = jsonColumns(picks)
  if (columns.ids === list.ids && columns.series === list.series) return list
  const hour = clock.now().slice(0, 13)
  const sameHourSql = sql`${pickLists.changed_hour} = ${hour}`
  const after = await db.write(
    [
      build
        .update(pickLists)
        .set({
          ...columns,
          version: sql`${pickLists.version} + 1`,
          changed_hour: hour,
          changes: sql`iif(${sameHourSql}, ${pickLists.changes} + 1, 1)`,
        })
        .where(
          sql`${pickLists.id} = ${list.id} AND ${pickLists.key_digest} = ${list.key_digest}
            AND NOT (${sameHourSql} AND ${pickLists.changes} >= ${literal(MAX_CHANGES)})`,
        ),
    ],
    listByKey(list.key_digest),
  )
  if (after && (after.ids !== columns.ids || after.series !== columns.series))
    throw tooOften('Too many changes. Please try again later.')
  return after
}

/**
 * Deletes a list: its picks and what leads to it. An empty row stays for as long as networks are counted, or
 * else making and deleting lists would have no limit.
 */
export const deleteList = ({ db }: BaseContext, { id }: PickList): Promise<void> =>
  db.write([
    build
      .update(pickLists)
      .set({
        ...jsonColumns({ ids: [], series: [] }),
        token_digest: sql`id`,
        key_digest: sql`id`,
        read_utc: DELETED,
      })
      .where(sql`${pickLists.id} = ${id}`),
  ])

/** Notes that somebody reads a list, at most once a week, because lists end that nobody reads. */
export async function noteRead(context: BaseContext, list: PickList): Promise<void> {
  if (!isReadDue(list, context)) return
  const read_utc = context.clock.untrackedTime
  await context.db.write([build.update(pickLists).set({ read_utc }).where(sql`${pickLists.id} = ${list.id}`)])
}
