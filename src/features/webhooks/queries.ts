import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { choosesNothingSql } from '../../calendar/changes/followed-lists.ts'
import type { BaseContext } from '../../kit/context.ts'
import type { RowOf } from '../../kit/db/columns.ts'
import { countOf, first, inList, many, type Query, type RowOfQuery } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { type ListSlice, type Rows, selectNewest, withTotal } from '../../kit/http/lists.ts'
import { foundOrThrow } from '../../kit/lib/errors.ts'
import { behindOf, waitingOf, webhookColumns } from './scan.ts'
import type { DeliveryListParams } from './schema.ts'
import { webhookDeliveries, webhooks } from './tables.ts'

const deliveryColumns = getTableColumns(webhookDeliveries)
export type DeliveryRow = RowOf<typeof deliveryColumns>

/**
 * Webhooks with their counts (waiting resources, unseen changes), whether a message was ever sent, and
 * whether the filters choose no events any more.
 */
const webhookRows = (context: BaseContext) =>
  build
    .select({
      ...webhookColumns,
      waiting: sql<number>`(SELECT count(*) ${waitingOf(sql`${webhooks.id}`)})`,
      behind: sql<number>`${behindOf(sql`${webhooks.id}`)}`,
      has_delivered:
        sql`EXISTS (SELECT 1 FROM ${webhookDeliveries} AS sent WHERE sent.webhook_id = ${webhooks.id})`.mapWith(
          Boolean,
        ),
      chooses_nothing: choosesNothingSql(context).mapWith(Boolean),
    })
    .from(webhooks)

/** A query for a page of webhooks, the newest first, and their number. */
export const selectWebhookPage = (
  { perPage, offset }: ListSlice,
  context: BaseContext,
): Query<Rows<WebhookWithProgress>> =>
  withTotal(
    many(webhookRows(context).orderBy(desc(webhooks.id)).limit(perPage).offset(offset)),
    selectWebhookCount,
  )

export const selectWebhookCount = countOf(sql`${webhooks}`)

/** A query for one webhook. @param id a number or an expression */
export const selectWebhookById = (id: number | SQL, context: BaseContext) =>
  first(webhookRows(context).where(eq(webhooks.id, id)))

export type WebhookWithProgress = RowOfQuery<typeof selectWebhookById>

export const requireWebhook = foundOrThrow('rest-webhook-not-found', 'There is no webhook with this id.')

/** A query for a page of a webhook's messages, the newest first, and their number. */
export const selectDeliveryPage = (
  webhook: number,
  { values: { state }, page }: { values: Partial<DeliveryListParams>; page: ListSlice },
): Query<Rows<DeliveryRow>> =>
  selectNewest(
    deliveryColumns,
    sql`${webhookDeliveries} WHERE webhook_id = ${webhook}${state ? sql` AND state IN ${inList(state)}` : sql``}`,
    page,
  )

/** A query for one message of a webhook. @param condition for the row */
export const selectDelivery = (webhook: number, condition: SQL): Query<DeliveryRow | undefined> =>
  first(
    build
      .select()
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.webhook_id, webhook), condition)),
  )

export const requireDelivery = foundOrThrow(
  'rest-delivery-not-found',
  'There is no delivery with this id, or it has been deleted.',
)
