/** How to ask another server: patiently, and not too often. */
export type Manners = {
  /** How often a request is tried in all. */
  attempts: number
  /** The first wait before trying again, in milliseconds; it doubles each time. */
  backOffMs: number
  /** The longest wait, whatever the server asks for. */
  maxWaitMs: number
  /** Between any two requests. */
  pauseMs: number
  /** How long one request may take. */
  timeoutMs: number
  sleep: (ms: number) => Promise<void>
  now: () => number
  /** From 0 up to, but not including, 1. */
  random: () => number
}

export const MANNERS: Manners = {
  attempts: 6,
  backOffMs: 1_000,
  maxWaitMs: 60_000,
  pauseMs: 200,
  timeoutMs: 60_000,
  sleep: ms => new Promise(resolve => setTimeout(resolve, ms)),
  now: Date.now,
  random: Math.random,
}

const USER_AGENT = 'event-calendar-import/1 (moves a calendar; one request at a time)'

/** What a server answered in the end. */
export type Answer = { status: number; url: string; headers: Headers; bytes: Uint8Array }

/** A server could not be made to answer. */
export class Unreachable extends Error {}

const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504])

/** Asks servers, one request at a time. */
export class Client {
  readonly #manners: Manners
  #asked = false

  constructor(manners: Partial<Manners> = {}) {
    this.#manners = { ...MANNERS, ...manners }
  }

  /**
   * @returns the answer, whatever its status, unless that is one that passes
   * @throws Unreachable if all attempts fail
   */
  async get(url: string): Promise<Answer> {
    const { attempts, pauseMs, sleep } = this.#manners
    if (this.#asked) await sleep(pauseMs)
    this.#asked = true
    for (let attempt = 1; ; attempt += 1) {
      const { answer, problem } = await this.#try(url)
      if (answer && !TRANSIENT.has(answer.status)) return answer
      if (attempt >= attempts) throw new Unreachable(`${url}: ${problem}, ${attempt} times`)
      await sleep(this.#wait(attempt, answer?.headers.get('retry-after') ?? null))
    }
  }

  async #try(url: string): Promise<{ answer?: Answer; problem: string }> {
    try {
      const response = await fetch(url, {
        headers: { 'user-agent': USER_AGENT, accept: 'application/json, text/calendar;q=0.9, */*;q=0.5' },
        signal: AbortSignal.timeout(this.#manners.timeoutMs),
      })
      // The connection may also break in the middle of the body.
      const bytes = new Uint8Array(await response.arrayBuffer())
      const answer = { status: response.status, url: response.url, headers: response.headers, bytes }
      return { answer, problem: `HTTP ${response.status}` }
    } catch (error) {
      return { problem: reasonOf(error) }
    }
  }

  /** What the server asks for, else twice as long as the last time and up to half as long again; both bounded. */
  #wait(attempt: number, retryAfter: string | null): number {
    const { backOffMs, maxWaitMs, now, random } = this.#manners
    const asked = retryAfter === null ? undefined : waitOf(retryAfter, now())
    const grown = backOffMs * 2 ** (attempt - 1) * (1 + random() / 2)
    return Math.min(asked ?? grown, maxWaitMs)
  }
}

/** Milliseconds that a Retry-After header means, as seconds or as a date. */
function waitOf(header: string, nowMs: number): number | undefined {
  const seconds = Number(header)
  if (header.trim() !== '' && Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}

/** fetch hides what went wrong behind "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
