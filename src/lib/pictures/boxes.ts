import { latin, numbersOf } from './bytes.ts'
import { broken, Parts } from './cleaned.ts'

/** A box of ISO/IEC 14496-12: from `start` to `end`, its content from `data` on. */
export type Box = { type: string; start: number; data: number; end: number }

/** The box at a position. @throws InvalidValue, RangeError if it does not fit into what it is in */
export function boxAt(bytes: Uint8Array, start: number, limit: number): Box {
  const numbers = numbersOf(bytes)
  const short = numbers.getUint32(start)
  const data = start + (short === 1 ? 16 : 8)
  const length = short === 1 ? Number(numbers.getBigUint64(start + 8)) : short === 0 ? limit - start : short
  if (length < data - start || start + length > limit) broken('a part is longer than what it is in')
  return { type: latin(bytes, start + 4, 4), start, data, end: start + length }
}

/** The boxes that fill a range. */
export function boxesIn(bytes: Uint8Array, start: number, end: number): Box[] {
  const boxes: Box[] = []
  const all = new Parts()
  for (let at = start; at < end; at = boxes.at(-1)?.end ?? end) {
    all.add()
    boxes.push(boxAt(bytes, at, end))
  }
  return boxes
}

/** Reads the numbers of a box one after the other. */
export class BoxReader {
  readonly #numbers: DataView
  #at: number

  constructor(bytes: Uint8Array, { data, end }: Box) {
    this.#numbers = numbersOf(bytes.subarray(0, end))
    this.#at = data
  }

  /** A number of 0, 1, 2, 4 or 8 bytes. @throws RangeError at the end of the box */
  take(length: number): number {
    const at = this.#at
    this.#at += length
    if (length === 0) return 0
    if (length === 1) return this.#numbers.getUint8(at)
    if (length === 2) return this.#numbers.getUint16(at)
    if (length === 4) return this.#numbers.getUint32(at)
    if (length === 8) return Number(this.#numbers.getBigUint64(at))
    return broken('it has numbers of a length that there is not')
  }

  /** The version and the flags with which many boxes begin. */
  versionAndFlags(): { version: number; flags: number } {
    const both = this.take(4)
    return { version: both >>> 24, flags: both & 0xffffff }
  }

  get position(): number {
    return this.#at
  }
}
