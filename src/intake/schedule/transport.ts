import type { RequestContext } from '../../context.ts'
import type { Allowance } from '../../db/allowance.ts'
import { Client, type ClientOptions } from '../readers/http.ts'
import { FETCH_TRANSPORT, type Transport, Unreachable, type UnreadResponse } from '../readers/transport.ts'

/** Takes what sources ask other servers from the allowance of an invocation, redirects included, and counts what comes. */
export class MeteredTransport implements Transport {
  /** Bytes that came, decompressed. */
  bytes = 0
  readonly #allowance: Allowance
  readonly #transport: Transport
  readonly leadsToPrivate: Transport['leadsToPrivate']

  /** @param transport that of the Worker by default */
  constructor(allowance: Allowance, transport: Transport = FETCH_TRANSPORT) {
    this.#allowance = allowance
    this.#transport = transport
    this.leadsToPrivate = transport.leadsToPrivate
  }

  /** The number of requests that are left. */
  get requests(): number {
    return this.#allowance.requests
  }

  send = async (...request: Parameters<Transport['send']>): Promise<UnreadResponse> => {
    if (this.requests <= 0)
      throw new Unreachable('not asked for: it takes more requests than one run may make')
    this.#allowance.requests -= 1
    const response = await this.#transport.send(...request)
    return { ...response, chunks: this.#counted(response.chunks) }
  }

  async *#counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.bytes += chunk.byteLength
      yield chunk
    }
  }
}

/** How servers are asked, where tests ask otherwise. */
export type Patience = Pick<ClientOptions, 'timeoutMs' | 'sleep'>

/** The client with which a source is read. @param own the id of this calendar, which is not read */
export const sourceClient = (
  { settings }: RequestContext,
  url: string,
  transport: Transport,
  { own, ...patience }: Patience & { own?: string | undefined } = {},
): Client =>
  new Client([url], {
    ...{ transport, maxBytes: 10_000_000, maxRedirects: 3, attempts: 1, timeoutMs: 20_000, pauseMs: 200 },
    ...{ allowsPrivate: settings.allowsPrivateHosts, own },
    ...patience,
  })
