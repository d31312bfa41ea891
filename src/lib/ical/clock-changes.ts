import { DAY_MS } from '../time.ts'
import type { OffsetAt } from '../zone-offset.ts'

// Clock changes of a zone, found by its offsets. Moments and offsets are in milliseconds, UTC; local times are as if they
// were UTC.

/** A clock change: its moment, and the offsets before and from then on. */
export type Change = { at: number; before: number; after: number }

/** Days between two looks at a zone: the shortest period between two changes is a month, that of Ramadan. */
const STEP = 27 * DAY_MS
/** Looks within which a zone that changes its clocks every year has done so. */
const STEPS_OF_YEAR = 15
/** Looks within which daylight time ends: the longest lasts 34 weeks. */
const STEPS_OF_DAYLIGHT = 9
/** More than daylight time and less than a year: so long before a moment clocks mostly showed the other time. */
const OTHER_SEASON = 190 * DAY_MS

/** A change to the offset of `to`, which is another one than that of `from`: if there are several, mostly the last. */
export function changeBetween(offsetAt: OffsetAt, from: number, to: number): Change {
  const after = offsetAt(to)
  const season = to - OTHER_SEASON
  let [low, high] = [season > from && offsetAt(season) !== after ? season : from, to]
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000
    if (offsetAt(middle) === after) high = middle
    else low = middle
  }
  return { at: high, before: offsetAt(low), after }
}

/** The last change at or before a moment, if there was one within the year before. */
export function changeBefore(offsetAt: OffsetAt, moment: number): Change | undefined {
  const after = offsetAt(moment)
  for (let n = 1; n <= STEPS_OF_YEAR; n++) {
    const earlier = moment - n * STEP
    if (offsetAt(earlier) !== after) return changeBetween(offsetAt, earlier, earlier + STEP)
  }
  return undefined
}

/**
 * Tells if a change begins daylight time: clocks are put forward, and are put back before a year has gone, or were as far
 * ahead in the year before.
 */
export function beginsDaylight(offsetAt: OffsetAt, { at, before, after }: Change): boolean {
  if (after <= before) return false
  for (let n = 1; n <= STEPS_OF_DAYLIGHT; n++)
    if (offsetAt(at + n * STEP) < after || offsetAt(at - n * STEP) >= after) return true
  return false
}

/** A change that comes every year: on the first day of the week that is not before a day of a month. */
export type YearlyChange = Change & {
  /** From 0. */
  month: number
  /** From 0 for Sunday. */
  weekday: number
  /** The day of the month, from 1; negative from its end, where the last seven days begin with -7. */
  from: number
  /** The local time of day. */
  time: number
}

/** After so many years the calendar repeats itself, weekdays included, but for a year without a leap day. */
const CYCLE = 28

const localOf = ({ at, before }: Change): Date => new Date(at + before)

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

/** The moment of a yearly change in a year. */
export function momentIn({ month, weekday, from, time, before }: YearlyChange, year: number): number {
  const day = from > 0 ? from : daysIn(year, month) + 1 + from
  const first = new Date(0)
  // Years below 100 are those of the twentieth century to Date.UTC().
  first.setUTCFullYear(year, month, day)
  return first.getTime() + (((weekday - first.getUTCDay() + 7) % 7) * DAY_MS + time) - before
}

/** The yearly change that a change is one of, if there is such in the years that follow. */
export function yearlyOf(offsetAt: OffsetAt, change: Change): YearlyChange | undefined {
  const local = localOf(change)
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()]
  const same = { ...change, month, weekday: local.getUTCDay(), time: local.getTime() % DAY_MS }
  const length = daysIn(year, month)
  const nth = day - ((day - 1) % 7)
  const starts = [
    ...(day > length - 7 ? [-7] : []),
    ...(nth + 6 <= length ? [nth] : []),
    ...Array.from({ length: 7 }, (_, n) => day - n).filter(from => from > 0 && from + 6 <= length),
  ]
  return starts
    .map(from => ({ ...same, from }))
    .find(yearly =>
      Array.from({ length: CYCLE + 1 }, (_, n) => momentIn(yearly, year + n)).every(
        at => offsetAt(at - 1000) === change.before && offsetAt(at) === change.after,
      ),
    )
}

/** Makes a function that gives the offset at a moment by two yearly changes. */
export function offsetBy(changes: readonly YearlyChange[]): (moment: number) => number | undefined {
  const known = new Map<number, Change[]>()
  const changesIn = (year: number): Change[] => {
    const made = known.get(year) ?? changes.map(change => ({ ...change, at: momentIn(change, year) }))
    known.set(year, made)
    return made
  }
  return moment => {
    const year = new Date(moment).getUTCFullYear()
    let last: Change | undefined
    for (const each of [year - 1, year, year + 1])
      for (const change of changesIn(each))
        if (change.at <= moment && (!last || change.at > last.at)) last = change
    return last?.after
  }
}
