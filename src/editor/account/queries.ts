import { and, desc, eq, gt, isNull, or } from 'drizzle-orm'
import { selectContact, type UserContact } from '../../calendar/users/email.ts'
import { onlyCredentialSql } from '../../calendar/users/last-administrator.ts'
import { combineQueries, many, mapQuery, type RowOfQuery, selectCondition } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { passwords, sessions } from '../../kit/db/tables.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import type { EditorContext } from '../context.ts'
import { selectPasskeys } from '../passkeys/webauthn.ts'

/** The sessions of a user that have not ended, most recently used first. */
export const selectSessions = (userId: number, now: DateTime) =>
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

export type ListedSession = RowOfQuery<typeof selectSessions>

/** The valid application passwords of a user, oldest first. */
export const selectPasswords = (userId: number, now: DateTime) =>
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

export type ListedPassword = RowOfQuery<typeof selectPasswords>

/** The choices of a user who has just been deleted. */
const NO_CONTACT: UserContact = { login: '', email: '', notices: 'never' }

/** A query for everything on the account page. */
export const selectAccount = ({ session, context }: EditorContext) => {
  const { id } = session.user
  return combineQueries({
    passkeys: selectPasskeys(id),
    sessions: selectSessions(id, context.clock.now()),
    passwords: selectPasswords(id, context.clock.now()),
    contact: mapQuery(selectContact(id), contact => contact ?? NO_CONTACT),
    isOnLastCredential: selectCondition(onlyCredentialSql(id, context.clock.now())),
  })
}

export type LoadedAccount = ReturnType<ReturnType<typeof selectAccount>['read']>
