import type { Context } from 'hono'
import { isDailyLimit } from '../db/failures.ts'
import { combineQueries, type Query, resolvedQuery } from '../db/query.ts'
import type { AppEnv } from '../env.ts'
import { RESPONSE_CACHE } from '../lib/budgets.ts'
import { shortDigest } from '../lib/hash.ts'
import { LruCache } from '../lib/memo.ts'
import { toUtf8 } from '../lib/streams.ts'
import { type DateTime, daysLater } from '../lib/time.ts'
import { isBytes, JsonText, type Reply } from './reply.ts'
import {
  audienceOf,
  CALENDAR_HEADER,
  calendarId,
  contentTag,
  EDITORS,
  entityTag,
  isUnchangedSince,
  lastModified,
  midnightAfter,
  PUBLIC,
  quotedTag,
  type Revision,
  readWithRevision,
  secondsUnchanged,
  siteToday,
  tagsIn,
} from './revision.ts'

/**
 * A response that this instance of the Worker has sent, with its entity tag. The body is stored as bytes: as
 * a string, text with non-Latin letters would take more memory than in UTF-8, and would be encoded again each
 * time.
 */
export type CachedResponse = {
  tag: string
  /** When it may change, UTC; undefined if it stays the same all day. */
  until?: DateTime | undefined
  body: Uint8Array<ArrayBuffer>
  headers: [name: string, value: string][]
}

/**
 * The memory of a response: two bytes for each character that stays in a string, and some for the objects
 * themselves.
 */
const sizeOf = ({ tag, body, headers }: CachedResponse, address: string): number =>
  OVERHEAD_BYTES + body.byteLength + 2 * (address.length + tag.length + headers.flat().join('').length)

const OVERHEAD_BYTES = 500

/**
 * Responses to anonymous callers, by cache key. Before one is sent again, its tag must be compared with the
 * current one, which costs one row: at 100,000 events the default list takes some 300 rows and 2.7 ms when
 * computed, and 1.4 ms when sent again; a calendar of 5,000 events takes 70,000 rows.
 */
export const responseCache = new LruCache<CachedResponse>({
  maxSize: RESPONSE_CACHE.maxBytes,
  maxValueSize: RESPONSE_CACHE.maxResponseBytes,
  sizeOf,
})

/**
 * The names of headers that describe the content rather than the request, besides those that a route
 * declares.
 */
const CONTENT_HEADERS: readonly string[] = ['content-type', 'etag', 'last-modified']

type CacheableRead = {
  /**
   * The path with all known parameters, and the type or the language of the response. Unknown parameters make
   * no difference.
   */
  requestKey: string
  /** Names of the headers that the route declares. */
  declaredHeaders: readonly string[]
  /** The body of a reply as text. */
  content: (body: unknown) => string | Uint8Array<ArrayBuffer>
}

/**
 * The key of everything that a response depends on apart from the database and the time of day: request,
 * audience, day, build and settings.
 */
function cacheKey(
  c: Context<AppEnv>,
  { requestKey }: CacheableRead,
  day = siteToday(c.get('context')),
): string {
  const context = c.get('context')
  const { build, fingerprint } = context.settings
  return [context.api, requestKey, audienceOf(context.caller), day, build, fingerprint].join(' ')
}

/** Runs a query along with the query for the database's revision, in one round trip. */
export type WithRevision = <T>(query: Query<T>) => Promise<T>

type WorkOut = (load: WithRevision) => Promise<Reply>

type Send = (reply: Reply, bytes?: Uint8Array<ArrayBuffer>) => Response

/**
 * Responds to a read with 304 or from memory if the revision, which costs one row, shows that nothing has
 * changed; otherwise works out the response.
 */
export async function cachedRead(
  c: Context<AppEnv>,
  read: CacheableRead,
  workOut: WorkOut,
  send: Send,
): Promise<Response> {
  const { caller, clock } = c.get('context')
  clock.countsMinutes = true
  const key = cacheKey(c, read)
  const audience = audienceOf(caller)
  // A tag made from the revision would reveal to authors and contributors that others have changed hidden
  // content.
  if (audience !== PUBLIC && audience !== EDITORS) return taggedByContent(c, key, workOut, send)
  const cached = audience === PUBLIC ? responseCache.get(key) : undefined
  const mayBeUnchanged = cached !== undefined || c.req.header('if-none-match') !== undefined
  const revision = mayBeUnchanged ? await readCurrentRevision(c) : undefined
  // Whether any response exists, and until when it stays the same, is known only when it has been worked out.
  const tag = revision && !hasSentStar(c) ? await entityTag(revision, key) : undefined
  const clientTag = tag && clientTagFor(c, tag)
  if (revision && clientTag !== undefined) {
    setSharedSeconds(c, revision)
    return notModified(c, clientTag, modifiedHeader(c, revision, undefined))
  }
  const currentResponse = revision && (await fromMemory(c, revision, { key, cached }))
  if (currentResponse) return currentResponse
  try {
    return await taggedByRevision(c, { ...read, key }, workOut, send)
  } catch (error) {
    return fromYesterday(c, read, error)
  }
}

