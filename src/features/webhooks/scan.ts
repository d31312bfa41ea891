import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { FOLLOWED_LISTS, type FollowedKind } from '../../calendar/changes/followed-lists.ts'
import type { RowOf } from '../../kit/db/columns.ts'
import { changes, nextChanges } from '../../kit/db/derived.ts'
import {
  countOf,
  first,
  inList,
  literal,
  many,
  orNull,
  type Query,
  type RawRow,
  readNumber,
  readText,
  type Value,
} from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { audit, events } from '../../kit/db/tables.ts'
import { formatInstant } from '../../kit/lib/time.ts'
import { storedJson } from '../../kit/lib/values.ts'
import { leaseFor, notPostponedSql, unreservedSql } from '../../kit/work/leases.ts'
import { WEBHOOK_WORK, WEBHOOKS_WAITING } from './budgets.ts'
import { webhookPositions, webhookResources, webhooks } from './tables.ts'

/** The state of a resource, as a webhook knows it or as it is now. */
export type ResourceState = {
  isListed: boolean
  isPublic: boolean
  isCanceled: boolean
  /** The number of its last change. */
  n: number
}

export const webhookColumns = getTableColumns(webhooks)
export type WebhookRow = RowOf<typeof webhookColumns>

/** The resources that wait for a webhook, in SQL from `FROM` on. @param id the id of the webhook */
export const waitingOf = (id: SQL): SQL =>
  sql`FROM ${webhookResources} AS waiting INDEXED BY webhook_resources_waiting
    WHERE waiting.webhook_id = ${id} AND waiting.next_try_utc IS NOT NULL`

/** Changes after the positions of webhooks. */
const AFTER_POSITION = {
  from: sql`${webhookPositions} AS position CROSS JOIN`,
  after: { changeNumber: sql`position.n`, id: sql`position.id`, publicChangeNumber: sql`position.public_n` },
} as const

/** The most changes that are counted. */
export const MAX_BEHIND = 1_000

/** The number of changes that a webhook has not seen yet. @param id the id of the webhook */
export const behindOf = (id: SQL): SQL =>
  sql`(SELECT count(*) FROM (${nextChanges({
    ...AFTER_POSITION,
    where: sql`position.webhook_id = ${id} AND changes.kind = position.kind`,
    limit: MAX_BEHIND,
  })}))`

/** A condition for webhooks that may go on to changes they have not seen. */
const continuesSql = (webhook: SQL): SQL =>
  sql`(${webhook}.failing_since_utc IS NULL
    OR (SELECT count(*) FROM (SELECT 1 ${waitingOf(sql`${webhook}.id`)}
      LIMIT ${literal(WEBHOOK_WORK.waiting)})) < ${literal(WEBHOOK_WORK.waiting)})`

const pendingWorkSql = (now: string): SQL => {
  const positionSql = sql`position.webhook_id = due.id AND changes.kind = position.kind`
  return sql`(EXISTS (SELECT 1 ${waitingOf(sql`due.id`)} AND waiting.next_try_utc <= ${now})
    OR (${continuesSql(sql`due`)} AND EXISTS (${nextChanges({ ...AFTER_POSITION, where: positionSql, limit: 1 })})))`
}

/**
 * Webhooks that a run may reserve: without those that have failed in it (`except`), and only one if the run
 * names it.
 */
export type RunnableWebhooks = {
  nowMs: number
  limit: number
  onlyId?: number | undefined
  except: readonly number[]
}

/**
 * A SELECT of the ids of webhooks with something to do: working webhooks before failing webhooks, then by
 * turns.
 */
function dueWebhookIds({ nowMs, limit, onlyId, except }: RunnableWebhooks): SQL {
  const now = formatInstant(nowMs)
  return sql`SELECT due.id FROM ${webhooks} AS due
    WHERE due.active AND ${unreservedSql(sql`due.lease`, nowMs)}
      AND ${onlyId === undefined ? notPostponedSql(WEBHOOKS_WAITING.rowName, nowMs, sql`due.id`) : sql`due.id = ${onlyId}`}
      AND due.id NOT IN ${inList(except)} AND ${pendingWorkSql(now)}
    ORDER BY due.failing_since_utc IS NOT NULL, due.served_utc, due.id LIMIT ${literal(limit)}`
}

/** A condition that is true if a webhook has something to do. */
export const webhookDueSql = (nowMs: number): SQL =>
  sql`EXISTS (${dueWebhookIds({ nowMs, limit: 1, except: [] })})`

/** A query for the webhook whose turn it is. */
export const selectNextWebhook = (runnable: RunnableWebhooks): Query<number | undefined> =>
  first(dueWebhookIds(runnable), row => readNumber(row.id))

/** A write that reserves webhooks with something to do. */
export function claimQuery(runnable: RunnableWebhooks): Query<WebhookRow[]> {
  const { nowMs } = runnable
  return many(
    build
      .update(webhooks)
      .set(leaseFor(WEBHOOKS_WAITING, nowMs))
      .where(sql`${webhooks.id} IN (${dueWebhookIds(runnable)})`)
      .returning(),
  )
}

export const selectActiveWebhookCount = countOf(sql`${webhooks} WHERE ${webhooks.active}`)

/** A resource that the webhook may have to be notified about. */
export type Candidate = {
  kind: FollowedKind
  id: number
  now: ResourceState
  delivered: ResourceState
  /** True if the resource's next try is due; otherwise, it is a candidate because it has changed. */
  isDue: boolean
  /** True if its next try is in the future. */
  isWaiting: boolean
  tries: number
  at: string
  changed: string[]
  auditId: number
}

