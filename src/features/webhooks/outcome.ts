import { eq, type SQL, sql } from 'drizzle-orm'
import { inputValue, jsonBatches, newestId } from '../../kit/db/bulk.ts'
import { publicNumberAt } from '../../kit/db/derived.ts'
import { literal, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { ROWS_PER_RUN } from '../../kit/lib/budgets.ts'
import { DAY_MS, formatInstant } from '../../kit/lib/time.ts'
import type { DueRows } from '../../kit/work/due-rows.ts'
import { conflictUnlessReserved } from '../../kit/work/leases.ts'
import type { Delivery, KnownResource, WebhookOutcome } from './messages.ts'
import { webhookDeliveries, webhookPositions, webhookResources, webhooks } from './tables.ts'

/**
 * The statements that store what a run has delivered to a webhook. They fail if another run has reserved the
 * webhook since, or somebody has changed its settings, because the messages followed the former settings.
 */
export function outcomeStatements({
  webhook,
  known,
  deliveries,
  positions,
  failingSince,
  stopped,
}: WebhookOutcome): Statement[] {
  const { id } = webhook
  const isKept = (one: KnownResource) => one.isListed || one.tries > 0
  const rows = [...positions].map(([kind, position]) => ({ kind, ...position }))
  return [
    conflictUnlessReserved(webhooks, webhook),
    ...stateStatements(id, known.filter(isKept)),
    ...stateRemovalStatements(
      id,
      known.filter(one => !isKept(one)),
    ),
    ...replacementStatements(id, deliveries),
    ...messageStatements(id, deliveries),
    ...jsonBatches(rows).map(
      json => sql`UPDATE ${webhookPositions} SET n = ${inputValue('n')}, id = ${inputValue('id')},
        public_n = ${publicNumberAt({ kind: inputValue('kind'), changeNumber: inputValue('n'), id: inputValue('id') }, webhookPositions.public_n)} FROM json_each(${json}) AS input
        WHERE webhook_id = ${id} AND kind = ${inputValue('kind')}`,
    ),
    build
      .update(webhooks)
      .set({ lease: '', failing_since_utc: failingSince, stopped, active: stopped === '' })
      .where(eq(webhooks.id, id)),
  ]
}

/** The statements that store the delivered states. If a message failed, only the number of tries changes. */
const stateStatements = (webhook: number, subjects: readonly KnownResource[]): SQL[] =>
  jsonBatches(subjects).map(
    json => sql`INSERT INTO ${webhookResources}
        (webhook_id, kind, id, is_listed, is_public, is_canceled, n, audit_id, tries, next_try_utc)
      SELECT ${webhook}, ${inputValue('kind')}, ${inputValue('id')}, ${inputValue('isListed')}, ${inputValue('isPublic')},
        ${inputValue('isCanceled')}, ${inputValue('n')}, ${inputValue('auditId')}, ${inputValue('tries')}, ${inputValue('nextTry')}
      FROM json_each(${json}) AS input WHERE true
      ON CONFLICT (webhook_id, kind, id) DO UPDATE SET is_listed = excluded.is_listed, is_public = excluded.is_public,
        is_canceled = excluded.is_canceled, n = excluded.n, audit_id = max(audit_id, excluded.audit_id),
        tries = excluded.tries, next_try_utc = excluded.next_try_utc`,
  )

const stateRemovalStatements = (webhook: number, subjects: readonly KnownResource[]): Statement[] =>
  jsonBatches(subjects.map(({ kind, id }) => ({ kind, id }))).map(json =>
    build.delete(webhookResources).where(
      sql`webhook_id = ${webhook} AND (kind, id) IN
      (SELECT ${inputValue('kind')}, ${inputValue('id')} FROM json_each(${json}) AS input)`,
    ),
  )

/** The statements that mark queued messages as replaced by a newer one, which is recorded next. */
const replacementStatements = (webhook: number, deliveries: readonly Delivery[]): SQL[] =>
  jsonBatches(deliveries.map(({ objectId, type }) => ({ objectId, kind: kindPrefix(type) }))).map(
    json => sql`UPDATE ${webhookDeliveries} SET state = 'replaced', next_try_utc = NULL
      FROM json_each(${json}) AS input
      WHERE webhook_id = ${webhook} AND state = 'waiting' AND object_id = ${inputValue('objectId')}
        AND substr(${webhookDeliveries.type}, 1, length(${inputValue('kind')})) = ${inputValue('kind')}`,
  )

const kindPrefix = (type: string): string => type.slice(0, type.indexOf('.') + 1)

/** The statements that record messages. If one was sent before, its row gets the latest outcome. */
export const messageStatements = (webhook: number, deliveries: readonly Delivery[]): SQL[] =>
  jsonBatches(
    deliveries.map(({ outcome, nextTry, atMs, id, ...message }) => ({
      ...message,
      ...outcome,
      message_id: id,
      nextTry,
      at: formatInstant(atMs),
      state: outcome.isAccepted ? 'delivered' : nextTry === null ? 'failed' : 'waiting',
    })),
  ).map(
    json => sql`INSERT INTO ${webhookDeliveries}
        (webhook_id, message_id, type, object_id, body, state, tries, at_utc, next_try_utc, status, response, message)
      SELECT ${webhook}, ${inputValue('message_id')}, ${inputValue('type')}, ${inputValue('objectId')}, ${inputValue('body')},
        ${inputValue('state')}, 1, ${inputValue('at')}, ${inputValue('nextTry')}, ${inputValue('status')},
        ${inputValue('response')},
        ${inputValue('reason')}
      FROM json_each(${json}) AS input WHERE true
      ON CONFLICT (webhook_id, message_id) DO UPDATE SET state = excluded.state, tries = tries + 1,
        at_utc = excluded.at_utc, next_try_utc = excluded.next_try_utc, status = excluded.status,
        response = excluded.response, message = excluded.message`,
  )

/** The time for which messages are kept, and the most messages of all webhooks together. */
const KEPT_MS = 30 * DAY_MS
const MAX_KEPT = 50_000

/** Old messages to webhooks. Waiting messages don't depend on these rows. @param nowMs epoch milliseconds */
export const oldDeliveries = (nowMs: number): DueRows => ({
  name: 'old deliveries',
  rowName: 'delivery',
  table: webhookDeliveries,
  limit: ROWS_PER_RUN.deliveries,
  dueSql: sql`id IN (SELECT id FROM (SELECT id, at_utc FROM ${webhookDeliveries} ORDER BY id LIMIT ${literal(ROWS_PER_RUN.deliveries)})
    WHERE at_utc < ${formatInstant(nowMs - KEPT_MS)}
      OR id <= ${newestId(webhookDeliveries)} - ${literal(MAX_KEPT)})`,
  isUnindexed: true,
})
