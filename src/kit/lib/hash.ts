import { toUtf8 } from './streams.ts'

/** The SHA-256 digest of some bytes, or of a text in UTF-8. */
export const sha256 = async (content: BufferSource | string): Promise<Uint8Array> => {
  const bytes = typeof content === 'string' ? toUtf8(content) : content
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/** The HMAC with SHA-256 of a text. @param key bytes, or a text in UTF-8 */
export async function hmac(key: BufferSource | string, text: string): Promise<Uint8Array> {
  const secret = typeof key === 'string' ? toUtf8(key) : key
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign(algorithm, imported, toUtf8(text)))
}

/**
 * Base64url without padding.
 * @param binary a text in which each character, up to U+00FF, stands for one byte
 */
export const base64url = (binary: string): string =>
  btoa(binary)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/(?<!=)=+$/, '')

/**
 * The bytes of base64url as characters, as {@link base64url} takes them. @throws if the text is not base64url
 */
export const fromBase64url = (text: string): string => atob(text.replaceAll('-', '+').replaceAll('_', '/'))

/**
 * The beginning of the SHA-256 digest of some bytes, or of a text in UTF-8, in base64url, six bits per
 * character.
 */
export const shortDigest = async (content: BufferSource | string, characters = 20): Promise<string> =>
  base64url(String.fromCharCode(...(await sha256(content)))).slice(0, characters)

export const hex = (bytes: Uint8Array): string =>
  [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')

/** The SHA-256 digest of some bytes, or of a text in UTF-8, in hexadecimal. */
export const hexDigest = async (content: BufferSource | string): Promise<string> => hex(await sha256(content))

/** Random bytes as hexadecimal digits, two for each byte. */
export const randomHex = (bytes: number): string => hex(crypto.getRandomValues(new Uint8Array(bytes)))

/**
 * The SHA-256 digest of an application password, in hexadecimal, which the database has instead of the
 * password. Spaces are ignored, because the editor shows passwords in groups. A plain hash suffices because
 * passwords are random.
 */
export const passwordDigest = (password: string): Promise<string> => hexDigest(password.replace(/\s/g, ''))

/**
 * Compares two texts in constant time, by all bytes of their digests. Importing node:crypto for this took 2.2
 * ms of every start, and Node.js lacks the function that Workers have.
 */
export async function isSameText(textA: string, textB: string): Promise<boolean> {
  const [a, b] = await Promise.all([sha256(textA), sha256(textB)])
  return a.reduce((difference, byte, i) => difference | (byte ^ (b[i] ?? 0)), a.length ^ b.length) === 0
}

/**
 * A new application password: 200 random bits as eight groups of five characters, base 32 without
 * look-alikes.
 *
 * @param groups the number of groups, of 25 bits each, for other secrets
 */
export function randomPassword(groups = 8): string {
  const alphabet = 'abcdefghjkmnpqrstvwxyz0123456789'
  const symbols = [...crypto.getRandomValues(new Uint8Array(5 * groups))].map(byte => alphabet[byte % 32])
  return symbols.join('').replace(/.{5}(?=.)/g, '$& ')
}

/**
 * FNV-1a of a part of a text, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/. It takes no time to speak
 * of, and protects nothing.
 */
export function fnv1a(text: string, from = 0, to = text.length): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
