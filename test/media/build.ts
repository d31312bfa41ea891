import { crc32 } from 'node:zlib'

// Pictures and files that pretend to be some, byte by byte.

export const bytes = (...parts: (number | string | Uint8Array)[]): Uint8Array<ArrayBuffer> => {
  const arrays = parts.map(part =>
    typeof part === 'number'
      ? Uint8Array.of(part)
      : typeof part === 'string'
        ? Uint8Array.from(part, char => char.charCodeAt(0))
        : part,
  )
  const whole = new Uint8Array(arrays.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const array of arrays) {
    whole.set(array, at)
    at += array.length
  }
  return whole
}

/** A number of some bytes, the highest first. */
export const uint = (value: number, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => Math.floor(value / 256 ** (length - 1 - i)) % 256)

/** A number of some bytes, the lowest first. */
export const little = (value: number, length: number): Uint8Array => uint(value, length).toReversed()

export const text = (of: Uint8Array): string => String.fromCharCode(...of)

/** Bytes with one place changed. */
export function withBytes(original: Uint8Array, at: number, ...values: number[]): Uint8Array<ArrayBuffer> {
  const changed = Uint8Array.from(original)
  changed.set(values, at)
  return changed
}

/** The place of a text in bytes. @throws Error if it is not there: then the test itself is wrong */
export function find(within: Uint8Array, what: string): number {
  const at = text(within).indexOf(what)
  if (at === -1) throw new Error(`no ${what} there`)
  return at
}

export const segment = (marker: number, data: Uint8Array): Uint8Array =>
  bytes(0xff, marker, uint(data.length + 2, 2), data)

/** The header of a JPEG frame with one component. */
export const frame = (width: number, height: number, marker = 0xc0): Uint8Array =>
  segment(marker, bytes(8, uint(height, 2), uint(width, 2), 1, 1, 0x11, 0))

const SCAN = bytes(segment(0xda, bytes(1, 1, 0, 0, 63, 0)), 'pixels')

/** A JPEG whose pixels are nonsense, and whose structure is not. */
export const jpeg = (...before: Uint8Array[]): Uint8Array<ArrayBuffer> =>
  bytes(0xff, 0xd8, ...before, frame(10, 10), SCAN, 0xff, 0xd9)

export const jpegOf = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  bytes(0xff, 0xd8, frame(width, height), SCAN, 0xff, 0xd9)

export const scans = (count: number): Uint8Array => bytes(...Array.from({ length: count }, () => SCAN))

export const chunk = (type: string, data: Uint8Array = new Uint8Array()): Uint8Array => {
  const content = bytes(type, data)
  return bytes(uint(data.length, 4), content, uint(crc32(content), 4))
}

export const PNG_START = bytes(0x89, 'PNG\r\n', 0x1a, '\n')
export const header = (width: number, height: number): Uint8Array =>
  chunk('IHDR', bytes(uint(width, 4), uint(height, 4), 8, 2, 0, 0, 0))
/** Compressed as they should be, and nonsense. */
export const PIXELS = chunk('IDAT', bytes(0x78, 0x9c, 'pixels'))
export const PNG_END = chunk('IEND')

export const png = (...between: Uint8Array[]): Uint8Array<ArrayBuffer> =>
  bytes(PNG_START, header(10, 10), ...between, PIXELS, PNG_END)

/** A GIF of some blocks after its header. */
export const gif = (width: number, height: number, ...blocks: Uint8Array[]): Uint8Array<ArrayBuffer> =>
  bytes('GIF89a', little(width, 2), little(height, 2), 0, 0, 0, ...blocks)

/** A frame of a GIF. */
export const image = (width: number, height: number): Uint8Array =>
  bytes(0x2c, little(0, 4), little(width, 2), little(height, 2), 0, 2, 2, 0x4c, 0x01, 0)

export const riff = (...chunks: Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const content = bytes('WEBP', ...chunks)
  return bytes('RIFF', little(content.length, 4), content)
}

export const riffChunk = (type: string, data: Uint8Array): Uint8Array =>
  bytes(type, little(data.length, 4), data, new Uint8Array(data.length % 2))

export const lossless = (width: number, height: number): Uint8Array =>
  riffChunk('VP8L', bytes(0x2f, little((width - 1) | ((height - 1) << 14), 4), 'pixels'))

export const extended = (width: number, height: number, flags = 0): Uint8Array =>
  riffChunk('VP8X', bytes(flags, 0, 0, 0, little(width - 1, 3), little(height - 1, 3)))

export const box = (type: string, ...content: Uint8Array[]): Uint8Array => {
  const data = bytes(...content)
  return bytes(uint(data.length + 8, 4), type, data)
}

/** The beginning of an AV1 picture of a size of at most 65,536 × 65,536: the header of its sequence. */
export function av1(width: number, height: number): Uint8Array {
  const binary = (value: number, length: number) => value.toString(2).padStart(length, '0')
  // Profile 0, a single picture, level 0, then how many bits width and height have, and these.
  const bits = `000${'11'}${binary(0, 5)}${'1111'.repeat(2)}${binary(width - 1, 16)}${binary(height - 1, 16)}`
  const content = bits.padEnd(64, '0').match(/.{8}/g) ?? []
  return bytes(0x0a, content.length, ...content.map(byte => Number.parseInt(byte, 2)))
}

/** An AVIF of items, of which the first is shown, in the size that is said of it. */
export function avif(
  width: number,
  height: number,
  ...items: [type: string, data: Uint8Array][]
): Uint8Array<ArrayBuffer> {
  const full = (type: string, ...parts: Uint8Array[]) => box(type, uint(0, 4), ...parts)
  const head = box('ftyp', bytes('avif\0\0\0\0avifmif1'))
  const size = full('ispe', uint(width, 4), uint(height, 4))
  const names = items.map(([type], i) =>
    box('infe', bytes(2, 0, 0, 0, uint(i + 1, 2), uint(0, 2), type, '\0')),
  )
  const meta = (start: number) => {
    let at = start
    const places = items.map(([, { length }], i) => {
      at += length
      return bytes(uint(i + 1, 2), uint(0, 2), uint(1, 2), uint(at - length, 4), uint(length, 4))
    })
    return full(
      'meta',
      full('hdlr', bytes('\0\0\0\0pict', new Uint8Array(13))),
      full('pitm', uint(1, 2)),
      full('iloc', bytes(0x44, 0, uint(items.length, 2), ...places)),
      full('iinf', bytes(uint(items.length, 2), ...names)),
      box('iprp', box('ipco', size), full('ipma', bytes(uint(1, 4), uint(1, 2), 1, 1))),
    )
  }
  const start = head.length + meta(0).length + 8
  return bytes(head, meta(start), box('mdat', ...items.map(([, data]) => data)))
}
