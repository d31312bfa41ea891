import type { Connection, PlainStatement, Row } from '../../lib/connection.ts'
import type { Role } from '../../lib/roles.ts'
import type { DateTime } from '../../lib/time.ts'
import { type NewLink, type NewPassword, newLink, newPassword } from './passwords.ts'
import { type Author, audited, COMMAND_LINE, findUser, now, type User, UserError, userOf } from './records.ts'

type UserPassword = {
  id: number
  created_utc: DateTime
  expires_utc: DateTime | null
  last_used_utc: DateTime | null
}

/** A user with passwords; `content` is the number of events, venues, organizers and images that the user owns. */
export type ListedUser = User & { created_utc: DateTime; content: number; passwords: UserPassword[] }

const OWNED = ['events', 'venues', 'organizers', 'images'] as const

const optional = (value: Row[string] | undefined) => (value == null ? null : String(value))

const taken = (login: string) => (error: unknown) => {
  const isTaken = error instanceof Error && error.message.includes('UNIQUE constraint failed: users.login')
  throw isTaken
    ? new UserError('taken', `There is a user ${login} already; case makes no difference.`)
    : error
}

const insertion = (login: string, role: Role): PlainStatement => [
  'INSERT INTO users (login, role, created_utc) VALUES (?, ?, ?) RETURNING id, login, role',
  login,
  role,
  now(),
]

/**
 * Makes a user together with a first password.
 *
 * @throws UserError if the login is taken, in any case
 */
export async function addUser(db: Connection, login: string, role: Role): Promise<User & NewPassword> {
  const made = await newPassword(login, null)
  const entry = audited(COMMAND_LINE, { action: 'create', fields: ['login', 'role', 'password'], login })
  const [[user] = [], [password] = []] = await db
    .batch([insertion(login, role), made.statement, entry])
    .catch(taken(login))
  if (!user || !password) throw new Error(`The database did not return the user ${login}.`)
  return { ...userOf(user), ...made.shown, password_id: Number(password.id) }
}

/**
 * Makes a user together with a link to sign in.
 *
 * @throws UserError if the login is taken, in any case
 */
export async function inviteUser(
  db: Connection,
  { login, role }: { login: string; role: Role },
  by: Author,
): Promise<User & NewLink> {
  const { statements, shown } = await newLink(login)
  const entry = audited(by, { action: 'create', fields: ['login', 'role', 'link'], login })
  const [[user] = []] = await db.batch([insertion(login, role), ...statements, entry]).catch(taken(login))
  if (!user) throw new Error(`The database did not return the user ${login}.`)
  return { ...userOf(user), ...shown }
}

/** Makes the batch fail if a user is the only administrator: somebody has to be able to bring in others. */
const keepAdministrator = (id: number): PlainStatement => [
  `INSERT INTO conflicts (is_conflict) SELECT role = 'administrator'
     AND NOT EXISTS (SELECT 1 FROM users WHERE role = 'administrator' AND id <> ?1) FROM users WHERE id = ?1`,
  id,
]

/** The error of a batch that `keepAdministrator` has made fail. */
function lastAdministrator(login: string, error: unknown): Error | undefined {
  const isLast = error instanceof Error && error.message.includes('version conflict')
  return isLast
    ? new UserError('last administrator', `${login} is the only administrator: make another one first.`)
    : undefined
}

/**
 * Gives a user another role, and ends all sessions of the user.
 *
 * @throws UserError if there is no such user, or no administrator would be left
 */
