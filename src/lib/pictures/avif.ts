import { largestFrame } from './av1.ts'
import { type Item, itemRanges, itemTypes, primaryItem, propertiesIn, sizeOfItem } from './avif-items.ts'
import { type Box, boxAt, boxesIn } from './boxes.ts'
import { bytesOf, joined, latin, numbersOf, slice } from './bytes.ts'
import { assertSize, broken, type Cleaned, Frames, Parts } from './cleaned.ts'

// Positions within the file are written all over it, so nothing can be cut out: what is not part of the picture is
// blanked instead. Kept are the boxes that describe it, and the bytes that its items name.

/** Boxes for spare room, and for notes of programs: whoever shows a picture passes over them. */
const ROOM = ['free', 'skip', 'uuid']
/** Boxes that a picture consists of. */
const OUTER = ['ftyp', 'meta', 'mdat', ...ROOM]
const INNER = ['hdlr', 'pitm', 'iloc', 'iinf', 'iref', 'iprp', 'idat', 'grpl', ...ROOM]
/** Properties of items that no reader shows: names and descriptions, alternative texts, times of creation and of change. */
const DESCRIPTIONS = [...ROOM, 'udes', 'altt', 'crtt', 'mdft']

/** Items that are seen: pixels, tiles, and the two pictures of which one of high contrast is made. */
const SEEN = ['av01', 'grid', 'tmap']
const METADATA = ['Exif', 'mime', 'uri ']

/** Limit of the boxes that describe a picture, in bytes. Colour profiles are among them. */
const LONGEST_DESCRIPTION = 2 * 1024 * 1024

/** EXIF data without entries, after the position of their header. */
const NO_EXIF = joined([new Uint8Array(4), bytesOf('MM\0\x2a\0\0\0\x08\0\0\0\0\0\0')])

/** Reads an AVIF picture and blanks its metadata. @throws InvalidValue, RangeError */
export function cleanAvif(bytes: Uint8Array): Cleaned {
  const outer = outerBoxes(bytes)
  const end = outer.at(-1)?.end ?? 0
  const [meta, another] = outer.filter(({ type }) => type === 'meta')
  if (!meta || another) return broken('it is not one picture')
  const inner = boxesIn(bytes, meta.data + 4, meta.end)
  if (inner.some(({ type }) => !INNER.includes(type))) broken('it has parts that no picture has')
  const one = (type: string): Box =>
    inner.find(box => box.type === type) ?? broken('it does not say what it consists of')
  const types = itemTypes(bytes, one('iinf'))
  const primary = primaryItem(bytes, one('pitm'))
  if (!SEEN.includes(types.get(primary) ?? '')) broken('it has no pixels')
  const size = sizeOfItem(bytes, one('iprp'), primary)

  const whole = new Uint8Array(end)
  const keep = (start: number, until: number) => whole.set(bytes.subarray(start, until), start)
  for (const box of outer) keep(box.start, ['ftyp', 'meta'].includes(box.type) ? box.end : box.data)
  const properties = propertiesIn(bytes, one('iprp')).filter(({ type }) => DESCRIPTIONS.includes(type))
  const hollow = [...inner.filter(({ type }) => type === 'idat' || ROOM.includes(type)), ...properties]
  for (const { data, end: until } of hollow) whole.fill(0, data, until)

  const places = {
    file: outer.filter(({ type }) => type === 'mdat'),
    meta: inner.filter(({ type }) => type === 'idat'),
  }
  const frames = new Frames()
  let room = end
  for (const [id, where] of itemRanges(bytes, one('iloc'))) {
    const type = types.get(id) ?? ''
    const ranges = absoluteRanges({ type, ...where }, places)
    for (const { length } of ranges) room -= length
    // Copying the same bytes a thousand times takes seconds.
    if (room < 0) broken('its parts overlap')
    if (SEEN.includes(type)) {
      for (const { start, length } of ranges) keep(start, start + length)
      const parts = ranges.map(({ start, length }) => slice(bytes, start, length))
      if (type === 'av01') addFrame(frames, parts)
      if (type === 'grid') assertGrid(joined(parts))
    } else if (METADATA.includes(type))
      for (const { start, length } of ranges) blank(whole, type, start, length)
    else broken('it has parts that no picture has')
  }
  return { ...size, parts: [whole], end }
}

/** The boxes of the file, up to something that is none. */
function outerBoxes(bytes: Uint8Array): Box[] {
  const boxes: Box[] = []
  const all = new Parts()
  for (let at = 0; at < bytes.length; at = boxes.at(-1)?.end ?? 0) {
    all.add()
    const isBox = /^[a-z0-9]{4}$/i.test(latin(bytes, at + 4, 4))
    if (!isBox && boxes.some(({ type }) => type === 'mdat')) break
    const box = boxAt(bytes, at, bytes.length)
    if (box.type === 'moov') broken('of AVIF only single pictures are taken, without a film')
    if (!OUTER.includes(box.type)) broken('it has parts that no picture has')
    boxes.push(box)
  }
  const described = boxes.filter(({ type }) => ['ftyp', 'meta'].includes(type))
  if (described.some(({ start, end }) => end - start > LONGEST_DESCRIPTION))
    broken('it describes itself at length')
  return boxes
}

/** The ranges of an item, from the beginning of the file. They must lie where pixels lie. */
function absoluteRanges({ inFile, ranges }: Item, { file, meta }: { file: Box[]; meta: Box[] }) {
  const homes = inFile ? file : meta
  const base = inFile ? 0 : (meta[0]?.data ?? 0)
  return ranges.map(range => {
    const [start, length] = [base + range.start, range.length]
    if (length === 0 || !homes.some(({ data, end }) => start >= data && start + length <= end))
      broken('a part is not where it should be')
    return { start, length }
  })
}

function addFrame(frames: Frames, parts: readonly Uint8Array[]): void {
  const { width, height } = largestFrame(joined(parts.map(part => part.subarray(0, 4_096))))
  frames.add(width, height)
}

/** Refuses the size of a picture of tiles, which is said a second time where it says how they are arranged. */
function assertGrid(grid: Uint8Array): void {
  const numbers = numbersOf(grid)
  const isWide = (numbers.getUint8(1) & 1) === 1
  if (isWide) assertSize(numbers.getUint32(4), numbers.getUint32(8))
  else assertSize(numbers.getUint16(4), numbers.getUint16(6))
}

/** Overwrites metadata with some that say nothing. */
function blank(whole: Uint8Array, type: string, start: number, length: number): void {
  if (type !== 'Exif') whole.fill(0x20, start, start + length)
  else if (length >= NO_EXIF.length) whole.set(NO_EXIF, start)
}
