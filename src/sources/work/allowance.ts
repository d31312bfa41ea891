import type { RequestContext } from '../../context.ts'
import { FETCH_TRANSPORT } from '../readers/fetch-transport.ts'
import { Client, type ClientOptions } from '../readers/http.ts'
import { type Transport, Unreachable, type UnreadResponse } from '../readers/transport.ts'

/** Requests of an invocation, redirects among them: the free plan allows 50, and webhooks are told as well. */
export const MOST_REQUESTS = 40

/** What the pieces of an invocation may request together. */
export class Allowance implements Transport {
  requests = MOST_REQUESTS
  /** Bytes that came, decompressed. */
  bytes = 0
  readonly #transport: Transport
  readonly leadsToPrivate: Transport['leadsToPrivate']

  /** @param transport that of the Worker by default */
  constructor(transport: Transport = FETCH_TRANSPORT) {
    this.#transport = transport
    this.leadsToPrivate = transport.leadsToPrivate
  }

  send = async (...request: Parameters<Transport['send']>): Promise<UnreadResponse> => {
    if (this.requests === 0) throw new Unreachable(`not asked for, after ${MOST_REQUESTS} requests`)
    this.requests -= 1
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
  transport: Allowance,
  { own, ...patience }: Patience & { own?: string | undefined } = {},
): Client =>
  new Client([url], {
    ...{ transport, maxBytes: 10_000_000, maxRedirects: 3, attempts: 1, timeoutMs: 20_000, pauseMs: 200 },
    ...{ allowsPrivate: settings.allowsPrivateHosts, own },
    ...patience,
  })
