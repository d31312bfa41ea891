import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import type { AppEnv } from '../../../env.ts'
import { isLocal } from '../../../lib/secure-addresses.ts'

/** The cookies of the editor. `visit` is that of a browser that is not signed in: forms to sign in are bound to it. */
type CookieName = 'session' | 'visit' | 'notice'

/** `__Host-` keeps other hosts of the same domain from setting the cookie (RFC 6265bis §4.1.3.2). */
const nameAt = (url: URL, name: CookieName): string => (isLocal(url) ? name : `__Host-${name}`)

/** The value of a cookie; undefined if there is none. */
export const readCookie = (c: Context<AppEnv>, name: CookieName): string | undefined =>
  getCookie(c, nameAt(new URL(c.req.url), name)) || undefined

/**
 * The value of a `Set-Cookie` header. Scripts don't see the cookie, and no other site makes browsers send it.
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
