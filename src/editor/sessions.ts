import { and, desc, eq, gt, isNotNull, ne, notInArray, type SQLWrapper, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import { selectHasCredentials } from '../calendar/users/passwords.ts'
import { setupEndStatement } from '../calendar/users/setup.ts'
import { Database } from '../kit/db/database.ts'
import { combineQueries, first, readNumber, rowlessQuery, type Statement } from '../kit/db/query.ts'
import { build, withValues } from '../kit/db/statements.ts'
import {
  emailLinks,
  eventPreviews,
  type SIGN_IN_METHODS,
  sessions,
  signInLinks,
  usedChallenges,
  users,
} from '../kit/db/tables.ts'
import type { AppEnv } from '../kit/env.ts'
import { afterResponse } from '../kit/http/request-context.ts'
import { ROWS_PER_RUN } from '../kit/lib/budgets.ts'
import { hexDigest, randomHex } from '../kit/lib/hash.ts'
import { memoize } from '../kit/lib/memo.ts'
import { isLocal } from '../kit/lib/network.ts'
import { knownRole } from '../kit/lib/roles.ts'
import { type DateTime, formatInstant, HOUR_MS, MINUTE_MS, toEpoch } from '../kit/lib/time.ts'
import type { DueRows } from '../kit/work/due-rows.ts'
import type { EditorContext, Session } from './context.ts'

/** Makes a secret of 256 bits, in hexadecimal, for a session, a visit or a challenge. */
export const newSecret = (): string => randomHex(32)

/**
 * The digest of a secret for one purpose. Digests for different purposes cannot be derived from each other.
 */
export const digestFor = (purpose: 'session' | 'form', secret: string): Promise<string> =>
  hexDigest(`${purpose} ${secret}`)

/** The token for the forms of a session or a visit. */
export const formToken = (secret: string): Promise<string> => digestFor('form', secret)

/**
 * The cookies of the editor. `visit` is for browsers that are not signed in, to bind the forms of the
 * sign-in.
 */
type CookieName = 'session' | 'visit' | 'notice'

/** `__Host-` keeps other hosts of the same domain from setting the cookie (RFC 6265bis §4.1.3.2). */
const cookieName = (url: URL, name: CookieName): string => (isLocal(url) ? name : `__Host-${name}`)

/** The value of a cookie; undefined if there is none. */
export const readCookie = (c: Context<AppEnv>, name: CookieName): string | undefined =>
  getCookie(c, cookieName(new URL(c.req.url), name)) || undefined

/**
 * The value of a `Set-Cookie` header. The cookie is not available to scripts, nor sent with requests from
 * other sites.
 *
 * @param maxAge seconds; 0 deletes it, undefined keeps it until the browser is closed
 */
export function cookie(url: URL, name: CookieName, value: string, maxAge?: number): string {
  return serialize(cookieName(url, name), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: !isLocal(url),
    ...(maxAge !== undefined && { maxAge }),
  })
}

/** A session ends so long after its last use. */
const SESSION_SECONDS = 30 * 86_400

const sessionEnd = (nowMs: number): DateTime => formatInstant(nowMs + SESSION_SECONDS * 1000)

const sessionCookie = (c: Context<AppEnv>, secret: string): string =>
  cookie(new URL(c.req.url), 'session', secret, SESSION_SECONDS)

/** The time after a sign-in during which users may make further keys to their account. */
const RECENT_MS = 15 * MINUTE_MS

/**
 * True if a user has just signed in. An unattended browser or a stolen session cannot make permanent keys.
 */
const isRecent = ({ session, context }: EditorContext): boolean =>
  toEpoch(context.clock.now()) - toEpoch(session.begun) <= RECENT_MS

/**
 * True if a user may make further keys: after a recent sign-in, or as long as there is no other way to sign
 * in again.
 */
