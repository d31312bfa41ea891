import { lookup as resolve } from 'node:dns'
import { lookup as resolveAll } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { isPrivateAddress, isPrivateHost } from '../../lib/private-hosts.ts'

// One request of Node's own client, which `fetch` does not let look at the address that a name leads to.

/** Thrown when a server gives no usable response: the message says why. */
export class Unreachable extends Error {}

const MOST_REDIRECTS = 10
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** A response whose body has been read, and the address that it came from after redirects. */
export type HttpResponse = { status: number; url: string; headers: Headers; bytes: Uint8Array }

type RequestOptions = {
  headers: Readonly<Record<string, string>>
  signal: AbortSignal
  /** Limit of the body, after decompression. */
  maxBytes: number
  /** True if private addresses may be requested. */
  allowsPrivate: boolean
}

/** Tells if an address leads to a private host, by its name or by what it resolves to now. */
export async function leadsToPrivate(url: string): Promise<boolean> {
  const { hostname } = new URL(url)
  if (isPrivateHost(hostname)) return true
  const found = await resolveAll(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
  return found.length > 0 && found.every(({ address }) => isPrivateAddress(address))
}

const refused = (host: string) =>
  new Unreachable(`${host} is in a private network, where only a site of that network may lead`)

/** Resolves names to public addresses only: what was checked is what is connected to. */
const resolvePublic: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '')
    const open = found.filter(({ address }) => !isPrivateAddress(address))
    const [first] = open
    if (!first) return done(refused(hostname), '')
    if (options.all) done(null, open)
    else done(null, first.address, first.family)
  })
}

/**
 * Requests an address, and follows redirects.
 *
 * @throws Unreachable if there can be no response: a body that is too long, a redirect to a private network
 */
export async function request(url: string, options: RequestOptions): Promise<HttpResponse> {
  let address = new URL(url)
  for (let redirects = 0; ; redirects += 1) {
    const response = await send(address, options)
    const { statusCode: status = 0, headers } = response
    if (!REDIRECTS.has(status) || headers.location === undefined) {
      const bytes = await readWithin(response, options.maxBytes)
      return { status, url: address.href, headers: headersOf(response), bytes }
    }
    response.destroy()
    if (redirects === MOST_REDIRECTS) throw new Unreachable(`more than ${MOST_REDIRECTS} redirects`)
    if (!URL.canParse(headers.location, address.href)) throw new Unreachable('a redirect to no address')
    address = new URL(headers.location, address)
  }
}

function send(url: URL, { headers, signal, allowsPrivate }: RequestOptions): Promise<IncomingMessage> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Unreachable(`${url.protocol} is neither http nor https`)
  if (!allowsPrivate && isPrivateHost(url.hostname)) throw refused(url.hostname)
  const start = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    start(url.href, {
      headers: { ...headers, 'accept-encoding': 'gzip, br' },
      signal,
      ...(!allowsPrivate && { lookup: resolvePublic }),
    })
      .once('response', resolve)
      .once('error', reject)
      .end()
  })
}

function headersOf({ headers }: IncomingMessage): Headers {
  const known = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) known.set(name, [value].flat().join(', '))
  return known
}

/** Streams that undo an encoding. Like browsers, they take a body that lacks its last bytes. */
const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  'x-gzip': () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
}

function decoded(response: IncomingMessage): AsyncIterable<Uint8Array> & Pick<Readable, 'destroy'> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return response
  const decoder = DECODERS[encoding]?.()
  if (!decoder) throw new Unreachable(`its encoding ${encoding.slice(0, 50)} is unknown`)
  // Errors reach whoever reads the last stream.
  pipeline(response, decoder, () => {})
  // The decoders are streams of bytes.
  return decoder as unknown as Readable
}

/** The body of a response, of which no more is read than the limit. @throws Unreachable if it is longer */
async function readWithin(response: IncomingMessage, limit: number): Promise<Uint8Array> {
  const tooLong = () => new Unreachable(`longer than ${limit} bytes`)
  try {
    if (Number(response.headers['content-length']) > limit) throw tooLong()
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of decoded(response)) {
      size += chunk.byteLength
      if (size > limit) throw tooLong()
      chunks.push(chunk)
    }
    return new Uint8Array(Buffer.concat(chunks))
  } finally {
    // Of one that was not read to its end, nothing more is wanted.
    if (!response.complete) response.destroy()
  }
}
