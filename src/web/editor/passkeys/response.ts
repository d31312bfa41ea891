import { isObject } from '../../../lib/values.ts'

/** The library for passkeys, evaluated when it is first needed: that takes some 20 ms of CPU, which no other start has to wait for. */
export const webauthn = () => import('@simplewebauthn/server')

/** The library of browsers for passkeys. The script of the editor uses it on pages that have it. */
export const PASSKEY_SCRIPT = '/_admin/webauthn.js'

/** Characters: the longest that authenticators send, certificates and all, have some 10,000. */
const LONGEST = 20_000

/**
 * The JSON of a browser's response; `{}` if it is none, or longer than any. Any part of it may be missing or be something else: the library looks
 * at all that it reads of it, and throws for whatever does not hold.
 */
export function parseResponse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = text.length > LONGEST ? {} : JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** The text that base64url stands for. */
export const textIn = (encoded: string): string => Buffer.from(encoded, 'base64url').toString()