/**
 * Yesterday's response in memory, if the database has reached its limit for the day: that day ends at
 * midnight UTC, which may be hours after the day of the site has begun.
 *
 * @throws the error otherwise
 */
async function fromYesterday(c: Context<AppEnv>, read: CacheableRead, error: unknown): Promise<Response> {
  const key = cacheKey(c, read, daysLater(siteToday(c.get('context')), -1))
  const cached = isForPublic(c) && isDailyLimit(error) ? responseCache.get(key) : undefined
  const response = cached && (await fromMemory(c, await staleRevision(c, error), { key, cached }))
  if (!response) throw error
  return response
}

/** The response in memory, if it is still the current one, or a 304 for a client that has it. */
async function fromMemory(
  c: Context<AppEnv>,
  revision: CurrentRevision,
  { key, cached }: { key: string; cached: CachedResponse | undefined },
): Promise<Response | undefined> {
  if (!cached) return undefined
  const { until, tag, body } = cached
  // Once the database has reached its limit for the day, a response that is out of date is better than none.
  const isInTime = until === undefined || until > c.get('context').clock.untrackedTime || revision.isStale
  if (!isInTime || tag !== (await tagUntil(revision, key, until))) return undefined
  setSharedSeconds(c, revision, until)
  const headers = Object.fromEntries(cached.headers)
  const clientTag = unchangedTagOf(c, { revision, tag, quoted: headers.etag ?? '', until })
  if (clientTag !== undefined) return notModified(c, clientTag, modifiedHeader(c, revision, until))
  c.set('cache', 'memory')
  return c.body(body, 200, { ...headers, ...modifiedHeader(c, revision, until) })
}

/** Works out a reply, reading the revision in the same round trip. */
async function replyWithRevision(
  c: Context<AppEnv>,
  workOut: WorkOut,
): Promise<{ reply: Reply; revision: Revision | undefined }> {
  const context = c.get('context')
  let revision: Revision | undefined
  const reply = await workOut(async query => {
    const current = await readWithRevision(context, query)
    revision = current.revision
    await noteRevision(c, revision)
    return current.result
  }).finally(() => {
    // Redirects, which are thrown, need these seconds as well.
    setSharedSeconds(c, revision, context.clock.until)
  })
  return { reply, revision }
}

/** Works out a response whose tag is a digest of its content. */
async function taggedByContent(
  c: Context<AppEnv>,
  key: string,
  workOut: WorkOut,
  send: Send,
): Promise<Response> {
  const { reply, revision } = await replyWithRevision(c, workOut)
  const tag = await contentTag(reply.body, key)
  const clientTag = clientTagFor(c, tag)
  if (clientTag !== undefined) return notModified(c, clientTag)
  c.header('ETag', quotedTag(tag, reply.version, revision?.databaseSecret))
  return send(reply)
}

/** Works out a response whose tag is made from the revision, and keeps it in memory if it is public. */
async function taggedByRevision(
  c: Context<AppEnv>,
  { key, declaredHeaders, content }: CacheableRead & { key: string },
  workOut: WorkOut,
  send: Send,
): Promise<Response> {
  const { reply, revision } = await replyWithRevision(c, workOut)
  const context = c.get('context')
  const { until: nextChange } = context.clock
  // Tomorrow's response has another key.
  const until = nextChange !== undefined && nextChange < midnightAfter(context) ? nextChange : undefined
  const tag = revision && (await tagUntil(revision, key, until))
  if (!revision || !tag) return send(reply)
  const quoted = quotedTag(tag, reply.version, revision.databaseSecret)
  const clientTag = reply.status === 200 ? unchangedTagOf(c, { revision, tag, quoted, until }) : undefined
  if (clientTag !== undefined) return notModified(c, clientTag, modifiedHeader(c, revision, until))
  c.header('ETag', quoted)
  for (const [name, value] of Object.entries(modifiedHeader(c, revision, until))) c.header(name, value)
  if (!isForPublic(c) || reply.status !== 200) return send(reply)
  // The body is encoded only once, for the response and for memory.
  const bytesOrText = content(reply.body)
  const body = isBytes(bytesOrText) ? bytesOrText : toUtf8(bytesOrText)
  const response = send(reply, body)
  const keptHeaders = [...CONTENT_HEADERS, ...declaredHeaders.map(name => name.toLowerCase())]
  responseCache.set(key, {
    tag,
    until,
    body,
    headers: [...response.headers].filter(([name]) => keptHeaders.includes(name)),
  })
  return response
}

