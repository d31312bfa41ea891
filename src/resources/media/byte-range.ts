/** A part of a file, in bytes. */
export type ByteRange = { offset: number; length: number }

/**
 * The part of a file that a `Range` header asks for (RFC 9110, 14.1.2).
 *
 * @returns undefined for the whole file: without a header, and for headers that name no part or several, which servers
 *   may ignore; null if the file has no such part
 */
export function byteRangeIn(header: string | null, size: number): ByteRange | undefined | null {
  const [match, first = '', last = ''] = header?.match(/^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i) ?? []
  if (match === undefined || first + last === '') return undefined
  // Without its start, a part is as many bytes at the end.
  const offset = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  return offset < size ? { offset, length: end - offset } : null
}
