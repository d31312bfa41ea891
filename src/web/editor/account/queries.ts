import { sql } from 'drizzle-orm'
import { countOf, many, type Query } from '../../../db/query.ts'
import { passwords, recoveryCodes, SIGN_IN_METHODS, sessions } from '../../../db/schema.ts'
import type { DateTime } from '../../../lib/time.ts'
import { UserError } from '../../../resources/users/records.ts'
import type { Admin } from '../admin.ts'

/** The author of a change of users, for the audit. */
export const authorOf = ({ context, session }: Admin) => ({
  userId: session.user.id,
  requestId: context.requestId,
})

/** Whoever revokes a password that is gone has got what they want. @throws any other error */
export function ignoreGone(error: unknown): void {
  if (!(error instanceof UserError && error.reason === 'no password')) throw error
}

/** The most that one user may have of each: nobody needs more, and none of the lists has pages. */
export const MOST_PASSKEYS = 20
export const MOST_PASSWORDS = 50

/** Characters of a name of either. */
export const LONGEST_NAME = 60

/** A name as it is stored: one line, without control characters. */
export const toName = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed()

export type ListedSession = {
  id: number
  method: (typeof SIGN_IN_METHODS)[number]
  device: string
  created: DateTime
  lastUsed: DateTime
}

/** The sessions of a user that have not ended, the one that was used last first. */
export const sessionsOf = (userId: number, now: DateTime): Query<ListedSession[]> =>
  many(
    sql`SELECT id, method, device, created_utc, last_used_utc FROM ${sessions}
      WHERE user_id = ${userId} AND expires_utc > ${now} ORDER BY last_used_utc DESC, id DESC`,
    row => ({
      id: Number(row.id),
      method: SIGN_IN_METHODS.find(method => method === row.method) ?? 'link',
      device: String(row.device),
      created: String(row.created_utc),
      lastUsed: String(row.last_used_utc),
    }),
  )

export type ListedPassword = {
  id: number
  name: string
  created: DateTime
  expires: DateTime | null
  lastUsed: DateTime | null
}

const optional = (value: unknown): string | null => (value === null ? null : String(value))

/** The application passwords of a user that hold, the oldest first. */
export const passwordsOf = (userId: number, now: DateTime): Query<ListedPassword[]> =>
  many(
    sql`SELECT id, name, created_utc, expires_utc, last_used_utc FROM ${passwords}
      WHERE user_id = ${userId} AND (expires_utc IS NULL OR expires_utc > ${now}) ORDER BY id`,
    row => ({
      id: Number(row.id),
      name: String(row.name),
      created: String(row.created_utc),
      expires: optional(row.expires_utc),
      lastUsed: optional(row.last_used_utc),
    }),
  )

/** The number of recovery codes that a user has left. */
export const codesLeft = (userId: number): Query<number> =>
  countOf(sql`${recoveryCodes} WHERE user_id = ${userId}`)
