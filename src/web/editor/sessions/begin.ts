import { type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { exec, first } from '../../../db/query.ts'
import { type SIGN_IN_METHODS, sessions } from '../../../db/schema.ts'
import type { AppEnv } from '../../../env.ts'
import { formatInstant } from '../../../lib/time.ts'
import { cookie, readCookie } from './cookies.ts'
import { deviceOf } from './device.ts'
import { digestFor, newSecret } from './secrets.ts'

/** Seconds for which somebody stays signed in. */
const SESSION_SECONDS = 14 * 86_400
/** The sessions of one user: with one more, the oldest ends. */
const MOST_SESSIONS = 50

type Beginning = {
  method: (typeof SIGN_IN_METHODS)[number]
  /** A SELECT of the user's id as `id`; without a row, no session begins. */
  user: SQL
  /** Statements after it in the same transaction, such as one that uses up a code. */
  after?: readonly SQL[]
}

/**
 * Begins a session, in one transaction with what it takes. Its secret is new at every sign-in: one that somebody else put
 * into the browser is worth nothing.
 *
 * The session that the browser had before ends, but not by a try that fails.
 *
 * @returns the cookies that the browser is to have; undefined if there is no such user
 */
export async function beginSession(
  c: Context<AppEnv>,
  { method, user, after = [] }: Beginning,
): Promise<string[] | undefined> {
  const secret = newSecret()
  const now = Date.now()
  const [digest, at, expires] = [
    await digestFor('session', secret),
    formatInstant(now),
    formatInstant(now + SESSION_SECONDS * 1000),
  ]
  const device = deviceOf(c.req.header('user-agent'))
  const insert = sql`INSERT INTO ${sessions} (user_id, digest, method, device, created_utc, expires_utc, last_used_utc)
    SELECT id, ${digest}, ${method}, ${device}, ${at}, ${expires}, ${at} FROM (${user}) RETURNING user_id`
  const own = sql`(SELECT user_id FROM ${sessions} WHERE digest = ${digest})`
  const surplus = sql`DELETE FROM ${sessions} WHERE user_id = ${own} AND id NOT IN
    (SELECT id FROM ${sessions} WHERE user_id = ${own} ORDER BY id DESC LIMIT ${sql.raw(String(MOST_SESSIONS))})`
  const former = await digestFor('session', readCookie(c, 'session') ?? '')
  const [begun] = await c
    .get('db')
    .write([
      first(insert, row => Number(row.user_id)),
      exec(surplus),
      exec(sql`DELETE FROM ${sessions} WHERE digest = ${former} AND ${own} IS NOT NULL`),
      ...after.map(exec),
    ])
  if (begun === undefined) return undefined
  const url = new URL(c.req.url)
  return [cookie(url, 'session', secret, SESSION_SECONDS), cookie(url, 'visit', '', 0)]
}
