/** The encoding that bytes of text show: by a byte order mark, or as UTF-16 of ASCII, half of which are zeros. */
export function encodingOf([a, b, c, d]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if ((a === 0xff && b === 0xfe) || (a && b === 0 && c && d === 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && b && c === 0 && d)) return 'utf-16be'
  return undefined
}

/** Bytes as text: in the encoding that they show, else in UTF-8. */
export const decodeText = (bytes: Uint8Array): string =>
  new TextDecoder(encodingOf(bytes) ?? 'utf-8').decode(bytes)

/** Bytes of UTF-16 as those of UTF-8; any others as they are. */
export const withoutUtf16 = (bytes: Uint8Array): Uint8Array =>
  encodingOf(bytes)?.startsWith('utf-16') ? new TextEncoder().encode(decodeText(bytes)) : bytes
