// Reading of binary formats. Reads beyond the end throw RangeError, which read-picture.ts turns into a reason.

/** The numbers in some bytes. */
export const numbersOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** A part of some bytes, without copying them. @throws RangeError if they end before it does */
export function slice(bytes: Uint8Array, start: number, length: number): Uint8Array {
  if (start < 0 || length < 0 || start + length > bytes.length) throw new RangeError('beyond the end')
  return bytes.subarray(start, start + length)
}

/** A part of some bytes as text of one byte a character; shorter where they end. */
export const latin = (bytes: Uint8Array, start = 0, length = bytes.length - start): string =>
  String.fromCharCode(...bytes.subarray(start, start + length))

/** Bytes of a text of one byte a character. */
export const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, char => char.charCodeAt(0))

/** Parts as one. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
