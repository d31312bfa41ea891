import type { SerializeContext } from '../../../context.ts'
import type { Related } from './rows.ts'

/** A function that gives the bytes of a related row in a response. */
export type Measure = (row: object) => number

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Bytes of the field names and addresses of any related resource. */
const FRAME_BYTES = 1_000

/** The most bytes that a UTF-16 unit becomes: nine, for a percent-encoded slug in an address. */
const MOST_EXPANDED = 9

/**
 * Makes a function that measures related rows.
 *
 * @param enough a limit in bytes: if an upper bound of all rows is below it, the function returns 0 and saves the time
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

/** Bytes of the path or slug of a row, which addresses repeat. */
const addressBytes = (row: object): number =>
  'path' in row ? jsonBytes(row.path) : 'slug' in row ? jsonBytes(row.slug) : 0
