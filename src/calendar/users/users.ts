import { and, eq, notExists, sql } from 'drizzle-orm'
import { auditEntriesStatement, type Origin, recorded } from '../../kit/db/audit.ts'
import type { Database } from '../../kit/db/database.ts'
import {
  conflictIf,
  isForeignKeyViolation,
  isUniqueViolation,
  retryConflicts,
} from '../../kit/db/failures.ts'
import { combineQueries, first, many, rowlessQuery } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import {
  emailLinks,
  events,
  images,
  organizers,
  passkeys,
  passwords,
  series,
  sessions,
  signInLinks,
  sources,
  users,
  venues,
} from '../../kit/db/tables.ts'
import { hasAllRightsOf, type Role } from '../../kit/lib/roles.ts'
import { cleanPlain } from '../../kit/lib/text.ts'
import { contentTables } from '../content/resource.ts'
import { uneditedStatement } from '../content/writes.ts'
import {
  keepAdministrator,
  lastAdministratorSql,
  readAdministratorGuardStatements,
} from './last-administrator.ts'
import { type NewLink, type NewPassword, newLink, newPassword } from './passwords.ts'
import {
  commandLine,
  findUser,
  type User,
  UserError,
  userColumns,
  userEntryStatement,
  utcNow,
} from './records.ts'

/** The tables of content that a user owns and that lists count. */
export const OWNED_TABLES = [events, venues, organizers, images] as const

/** What goes to an heir, each with an entry of the audit. Of series, the occurrences are counted instead. */
const INHERITED_TABLES = [
  ['event', events],
  ['series', series],
  ['venue', venues],
  ['organizer', organizers],
  ['image', images],
] as const

const rethrowTaken = (login: string) => (error: unknown) => {
  throw isUniqueViolation(error, users.login)
    ? new UserError('taken', `There is already a user ${login}; case makes no difference.`)
    : error
}

const insertUserQuery = (login: string, role: Role, name = '') =>
  first(build.insert(users).values({ login, name, role, created_utc: utcNow() }).returning(userColumns))

/**
 * Makes a user together with a first password.
 *
 * @throws UserError if the login is taken, in any case
 */
export async function addUser(db: Database, login: string, role: Role): Promise<User & NewPassword> {
  const newCredentials = await newPassword(login, null)
  const entry = userEntryStatement(commandLine(), {
    action: 'create',
    fields: ['login', 'role', 'password'],
    login,
  })
  const [user, password] = await db
    .write(combineQueries([insertUserQuery(login, role), newCredentials.insertion, rowlessQuery(entry)]))
    .catch(rethrowTaken(login))
  if (!user || !password) throw new Error(`The database did not return the user ${login}.`)
  return { ...user, ...newCredentials.shown, password_id: password.id }
}

/**
 * Makes a user together with a link to sign in.
 *
 * @throws UserError if the login is taken, in any case
 */
export async function inviteUser(
  db: Database,
  { login, name, role }: { login: string; name: string; role: Role },
  origin: Origin,
): Promise<User & NewLink> {
  const { statements, shown } = await newLink(login)
  const entry = userEntryStatement(origin, { action: 'create', fields: ['login', 'role', 'link'], login })
  const [user] = await db
    .write(
      combineQueries([
        insertUserQuery(login, role, name),
        ...statements.map(rowlessQuery),
        rowlessQuery(entry),
      ]),
    )
    .catch(rethrowTaken(login))
  if (!user) throw new Error(`The database did not return the user ${login}.`)
  return { ...user, ...shown }
}

/** The most characters of a name. */
export const MAX_USER_NAME_LENGTH = 100

/** The name of a user, as it was typed. */
export const toUserName = (typed: string): string =>
  cleanPlain(typed).trim().slice(0, MAX_USER_NAME_LENGTH).toWellFormed()

/** Gives a user another name for others to see; '' for the login. */
export const nameUser = (
  db: Database,
  { id, name }: { id: number; name: string },
  origin: Origin,
): Promise<void> =>
  db.write(
    recorded(origin, build.update(users).set({ name }).where(eq(users.id, id)), {
      action: 'update',
      kind: 'user',
      fields: ['name'],
      id,
    }),
  )

/**
 * Gives a user another role. A role with fewer rights ends all sessions of the user, and the sign-in link.
 *
 * @throws UserError if there is no such user, or no administrator could sign in any more
 */
export const changeRole = (
  db: Database,
  { login, role }: { login: string; role: Role },
  origin: Origin,
): Promise<User> =>
  retryConflicts(async () => {
    const user = await findUser(db, login)
    if (user.role === role) return user
    const { id } = user
    const isDemotion = !hasAllRightsOf(role, user.role)
    const noneLeftSql = role === 'administrator' ? undefined : lastAdministratorSql(id, origin)
    await db.write([
      ...(await readAdministratorGuardStatements(db, { login: user.login, noneLeftSql })),
      // Whether it is a demotion depends on the role that was read.
      conflictIf(
        notExists(
          build
            .select()
            .from(users)
            .where(and(eq(users.id, id), eq(users.role, user.role))),
        ),
      ),
      build.update(users).set({ role }).where(eq(users.id, id)),
      userEntryStatement(origin, { action: 'update', fields: ['role'], login: user.login }),
      ...(isDemotion
        ? [sessions, signInLinks].map(table => build.delete(table).where(eq(table.user_id, id)))
        : []),
    ])
    return { ...user, role }
  })

