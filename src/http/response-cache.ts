import { Recent } from '../lib/recent.ts'

/**
 * A response that this instance of the Worker has sent, with its entity tag. The body is kept as it is sent: a text of
 * other letters than Latin ones takes twice as much in memory as in UTF-8, and is encoded again each time.
 */
export type CachedResponse = {
  tag: string
  body: Uint8Array<ArrayBuffer>
  headers: [name: string, value: string][]
}

/**
 * Limits of the cache and of one response, in bytes of keys, bodies and headers; an instance has 128 MB. The largest are
 * feeds and sitemaps, which are asked for most often, change least and take the longest to work out.
 */
const MOST = 24_000_000
const LARGEST = 8_000_000

/** Two bytes for each character of what stays a string, and some for the objects themselves. */
const sizeOf = ({ tag, body, headers }: CachedResponse, address: string): number =>
  ENTRY + body.byteLength + 2 * (address.length + tag.length + headers.flat().join('').length)

const ENTRY = 500

/**
 * Responses to anonymous callers, by cache key. Before one is sent again, its tag must be compared with the current one,
 * which costs one row: at 100,000 events the default list takes some 300 rows and 2.7 ms when computed, and 1.4 ms when
 * sent again; a calendar of 5,000 events takes 70,000 rows.
 */
export const responseCache = new Recent<CachedResponse>({ most: MOST, largest: LARGEST, sizeOf })
