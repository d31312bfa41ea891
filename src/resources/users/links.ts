import type { Connection, Statement } from '../../lib/connection.ts'
import { digestOf, randomPassword } from '../../lib/password.ts'
import { type DateTime, formatInstant } from '../../lib/time.ts'
import { type Author, audited, COMMAND_LINE, findUser, type User } from './records.ts'

/** The minutes for which a link to sign in holds. */
const LINK_MINUTES = 60

/** The path of a link that signs a user in once, which is shown only once: the database keeps its digest. */
export type NewLink = { path: string; expires_utc: DateTime }

/** A new link, and the statements that put it in the place of an earlier one. */
export async function newLink(login: string) {
  const secret = randomPassword().replaceAll(' ', '')
  const expires = formatInstant(Date.now() + LINK_MINUTES * 60_000)
  const statements: Statement[] = [
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
