import { refuse } from '../values.ts'

/** A picture without metadata. */
export type Cleaned = {
  /** The size as it is shown, in pixels: with the orientation applied. */
  width: number
  height: number
  /** Its bytes, most of them parts of the given ones. */
  parts: Uint8Array[]
  /** The position after the picture's end in the given bytes. */
  end: number
}

/** The most that a picture may have in pixels, and all frames of an animation or tiles of a picture together. */
export const MOST_PIXELS = 40_000_000
const MOST_ANIMATED_PIXELS = 10 * MOST_PIXELS

/** Refuses a size. Decoders need some four bytes for each pixel, however short the file is. @throws InvalidValue */
export function assertSize(width: number, height: number): void {
  if (width < 1 || height < 1) broken('it has no width or no height')
  if (width * height > MOST_PIXELS)
    refuse(`this is ${width} × ${height} pixels large, but at most ${MOST_PIXELS / 1e6} megapixels are taken`)
}

/** Sums up the frames of an animation, or the tiles of a picture. */
export class Frames {
  #pixels = 0

  /** @throws InvalidValue if the frame, or all of them together, are too large */
  add(width: number, height: number): void {
    assertSize(width, height)
    this.#pixels += width * height
    if (this.#pixels > MOST_ANIMATED_PIXELS)
      refuse(`this has frames or tiles of more than ${MOST_ANIMATED_PIXELS / 1e6} megapixels together`)
  }
}

/** Refuses a file. @throws InvalidValue always */
export const broken = (reason: string): never => refuse(`this is a broken picture: ${reason}`)

/** Limit of the parts of a file: pictures have some thousand at most, and every part takes its time. */
const MOST_PARTS = 20_000

/** Counts the parts of a file. */
export class Parts {
  #count = 0

  /** @throws InvalidValue if there are too many */
  add(): void {
    this.#count += 1
    if (this.#count > MOST_PARTS) broken(`it has more than ${MOST_PARTS} parts`)
  }
}

/** Limit of a colour profile in bytes; those of printers have some hundred kilobytes. */
export const LONGEST_PROFILE = 1024 * 1024
