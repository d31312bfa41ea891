import { type DateTime, formatInstant, MINUTE_MS, toEpoch } from './time.ts'

/**
 * The clock of a request. Reading the time of day marks the response: caches keep it until the next moment that a caller compared by {@link
 * hasPassed}, or until the end of the minute if a caller only read {@link now}.
 */
export class Clock {
  /** The time of the request, UTC. @see requestTime */
  readonly instant: DateTime
  /** True for reads that are cached: within a minute, equal requests get equal responses. */
  countsMinutes = false
  readonly #ms: number
  #until: DateTime | undefined

  /** @param ms milliseconds since 1970 */
  constructor(ms: number) {
    this.#ms = ms
    this.instant = formatInstant(ms)
  }

  /** The moment (UTC) at which the response may change; undefined if it stays the same all day. */
  get until(): DateTime | undefined {
    return this.#until
  }

  /** The time of day, UTC. It keeps the response from being cached beyond this minute. */
  get now(): DateTime {
    const minute = this.#ms - (this.#ms % MINUTE_MS)
    this.#endAt(formatInstant(minute + MINUTE_MS))
    return this.countsMinutes ? formatInstant(minute) : this.instant
  }

  /** True if a moment (UTC) has passed. If not, it keeps the response from being cached beyond that moment. */
  hasPassed(moment: DateTime): boolean {
    if (moment <= this.instant) return true
    this.#endAt(moment)
    return false
  }

  #endAt(moment: DateTime): void {
    if (this.#until === undefined || moment < this.#until) this.#until = moment
  }
}

/** The part of a context that tells the time. Only requests have a clock, since only their responses are cached. */
export type Timed = { readonly now: DateTime; readonly clock?: Clock | undefined }

/**
 * The time of a request, UTC, without marking the response. It is for the day and the next date of scheduled content, which caches know
 * anyway, and for statements whose results the caller then checks by {@link hasPassed}. All other code reads `now`.
 */
export const requestTime = (context: Timed): DateTime => context.clock?.instant ?? context.now

/** True if a moment (UTC) has passed; a response that depends on it is not cached beyond that moment. */
export const hasPassed = (context: Timed, moment: DateTime): boolean =>
  context.clock?.hasPassed(moment) ?? moment <= context.now

/** Keeps a response from being cached beyond this minute, because it shows rows whose changes do not raise the revision. */
export const changesUnnoticed = ({ clock }: Timed): void => void clock?.now

/** The seconds from the time of a request to a moment (UTC). */
export const secondsUntil = (context: Timed, moment: DateTime): number =>
  (toEpoch(moment) - toEpoch(requestTime(context))) / 1000
