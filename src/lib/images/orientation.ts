import type { ImageFile } from './formats.ts'

// Cameras store images as the sensor saw them, and say in EXIF data how to turn them. The platform applies that, the
// stand-in of local development ignores it, and which of them applies it to what besides JPEG is documented nowhere. So
// EXIF data are cut out here, and the turn is asked for like any other change: then all of them do the same.

const ORIENTATION = 0x0112

/** An orientation as EXIF counts them: 1 is upright, 2 to 8 are turned or mirrored. */
export type Orientation = number

/** The orientation in EXIF data, which begin with the header of a TIFF file; 1 if they don't say. */
function orientationIn(tiff: Uint8Array): Orientation {
  try {
    const littleEndian = tiff[0] === 0x49
    const numbers = numbersOf(tiff)
    const directory = numbers.getUint32(4, littleEndian)
    const entries = numbers.getUint16(directory, littleEndian)
    for (let i = 0; i < entries; i++) {
      const entry = directory + 2 + 12 * i
      if (numbers.getUint16(entry, littleEndian) !== ORIENTATION) continue
      const value = numbers.getUint16(entry + 8, littleEndian)
      return value >= 1 && value <= 8 ? value : 1
    }
  } catch (error) {
    // Metadata may be nonsense in an image that is well.
    if (!(error instanceof RangeError)) throw error
  }
  return 1
}

const numbersOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))

/** A part of a file: where it begins and ends, and where the EXIF data in it begin, if it has any. */
type FilePart = { start: number; end: number; exif?: number }

/** Limit of the parts that are looked at. EXIF data are among the first, or at the end of a PNG of 10 MB in parts of 8 KB. */
const MOST_PARTS = 2_000

/** The mark before EXIF data in JPEG, which some programs write in WebP as well. */
const MARK = 'Exif\0\0'

type Reader = (bytes: Uint8Array, numbers: DataView, start: number) => FilePart | undefined

/** The position of the first part, and a function that reads the part at a position: undefined after the last one. */
const READERS: Partial<Record<ImageFile['format'], { first: number; read: Reader }>> = {
  jpg: {
    first: 2,
    read: (bytes, numbers, start) => {
      const marker = numbers.getUint16(start)
      // Pixels begin here, or this is no part at all.
      if (marker === 0xffda || marker < 0xffc0) return undefined
      const isExif = marker === 0xffe1 && textAt(bytes, start + 4, MARK.length) === MARK
      const end = start + 2 + numbers.getUint16(start + 2)
      return { start, end, ...(isExif && { exif: start + 4 + MARK.length }) }
    },
  },
  png: {
    first: 8,
    read: (bytes, numbers, start) => {
      const end = start + 12 + numbers.getUint32(start)
      return { start, end, ...(textAt(bytes, start + 4, 4) === 'eXIf' && { exif: start + 8 }) }
    },
  },
  webp: {
    first: 12,
    read: (bytes, numbers, start) => {
      const length = numbers.getUint32(start + 4, true)
      const end = start + 8 + length + (length % 2)
      if (textAt(bytes, start, 4) !== 'EXIF') return { start, end }
      const isMarked = textAt(bytes, start + 8, MARK.length) === MARK
      return { start, end, exif: start + 8 + (isMarked ? MARK.length : 0) }
    },
  },
}

/** The parts of a file that hold EXIF data. Of a broken file it finds some or none; whoever decodes it will refuse it. */
function exifParts({ bytes, format }: ImageFile): Required<FilePart>[] {
  const found: Required<FilePart>[] = []
  const reader = READERS[format]
  if (!reader) return found
  const numbers = numbersOf(bytes)
  let start = reader.first
  for (let count = 0; count < MOST_PARTS && start + 8 <= bytes.length; count++) {
    const part = reader.read(bytes, numbers, start)
    if (!part || part.end <= start || part.end > bytes.length) break
    if (part.exif !== undefined) found.push({ ...part, exif: part.exif })
    start = part.end
  }
  return found
}

/** A file without EXIF data, and the orientation that they gave. */
export function withoutExif(file: ImageFile): { bytes: Uint8Array<ArrayBuffer>; orientation: Orientation } {
  const parts = exifParts(file)
  const [first] = parts
  if (!first) return { bytes: file.bytes, orientation: 1 }
  const orientation = orientationIn(file.bytes.subarray(first.exif, first.end))
  const removed = parts.reduce((sum, { start, end }) => sum + end - start, 0)
  const bytes = new Uint8Array(file.bytes.length - removed)
  let from = 0
  let to = 0
  for (const { start, end } of [...parts, { start: file.bytes.length, end: 0 }]) {
    bytes.set(file.bytes.subarray(from, start), to)
    to += start - from
    from = end
  }
  // The header of WebP says how long the rest is.
  const numbers = numbersOf(bytes)
  if (file.format === 'webp') numbers.setUint32(4, numbers.getUint32(4, true) - removed, true)
  return { bytes, orientation }
}

/**
 * The changes that turn an image upright. The stand-in of local development mirrors nothing: what a camera mirrored,
 * which they hardly ever do, stays mirrored there.
 */
export const TURNS: Readonly<Record<Orientation, readonly ImageTransform[]>> = {
  2: [{ flip: 'h' }],
  3: [{ rotate: 180 }],
  4: [{ flip: 'v' }],
  5: [{ flip: 'h' }, { rotate: 270 }],
  6: [{ rotate: 90 }],
  7: [{ flip: 'h' }, { rotate: 90 }],
  8: [{ rotate: 270 }],
}

/** A size as it is shown, with the orientation applied. */
export const turned = ({ width, height }: { width: number; height: number }, orientation: Orientation) =>
  orientation >= 5 ? { width: height, height: width } : { width, height }
