import { and, eq, gt, isNotNull, not, or, type SQL, sql } from 'drizzle-orm'
import {
  type ChosenRows,
  checkNames,
  type FilterCheck,
  FOLLOWED_LISTS,
  type FollowedKind,
  type ListFilters,
  NO_FILTER_CHECK,
  selectChosen,
  selectFilterCheck,
} from '../../calendar/changes/followed-lists.ts'
import { LAST_ID } from '../../calendar/changes/queries.ts'
import type { NothingLeft } from '../../calendar/content/resource.ts'
import type { BaseContext, CronRun } from '../../kit/context.ts'
import { insertedId, recorded } from '../../kit/db/audit.ts'
import { newestId } from '../../kit/db/bulk.ts'
import { changes, latestChange, revision } from '../../kit/db/derived.ts'
import { conflictIf } from '../../kit/db/failures.ts'
import { eachOf, inList, literal, many, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { audit, events } from '../../kit/db/tables.ts'
import type { WrittenRow } from '../../kit/http/managed-resource.ts'
import { backgroundContext } from '../../kit/http/request-context.ts'
import type { ValidationErrors } from '../../kit/lib/errors.ts'
import { checkHost } from '../../kit/lib/network.ts'
import { DAY_MS, formatInstant, toEpoch } from '../../kit/lib/time.ts'
import { storedJson } from '../../kit/lib/values.ts'
import { notPostponedSql, tryRow } from '../../kit/work/leases.ts'
import { WEBHOOK_WORK, WEBHOOKS_WAITING } from './budgets.ts'
import { requireWebhook, selectWebhookById, type WebhookWithProgress } from './queries.ts'
import { expectWebhooks } from './run.ts'
import { kindsOf, WEBHOOK_EVENTS, type WebhookFields, type WebhookResponse } from './schema.ts'
import { formerSecrets, newWebhookSecret } from './send.ts'
import { webhookDeliveries, webhookPositions, webhookResources, webhooks } from './tables.ts'

/**
 * The statements that record the current state of the list as the baseline, so that only later changes are
 * sent. Earlier changes that are not reported yet are compared with the current list.
 *
 * @param input.webhook an expression of the webhook's id
 * @param input.chosen conditions for the rows that its filters choose
 */
export function snapshotStatements({
  webhook,
  kinds,
  chosen,
}: {
  webhook: SQL
  kinds: readonly FollowedKind[]
  chosen: ChosenRows
}): Statement[] {
  const unreportedSql = (kind: SQL, id: SQL): SQL =>
    sql`EXISTS (SELECT 1 FROM ${webhookPositions} AS position CROSS JOIN ${changes} ON changes.kind = position.kind AND changes.id = ${id}
      WHERE position.webhook_id = ${webhook} AND position.kind = ${kind}
        AND (changes.change_number > position.n OR (changes.change_number = position.n AND changes.id > position.id)))`
  const otherRowsSql = sql`webhook_id = ${webhook} AND kind NOT IN ${inList(kinds)}`
  return [
    build.delete(webhookPositions).where(otherRowsSql),
    build.delete(webhookResources).where(otherRowsSql),
    build
      .delete(webhookResources)
      .where(
        and(
          eq(webhookResources.webhook_id, webhook),
          eq(webhookResources.tries, 0),
          not(unreportedSql(sql`${webhookResources.kind}`, sql`${webhookResources.id}`)),
        ),
      ),
    sql`INSERT OR IGNORE INTO ${webhookPositions} (webhook_id, kind, n, id, public_n)
      SELECT ${webhook}, value, ${latestChange(sql`value`)}, ${LAST_ID}, public_change_number
      FROM ${revision} CROSS JOIN ${eachOf(kinds)}`,
    ...kinds.map(kind => {
      const { table } = FOLLOWED_LISTS[kind]
      const isEvent = kind === 'events'
      return sql`INSERT OR IGNORE INTO ${webhookResources} (webhook_id, kind, id, is_listed, is_public, is_canceled)
        SELECT ${webhook}, ${kind}, ${table.id}, 1, ${isEvent ? sql`${events.listed}` : sql`0`},
          ${isEvent ? eq(events.event_status, 'canceled') : sql`0`}
        FROM ${table} WHERE ${chosen(kind)}
          AND NOT ${unreportedSql(sql`${kind}`, sql`${table.id}`)}`
    }),
  ]
}

/** The most webhooks: each costs a query for changes, and messages. */
export const MAX_WEBHOOKS = 50

/** How long former secrets keep signing after the last change, and the most of them. */
const FORMER_SECRETS_MS = DAY_MS
const MAX_FORMER_SECRETS = 10

/** A webhook to write. `secret` is a new secret. */
type PreparedWebhook = {
  stored: WebhookWithProgress | undefined
  fields: string[]
  url: string
  events: readonly string[]
  filters: ListFilters
  active: boolean
  secret: string | undefined
}

type WebhookToWrite = PreparedWebhook & { chosen: ChosenRows }

/** A query for the facts on which a write of a webhook depends. */
export const selectNeededForWebhook = (context: BaseContext, { filters }: Partial<WebhookFields>) =>
  filters ? selectFilterCheck(context, filters) : NO_FILTER_CHECK

type WebhookInput = {
  values: Partial<WebhookFields>
  fields: string[]
  stored: WebhookWithProgress | undefined
  needed: FilterCheck
}

/** Prepares the write of a webhook, or adds errors. */
export function prepareWebhook(
  context: BaseContext,
  { values, fields, stored, needed: checkFilters }: WebhookInput,
  errors: ValidationErrors,
): PreparedWebhook {
  const { url, events, filters, active, secret, ...unhandledFields } = values
  unhandledFields satisfies NothingLeft
  if (url !== undefined) checkHost(context.settings, url, errors)
  const types = events ?? (stored ? storedJson<string[]>(stored.events) : WEBHOOK_EVENTS)
  const kinds = kindsOf(types)
  const wantedFilters = filters ?? (stored ? storedJson<ListFilters>(stored.filters) : {})
  checkNames(kinds, wantedFilters, errors)
  checkFilters(kinds, errors)
  return {
    stored,
    fields,
    url: url ?? stored?.url ?? '',
    events: types,
    filters: wantedFilters,
    active: active ?? stored?.active ?? true,
    secret: secret ?? (stored ? undefined : newWebhookSecret()),
  }
}

/** Makes or changes a webhook. Only the response to this request shows a new secret. */
export async function writeWebhook(
  context: BaseContext,
  prepared: PreparedWebhook,
): Promise<WrittenRow<WebhookWithProgress, WebhookResponse>> {
  expectWebhooks()
  const { stored, secret } = prepared
  const chosen = await context.db.read(selectChosen(context, prepared.filters))
  const writtenRow = stored
    ? await context.db.write(
        isUnchanged(stored, prepared) ? [] : updateStatements(context, stored, { ...prepared, chosen }),
        selectWebhookById(stored.id, context),
      )
    : await context.db.write(
        insertStatements(context, { ...prepared, chosen }),
        selectWebhookById(newestId(webhooks), context),
      )
  return { row: requireWebhook(writtenRow), ...(secret !== undefined && { once: { secret } }) }
}

function insertStatements(context: BaseContext, prepared: WebhookToWrite): Statement[] {
  const { url, events, filters, active, secret, fields, chosen } = prepared
  return [
    ...recorded(
      context,
      build.insert(webhooks).values({
        url,
        events: JSON.stringify(events),
        filters: JSON.stringify(filters),
        active,
        secret: secret ?? '',
        api: context.api,
        created_utc: context.clock.now(),
        old_secret_until_utc: context.clock.now(),
        served_utc: context.clock.now(),
        audit_id: sql`coalesce(${newestId(audit)}, 0)`,
      }),
      { action: 'create', kind: 'webhook', fields, id: insertedId },
    ),
    conflictIf(gt(build.$count(webhooks), MAX_WEBHOOKS)),
    ...snapshotStatements({ webhook: newestId(webhooks), kinds: kindsOf(events), chosen }),
  ]
}

const isUnchanged = (
  stored: WebhookWithProgress,
  { url, events, filters, active, secret = stored.secret }: PreparedWebhook,
) =>
  url === stored.url &&
  active === stored.active &&
  secret === stored.secret &&
  !isOtherList(stored, { events, filters })

/** True if a write changes what a webhook gets messages about. */
const isOtherList = (
  stored: WebhookWithProgress,
  { events, filters }: Pick<PreparedWebhook, 'events' | 'filters'>,
) => JSON.stringify(events) !== stored.events || JSON.stringify(filters) !== stored.filters

/**
 * The former secrets once a new one is set: the receiver may still use any that it was given within a day.
 */
const secretsBefore = (stored: WebhookWithProgress, secret: string, nowMs: number): string[] =>
  [stored.secret, ...formerSecrets(stored, nowMs)]
    .filter(former => former !== secret)
    .slice(0, MAX_FORMER_SECRETS)

function updateStatements(
  context: BaseContext,
  stored: WebhookWithProgress,
  prepared: WebhookToWrite,
): Statement[] {
  const { id, version } = stored
  const { url, events, filters, active, secret, fields, chosen } = prepared
  const nowMs = toEpoch(context.clock.now())
  return [
    ...recorded(
      context,
      build
        .update(webhooks)
        .set({
          version: version + 1,
          url,
          events: JSON.stringify(events),
          filters: JSON.stringify(filters),
          active,
          api: context.api,
          ...(secret !== undefined && {
            secret,
            old_secret: secretsBefore(stored, secret, nowMs).join(' '),
            old_secret_until_utc: formatInstant(nowMs + FORMER_SECRETS_MS),
          }),
          ...(fields.includes('active') && { stopped: '' as const, failing_since_utc: null }),
        })
        .where(eq(webhooks.id, id)),
      { action: 'update', kind: 'webhook', fields, id },
    ),
    ...(isOtherList(stored, prepared)
      ? snapshotStatements({ webhook: sql`${id}`, kinds: kindsOf(events), chosen })
      : []),
    // A webhook that is switched on again has been repaired: all failed messages are due, and may be tried as
    // often as new ones.
    ...(active && !stored.active
      ? [
          build
            .update(webhookResources)
            .set({ tries: 0, next_try_utc: context.clock.now() })
            .where(and(eq(webhookResources.webhook_id, id), gt(webhookResources.tries, 0))),
        ]
      : []),
  ]
}

export const deleteWebhook = (context: BaseContext, { id, version }: WebhookWithProgress): Promise<void> =>
  context.db.write([
    // Fails if the webhook was changed since it was read.
    build
      .update(webhooks)
      .set({ version: version + 1 })
      .where(eq(webhooks.id, id)),
    ...[webhookDeliveries, webhookResources, webhookPositions].map(table =>
      build.delete(table).where(eq(table.webhook_id, id)),
    ),
    ...recorded(context, build.delete(webhooks).where(eq(webhooks.id, id)), {
      action: 'delete',
      kind: 'webhook',
      id,
    }),
  ])

// While the feature is switched off, webhooks have no positions, and nothing is due for them. Once it is on
// again, each starts from what its list shows then, like a new one.

/** A condition that is true if {@link webhookSuspensionStatements} has something to do. */
export const webhookToSuspendSql: SQL = sql`EXISTS (SELECT 1 FROM ${webhookPositions})`

/** The statements that suspend webhooks. Messages that wait are not sent any more. */
export const webhookSuspensionStatements: readonly Statement[] = [
  build.delete(webhookPositions),
  build
    .delete(webhookResources)
    .where(or(gt(webhookResources.tries, 0), isNotNull(webhookResources.next_try_utc))),
  build.update(webhookDeliveries).set({ state: 'failed', next_try_utc: null }).where(sql`state = 'waiting'`),
]

const { rowName, atOnce } = WEBHOOKS_WAITING

/** Suspended webhooks that may resume, in SQL from `FROM` on. */
const suspendedWebhooks = (nowMs: number): SQL =>
  sql`${webhooks} WHERE NOT EXISTS (SELECT 1 FROM ${webhookPositions} AS position WHERE position.webhook_id = webhooks.id)
    AND ${notPostponedSql(rowName, nowMs, sql`webhooks.id`)}`

/** A condition that is true if {@link resumeWebhooks} has something to do. */
export const webhookToResumeSql = (nowMs: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${suspendedWebhooks(nowMs)})`

/** Resumes suspended webhooks, which start from the present state. */
export async function resumeWebhooks({ db, settings, nowMs }: CronRun): Promise<void> {
  const statements = WEBHOOK_WORK.ofWebhook
  if (!db.allowance.allows('webhooks', { statements: 1 + statements })) return
  const ids = sql`SELECT id FROM ${suspendedWebhooks(nowMs)} ORDER BY id LIMIT ${literal(atOnce)}`
  const rows = await db.read(many(build.select().from(webhooks).where(sql`${webhooks.id} IN (${ids})`)))
  await db.allowance.forEach('webhooks', { statements }, rows, webhook => {
    const kinds = kindsOf(storedJson<string[]>(webhook.events))
    const filters = storedJson<ListFilters>(webhook.filters)
    const context = backgroundContext(webhook, { db, settings, nowMs })
    return tryRow(db, { rowName, id: webhook.id, nowMs }, async () => {
      const chosen = await db.read(selectChosen(context, filters))
      await db.write([
        ...snapshotStatements({ webhook: sql`${webhook.id}`, kinds, chosen }),
        build
          .update(webhooks)
          .set({ audit_id: sql`coalesce(${newestId(audit)}, 0)` })
          .where(eq(webhooks.id, webhook.id)),
      ])
    })
  })
}