export const mayMakeKeys = async (editor: EditorContext): Promise<boolean> =>
  isRecent(editor) || !(await editor.context.db.read(selectHasCredentials(editor.session.user.id)))

/** The redirect to the sign-in despite a session, and back. @param to a path of the editor */
export const signInAgain = (to: string): { to: string } => ({
  to: `/admin/sign-in/?${new URLSearchParams({ again: '1', to })}`,
})

/** The path of the sign-in page that leads on to an address of the editor. */
export function signInPath({ pathname, search }: URL): string {
  const isPlain = pathname === '/admin/' || pathname === '/admin'
  return isPlain ? '/admin/sign-in/' : `/admin/sign-in/?${new URLSearchParams({ to: pathname + search })}`
}

const START_PATH = '/admin/'
/** The longest path, in characters: longer ones do not fit into a header everywhere. */
const MAX_PATH_LENGTH = 2_000

/**
 * The path to go to after the sign-in, which is always one of the editor.
 *
 * @param to from the request
 * @param origin of the editor
 */
export function editorPathOf(to: unknown, origin: string): string {
  if (typeof to !== 'string' || to.length > MAX_PATH_LENGTH || !URL.canParse(to, origin)) return START_PATH
  const url = new URL(to, origin)
  const path = url.pathname + url.search
  return url.origin === origin && /^\/admin\/(?!\/|sign-in\/|link\/|setup\/)/.test(path) ? path : START_PATH
}

/** Browsers by a distinctive part of the header: many also name others. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bCriOS\/|Chrom(?:e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

const nameInAgent = (agent: string, names: typeof BROWSERS): string[] =>
  names.filter(([pattern]) => pattern.test(agent)).map(([, name]) => name)

/**
 * The browser and system of a `User-Agent` header, such as `Firefox, Android`; '' if neither is known. The
 * header itself is not stored.
 */
function deviceOf(agent = ''): string {
  const [browser = ''] = nameInAgent(agent, BROWSERS)
  const [system = ''] = nameInAgent(agent, SYSTEMS)
  return [browser, system].filter(Boolean).join(', ')
}

/**
 * A query for the session whose cookie has a `digest`, unless it has ended by `now`: one row of each table.
 */
const selectSessionByDigest = memoize(() =>
  first(
    build
      .select({
        id: sessions.id,
        begun: sessions.created_utc,
        lastUsed: sessions.last_used_utc,
        userId: users.id,
        login: users.login,
        name: users.name,
        role: users.role,
        isSetUp: sql<boolean>`${users.setup_code} IS NULL OR ${users.is_setup_code_used}`.mapWith(Boolean),
      })
      .from(sessions)
      .crossJoin(users)
      .where(
        and(
          eq(users.id, sessions.user_id),
          eq(sessions.digest, sql.placeholder('digest')),
          gt(sessions.expires_utc, sql.placeholder('now')),
        ),
      ),
  ),
)

/**
 * The session of a cookie; undefined if it has ended. Its use is recorded once an hour, after the response,
 * and makes it last as long again.
 */
export async function findSession(c: Context<AppEnv>, secret: string): Promise<Session | undefined> {
  const now = Date.now()
  const digest = await digestFor('session', secret)
  const session = await c
    .get('db')
    .read(withValues(selectSessionByDigest(), { digest, now: formatInstant(now) }))
  if (!session) return undefined
  const { id, begun, lastUsed, userId, login, name, role, isSetUp } = session
  // Written before the response: the code must not open the calendar again once a browser has seen its pages.
  if (!isSetUp) await c.get('db').write([setupEndStatement(userId)])
  if (lastUsed <= formatInstant(now - HOUR_MS)) {
    c.header('Set-Cookie', sessionCookie(c, secret), { append: true })
    afterResponse(c, () =>
      // A Database of its own, because work after the response does not count towards the request's metrics.
      new Database(c.env.DB).write([
        build
          .update(sessions)
          .set({ last_used_utc: formatInstant(now), expires_utc: sessionEnd(now) })
          .where(eq(sessions.id, id)),
      ]),
    )
  }
  return { id, begun, user: { id: userId, login, name, role: knownRole(role) } }
}

