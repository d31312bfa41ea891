import { and, eq, gt, gte, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { PartReply, RequestContext, RequestParts } from '../context.ts'
import type { Database } from '../db/database.ts'
import { first, many, mapped, type Statement, together } from '../db/query.ts'
import { audit, idempotencyKeys as kept } from '../db/schema.ts'
import { build } from '../db/statements.ts'
import type { AppEnv } from '../env.ts'
import { ROWS_OF_RUN, SIZES } from '../lib/budgets.ts'
import { hex, sha256 } from '../lib/digest.ts'
import { statusOf } from '../lib/error-codes.ts'
import { ApiError, invalidParams, messageOf } from '../lib/errors.ts'
import { DAY_MS, formatInstant } from '../lib/time.ts'
import { confirmCaller } from './auth.ts'
import { MAX_BODY_BYTES, readBytes } from './body.ts'
import type { DueRows } from './due-rows.ts'
import { isMultipart, MAX_FILE_BYTES, withoutBoundary } from './form-data.ts'
import { logError } from './log.ts'

// The parts of a batch with a key. Each transaction notes which parts it does, so that a batch that was interrupted or
// only partly done can be sent again: then the missing parts are done, and none twice.

/** The finished parts, by position: the reply in JSON, or 0 if it is unknown. */
type StoredParts = Readonly<Record<string, string | 0>>

/** Tells whether the same request may get another response next time. */
const mayPassNextTime = (status: number): boolean => status >= 500 || status === 401 || status === 429

/** The reply for a finished part whose own reply is lost. @param written the resources written by the request that did it */
function lostReply(written: unknown): PartReply {
  const code = 'rest_idempotency_response_lost'
  const message =
    'This was done before, and is not done again, but its response is not kept: data.written says what was written with it.'
  return {
    status: statusOf(code),
    headers: {},
    body: { code, message, data: { status: statusOf(code), written } },
  }
}

class KeyedParts implements RequestParts {
  readonly known: Map<number, PartReply>
  readonly #db: Database
  readonly #note: (parts: StoredParts) => void
  readonly #lost: StoredParts
  #replies: readonly (PartReply | null)[] = []

  /**
   * @param earlier the parts that are done already, and the resources that they wrote
   * @param note makes the next write store parts along with those stored already
   */
  constructor(
    db: Database,
    { stored, written }: { stored: StoredParts; written: unknown },
    note: (parts: StoredParts) => void,
  ) {
    this.#db = db
    this.#note = note
    const lost = JSON.stringify(lostReply(written))
    const entries = Object.entries(stored)
    this.#lost = Object.fromEntries(entries.flatMap(([at, reply]) => (reply === 0 ? [[at, lost]] : [])))
    // The texts were made from replies, here or by `done`.
    this.known = new Map(entries.map(([at, reply]) => [Number(at), JSON.parse(reply || lost) as PartReply]))
  }

  begin(positions: readonly number[]): void {
    this.#note({ ...this.#lost, ...Object.fromEntries(positions.map(position => [position, 0])) })
  }

  end(replies: readonly (PartReply | null)[]): void {
    this.#replies = replies
    // Another write must not note parts that were begun and failed.
    this.#db.precede([])
  }

  /** True if some parts may get another reply next time. */
  get isIncomplete(): boolean {
    return this.#replies.some(reply => reply !== null && mayPassNextTime(reply.status))
  }

  /** The replies of the finished parts; none if they are too long. @param most the most characters */
  done(most: number): StoredParts {
    const done = this.#replies.flatMap((reply, at) =>
      reply && (reply.status < 400 || this.known.has(at))
        ? [[String(at), JSON.stringify(reply)] as const]
        : [],
    )
    const size = done.reduce((sum, [, text]) => sum + text.length, 0)
    return size > most ? {} : Object.fromEntries(done)
  }
}

// A key is stored in the transaction of the first write of its request, so that the same key never writes twice: the
// transaction of a second request that runs at the same time fails, because the key exists. Only the response may be
// lost, if the Worker ends between the write and storing the response; the audit then knows what was written. In a
// batch, each transaction stores which parts it does: if some are missing, another request with the key does these.

