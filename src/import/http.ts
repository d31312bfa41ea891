/** Limits of requests to another server, and the waits between them. */
export type RetryPolicy = {
  /** Attempts of one request in all. */
  attempts: number
  /** The first wait before trying again, in milliseconds; it doubles each time. */
  backOffMs: number
  /** The longest wait, whatever the server asks for. */
  maxWaitMs: number
  /** Pause between any two requests, in milliseconds. */
  pauseMs: number
  /** Limit of one request, in milliseconds. */
  timeoutMs: number
  sleep: (ms: number) => Promise<void>
  now: () => number
  /** From 0 up to, but not including, 1. */
  random: () => number
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
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

/** A response whose body has been read. */
export type HttpResponse = { status: number; url: string; headers: Headers; bytes: Uint8Array }

/** Thrown when a server gives no usable response after all attempts. */
export class Unreachable extends Error {}

const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504])

/** HTTP client that sends one request at a time. */
export class Client {
  readonly #policy: RetryPolicy
  #asked = false

  constructor(retry: Partial<RetryPolicy> = {}) {
    this.#policy = { ...DEFAULT_RETRY_POLICY, ...retry }
  }

  /**
   * @param maxBytes limit of the body
   * @returns the response, whatever its status, unless that is a transient one
   * @throws Unreachable if all attempts fail, or the body is too long
   */
  async get(url: string, maxBytes = Number.POSITIVE_INFINITY): Promise<HttpResponse> {
    const { attempts, pauseMs, sleep } = this.#policy
    if (this.#asked) await sleep(pauseMs)
    this.#asked = true
    for (let attempt = 1; ; attempt += 1) {
      const { response, reason } = await this.#try(url, maxBytes)
      if (response && !TRANSIENT.has(response.status)) return response
      if (attempt >= attempts) throw new Unreachable(`${url}: ${reason}, ${attempt} times`)
      await sleep(this.#wait(attempt, response?.headers.get('retry-after') ?? null))
    }
  }

  async #try(url: string, maxBytes: number): Promise<{ response?: HttpResponse; reason: string }> {
    try {
      const fetched = await fetch(url, {
        headers: { 'user-agent': USER_AGENT, accept: 'application/json, text/calendar;q=0.9, */*;q=0.5' },
        signal: AbortSignal.timeout(this.#policy.timeoutMs),
      })
      // The connection may also break in the middle of the body.
      const bytes = await readWithin(fetched, maxBytes)
      const { status, headers } = fetched
      const response = { status, url: fetched.url, headers, bytes }
      return { response, reason: `HTTP ${status}` }
    } catch (error) {
      if (error instanceof Unreachable) throw error
      return { reason: reasonOf(error) }
    }
  }

  /** Milliseconds until the next attempt: those that the server asks for, else exponential back-off with jitter; bounded. */
  #wait(attempt: number, retryAfter: string | null): number {
    const { backOffMs, maxWaitMs, now, random } = this.#policy
    const asked = retryAfter === null ? undefined : waitOf(retryAfter, now())
    const grown = backOffMs * 2 ** (attempt - 1) * (1 + random() / 2)
    return Math.min(asked ?? grown, maxWaitMs)
  }
}

/** The body of a response, of which no more is read than the limit. @throws Unreachable if it is longer */
async function readWithin({ body, headers }: Response, limit: number): Promise<Uint8Array> {
  const tooLong = () => new Unreachable(`longer than ${limit} bytes`)
  if (Number(headers.get('content-length')) > limit) {
    await body?.cancel()
    throw tooLong()
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > limit) throw tooLong()
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** Milliseconds that a Retry-After header means, as seconds or as a date. */
function waitOf(header: string, nowMs: number): number | undefined {
  const seconds = Number(header)
  if (header.trim() !== '' && Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}

/** The message of an error; fetch has it in the cause, behind "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
