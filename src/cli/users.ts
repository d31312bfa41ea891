import type { Connection, Row, Statement } from '../lib/connection.ts'
import { digestOf, randomPassword } from '../lib/password.ts'
import type { Role } from '../lib/roles.ts'
import { type DateTime, formatInstant } from '../lib/time.ts'

export type User = { id: number; login: string; role: string }

/** A password in plain text, which is shown only once: the database keeps its digest. */
export type NewPassword = { password_id: number; password: string; expires_utc: DateTime | null }

export type ListedPassword = {
  id: number
  created_utc: DateTime
  expires_utc: DateTime | null
  last_used_utc: DateTime | null
}

/** A user with passwords; `content` is the number of events, venues and organizers that the user owns. */
export type ListedUser = User & { created_utc: DateTime; content: number; passwords: ListedPassword[] }

const OWNED = ['events', 'venues', 'organizers'] as const

const now = () => formatInstant(Date.now())

const userOf = (row: Row): User => ({ id: Number(row.id), login: String(row.login), role: String(row.role) })

const optional = (value: Row[string] | undefined) => (value == null ? null : String(value))

/**
 * The audit entry for a change of a user by the command line: names of fields only.
 *
 * @param condition SQL that is true if there was a change
 */
const audited = (action: string, fields: readonly string[], login: string, condition = 'true'): Statement => [
  `INSERT INTO audit (at_utc, action, kind, object_id, fields)
   SELECT ?, ?, 'user', id, ? FROM users WHERE login = ? COLLATE NOCASE AND ${condition}`,
  now(),
  action,
  JSON.stringify(fields),
  login,
]

/**
 * Makes a user together with a first password.
 *
 * @throws Error if the login is taken, in any case
 */
export async function addUser(db: Connection, login: string, role: Role): Promise<User & NewPassword> {
  const made = await newPassword(login, null)
  const insert = 'INSERT INTO users (login, role, created_utc) VALUES (?, ?, ?) RETURNING id, login, role'
  const [[user] = [], [password] = []] = await db
    .batch([
      [insert, login, role, now()],
      made.statement,
      audited('create', ['login', 'role', 'password'], login),
    ])
    .catch((error: unknown) => {
      const taken = error instanceof Error && error.message.includes('UNIQUE constraint failed: users.login')
      throw taken ? new Error(`There is a user ${login} already; case makes no difference.`) : error
    })
  if (!user || !password) throw new Error(`The database did not return the user ${login}.`)
  return { ...userOf(user), ...made.shown, password_id: Number(password.id) }
}

/**
 * Gives a user one more password, good until an instant in UTC or, for null, until it is revoked.
 *
 * @throws Error if there is no such user
 */
export async function addPassword(
  db: Connection,
  login: string,
  expiresUtc: DateTime | null,
): Promise<User & NewPassword> {
  const user = await findUser(db, login)
  const made = await newPassword(login, expiresUtc)
  const [[password] = []] = await db.batch([made.statement, audited('update', ['password'], login)])
  if (!password) throw new Error(`The database did not return the password of ${login}.`)
  return { ...user, ...made.shown, password_id: Number(password.id) }
}

async function newPassword(login: string, expiresUtc: DateTime | null) {
  const password = randomPassword()
  const statement: Statement = [
    `INSERT INTO passwords (user_id, digest, created_utc, expires_utc)
     SELECT id, ?, ?, ? FROM users WHERE login = ? COLLATE NOCASE RETURNING id`,
    await digestOf(password),
    now(),
    expiresUtc,
    login,
  ]
  return { statement, shown: { password, expires_utc: expiresUtc } }
}

async function findUser(db: Connection, login: string): Promise<User> {
  const [user] = await db.query('SELECT id, login, role FROM users WHERE login = ? COLLATE NOCASE', login)
  if (!user) throw new Error(`There is no user ${login}.`)
  return userOf(user)
}

/** All users in the order in which they were made. */
export async function listUsers(db: Connection): Promise<ListedUser[]> {
  const content = OWNED.map(table => `(SELECT count(*) FROM ${table} WHERE author_id = users.id)`).join(' + ')
  const [users = [], passwords = []] = await db.batch([
    [`SELECT id, login, role, created_utc, ${content} AS content FROM users ORDER BY id`],
    ['SELECT id, user_id, created_utc, expires_utc, last_used_utc FROM passwords ORDER BY id'],
  ])
  return users.map(user => ({
    ...userOf(user),
    created_utc: String(user.created_utc),
    content: Number(user.content),
    passwords: passwords
      .filter(password => password.user_id === user.id)
      .map(password => ({
        id: Number(password.id),
        created_utc: String(password.created_utc),
        expires_utc: optional(password.expires_utc),
        last_used_utc: optional(password.last_used_utc),
      })),
  }))
}

/**
 * Deletes one password of a user, or all of them.
 *
 * @returns the user and the number of revoked passwords
 * @throws Error if there is no such user, or the user has no such password
 */
export async function revokePasswords(
  db: Connection,
  login: string,
  passwordId?: number,
): Promise<User & { revoked: number }> {
  const user = await findUser(db, login)
  const only = passwordId ?? null
  const [revoked = []] = await db.batch([
    ['DELETE FROM passwords WHERE user_id = ? AND (? IS NULL OR id = ?) RETURNING id', user.id, only, only],
    audited('revoke', ['password'], user.login, 'changes() > 0'),
  ])
  if (passwordId !== undefined && revoked.length === 0) {
    throw new Error(`${user.login} has no password with the id ${passwordId}.`)
  }
  return { ...user, revoked: revoked.length }
}

/**
 * Deletes a user and all passwords. The user's content goes to the heir, if one is named.
 *
 * @returns the user and the number of events, venues and organizers that were reassigned
 * @throws Error if either does not exist, or content would be left without an owner
 */
export async function removeUser(
  db: Connection,
  login: string,
  heirLogin?: string,
): Promise<User & { reassigned: number }> {
  const user = await findUser(db, login)
  const heir = heirLogin === undefined ? undefined : await findUser(db, heirLogin)
  if (heir?.id === user.id)
    throw new Error(`${user.login} cannot inherit from the same user: --reassign names another.`)
  const results = await db
    .batch([
      ...(heir ? OWNED.map(table => reassign(table, user, heir)) : []),
      ...(heir ? [reassignSeries(user, heir)] : []),
      audited('delete', heir ? ['content'] : [], user.login),
      ['DELETE FROM passwords WHERE user_id = ?', user.id],
      ['DELETE FROM users WHERE id = ?', user.id],
    ])
    .catch((error: unknown) => {
      const owns = error instanceof Error && error.message.includes('FOREIGN KEY constraint failed')
      throw owns ? new Error(`${user.login} owns content: name who gets it with --reassign <login>.`) : error
    })
  return { ...user, reassigned: results.flat().length }
}

/** The same for series, which are not counted: their occurrences are. */
const reassignSeries = (from: User, to: User): Statement => [
  'UPDATE series SET author_id = ?, version = version + 1 WHERE author_id = ?',
  to.id,
  from.id,
]

/** Changes the owner, and the version as any update does: otherwise a concurrent update could undo it. */
const reassign = (table: (typeof OWNED)[number], from: User, to: User): Statement => [
  `UPDATE ${table} SET author_id = ?, version = version + 1 WHERE author_id = ? RETURNING id`,
  to.id,
  from.id,
]
