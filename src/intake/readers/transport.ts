import { isPrivateHost } from '../../lib/network.ts'

/** Thrown when a server gives no usable response: the message says why. */
export class Unreachable extends Error {}

/** A response whose body has been read, and the address that it came from after redirects. */
export type HttpResponse = { status: number; url: string; headers: Headers; bytes: Uint8Array }

/** A response whose body has not been read. */
export type UnreadResponse = {
  status: number
  headers: Headers
  /** The body, decompressed. */
  chunks: AsyncIterable<Uint8Array>
  /** Ends the connection if the body has not come to its end. */
  cancel: () => void
}

type Sending = {
  headers: Readonly<Record<string, string>>
  signal: AbortSignal
  /** True if private addresses may be requested. */
  allowsPrivate: boolean
}

/** A way to send requests: Node's, which looks at the addresses that names lead to, or the Worker's, which sees names only. */
export type Transport = {
  /** Sends one request, to a public address unless others are allowed. Redirects are not followed. */
  send: (url: URL, options: Sending) => Promise<UnreadResponse>
  /** Tells if an address leads to a private host, as far as can be known. */
  leadsToPrivate: (url: string) => Promise<boolean>
}

/** The refusal of a host in a private network. */
export const refused = (host: string): Unreachable =>
  new Unreachable(`${host} is in a private network, where only a site of that network may lead`)

const MOST_REDIRECTS = 10
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * @property maxBytes limit of the body, after decompression
 * @property maxRedirects how many redirects are followed (10)
 * @property mayFollow tells if a redirect to an address is followed; by default all are
 */
type Request = Sending & {
  maxBytes: number
  maxRedirects?: number | undefined
  mayFollow?: ((url: URL) => Promise<boolean>) | undefined
}

/**
 * Requests an address, and follows redirects. Each hop is looked at as the first one.
 *
 * @throws Unreachable if there can be no response: a body that is too long, a redirect to a private network
 */
export async function request(
  { send }: Transport,
  url: string,
  { maxBytes, maxRedirects = MOST_REDIRECTS, mayFollow, ...options }: Request,
): Promise<HttpResponse> {
  let address = new URL(url)
  for (let redirects = 0; ; redirects += 1) {
    if (address.protocol !== 'http:' && address.protocol !== 'https:')
      throw new Unreachable(`${address.protocol} is neither http nor https`)
    if (!options.allowsPrivate && isPrivateHost(address.hostname)) throw refused(address.hostname)
    const response = await send(address, options)
    const { status, headers } = response
    const location = headers.get('location')
    if (!REDIRECTS.has(status) || location === null)
      return { status, url: address.href, headers, bytes: await readWithin(response, maxBytes) }
    response.cancel()
    if (redirects === maxRedirects) throw new Unreachable(`more than ${maxRedirects} redirects`)
    if (!URL.canParse(location, address.href)) throw new Unreachable('a redirect to no address')
    address = new URL(location, address)
    if (mayFollow && !(await mayFollow(address)))
      throw new Unreachable(`it leads to ${address.href}, which is not read`)
  }
}

/** The body of a response, of which no more is read than the limit. @throws Unreachable if it is longer */
async function readWithin({ headers, chunks, cancel }: UnreadResponse, limit: number): Promise<Uint8Array> {
  const tooLong = () => new Unreachable(`longer than ${limit} bytes`)
  try {
    if (Number(headers.get('content-length')) > limit) throw tooLong()
    const read: Uint8Array[] = []
    let size = 0
    for await (const chunk of chunks) {
      size += chunk.byteLength
      if (size > limit) throw tooLong()
      read.push(chunk)
    }
    const bytes = new Uint8Array(size)
    let at = 0
    for (const chunk of read) {
      bytes.set(chunk, at)
      at += chunk.byteLength
    }
    return bytes
  } finally {
    cancel()
  }
}

/** Requests of the Worker. Names are not resolved here: that one leads to a private address is up to the platform. */
export const FETCH_TRANSPORT: Transport = {
  leadsToPrivate: async url => isPrivateHost(new URL(url).hostname),
  send: async (url, { headers, signal }) => {
    const { status, headers: received, body } = await fetch(url, { headers, signal, redirect: 'manual' })
    return {
      status,
      headers: received,
      chunks: body ?? NOTHING,
      // One that has been read, or that broke off, is over.
      cancel: () => void body?.cancel().catch(() => {}),
    }
  },
}

const NOTHING: AsyncIterable<Uint8Array> = {
  async *[Symbol.asyncIterator]() {},
}