export async function changeRole(
  db: Connection,
  { login, role }: { login: string; role: Role },
  by: Author,
): Promise<User> {
  const user = await findUser(db, login)
  if (user.role === role) return user
  const guard = role === 'administrator' ? [] : [keepAdministrator(user.id)]
  await db
    .batch([
      ...guard,
      ['UPDATE users SET role = ? WHERE id = ?', role, user.id],
      audited(by, { action: 'update', fields: ['role'], login: user.login }),
      ['DELETE FROM sessions WHERE user_id = ?', user.id],
    ])
    .catch((error: unknown) => {
      throw lastAdministrator(user.login, error) ?? error
    })
  return { ...user, role }
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

/** What belongs to a user alone, and goes with the user. */
const PERSONAL = ['passwords', 'sessions', 'sign_in_links', 'recovery_codes', 'passkeys'] as const

/**
 * Deletes a user with all that lets the user in. The user's content goes to the heir, if one is named.
 *
 * @returns the user and the number of events, venues, organizers and images that were reassigned
 * @throws UserError if either does not exist, content would be left without an owner, or no administrator would be left
 */
export async function removeUser(
  db: Connection,
  login: string,
  heirLogin?: string,
  by: Author = COMMAND_LINE,
): Promise<User & { reassigned: number }> {
  const user = await findUser(db, login)
  const heir = heirLogin === undefined ? undefined : await findUser(db, heirLogin)
  if (heir?.id === user.id)
    throw new UserError('same', `${user.login} cannot inherit from the same user: --reassign names another.`)
  const fields = heir ? ['content'] : []
  const results = await db
    .batch([
      keepAdministrator(user.id),
      ...(heir ? [keepUnedited(user), ...OWNED.map(table => reassign(table, user, heir))] : []),
      ...(heir ? UNCOUNTED.map(table => reassignUncounted(table, user, heir)) : []),
      ...(heir ? [recordHandovers(by, user, heir)] : []),
      audited(by, { action: 'delete', fields, login: user.login }),
      ...PERSONAL.map((table): PlainStatement => [`DELETE FROM ${table} WHERE user_id = ?`, user.id]),
      ['DELETE FROM users WHERE id = ?', user.id],
    ])
    .catch((error: unknown) => {
      const owns = error instanceof Error && error.message.includes('FOREIGN KEY constraint failed')
      if (owns)
        throw new UserError(
          'owns content',
          `${user.login} owns content: name who gets it with --reassign <login>.`,
        )
      throw lastAdministrator(user.login, error) ?? error
    })
  return { ...user, reassigned: results.flat().length }
}

/** Series, of which the occurrences are counted, and sources, which are no content. */
const UNCOUNTED = ['series', 'sources'] as const

const reassignUncounted = (table: (typeof UNCOUNTED)[number], from: User, to: User): PlainStatement => [
  `UPDATE ${table} SET author_id = ?, version = version + 1 WHERE author_id = ?`,
  to.id,
  from.id,
]

/** The entries of the audit for what has just got another owner: triggers have noted it as what came after the latest entry. */
const recordHandovers = ({ userId, requestId }: Author, from: User, to: User): PlainStatement => [
  `INSERT INTO audit (at_utc, user_id, request_id, action, kind, object_id, fields, changed)
     SELECT ?1, ?2, ?3, 'update', kind, object_id, '["author"]', json_object('author', json_array(?4, ?5))
     FROM handovers WHERE author_id = ?4 AND audit_id = coalesce((SELECT max(id) FROM audit), 0)`,
  now(),
  userId,
  requestId,
  from.id,
  to.id,
]

/** What came of sources, and was not edited since, stays so, and goes on to follow them. Before the version rises. */
const keepUnedited = ({ id }: User): PlainStatement => [
  `UPDATE imports SET imported_version = owned.version + 1
     FROM (${OWNED.flatMap(table =>
       table === 'images'
         ? []
         : `SELECT '${table.slice(0, -1)}' AS of, id, version FROM ${table} WHERE author_id = ?1`,
     ).join(' UNION ALL ')}) AS owned
   WHERE kind = owned.of AND target_id = owned.id AND imported_version = CAST(owned.version AS TEXT)`,
  id,
]

/** Changes the owner, and the version as any update does: otherwise a concurrent update could undo it. */
const reassign = (table: (typeof OWNED)[number], from: User, to: User): PlainStatement => [
  `UPDATE ${table} SET author_id = ?, version = version + 1 WHERE author_id = ? RETURNING id`,
  to.id,
  from.id,
]
