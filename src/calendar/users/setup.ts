import { and, eq, sql } from 'drizzle-orm'
import { insertedId, type Origin, recorded, rowChangedSql } from '../../kit/db/audit.ts'
import { combineQueries, first, selectCondition } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { passkeys, passwords, users } from '../../kit/db/tables.ts'

// The setup code makes the first administrator and signs them in. It is used up by the first page that the new
// session opens, so that an answer that is lost locks nobody out. Another code signs in that same
// administrator, since whoever can set it owns the account of the deployment.

/** A condition for the administrator whom a code signs in. @param code its digest */
const openSql = (code: string) =>
  sql`role = 'administrator' AND setup_code IS NOT NULL AND (setup_code <> ${code} OR NOT is_setup_code_used)`

/** A query for what a code can do: make the first user, or sign in the administrator whom it has made. */
export const selectSetup = (code: string) =>
  combineQueries({
    isFirst: selectCondition(sql`NOT EXISTS (SELECT 1 FROM ${users})`),
    isWithoutKeys: selectCondition(
      sql`NOT EXISTS (SELECT 1 FROM ${passkeys}) AND NOT EXISTS (SELECT 1 FROM ${passwords})`,
    ),
    administrator: first(build.select({ id: users.id }).from(users).where(openSql(code))),
  })

/** The statement after which a user's setup code is used up. */
export const setupEndStatement = (userId: number) =>
  build.update(users).set({ is_setup_code_used: true }).where(eq(users.id, userId))

/** The statements that sign an administrator in by another code, and a SELECT of the user's id after them. */
export function setUpAdministrator(id: number, code: string, origin: Origin) {
  return {
    before: recorded(
      origin,
      build
        .update(users)
        .set({ setup_code: code, is_setup_code_used: false })
        .where(and(eq(users.id, id), openSql(code))),
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
export function firstAdministrator(login: string, code: string, origin: Origin) {
  return {
    before: recorded(
      origin,
      sql`INSERT INTO ${users} (login, role, created_utc, setup_code)
        SELECT ${login}, 'administrator', ${origin.clock.now()}, ${code} WHERE NOT EXISTS (SELECT 1 FROM ${users})`,
      { action: 'create', kind: 'user', fields: ['login', 'role'], id: insertedId },
    ),
    user: build
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.login, login), rowChangedSql)),
  }
}
