import type { Connection, PlainStatement } from '../../lib/connection.ts'
import { digestOf, randomPassword } from '../../lib/digest.ts'
import { type DateTime, formatInstant } from '../../lib/time.ts'
import { type Author, audited, COMMAND_LINE, findUser, now, type User, UserError } from './records.ts'

/** A password in plain text, which is shown only once: the database keeps its digest. */
export type NewPassword = { password_id: number; password: string; expires_utc: DateTime | null }

/** A new password, and the statement that stores it. @param name what it is for, in the user's words */
export async function newPassword(login: string, expiresUtc: DateTime | null, name = '') {
  const password = randomPassword()
  const statement: PlainStatement = [
    `INSERT INTO passwords (user_id, digest, created_utc, expires_utc, name)
     SELECT id, ?, ?, ?, ? FROM users WHERE login = ? COLLATE NOCASE RETURNING id`,
    await digestOf(password),
    now(),
    expiresUtc,
    name,
    login,
  ]
  return { statement, shown: { password, expires_utc: expiresUtc } }
}

type More = { name?: string; by?: Author }

/**
 * Gives a user one more password, good until an instant in UTC or, for null, until it is revoked.
 *
 * @throws UserError if there is no such user
 */
export async function addPassword(
  db: Connection,
  login: string,
  expiresUtc: DateTime | null,
  { name = '', by = COMMAND_LINE }: More = {},
): Promise<User & NewPassword> {
  const user = await findUser(db, login)
  const made = await newPassword(login, expiresUtc, name)
  const [[password] = []] = await db.batch([
    made.statement,
    audited(by, { action: 'update', fields: ['password'], login }),
  ])
  if (!password) throw new Error(`The database did not return the password of ${login}.`)
  return { ...user, ...made.shown, password_id: Number(password.id) }
}

type Revocation = {
  /** One password; all of them if it is absent. */
  passwordId?: number | undefined
  /** The session that revokes it, which goes on. */
  sessionId?: number
  by?: Author
}

/**
 * Deletes one password of a user, or all of them. With it end the sessions that were begun with a password; with all of them,
 * all sessions and the link to sign in.
 *
 * @returns the user and the number of revoked passwords
 * @throws UserError if there is no such user, or the user has no such password
 */
export async function revokePasswords(
  db: Connection,
  login: string,
  { passwordId, sessionId = 0, by = COMMAND_LINE }: Revocation = {},
): Promise<User & { revoked: number }> {
  const user = await findUser(db, login)
  const only = passwordId ?? null
  const ended = `user_id = ?1 AND id <> ?2 AND (?3 IS NULL OR method = 'password') AND (?3 IS NULL OR changes() > 0)`
  const [revoked = []] = await db.batch([
    ['DELETE FROM passwords WHERE user_id = ? AND (? IS NULL OR id = ?) RETURNING id', user.id, only, only],
    audited(by, { action: 'revoke', fields: ['password'], login: user.login, condition: 'changes() > 0' }),
    // The entry of the audit is one change, if a password was revoked.
    [`DELETE FROM sessions WHERE ${ended}`, user.id, sessionId, only],
    ['DELETE FROM sign_in_links WHERE user_id = ? AND ? IS NULL', user.id, only],
  ])
  if (passwordId !== undefined && revoked.length === 0) {
    throw new UserError('no password', `${user.login} has no password with the id ${passwordId}.`)
  }
  return { ...user, revoked: revoked.length }
}

/** The minutes for which a link to sign in holds. */
const LINK_MINUTES = 60

/** The path of a link that signs a user in once, which is shown only once: the database keeps its digest. */
export type NewLink = { path: string; expires_utc: DateTime }

/** A new link, and the statements that put it in the place of an earlier one. */
export async function newLink(login: string) {
  const secret = randomPassword().replaceAll(' ', '')
  const expires = formatInstant(Date.now() + LINK_MINUTES * 60_000)
  const statements: PlainStatement[] = [
    [
      'DELETE FROM sign_in_links WHERE user_id = (SELECT id FROM users WHERE login = ? COLLATE NOCASE)',
      login,
    ],
    [
      `INSERT INTO sign_in_links (digest, user_id, expires_utc)
       SELECT ?, id, ? FROM users WHERE login = ? COLLATE NOCASE`,
      await digestOf(secret),
      expires,
      login,
    ],
  ]
  return { statements, shown: { path: `/admin/link/${secret}/`, expires_utc: expires } }
}

/**
 * Makes a link that signs a user in to the editor, once and within an hour. An earlier one holds no longer.
 *
 * @throws UserError if there is no such user
 */
export async function addLink(
  db: Connection,
  login: string,
  by: Author = COMMAND_LINE,
): Promise<User & NewLink> {
  const user = await findUser(db, login)
  const { statements, shown } = await newLink(user.login)
  await db.batch([...statements, audited(by, { action: 'update', fields: ['link'], login: user.login })])
  return { ...user, ...shown }
}
