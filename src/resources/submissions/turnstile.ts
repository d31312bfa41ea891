import { isObject } from '../../lib/values.ts'

const ADDRESS = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'

/** The longest time to wait for the check, in milliseconds. */
const MOST_MS = 8_000

/**
 * Asks Cloudflare whether a token belongs to somebody who was checked on one of our pages. If Cloudflare cannot be
 * reached, nobody is turned away, because the other defences remain.
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
