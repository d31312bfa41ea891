import { and, eq, gt, gte, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { RequestContext } from '../context.ts'
import type { Database } from '../db/database.ts'
import { first, many, mapped, type Statement, together } from '../db/query.ts'
import { audit, idempotencyKeys } from '../db/schema.ts'
import { build } from '../db/statements.ts'
import type { AppEnv } from '../env.ts'
import { ROWS_OF_RUN, SIZES } from '../lib/budgets.ts'
import { hex, sha256 } from '../lib/digest.ts'
import { ApiError, invalidParams, messageOf } from '../lib/errors.ts'
import { DAY_MS, formatInstant } from '../lib/time.ts'
import { confirmCaller } from './auth.ts'
import { MAX_BODY_BYTES, readBytes } from './body.ts'
import type { DueRows } from './due-rows.ts'
import { isMultipart, MAX_FILE_BYTES, withoutBoundary } from './form-data.ts'
import { KeyedParts, mayPassNextTime, type StoredParts } from './keyed-parts.ts'
import { logError } from './log.ts'

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
type KeyedRequest = {
  user: number
  key: string
  request: string
  requestId: string
  run: string
  before?: string
}

/** The stored state of the first request with a key. Its headers are null until it is over. */
type Earlier = NonNullable<ReturnType<ReturnType<typeof selectEarlier>['read']>['earlier']>

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
  const own: KeyedRequest = {
    user,
    key,
    request: await digestOf(c),
    requestId: c.get('requestId'),
    run: crypto.randomUUID(),
  }
  const { earlier, bytes } = await db.get(selectEarlier(own))
  const before = earlier && (await partsBefore(db, own, earlier))
  if (earlier && !before) return again(c, own, earlier)
  if (bytes > MOST_BYTES)
    throw new ApiError(
      'rest_too_many_requests',
      'Too many requests with keys today: send some without a key.',
    )
  const keyed = before ? { ...own, before: before.run } : own
  if (!before) db.precede([forgetOld(keyed), storeKey(keyed)], explain)
  const parts = new KeyedParts(db, before ?? { stored: {}, written: [] }, noted =>
    db.precede([forgetOld(keyed), takeOver(keyed, noted), storeParts(keyed, noted)], explain),
  )
  c.set('parts', parts)
  await next()
  const isOther = c.error instanceof ApiError && c.error.code === 'rest_idempotency_conflict'
  if (mayPassNextTime(c.res.status) || isOther) return
  const stored = parts.isIncomplete
    ? keepParts(db, keyed, parts.done(SIZES.responseBytes))
    : keepResponse(db, keyed, c.res.clone())
  await stored.catch(error => logError(keyed.requestId, error))
})

