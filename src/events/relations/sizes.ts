import type { SerializeContext } from '../../context.ts'
import type { Related } from './rows.ts'

/** Bytes of a related row in a response. */
export type Measure = (row: object) => number

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Bytes of the names of fields and of the addresses that every related resource has. */
const FRAME_BYTES = 1_000

/** A UTF-16 unit becomes nine bytes at most, as a character of a slug that is percent-encoded in an address. */
const MOST_EXPANDED = 9

/**
 * Measures what related rows take in a response.
 *
 * @param enough if all of them take no more than these bytes in any case, none is worth the time of measuring it
 */
export function measureOf(
  { settings }: SerializeContext,
  related: readonly Related<object>[],
  enough: number,
): Measure {
  const copies = settings.imageSizes.length
  const frame = (row: object): number =>
    FRAME_BYTES + ('image' in row && row.image !== null ? copies * (jsonBytes(row.image) + FRAME_BYTES) : 0)
  const most = related.reduce(
    (sum, { row, uses }) => sum + uses.length * (frame(row) + MOST_EXPANDED * unitsOf(row)),
    0,
  )
  if (most <= enough) return () => 0
  const measured = new Map<object, number>()
  return row => {
    const known = measured.get(row) ?? frame(row) + jsonBytes(row) + 3 * addressBytes(row)
    measured.set(row, known)
    return known
  }
}

function unitsOf(row: object): number {
  let units = 0
  for (const value of Object.values(row)) if (typeof value === 'string') units += value.length
  return units
}

/** Bytes of the part of a row that addresses repeat, percent-encoded. */
const addressBytes = (row: object): number =>
  'path' in row ? jsonBytes(row.path) : 'slug' in row ? jsonBytes(row.slug) : 0
