import { messageOf } from '../../lib/errors.ts'
import { Unreadable } from '../records.ts'
import { type HttpResponse, request, type Transport, Unreachable } from './transport.ts'

export { type HttpResponse, Unreachable }

/** Limits of requests to another server, and the waits between them. */
type RetryPolicy = {
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

/** The name of the importer in requests, and in the robots.txt of sites. */
export const AGENT = 'event-calendar-import'
const USER_AGENT = `${AGENT}/1 (moves a calendar; one request at a time)`

/** Limit of a response's body in bytes, after decompression. */
const MAX_BYTES = 50_000_000

const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * @property allowsPrivate if private addresses may be requested; by default if a given one is in such a network itself
 */
export type ClientOptions = Partial<RetryPolicy> & {
  transport: Transport
  allowsPrivate?: boolean
  /** The id of this calendar: what sends it as its own is not read. */
  own?: string | undefined
  maxBytes?: number
  maxRedirects?: number
}

/** What a response says of itself, so that a later request can ask whether that still holds. */
export type Validators = { etag?: string; lastModified?: string }

/** Options of one request; limits that are absent are those of the client. */
export type GetOptions = Partial<Pick<RetryPolicy, 'pauseMs' | 'timeoutMs'>> & {
  maxBytes?: number
  maxRedirects?: number
  known?: Validators | undefined
  mayFollow?: (url: URL) => Promise<boolean>
}

/**
 * HTTP client that sends one request at a time. What sites say leads it to private networks only if one of the addresses that
 * it was given is in such a network itself.
 */
export class Client {
  /** The id of this calendar, which is not read. */
  readonly own: string | undefined
  readonly #given: readonly string[]
  readonly #options: ClientOptions & RetryPolicy
  #allowsPrivate: boolean | undefined
  #requests = 0

  /** @param given the addresses that somebody wants to be read */
  constructor(given: readonly string[], options: ClientOptions) {
    this.own = options.own
    this.#given = given
    this.#allowsPrivate = options.allowsPrivate
    this.#options = { ...DEFAULT_RETRY_POLICY, ...options }
  }

  /**
   * @param options.maxBytes limit of the body
   * @param options.pauseMs, options.timeoutMs instead of those of the client, in milliseconds
   * @param options.known what an earlier response said of itself: if it still holds, the response is a 304
   * @returns the response, whatever its status, unless that is a transient one
   * @throws Unreadable if it comes from this calendar itself; Unreachable if all attempts fail, the body is too long, or a redirect leads to a private network
   */
  async get(url: string, options: GetOptions = {}): Promise<HttpResponse> {
    const { attempts, sleep, pauseMs } = this.#options
    if (this.#requests > 0) await sleep(options.pauseMs ?? pauseMs)
    for (let attempt = 1; ; attempt += 1) {
      this.#requests += 1
      const { response, reason } = await this.#try(url, options)
      if (this.own !== undefined && response?.headers.get('x-calendar-id') === this.own)
        throw new Unreadable(`${url} is this calendar itself`)
      if (response && !TRANSIENT.has(response.status)) return response
      if (attempt >= attempts)
        throw new Unreachable(`${url}: ${reason}${attempt > 1 ? `, ${attempt} times` : ''}`)
      await sleep(this.#wait(attempt, response?.headers.get('retry-after') ?? null))
    }
  }

  async #try(url: string, given: GetOptions): Promise<{ response?: HttpResponse; reason: string }> {
    const { transport, maxBytes = MAX_BYTES, maxRedirects, timeoutMs } = { ...this.#options, ...given }
    const { mayFollow, known: { etag, lastModified } = {} } = given
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      this.#allowsPrivate ??= (await Promise.all(this.#given.map(transport.leadsToPrivate))).includes(true)
      const response = await request(transport, url, {
        headers: {
          'user-agent': USER_AGENT,
          accept: 'application/json, text/calendar;q=0.9, */*;q=0.5',
          ...(etag && { 'if-none-match': etag }),
          ...(lastModified && { 'if-modified-since': lastModified }),
        },
        ...{ signal, maxBytes, maxRedirects, mayFollow, allowsPrivate: this.#allowsPrivate },
      })
      return { response, reason: `HTTP ${response.status}` }
    } catch (error) {
      if (error instanceof Unreachable) throw new Unreachable(`${url}: ${error.message}`)
      // What a body that is cut off throws differs.
      return { reason: signal.aborted ? `no end after ${timeoutMs / 1000} seconds` : messageOf(error) }
    }
  }

  /** Milliseconds until the next attempt: those that the server asks for, else exponential back-off with jitter; bounded. */
  #wait(attempt: number, retryAfter: string | null): number {
    const { backOffMs, maxWaitMs, now, random } = this.#options
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

/** The encoding that bytes of text show: by a byte order mark, or as UTF-16 of ASCII, half of which are zeros. */
export function encodingOf([a, b, c, d]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if ((a === 0xff && b === 0xfe) || (a && b === 0 && c && d === 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && b && c === 0 && d)) return 'utf-16be'
  return undefined
}

/** Bytes as text: in the encoding that they show, else in UTF-8. */
export const decodeText = (bytes: Uint8Array): string =>
  new TextDecoder(encodingOf(bytes) ?? 'utf-8').decode(bytes)

/** Bytes of UTF-16 as those of UTF-8; any others as they are. */
export const withoutUtf16 = (bytes: Uint8Array): Uint8Array =>
  encodingOf(bytes)?.startsWith('utf-16') ? new TextEncoder().encode(decodeText(bytes)) : bytes
