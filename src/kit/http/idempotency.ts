import { and, eq, gt, gte, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { BaseContext } from '../context.ts'
import { newestId } from '../db/bulk.ts'
import type { Database, Prelude } from '../db/database.ts'
import { isUniqueViolation } from '../db/failures.ts'
import { combineQueries, first, literal, many, orNull, readNumber, type Statement } from '../db/query.ts'
import { build } from '../db/statements.ts'
import { audit, idempotencyKeys } from '../db/tables.ts'
import type { AppEnv } from '../env.ts'
import { ROWS_PER_RUN, SIZES } from '../lib/budgets.ts'
import type { ErrorCode } from '../lib/error-codes.ts'
import { ApiError, invalidParams } from '../lib/errors.ts'
import { hexDigest } from '../lib/hash.ts'
import { DAY_MS, formatInstant, HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import { storedJson } from '../lib/values.ts'
import type { DueRows } from '../work/due-rows.ts'
import { logError } from '../work/error-log.ts'
import { confirmCaller } from './auth.ts'
import { MAX_BODY_BYTES, readBytes } from './body.ts'
import { isMultipart, MAX_FILE_BYTES, withoutBoundary } from './form-data.ts'

// A key is stored in the transaction of the first write of its request, so that the same key never writes
// twice: the transaction of a second request that runs at the same time fails, because the key exists. Only
// the response may be lost, if the Worker ends between the write and storing the response, or if nobody can
// tell whether a write of a batch was done; the audit then knows what was written.

const KEY_HEADER = 'Idempotency-Key'

/** A request with a key. `request` is its digest. */
type KeyedRequest = { user: number; key: string; request: string; requestId: string }

/** The stored state of the first request with a key. Its headers are null until it is over. */
type EarlierRequest = NonNullable<ReturnType<ReturnType<typeof selectEarlier>['read']>['earlier']>

/** After this time, a request whose write was stored but which has no response counts as interrupted. */
const MAX_RUNNING_MS = MINUTE_MS

/** The most bytes stored for a user. */
const MAX_USER_BYTES = 50_000_000

const REPEATED_HEADERS = [
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
 * Gives a POST that repeats an earlier one, with the same key, the same response. It must come after
 * `authenticate`.
 */
export const idempotent = createMiddleware<AppEnv>(async (c, next) => {
  const key = idempotencyKeyIn(c)
  if (key === undefined) return next()
  await confirmCaller(c)
  const db = c.get('db')
  const request = await keyedRequest(c, key)
  const { earlier, bytes } = await db.read(selectEarlier(request))
  if (earlier) return replay(c, request, earlier)
  if (bytes > MAX_USER_BYTES)
    throw new ApiError(
      'rest_too_many_requests',
      'Too many requests with keys today: send some without a key.',
      { retry_after: HOUR_MS / 1000 },
    )
  db.prependToNextWrite(keyPrelude(request))
  await next()
  await storeOutcome(c, request)
})

/** The key of a request; undefined if it has no key, or its key has no effect. */
function idempotencyKeyIn(c: Context<AppEnv>): string | undefined {
  const key = c.req.header(KEY_HEADER)
  if (key === undefined || c.req.method !== 'POST' || c.get('caller').id === 0) return undefined
  if (!/^[ -~]{1,255}$/.test(key))
    throw invalidParams(new Map([[KEY_HEADER, 'must be 1 to 255 printable characters']]))
  return key
}

const keyedRequest = async (c: Context<AppEnv>, key: string): Promise<KeyedRequest> => ({
  user: c.get('caller').id,
  key,
  request: await requestDigest(c),
  requestId: c.get('requestId'),
})

const mayPassNextTime = (status: number): boolean => status >= 500 || status === 401 || status === 429

/** Errors of requests that have written nothing because others were in the way. */
const IN_THE_WAY: readonly ErrorCode[] = ['rest_idempotency_conflict', 'rest_batch_conflict']

/**
 * Stores the response of a request that is over, unless the request may have written something that the
 * response doesn't know of.
 */
async function storeOutcome(c: Context<AppEnv>, request: KeyedRequest): Promise<void> {
  const wasInTheWay = c.error instanceof ApiError && IN_THE_WAY.includes(c.error.code)
  const db = c.get('db')
  if (mayPassNextTime(c.res.status) || wasInTheWay || db.mayHaveWritten) return
  await storeResponseOf(db, request, c.res.clone()).catch(error => logError(request.requestId, error))
}

const isRunning = ({ at }: EarlierRequest): boolean => at > formatInstant(Date.now() - MAX_RUNNING_MS)

/** The digest of a request, and of the role that may see the response. It reads the body, and replaces it. */
async function requestDigest(c: Context<AppEnv>): Promise<string> {
  const { raw } = c.req
  const bytes = await readBytes(raw, MAX_BODY_BYTES + MAX_FILE_BYTES)
  c.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, body: bytes })
  const type = raw.headers.get('content-type') ?? ''
  const body = isMultipart(type) ? Buffer.from(withoutBoundary(bytes, type), 'latin1') : bytes
  const { pathname, search } = new URL(raw.url)
  const head = Buffer.from(`${c.get('caller').role} ${pathname}${search}\n${type.split(';', 1)[0]}\n`)
  return hexDigest(Buffer.concat([head, body]))
}

async function storeResponseOf(db: Database, request: KeyedRequest, response: Response): Promise<void> {
  const text = await response.text()
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => REPEATED_HEADERS.includes(name)),
  )
  const body = Buffer.byteLength(text) > SIZES.responseBytes ? null : text
  const storedResponse = { status: response.status, headers: JSON.stringify(headers), body }
  await db.write([expiredRemovalStatement(request), responseInsertStatement(request, storedResponse)])
}

