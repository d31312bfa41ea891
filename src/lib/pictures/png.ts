import { crc32 } from 'node:zlib'
import { bytesOf, joined, latin, numbersOf, slice } from './bytes.ts'
import { assertSize, broken, type Cleaned, Frames, LONGEST_PROFILE, Parts } from './cleaned.ts'
import { exifOf, orientationIn, turned } from './exif.ts'

// https://www.w3.org/TR/png-3/

const SIGNATURE_BYTES = 8

/** Chunks that decide how a picture looks. Others are metadata: texts, times, EXIF, what programs note for themselves. */
const KEPT = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT', 'bKGD', 'pHYs', 'hIST'],
  ...['cICP', 'mDCV', 'cLLI', 'acTL', 'fcTL', 'fdAT'],
])

/** The bit depths of each type of colour. */
const DEPTHS: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const whole = joined([new Uint8Array(4), bytesOf(type), data, new Uint8Array(4)])
  const numbers = numbersOf(whole)
  numbers.setUint32(0, data.length)
  numbers.setUint32(8 + data.length, crc32(whole.subarray(4, 8 + data.length)))
  return whole
}

function sizeIn(header: Uint8Array): { width: number; height: number } {
  const numbers = numbersOf(header)
  const [width, height] = [numbers.getUint32(0), numbers.getUint32(4)]
  assertSize(width, height)
  const isKnown =
    header.length === 13 &&
    DEPTHS[numbers.getUint8(9)]?.includes(numbers.getUint8(8)) &&
    numbers.getUint16(10) === 0
  if (!isKnown || numbers.getUint8(12) > 1) broken('its header is of no kind that there is')
  return { width, height }
}

/** Refuses pixels that are not compressed as PNG has it (RFC 1950). */
function assertDeflated(data: Uint8Array): void {
  const header = numbersOf(data).getUint16(0)
  if ((header >> 8) % 16 !== 8 || header % 31 !== 0) broken('its pixels are not compressed as they should be')
}

/** Reads a PNG picture and removes its metadata, but for the orientation. @throws InvalidValue, RangeError */
export function cleanPng(bytes: Uint8Array): Cleaned {
  const numbers = numbersOf(bytes)
  const parts = [bytes.subarray(0, SIGNATURE_BYTES)]
  const frames = new Frames()
  let size: { width: number; height: number } | undefined
  let orientation = 1
  let hasPixels = false
  let last = ''
  let at = SIGNATURE_BYTES
  const all = new Parts()
  while (last !== 'IEND') {
    all.add()
    const length = numbers.getUint32(at)
    const type = latin(bytes, at + 4, 4)
    const data = slice(bytes, at + 8, length)
    if (numbers.getUint32(at + 8 + length) !== crc32(slice(bytes, at + 4, 4 + length)))
      broken('a checksum is not that of its part')
    const whole = slice(bytes, at, length + 12)
    at += length + 12
    if ((type === 'IHDR') !== (size === undefined))
      broken('its header is not at the beginning, or is there twice')
    size ??= sizeIn(data)
    if (type === 'IDAT') {
      if (hasPixels && last !== 'IDAT') broken('its pixels are scattered')
      if (!hasPixels) assertDeflated(data)
      hasPixels = true
    }
    if (type === 'IEND' && length > 0) broken('its end is none')
    if (type === 'fcTL') frames.add(numbersOf(data).getUint32(4), numbersOf(data).getUint32(8))
    if (type === 'eXIf') orientation = orientationIn(data)
    if (KEPT.has(type) && !(type === 'iCCP' && length > LONGEST_PROFILE)) parts.push(whole)
    else if (/^[A-Z]/.test(type) || !/^[a-zA-Z]{4}$/.test(type)) broken('it has parts that no PNG has')
    last = type
  }
  if (!size || !hasPixels) return broken('it has no pixels')
  if (orientation !== 1) parts.splice(2, 0, chunk('eXIf', exifOf(orientation)))
  return { ...turned(size.width, size.height, orientation), parts, end: at }
}
