import { type Box, BoxReader, boxesIn } from './boxes.ts'
import { latin } from './bytes.ts'
import { assertSize, broken } from './cleaned.ts'

// https://aomediacodec.github.io/av1-avif/ and ISO/IEC 14496-12, 8.11

/** A range of bytes. */
type Range = { start: number; length: number }

/** A part of a picture: its type, and where its bytes are, in the file or in the box `idat`. */
export type Item = { type: string; inFile: boolean; ranges: Range[] }

/** Limit of items and of their ranges: a picture in tiles has some dozens. */
const MOST_ITEMS = 1_000

const few = (count: number): number => (count > MOST_ITEMS ? broken('it has too many parts') : count)

/** The types of items by id. */
export function itemTypes(bytes: Uint8Array, box: Box): Map<number, string> {
  const reader = new BoxReader(bytes, box)
  const count = few(reader.take(reader.versionAndFlags().version === 0 ? 2 : 4))
  const entries = boxesIn(bytes, reader.position, box.end)
  if (entries.length !== count) broken('it has other parts than it says')
  return new Map(
    entries.map(entry => {
      const item = new BoxReader(bytes, entry)
      const { version } = item.versionAndFlags()
      if (version < 2) broken('its parts are of no kind that there is')
      const id = item.take(version === 2 ? 2 : 4)
      item.take(2)
      return [id, latin(bytes, item.position, 4)]
    }),
  )
}

/** The places of the bytes of each item. */
export function itemRanges(bytes: Uint8Array, box: Box): Map<number, Omit<Item, 'type'>> {
  const reader = new BoxReader(bytes, box)
  const { version } = reader.versionAndFlags()
  if (version > 2) broken('its parts are of no kind that there is')
  const sizes = reader.take(2)
  const [offsetBytes, lengthBytes] = [(sizes >> 12) & 15, (sizes >> 8) & 15]
  const [baseBytes, indexBytes] = [(sizes >> 4) & 15, version === 0 ? 0 : sizes & 15]
  const idBytes = version === 2 ? 4 : 2
  const items = new Map<number, Omit<Item, 'type'>>()
  let ranges = 0
  for (let left = few(reader.take(idBytes)); left > 0; left--) {
    const id = reader.take(idBytes)
    const method = version === 0 ? 0 : reader.take(2) & 15
    if (method > 1 || reader.take(2) !== 0) broken('its parts are not in the file itself')
    const base = reader.take(baseBytes)
    const found: Range[] = []
    for (let extents = reader.take(2); extents > 0; extents--) {
      few(++ranges)
      reader.take(indexBytes)
      found.push({ start: base + reader.take(offsetBytes), length: reader.take(lengthBytes) })
    }
    items.set(id, { inFile: method === 0, ranges: found })
  }
  return items
}

/** The id of the picture that is shown. */
export function primaryItem(bytes: Uint8Array, box: Box): number {
  const reader = new BoxReader(bytes, box)
  return reader.take(reader.versionAndFlags().version === 0 ? 2 : 4)
}

/** The properties that items have. @param box `iprp` */
export function propertiesIn(bytes: Uint8Array, box: Box): Box[] {
  const container = boxesIn(bytes, box.data, box.end).find(({ type }) => type === 'ipco')
  return container ? boxesIn(bytes, container.data, container.end) : []
}

/** The size of an item as it is shown. @throws InvalidValue also if another item is too large */
export function sizeOfItem(bytes: Uint8Array, box: Box, id: number): { width: number; height: number } {
  const children = boxesIn(bytes, box.data, box.end)
  const properties = propertiesIn(bytes, box)
  const sizes = new Map(
    properties.filter(({ type }) => type === 'ispe').map(property => [property, sizeIn(bytes, property)]),
  )
  const own = children
    .filter(({ type }) => type === 'ipma')
    .flatMap(association => propertiesOf(bytes, association, id))
    .flatMap(index => properties[index - 1] ?? [])
  const size = own.flatMap(property => sizes.get(property) ?? [])[0]
  if (!size) return broken('it has no width or no height')
  const rotation = own.find(({ type }) => type === 'irot')
  const quarters = rotation ? new BoxReader(bytes, rotation).take(1) & 3 : 0
  return quarters % 2 === 1 ? { width: size.height, height: size.width } : size
}

function sizeIn(bytes: Uint8Array, property: Box): { width: number; height: number } {
  const reader = new BoxReader(bytes, property)
  reader.versionAndFlags()
  const size = { width: reader.take(4), height: reader.take(4) }
  assertSize(size.width, size.height)
  return size
}

/** The numbers of an item's properties, from 1. */
function propertiesOf(bytes: Uint8Array, association: Box, id: number): number[] {
  const reader = new BoxReader(bytes, association)
  const { version, flags } = reader.versionAndFlags()
  const isWide = (flags & 1) === 1
  const indexes: number[] = []
  for (let left = few(reader.take(4)); left > 0; left--) {
    const item = reader.take(version < 1 ? 2 : 4)
    for (let count = reader.take(1); count > 0; count--) {
      const index = isWide ? reader.take(2) & 0x7fff : reader.take(1) & 0x7f
      if (item === id) indexes.push(index)
    }
  }
  return indexes
}
