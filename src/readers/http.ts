import { codeOfStatus, ReadingError, type ReadingReason, Unreadable } from '../calendar/imports/records.ts'
import { messageOf } from '../kit/lib/errors.ts'
import { isPrivateHost, isWebPort, NO_WEB_PORT } from '../kit/lib/network.ts'
import { pause } from '../kit/lib/pause.ts'
import type { ReadingCode } from '../kit/lib/reasons.ts'
import { readUpTo, toUtf8 } from '../kit/lib/streams.ts'
import { MINUTE_MS } from '../kit/lib/time.ts'

/** Thrown if a server gives no usable response. The message says why. */
export class Unreachable extends ReadingError {
  override readonly name = 'Unreachable'
}

/** A response whose body has been read, and the address that it came from after redirects. */
export type HttpResponse = { status: number; url: string; headers: Headers; bytes: Uint8Array }

/** A response whose body has not been read. */
export type UnreadResponse = {
  status: number
  headers: Headers
  /** The body, decompressed. */
  chunks: AsyncIterable<Uint8Array>
  /** Closes the connection if the body has not been read to its end. */
  cancel: () => void
}

type SendOptions = {
  headers: Readonly<Record<string, string>>
  signal: AbortSignal
  /** True if private addresses may be requested. */
  allowsPrivate: boolean
}

/**
 * Sends one request, to a public address unless others are allowed, and follows no redirect. Node's transport
 * checks the addresses to which names resolve. The Worker cannot look names up, so its transport checks the
 * names only.
 */
export type Transport = (url: URL, options: SendOptions) => Promise<UnreadResponse>

/** The error for a host in a private network. */
export const privateHost = (host: string): Unreachable =>
  new Unreachable(
    `${host} is in a private network, where only a site of that network may lead`,
    'source_private',
  )

const MAX_REDIRECTS = 10
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * @property maxBytes limit on the body, after decompression
 * @property maxRedirects the number of redirects to follow (10)
 * @property mayFollow true for an address to which a redirect may lead; by default all are followed
 */
type RequestOptions = SendOptions & {
  maxBytes: number
  maxRedirects?: number | undefined
  mayFollow?: ((url: URL) => Promise<boolean>) | undefined
}

/**
 * Requests an address, and follows redirects. Each hop is checked like the first one.
 *
 * @throws Unreachable if there cannot be a response, because the body is too long or a redirect leads to a
 *   private network
 */
async function request(
  send: Transport,
  url: string,
  { maxBytes, maxRedirects = MAX_REDIRECTS, mayFollow, ...options }: RequestOptions,
): Promise<HttpResponse> {
  let address = new URL(url)
  for (let redirects = 0; ; redirects += 1) {
    if (address.protocol !== 'http:' && address.protocol !== 'https:')
      throw new Unreachable(`${address.protocol} is neither http nor https`, 'source_redirects')
    if (!options.allowsPrivate && isPrivateHost(address.hostname)) throw privateHost(address.hostname)
    if (!isWebPort(address)) throw new Unreachable(`${address.host} ${NO_WEB_PORT}`, 'source_redirects')
    const response = await send(address, options)
    const { status, headers } = response
    const location = headers.get('location')
    if (!REDIRECTS.has(status) || location === null)
      return { status, url: address.href, headers, bytes: await readWithin(response, maxBytes) }
    response.cancel()
    if (redirects === maxRedirects)
      throw new Unreachable(`more than ${maxRedirects} redirects`, 'source_redirects')
    if (!URL.canParse(location, address.href))
      throw new Unreachable('a redirect to no address', 'source_redirects')
    address = new URL(location, address)
    if (mayFollow && !(await mayFollow(address)))
      throw new Unreachable(`it leads to ${address.href}, which is not read`, 'source_redirects')
  }
}

/** Reads the body of a response up to a limit. @throws Unreachable if it is longer */
async function readWithin({ headers, chunks, cancel }: UnreadResponse, limit: number): Promise<Uint8Array> {
  const tooLong = () => new Unreachable(`longer than ${limit} bytes`, 'source_too_large')
  try {
    if (Number(headers.get('content-length')) > limit) throw tooLong()
    const { bytes, isWhole } = await readUpTo(chunks, limit)
    if (!isWhole) throw tooLong()
    return bytes
  } finally {
    cancel()
  }
}

/**
 * Requests of the Worker, which cannot resolve names. Only the platform can keep them from private addresses.
 */
export const fetchTransport: Transport = async (url, { headers, signal }) => {
  const { status, headers: receivedHeaders, body } = await fetch(url, { headers, signal, redirect: 'manual' })
  return {
    status,
    headers: receivedHeaders,
    chunks: body ?? NO_CHUNKS,
    // A body that has been read, or that broke off, needs no cancelling.
    cancel: () => void body?.cancel().catch(() => {}),
  }
}

const NO_CHUNKS: AsyncIterable<Uint8Array> = {
  async *[Symbol.asyncIterator]() {},
}

