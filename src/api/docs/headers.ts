import type { Json } from '../../lib/values.ts'

const text = (description: string): Json => ({ description, schema: { type: 'string' } })

/** The headers that any response may have, by name: components of the document. */
export const SHARED_HEADERS: Readonly<Record<string, Json>> = {
  'X-Ignored-Fields': text(
    'Parameters and body fields that mean nothing here, comma-separated; absent if there are none.',
  ),
  'Idempotency-Replayed': text('`true` if this is the first response to the `Idempotency-Key` again.'),
  'X-Calendar-Id': text('The calendar, under whatever name it was asked.'),
  'X-Request-Id': text('The id of the request: its own where it names one. The log knows it by this.'),
  'x-d1-bookmark': text(
    'The state of the database after a write. Sent with a read, it makes that see the write.',
  ),
}

/** References to the shared headers, for a response. */
export const sharedHeaders: Json = Object.fromEntries(
  Object.keys(SHARED_HEADERS).map(name => [name, { $ref: `#/components/headers/${name}` }]),
)

const RETRY_AFTER: Json = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } }

const OF_STATUS: Partial<Record<number, Json>> = {
  301: { Location: text('Where it is now.') },
  409: { 'Retry-After': { description: 'Seconds to wait, where that helps.', schema: { type: 'integer' } } },
  401: { 'WWW-Authenticate': text('How to log in.') },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
}

/** The headers of an error, by its status. */
export const errorHeaders = (status: number): Json => ({ ...OF_STATUS[status], ...sharedHeaders })
