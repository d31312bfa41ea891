import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import type { AppEnv } from '../../../env.ts'
import { hex, randomHex, sha256 } from '../../../lib/digest.ts'
import { isLocal } from '../../../lib/network.ts'
import { toEpoch } from '../../../lib/time.ts'
import { hasCredentials } from '../../../resources/users/passwords.ts'
import type { Admin } from '../admin.ts'

/** Makes a secret of 256 bits, in hexadecimal, for a session, a visit or a link. */
export const newSecret = (): string => randomHex(32)

/** The digest of a secret for one purpose. Digests for different purposes cannot be derived from each other. */
export const digestFor = async (purpose: 'session' | 'form' | 'link', secret: string): Promise<string> =>
  hex(await sha256(`${purpose} ${secret}`))

/** The token for the forms of a session or a visit. */
export const formToken = (secret: string): Promise<string> => digestFor('form', secret)

/** The cookies of the editor. `visit` is for browsers that are not signed in, to bind the forms of the sign-in. */
type CookieName = 'session' | 'visit' | 'notice'

/** `__Host-` keeps other hosts of the same domain from setting the cookie (RFC 6265bis §4.1.3.2). */
const nameAt = (url: URL, name: CookieName): string => (isLocal(url) ? name : `__Host-${name}`)

/** The value of a cookie; undefined if there is none. */
export const readCookie = (c: Context<AppEnv>, name: CookieName): string | undefined =>
  getCookie(c, nameAt(new URL(c.req.url), name)) || undefined

/**
 * The value of a `Set-Cookie` header. The cookie is not available to scripts, nor sent with requests from other sites.
 *
 * @param maxAge seconds; 0 deletes it, undefined keeps it until the browser is closed
 */
export function cookie(url: URL, name: CookieName, value: string, maxAge?: number): string {
  return serialize(nameAt(url, name), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: !isLocal(url),
    ...(maxAge !== undefined && { maxAge }),
  })
}

/** The time after a sign-in during which users may make further keys to their account. */
const RECENT_MS = 900_000

/** Tells if a user has just signed in. An unattended browser or a stolen session cannot make permanent keys. */
const isRecent = ({ session, context }: Admin): boolean =>
  toEpoch(context.now) - toEpoch(session.begun) <= RECENT_MS

/** Tells if a user may make further keys: after a recent sign-in, or as long as there is no other way to sign in again. */
export const mayMakeKeys = async (admin: Admin): Promise<boolean> =>
  isRecent(admin) || !(await admin.context.db.get(hasCredentials(admin.session.user.id)))

/** The redirect to the sign-in despite a session, and back. @param to a path of the editor */
export const signInAgain = (to: string): { to: string } => ({
  to: `/admin/sign-in/?${new URLSearchParams({ again: '1', to })}`,
})

/** The path of the sign-in that leads to an address of the editor. */
export function signInPath({ pathname, search }: URL): string {
  const isPlain = pathname === '/admin/' || pathname === '/admin'
  return isPlain ? '/admin/sign-in/' : `/admin/sign-in/?${new URLSearchParams({ to: pathname + search })}`
}

const START = '/admin/'
/** The longest path, in characters: longer ones do not fit into a header everywhere. */
const LONGEST = 2_000

/**
 * The path to go to after the sign-in, which is always one of the editor.
 *
 * @param to from the request
 * @param origin of the editor
 */
export function wayBack(to: unknown, origin: string): string {
  if (typeof to !== 'string' || to.length > LONGEST || !URL.canParse(to, origin)) return START
  const url = new URL(to, origin)
  const path = url.pathname + url.search
  return url.origin === origin && /^\/admin\/(?!\/|sign-in\/|link\/|setup\/)/.test(path) ? path : START
}
