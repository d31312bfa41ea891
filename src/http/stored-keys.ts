import { and, eq, gt, gte, lt, lte, type SQL, sql } from 'drizzle-orm'
import { first, many, mapped, type Statement, together } from '../db/query.ts'
import { audit, idempotencyKeys } from '../db/schema.ts'
import { build } from '../db/statements.ts'
import { ROWS_OF_RUN } from '../lib/budgets.ts'
import { ApiError, messageOf } from '../lib/errors.ts'
import { DAY_MS, formatInstant } from '../lib/time.ts'
import type { DueRows } from './due-rows.ts'

// The stored keys of requests: the queries and statements of their table.

export const KEY_HEADER = 'Idempotency-Key'

/** The least bytes that a key counts for. */
const LEAST_BYTES = 5_000

/** A request with a key. `request` is its digest. */
export type KeyedRequest = { user: number; key: string; request: string; requestId: string }

/** The stored state of the first request with a key. Its headers are null until it is over. */
export type Earlier = NonNullable<ReturnType<ReturnType<typeof selectEarlier>['read']>['earlier']>

/** The time before which keys are deleted. */
const expiredBefore = (nowMs: number): string => formatInstant(nowMs - DAY_MS)

/** The error of a write whose key another request has stored meanwhile; others as they are. */
export const asConflict = (error: unknown): unknown =>
  messageOf(error).includes('UNIQUE constraint failed: idempotency_keys') ? stillRunning() : error

export const stillRunning = () =>
  new ApiError('rest_idempotency_conflict', `The first request with this ${KEY_HEADER} is still running.`)

const isKey = ({ user, key }: KeyedRequest) =>
  and(eq(idempotencyKeys.user_id, user), eq(idempotencyKeys.key, key))

/** A condition for a key that no other request holds, and which has no response yet. */
const isOwn = ({ requestId }: KeyedRequest) =>
  sql`${idempotencyKeys.status} IS NULL AND ${idempotencyKeys.body} IS NULL AND request_id = ${requestId}`

/** A query for the request that a key stands for, and for the bytes kept for its user. */
export function selectEarlier(keyed: KeyedRequest) {
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
          .where(and(isKey(keyed), gte(idempotencyKeys.at_utc, expiredBefore(Date.now())))),
      ),
      bytes: first(sql`SELECT ${end('max')} - ${end('min')} AS bytes`, row => Number(row.bytes ?? 0)),
    }),
    ({ earlier, bytes = 0 }) => ({ earlier, bytes }),
  )
}

export const deleteExpired = (keyed: KeyedRequest): Statement =>
  build
    .delete(idempotencyKeys)
    .where(and(isKey(keyed), lt(idempotencyKeys.at_utc, expiredBefore(Date.now()))))

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
export const storeKey = (keyed: KeyedRequest): SQL => insertion(keyed)

/** The statement that stores a response with its key. */
export const storeResponse = (keyed: KeyedRequest, response: StoredResponse): SQL =>
  sql`${insertion(keyed, response)} ON CONFLICT (user_id, key) DO UPDATE
    SET total = excluded.total, status = excluded.status, headers = excluded.headers, body = excluded.body
    WHERE request = excluded.request AND ${isOwn(keyed)}`

/** The most entries of the audit that are searched. */
const MOST_ENTRIES = 5_000

/** A query for the resources that a request wrote. */
export const selectWrittenBy = (
  user: number,
  { auditId, requestId }: Pick<Earlier, 'auditId' | 'requestId'>,
) =>
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

/** Keys that are a day old. @param nowMs epoch milliseconds */
export const oldKeys = (nowMs: number): DueRows => ({
  name: 'kept responses',
  rowName: 'kept response',
  table: idempotencyKeys,
  most: ROWS_OF_RUN.responses,
  due: sql`at_utc < ${expiredBefore(nowMs)}`,
  change: chosen => [build.delete(idempotencyKeys).where(chosen)],
})
