const ENCODER = new TextEncoder()

/** The bytes of a text in UTF-8. encode() returns no shared memory, though its type allows it. */
export const toUtf8 = (text: string) => ENCODER.encode(text) as Uint8Array<ArrayBuffer>

/**
 * Reads the bytes of a stream up to a limit. The rest stays unread, and the stream is cancelled.
 *
 * @param expected the announced number of bytes
 * @returns the bytes, and whether the stream ended there
 */
export async function readUpTo(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
  expected = 0,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; isWhole: boolean }> {
  let bytes = new Uint8Array(Math.min(expected, limit))
  let size = 0
  for await (const chunk of chunks) {
    const part = chunk.subarray(0, limit - size)
    const end = size + part.byteLength
    // The buffer grows, instead of joining chunks at the end, so that memory never holds the bytes twice for
    // long.
    if (end > bytes.length)
      bytes = new Uint8Array(bytes.buffer.transfer(Math.min(limit, Math.max(2 * bytes.length, end))))
    bytes.set(part, size)
    size = end
    if (part.byteLength < chunk.byteLength) return { bytes, isWhole: false }
  }
  return { bytes: bytes.subarray(0, size), isWhole: true }
}