const numberOr0 = (value: Value | undefined): number => orNull(readNumber)(value) ?? 0

/** Entries of the audit, as the statement makes them. */
type AuditEntries = { id: number; at: string; fields: string[] }[]

function toCandidate(kind: FollowedKind, now: string, row: RawRow): Candidate {
  const entries = storedJson<AuditEntries>(readText(row.entries))
  return {
    kind,
    id: readNumber(row.id),
    now: {
      isListed: row.is_listed === 1,
      isPublic: row.is_public === 1,
      isCanceled: row.is_canceled === 1,
      n: readNumber(row.n),
    },
    delivered: {
      isListed: row.delivered_listed === 1,
      isPublic: row.delivered_public === 1,
      isCanceled: row.delivered_canceled === 1,
      n: numberOr0(row.delivered_n),
    },
    isDue: row.is_due === 1,
    isWaiting: row.next_try_utc !== null,
    tries: numberOr0(row.tries),
    at: entries.reduce((latest, { at }) => (at > latest ? at : latest), '') || now,
    // The subject of a change is not one of its fields.
    changed: [...new Set(entries.flatMap(({ fields }) => fields))].filter(name => name !== 'scope').sort(),
    auditId: entries.reduce((latest, { id }) => Math.max(latest, id), numberOr0(row.audit_id)),
  }
}

/** Expressions of the state of the resource `found.id`. */
function stateColumns(kind: FollowedKind, chosenSql: SQL): SQL {
  const { table } = FOLLOWED_LISTS[kind]
  const eventValue = (expression: SQL): SQL =>
    kind === 'events' ? sql`(SELECT ${expression} FROM ${events} WHERE ${events.id} = found.id)` : sql`0`
  return sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.id} = found.id AND ${chosenSql}) AS is_listed,
    ${eventValue(sql`${events.listed}`)} AS is_public, ${eventValue(eq(events.event_status, 'canceled'))} AS is_canceled`
}

/** An expression of the entries of the audit about `found.id` that no message has reported yet. */
function unreportedEntries(kind: FollowedKind, sinceId: SQL): SQL {
  const entriesAbout = (name: SQL, id: SQL): SQL =>
    sql`SELECT * FROM (SELECT ${audit.id} AS id, ${audit.at_utc} AS at, ${audit.fields} AS fields
      FROM ${audit} INDEXED BY audit_object
      WHERE ${audit.kind} = ${name} AND ${audit.object_id} = ${id} AND ${audit.id} > ${sinceId}
      ORDER BY ${audit.id} DESC LIMIT ${literal(WEBHOOK_WORK.entries)})`
  const ownEntries = entriesAbout(sql`${kind.slice(0, -1)}`, sql`found.id`)
  const series = sql`(SELECT ${events.series_id} FROM ${events} WHERE ${events.id} = found.id)`
  return sql`(SELECT json_group_array(json_object('id', id, 'at', at, 'fields', json(iif(json_valid(fields), fields, '[]'))))
    FROM (${kind === 'events' ? sql`${ownEntries} UNION ALL ${entriesAbout(sql`'series'`, series)}` : ownEntries}))`
}

type ScanPosition = {
  webhook: WebhookRow
  kind: FollowedKind
  /** A condition for the rows that the filters of the webhook choose. */
  chosenSql: SQL
  nowMs: number
}

/**
 * A query for the resources of a kind that the webhook may have to be notified about: resources whose next
 * try is due, then changed resources.
 */
export function selectWebhookCandidates({
  webhook,
  kind,
  chosenSql,
  nowMs,
}: ScanPosition): Query<Candidate[]> {
  const now = formatInstant(nowMs)
  const { id } = webhook
  const due = sql`SELECT 0 AS change_number, id, 1 AS is_due ${waitingOf(sql`${id}`)}
    AND waiting.next_try_utc <= ${now} AND waiting.kind = ${kind}
    ORDER BY waiting.next_try_utc LIMIT ${literal(WEBHOOK_WORK.changes)}`
  const changed = nextChanges({
    ...AFTER_POSITION,
    from: sql`${webhooks} AS webhook CROSS JOIN ${AFTER_POSITION.from}`,
    where: sql`webhook.id = ${id} AND ${continuesSql(sql`webhook`)}
      AND position.webhook_id = webhook.id AND position.kind = ${kind} AND changes.kind = ${kind}`,
    more: sql`, 0 AS is_due`,
    limit: WEBHOOK_WORK.changes,
  })
  return many(
    sql`SELECT found.id, found.is_due, changes.change_number AS n, delivered.is_listed AS delivered_listed, delivered.is_public AS delivered_public,
        delivered.is_canceled AS delivered_canceled, delivered.n AS delivered_n, delivered.tries,
        delivered.next_try_utc, delivered.audit_id,
        ${stateColumns(kind, chosenSql)},
        ${unreportedEntries(kind, sql`max(coalesce(delivered.audit_id, 0), ${webhook.audit_id})`)} AS entries
      FROM (SELECT * FROM (${due}) UNION ALL SELECT * FROM (${changed})) AS found
      CROSS JOIN ${changes} ON changes.kind = ${kind} AND changes.id = found.id
      LEFT JOIN ${webhookResources} AS delivered ON delivered.webhook_id = ${id} AND delivered.kind = ${kind}
      AND delivered.id = found.id
      ORDER BY found.is_due DESC, found.change_number, found.id`,
    row => toCandidate(kind, now, row),
  )
}
