import { eq, type SQL, sql } from 'drizzle-orm'
import { auditEntriesStatement, type Origin } from '../../kit/db/audit.ts'
import type { Database } from '../../kit/db/database.ts'
import { first, mapQuery, type Query } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { users } from '../../kit/db/tables.ts'
import { Clock } from '../../kit/lib/clock.ts'
import { type DateTime, formatInstant } from '../../kit/lib/time.ts'

export const utcNow = (): DateTime => formatInstant(Date.now())

/** The origin of changes by a command, which has no user and no request. */
export const commandLine = (): Origin => ({ caller: { id: 0 }, requestId: '', clock: new Clock(Date.now()) })

/** The error that refuses a change of users, with its reason. */
export class UserError extends Error {
  override readonly name = 'UserError'
  readonly reason: 'taken' | 'missing' | 'owns_content' | 'same' | 'last_administrator' | 'no_password'

  constructor(reason: UserError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** The columns of a user that commands show. */
export const userColumns = { id: users.id, login: users.login, role: users.role }

export type User = Pick<typeof users.$inferSelect, keyof typeof userColumns>

/** The names and logins that belong to more than one user, in lower case. */
const sharedNames = sql`(SELECT name FROM (
    SELECT ${users.id}, lower(${users.name}) AS name FROM ${users} WHERE ${users.name} <> ''
    UNION SELECT ${users.id}, lower(${users.login}) FROM ${users}
  ) GROUP BY name HAVING count(*) > 1)`

/**
 * An expression for the name of a user that others see: the login if there is no name, and both if the name
 * alone could be somebody else's, or could look like a name with a login.
 */
export const displayName = sql<string>`CASE WHEN ${users.name} = '' THEN ${users.login}
  WHEN lower(${users.name}) IN ${sharedNames} OR instr(${users.name}, '(') > 0 THEN ${users.name} || ' (' || ${users.login} || ')'
  ELSE ${users.name} END`

const sameLoginSql = (login: string): SQL => sql`${users.login} = ${login} COLLATE NOCASE`

export const userId = (login: string): SQL<number> =>
  sql`${build.select({ id: users.id }).from(users).where(sameLoginSql(login))}`

/** A query for the id of a user or, without a login, of the first administrator. */
export function selectAuthorId(login: string | undefined): Query<number | undefined> {
  const authorSql = login === undefined ? eq(users.role, 'administrator') : sameLoginSql(login)
  const author = build.select({ id: users.id }).from(users).where(authorSql).orderBy(users.id).limit(1)
  return mapQuery(first(author), user => user?.id)
}

/** The audit entry for a change of a user: names of fields only. */
export const userEntryStatement = (origin: Origin, { action, fields, login }: UserChange): SQL =>
  auditEntriesStatement(
    origin,
    { action, kind: 'user', fields },
    sql`SELECT ${users.id} AS id FROM ${users} WHERE ${sameLoginSql(login)}`,
  )

type UserChange = {
  action: 'create' | 'update' | 'revoke' | 'delete'
  fields: readonly string[]
  login: string
}

/** @throws UserError if there is no such user */
export async function findUser(db: Database, login: string): Promise<User> {
  const user = await db.read(first(build.select(userColumns).from(users).where(sameLoginSql(login))))
  if (!user) throw new UserError('missing', `There is no user ${login}.`)
  return user
}
