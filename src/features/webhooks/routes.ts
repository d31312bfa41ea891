import { type SQL, sql } from 'drizzle-orm'
import { type BaseContext, restUrl, type SerializeContext } from '../../kit/context.ts'
import { combineQueries } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { defineManaged } from '../../kit/http/managed-resource.ts'
import { ok } from '../../kit/http/reply.ts'
import type { Route } from '../../kit/http/route.ts'
import { isoUtc, toEpoch } from '../../kit/lib/time.ts'
import { pick, storedJson } from '../../kit/lib/values.ts'
import { WEBHOOK_WORK } from './budgets.ts'
import { messageStatements } from './outcome.ts'
import {
  type DeliveryRow,
  requireDelivery,
  requireWebhook,
  selectDelivery,
  selectDeliveryPage,
  selectWebhookById,
  selectWebhookCount,
  selectWebhookPage,
  type WebhookWithProgress,
} from './queries.ts'
import { notifyWebhooks } from './run.ts'
import {
  type DeliveryResponse,
  deliveryList,
  deliverySchema,
  kindOfType,
  TEST_TYPE,
  type WebhookResponse,
  webhookFields,
  webhookSchema,
} from './schema.ts'
import { type Message, sendMessage } from './send.ts'
import { type FailureReason, webhookResources } from './tables.ts'
import {
  deleteWebhook,
  MAX_WEBHOOKS,
  prepareWebhook,
  selectNeededForWebhook,
  writeWebhook,
} from './writes.ts'

const serializeWebhook = (
  { waiting, behind, ...row }: WebhookWithProgress,
  context: SerializeContext,
): WebhookResponse => ({
  id: row.id,
  rest_url: restUrl(context, 'webhooks', row.id),
  url: row.url,
  events: storedJson<WebhookResponse['events']>(row.events),
  filters: storedJson<WebhookResponse['filters']>(row.filters),
  active: row.active,
  state: webhookState(row),
  ...(row.failing_since_utc !== null && { failing_since_utc: row.failing_since_utc }),
  waiting,
  behind,
  date_utc: row.created_utc,
})

export function webhookState(row: Omit<WebhookWithProgress, 'waiting' | 'behind'>): WebhookResponse['state'] {
  if (row.stopped !== '') return row.stopped
  if (!row.active) return 'paused'
  if (row.failing_since_utc !== null) return 'failing'
  if (row.chooses_nothing) return 'filters'
  return row.has_delivered ? 'ok' : 'new'
}

const serializeDelivery = (row: DeliveryRow): DeliveryResponse => ({
  ...pick(row, 'id', 'webhook_id', 'message_id', 'type'),
  payload: storedJson<unknown>(row.body),
  state: row.state,
  tries: row.tries,
  date_utc: row.at_utc,
  ...(row.next_try_utc !== null && { next_try_utc: row.next_try_utc }),
  ...(row.status !== null && { status: row.status }),
  response: row.response,
  ...(row.status === null && { reason: row.message }),
  message: reasonFor(row),
})

const REASONS: { readonly [reason: string]: string } = {
  private: 'The address leads into a private network.',
  timeout: `There was no response within ${WEBHOOK_WORK.patienceMs / 1000} seconds.`,
  connection: 'The connection failed or was interrupted.',
  internal: 'The calendar could not send it; its log says why.',
} satisfies Record<Exclude<FailureReason, ''>, string>

/** The reason why the receiver didn't accept a message, for people; '' if it did. */
function reasonFor({ status, message: reason }: DeliveryRow): string {
  if (status === null) return REASONS[reason] ?? ''
  if (status >= 200 && status < 300) return ''
  if (status === 410) return 'The receiver says that it is gone for good.'
  if (status >= 300 && status < 400)
    return 'The receiver redirects to another address, which is not followed.'
  return `The receiver responded with ${status}.`
}

export const managedWebhooks = defineManaged({
  singular: 'webhook',
  id: 'Webhook',
  item: webhookSchema,
  fields: webhookFields,
  requires: 'manage_webhooks',
  limit: MAX_WEBHOOKS,
  tooMany: 'webhooks-are-too-many',
  notFound: 'rest-webhook-not-found',
  noPage: 'webhook-archive-page-not-found',
  summaries: { create: 'Create a webhook' },
  selectCount: selectWebhookCount,
  selectPage: selectWebhookPage,
  selectById: selectWebhookById,
  requireRow: requireWebhook,
  serialize: serializeWebhook,
  selectNeeded: selectNeededForWebhook,
  prepare: prepareWebhook,
  write: writeWebhook,
  remove: deleteWebhook,
})
const { routes, ofOne, listOfOne } = managedWebhooks