const HEADER = 'Idempotency-Key'

/** After this time, a request whose write was stored but which has no response counts as interrupted. */
const RUNNING_MS = 60_000

/** The most bytes kept for a user, and the least that a key counts for. */
const MOST_BYTES = 50_000_000
const LEAST_BYTES = 5_000

/** The headers of a response that are repeated. */
const KEPT_HEADERS = [
  'content-type',
  'location',
  'etag',
  'x-ignored-fields',
  'x-did-you-mean',
  'x-shortened',
  'x-batch-failed',
  'x-series-dates',
]

/**
 * `run` is random, because clients can choose ids of requests. `before` is the `run` of the request whose missing parts
 * this one does.
 */
type Key = { user: number; key: string; request: string; requestId: string; run: string; before?: string }

/** The stored state of the first request with a key. Its headers are null until it is over. */
type Earlier = NonNullable<ReturnType<ReturnType<typeof look>['read']>['earlier']>

/** The time before which keys are deleted. */
const forgottenBefore = (nowMs: number): string => formatInstant(nowMs - DAY_MS)

/** Gives a POST that repeats an earlier one, with the same key, the same response. It must come after `authenticate`. */
export const onlyOnce = createMiddleware<AppEnv>(async (c, next) => {
  const key = c.req.header(HEADER)
  if (key === undefined || c.req.method !== 'POST' || c.get('caller').id === 0) return next()
  if (!/^[ -~]{1,255}$/.test(key))
    throw invalidParams(new Map([[HEADER, 'must be 1 to 255 printable characters']]))
  await confirmCaller(c)
  const { id: user } = c.get('caller')
  const db = c.get('db')
  const first: Key = {
    ...{ user, key, request: await digestOf(c) },
    ...{ requestId: c.get('requestId'), run: crypto.randomUUID() },
  }
  const { earlier, bytes } = await db.get(look(first))
  const before = earlier && (await partsBefore(db, first, earlier))
  if (earlier && !before) return again(c, first, earlier)
  if (bytes > MOST_BYTES)
    throw new ApiError(
      'rest_too_many_requests',
      'Too many requests with keys today: send some without a key.',
    )
  const known = before ? { ...first, before: before.run } : first
  if (!before) db.precede([forget(known), store(known)], explain)
  const parts = new KeyedParts(db, before ?? { stored: {}, written: [] }, noted =>
    db.precede([forget(known), takeOver(known, noted), storeParts(known, noted)], explain),
  )
  c.set('parts', parts)
  await next()
  const isOther = c.error instanceof ApiError && c.error.code === 'rest_idempotency_conflict'
  if (mayPassNextTime(c.res.status) || isOther) return
  const kept = parts.isIncomplete
    ? keepParts(db, known, parts.done(SIZES.responseBytes))
    : keep(db, known, c.res.clone())
  await kept.catch(error => logError(known.requestId, error))
})

/** The parts of a batch that has ended, or was interrupted; undefined for other requests. */
async function partsBefore(db: Database, known: Key, earlier: Earlier) {
  const { request, status, headers, body } = earlier
  if (request !== known.request || status !== null || body === null) return undefined
  if (headers === null && isRunning(earlier)) return undefined
  // Stored by storeParts() and the functions after it.
  const { run, ...stored } = JSON.parse(body) as StoredParts & { run: string }
  const isLost = Object.values(stored).includes(0)
  return { run, stored, written: isLost ? await db.get(written(known.user, earlier)) : [] }
}

const isRunning = ({ at }: Earlier): boolean => at > formatInstant(Date.now() - RUNNING_MS)

const explain = (error: unknown): unknown =>
  messageOf(error).includes('UNIQUE constraint failed: idempotency_keys') ? running() : error

const running = () =>
  new ApiError('rest_idempotency_conflict', `The first request with this ${HEADER} is still running.`)

