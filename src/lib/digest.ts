/** The SHA-256 digest of some bytes, or of a text in UTF-8. */
export const sha256 = async (content: BufferSource | string): Promise<Uint8Array> => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/** The HMAC with SHA-256 of a text. @param key also a text, in UTF-8 */
export async function hmac(key: BufferSource | string, text: string): Promise<Uint8Array> {
  const bytes = new TextEncoder()
  const secret = typeof key === 'string' ? bytes.encode(key) : key
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign(algorithm, imported, bytes.encode(text)))
}

/** Text of characters up to U+00FF, one a byte, in base64url without padding. */
export const base64url = (binary: string): string =>
  btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

/** The first characters of a text's SHA-256 digest in base64url, of six bits each. */
export const shortDigest = async (text: string, characters = 20): Promise<string> =>
  base64url(String.fromCharCode(...(await sha256(text)))).slice(0, characters)

/** Bytes as hexadecimal digits. */
export const hex = (bytes: Uint8Array): string =>
  [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')

/** Random bytes as hexadecimal digits, of which there are twice as many. */
export const randomHex = (bytes: number): string => hex(crypto.getRandomValues(new Uint8Array(bytes)))
