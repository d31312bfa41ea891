import { latin, numbersOf, slice } from './bytes.ts'
import { assertSize, broken, type Cleaned, Frames, Parts } from './cleaned.ts'

// https://www.w3.org/Graphics/GIF/spec-gif89a.txt

const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b

const GRAPHIC_CONTROL = 0xf9
const APPLICATION = 0xff
/** The extensions of comments and of texts over the picture, which nothing shows. */
const DROPPED = [0xfe, 0x01]

/** The applications whose extension says how often to repeat an animation. Others hold XMP, colour profiles, notes. */
const LOOPS = ['NETSCAPE2.0', 'ANIMEXTS1.0']

/** The length of a colour table in bytes, by the flags of a descriptor. */
const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** The position after a row of blocks, each with its length, which one of no length ends. */
function endOfBlocks(numbers: DataView, start: number): number {
  let at = start
  for (let length = numbers.getUint8(at); length > 0; length = numbers.getUint8(at)) at += length + 1
  return at + 1
}

/** Reads a GIF picture and removes comments and metadata. @throws InvalidValue, RangeError */
export function cleanGif(bytes: Uint8Array): Cleaned {
  const numbers = numbersOf(bytes)
  const [width, height] = [numbers.getUint16(6, true), numbers.getUint16(8, true)]
  assertSize(width, height)
  let at = 13 + tableBytes(numbers.getUint8(10))
  const parts = [slice(bytes, 0, at)]
  const frames = new Frames()
  let hasPixels = false
  const all = new Parts()
  for (;;) {
    all.add()
    const start = at
    const introducer = numbers.getUint8(at)
    if (introducer === TRAILER) break
    if (introducer === IMAGE) {
      frames.add(numbers.getUint16(at + 5, true), numbers.getUint16(at + 7, true))
      const code = at + 10 + tableBytes(numbers.getUint8(at + 9))
      const bits = numbers.getUint8(code)
      if (bits < 1 || bits > 11) broken('its pixels are not compressed as they should be')
      at = endOfBlocks(numbers, code + 1)
      parts.push(slice(bytes, start, at - start))
      hasPixels = true
    } else if (introducer === EXTENSION) {
      const label = numbers.getUint8(at + 1)
      at = endOfBlocks(numbers, at + 2)
      const isLoop = label === APPLICATION && LOOPS.includes(latin(bytes, start + 3, 11)) && at - start === 19
      const isControl = label === GRAPHIC_CONTROL && at - start === 8
      if (isLoop || isControl) parts.push(slice(bytes, start, at - start))
      else if (![GRAPHIC_CONTROL, APPLICATION, ...DROPPED].includes(label))
        broken('it has parts that no GIF has')
    } else broken('between its parts is something else')
  }
  if (!hasPixels) broken('it has no pixels')
  return { width, height, parts: [...parts, Uint8Array.of(TRAILER)], end: at + 1 }
}
