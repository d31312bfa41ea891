import { hmac } from '../../lib/digest.ts'
import { isPrivateHost } from '../../lib/network.ts'
import { asText, httpUrl, refuse } from '../../lib/values.ts'

/** Ports below this one belong to other services of the system, such as mail: webhooks may only use the two for the web. */
const FIRST_FREE_PORT = 1024
const WEB_PORTS = ['', '80', '443']

/** Reads the address of a webhook. @throws InvalidValue if it is not valid */
export function toWebhookUrl(raw: unknown): string {
  const text = httpUrl(asText(raw))
  if (text === '') return refuse('must not be empty')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    refuse('must not hold a login: the signature tells who sends')
  if (!WEB_PORTS.includes(url.port) && Number(url.port) < FIRST_FREE_PORT)
    refuse(`must have the port 80, 443, or one from ${FIRST_FREE_PORT} on`)
  url.hash = ''
  return url.href
}

/** Tells whether an address names a host in a private network. Only a resolver knows that of other names. */
export const isPrivate = (url: string): boolean => isPrivateHost(new URL(url).hostname)

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

/** A secret that somebody has chosen. @throws InvalidValue if it is too short, too long, or not base64 */
export function checkSecret(text: string): string {
  const reason = `must be new, or ${PREFIX} and ${LEAST_BYTES} to ${MOST_BYTES} bytes in base64`
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : ''
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded) || encoded.length % 4 !== 0) return refuse(reason)
  const { length } = bytesIn(encoded)
  return length >= LEAST_BYTES && length <= MOST_BYTES ? text : refuse(reason)
}

/** The parts of a message that are signed: its id, the time of the try in Unix seconds, and the body as it is sent. */
type Signed = { id: string; timestamp: number; body: string }

/** The header `webhook-signature`: a signature with each secret. */
export async function signaturesOf(secrets: readonly string[], signed: Signed): Promise<string> {
  const content = `${signed.id}.${signed.timestamp}.${signed.body}`
  const all = secrets.map(
    async secret => `v1,${base64(await hmac(bytesIn(secret.slice(PREFIX.length)), content))}`,
  )
  return (await Promise.all(all)).join(' ')
}
