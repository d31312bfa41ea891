import { DAY_MS, type DateTime, formatInstant, toEpoch } from '../time.ts'
import type { OffsetAt } from '../zones.ts'

// Wall times that a clock change skips, in milliseconds since 1970 as if they were UTC.

/** Skipped wall times: from the first one until just before the last one. They move forward by the time between the two. */
type SkippedSpan = { from: number; to: number }

/** The wall times that clocks skip within a day of some wall times, which lie on one day; undefined if there are none. */
export function skippedNear(offsetAt: OffsetAt, first: number, last = first): SkippedSpan | undefined {
  let [low, high] = [first - DAY_MS, last + DAY_MS]
  const [before, after] = [offsetAt(low), offsetAt(high)]
  if (after <= before) return undefined
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000
    if (offsetAt(middle) === before) low = middle
    else high = middle
  }
  return { from: high + before, to: high + after }
}

/**
 * The other wall time at the instant of a wall time: the time to which it moves if clocks skip it, or the skipped
 * time that moves to it. The skipped time is the earlier of the two.
 *
 * @returns undefined if there is none
 */
export function sameInstant(offsetAt: OffsetAt, date: DateTime): DateTime | undefined {
  const wall = toEpoch(date)
  const skipped = skippedNear(offsetAt, wall)
  if (!skipped) return undefined
  const { from, to } = skipped
  if (wall >= from && wall < to) return formatInstant(wall + to - from)
  return wall >= to && wall < to + to - from ? formatInstant(wall - (to - from)) : undefined
}

/** Excluded dates with all wall times at their instants, which EXDATE means. */
export const withSameInstants = (
  dates: Iterable<DateTime>,
  offsetAt: OffsetAt | undefined,
): Set<DateTime> => {
  const all = new Set(dates)
  if (offsetAt) for (const date of [...all]) all.add(sameInstant(offsetAt, date) ?? date)
  return all
}
