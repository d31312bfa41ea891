import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { auth } from 'hono/utils/basic-auth'
import type { RequestContext } from '../context.ts'
import { Database } from '../db/database.ts'
import { revision } from '../db/derived.ts'
import { first, mapQuery } from '../db/query.ts'
import { build, withValues } from '../db/statements.ts'
import { passwords, users } from '../db/tables.ts'
import type { AppEnv } from '../env.ts'
import { ApiError } from '../lib/errors.ts'
import { isSameText, passwordDigest } from '../lib/hash.ts'
import { LruCache, memoize } from '../lib/memo.ts'
import { ANONYMOUS, type Caller, type Capability, knownRole, may } from '../lib/roles.ts'
import { formatInstant, HOUR_MS } from '../lib/time.ts'
import { asError, logError } from '../work/error-log.ts'
import { assertFewFailures, countFailure, type LoginClaim, networkOfRequest } from './limits.ts'
import { executionContextOf } from './request-context.ts'
import { withSettings } from './stored-settings.ts'

/** The credentials of an Authorization header; bearer tokens have no `login`. */
type Credentials = { login?: string; password: string }

/** @returns undefined if the header is of neither scheme or malformed */
function credentialsOf(request: Request): Credentials | undefined {
  const token = request.headers.get('authorization')?.match(/^bearer\s+(\S.*)$/i)?.[1]
  if (token) return { password: token }
  const basic = auth(request)
  return basic?.username && basic.password ? { login: basic.username, password: basic.password } : undefined
}

/** Who claims to have sent a request: its login, if its credentials name one. */
const claimOf = (credentials: Credentials | undefined): LoginClaim =>
  credentials?.login === undefined ? 'token' : { login: credentials.login }

/** The stand-in for the stored password if there is none, so that checking takes as long as with one. */
const UNKNOWN_PASSWORD = { login: '' }

/**
 * The stored password with a `digest`, unless it has expired `now`, with its user and, at no further cost,
 * the secret of the database: versions in entity tags begin with a part of this secret. Passwords are random
 * 200 bits: an index lookup by digest tells an attacker nothing about its neighbours.
 */
const selectPasswordByDigest = memoize(() =>
  mapQuery(
    first(
      build
        .select({
          passwordId: passwords.id,
          lastUsed: passwords.last_used_utc,
          login: users.login,
          userId: users.id,
          role: users.role,
          databaseSecret: sql<string>`(SELECT ${revision.secret} FROM ${revision})`,
        })
        .from(passwords)
        .innerJoin(users, eq(users.id, passwords.user_id))
        .where(
          and(
            eq(passwords.digest, sql.placeholder('digest')),
            or(isNull(passwords.expires_utc), gt(passwords.expires_utc, sql.placeholder('now'))),
          ),
        ),
    ),
    row => {
      if (!row) return undefined
      const { userId, role, ...password } = row
      return { ...password, caller: { id: userId, role: knownRole(role) } }
    },
  ),
)

type StoredPassword = NonNullable<ReturnType<ReturnType<typeof selectPasswordByDigest>['read']>>

const hasLogin = ({ login }: Pick<StoredPassword, 'login'>, claim: string | undefined): Promise<boolean> =>
  isSameText(login.toLowerCase(), (claim ?? login).toLowerCase())

/** The password that matches the credentials. An unknown user and a wrong password take the same time. */
export async function findPassword(
  c: Context<AppEnv>,
  { login, password }: Credentials,
): Promise<StoredPassword | undefined> {
  const digest = await passwordDigest(password)
  const storedPassword = await c
    .get('db')
    .read(withValues(selectPasswordByDigest(), { digest, now: formatInstant(Date.now()) }))
  const verified = recentPasswords(c)
  if (storedPassword) verified.set(digest, storedPassword)
  else verified.delete(digest)
  return (await hasLogin(storedPassword ?? UNKNOWN_PASSWORD, login)) ? storedPassword : undefined
}

/** Passwords that were verified not long ago, by their digests, for each database. */
let recentByDatabase = new WeakMap<D1Database, LruCache<StoredPassword>>()
const MAX_RECENT = 1_000

/** Forgets the verified passwords: the binding may lead to another database now. */
export const forgetPasswords = (): void => {
  recentByDatabase = new WeakMap()
}

function recentPasswords({ env: { DB } }: Context<AppEnv>): LruCache<StoredPassword> {
  const verifiedPasswords = recentByDatabase.get(DB) ?? new LruCache({ maxSize: MAX_RECENT })
  recentByDatabase.set(DB, verifiedPasswords)
  return verifiedPasswords
}

/** The error for a caller whose password or role has changed since it was verified. */
export class OutdatedCaller extends ApiError {
  override readonly name = 'OutdatedCaller'

  constructor() {
    super('rest_concurrent_changes', 'Your rights have just changed. Please send this again.')
  }
}

/**
 * A password that matches the credentials and was verified not long ago. The first batch of the request
 * checks that it is still valid, which saves a round trip, and fails with {@link OutdatedCaller} if not.
 */
