import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { restUrl } from '../../context.ts'
import { settled, together } from '../../db/query.ts'
import { webhookResources } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import { idOf, type Key } from '../../http/input.ts'
import { defineList } from '../../http/lists.ts'
import { created, LOCATION, ok, one } from '../../http/reply.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { WEBHOOK_WORK } from '../../lib/budgets.ts'
import { assertConditions } from '../../lib/precondition.ts'
import { isoUtc, toEpoch } from '../../lib/time.ts'
import { record } from './commit.ts'
import { checkFilters } from './filters.ts'
import {
  assertDelivery,
  assertWebhook,
  type DeliveryRow,
  deliveryWhere,
  type FoundWebhook,
  selectDeliveryPage,
  selectWebhookPage,
  webhookById,
  webhookCount,
} from './queries.ts'
import { tellWebhooks } from './run.ts'
import { deliveryList, deliverySchema, webhookFields, webhookList, webhookSchema } from './schema.ts'
import { type Message, send } from './send.ts'
import { serializeDelivery, serializeWebhook } from './serialize.ts'
import { kindOfType, TEST } from './types.ts'
import { deleteWebhook, type PreparedWebhook, prepareWebhook, writeWebhook } from './writes.ts'

const requires = 'manage_webhooks'
const NO_WEBHOOK = 'rest-webhook-not-found'
const DELIVERIES = '/webhooks/{id}/deliveries'

const list = defineList({
  id: 'WebhookList',
  plural: 'webhooks',
  item: webhookSchema,
  params: webhookList,
  requires,
  isUncached: true,
  noPage: 'webhook-archive-page-not-found',
  select: (_, { page }) => selectWebhookPage(page),
  serialize: (context, rows) => rows.map(row => serializeWebhook(row, context)),
})

const written = async (context: RequestContext, prepared: PreparedWebhook) => {
  const row = await writeWebhook(context, prepared)
  return { body: serializeWebhook(row, context, prepared.secret), version: row.version }
}

const create = defineRoute({
  methods: ['POST'],
  path: '/webhooks',
  summary: 'Create a webhook',
  requires,
  body: webhookFields,
  complete: true,
  responses: { 201: webhookSchema },
  headers: LOCATION,
  errors: ['webhooks-are-too-many'],
  load: (context, { body: { filters = {} } }) =>
    together({ count: webhookCount, checkFilters: checkFilters(context, filters) }),
  prepare: (context, { count, checkFilters }, { body: values }, errors) =>
    prepareWebhook(context, { values, count, checkFilters }, errors),
  handle: async (context, { prepared }) => {
    const webhook = await written(context, prepared)
    return created(webhook, restUrl(context, 'webhooks', webhook.body.id))
  },
})

const read = defineRoute({
  methods: ['GET'],
  path: '/webhooks/{id}',
  summary: 'Read one webhook',
  requires,
  isUncached: true,
  responses: { 200: webhookSchema },
  errors: [NO_WEBHOOK],
  load: (_, { key }) => webhookById(idOf(key)),
  prepare: (_, row) => assertWebhook(row),
  handle: (context, { prepared: row }) => one({ body: serializeWebhook(row, context), version: row.version }),
})

const change = defineRoute({
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/webhooks/{id}',
  summary: 'Update one webhook',
  requires,
  body: webhookFields,
  responses: { 200: webhookSchema },
  errors: [NO_WEBHOOK],
  load: (context, { key, body: { filters } }) =>
    together({
      row: webhookById(idOf(key)),
      // Stored filters were checked when they were set.
      checkFilters: filters ? checkFilters(context, filters) : settled(() => {}),
    }),
  prepare: (context, { row, checkFilters }, { body: values }, errors) => {
    const stored = assertConditions(context, assertWebhook(row))
    return prepareWebhook(context, { values, stored, count: 0, checkFilters }, errors)
  },
  handle: async (context, { prepared }) => one(await written(context, prepared)),
})

const remove = defineRoute({
  methods: ['DELETE'],
  path: '/webhooks/{id}',
  summary: 'Delete one webhook',
  requires,
  responses: { 200: webhookSchema },
  errors: [NO_WEBHOOK],
  load: (_, { key }) => webhookById(idOf(key)),
  prepare: (context, row) => assertConditions(context, assertWebhook(row)),
  handle: async (context, { prepared: row }) => {
    await deleteWebhook(context, row)
    return one({ body: serializeWebhook(row, context), version: row.version })
  },
})

