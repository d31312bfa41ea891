import type { Context } from 'hono'
import { isDailyLimit } from '../db/failures.ts'
import type { Query } from '../db/query.ts'
import type { AppEnv } from '../env.ts'
import { RESPONSE_CACHE } from '../lib/budgets.ts'
import { shortDigest } from '../lib/digest.ts'
import { LruCache } from '../lib/memo.ts'
import { isBytes, type Reply } from './reply.ts'
import {
  audienceOf,
  CALENDAR_HEADER,
  calendarId,
  contentTag,
  EDITORS,
  entityTag,
  isUnchangedSince,
  lastModified,
  PUBLIC,
  quotedTag,
  type Revision,
  revisionQuery,
  secondsUnchanged,
  tagsIn,
  today,
} from './revision.ts'

/**
 * A response that this instance of the Worker has sent, with its entity tag. The body is kept as bytes: as a string,
 * text with non-Latin letters would take more memory than in UTF-8, and would be encoded again each time.
 */
export type CachedResponse = {
  tag: string
  body: Uint8Array<ArrayBuffer>
  headers: [name: string, value: string][]
}

/** The memory of a response: two bytes for each character that stays in a string, and some for the objects themselves. */
const sizeOf = ({ tag, body, headers }: CachedResponse, address: string): number =>
  ENTRY + body.byteLength + 2 * (address.length + tag.length + headers.flat().join('').length)

const ENTRY = 500

/**
 * Responses to anonymous callers, by cache key. Before one is sent again, its tag must be compared with the current one,
 * which costs one row: at 100,000 events the default list takes some 300 rows and 2.7 ms when computed, and 1.4 ms when
 * sent again; a calendar of 5,000 events takes 70,000 rows.
 */
export const responseCache = new LruCache<CachedResponse>({
  most: RESPONSE_CACHE.most,
  largest: RESPONSE_CACHE.largest,
  sizeOf,
})

/** The names of headers that describe the content rather than the request, besides those that a route declares. */
const KEPT: readonly string[] = ['content-type', 'etag', 'last-modified']

type CacheableRead = {
  /** The path with all known parameters. Unknown ones make no difference. */
  address: string
  /** True if a parameter's meaning changes with the time. */
  dependsOnClock: boolean
  /** Names of the headers that the route declares. */
  declared: readonly string[]
  /** The body of a reply as text. */
  content: (body: unknown) => string | Uint8Array<ArrayBuffer>
}

/** The key of everything that a response depends on apart from the database: address, audience, day, build and settings. */
function cacheKey(c: Context<AppEnv>, { address, dependsOnClock }: CacheableRead): string {
  const context = c.get('context')
  const build = c.env.CF_VERSION_METADATA?.id ?? ''
  const moment = dependsOnClock ? context.now : today(context)
  return [context.api, address, audienceOf(context.caller), moment, build, context.settings.fingerprint].join(
    ' ',
  )
}

/** Runs a query along with the query for the database's revision, in one round trip. */
export type WithRevision = <T>(query: Query<T>) => Promise<T>

/**
 * Responds to a read with 304 or from the cache if the revision, which costs one row, shows that nothing has changed;
 * otherwise runs the handler. A body that is kept is encoded only once, for the response and for the cache.
 */
export async function cachedRead(
  c: Context<AppEnv>,
  read: CacheableRead,
  workOut: (load: WithRevision) => Promise<Reply<number, unknown>>,
  send: (reply: Reply<number, unknown>, bytes?: Uint8Array<ArrayBuffer>) => Response,
): Promise<Response> {
  const context = c.get('context')
  const key = cacheKey(c, read)
  const audience = audienceOf(context.caller)
  const isPublic = audience === PUBLIC
  // A tag made from the revision would reveal to authors and contributors that others have changed hidden content.
  const hasOwnTags = !isPublic && audience !== EDITORS
  const cached = isPublic ? responseCache.get(key) : undefined
  const known = c.req.header('if-none-match')
  // An entity tag takes precedence over a date (RFC 9110 §13.1.3), which is useless for responses that depend on the
  // clock.
  const since = known === undefined && !read.dependsOnClock ? c.req.header('if-modified-since') : undefined
  if (!hasOwnTags && (cached || known !== undefined || since !== undefined)) {
    const revision = await currentRevision(c, isPublic)
    if (isPublic) setSharedSeconds(c, read, revision)
    const tag = revision && (await entityTag(revision, key))
    const unchanged = revision && tag && notModified(c, tag, revision)
    if (unchanged) return unchanged
    if (revision && since !== undefined && isUnchangedSince(since, revision, context)) {
      c.header('Last-Modified', lastModified(revision, context))
      return c.body(null, 304)
    }
    if (revision && cached && cached.tag === tag) {
      c.set('cache', 'memory')
      const headers = Object.fromEntries(cached.headers)
      return c.body(cached.body, 200, { ...headers, 'last-modified': lastModified(revision, context) })
    }
  }
  let revision: Revision | undefined
  const reply = await workOut(async query => {
    const [current, value] = await context.db.batch([revisionQuery(context), query])
    revision = current
    await sayWho(c, revision)
    // Done here, because redirects are thrown.
    if (isPublic) setSharedSeconds(c, read, revision)
    return value
  })
  if (hasOwnTags) {
    const tag = await contentTag(reply.body, key)
    const unchanged = notModified(c, tag)
    if (unchanged) return unchanged
    c.header('ETag', quotedTag(tag, reply.version, revision?.epoch))
    return send(reply)
  }
  if (isPublic) latest = revision
  const tag = revision && (await entityTag(revision, key))
  if (revision && tag) {
    c.header('ETag', quotedTag(tag, reply.version, revision.epoch))
    c.header('Last-Modified', lastModified(revision, context))
  }
  if (!tag || !isPublic || reply.status !== 200) return send(reply)
  const content = read.content(reply.body)
  const body = isBytes(content) ? content : encoded(content)
  const response = send(reply, body)
  const kept = [...KEPT, ...read.declared.map(name => name.toLowerCase())]
  responseCache.set(key, {
    tag,
    body,
    headers: [...response.headers].filter(([name]) => kept.includes(name)),
  })
  return response
}

