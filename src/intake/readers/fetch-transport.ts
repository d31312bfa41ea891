import { isPrivateHost } from '../../lib/private-hosts.ts'
import type { Transport } from './transport.ts'

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
