import { restUrl, type SerializeContext } from '../../kit/context.ts'
import { pick, storedJson } from '../../kit/lib/values.ts'
import { WEBHOOK_WORK } from './budgets.ts'
import type { DeliveryRow, FoundWebhook } from './queries.ts'
import type { DeliveryResponse, WebhookResponse } from './schema.ts'

/** A webhook as responses show it. */
export const serializeWebhook = (
  { waiting, ...row }: FoundWebhook,
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
  date_utc: row.created_utc,
})

export function webhookState(row: Omit<FoundWebhook, 'waiting'>): WebhookResponse['state'] {
  if (row.stopped !== '') return row.stopped
  if (!row.active) return 'paused'
  if (row.failing_since_utc !== null) return 'failing'
  return row.has_delivered ? 'ok' : 'new'
}

/** A message with its outcome. */
export const serializeDelivery = (row: DeliveryRow): DeliveryResponse => ({
  ...pick(row, 'id', 'webhook_id', 'message_id', 'type'),
  payload: JSON.parse(row.body),
  state: row.state,
  tries: row.tries,
  date_utc: row.at_utc,
  ...(row.next_try_utc !== null && { next_try_utc: row.next_try_utc }),
  ...(row.status !== null && { status: row.status }),
  response: row.response,
  ...(row.status === null && { reason: row.message }),
  message: reasonFor(row),
})

const REASONS: Readonly<Record<string, string>> = {
  private: 'The address leads into a private network.',
  timeout: `There was no response within ${WEBHOOK_WORK.patienceMs / 1000} seconds.`,
  connection: 'There was no connection, or it broke.',
  internal: 'The calendar could not send it: its log says why.',
}

/** The reason why the receiver didn't accept a message, for people; '' if it did. */
function reasonFor({ status, message: reason }: DeliveryRow): string {
  if (status === null) return REASONS[reason] ?? ''
  if (status >= 200 && status < 300) return ''
  if (status === 410) return 'The receiver says that it is gone for good.'
  if (status >= 300 && status < 400) return 'The receiver sends on to another address, which is not followed.'
  return `The receiver responded with ${status}.`
}
