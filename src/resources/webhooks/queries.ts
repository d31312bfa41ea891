import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { columnList, decodeRow, type RowOf } from '../../db/columns.ts'
import { countOf, first, firstOf, inList, literal, many, type Query } from '../../db/query.ts'
import { webhookDeliveries, webhooks } from '../../db/schema.ts'
import { type Page, type Rows, selectNewest, withTotal } from '../../http/lists.ts'
import { ApiError } from '../../lib/errors.ts'
import { type WebhookRow, waiting, webhookColumns } from './scan.ts'
import type { DeliveryListParams } from './schema.ts'

const deliveryColumns = getTableColumns(webhookDeliveries)
export type DeliveryRow = RowOf<typeof deliveryColumns>

/** A webhook, with the number of resources that wait for it, and whether it was ever sent something. */
export type FoundWebhook = WebhookRow & { waiting: number; has_delivered: boolean }

const hasDelivered = sql`EXISTS (SELECT 1 FROM ${webhookDeliveries} AS sent WHERE sent.webhook_id = ${webhooks.id})`

const selectWebhooks = (tail: SQL): Query<FoundWebhook[]> =>
  many(
    sql`SELECT ${columnList(webhookColumns)}, (SELECT count(*) ${waiting(sql`${webhooks.id}`)}) AS waiting, ${hasDelivered} AS has_delivered FROM ${webhooks} ${tail}`,
    row => ({
      ...decodeRow(webhookColumns, row),
      waiting: Number(row.waiting),
      has_delivered: row.has_delivered === 1,
    }),
  )

/** A query of a page of webhooks, the newest first, and their number. */
export const selectWebhookPage = ({ perPage, offset }: Page): Query<Rows<FoundWebhook>> =>
  withTotal(
    selectWebhooks(sql`ORDER BY ${webhooks.id} DESC LIMIT ${literal(perPage)} OFFSET ${offset}`),
    webhookCount,
  )

/** A query of the number of webhooks. */
export const webhookCount = countOf(sql`${webhooks}`)

/** A query of one webhook. @param id a number or an expression */
export const webhookById = (id: number | SQL): Query<FoundWebhook | undefined> =>
  firstOf(selectWebhooks(sql`WHERE ${webhooks.id} = ${id}`))

/** Returns the webhook. @throws ApiError if there is none */
export function assertWebhook<R>(row: R | undefined): R {
  if (!row) throw new ApiError('rest-webhook-not-found', 'There is no webhook of this id.')
  return row
}

/** A query of a page of a webhook's messages, the newest first, and their number. */
export const selectDeliveryPage = (
  webhook: number,
  { values: { state }, page }: { values: Partial<DeliveryListParams>; page: Page },
): Query<Rows<DeliveryRow>> =>
  selectNewest(
    deliveryColumns,
    sql`${webhookDeliveries} WHERE webhook_id = ${webhook}${state ? sql` AND state IN ${inList(state)}` : sql``}`,
    page,
  )

/** A query of one message of a webhook. @param condition for the row */
export const deliveryWhere = (webhook: number, condition: SQL): Query<DeliveryRow | undefined> =>
  first(
    sql`SELECT ${columnList(deliveryColumns)} FROM ${webhookDeliveries} WHERE webhook_id = ${webhook} AND ${condition}`,
    row => decodeRow(deliveryColumns, row),
  )

/** Returns the message. @throws ApiError if there is none */
export function assertDelivery(row: DeliveryRow | undefined): DeliveryRow {
  if (!row) throw new ApiError('rest-delivery-not-found', 'There is no delivery of this id, or not any more.')
  return row
}
