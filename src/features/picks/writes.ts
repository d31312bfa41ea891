import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { literal } from '../../db/query.ts'
import { build } from '../../db/statements.ts'
import { requestTime } from '../../lib/clock.ts'
import { randomHex } from '../../lib/digest.ts'
import { ApiError } from '../../lib/errors.ts'
import { keyed, keysOf } from '../../resources/submissions/keys.ts'
import { digestOfToken, isReadDue, listByKey, listByToken, type PickList } from './queries.ts'
import type { Picks } from './schema.ts'
import { pickLists } from './tables.ts'

/** The most new lists of a network and day (UTC). */
const MOST_NEW = 20
/** The most changes of a list and hour. */
const MOST_CHANGES = 60
const HOUR_S = 3_600

const tooMany = (what: string) =>
  new ApiError('rest_too_many_requests', `Too many ${what}. Please try again later.`, { retry_after: HOUR_S })

/** The columns of a list with these picks. */
const columnsOf = ({ ids, series }: Picks) => ({ ids: JSON.stringify(ids), series: JSON.stringify(series) })

/**
 * Stores a list.
 *
 * @returns the token that reads it, and the key that changes it, of 128 random bits each
 * @throws ApiError `rest_too_many_requests` if its network has stored too many today
 */
export async function createList(
  context: RequestContext,
  picks: Picks,
): Promise<{ token: string; key: string }> {
  const { db, network, now } = context
  const [token, key] = [randomHex(16), randomHex(16)]
  const [token_digest, key_digest] = await Promise.all([digestOfToken(token), digestOfToken(key)])
  const from = network === undefined ? '' : await keyed((await keysOf(context))[0], `picks ${network}`)
  const { ids, series } = columnsOf(picks)
  const stored = await db.change(
    [
      sql`INSERT INTO ${pickLists} (token_digest, key_digest, ids, series, network, created_utc, read_utc)
        SELECT ${token_digest}, ${key_digest}, ${ids}, ${series}, ${from}, ${now}, ${now} WHERE ${from} = ''
          OR (SELECT count(*) FROM (SELECT 1 FROM ${pickLists} WHERE ${pickLists.network} <> '' AND ${pickLists.network} = ${from} LIMIT ${literal(MOST_NEW)})) < ${literal(MOST_NEW)}`,
    ],
    listByToken(token_digest),
  )
  if (!stored) throw tooMany('new lists')
  return { token, key }
}

/**
 * Replaces the picks of a list.
 *
 * @returns the list; undefined if somebody has deleted it meanwhile
 * @throws ApiError `rest_too_many_requests` after too many changes in an hour
 */
export async function changeList(
  { db, now }: RequestContext,
  list: PickList,
  picks: Picks,
): Promise<PickList | undefined> {
  const columns = columnsOf(picks)
  if (columns.ids === list.ids && columns.series === list.series) return list
  const hour = now.slice(0, 13)
  const isSame = sql`${pickLists.changed_hour} = ${hour}`
  const after = await db.change(
    [
      build
        .update(pickLists)
        .set({
          ...columns,
          version: sql`${pickLists.version} + 1`,
          changed_hour: hour,
          changes: sql`iif(${isSame}, ${pickLists.changes} + 1, 1)`,
        })
        .where(
          sql`${pickLists.id} = ${list.id} AND NOT (${isSame} AND ${pickLists.changes} >= ${literal(MOST_CHANGES)})`,
        ),
    ],
    listByKey(list.key_digest),
  )
  if (after && (after.ids !== columns.ids || after.series !== columns.series)) throw tooMany('changes')
  return after
}

export const deleteList = ({ db }: RequestContext, { id }: PickList): Promise<void> =>
  db.change([build.delete(pickLists).where(sql`${pickLists.id} = ${id}`)])

/** Notes that somebody reads a list, at most once a week, because lists end that nobody reads. */
export async function noteRead(context: RequestContext, list: PickList): Promise<void> {
  if (!isReadDue(list, context)) return
  const read_utc = requestTime(context)
  await context.db.change([
    build.update(pickLists).set({ read_utc }).where(sql`${pickLists.id} = ${list.id}`),
  ])
}
