import { and, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import { lastAdministratorSql, onlyCredentialSql } from '../../calendar/users/last-administrator.ts'
import { OWNED_TABLES } from '../../calendar/users/users.ts'
import type { Origin } from '../../kit/db/audit.ts'
import { combineQueries, first, many, type RowOfQuery, selectCondition } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { passkeys, sessions, users } from '../../kit/db/tables.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { rolesWith } from '../../kit/lib/roles.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import { selectPasswords } from '../account/queries.ts'

export const USERS_PER_PAGE = 100

const shownColumns = {
  id: users.id,
  login: users.login,
  name: users.name,
  role: users.role,
  email: users.email,
  created: users.created_utc,
  /** The last use of a current session. */
  seen: sql<DateTime | null>`(SELECT max(${sessions.last_used_utc}) FROM ${sessions} WHERE ${sessions.user_id} = ${users.id})`,
}

const loginInOrder = sql`${users.login} COLLATE NOCASE`

/** A query for users by login after a given login, one more than a page. */
export const selectUsers = (after: string) =>
  many(
    build
      .select(shownColumns)
      .from(users)
      .where(gt(loginInOrder, after))
      .orderBy(loginInOrder)
      .limit(USERS_PER_PAGE + 1),
  )

export type UserEntry = RowOfQuery<typeof selectUsers>

/** The highest number of items that is counted. */
export const MAX_COUNTED_ITEMS = 1_000

/** An expression of the number of items that a user owns, counted up to the limit of each resource. */
const ownedCountOf = (id: number) =>
  sql<number>`${sql.join(
    OWNED_TABLES.map(table => {
      const ownedIds = build.select({ id: table.id }).from(table).where(eq(table.author_id, id))
      return sql`(SELECT count(*) FROM ${ownedIds.limit(MAX_COUNTED_ITEMS + 1)})`
    }),
    sql` + `,
  )}`

/** A query for users who may take over another user's content. */
const selectHeirs = (id: number) =>
  many(
    build
      .select({ login: users.login })
      .from(users)
      .where(and(ne(users.id, id), inArray(users.role, rolesWith('publish_content'))))
      .orderBy(
        sql`CASE ${users.role} WHEN 'administrator' THEN 0 WHEN 'editor' THEN 1 ELSE 2 END`,
        loginInOrder,
      )
      .limit(200),
  )

/** A query for a user with everything on the user's page. @throws ApiError if there is none */
export const selectUser = (id: number, origin: Origin) =>
  combineQueries(
    {
      userRow: first(
        build
          .select({
            ...shownColumns,
            sessionCount: build.$count(
              sessions,
              and(eq(sessions.user_id, id), gt(sessions.expires_utc, origin.clock.now())),
            ),
            passkeyCount: build.$count(passkeys, eq(passkeys.user_id, id)),
            ownedCount: ownedCountOf(id),
          })
          .from(users)
          .where(eq(users.id, id)),
      ),
      passwords: selectPasswords(id, origin.clock.now()),
      isLast: selectCondition(lastAdministratorSql(id, origin)),
      isOnLastCredential: selectCondition(onlyCredentialSql(id, origin.clock.now())),
      heirs: selectHeirs(id),
    },
    ({ userRow, ...lists }) => {
      if (!userRow) throw new ApiError('rest_no_route', 'There is no such user.')
      const { sessionCount, passkeyCount, ownedCount, ...user } = userRow
      return { user, sessionCount, passkeyCount, ownedCount, ...lists }
    },
  )

export type LoadedUser = ReturnType<ReturnType<typeof selectUser>['read']>