/** Sends a message at once, and records the outcome. @returns the recorded delivery */
async function sendNow(
  context: RequestContext,
  webhook: FoundWebhook,
  message: Message,
): Promise<DeliveryRow> {
  const nowMs = toEpoch(context.now)
  const outcome = await send(webhook, message, { settings: context.settings, nowMs })
  const statements = record(webhook.id, [{ ...message, outcome, nextTry: null, tries: 0, atMs: nowMs }])
  return assertDelivery(
    await context.db.change(statements, deliveryWhere(webhook.id, sql`message_id = ${message.id}`)),
  )
}

const test = defineRoute({
  methods: ['POST'],
  path: '/webhooks/{id}/test',
  summary: `Send \`${TEST}\` to one webhook, and see what comes back`,
  requires,
  asksElsewhere: true,
  responses: { 200: deliverySchema },
  errors: [NO_WEBHOOK],
  load: (_, { key }) => webhookById(idOf(key)),
  prepare: (_, row) => assertWebhook(row),
  handle: async (context, { prepared: webhook }) => {
    const data = { id: webhook.id, rest_url: `${context.api}/webhooks/${webhook.id}`, changed: [] }
    const delivery = await sendNow(context, webhook, {
      id: `msg_${webhook.id}_test_${crypto.randomUUID()}`,
      type: TEST,
      objectId: 0,
      body: JSON.stringify({ type: TEST, timestamp: isoUtc(context.now), data }),
    })
    return ok(serializeDelivery(delivery))
  },
})

const deliveries = defineList({
  id: 'WebhookDeliveryList',
  plural: 'deliveries',
  path: DELIVERIES,
  summary: 'List what was sent to one webhook, the newest first',
  item: deliverySchema,
  params: deliveryList,
  requires,
  isUncached: true,
  noPage: 'delivery-archive-page-not-found',
  errors: [NO_WEBHOOK],
  of: { byId: webhookById, assert: assertWebhook },
  select: (_, { key, values, page }) => selectDeliveryPage(idOf(key), { values, page }),
  serialize: (_, rows) => rows.map(serializeDelivery),
})

const named = ({ key, partId }: { key: Key; partId: number }) =>
  together({ webhook: webhookById(idOf(key)), delivery: deliveryWhere(idOf(key), sql`id = ${partId}`) })

/** A condition for the resource of a message, if it waits for a try or has used up all of them. */
const pending = (webhook: number, { type, object_id: id }: DeliveryRow): SQL =>
  sql`webhook_id = ${webhook} AND kind = ${kindOfType(type)} AND id = ${id} AND tries > 0`

const retry = defineRoute({
  methods: ['POST'],
  path: `${DELIVERIES}/{delivery}/retry`,
  summary: 'Send a message again at once',
  requires,
  asksElsewhere: true,
  responses: { 200: deliverySchema },
  errors: [NO_WEBHOOK, 'rest-delivery-not-found'],
  load: (_, input) => named(input),
  prepare: (_, { webhook, delivery }) => ({
    webhook: assertWebhook(webhook),
    delivery: assertDelivery(delivery),
  }),
  handle: async (context, { prepared: { webhook, delivery } }) => {
    const { db, settings, now } = context
    const isOpen = webhook.active && (delivery.state === 'waiting' || delivery.state === 'failed')
    if (isOpen && delivery.type !== TEST) {
      // The message is built again from the present resource, which may have changed.
      const condition = pending(webhook.id, delivery)
      await db.change([build.update(webhookResources).set({ next_try_utc: now }).where(condition)])
      await tellWebhooks({
        db,
        settings,
        nowMs: toEpoch(now),
        messages: WEBHOOK_WORK.messagesAfterWrite,
        only: webhook.id,
      })
      const after = assertDelivery(await db.get(deliveryWhere(webhook.id, sql`id = ${delivery.id}`)))
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

/** The routes of webhooks. */
export const webhookRoutes: Route[] = [list, create, read, change, remove, test, deliveries, retry]