export const sessionEndStatement = (id: number): Statement =>
  build.delete(sessions).where(eq(sessions.id, id))

/** The most sessions of one user: a further one ends the oldest. */
const MAX_SESSIONS = 50

export type NewSession = {
  method: (typeof SIGN_IN_METHODS)[number]
  /** The passkey that was used. If it is removed, the session ends. */
  passkeyId?: number
  /** A SELECT of the user's id as `id`; without a row, no session begins. */
  user: SQLWrapper
  /** Statements of the same transaction that come before, such as those that make the user. */
  before?: readonly Statement[]
  /** Further statements of the same transaction, such as one that uses up a code. */
  after?: readonly Statement[]
}

/**
 * Begins a session in one transaction. Every sign-in makes a new secret, so a secret planted in the browser
 * is worthless.
 *
 * The browser's previous session ends, unless the sign-in fails.
 *
 * @returns the cookies to set; undefined if there is no such user
 */
export async function beginSession(
  c: Context<AppEnv>,
  { method, passkeyId, user, before = [], after = [] }: NewSession,
): Promise<string[] | undefined> {
  const secret = newSecret()
  const now = Date.now()
  const digest = await digestFor('session', secret)
  const createdAt = formatInstant(now)
  const expiresAt = sessionEnd(now)
  const device = deviceOf(c.req.header('user-agent'))
  const insert = sql`INSERT INTO ${sessions} (user_id, digest, method, passkey_id, device, created_utc, expires_utc, last_used_utc)
    SELECT id, ${digest}, ${method}, ${passkeyId ?? null}, ${device}, ${createdAt}, ${expiresAt}, ${createdAt} FROM ${user} RETURNING user_id`
  const userOfSession = sql`${build.select({ id: sessions.user_id }).from(sessions).where(eq(sessions.digest, digest))}`
  const newestSessions = build
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.user_id, userOfSession))
    .orderBy(desc(sessions.id))
    .limit(MAX_SESSIONS)
  const formerDigest = await digestFor('session', readCookie(c, 'session') ?? '')
  const [signedInUserId] = await c
    .get('db')
    .write(
      before,
      combineQueries([
        first(insert, row => readNumber(row.user_id)),
        rowlessQuery(
          build
            .delete(sessions)
            .where(and(eq(sessions.user_id, userOfSession), notInArray(sessions.id, newestSessions))),
        ),
        rowlessQuery(
          build.delete(sessions).where(and(eq(sessions.digest, formerDigest), isNotNull(userOfSession))),
        ),
        ...(method === 'setup'
          ? [
              rowlessQuery(
                build
                  .delete(sessions)
                  .where(and(eq(sessions.user_id, userOfSession), ne(sessions.digest, digest))),
              ),
            ]
          : []),
        ...after.map(rowlessQuery),
      ]),
    )
  if (signedInUserId === undefined) return undefined
  return [sessionCookie(c, secret), cookie(new URL(c.req.url), 'visit', '', 0)]
}

const EXPIRING_TABLES = [
  ['sessions', 'session', sessions],
  ['sign-in links', 'sign-in link', signInLinks],
  ['e-mail links', 'e-mail link', emailLinks],
  ['used challenges', 'used challenge', usedChallenges],
  ['previews', 'preview', eventPreviews],
] as const

/**
 * Expired sessions, links, challenges and previews.
 * @param nowMs epoch milliseconds
 */
export const expiredRows = (nowMs: number): DueRows[] =>
  EXPIRING_TABLES.map(([name, rowName, table]) => ({
    name,
    rowName,
    table,
    limit: ROWS_PER_RUN.sessions,
    dueSql: sql`expires_utc <= ${formatInstant(nowMs)}`,
  }))