/** Limits of requests to another server, and the waits between them. */
type RequestPolicy = {
  /** All attempts of one request, including the first. */
  attempts: number
  /** The longest wait, whatever the server asks for. */
  maxWaitMs: number
  /** Pause between any two requests, in milliseconds. */
  pauseMs: number
  /** Time limit of one request, in milliseconds. */
  timeoutMs: number
  sleep: (ms: number) => Promise<void>
  /** From 0 up to, but not including, 1. */
  random: () => number
}

const DEFAULT_REQUEST_POLICY: RequestPolicy = {
  attempts: 6,
  maxWaitMs: MINUTE_MS,
  pauseMs: 200,
  timeoutMs: MINUTE_MS,
  sleep: pause,
  random: Math.random,
}

/** The first wait before trying again, in milliseconds; it doubles each time. */
const BACK_OFF_MS = 1_000

/** The name of the importer in requests, and in the robots.txt of sites. */
export const AGENT = 'event-calendar-import'
const USER_AGENT = `${AGENT}/1 (moves a calendar; one request at a time)`

/** Limit on a response's body in bytes, after decompression. */
const MAX_BYTES = 50_000_000

const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504])

export type ClientOptions = Partial<RequestPolicy> & {
  transport: Transport
  /** True if private addresses may be requested, which a site could lead to. */
  allowsPrivate: boolean
  /** The id of this calendar. Responses that carry it are not read. */
  ownId?: string | undefined
  maxBytes?: number
  maxRedirects?: number
  /**
   * Aborted when nothing more is to be requested: the request under way ends, and others throw its reason.
   */
  signal?: AbortSignal
}

/** Validators of a response, with which a later request can ask whether it has changed. */
export type Validators = { etag?: string; lastModified?: string }

/** Options of one request. Absent limits are those of the client. */
export type GetOptions = Partial<Pick<RequestPolicy, 'pauseMs' | 'timeoutMs'>> & {
  maxBytes?: number
  maxRedirects?: number
  known?: Validators | undefined
  mayFollow?: (url: URL) => Promise<boolean>
}

/** HTTP client that sends one request at a time. */
export class Client {
  /** The id of this calendar, whose own responses are not read. */
  readonly ownId: string | undefined
  readonly #options: ClientOptions & RequestPolicy
  /**
   * Shared with the clients that are made from this one: they pause after its requests, and it pauses after
   * theirs.
   */
  #shared = { hasRequested: false }

  constructor(options: ClientOptions) {
    this.ownId = options.ownId
    this.#options = { ...DEFAULT_REQUEST_POLICY, ...options }
  }

  /** The same client, until a signal is aborted. */
  until(signal: AbortSignal): Client {
    const client = new Client({ ...this.#options, signal })
    client.#shared = this.#shared
    return client
  }

  /**
   * @param options.maxBytes limit on the body
   * @param options.pauseMs, options.timeoutMs instead of those of the client, in milliseconds
   * @param options.known the validators of an earlier response: if nothing has changed, the response is a 304
   * @returns the response, whatever its status, unless that is a transient one
   * @throws Unreadable if it comes from this calendar itself; Unreachable if all attempts fail, the body is
   *   too long, or a redirect leads to a private network
   */
  async get(url: string, options: GetOptions = {}): Promise<HttpResponse> {
    const { attempts, pauseMs, signal } = this.#options
    if (this.#shared.hasRequested) await this.#sleep(options.pauseMs ?? pauseMs)
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted()
      this.#shared.hasRequested = true
      const { response, reason, code } = await this.#try(url, options)
      if (this.ownId !== undefined && response?.headers.get('x-calendar-id') === this.ownId)
        throw new Unreadable(`${url} is this calendar itself`, 'source_itself')
      if (response && !TRANSIENT.has(response.status)) return response
      if (attempt >= attempts)
        throw new Unreachable(`${url}: ${reason}${attempt > 1 ? `, ${attempt} times` : ''}`, code)
      await this.#sleep(this.#wait(attempt, response?.headers.get('retry-after') ?? null))
    }
  }

  /** Waits, but ends as soon as the signal is aborted. @throws the reason of the signal */
  async #sleep(ms: number): Promise<void> {
    const { sleep, signal } = this.#options
    signal?.throwIfAborted()
    const aborted = Promise.withResolvers<never>()
    const wake = () => aborted.reject(signal?.reason)
    signal?.addEventListener('abort', wake)
    try {
      await Promise.race([sleep(ms), aborted.promise])
    } finally {
      signal?.removeEventListener('abort', wake)
    }
  }

  async #try(
    url: string,
    givenOptions: GetOptions,
  ): Promise<{ response?: HttpResponse } & ReadingReason & { code: ReadingCode }> {
    const options = { ...this.#options, ...givenOptions }
    const { transport, maxBytes = MAX_BYTES, maxRedirects, timeoutMs, allowsPrivate } = options
    const { mayFollow, known: { etag, lastModified } = {} } = givenOptions
    const signal = AbortSignal.any([
      AbortSignal.timeout(timeoutMs),
      ...(options.signal ? [options.signal] : []),
    ])
    try {
      const response = await request(transport, url, {
        headers: {
          'user-agent': USER_AGENT,
          accept: 'application/json, text/calendar;q=0.9, */*;q=0.5',
          ...(etag && { 'if-none-match': etag }),
          ...(lastModified && { 'if-modified-since': lastModified }),
        },
        signal,
        maxBytes,
        maxRedirects,
        mayFollow,
        allowsPrivate,
      })
      return { response, reason: `HTTP ${response.status}`, code: codeOfStatus(response.status) }
    } catch (error) {
      // If the caller has aborted the request, nothing is wrong with the server.
      options.signal?.throwIfAborted()
      if (error instanceof Unreachable)
        throw new Unreachable(`${url}: ${error.message}`, error.code, { cause: error })
      // A body that is cut off throws different errors.
      return signal.aborted
        ? { reason: `no end after ${timeoutMs / 1000} seconds`, code: 'source_slow' }
        : { reason: messageOf(error), code: 'source_silent' }
    }
  }

  /**
   * Milliseconds until the next attempt: as many as the server asks for, or exponential back-off with jitter
   * if it names no time that is still to come, within bounds.
   */
  #wait(attempt: number, retryAfter: string | null): number {
    const { maxWaitMs, random } = this.#options
    const askedMs = retryAfter === null ? undefined : waitOf(retryAfter)
    const backOffMs = BACK_OFF_MS * 2 ** (attempt - 1) * (1 + random() / 2)
    return Math.min(askedMs || backOffMs, maxWaitMs)
  }
}

