import { restUrl, type SerializeContext } from '../context.ts'
import type { DeliveryRow, FoundWebhook } from './queries.ts'
import type { DeliveryResponse, WebhookResponse } from './schema.ts'

/** A webhook as responses show it. @param secret only where the request has set it */
export function serializeWebhook(
  { waiting, ...row }: FoundWebhook,
  context: SerializeContext,
  secret?: string,
): WebhookResponse {
  return {
    id: row.id,
    rest_url: restUrl(context, 'webhooks', row.id),
    url: row.url,
    // Of JSON that was stored by writes.ts, as are the filters.
    events: JSON.parse(row.events) as WebhookResponse['events'],
    filters: JSON.parse(row.filters) as WebhookResponse['filters'],
    active: row.active,
    state: stateOf(row),
    ...(row.failing_since_utc !== null && { failing_since_utc: row.failing_since_utc }),
    waiting,
    date_utc: row.created_utc,
    ...(secret !== undefined && { secret }),
  }
}

function stateOf(row: Omit<FoundWebhook, 'waiting'>): WebhookResponse['state'] {
  if (row.stopped !== '') return row.stopped
  if (!row.active) return 'paused'
  if (row.failing_since_utc !== null) return 'failing'
  return row.has_delivered ? 'ok' : 'new'
}

/** A message, with what came of it. */
export const serializeDelivery = (row: DeliveryRow): DeliveryResponse => ({
  id: row.id,
  message_id: row.message_id,
  type: row.type,
  payload: JSON.parse(row.body),
  state: row.state,
  tries: row.tries,
  date_utc: row.at_utc,
  ...(row.next_try_utc !== null && { next_try_utc: row.next_try_utc }),
  ...(row.status !== null && { status: row.status }),
  response: row.response,
  message: row.message,
})