/** The parts of a batch that has ended, or was interrupted; undefined for other requests. */
async function partsBefore(db: Database, keyed: KeyedRequest, earlier: Earlier) {
  const { request, status, headers, body } = earlier
  if (request !== keyed.request || status !== null || body === null) return undefined
  if (headers === null && isRunning(earlier)) return undefined
  // Stored by storeParts() and the functions after it.
  const { run, ...stored } = JSON.parse(body) as StoredParts & { run: string }
  const isLost = Object.values(stored).includes(0)
  return { run, stored, written: isLost ? await db.get(selectWritten(keyed.user, earlier)) : [] }
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

const isKey = ({ user, key }: KeyedRequest) =>
  and(eq(idempotencyKeys.user_id, user), eq(idempotencyKeys.key, key))

/**
 * The `run` of the request that holds a key with only some parts done. It is read only there, since bodies of responses
 * need not be JSON.
 */
const runOf = sql`iif(${idempotencyKeys.status} IS NULL, json_extract(${idempotencyKeys.body}, '$.run'), NULL)`

/** A condition for a key that no other request holds, and which has no response yet. */
const isOwn = ({ requestId, run, before = run }: KeyedRequest) =>
  sql`(${runOf} IN (${run}, ${before}) OR ${idempotencyKeys.status} IS NULL AND ${idempotencyKeys.body} IS NULL AND request_id = ${requestId})`

/** A query for the request that a key stands for, and for the bytes kept for its user. */
function selectEarlier(keyed: KeyedRequest) {
  const end = (extreme: 'min' | 'max') =>
    sql`(SELECT ${sql.raw(extreme)}(total) FROM ${idempotencyKeys} WHERE user_id = ${keyed.user})`
  return mapped(
    together({
      earlier: first(
        build
          .select({
            request: idempotencyKeys.request,
            requestId: idempotencyKeys.request_id,
            at: idempotencyKeys.at_utc,
            auditId: idempotencyKeys.audit_id,
            status: idempotencyKeys.status,
            headers: idempotencyKeys.headers,
            body: idempotencyKeys.body,
          })
          .from(idempotencyKeys)
          .where(and(isKey(keyed), gte(idempotencyKeys.at_utc, forgottenBefore(Date.now())))),
      ),
      bytes: first(sql`SELECT ${end('max')} - ${end('min')} AS bytes`, row => Number(row.bytes ?? 0)),
    }),
    ({ earlier, bytes = 0 }) => ({ earlier, bytes }),
  )
}

const forgetOld = (keyed: KeyedRequest): Statement =>
  build
    .delete(idempotencyKeys)
    .where(and(isKey(keyed), lt(idempotencyKeys.at_utc, forgottenBefore(Date.now()))))

type StoredResponse = { status: number | null; headers: string | null; body: string | null }

/** The beginning of a statement that stores a key, with its response if there is one. */
function insertion(
  { user, key, request, requestId }: KeyedRequest,
  { status, headers, body }: StoredResponse = { status: null, headers: null, body: null },
): SQL {
  const bytes = LEAST_BYTES + (body === null ? 0 : Buffer.byteLength(body))
  const total = sql`(SELECT max(total) FROM ${idempotencyKeys} WHERE user_id = ${user})`
  return sql`INSERT INTO ${idempotencyKeys}
      (user_id, key, request, request_id, at_utc, audit_id, total, status, headers, body)
    SELECT ${user}, ${key}, ${request}, ${requestId}, ${formatInstant(Date.now())},
      coalesce((SELECT max(id) FROM ${audit}), 0), coalesce(${total}, 0) + ${bytes}, ${status}, ${headers}, ${body}
    WHERE true`
}

/** The statement that stores a key, and fails if the key exists. */
const storeKey = (keyed: KeyedRequest): SQL => insertion(keyed)

/** The statement that stores a response with its key. */
const storeResponse = (keyed: KeyedRequest, response: StoredResponse): SQL =>
  sql`${insertion(keyed, response)} ON CONFLICT (user_id, key) DO UPDATE
    SET total = excluded.total, status = excluded.status, headers = excluded.headers, body = excluded.body
    WHERE request = excluded.request AND ${isOwn(keyed)}`

/** The statement that takes over a key to do the missing parts, and stores which of them are done. */
const takeOver = (keyed: KeyedRequest, parts: StoredParts): Statement =>
  build
    .update(idempotencyKeys)
    .set({
      request_id: keyed.requestId,
      at_utc: formatInstant(Date.now()),
      headers: null,
      body: withParts(keyed, parts),
    })
    .where(and(isKey(keyed), isOwn(keyed)))

const withParts = ({ run }: KeyedRequest, parts: StoredParts): SQL =>
  sql`json_patch(coalesce(${idempotencyKeys.body}, '{}'), ${JSON.stringify({ ...parts, run })})`

/** The statement that stores a key with its finished parts, and fails if another request holds the key. */
const storeParts = (keyed: KeyedRequest, parts: StoredParts): SQL =>
  sql`${insertion(keyed, { status: null, headers: null, body: JSON.stringify({ ...parts, run: keyed.run }) })}
    AND NOT EXISTS (SELECT 1 FROM ${idempotencyKeys} WHERE ${isKey(keyed)} AND ${runOf} = ${keyed.run})`

/** Stores the replies of the finished parts. The others can be requested again at once. */
const keepParts = (db: Database, keyed: KeyedRequest, parts: StoredParts): Promise<void> =>
  db.change([
    build
      .update(idempotencyKeys)
      .set({
        headers: '{}',
        body: withParts(keyed, parts),
        total: sql`(SELECT max(total) FROM ${idempotencyKeys} WHERE user_id = ${keyed.user}) + ${JSON.stringify(parts).length}`,
      })
      .where(and(isKey(keyed), isOwn(keyed))),
  ])

async function keepResponse(db: Database, keyed: KeyedRequest, response: Response): Promise<void> {
  const text = await response.text()
  const headers = Object.fromEntries([...response.headers].filter(([name]) => KEPT_HEADERS.includes(name)))
  const body = Buffer.byteLength(text) > SIZES.responseBytes ? null : text
  const stored = { status: response.status, headers: JSON.stringify(headers), body }
  await db.change([forgetOld(keyed), storeResponse(keyed, stored)])
}

/** Responds to a key that was used before. */
async function again(c: Context<AppEnv>, keyed: KeyedRequest, earlier: Earlier): Promise<Response> {
  const { request, status, headers, body } = earlier
  if (request !== keyed.request)
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
    { written: await c.get('db').get(selectWritten(keyed.user, earlier)) },
  )
}

/** The most entries of the audit that are searched. */
const MOST_ENTRIES = 5_000

/** A query for the resources that a request wrote. */
const selectWritten = (user: number, { auditId, requestId }: Pick<Earlier, 'auditId' | 'requestId'>) =>
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
  const { earlier } = await db.get(selectEarlier({ user: caller.id, key: formKey(key), ...NO_REQUEST }))
  const all = earlier ? await db.get(selectWritten(caller.id, earlier)) : []
  const one = all.find(({ action, kind }) => action === 'create' && kind === made)
  return one && Number(one.id)
}

/**
 * Makes the first write of a request store the key of its form. Another request with the same key writes nothing, and
 * fails with `rest_idempotency_conflict`.
 */
export function keepFormKey({ db, caller, requestId }: RequestContext, key: string): void {
  const keyed = { user: caller.id, key: formKey(key), ...NO_REQUEST, requestId }
  db.precede([forgetOld(keyed), storeKey(keyed)], explain)
}

/** Keys that are a day old. @param nowMs epoch milliseconds */
export const oldKeys = (nowMs: number): DueRows => ({
  name: 'kept responses',
  one: 'kept response',
  table: idempotencyKeys,
  most: ROWS_OF_RUN.responses,
  due: sql`at_utc < ${forgottenBefore(nowMs)}`,
  change: chosen => [build.delete(idempotencyKeys).where(chosen)],
})