/**
 * A user with passwords; `content` is the number of events, venues, organizers and images that the user owns.
 */
export type ListedUser = Awaited<ReturnType<typeof readUsers>>[number]

/** All users, in the order of creation. */
export async function readUsers(db: Database) {
  const counts = OWNED_TABLES.map(table => build.$count(table, eq(table.author_id, users.id)))
  const content = sql<number>`${sql.join(counts, sql` + `)}`
  const [userRows, passwordRows] = await db.read(
    combineQueries([
      many(
        build
          .select({ ...userColumns, created_utc: users.created_utc, content })
          .from(users)
          .orderBy(users.id),
      ),
      many(
        build
          .select({
            userId: passwords.user_id,
            id: passwords.id,
            created_utc: passwords.created_utc,
            expires_utc: passwords.expires_utc,
            last_used_utc: passwords.last_used_utc,
          })
          .from(passwords)
          .orderBy(passwords.id),
      ),
    ]),
  )
  const byUser = Map.groupBy(passwordRows, ({ userId }) => userId)
  return userRows.map(user => ({
    ...user,
    passwords: (byUser.get(user.id) ?? []).map(({ userId: _, ...password }) => password),
  }))
}

/** The tables of rows that belong to a single user, and are deleted along with the user. */
const PERSONAL_TABLES = [passwords, sessions, signInLinks, passkeys, emailLinks] as const

type Removal = {
  /** The login of the user who gets the content. */
  heir: string | undefined
  origin?: Origin
  /** True to do it even if no administrator can sign in any more. */
  mayBeLast?: boolean | undefined
}

/**
 * Deletes a user along with all credentials. The user's content goes to the heir, if one is named.
 *
 * @returns the user and the number of events, venues, organizers and images that were reassigned
 * @throws UserError if either does not exist, content would be left without an owner, or no administrator
 *   could sign in any more
 */
export async function removeUser(
  db: Database,
  login: string,
  { heir: heirLogin, origin = commandLine(), mayBeLast = false }: Removal,
): Promise<User & { reassigned: number }> {
  const user = await findUser(db, login)
  const heir = heirLogin === undefined ? undefined : await findUser(db, heirLogin)
  if (heir?.id === user.id) throw new UserError('same', `${user.login} cannot inherit from the same user.`)
  // Imported content that nobody has edited since still counts as unedited.
  const unedited = contentTables.map(([kind, table]) =>
    uneditedStatement(kind, table, eq(table.author_id, user.id)),
  )
  const handoverQueries = heir
    ? OWNED_TABLES.map(table => many(handoverStatement(table, user, heir).returning({ id: table.id })))
    : []
  const after = [
    // Of series, the occurrences are counted instead, and sources are not content.
    ...(heir ? [handoverStatement(series, user, heir), handoverStatement(sources, user, heir)] : []),
    userEntryStatement(origin, { action: 'delete', fields: heir ? ['content'] : [], login: user.login }),
    ...PERSONAL_TABLES.map(table => build.delete(table).where(eq(table.user_id, user.id))),
    build.delete(users).where(eq(users.id, user.id)),
  ]
  const noneLeftSql = mayBeLast ? undefined : lastAdministratorSql(user.id, origin)
  const [reassigned] = await keepAdministrator(db, { login: user.login, noneLeftSql }, guard =>
    db
      .write(
        [...guard, ...(heir ? [...unedited, ...handoverEntriesStatements(origin, user, heir)] : [])],
        combineQueries([combineQueries(handoverQueries), combineQueries(after.map(rowlessQuery))]),
      )
      .catch((error: unknown) => {
        if (isForeignKeyViolation(error)) throw new UserError('owns_content', `${user.login} owns content.`)
        throw error
      }),
  )
  return { ...user, reassigned: reassigned.flat().length }
}

/**
 * Changes the owner, and the version like any update, because otherwise a concurrent update could undo it.
 */
const handoverStatement = (
  table: (typeof OWNED_TABLES)[number] | typeof series | typeof sources,
  from: User,
  to: User,
) =>
  build.update(table).set({ author_id: to.id, version: sql`version + 1` }).where(eq(table.author_id, from.id))

/** The audit entries for content that is about to get another owner. */
const handoverEntriesStatements = (origin: Origin, from: User, to: User) =>
  INHERITED_TABLES.map(([kind, table]) =>
    auditEntriesStatement(
      origin,
      { action: 'update', kind, fields: ['author'], changed: { author: [from.id, to.id] } },
      sql`SELECT id FROM ${table} WHERE ${table.author_id} = ${from.id}`,
    ),
  )