/** Milliseconds that a Retry-After header means, as seconds or as a date. */
function waitOf(header: string): number | undefined {
  const seconds = Number(header)
  if (header.trim() !== '' && Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

/**
 * The encoding that bytes of text reveal: by a byte order mark, or by every second byte being zero, as in
 * UTF-16 of ASCII.
 */
export function encodingOf([a, b, c, d]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if ((a === 0xff && b === 0xfe) || (a && b === 0 && c && d === 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && b && c === 0 && d)) return 'utf-16be'
  return undefined
}

/**
 * Decodes bytes in the encoding that they reveal, in UTF-8, or else in that of Western European Windows,
 * which some programs write.
 */
export const decodeText = (bytes: Uint8Array): string => decodeBytes(bytes).text

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/**
 * Like {@link decodeText}, with the first line that is not UTF-8, if there is one. In a file that is UTF-8
 * except for some bytes, only these are read in the other encoding.
 */
export function decodeBytes(bytes: Uint8Array): { text: string; foreign?: string } {
  const encoding = encodingOf(bytes) ?? 'utf-8'
  // A truncated character of UTF-16 is no reason to read the rest in another encoding.
  if (encoding !== 'utf-8') return { text: new TextDecoder(encoding).decode(bytes) }
  try {
    return { text: new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes) }
  } catch {
    const windows = new TextDecoder('windows-1252').decode(bytes)
    const { text, good, bad, at } = decodeMixed(bytes)
    const isMarked = BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte)
    const decoded = isMarked || good > bad ? text : windows
    const line = windows.slice(windows.lastIndexOf('\n', at) + 1)
    return { text: decoded, foreign: /^[^\r\n]*/.exec(line)?.[0] ?? '' }
  }
}

/**
 * A text in UTF-8 with single bytes of Windows-1252, the number of characters of either, and the place of the
 * first such byte.
 */
function decodeMixed(bytes: Uint8Array): { text: string; good: number; bad: number; at: number } {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const windows = new TextDecoder('windows-1252')
  const parts: string[] = []
  let utf8Count = 0
  let otherCount = 0
  let position = 0
  let from = 0
  const flush = (to: number) => void parts.push(utf8.decode(bytes.subarray(from, to)))
  for (let i = 0; i < bytes.length; ) {
    const length = characterAt(bytes, i)
    if (length > 1) utf8Count += 1
    i += length
    if (length > 0) continue
    flush(i)
    if (otherCount++ === 0) position = i
    parts.push(windows.decode(bytes.subarray(i, i + 1)))
    i += 1
    from = i
  }
  flush(bytes.length)
  return { text: parts.join(''), good: utf8Count, bad: otherCount, at: position }
}

/**
 * The ranges of the second byte of a character of UTF-8, where its first byte makes them narrower (Unicode,
 * table 3-7).
 */
const SECOND_BYTES: Readonly<Record<number, readonly [from: number, to: number]>> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
}

/**
 * The number of bytes of the character of UTF-8 at a place; 0 if there is none. A file may have millions:
 * decoding each would take seconds.
 */
function characterAt(bytes: Uint8Array, position: number): number {
  const first = bytes[position] ?? 0
  if (first < 0x80) return 1
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  const [from, to] = SECOND_BYTES[first] ?? [0x80, 0xbf]
  for (let n = 1; n < length; n += 1) {
    const byte = bytes[position + n] ?? 0
    if (byte < (n === 1 ? from : 0x80) || byte > (n === 1 ? to : 0xbf)) return 0
  }
  return length
}

/** Converts UTF-16 to UTF-8, and leaves other bytes as they are. */
export const withoutUtf16 = (bytes: Uint8Array): Uint8Array =>
  encodingOf(bytes)?.startsWith('utf-16') ? toUtf8(decodeText(bytes)) : bytes