/**
 * The stored response to a key that was used before.
 *
 * @throws ApiError if no response is stored, or the key belongs to another request
 */
async function replay(c: Context<AppEnv>, current: KeyedRequest, earlier: EarlierRequest): Promise<Response> {
  const { request, status, headers, body } = earlier
  if (request !== current.request)
    throw new ApiError(
      'rest_idempotency_mismatch',
      `This ${KEY_HEADER} belongs to another address, body or role.`,
    )
  // The row was stored from a response of this middleware.
  if (status !== null && body !== null)
    return new Response(body, {
      status,
      headers: { ...storedJson<Record<string, string>>(headers ?? '{}'), 'Idempotency-Replayed': 'true' },
    })
  if (status === null && isRunning(earlier)) throw stillRunningError()
  throw new ApiError(
    'rest_idempotency_response_lost',
    'This was done before and was not done again, but its response is lost: data.written says what was written.',
    { written: await c.get('db').read(selectWrittenBy(current.user, earlier)) },
  )
}

/** The key of a form, which no client of the API uses by chance. */
const formKey = (key: string): string => `form ${key}`

/**
 * The id of the resource that an earlier request of the same user made with the key of the same form;
 * undefined if there was no such request.
 */
export async function findCreatedByForm(
  { db, caller }: BaseContext,
  { key, kind }: { key: string; kind: string },
): Promise<number | undefined> {
  const created = await db.read(
    first(
      sql`SELECT min(written.id), object_id FROM ${idempotencyKeys} AS form CROSS JOIN ${audit} AS written
        ON written.id > form.audit_id AND written.id <= form.audit_id + ${literal(MAX_ENTRIES)}
        AND written.user_id = form.user_id AND written.request_id = form.request_id
        WHERE form.user_id = ${caller.id} AND form.key = ${formKey(key)}
        AND form.at_utc >= ${expiredBefore(Date.now())} AND action = 'create' AND kind = ${kind}
        GROUP BY form.key`,
      { object_id: readNumber },
    ),
  )
  return created?.object_id
}

/**
 * Makes a write store the key of its form. Another request with the same key writes nothing, and fails with
 * `rest_idempotency_conflict`.
 */
export const withFormKey = ({ caller, requestId }: BaseContext, key: string): Prelude =>
  keyPrelude({ user: caller.id, key: formKey(key), request: '', requestId })

/** True for the error of a write with {@link withFormKey} whose form has been saved before. */
export const isAlreadySavedError = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'rest_idempotency_conflict'

// The table of keys.

/** The least bytes that a key counts for. */
const MIN_KEY_BYTES = 5_000

const expiredBefore = (nowMs: number): string => formatInstant(nowMs - DAY_MS)

/**
 * The error for a write whose key another request has stored in the meantime. Other errors stay as they are.
 */
const asConflict = (error: unknown): unknown =>
  isUniqueViolation(error, idempotencyKeys.key) ? stillRunningError() : error

const stillRunningError = () =>
  new ApiError('rest_idempotency_conflict', `The first request with this ${KEY_HEADER} is still running.`)

