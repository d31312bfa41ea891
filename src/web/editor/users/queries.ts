import { sql } from 'drizzle-orm'
import { first, literal, many, mapped, type Query, together } from '../../../db/query.ts'
import { passkeys, sessions, users } from '../../../db/schema.ts'
import { ApiError } from '../../../lib/errors.ts'
import { ROLES, type Role } from '../../../lib/roles.ts'
import type { DateTime } from '../../../lib/time.ts'
import { usersWords } from '../../../words/words.ts'
import { problem } from '../../forms/element.ts'
import { type Html, html } from '../../html/html.ts'
import { passwordsOf } from '../account/queries.ts'
import { type Admin, roleName } from '../admin.ts'

type Choice = { chosen: Role | undefined; error?: string | undefined }

/** The choice of a role, each with what it may do. */
export function roleChoice(admin: Admin, { chosen, error }: Choice): Html {
  const words = usersWords(admin.language)
  return html`<fieldset class="choices"${error && html` aria-describedby="role-error"`}><legend>${words.role}</legend>
${problem('role-error', error)}
${ROLES.map(
  role =>
    html`<label class="choice"><input type="radio" name="role" value="${role}" required${role === chosen && html` checked`}>
<span><strong>${roleName(admin, role)}</strong> <span class="hint">${words[`${role}May`]}</span></span></label>\n`,
)}</fieldset>`
}

/** The role that a form chose. */
export const roleIn = (form: FormData): Role | undefined => ROLES.find(role => role === form.get('role'))

export const USERS_PER_PAGE = 100

export type UserEntry = {
  id: number
  login: string
  role: Role
  created: DateTime
  /** The last use of a session that has not ended. */
  seen: DateTime | null
}

const userIn = (row: Record<string, unknown>): UserEntry => ({
  id: Number(row.id),
  login: String(row.login),
  role: ROLES.find(role => role === row.role) ?? 'subscriber',
  created: String(row.created_utc),
  seen: row.seen === null ? null : String(row.seen),
})

const COLUMNS = sql`${users.id} AS id, login, role, ${users.created_utc} AS created_utc,
  (SELECT max(last_used_utc) FROM ${sessions} WHERE user_id = ${users.id}) AS seen`

/** Users by login, one more than a page has, those after a login. */
export const selectUsers = (after: string): Query<UserEntry[]> =>
  many(
    sql`SELECT ${COLUMNS} FROM ${users} WHERE login COLLATE NOCASE > ${after}
      ORDER BY login COLLATE NOCASE LIMIT ${literal(USERS_PER_PAGE + 1)}`,
    userIn,
  )

/** The most that is counted of what a user owns. */
export const MOST_COUNTED = 1_000

const owned = (id: number) =>
  sql.join(
    ['events', 'venues', 'organizers', 'images'].map(
      table =>
        sql`(SELECT count(*) FROM (SELECT 1 FROM ${sql.identifier(table)} WHERE author_id = ${id} LIMIT ${literal(MOST_COUNTED + 1)}))`,
    ),
    sql` + `,
  )

/** Those who may get what another user owns: they can work with it. */
const heirs = (id: number): Query<{ login: string }[]> =>
  many(
    sql`SELECT login FROM ${users} WHERE id <> ${id} AND role IN ('administrator', 'editor', 'author')
      ORDER BY CASE role WHEN 'administrator' THEN 0 WHEN 'editor' THEN 1 ELSE 2 END, login COLLATE NOCASE LIMIT 200`,
    row => ({ login: String(row.login) }),
  )

/** A user with all that the page of the user shows. @throws ApiError if there is none */
export const userQuery = (id: number, now: DateTime) =>
  mapped(
    together({
      user: first(sql`SELECT ${COLUMNS} FROM ${users} WHERE id = ${id}`, userIn),
      counts: first(
        sql`SELECT (SELECT count(*) FROM ${sessions} WHERE user_id = ${id} AND expires_utc > ${now}) AS sessions,
          (SELECT count(*) FROM ${passkeys} WHERE user_id = ${id}) AS passkeys, ${owned(id)} AS owned`,
        row => ({
          sessions: Number(row.sessions),
          passkeys: Number(row.passkeys),
          owned: Number(row.owned),
        }),
      ),
      passwords: passwordsOf(id, now),
      heirs: heirs(id),
    }),
    ({ user, counts, ...rest }) => {
      if (!user || !counts) throw new ApiError('rest_no_route', 'There is no such user.')
      return { user, ...counts, ...rest }
    },
  )

export type LoadedUser = ReturnType<ReturnType<typeof userQuery>['read']>
