import { LRUCache } from 'lru-cache'

/** A response that this instance of the Worker has sent, and the entity tag of the state that it shows. */
export type CachedResponse = { tag: string; body: string; headers: [name: string, value: string][] }

/** In characters of keys, bodies and headers; an instance has 128 MB for everything. */
const MOST = 8_000_000
const LARGEST = 400_000

const sizeOf = ({ tag, body, headers }: CachedResponse, address: string): number =>
  address.length + tag.length + body.length + headers.flat().join('').length

/**
 * Responses to anonymous callers, by address. Whoever takes one must make sure that its tag is still current, which
 * takes one row: at 100,000 events the default list is worked out from some 300 rows in 2.7 ms, and sent again in 1.4.
 */
export const responseCache = new LRUCache<string, CachedResponse>({
  maxSize: MOST,
  maxEntrySize: LARGEST,
  sizeCalculation: sizeOf,
})
