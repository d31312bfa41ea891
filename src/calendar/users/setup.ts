import { and, eq, type SQL, sql } from 'drizzle-orm'
import { insertedId, type Origin, recorded, rowChangedSql } from '../../kit/db/audit.ts'
import { many, mapQuery, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { users } from '../../kit/db/tables.ts'
import { hexDigest } from '../../kit/lib/hash.ts'
import { DAY_MS, type DateTime, MINUTE_MS, toEpoch } from '../../kit/lib/time.ts'

/**
 * The digest that identifies the browser in which the setup is done.
 *
 * @param token the token of the browser's forms
 */
export const setupVisit = (token: string): Promise<string> => hexDigest(`setup ${token}`)

/**
 * The statement after which the setup code never opens the calendar again: its user has come back, or has
 * another way in.
 */
export const setupEndStatement = (user: SQL): Statement =>
  build.update(users).set({ setup_visit: '' }).where(sql`id = ${user} AND setup_visit <> ''`)

/**
 * The user whom the setup has made, if it is the only one: undefined otherwise, and null if there is none at
 * all.
 */
export const selectSetUp = () =>
  mapQuery(
    many(
      build
        .select({
          id: users.id,
          login: users.login,
          role: users.role,
          made: users.created_utc,
          visit: users.setup_visit,
        })
        .from(users)
        .limit(2),
    ),
    ([user, another]) => {
      if (!user) return null
      return another === undefined && user.role === 'administrator' && user.visit !== '' ? user : undefined
    },
  )

type SetUpUser = NonNullable<ReturnType<ReturnType<typeof selectSetUp>['read']>>

/** The code works again for this long if the new administrator has never come back. */
const REOPENS_MS = DAY_MS
/** After this long, it works from any browser. */
const ELSEWHERE_MS = 10 * MINUTE_MS

/**
 * True if the code opens the calendar again: the answer that signed its administrator in has never arrived.
 */
export function isSetUpLost({ made, visit }: SetUpUser, givenVisit: string, now: DateTime): boolean {
  const age = toEpoch(now) - toEpoch(made)
  return age < REOPENS_MS && (visit === givenVisit || age >= ELSEWHERE_MS)
}

/**
 * The statements that begin again with the user whom the setup has made, and a SELECT of the user's id to run
 * right after them.
 */
export function sameAdministrator({ id, visit: formerVisit }: SetUpUser, visit: string, origin: Origin) {
  return {
    before: recorded(
      origin,
      build
        .update(users)
        .set({ setup_visit: visit })
        .where(
          sql`id = ${id} AND setup_visit = ${formerVisit}
        AND NOT EXISTS (SELECT 1 FROM ${users} WHERE id <> ${id})`,
        ),
      { action: 'update', kind: 'user', fields: ['session'], id },
    ),
    user: build
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, id), rowChangedSql)),
  }
}

/**
 * The statements that create the first user, an administrator, unless there is a user already, and a SELECT
 * of the new user's id to run right after them.
 */
export function firstAdministrator(login: string, visit: string, origin: Origin) {
  return {
    before: recorded(
      origin,
      sql`INSERT INTO ${users} (login, role, created_utc, setup_visit)
        SELECT ${login}, 'administrator', ${origin.clock.now()}, ${visit} WHERE NOT EXISTS (SELECT 1 FROM ${users})`,
      { action: 'create', kind: 'user', fields: ['login', 'role'], id: insertedId },
    ),
    user: build
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.login, login), rowChangedSql)),
  }
}
