import { bytesOf, joined, latin, numbersOf, slice } from './bytes.ts'
import { assertSize, broken, type Cleaned, LONGEST_PROFILE, Parts } from './cleaned.ts'
import { exifOf, orientationIn, turned } from './exif.ts'

// https://www.w3.org/Graphics/JPEG/itu-t81.pdf, Annex B

const START = Uint8Array.of(0xff, 0xd8)
const END = Uint8Array.of(0xff, 0xd9)

const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
const EXIF = 0xe1

/** The frames that browsers decode: baseline, extended and progressive, in Huffman coding. */
const FRAMES = [0xc0, 0xc1, 0xc2]
/** Lossless, hierarchical and arithmetic ones. */
const OTHER_FRAMES = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf, 0xde, 0xdf]
const UNSHOWN = 'browsers do not show JPEG of this kind'
/** Tables: Huffman, quantisation, restart interval. */
const TABLES = [0xc4, 0xdb, 0xdd]

/** Limit of scans. A progressive picture has some ten; decoding takes as long as all of them together. */
const MOST_SCANS = 100

const segment = (marker: number, data: Uint8Array): Uint8Array =>
  joined([Uint8Array.of(0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff), data])

/**
 * The part of an application's segment that is kept; undefined for none. JFIF's header without its thumbnail, colour profiles,
 * and Adobe's note on colours decide how the picture looks. All else is metadata: EXIF, XMP, IPTC, comments, previews.
 */
function keptOf(marker: number, data: Uint8Array): Uint8Array | undefined {
  if (marker === 0xe0 && latin(data, 0, 5) === 'JFIF\0' && data.length >= 14)
    return segment(marker, joined([data.subarray(0, 12), Uint8Array.of(0, 0)]))
  if (marker === 0xe2 && latin(data, 0, 12) === 'ICC_PROFILE\0') return segment(marker, data)
  if (marker === 0xee && latin(data, 0, 5) === 'Adobe' && data.length >= 12)
    return segment(marker, data.subarray(0, 12))
  return undefined
}

/** The size in the header of a frame, which must be of eight bits and of one (grey), three or four colours. */
function sizeIn(header: Uint8Array): { width: number; height: number } {
  const numbers = numbersOf(header)
  const [bits, colours] = [numbers.getUint8(0), numbers.getUint8(5)]
  if (bits !== 8 || ![1, 3, 4].includes(colours) || header.length !== 6 + 3 * colours) broken(UNSHOWN)
  const size = { width: numbers.getUint16(3), height: numbers.getUint16(1) }
  assertSize(size.width, size.height)
  return size
}

/** The position of the marker after a scan's data, in which a byte 0xff is followed by 0 or counts restarts. */
function endOfScan(bytes: Uint8Array, start: number): number {
  let at = start
  for (;;) {
    at = bytes.indexOf(0xff, at)
    if (at === -1) throw new RangeError('no end of a scan')
    while (bytes[at + 1] === 0xff) at += 1
    const next = bytes[at + 1]
    if (next === undefined) throw new RangeError('no end of a scan')
    if (next === 0 || (next >= 0xd0 && next <= 0xd7)) at += 2
    else return at
  }
}

/** Reads a JPEG picture and removes its metadata, but for the orientation. @throws InvalidValue, RangeError */
export function cleanJpeg(bytes: Uint8Array): Cleaned {
  const numbers = numbersOf(bytes)
  const kept: Uint8Array[] = []
  let size: { width: number; height: number } | undefined
  let orientation = 1
  let scans = 0
  let profile = 0
  let at = 2
  const all = new Parts()
  for (;;) {
    all.add()
    if (numbers.getUint8(at) !== 0xff) broken('between its parts is something else')
    while (numbers.getUint8(at) === 0xff) at++
    const marker = numbers.getUint8(at)
    at += 1
    if (marker === END_OF_IMAGE) break
    const length = numbers.getUint16(at)
    if (length < 2) broken('one of its parts has no length')
    const data = slice(bytes, at + 2, length - 2)
    at += length
    if (FRAMES.includes(marker)) {
      if (size) broken('it has two frames')
      size = sizeIn(data)
      kept.push(segment(marker, data))
    } else if (OTHER_FRAMES.includes(marker)) broken(UNSHOWN)
    else if (TABLES.includes(marker)) kept.push(segment(marker, data))
    else if (marker === START_OF_SCAN) {
      if (!size) broken('its pixels come before their size')
      scans += 1
      if (scans > MOST_SCANS) broken(`it has more than ${MOST_SCANS} scans`)
      const end = endOfScan(bytes, at)
      kept.push(segment(marker, data), bytes.subarray(at, end))
      at = end
    } else if (marker === 0xfe || (marker >= 0xe0 && marker <= 0xef)) {
      if (marker === EXIF && latin(data, 0, 6) === 'Exif\0\0' && orientation === 1)
        orientation = orientationIn(data.subarray(6))
      const part = keptOf(marker, data)
      if (part && marker === 0xe2) profile += part.length
      if (part) kept.push(part)
    } else broken('it has parts that no JPEG has')
  }
  if (!size || scans === 0) return broken('it has no pixels')
  if (profile > LONGEST_PROFILE) broken('its colour profile is too long')
  const exif = orientation === 1 ? [] : [segment(EXIF, joined([bytesOf('Exif\0\0'), exifOf(orientation)]))]
  const header = kept[0]?.[1] === 0xe0 ? kept.splice(0, 1) : []
  return {
    ...turned(size.width, size.height, orientation),
    parts: [START, ...header, ...exif, ...kept, END],
    end: at,
  }
}
