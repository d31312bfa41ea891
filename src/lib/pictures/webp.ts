import { bytesOf, joined, latin, numbersOf, slice } from './bytes.ts'
import { assertSize, broken, type Cleaned, Frames, LONGEST_PROFILE, Parts } from './cleaned.ts'
import { exifOf, orientationIn } from './exif.ts'

// https://www.rfc-editor.org/rfc/rfc9649

type Size = { width: number; height: number }
type Chunk = { type: string; data: Uint8Array; whole: Uint8Array }

const HAS_PROFILE = 0x20
const HAS_EXIF = 0x08
const HAS_XMP = 0x04

/** The chunks of some bytes, which they fill. Chunks of odd length have a byte more. */
function chunksOf(bytes: Uint8Array): Chunk[] {
  const numbers = numbersOf(bytes)
  const chunks: Chunk[] = []
  const all = new Parts()
  for (let at = 0; at < bytes.length; ) {
    all.add()
    const length = numbers.getUint32(at + 4, true)
    const padded = length + (length % 2)
    const whole = slice(bytes, at, 8 + padded)
    chunks.push({ type: latin(bytes, at, 4), data: whole.subarray(8, 8 + length), whole })
    at += 8 + padded
  }
  return chunks
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const length = new Uint8Array(4)
  numbersOf(length).setUint32(0, data.length, true)
  return joined([bytesOf(type), length, data, new Uint8Array(data.length % 2)])
}

const uint24 = (numbers: DataView, at: number): number =>
  numbers.getUint16(at, true) + (numbers.getUint8(at + 2) << 16)

/** The size that a chunk of pixels begins with; undefined for chunks of another kind. */
function sizeIn({ type, data }: Chunk): Size | undefined {
  const numbers = numbersOf(data)
  if (type === 'VP8 ') {
    if (uint24(numbers, 3) !== 0x2a019d) broken('its pixels have no beginning')
    return { width: numbers.getUint16(6, true) & 0x3fff, height: numbers.getUint16(8, true) & 0x3fff }
  }
  if (type !== 'VP8L') return undefined
  if (numbers.getUint8(0) !== 0x2f) broken('its pixels have no beginning')
  const bits = numbers.getUint32(1, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** The chunks of a picture or of one frame that are pixels. @param size what has been said of it before */
function pixels(chunks: readonly Chunk[], size: Size): Uint8Array[] {
  const kept = chunks.filter(({ type }) => ['ALPH', 'VP8 ', 'VP8L'].includes(type))
  const sizes = kept.flatMap(one => sizeIn(one) ?? [])
  if (sizes.length !== 1) broken('it has no pixels, or has them twice')
  if (sizes[0]?.width !== size.width || sizes[0].height !== size.height)
    broken('its pixels are of another size than it says')
  return kept.map(({ whole }) => whole)
}

const ANIMATION_HEADER_BYTES = 16

/** A frame of an animation, without what is not pixels. */
function frameOf({ data }: Chunk, frames: Frames): Uint8Array {
  const numbers = numbersOf(data)
  const size = { width: uint24(numbers, 6) + 1, height: uint24(numbers, 9) + 1 }
  frames.add(size.width, size.height)
  const header = slice(data, 0, ANIMATION_HEADER_BYTES)
  return chunk('ANMF', joined([header, ...pixels(chunksOf(data.subarray(ANIMATION_HEADER_BYTES)), size)]))
}

const riff = (parts: readonly Uint8Array[]): Uint8Array[] => {
  const length = new Uint8Array(4)
  numbersOf(length).setUint32(0, 4 + parts.reduce((sum, part) => sum + part.length, 0), true)
  return [bytesOf('RIFF'), length, bytesOf('WEBP'), ...parts]
}

/** Reads a WebP picture and removes its metadata, but for the orientation. @throws InvalidValue, RangeError */
export function cleanWebp(bytes: Uint8Array): Cleaned {
  const end = 8 + numbersOf(bytes).getUint32(4, true)
  const chunks = chunksOf(slice(bytes, 12, end - 12))
  const [first] = chunks
  if (first?.type !== 'VP8X') {
    const size = first && sizeIn(first)
    if (!size) return broken('it has no pixels')
    assertSize(size.width, size.height)
    return { ...size, parts: riff([first.whole]), end }
  }
  const header = Uint8Array.from(first.data)
  const numbers = numbersOf(header)
  if (header.length !== 10) broken('its header is of no kind that there is')
  const size = { width: uint24(numbers, 4) + 1, height: uint24(numbers, 7) + 1 }
  assertSize(size.width, size.height)
  const exif = chunks.find(({ type }) => type === 'EXIF')
  // Some programs write the name that EXIF data have in JPEG before them.
  const orientation = exif ? orientationIn(exif.data.subarray(latin(exif.data, 0, 4) === 'Exif' ? 6 : 0)) : 1
  const frames = new Frames()
  const moving = chunks.filter(({ type }) => type === 'ANMF').map(one => frameOf(one, frames))
  const only = (type: string, longest: number) =>
    chunks.filter(one => one.type === type && one.data.length <= longest).slice(0, 1)
  const profile = only('ICCP', LONGEST_PROFILE).map(({ whole }) => whole)
  const flags = numbers.getUint8(0) & ~(HAS_PROFILE | HAS_EXIF | HAS_XMP)
  numbers.setUint8(0, flags | (profile.length > 0 ? HAS_PROFILE : 0) | (orientation === 1 ? 0 : HAS_EXIF))
  const parts = [
    chunk('VP8X', header),
    ...profile,
    ...(moving.length > 0 ? [...only('ANIM', 6).map(({ whole }) => whole), ...moving] : pixels(chunks, size)),
    ...(orientation === 1 ? [] : [chunk('EXIF', exifOf(orientation))]),
  ]
  // Chromium shows WebP as it lies, whatever its EXIF data say, and JPEG and PNG turned.
  return { ...size, parts: riff(parts), end }
}