// encode() does not return shared memory, though its type allows it.
const encoded = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>

/** The bytes and tags of bodies that have been sent before. */
const fixed = new WeakMap<object, { bytes: Uint8Array<ArrayBuffer>; tag: string }>()

/**
 * Responds with a body that stays the same object until its content changes: it is encoded once, and clients that have it get a 304.
 * The document of the API is 600 KB, whose text took 8 ms of CPU each time (in Node, on two cores).
 */
export async function fixedRead(
  c: Context<AppEnv>,
  address: string,
  { body, ...reply }: Reply<number, object>,
  send: (reply: Reply<number, unknown>, bytes?: Uint8Array<ArrayBuffer>) => Response,
): Promise<Response> {
  // No promises are kept: a request must not wait for what another request has started.
  const known = fixed.get(body) ?? { bytes: encoded(JSON.stringify(body)), tag: await contentTag(body, '') }
  fixed.set(body, known)
  const tag = await shortDigest(`${address} ${known.tag}`)
  for (const [name, value] of Object.entries(reply.headers ?? {})) c.header(name, value)
  const unchanged = notModified(c, tag)
  if (unchanged) return unchanged
  c.header('ETag', quotedTag(tag))
  return send({ ...reply, body }, known.bytes)
}

/** The last public revision that this instance has seen. */
let latest: Revision | undefined

/**
 * The revision of the database. If the database has reached its limit for the day, nobody can change it either: public
 * responses of the latest known revision stay in use until then, marked as stale.
 */
async function currentRevision(c: Context<AppEnv>, isPublic: boolean): Promise<Revision | undefined> {
  const context = c.get('context')
  try {
    const revision = await context.db.get(revisionQuery(context))
    if (isPublic) latest = revision
    await sayWho(c, revision)
    return revision
  } catch (error) {
    if (!isPublic || !latest || !isDailyLimit(error)) throw error
    // RFC 9111 lists this header as obsolete, but it is still the one for this.
    c.header('Warning', '110 - "Response is Stale"')
    await sayWho(c, latest)
    return { ...latest, isDue: false, isPurged: false }
  }
}

/** Sets how long shared caches may keep the response, if they are sure to be purged after the next change. */
function setSharedSeconds(
  c: Context<AppEnv>,
  { dependsOnClock }: CacheableRead,
  revision: Revision | undefined,
): void {
  if (!revision?.isPurged || revision.isDue) c.set('sharedSeconds', undefined)
  else c.set('sharedSeconds', dependsOnClock ? 0 : secondsUnchanged(revision, c.get('context')))
}

/** Names this calendar in the response, so that it does not read itself as a source. */
async function sayWho(c: Context<AppEnv>, revision: Revision | undefined): Promise<void> {
  if (!revision) return
  const context = c.get('context')
  context.calendarId = await calendarId(revision, context.settings.siteUrl)
  c.header(CALENDAR_HEADER, context.calendarId)
}

/** A 304, if the client says that it has the response of this tag. */
function notModified(c: Context<AppEnv>, tag: string, revision?: Revision): Response | undefined {
  const sent = c.req
    .header('if-none-match')
    ?.split(',')
    .find(text => tagsIn(text).includes(tag))
  if (sent === undefined) return undefined
  c.header('ETag', sent.trim().replace(/^W\//, ''))
  if (revision) c.header('Last-Modified', lastModified(revision, c.get('context')))
  return c.body(null, 304)
}
