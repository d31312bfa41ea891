import { type DateTime, formatInstant, HOUR_MS, MINUTE_MS, SECOND_MS } from './time.ts'

// Work that waits for others: calendars to read, messages, letters and notices. One mechanism reserves all of
// it, tries it, and postpones it (kit/work/leases.ts). The differences that users notice are in a
// `WaitingWork` next to each kind of work.

/** The times for retrying failed work: the pause after its first failure, its second, and so on. */
export type Retries = {
  pausesMs: readonly number[]
  /** True if the last pause repeats for ever; false if the try after it is the last. */
  isEndless: boolean
}

/** Pauses that double, up to the longest. */
export const doublingPauses = (ms: number, longestMs: number): number[] =>
  ms >= longestMs ? [longestMs] : [ms, ...doublingPauses(2 * ms, longestMs)]

/** The pause after a number of failures, in milliseconds; null after the last one. @param failures from 1 */
export function pauseMs({ pausesMs, isEndless }: Retries, failures: number): number | null {
  const pause = pausesMs[failures - 1] ?? (isEndless ? pausesMs.at(-1) : undefined)
  return pause ?? null
}

/** The time of the next try, UTC; null after the last one. @param failures from 1 */
export function nextTryAt(retries: Retries, failures: number, nowMs: number): DateTime | null {
  const pause = pauseMs(retries, failures)
  return pause === null ? null : formatInstant(nowMs + pause)
}

/** Retries of rows that the database refuses to change: the first failure may have been an accident. */
export const RETRIES_OF_ROWS: Retries = {
  pausesMs: [0, 1, 3, 7, 15, 31, 60].map(minutes => minutes * MINUTE_MS),
  isEndless: true,
}

/** Retries of parts of a source that a database problem kept from being written. */
export const RETRIES_OF_PARTS: Retries = {
  pausesMs: doublingPauses(MINUTE_MS, 15 * MINUTE_MS),
  isEndless: true,
}

/**
 * Retries of single records of a source that the database refuses. A source with a shorter interval tries
 * sooner.
 */
export const RETRIES_OF_RECORDS: Retries = {
  pausesMs: doublingPauses(15 * MINUTE_MS, 256 * HOUR_MS),
  isEndless: true,
}

export type WaitingWork = {
  /** The name of a row in logs and in the table `setbacks`. */
  rowName: string
  /** The most rows that a run handles at the same time. */
  atOnce: number
  /**
   * The time for which a worker reserves a row, longer than the work takes. If the worker has not finished by
   * then, it was killed, and another worker repeats the work. Null for work that must not happen twice:
   * nobody repeats it unasked.
   */
  leaseMs: number | null
  /** The retries while the other side fails. */
  retries: Retries
}

/** Pauses between the tries of a message. */
export const MESSAGE_PAUSES_MS = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS]
