import { type DateTime, formatInstant, MINUTE_MS, toEpoch, type Utc } from './time.ts'

/**
 * The clock of a context. It also notes until when a response may be cached: until the next moment that a
 * caller compared by {@link hasPassed} or named by {@link changesAt}, or until the end of the minute if a
 * caller asked for the time of day by {@link now}.
 */
export class Clock {
  /**
   * The time of the request, UTC. Reading it leaves no note, so caches may keep the response all day. It is
   * for what caches know anyway (the day, and the next date of scheduled content), and for statements whose
   * caller says by {@link changesAt} when their results change. All other code asks for {@link now}.
   */
  readonly untrackedTime: Utc
  /** True for reads that are cached: within a minute, equal requests get equal responses. */
  countsMinutes = false
  readonly #ms: number
  #until: DateTime | undefined

  /** @param ms epoch milliseconds */
  constructor(ms: number) {
    this.#ms = ms
    this.untrackedTime = formatInstant(ms)
  }

  /** The moment (UTC) at which the response may change; undefined if it stays the same all day. */
  get until(): Utc | undefined {
    return this.#until
  }

  /** The time of day, UTC. The response is not cached beyond this minute. */
  now(): Utc {
    this.endWithMinute()
    return this.countsMinutes ? formatInstant(this.#minute) : this.untrackedTime
  }

  /** True if a moment (UTC) has passed. If not, the response is not cached beyond that moment. */
  hasPassed(moment: DateTime): boolean {
    this.changesAt(moment)
    return moment <= this.untrackedTime
  }

  /** Keeps a response from being cached beyond a moment (UTC) that is yet to come. */
  changesAt(moment: DateTime): void {
    if (moment > this.untrackedTime) this.#endAt(moment)
  }

  /**
   * Keeps a response from being cached beyond this minute, as is right for rows whose changes do not raise
   * the revision.
   */
  endWithMinute(): void {
    this.#endAt(formatInstant(this.#minute + MINUTE_MS))
  }

  /** The seconds from the time of the request to a moment (UTC). */
  secondsUntil(moment: DateTime): number {
    return (toEpoch(moment) - toEpoch(this.untrackedTime)) / 1000
  }

  get #minute(): number {
    return this.#ms - (this.#ms % MINUTE_MS)
  }

  #endAt(moment: DateTime): void {
    if (this.#until === undefined || moment < this.#until) this.#until = moment
  }
}

/** A clock that shows a time. @param time UTC */
export const clockAt = (time: DateTime): Clock => new Clock(toEpoch(time))