/** The digest of a request, and of the role that may see the response. It reads the body, and replaces it. */
async function digestOf(c: Context<AppEnv>): Promise<string> {
  const { raw } = c.req
  const bytes = await readBytes(raw, MAX_BODY_BYTES + MAX_FILE_BYTES)
  c.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, body: bytes })
  const type = raw.headers.get('content-type') ?? ''
  const body = isMultipart(type) ? Buffer.from(withoutBoundary(bytes, type), 'latin1') : bytes
  const { pathname, search } = new URL(raw.url)
  const head = Buffer.from(`${c.get('caller').role} ${pathname}${search}\n${type.split(';', 1)[0]}\n`)
  return hex(await sha256(Buffer.concat([head, body])))
}

const isKey = ({ user, key }: Key) => and(eq(kept.user_id, user), eq(kept.key, key))

/**
 * The `run` of the request that holds a key with only some parts done. It is read only there, since bodies of responses
 * need not be JSON.
 */
const runOf = sql`iif(${kept.status} IS NULL, json_extract(${kept.body}, '$.run'), NULL)`

/** A condition for a key that no other request holds, and which has no response yet. */
const isOwn = ({ requestId, run, before = run }: Key) =>
  sql`(${runOf} IN (${run}, ${before}) OR ${kept.status} IS NULL AND ${kept.body} IS NULL AND request_id = ${requestId})`

/** A query for the request that a key stands for, and for the bytes kept for its user. */
function look(known: Key) {
  const end = (extreme: 'min' | 'max') =>
    sql`(SELECT ${sql.raw(extreme)}(total) FROM ${kept} WHERE user_id = ${known.user})`
  return mapped(
    together({
      earlier: first(
        build
          .select({
            request: kept.request,
            requestId: kept.request_id,
            at: kept.at_utc,
            auditId: kept.audit_id,
            status: kept.status,
            headers: kept.headers,
            body: kept.body,
          })
          .from(kept)
          .where(and(isKey(known), gte(kept.at_utc, forgottenBefore(Date.now())))),
      ),
      bytes: first(sql`SELECT ${end('max')} - ${end('min')} AS bytes`, row => Number(row.bytes ?? 0)),
    }),
    ({ earlier, bytes = 0 }) => ({ earlier, bytes }),
  )
}

const forget = (known: Key): Statement =>
  build.delete(kept).where(and(isKey(known), lt(kept.at_utc, forgottenBefore(Date.now()))))

type StoredResponse = { status: number | null; headers: string | null; body: string | null }

/** The beginning of a statement that stores a key, with its response if there is one. */
function insertion(
  { user, key, request, requestId }: Key,
  { status, headers, body }: StoredResponse = { status: null, headers: null, body: null },
): SQL {
  const bytes = LEAST_BYTES + (body === null ? 0 : Buffer.byteLength(body))
  const total = sql`(SELECT max(total) FROM ${kept} WHERE user_id = ${user})`
  return sql`INSERT INTO ${kept}
      (user_id, key, request, request_id, at_utc, audit_id, total, status, headers, body)
    SELECT ${user}, ${key}, ${request}, ${requestId}, ${formatInstant(Date.now())},
      coalesce((SELECT max(id) FROM ${audit}), 0), coalesce(${total}, 0) + ${bytes}, ${status}, ${headers}, ${body}
    WHERE true`
}

/** The statement that stores a key, and fails if the key exists. */
const store = (known: Key): SQL => insertion(known)

/** The statement that stores a response with its key. */
const storeResponse = (known: Key, response: StoredResponse): SQL =>
  sql`${insertion(known, response)} ON CONFLICT (user_id, key) DO UPDATE
    SET total = excluded.total, status = excluded.status, headers = excluded.headers, body = excluded.body
    WHERE request = excluded.request AND ${isOwn(known)}`

/** The statement that takes over a key to do the missing parts, and stores which of them are done. */
const takeOver = (known: Key, parts: StoredParts): Statement =>
  build
    .update(kept)
    .set({
      request_id: known.requestId,
      at_utc: formatInstant(Date.now()),
      headers: null,
      body: withParts(known, parts),
    })
    .where(and(isKey(known), isOwn(known)))

const withParts = ({ run }: Key, parts: StoredParts): SQL =>
  sql`json_patch(coalesce(${kept.body}, '{}'), ${JSON.stringify({ ...parts, run })})`

