import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { RequestContext } from '../context.ts'
import type { Database } from '../db/database.ts'
import type { AppEnv } from '../env.ts'
import { SIZES } from '../lib/budgets.ts'
import { hex, sha256 } from '../lib/digest.ts'
import { ApiError, invalidParams } from '../lib/errors.ts'
import { formatInstant, HOUR_MS } from '../lib/time.ts'
import { confirmCaller } from './auth.ts'
import { MAX_BODY_BYTES, readBytes } from './body.ts'
import { isMultipart, MAX_FILE_BYTES, withoutBoundary } from './form-data.ts'
import { logError } from './log.ts'
import {
  asConflict,
  deleteExpired,
  type Earlier,
  KEY_HEADER,
  type KeyedRequest,
  selectEarlier,
  selectWrittenBy,
  stillRunning,
  storeKey,
  storeResponse,
} from './stored-keys.ts'

// A key is stored in the transaction of the first write of its request, so that the same key never writes twice: the
// transaction of a second request that runs at the same time fails, because the key exists. Only the response may be
// lost, if the Worker ends between the write and storing the response, or if nobody can tell whether a write of a batch
// was done; the audit then knows what was written.

/** After this time, a request whose write was stored but which has no response counts as interrupted. */
const RUNNING_MS = 60_000

/** The most bytes kept for a user. */
const MOST_BYTES = 50_000_000

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

/** Gives a POST that repeats an earlier one, with the same key, the same response. It must come after `authenticate`. */
export const idempotent = createMiddleware<AppEnv>(async (c, next) => {
  const key = keyOf(c)
  if (key === undefined) return next()
  await confirmCaller(c)
  const db = c.get('db')
  const own = await keyedRequest(c, key)
  const { earlier, bytes } = await db.get(selectEarlier(own))
  if (earlier) return replay(c, own, earlier)
  if (bytes > MOST_BYTES)
    throw new ApiError(
      'rest_too_many_requests',
      'Too many requests with keys today: send some without a key.',
      { retry_after: HOUR_MS / 1000 },
    )
  db.precede([deleteExpired(own), storeKey(own)], asConflict)
  await next()
  await keepOutcome(c, own)
})

/** The key of a request; undefined if it has none, or none that counts. */
function keyOf(c: Context<AppEnv>): string | undefined {
  const key = c.req.header(KEY_HEADER)
  if (key === undefined || c.req.method !== 'POST' || c.get('caller').id === 0) return undefined
  if (!/^[ -~]{1,255}$/.test(key))
    throw invalidParams(new Map([[KEY_HEADER, 'must be 1 to 255 printable characters']]))
  return key
}

const keyedRequest = async (c: Context<AppEnv>, key: string): Promise<KeyedRequest> => ({
  user: c.get('caller').id,
  key,
  request: await digestOf(c),
  requestId: c.get('requestId'),
})

/** Tells whether the same request may get another response next time. */
const mayPassNextTime = (status: number): boolean => status >= 500 || status === 401 || status === 429

/** Stores the response of a request that is over, unless the request may have written something that the response doesn't know of. */
async function keepOutcome(c: Context<AppEnv>, keyed: KeyedRequest): Promise<void> {
  const isHeldByOther = c.error instanceof ApiError && c.error.code === 'rest_idempotency_conflict'
  const db = c.get('db')
  if (mayPassNextTime(c.res.status) || isHeldByOther || db.mayHaveWritten) return
  await keepResponse(db, keyed, c.res.clone()).catch(error => logError(keyed.requestId, error))
}

const isRunning = ({ at }: Earlier): boolean => at > formatInstant(Date.now() - RUNNING_MS)

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

async function keepResponse(db: Database, keyed: KeyedRequest, response: Response): Promise<void> {
  const text = await response.text()
  const headers = Object.fromEntries([...response.headers].filter(([name]) => KEPT_HEADERS.includes(name)))
  const body = Buffer.byteLength(text) > SIZES.responseBytes ? null : text
  const stored = { status: response.status, headers: JSON.stringify(headers), body }
  await db.change([deleteExpired(keyed), storeResponse(keyed, stored)])
}

/** The response to a key that was used before: the stored one. @throws ApiError if there is none, or the request is another */
async function replay(c: Context<AppEnv>, keyed: KeyedRequest, earlier: Earlier): Promise<Response> {
  const { request, status, headers, body } = earlier
  if (request !== keyed.request)
    throw new ApiError(
      'rest_idempotency_mismatch',
      `This ${KEY_HEADER} belongs to another address, body or role.`,
    )
  // Stored from a response of this middleware.
  if (status !== null && body !== null)
    return new Response(body, {
      status,
      headers: { ...(JSON.parse(headers ?? '{}') as Record<string, string>), 'Idempotency-Replayed': 'true' },
    })
  if (status === null && isRunning(earlier)) throw stillRunning()
  throw new ApiError(
    'rest_idempotency_response_lost',
    'This was done before and was not done again, but its response is lost: data.written says what was written.',
    { written: await c.get('db').get(selectWrittenBy(keyed.user, earlier)) },
  )
}

/** The key of a form, which no client of the API uses by chance. */
const formKey = (key: string): string => `form ${key}`

const NO_REQUEST = { request: '', requestId: '' }

/** The id of the resource that an earlier request of the same user with the key of the same form made; undefined if there was none. */
export async function madeByForm(
  { db, caller }: Pick<RequestContext, 'db' | 'caller'>,
  { key, kind: made }: { key: string; kind: string },
): Promise<number | undefined> {
  const { earlier } = await db.get(selectEarlier({ user: caller.id, key: formKey(key), ...NO_REQUEST }))
  const all = earlier ? await db.get(selectWrittenBy(caller.id, earlier)) : []
  const one = all.find(({ action, kind }) => action === 'create' && kind === made)
  return one && Number(one.id)
}

/**
 * Makes the first write of a request store the key of its form. Another request with the same key writes nothing, and
 * fails with `rest_idempotency_conflict`.
 */
export function keepFormKey({ db, caller, requestId }: RequestContext, key: string): void {
  const keyed = { user: caller.id, key: formKey(key), ...NO_REQUEST, requestId }
  db.precede([deleteExpired(keyed), storeKey(keyed)], asConflict)
}
