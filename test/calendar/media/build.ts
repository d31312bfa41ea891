import { crc32, deflateSync, inflateSync } from 'node:zlib'

// Images and files that pretend to be some, byte by byte.

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

/** A number as some bytes, the highest first. */
export const uint = (value: number, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => Math.floor(value / 256 ** (length - 1 - i)) % 256)

/** A number as some bytes, the lowest first. */
export const little = (value: number, length: number): Uint8Array => uint(value, length).toReversed()

export const text = (of: Uint8Array): string => Buffer.from(of).toString('latin1')

/** The position of a text in bytes. @throws Error if it is missing, because then the test itself is wrong */
export function find(within: Uint8Array, what: string): number {
  const at = text(within).indexOf(what)
  if (at === -1) throw new Error(`no ${what} there`)
  return at
}

/** Bytes with others inserted. */
export const inserted = (within: Uint8Array, at: number, part: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes(within.subarray(0, at), part, within.subarray(at))

/** A part of a JPEG. */
export const segment = (marker: number, data: Uint8Array): Uint8Array =>
  bytes(0xff, marker, uint(data.length + 2, 2), data)

/** The header of a JPEG frame with one component. */
export const frame = (width: number, height: number): Uint8Array =>
  segment(0xc0, bytes(8, uint(height, 2), uint(width, 2), 1, 1, 0x11, 0))

/** A part of a PNG. */
export const chunk = (type: string, data: Uint8Array = new Uint8Array()): Uint8Array => {
  const content = bytes(type, data)
  return bytes(uint(data.length, 4), content, uint(crc32(content), 4))
}

export const PNG_START = bytes(0x89, 'PNG\r\n', 0x1a, '\n')

/** @param bits of a pixel: 24 for colours, and less for shades of grey */
export const header = (width: number, height: number, bits = 24): Uint8Array =>
  chunk('IHDR', bytes(uint(width, 4), uint(height, 4), bits === 24 ? 8 : bits, bits === 24 ? 2 : 0, 0, 0, 0))

type Pixel = readonly [red: number, green: number, blue: number]

/** A PNG. @param between further parts, before the pixels */
export function pngOf(
  width: number,
  height: number,
  pixel: (x: number, y: number) => Pixel,
  ...between: Uint8Array[]
): Uint8Array<ArrayBuffer> {
  const rows = new Uint8Array(height * (1 + 3 * width))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(pixel(x, y), y * (1 + 3 * width) + 1 + 3 * x)
  return bytes(PNG_START, header(width, height), ...between, chunk('IDAT', deflateSync(rows)), chunk('IEND'))
}

/** A PNG of one colour, which differs for every text. */
export function png(width: number, height: number, seed = ''): Uint8Array<ArrayBuffer> {
  const colour = crc32(seed)
  return pngOf(width, height, () => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255])
}

/** A PNG of any size in black, of one bit a pixel. */
export const black = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  bytes(
    PNG_START,
    header(width, height, 1),
    chunk('IDAT', deflateSync(new Uint8Array(height * (1 + Math.ceil(width / 8))))),
    chunk('IEND'),
  )

/** The pixels of a PNG that was encoded without filters. @throws Error for others */
export function pixelsOf(image: Uint8Array): (x: number, y: number) => number[] {
  const numbers = new DataView(image.buffer, image.byteOffset)
  const width = numbers.getUint32(16)
  const bits = image[24]
  const type = image[25]
  const channels = { 2: 3, 6: 4 }[type ?? 0] ?? 0
  const parts: Uint8Array[] = []
  for (let at = 8; at < image.length; ) {
    const length = numbers.getUint32(at)
    if (text(image.subarray(at + 4, at + 8)) === 'IDAT') parts.push(image.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  const rows = inflateSync(bytes(...parts))
  if (bits !== 8 || channels === 0 || rows[0] !== 0) throw new Error('not a PNG that the tests can read')
  return (x, y) => {
    const at = y * (1 + channels * width) + 1 + channels * x
    return [...rows.subarray(at, at + 3)]
  }
}

/** EXIF data with an orientation. */
export const exif = (orientation: number, order: 'II' | 'MM' = 'MM'): Uint8Array => {
  const number = order === 'MM' ? uint : little
  const entry = bytes(number(0x0112, 2), number(3, 2), number(1, 4), number(orientation, 2), 0, 0)
  return bytes(order, number(42, 2), number(8, 4), number(1, 2), entry, number(0, 4))
}

/** A GIF of some blocks after its header. */
export const gif = (width: number, height: number, ...blocks: Uint8Array[]): Uint8Array<ArrayBuffer> =>
  bytes('GIF89a', little(width, 2), little(height, 2), 0x80, 0, 0, 'abcdef', ...blocks)

/** A frame of a GIF: of one pixel, whatever size it says. */
export const gifFrame = (width: number, height: number): Uint8Array =>
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