async function assumePassword(
  c: Context<AppEnv>,
  { login, password }: Credentials,
): Promise<StoredPassword | undefined> {
  const digest = await passwordDigest(password)
  const expected = recentPasswords(c).get(digest)
  if (!expected || !(await hasLogin(expected, login))) return undefined
  const query = mapQuery(
    withValues(selectPasswordByDigest(), { digest, now: formatInstant(Date.now()) }),
    current => {
      recentPasswords(c).delete(digest)
      if (!current || !isUnchanged(current, expected)) throw new OutdatedCaller()
      recentPasswords(c).set(digest, current)
      noteUse(c, current)
    },
  )
  c.get('db').assume('caller', query)
  return expected
}

const isUnchanged = (password: StoredPassword, expected: StoredPassword): boolean =>
  password.passwordId === expected.passwordId &&
  password.login === expected.login &&
  password.caller.id === expected.caller.id &&
  password.caller.role === expected.caller.role

/**
 * Sets `caller`. Requests without credentials are anonymous; wrong ones are refused on every route, including
 * reads, so that a client learns of a bad password at once.
 */
export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
  const isAnonymous = c.req.header('authorization') === undefined
  const { caller, databaseSecret } = isAnonymous ? { caller: ANONYMOUS } : await assumeOrUsePassword(c)
  c.set('caller', caller)
  c.set('databaseSecret', databaseSecret)
  await next()
  // After an error of the server, another statement would most likely fail as well.
  if (c.res.status < 500) await confirmCaller(c)
})

/** Sets an anonymous `caller`, whatever the credentials, for responses that are the same for everybody. */
export const asAnonymous = createMiddleware<AppEnv>((c, next) => {
  c.set('caller', ANONYMOUS)
  return next()
})

/**
 * Verifies the credentials, unless a batch of the request has done so. To be called before anything that
 * happens without a batch, and after {@link OutdatedCaller}.
 *
 * @throws ApiError as `findByCredentials` does
 */
export async function confirmCaller(c: Context<AppEnv>): Promise<void> {
  if (!c.get('db').dropAssumption('caller')) return
  const { caller, databaseSecret } = await usePassword(c, credentialsOf(c.req.raw))
  c.set('caller', caller)
  c.set('databaseSecret', databaseSecret)
  // The context is not set yet in middleware before `requestContext`.
  const context: RequestContext | undefined = c.get('context')
  if (context) c.set('context', { ...context, caller, databaseSecret })
}

/**
 * Finds the user of some credentials. Failures are counted by network and claim, and refused when they are
 * too many.
 *
 * @param find gives undefined if the credentials are wrong
 * @throws ApiError `incorrect_password` or `rest_too_many_requests`
 */
export async function findByCredentials<T>(
  c: Context<AppEnv>,
  { claim, find }: { claim: LoginClaim; find: () => Promise<T | undefined> },
): Promise<T> {
  const network = networkOfRequest(c.req.raw)
  assertFewFailures(network, claim)
  const user = await find()
  if (user !== undefined) return user
  await countFailure(c.env, network, claim)
  throw new ApiError('incorrect_password', 'The login or the application password is wrong.')
}

/**
 * Finds the application password that matches the credentials, and records its use.
 * @throws ApiError as `findByCredentials` does
 */
async function usePassword(
  c: Context<AppEnv>,
  credentials: Credentials | undefined,
): Promise<StoredPassword> {
  const password = await withSettings(c, () =>
    findByCredentials(c, {
      claim: claimOf(credentials),
      find: async () => credentials && findPassword(c, credentials),
    }),
  )
  noteUse(c, password)
  return password
}

async function assumeOrUsePassword(c: Context<AppEnv>): Promise<StoredPassword> {
  const credentials = credentialsOf(c.req.raw)
  assertFewFailures(networkOfRequest(c.req.raw), claimOf(credentials))
  const expected = credentials && (await assumePassword(c, credentials))
  return expected ?? usePassword(c, credentials)
}

/** Stores the last use of a password, at most once an hour. The response doesn't wait for it. */
export function noteUse(c: Context<AppEnv>, { passwordId, lastUsed }: StoredPassword): void {
  const now = Date.now()
  if (lastUsed !== null && lastUsed > formatInstant(now - HOUR_MS)) return
  // An executor of its own, because work that goes on after the response is not part of the request's metrics.
  const noteWritten = new Database(c.env.DB)
    .write([
      build
        .update(passwords)
        .set({ last_used_utc: formatInstant(now) })
        .where(eq(passwords.id, passwordId)),
    ])
    .catch((error: unknown) => logError(c.get('requestId'), asError(error)))
  // Without a context, it is written anyway.
  executionContextOf(c)?.waitUntil(noteWritten)
}

/** Checks the caller's role. @throws ApiError `rest_unauthenticated` or `rest_forbidden` */
export function assertMay(caller: Caller, capability: Capability): void {
  if (may(caller, capability)) return
  if (caller.id === 0)
    throw new ApiError('rest_unauthenticated', 'This needs a login and an application password.')
  throw new ApiError('rest_forbidden', `The role ${caller.role} may not do this.`)
}
