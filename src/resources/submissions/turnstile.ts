import { isObject } from '../../lib/values.ts'

const ADDRESS = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'

/** Milliseconds after which the check is given up. */
const MOST_MS = 8_000

/**
 * Asks Cloudflare if a token is that of somebody who was checked on one of our pages. If Cloudflare cannot be asked, nobody is
 * turned away for that: the other defences hold.
 *
 * @see https://developers.cloudflare.com/turnstile/get-started/server-side-validation/
 */
export async function isChecked(secret: string, token: string): Promise<boolean> {
  if (token === '') return false
  try {
    const response = await fetch(ADDRESS, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret, response: token }),
      signal: AbortSignal.timeout(MOST_MS),
    })
    if (!response.ok) return response.status === 429 || response.status >= 500
    const verdict: unknown = await response.json()
    return isObject(verdict) && verdict.success === true
  } catch {
    return true
  }
}