/**
 * Responds to a read that depends on a row of its own as well as on the revision: with 304 if neither has
 * changed, which costs a row of each. Only the client keeps the response, whose address may be a secret.
 */
export async function statefulRead(
  c: Context<AppEnv>,
  { state: stateQuery, ...read }: CacheableRead & { state: Query<string | undefined> },
  workOut: WorkOut,
  send: Send,
): Promise<Response> {
  const context = c.get('context')
  const key = cacheKey(c, read)
  const tagFor = async (revision: Revision | undefined, state: string | undefined) => {
    await noteRevision(c, revision)
    return revision && state !== undefined ? entityTag(revision, `${key} ${state}`) : undefined
  }
  // Errors get this header as well: a 404 must not be kept once there is a row.
  c.header('Cache-Control', 'private, no-cache')
  if (clientTags(c).length > 0) {
    const { revision, result: state } = await readWithRevision(context, stateQuery)
    const tag = await tagFor(revision, state)
    const clientTag = tag && clientTagFor(c, tag)
    if (clientTag) return notModified(c, clientTag)
  }
  let tag: string | undefined
  const reply = await workOut(async query => {
    const { revision, result } = await readWithRevision(
      context,
      combineQueries({ state: stateQuery, value: query }),
    )
    tag = await tagFor(revision, result.state)
    return result.value
  })
  if (tag && reply.status === 200) c.header('ETag', quotedTag(tag))
  return send(reply)
}

async function encodeFixed(body: object) {
  const bytes = toUtf8(body instanceof JsonText ? body.text : JSON.stringify(body))
  return { bytes, tag: await shortDigest(bytes) }
}

/** The bytes and tags of bodies that have been sent before. */
const fixedEncodings = new WeakMap<object, { bytes: Uint8Array<ArrayBuffer>; tag: string }>()

/**
 * Responds with a body that stays the same object until its content changes: it is encoded once, and clients
 * that have it get a 304. The document of the API is 600 KB, whose text took 8 ms of CPU each time (in Node,
 * on two cores).
 */
export async function fixedRead(
  c: Context<AppEnv>,
  address: string,
  { body, ...reply }: Reply<number, object>,
  send: Send,
): Promise<Response> {
  // Promises are not memoized: a request must not wait for work that another request has started.
  const encoding = fixedEncodings.get(body) ?? (await encodeFixed(body))
  fixedEncodings.set(body, encoding)
  const tag = await shortDigest(`${address} ${encoding.tag}`)
  for (const [name, value] of Object.entries(reply.headers ?? {})) c.header(name, value)
  const clientTag = clientTagFor(c, tag)
  if (clientTag !== undefined) return notModified(c, clientTag)
  c.header('ETag', quotedTag(tag))
  return send({ ...reply, body }, encoding.bytes)
}

/** The last public revision that this instance has seen. */
let latestRevision: Revision | undefined

/** A revision, which is stale if the database could not be asked. */
type CurrentRevision = Revision & { isStale?: true }

/**
 * The revision of the database. If the database has reached its limit for the day, nobody can change it
 * either: until the limit is lifted, public responses of the latest known revision stay in use, marked as
 * stale.
 */
async function readCurrentRevision(c: Context<AppEnv>): Promise<CurrentRevision | undefined> {
  const context = c.get('context')
  try {
    const { revision } = await readWithRevision(context, resolvedQuery(undefined))
    await noteRevision(c, revision)
    return revision
  } catch (error) {
    return staleRevision(c, error)
  }
}

/**
 * The latest known revision, for an error that says that the limit of the day is reached.
 * @throws any other error
 */
