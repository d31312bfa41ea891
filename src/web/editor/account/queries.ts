import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { countOf, many, type Query, type RowOfQuery } from '../../../db/query.ts'
import { passwords, recoveryCodes, sessions } from '../../../db/schema.ts'
import { build } from '../../../db/statements.ts'
import type { DateTime } from '../../../lib/time.ts'
import { UserError } from '../../../resources/users/records.ts'

/** Ignores that a password no longer exists: whoever revoked it has what they wanted. @throws any other error */
export function ignoreGone(error: unknown): void {
  if (!(error instanceof UserError && error.reason === 'no password')) throw error
}

/** The most that one user may have of each: nobody needs more, and these lists have no pages. */
export const MOST_PASSKEYS = 20
export const MOST_PASSWORDS = 50

/** The longest name of a passkey or password, in characters. */
export const LONGEST_NAME = 60

/** A name as stored: one line without control characters. */
export const toName = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed()

/** The sessions of a user that have not ended, most recently used first. */
export const sessionsOf = (userId: number, now: DateTime) =>
  many(
    build
      .select({
        id: sessions.id,
        method: sessions.method,
        device: sessions.device,
        created: sessions.created_utc,
        lastUsed: sessions.last_used_utc,
      })
      .from(sessions)
      .where(and(eq(sessions.user_id, userId), gt(sessions.expires_utc, now)))
      .orderBy(desc(sessions.last_used_utc), desc(sessions.id)),
  )

export type ListedSession = RowOfQuery<typeof sessionsOf>

/** The valid application passwords of a user, oldest first. */
export const passwordsOf = (userId: number, now: DateTime) =>
  many(
    build
      .select({
        id: passwords.id,
        name: passwords.name,
        created: passwords.created_utc,
        expires: passwords.expires_utc,
        lastUsed: passwords.last_used_utc,
      })
      .from(passwords)
      .where(
        and(eq(passwords.user_id, userId), or(isNull(passwords.expires_utc), gt(passwords.expires_utc, now))),
      )
      .orderBy(passwords.id),
  )

export type ListedPassword = RowOfQuery<typeof passwordsOf>

/** The number of unused recovery codes of a user. */
export const codesLeft = (userId: number): Query<number> =>
  countOf(sql`${recoveryCodes} WHERE ${recoveryCodes.user_id} = ${userId}`)
