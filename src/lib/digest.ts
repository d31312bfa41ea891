/** The SHA-256 digest of some bytes, or of a text in UTF-8. */
export const sha256 = async (content: BufferSource | string): Promise<Uint8Array> => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/** Bytes as hexadecimal digits. */
export const hex = (bytes: Uint8Array): string =>
  [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')

/** Random bytes as hexadecimal digits, of which there are twice as many. */
export const randomHex = (bytes: number): string => hex(crypto.getRandomValues(new Uint8Array(bytes)))