async function staleRevision(c: Context<AppEnv>, error: unknown): Promise<CurrentRevision> {
  if (!isForPublic(c) || !latestRevision || !isDailyLimit(error)) throw error
  // RFC 9111 lists this header as obsolete, but there is no other for this purpose.
  c.header('Warning', '110 - "Response is Stale"')
  await noteRevision(c, latestRevision)
  return { ...latestRevision, isDue: false, isPurged: false, isStale: true }
}

/** Shared caches don't keep a response that may change sooner than this. */
const MIN_SHARED_SECONDS = 60

/**
 * Sets how long shared caches may keep a public response, where the next change is sure to purge them.
 *
 * @param until when the response may change, UTC
 */
function setSharedSeconds(c: Context<AppEnv>, revision: Revision | undefined, until?: DateTime): void {
  const context = c.get('context')
  if (!isForPublic(c)) return
  const unchangedSeconds =
    revision?.isPurged && !revision.isDue ? secondsUnchanged(revision, context) : undefined
  const secondsLeft = until === undefined ? undefined : context.clock.secondsUntil(until)
  if (unchangedSeconds === undefined || secondsLeft === undefined || secondsLeft >= unchangedSeconds)
    c.set('sharedSeconds', unchangedSeconds)
  else c.set('sharedSeconds', secondsLeft <= MIN_SHARED_SECONDS ? 0 : secondsLeft)
}

/**
 * Remembers a revision, names this calendar in the response, so that the calendar does not read itself as a
 * source, and notes whether it is still a new one.
 */
async function noteRevision(c: Context<AppEnv>, revision: Revision | undefined): Promise<void> {
  if (!revision) return
  if (isForPublic(c)) latestRevision = revision
  c.set('isNew', revision.isNew)
  const context = c.get('context')
  context.calendarId = await calendarId(revision, context.settings.siteUrl)
  c.header(CALENDAR_HEADER, context.calendarId)
}

const isForPublic = (c: Context<AppEnv>): boolean => audienceOf(c.get('context').caller) === PUBLIC

/** The tags of the responses that the client has, as it sent them. */
const clientTags = (c: Context<AppEnv>): string[] => c.req.header('if-none-match')?.split(',') ?? []

/** True if the client wants a response only if none exists yet: `If-None-Match: *` (RFC 9110 §13.1.2). */
const hasSentStar = (c: Context<AppEnv>): boolean => c.req.header('if-none-match')?.trim() === '*'

/** The tag of a response that exists, as the client sent it; undefined if the client did not send it. */
const clientTagFor = (c: Context<AppEnv>, tag: string): string | undefined =>
  hasSentStar(c) ? quotedTag(tag) : clientTags(c).find(text => tagsIn(text).includes(tag))

/**
 * The tag of a response that depends on the time of day until a moment (UTC), after which the tag is a
 * different one.
 */
const tagUntil = (revision: Revision, key: string, until: DateTime | undefined) =>
  entityTag(revision, until === undefined ? key : `${key} ${until}`)

type CurrentTag = { revision: Revision; tag: string; quoted: string; until: DateTime | undefined }

/**
 * The tag of the current response, which exists; undefined if the client doesn't have that response, going by
 * the tags or the date that it sent.
 */
function unchangedTagOf(
  c: Context<AppEnv>,
  { revision, tag, quoted, until }: CurrentTag,
): string | undefined {
  if (hasSentStar(c)) return quoted
  // An entity tag takes precedence (RFC 9110 §13.1.3), and a date says nothing about a response that depends
  // on the time of day.
  if (c.req.header('if-none-match') !== undefined) return clientTagFor(c, tag)
  const ifModifiedSince = c.req.header('if-modified-since')
  if (ifModifiedSince === undefined || until !== undefined) return undefined
  return isUnchangedSince(ifModifiedSince, revision, c.get('context')) ? quoted : undefined
}

/** The date of the last change. Responses that depend on the time of day have no such date. */
const modifiedHeader = (
  c: Context<AppEnv>,
  revision: Revision,
  until: DateTime | undefined,
): Record<string, string> =>
  until === undefined ? { 'last-modified': lastModified(revision, c.get('context')) } : {}

/** A 304 for a tag as the client sent it. */
function notModified(c: Context<AppEnv>, tag: string, headers: Record<string, string> = {}): Response {
  c.header('ETag', tag.trim().replace(/^W\//, ''))
  return c.body(null, 304, headers)
}
