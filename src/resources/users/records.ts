import type { Connection, PlainStatement, Row } from '../../lib/connection.ts'
import { type DateTime, formatInstant } from '../../lib/time.ts'

export type User = { id: number; login: string; role: string }

/** Somebody who changes users: nobody at the command line, or the user and the request of the editor. */
export type Author = { userId: number | null; requestId: string | null }

export const COMMAND_LINE: Author = { userId: null, requestId: null }

/** A change of users that is not made, for a reason that is known. */
export class UserError extends Error {
  readonly reason: 'taken' | 'missing' | 'owns content' | 'same' | 'last administrator' | 'no password'

  constructor(reason: UserError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

export const now = (): DateTime => formatInstant(Date.now())

export const userOf = (row: Row): User => ({
  id: Number(row.id),
  login: String(row.login),
  role: String(row.role),
})

/**
 * The audit entry for a change of a user: names of fields only.
 *
 * @param condition SQL that is true if there was a change
 */
export const audited = (
  { userId, requestId }: Author,
  { action, fields, login, condition = 'true' }: Change,
): PlainStatement => [
  `INSERT INTO audit (at_utc, user_id, request_id, action, kind, object_id, fields)
   SELECT ?, ?, ?, ?, 'user', id, ? FROM users WHERE login = ? COLLATE NOCASE AND ${condition}`,
  now(),
  userId,
  requestId,
  action,
  JSON.stringify(fields),
  login,
]

type Change = {
  action: 'create' | 'update' | 'revoke' | 'delete'
  fields: readonly string[]
  login: string
  condition?: string
}

/** @throws UserError if there is no such user */
export async function findUser(db: Connection, login: string): Promise<User> {
  const [user] = await db.query('SELECT id, login, role FROM users WHERE login = ? COLLATE NOCASE', login)
  if (!user) throw new UserError('missing', `There is no user ${login}.`)
  return userOf(user)
}