const keyOfUserSql = ({ user, key }: KeyedRequest) =>
  and(eq(idempotencyKeys.user_id, user), eq(idempotencyKeys.key, key))

/** A condition for a key that no other request is using, and that has no response yet. */
const heldByRequestSql = ({ requestId }: KeyedRequest) =>
  sql`${idempotencyKeys.status} IS NULL AND ${idempotencyKeys.body} IS NULL AND ${idempotencyKeys.request_id} = ${requestId}`

/** A query for the request that a key stands for, and for the bytes stored for its user. */
function selectEarlier(keyed: KeyedRequest) {
  const end = (extreme: 'min' | 'max') =>
    sql`(SELECT ${sql.raw(extreme)}(total_bytes) FROM ${idempotencyKeys} WHERE user_id = ${keyed.user})`
  return combineQueries(
    {
      earlier: first(
        build
          .select({
            request: idempotencyKeys.request_digest,
            requestId: idempotencyKeys.request_id,
            at: idempotencyKeys.at_utc,
            auditId: idempotencyKeys.audit_id,
            status: idempotencyKeys.status,
            headers: idempotencyKeys.headers,
            body: idempotencyKeys.body,
          })
          .from(idempotencyKeys)
          .where(and(keyOfUserSql(keyed), gte(idempotencyKeys.at_utc, expiredBefore(Date.now())))),
      ),
      bytes: first(
        sql`SELECT ${end('max')} - ${end('min')} AS bytes`,
        row => orNull(readNumber)(row.bytes) ?? 0,
      ),
    },
    ({ earlier, bytes = 0 }) => ({ earlier, bytes }),
  )
}

const expiredRemovalStatement = (keyed: KeyedRequest): Statement =>
  build
    .delete(idempotencyKeys)
    .where(and(keyOfUserSql(keyed), lt(idempotencyKeys.at_utc, expiredBefore(Date.now()))))

type StoredResponse = { status: number | null; headers: string | null; body: string | null }

/** The beginning of a statement that stores a key, with its response if there is one. */
function keyInsertion(
  { user, key, request, requestId }: KeyedRequest,
  { status, headers, body }: StoredResponse = { status: null, headers: null, body: null },
): SQL {
  const bytes = MIN_KEY_BYTES + (body === null ? 0 : Buffer.byteLength(body))
  const total = sql`(SELECT max(total_bytes) FROM ${idempotencyKeys} WHERE user_id = ${user})`
  return sql`INSERT INTO ${idempotencyKeys}
      (user_id, key, request_digest, request_id, at_utc, audit_id, total_bytes, status, headers, body)
    SELECT ${user}, ${key}, ${request}, ${requestId}, ${formatInstant(Date.now())},
      coalesce(${newestId(audit)}, 0), coalesce(${total}, 0) + ${bytes}, ${status}, ${headers}, ${body}
    WHERE true`
}

/** The prelude that stores the key of a request at the beginning of its first write. */
const keyPrelude = (keyed: KeyedRequest): Prelude => ({
  statements: [expiredRemovalStatement(keyed), keyInsertion(keyed)],
  explain: asConflict,
})

const responseInsertStatement = (keyed: KeyedRequest, response: StoredResponse): SQL =>
  sql`${keyInsertion(keyed, response)} ON CONFLICT (user_id, key) DO UPDATE
    SET total_bytes = excluded.total_bytes, status = excluded.status, headers = excluded.headers, body = excluded.body
    WHERE request_digest = excluded.request_digest AND ${heldByRequestSql(keyed)}`

/** The most entries of the audit that are searched. */
const MAX_ENTRIES = 5_000

/** A query for the resources that a request wrote. */
const selectWrittenBy = (user: number, { auditId, requestId }: EarlierRequest) =>
  many(
    build
      .select({ action: audit.action, kind: audit.kind, id: audit.object_id })
      .from(audit)
      .where(
        and(
          gt(audit.id, auditId),
          lte(audit.id, auditId + MAX_ENTRIES),
          eq(audit.user_id, user),
          eq(audit.request_id, requestId),
        ),
      )
      .orderBy(audit.id),
  )

/** Keys that are a day old, which the cron deletes. @param nowMs epoch milliseconds */
export const oldKeys = (nowMs: number): DueRows => ({
  name: 'kept responses',
  rowName: 'kept response',
  table: idempotencyKeys,
  limit: ROWS_PER_RUN.responses,
  dueSql: sql`at_utc < ${expiredBefore(nowMs)}`,
})
