import { bytesOf, latin, viewOf } from './bytes.ts'

const ORIENTATION = 0x0112
const SHORT = 3

/** An orientation as EXIF counts them: 1 is upright, 2 to 8 are turned or mirrored. */
export type Orientation = number

/** The orientation in EXIF data, which begin with the header of a TIFF file; 1 if they don't say. */
export function orientationIn(tiff: Uint8Array): Orientation {
  try {
    const littleEndian = latin(tiff, 0, 2) === 'II'
    const view = viewOf(tiff)
    const directory = view.getUint32(4, littleEndian)
    const entries = view.getUint16(directory, littleEndian)
    for (let i = 0; i < entries; i++) {
      const entry = directory + 2 + 12 * i
      if (view.getUint16(entry, littleEndian) !== ORIENTATION) continue
      const value = view.getUint16(entry + 8, littleEndian)
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
  const view = viewOf(tiff)
  tiff.set(bytesOf('MM'))
  view.setUint16(2, 42)
  view.setUint32(4, 8)
  view.setUint16(8, 1)
  view.setUint16(10, ORIENTATION)
  view.setUint16(12, SHORT)
  view.setUint32(14, 1)
  view.setUint16(18, orientation)
  return tiff
}
