import { type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { Database } from '../../../db/database.ts'
import { first, type Query } from '../../../db/query.ts'
import { sessions, users } from '../../../db/schema.ts'
import type { AppEnv } from '../../../env.ts'
import { afterResponse } from '../../../http/after-response.ts'
import { ROLES } from '../../../lib/roles.ts'
import { type DateTime, formatInstant } from '../../../lib/time.ts'
import type { Session } from '../admin.ts'
import { digestFor } from './secrets.ts'

type Found = { session: Session; lastUsed: DateTime }

/** The session of a cookie that has not ended: one row of each table. */
const sessionByDigest = (digest: string, now: DateTime): Query<Found | undefined> =>
  first(
    sql`SELECT ${sessions.id} AS id, ${sessions.created_utc} AS created_utc, ${sessions.last_used_utc} AS last_used_utc, ${users.id} AS user_id, login, role
      FROM ${sessions} CROSS JOIN ${users} ON ${users.id} = ${sessions.user_id}
      WHERE ${sessions.digest} = ${digest} AND ${sessions.expires_utc} > ${now}`,
    row => ({
      session: {
        id: Number(row.id),
        begun: String(row.created_utc),
        user: {
          id: Number(row.user_id),
          login: String(row.login),
          role: ROLES.find(role => role === row.role) ?? 'subscriber',
        },
      },
      lastUsed: String(row.last_used_utc),
    }),
  )

const HOUR_MS = 3_600_000

/** The session that a cookie stands for; undefined if it has ended. Its use is noted once an hour, after the response. */
export async function findSession(c: Context<AppEnv>, secret: string): Promise<Session | undefined> {
  const now = Date.now()
  const digest = await digestFor('session', secret)
  const found = await c.get('db').get(sessionByDigest(digest, formatInstant(now)))
  if (found && found.lastUsed <= formatInstant(now - HOUR_MS))
    afterResponse(
      c,
      // An executor of its own, because work after the response is not part of the request's metrics.
      new Database(c.env.DB).change([
        sql`UPDATE ${sessions} SET last_used_utc = ${formatInstant(now)} WHERE id = ${found.session.id}`,
      ]),
    )
  return found?.session
}

/** Ends one session. */
export const endSession = (id: number): SQL => sql`DELETE FROM ${sessions} WHERE id = ${id}`
