import { broken } from './cleaned.ts'

// https://aomediacodec.github.io/av1-spec/av1-spec.pdf, 5.3 to 5.5

const SEQUENCE_HEADER = 1

/** Reads numbers of some bits. */
class Bits {
  #at = 0
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** @throws RangeError at the end */
  take(count: number): number {
    let value = 0
    for (let left = count; left > 0; left--) {
      const byte = this.#bytes[this.#at >> 3]
      if (byte === undefined) throw new RangeError('no more bits')
      value = value * 2 + ((byte >> (7 - (this.#at & 7))) & 1)
      this.#at += 1
    }
    return value
  }
}

/** A number of seven bits a byte, least first (leb128), and the position after it. */
function leb128(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0
  for (let i = 0; i < 8; i++) {
    const byte = bytes[start + i]
    if (byte === undefined) throw new RangeError('no end of a number')
    value += (byte & 0x7f) * 128 ** i
    if (byte < 0x80) return { value, next: start + i + 1 }
  }
  return broken('its pixels have no beginning')
}

/** The largest size that frames of a sequence may have: decoders go by it, whatever the container says. */
export function largestFrame(bytes: Uint8Array): { width: number; height: number } {
  let at = 0
  for (;;) {
    const header = bytes[at]
    if (header === undefined) throw new RangeError('no sequence header')
    at += header & 4 ? 2 : 1
    if (!(header & 2)) broken('its pixels are not in parts with lengths')
    const { value: length, next } = leb128(bytes, at)
    if (((header >> 3) & 15) === SEQUENCE_HEADER)
      return frameIn(new Bits(bytes.subarray(next, next + length)))
    at = next + length
  }
}

function frameIn(bits: Bits): { width: number; height: number } {
  bits.take(4)
  if (bits.take(1)) bits.take(5)
  else skipOperatingPoints(bits)
  const [across, down] = [bits.take(4) + 1, bits.take(4) + 1]
  return { width: bits.take(across) + 1, height: bits.take(down) + 1 }
}

function skipOperatingPoints(bits: Bits): void {
  if (bits.take(1)) broken('it says how long its only frame is shown')
  const hasDelays = bits.take(1)
  const points = bits.take(5) + 1
  for (let i = 0; i < points; i++) {
    bits.take(12)
    // Levels above 7 have a tier.
    if (bits.take(5) > 7) bits.take(1)
    if (hasDelays && bits.take(1)) bits.take(4)
  }
}
