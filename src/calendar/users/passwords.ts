import { and, eq, exists, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { type Origin, recordedQuery, rowChangedSql } from '../../kit/db/audit.ts'
import type { Database } from '../../kit/db/database.ts'
import { combineQueries, first, many, type Query, rowlessQuery, selectCondition } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { passkeys, passwords, sessions, signInLinks } from '../../kit/db/tables.ts'
import { passwordDigest, randomPassword } from '../../kit/lib/hash.ts'
import { type DateTime, formatInstant, MINUTE_MS } from '../../kit/lib/time.ts'
import { endsWaysInSql, keepAdministrator } from './last-administrator.ts'
import { commandLine, findUser, type User, UserError, userEntryStatement, userId, utcNow } from './records.ts'

/** A password in plain text, which is shown only once: the database keeps its digest. */
export type NewPassword = { password_id: number; password: string; expires_utc: DateTime | null }

/** A new password, and the statement that stores it. @param name its purpose, in the user's words */
export async function newPassword(login: string, expiresUtc: DateTime | null, name = '') {
  const password = randomPassword()
  const statement = build
    .insert(passwords)
    .values({
      user_id: userId(login),
      digest: await passwordDigest(password),
      created_utc: utcNow(),
      expires_utc: expiresUtc,
      name,
    })
    .returning({ id: passwords.id })
  // Wrapped, because awaiting the builder itself would run it.
  return { insertion: first(statement), shown: { password, expires_utc: expiresUtc } }
}

/**
 * Gives a user one more password, valid until an instant in UTC or, for null, until it is revoked.
 *
 * @throws UserError if there is no such user
 */
export async function addPassword(
  db: Database,
  login: string,
  expiresUtc: DateTime | null,
  { name = '', origin = commandLine() }: { name?: string; origin?: Origin } = {},
): Promise<User & NewPassword> {
  const user = await findUser(db, login)
  const { insertion, shown } = await newPassword(login, expiresUtc, name)
  const [password] = await db.write(
    combineQueries([
      insertion,
      rowlessQuery(userEntryStatement(origin, { action: 'update', fields: ['password'], login })),
    ]),
  )
  if (!password) throw new Error(`The database did not return the password of ${login}.`)
  return { ...user, ...shown, password_id: password.id }
}

type Revocation = {
  /** The password to revoke; all passwords if absent. */
  passwordId?: number | undefined
  /** The session of the request, which continues. */
  sessionId?: number
  origin?: Origin
  /** True to do it even if no administrator can sign in any more. */
  mayBeLast?: boolean | undefined
}

/**
 * Deletes one password of a user, or all of them. Deleting one ends the sessions that were started with a
 * password; deleting all ends all sessions, and deletes the sign-in link.
 *
 * @returns the user and the number of revoked passwords
 * @throws UserError if there is no such user, the user has no such password, or no administrator could sign
 *   in any more
 */
export async function revokePasswords(
  db: Database,
  login: string,
  { passwordId, sessionId = 0, origin = commandLine(), mayBeLast = false }: Revocation,
): Promise<User & { revoked: number }> {
  const user = await findUser(db, login)
  const isOne = passwordId !== undefined
  const lostPassword = { password: isOne ? passwordId : ('all' as const) }
  const noneLeftSql = mayBeLast ? undefined : endsWaysInSql(user.id, lostPassword, origin.clock.now())
  const [revoked] = await keepAdministrator(db, { login: user.login, noneLeftSql }, guard =>
    db.write(
      guard,
      combineQueries([
        recordedQuery(
          origin,
          many(
            build
              .delete(passwords)
              .where(and(eq(passwords.user_id, user.id), isOne ? eq(passwords.id, passwordId) : undefined))
              .returning({ id: passwords.id }),
          ),
          { action: 'revoke', kind: 'user', fields: ['password'], id: user.id },
        ),
        rowlessQuery(
          build
            .delete(sessions)
            .where(
              and(
                eq(sessions.user_id, user.id),
                ne(sessions.id, sessionId),
                isOne ? and(eq(sessions.method, 'password'), rowChangedSql) : undefined,
              ),
            ),
        ),
        ...(isOne ? [] : [rowlessQuery(build.delete(signInLinks).where(eq(signInLinks.user_id, user.id)))]),
      ]),
    ),
  )
  if (isOne && revoked.length === 0) {
    throw new UserError('no_password', `${user.login} has no password with the id ${passwordId}.`)
  }
  return { ...user, revoked: revoked.length }
}

/**
 * Deletes a passkey of a user, and ends the sessions that were started with it.
 *
 * @param sessionId the session of the request, which continues
 * @returns its name; undefined if there is none
 * @throws UserError if no administrator could sign in any more
 */
export async function removePasskey(
  db: Database,
  { id, user, sessionId }: { id: number; user: Pick<User, 'id' | 'login'>; sessionId: number },
  origin: Origin,
): Promise<string | undefined> {
  const noneLeftSql = endsWaysInSql(user.id, { passkey: id }, origin.clock.now())
  const [removed] = await keepAdministrator(db, { login: user.login, noneLeftSql }, guard =>
    db.write(
      guard,
      combineQueries([
        recordedQuery(
          origin,
          first(
            build
              .delete(passkeys)
              .where(and(eq(passkeys.id, id), eq(passkeys.user_id, user.id)))
              .returning({ name: passkeys.name }),
          ),
          { action: 'update', kind: 'user', fields: ['passkey'], id: user.id },
        ),
        rowlessQuery(
          build
            .delete(sessions)
            .where(
              and(eq(sessions.user_id, user.id), eq(sessions.passkey_id, id), ne(sessions.id, sessionId)),
            ),
        ),
      ]),
    ),
  )
  return removed?.name
}

/** The minutes for which a sign-in link is valid. */
const LINK_MINUTES = 60
/**
 * The minutes for which an invitation is valid: the link of a user who has no credentials of their own yet.
 */
const INVITATION_MINUTES = 7 * 24 * 60

/** The path of a link that signs a user in once, which is shown only once: the database keeps its digest. */
export type NewLink = { path: string; expires_utc: DateTime }

/** A new link, and the statements that replace an earlier link with it. */
export async function newLink(login: string, minutes = INVITATION_MINUTES) {
  const secret = randomPassword().replaceAll(' ', '')
  const expires = formatInstant(Date.now() + minutes * MINUTE_MS)
  const statements = [
    build.delete(signInLinks).where(eq(signInLinks.user_id, userId(login))),
    build
      .insert(signInLinks)
      .values({ digest: await passwordDigest(secret), user_id: userId(login), expires_utc: expires }),
  ]
  return { statements, shown: { path: `/admin/link/${secret}/`, expires_utc: expires } }
}

/**
 * A query that tells whether a user has a way to sign in: a passkey or a password.
 *
 * @param passwordSql a condition for the passwords that count
 */
export const selectHasCredentials = (id: number, passwordSql?: SQL): Query<boolean> =>
  selectCondition(
    or(
      exists(build.select().from(passkeys).where(eq(passkeys.user_id, id))),
      exists(
        build
          .select()
          .from(passwords)
          .where(and(eq(passwords.user_id, id), passwordSql)),
      ),
    ) ?? sql`0`,
  )

/**
 * Makes a link that signs a user in to the editor, once: within seven days if the user has no credentials of
 * their own yet, otherwise within an hour. It replaces an earlier link.
 *
 * @throws UserError if there is no such user
 */
export async function addLink(
  db: Database,
  login: string,
  origin: Origin = commandLine(),
): Promise<User & NewLink> {
  const user = await findUser(db, login)
  // The first password of a new user may be known only to the person who made the user.
  const hasOwnCredentials = await db.read(selectHasCredentials(user.id, isNotNull(passwords.last_used_utc)))
  const { statements, shown } = await newLink(
    user.login,
    hasOwnCredentials ? LINK_MINUTES : INVITATION_MINUTES,
  )
  await db.write([
    ...statements,
    userEntryStatement(origin, { action: 'update', fields: ['link'], login: user.login }),
  ])
  return { ...user, ...shown }
}
