import { sql } from 'drizzle-orm'
import { createMiddleware } from 'hono/factory'
import { type Database, first } from '../db/client.ts'
import { passwords, users } from '../db/schema.ts'
import type { AppEnv } from '../env.ts'
import { ApiError } from '../lib/errors.ts'
import { digestOf } from '../lib/password.ts'
import { ANONYMOUS, type Caller, type Capability, may, ROLES } from '../lib/roles.ts'
import { formatInstant } from '../lib/time.ts'

/** What an Authorization header holds; `login` is absent from bearer tokens. */
type Credentials = { login?: string; password: string }

/** @returns undefined if the header is of neither scheme or malformed */
function parseAuthorization(header: string): Credentials | undefined {
  const [, scheme, value] = header.match(/^(basic|bearer)\s+(\S+)\s*$/i) ?? []
  if (!scheme || !value) return undefined
  if (scheme.toLowerCase() === 'bearer') return { password: value }
  try {
    const bytes = Uint8Array.from(atob(value), char => char.charCodeAt(0))
    const [, login, password] = new TextDecoder().decode(bytes).match(/^([^:]*):(.*)$/s) ?? []
    return login && password ? { login, password } : undefined
  } catch {
    return undefined
  }
}

/**
 * Looks a caller up by digest: passwords are random 128 bits and more, so a plain hash suffices, and an index
 * lookup by digest tells an attacker nothing about its neighbours.
 */
async function findCaller(db: Database, { login, password }: Credentials): Promise<Caller | undefined> {
  const digest = await digestOf(password)
  const now = formatInstant(Date.now())
  return db.get(
    first(
      sql`SELECT ${users.id}, ${users.role} FROM ${passwords} JOIN ${users} ON ${users.id} = ${passwords.user_id}
        WHERE ${passwords.digest} = ${digest}
        AND (${passwords.expires_utc} IS NULL OR ${passwords.expires_utc} > ${now})
        AND (${login ?? null} IS NULL OR ${users.login} = ${login ?? null} COLLATE NOCASE)`,
      row => ({ id: Number(row.id), role: ROLES.find(role => role === row.role) ?? 'subscriber' }),
    ),
  )
}

/**
 * Sets `caller`. Requests without credentials are anonymous; wrong ones are refused on every route, reads
 * too, so that a client learns of a bad password at once (SPEC §2).
 */
export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
  const header = c.req.header('authorization')
  c.set('caller', header === undefined ? ANONYMOUS : await callerOf(c.get('db'), header))
  await next()
})

async function callerOf(db: Database, header: string): Promise<Caller> {
  const credentials = parseAuthorization(header)
  const caller = credentials && (await findCaller(db, credentials))
  if (!caller) throw new ApiError('incorrect_password', 'The login or the application password is wrong.')
  return caller
}

/** @throws ApiError unless the caller's role allows it, to anything at all */
export function demand(caller: Caller, capability: Capability): void {
  if (may(caller, capability)) return
  if (caller.id === 0)
    throw new ApiError('rest_unauthenticated', 'This needs a login and an application password.')
  throw new ApiError('rest_forbidden', `The role ${caller.role} may not do this.`)
}
