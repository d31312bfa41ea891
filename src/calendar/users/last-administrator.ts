import { type SQL, sql } from 'drizzle-orm'
import type { Origin } from '../../kit/db/audit.ts'
import type { Database } from '../../kit/db/database.ts'
import { conflictIf, retryConflicts } from '../../kit/db/failures.ts'
import { type Query, type Statement, selectCondition } from '../../kit/db/query.ts'
import { passkeys, passwords, users } from '../../kit/db/tables.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import { UserError } from './records.ts'

// An administrator must be able to sign in tomorrow. Passkeys and application passwords let their user in at
// any time; sessions and links expire, and codes are used up.

/** The credentials that a user is about to lose: one of them, or all passwords. */
type LostCredentials = { passkey: number } | { password: number } | { passwords: 'all' }

const unexpiredSql = (now: DateTime): SQL =>
  sql`(${passwords.expires_utc} IS NULL OR ${passwords.expires_utc} > ${now})`

/**
 * A condition that is true if a user has a passkey or a valid password.
 * @param user an expression for the id of the user
 */
function wayInSql(user: SQL, now: DateTime, lostCredentials?: LostCredentials): SQL {
  const otherPasskeySql =
    lostCredentials && 'passkey' in lostCredentials
      ? sql`AND ${passkeys.id} <> ${lostCredentials.passkey}`
      : sql``
  const otherPasswordSql =
    lostCredentials && 'password' in lostCredentials
      ? sql`AND ${passwords.id} <> ${lostCredentials.password}`
      : sql``
  const hasPasswordSql = sql`EXISTS (SELECT 1 FROM ${passwords} WHERE ${passwords.user_id} = ${user}
    AND ${unexpiredSql(now)} ${otherPasswordSql})`
  return sql`(EXISTS (SELECT 1 FROM ${passkeys} WHERE ${passkeys.user_id} = ${user} ${otherPasskeySql})
    OR ${lostCredentials && 'passwords' in lostCredentials ? sql`0` : hasPasswordSql})`
}

const administratorSql = (id: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${id} AND ${users.role} = 'administrator')`

/**
 * A condition that is true if there is another administrator.
 *
 * @param now the time at which that administrator must be able to sign in, if at all
 */
const anotherAdministratorSql = (id: number, now?: DateTime): SQL =>
  sql`EXISTS (SELECT 1 FROM ${users} AS other WHERE other.role = 'administrator' AND other.id <> ${id}
    AND ${now === undefined ? sql`1` : wayInSql(sql`other.id`, now)})`

/**
 * A condition that is true if no administrator could sign in without this administrator. An administrator
 * without credentials can be spared as long as the caller, who may only have a session so far, is another
 * administrator.
 */
export const lastAdministratorSql = (id: number, { caller, clock }: Origin): SQL =>
  sql`(${administratorSql(id)} AND NOT ${anotherAdministratorSql(id, clock.now())}
    AND (${wayInSql(sql`${id}`, clock.now())} OR ${id} = ${caller.id} OR NOT ${anotherAdministratorSql(id)}))`

/** A condition that is true if a user is the only administrator who can sign in. */
const onlyWayInSql = (id: number, now: DateTime): SQL =>
  sql`(${administratorSql(id)} AND NOT ${anotherAdministratorSql(id, now)} AND ${wayInSql(sql`${id}`, now)})`

/**
 * A condition that is true if a user has a single credential, without which no administrator could sign in.
 */
export const onlyCredentialSql = (id: number, now: DateTime): SQL =>
  sql`(${onlyWayInSql(id, now)} AND 1 = (SELECT count(*) FROM ${passkeys} WHERE ${passkeys.user_id} = ${id})
    + (SELECT count(*) FROM ${passwords} WHERE ${passwords.user_id} = ${id} AND ${unexpiredSql(now)}))`

/** A condition that is true if no administrator could sign in without these credentials. */
export const endsWaysInSql = (id: number, lost: LostCredentials, now: DateTime): SQL =>
  sql`(${onlyWayInSql(id, now)} AND NOT ${wayInSql(sql`${id}`, now, lost)})`

export const selectHasAdministrator = (now: DateTime): Query<boolean> =>
  selectCondition(anotherAdministratorSql(0, now))

type GuardedChange = {
  login: string
  /** True if no administrator could sign in any more; undefined for a write that is allowed to leave none. */
  noneLeftSql: SQL | undefined
}

/**
 * The statements that make a write fail with a conflict if no administrator could sign in after it, since two
 * requests at the same time may each rely on the other's user.
 *
 * @throws UserError `last_administrator` if that is clear before the write
 */
export async function readAdministratorGuardStatements(
  db: Database,
  { login, noneLeftSql }: GuardedChange,
): Promise<Statement[]> {
  if (!noneLeftSql) return []
  if (await db.read(selectCondition(noneLeftSql)))
    throw new UserError(
      'last_administrator',
      `Without ${login}, no administrator could sign in: first make another one, with a passkey or a password.`,
    )
  return [conflictIf(noneLeftSql)]
}

/**
 * Makes a write with the {@link readAdministratorGuardStatements}, and again if it conflicts. A write that
 * depends on rows read before has to read them again: it calls that function itself, within its own retry.
 *
 * @throws UserError `last_administrator`
 */
export const keepAdministrator = <T>(
  db: Database,
  change: GuardedChange,
  write: (guard: Statement[]) => Promise<T>,
): Promise<T> => retryConflicts(async () => write(await readAdministratorGuardStatements(db, change)))
