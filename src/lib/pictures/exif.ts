import { bytesOf, latin, numbersOf } from './bytes.ts'

const ORIENTATION = 0x0112
const SHORT = 3

/** An orientation as EXIF counts them: 1 is upright, 2 to 8 are turned or mirrored. */
export type Orientation = number

/** The orientation in EXIF data, which begin with the header of a TIFF file; 1 if they don't say. */
export function orientationIn(tiff: Uint8Array): Orientation {
  try {
    const littleEndian = latin(tiff, 0, 2) === 'II'
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
    // Metadata may be nonsense in a picture that is well.
    if (!(error instanceof RangeError)) throw error
  }
  return 1
}

/** Turned by a quarter, so that width and height change places. */
const isTurned = (orientation: Orientation): boolean => orientation >= 5

/** A size as it is shown. */
export const turned = (width: number, height: number, orientation: Orientation) =>
  isTurned(orientation) ? { width: height, height: width } : { width, height }

/** EXIF data that say nothing but an orientation: a directory of one entry. */
export function exifOf(orientation: Orientation): Uint8Array {
  const tiff = new Uint8Array(26)
  const numbers = numbersOf(tiff)
  tiff.set(bytesOf('MM'))
  numbers.setUint16(2, 42)
  numbers.setUint32(4, 8)
  numbers.setUint16(8, 1)
  numbers.setUint16(10, ORIENTATION)
  numbers.setUint16(12, SHORT)
  numbers.setUint32(14, 1)
  numbers.setUint16(18, orientation)
  return tiff
}