/** The statement that stores a key with its finished parts, and fails if another request holds the key. */
const storeParts = (known: Key, parts: StoredParts): SQL =>
  sql`${insertion(known, { status: null, headers: null, body: JSON.stringify({ ...parts, run: known.run }) })}
    AND NOT EXISTS (SELECT 1 FROM ${kept} WHERE ${isKey(known)} AND ${runOf} = ${known.run})`

/** Stores the replies of the finished parts. The others can be requested again at once. */
const keepParts = (db: Database, known: Key, parts: StoredParts): Promise<void> =>
  db.change([
    build
      .update(kept)
      .set({
        headers: '{}',
        body: withParts(known, parts),
        total: sql`(SELECT max(total) FROM ${kept} WHERE user_id = ${known.user}) + ${JSON.stringify(parts).length}`,
      })
      .where(and(isKey(known), isOwn(known))),
  ])

async function keep(db: Database, known: Key, response: Response): Promise<void> {
  const text = await response.text()
  const headers = Object.fromEntries([...response.headers].filter(([name]) => KEPT_HEADERS.includes(name)))
  const body = Buffer.byteLength(text) > SIZES.responseBytes ? null : text
  const stored = { status: response.status, headers: JSON.stringify(headers), body }
  await db.change([forget(known), storeResponse(known, stored)])
}

/** Responds to a key that was used before. */
async function again(c: Context<AppEnv>, known: Key, earlier: Earlier): Promise<Response> {
  const { request, status, headers, body } = earlier
  if (request !== known.request)
    throw new ApiError(
      'rest_idempotency_mismatch',
      `This ${HEADER} belongs to another address, body or role.`,
    )
  // Stored from a response of this middleware.
  if (status !== null && body !== null)
    return new Response(body, {
      status,
      headers: { ...(JSON.parse(headers ?? '{}') as Record<string, string>), 'Idempotency-Replayed': 'true' },
    })
  if (status === null && isRunning(earlier)) throw running()
  throw new ApiError(
    'rest_idempotency_response_lost',
    'This was done before and was not done again, but its response is lost: data.written says what was written.',
    { written: await c.get('db').get(written(known.user, earlier)) },
  )
}

/** The most entries of the audit that are searched. */
const MOST_ENTRIES = 5_000

/** A query for the resources that a request wrote. */
const written = (user: number, { auditId, requestId }: Pick<Earlier, 'auditId' | 'requestId'>) =>
  many(
    build
      .select({ action: audit.action, kind: audit.kind, id: audit.object_id })
      .from(audit)
      .where(
        and(
          gt(audit.id, auditId),
          lte(audit.id, auditId + MOST_ENTRIES),
          eq(audit.user_id, user),
          eq(audit.request_id, requestId),
        ),
      )
      .orderBy(audit.id),
  )

/** The key of a form, which no client of the API uses by chance. */
const formKey = (key: string): string => `form ${key}`

const NO_REQUEST = { request: '', requestId: '', run: '' }

/** The id of the resource that an earlier request of the same user with the key of the same form made; undefined if there was none. */
export async function madeByForm(
  { db, caller }: Pick<RequestContext, 'db' | 'caller'>,
  { key, kind: made }: { key: string; kind: string },
): Promise<number | undefined> {
  const { earlier } = await db.get(look({ user: caller.id, key: formKey(key), ...NO_REQUEST }))
  const all = earlier ? await db.get(written(caller.id, earlier)) : []
  const one = all.find(({ action, kind }) => action === 'create' && kind === made)
  return one && Number(one.id)
}

/**
 * Makes the first write of a request store the key of its form. Another request with the same key writes nothing, and
 * fails with `rest_idempotency_conflict`.
 */
export function keepFormKey({ db, caller, requestId }: RequestContext, key: string): void {
  const known = { user: caller.id, key: formKey(key), ...NO_REQUEST, requestId }
  db.precede([forget(known), store(known)], explain)
}

/** Keys that are a day old. @param nowMs epoch milliseconds */
export const oldKeys = (nowMs: number): DueRows => ({
  ...{ name: 'kept responses', one: 'kept response', table: kept, most: ROWS_OF_RUN.responses },
  due: sql`at_utc < ${forgottenBefore(nowMs)}`,
  change: chosen => [build.delete(kept).where(chosen)],
})
