import { type DateTime, formatInstant, toEpoch } from '../../lib/time.ts'

const LAST = '9999-12-31 23:59:59'

/** The first moment after a second. After the last one that there is comes a leap second, which sorts behind it. */
export const nextSecond = (at: DateTime): DateTime =>
  at >= LAST ? '9999-12-31 23:59:60' : formatInstant(toEpoch(at) + 1000)
