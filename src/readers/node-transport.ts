import { lookup as resolve } from 'node:dns'
import { lookup as resolveAll } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { pipeline, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { isPrivateAddress, isPrivateHost } from '../kit/lib/network.ts'
import { privateHost, type Transport, Unreachable } from './http.ts'

/**
 * True if one of some addresses leads to a private host, by its name or by the addresses that it resolves to
 * now.
 */
export const leadToPrivate = async (urls: readonly string[]): Promise<boolean> =>
  (await Promise.all(urls.map(leadsToPrivate))).includes(true)

async function leadsToPrivate(url: string): Promise<boolean> {
  const { hostname } = new URL(url)
  if (isPrivateHost(hostname)) return true
  const addresses = await resolveAll(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
  return addresses.length > 0 && addresses.every(({ address }) => isPrivateAddress(address))
}

/** Resolves names to public addresses only, so that connections go to the addresses that were checked. */
const resolvePublic: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '')
    const open = addresses.filter(({ address }) => !isPrivateAddress(address))
    const [first] = open
    if (!first) return callback(privateHost(hostname), '')
    if (options.all) callback(null, open)
    else callback(null, first.address, first.family)
  })
}

const sendRequest = (url: URL, { headers, signal, allowsPrivate }: Parameters<Transport>[1]) =>
  new Promise<IncomingMessage>((settle, reject) => {
    const start = url.protocol === 'https:' ? requestHttps : requestHttp
    start(url.href, {
      headers: { ...headers, 'accept-encoding': 'gzip, br' },
      signal,
      ...(!allowsPrivate && { lookup: resolvePublic }),
    })
      .once('response', settle)
      .once('error', reject)
      .end()
  })

/**
 * Requests with Node's own client, which connects to the addresses that were checked. `fetch` would resolve
 * names again.
 */
export const nodeTransport: Transport = async (url, options) => {
  const response = await sendRequest(url, options)
  return {
    status: response.statusCode ?? 0,
    headers: headersOf(response),
    chunks: decodeBody(response),
    // Drops the rest of a response that was not read to its end.
    cancel: () => void (response.complete || response.destroy()),
  }
}

function headersOf({ headers }: IncomingMessage): Headers {
  const knownHeaders = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) knownHeaders.set(name, [value].flat().join(', '))
  return knownHeaders
}

/** Streams that undo an encoding. Like browsers, they accept a body that lacks its last bytes. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  'x-gzip': () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
}

async function* decodeBody(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return yield* response
  const decoder = DECODERS[encoding]?.()
  if (!decoder)
    throw new Unreachable(`its encoding ${encoding.slice(0, 50)} is unknown`, 'source_no_calendar')
  // Errors reach the reader of the last stream.
  pipeline(response, decoder, () => {})
  yield* decoder
}