/** Sends a message at once, and records the outcome. @returns the recorded delivery */
async function sendNow(
  context: BaseContext,
  webhook: WebhookWithProgress,
  message: Message,
): Promise<DeliveryRow> {
  const nowMs = toEpoch(context.clock.now())
  const outcome = await sendMessage(webhook, message, { settings: context.settings, nowMs })
  const statements = messageStatements(webhook.id, [
    { ...message, outcome, nextTry: null, tries: 0, atMs: nowMs },
  ])
  return requireDelivery(
    await context.db.write(statements, selectDelivery(webhook.id, sql`message_id = ${message.id}`)),
  )
}

const test = defineWrite({
  ...ofOne,
  methods: ['POST'],
  path: '/webhooks/{id}/test',
  summary: `Send \`${TEST_TYPE}\` to one webhook, and return what comes back`,
  asksElsewhere: true,
  responses: { 200: deliverySchema },
  handle: async (context, { prepared: webhook }) => {
    const data = { id: webhook.id, rest_url: `${context.api}/webhooks/${webhook.id}`, changed: [] }
    const delivery = await sendNow(context, webhook, {
      id: `msg_${webhook.id}_test_${crypto.randomUUID()}`,
      type: TEST_TYPE,
      objectId: 0,
      body: JSON.stringify({ type: TEST_TYPE, timestamp: isoUtc(context.clock.now()), data }),
    })
    return ok(serializeDelivery(delivery))
  },
})

const deliveries = listOfOne({
  id: 'WebhookDeliveryList',
  plural: 'deliveries',
  summary: 'List what was sent to one webhook, the newest first',
  item: deliverySchema,
  params: deliveryList,
  noPage: 'delivery-archive-page-not-found',
  select: selectDeliveryPage,
  serialize: (_, rows) => rows.map(serializeDelivery),
})

/** A condition for the resource of a message, if it waits for a try or has used up all tries. */
const pendingTriesSql = (webhook: number, { type, object_id: id }: DeliveryRow): SQL =>
  sql`webhook_id = ${webhook} AND kind = ${kindOfType(type)} AND id = ${id} AND tries > 0`

const retry = defineWrite({
  ...ofOne,
  methods: ['POST'],
  path: '/webhooks/{id}/deliveries/{delivery}/retry',
  summary: 'Send a message again at once',
  asksElsewhere: true,
  responses: { 200: deliverySchema },
  errors: [...ofOne.errors, 'rest-delivery-not-found'],
  load: (context, input) =>
    combineQueries({
      webhook: ofOne.load(context, input),
      delivery: selectDelivery(input.id, sql`id = ${input.partId}`),
    }),
  prepare: (_, { webhook, delivery }) => ({
    webhook: requireWebhook(webhook),
    delivery: requireDelivery(delivery),
  }),
  handle: async (context, { prepared: { webhook, delivery } }) => {
    const { db, settings, clock } = context
    const isOpen = webhook.active && (delivery.state === 'waiting' || delivery.state === 'failed')
    if (isOpen && delivery.type !== TEST_TYPE) {
      // The message is built again from the present resource, which may have changed.
      const condition = pendingTriesSql(webhook.id, delivery)
      await db.write([build.update(webhookResources).set({ next_try_utc: clock.now() }).where(condition)])
      await notifyWebhooks({
        db,
        settings,
        nowMs: toEpoch(clock.now()),
        messages: WEBHOOK_WORK.messagesAfterWrite,
        onlyId: webhook.id,
      })
      const after = requireDelivery(await db.read(selectDelivery(webhook.id, sql`id = ${delivery.id}`)))
      if (after.tries > delivery.tries || after.state !== delivery.state) return ok(serializeDelivery(after))
    }
    const message = {
      id: delivery.message_id,
      type: delivery.type,
      objectId: delivery.object_id,
      body: delivery.body,
    }
    return ok(serializeDelivery(await sendNow(context, webhook, message)))
  },
})

export const webhookRoutes: Route[] = [...routes, test, deliveries, retry]
