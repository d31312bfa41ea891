import { type DateTime, formatInstant, toEpoch } from '../../../lib/time.ts'

const LAST = '9999-12-31 23:59:59'

/** A moment after all others: a leap second, which sorts after the last second, and is no date to SQLite. */
export const END_OF_TIME = '9999-12-31 23:59:60'

/** The next second. */
export const nextSecond = (at: DateTime): DateTime =>
  at >= LAST ? END_OF_TIME : formatInstant(toEpoch(at) + 1000)
