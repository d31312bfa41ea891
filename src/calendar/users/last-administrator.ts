import { type SQL, sql } from 'drizzle-orm'
import type { Origin } from '../../kit/db/audit.ts'
import type { Database } from '../../kit/db/database.ts'
import { conflictIf, retryConflicts } from '../../kit/db/failures.ts'
import { type Query, type Statement, selectCondition } from '../../kit/db/query.ts'
import { passkeys, passwords, users } from '../../kit/db/tables.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import { UserError } from './records.ts'

// An administrator must be able to sign in tomorrow. Passkeys and application passwords let their user in at
// any time; sessions and links expire.

/** A credential that a user is about to lose, or all passwords. */
type LostCredential = { passkey?: number; password?: number | 'all' }

const unexpiredSql = (now: DateTime): SQL =>
  sql`(${passwords.expires_utc} IS NULL OR ${passwords.expires_utc} > ${now})`

/**
 * A condition that is true if a user has a passkey or a valid password.
 * @param user an expression for the id of the user
 */
const wayInSql = (user: SQL, now: DateTime, { passkey = 0, password = 0 }: LostCredential = {}): SQL =>
  sql`(EXISTS (SELECT 1 FROM ${passkeys} WHERE ${passkeys.user_id} = ${user} AND ${passkeys.id} <> ${passkey})
    OR EXISTS (SELECT 1 FROM ${passwords} WHERE ${passwords.user_id} = ${user} AND ${unexpiredSql(now)}
      AND ${password === 'all' ? sql`0` : sql`${passwords.id} <> ${password}`}))`

const administratorSql = (id: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${id} AND ${users.role} = 'administrator')`

/** A condition that is true if there is another administrator, who meets a further condition. */
const anotherAdministratorSql = (id: number, conditionSql: SQL = sql`1`): SQL =>
  sql`EXISTS (SELECT 1 FROM ${users} AS other WHERE other.role = 'administrator' AND other.id <> ${id}
    AND ${conditionSql})`

const hasSuccessorSql = (id: number, now: DateTime): SQL =>
  anotherAdministratorSql(id, wayInSql(sql`other.id`, now))

/**
 * A condition that is true if no other administrator can sign in. An administrator without credentials can be
 * spared as long as the caller, who may only have a session so far, is another administrator.
 */
export const lastAdministratorSql = (id: number, { caller, clock }: Origin): SQL =>
  sql`(${administratorSql(id)} AND NOT ${hasSuccessorSql(id, clock.now())}
    AND (${wayInSql(sql`${id}`, clock.now())} OR ${id} = ${caller.id} OR NOT ${anotherAdministratorSql(id)}))`

/** A condition that is true if no administrator could sign in without a credential that lets one in now. */
export const endsWaysInSql = (id: number, lost: LostCredential, now: DateTime): SQL =>
  sql`(${administratorSql(id)} AND NOT ${hasSuccessorSql(id, now)} AND ${wayInSql(sql`${id}`, now)}
    AND NOT ${wayInSql(sql`${id}`, now, lost)})`

/**
 * A condition that is true if a user has a single credential, without which no administrator could sign in.
 */
export const onlyCredentialSql = (id: number, now: DateTime): SQL =>
  sql`(${administratorSql(id)} AND NOT ${hasSuccessorSql(id, now)}
    AND 1 = (SELECT count(*) FROM ${passkeys} WHERE ${passkeys.user_id} = ${id})
      + (SELECT count(*) FROM ${passwords} WHERE ${passwords.user_id} = ${id} AND ${unexpiredSql(now)}))`

export const selectHasAdministrator = (now: DateTime): Query<boolean> =>
  selectCondition(hasSuccessorSql(0, now))

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
