import { type DateTime, formatInstant, toEpoch } from '../../lib/time.ts'

const LAST = '9999-12-31 23:59:59'

/** A moment after all that there are: a leap second, which sorts behind the last one, and which SQLite takes for none. */
export const END_OF_TIME = '9999-12-31 23:59:60'

/** The first moment after a second. */
export const nextSecond = (at: DateTime): DateTime =>
  at >= LAST ? END_OF_TIME : formatInstant(toEpoch(at) + 1000)
