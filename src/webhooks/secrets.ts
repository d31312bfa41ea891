import { refuse } from '../lib/values.ts'

// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, version 1.0.0

const PREFIX = 'whsec_'
const BYTES = 32
/** The sizes of keys that the standard allows, in bytes. */
const LEAST_BYTES = 24
const MOST_BYTES = 64

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

const bytesIn = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), char => char.charCodeAt(0))

/** Makes a secret of 256 random bits. */
export const newWebhookSecret = (): string => PREFIX + base64(crypto.getRandomValues(new Uint8Array(BYTES)))

/** A secret that somebody has chosen. @throws InvalidValue if it is too short, too long, or no base64 */
export function checkSecret(text: string): string {
  const reason = `must be new, or ${PREFIX} and ${LEAST_BYTES} to ${MOST_BYTES} bytes in base64`
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : ''
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded) || encoded.length % 4 !== 0) return refuse(reason)
  const { length } = bytesIn(encoded)
  return length >= LEAST_BYTES && length <= MOST_BYTES ? text : refuse(reason)
}

/** A message as it is signed: its id, the time of the try in Unix seconds, and the body as it is sent. */
type Signed = { id: string; timestamp: number; body: string }

/** The header `webhook-signature`: a signature with each secret. */
export async function signaturesOf(secrets: readonly string[], signed: Signed): Promise<string> {
  const content = new TextEncoder().encode(`${signed.id}.${signed.timestamp}.${signed.body}`)
  const all = secrets.map(async secret => {
    const bytes = bytesIn(secret.slice(PREFIX.length))
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ])
    return `v1,${base64(new Uint8Array(await crypto.subtle.sign('HMAC', key, content)))}`
  })
  return (await Promise.all(all)).join(' ')
}
