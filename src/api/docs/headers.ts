import type { Json } from '../../lib/values.ts'

const text = (description: string): Json => ({ description, schema: { type: 'string' } })

/** The headers that any response may have, by name: components of the document. */
export const SHARED_HEADERS: Readonly<Record<string, Json>> = {
  'X-Ignored-Fields': text('Unknown parameters and body fields, comma-separated; absent if there are none.'),
  'Idempotency-Replayed': text('`true` if this repeats the first response to the `Idempotency-Key`.'),
  'X-Calendar-Id': text('The id of the calendar, whatever host name was used.'),
  'X-Request-Id': text('The id of the request, as in the log; that of the client if it sent one.'),
  'x-d1-bookmark': text(
    'The state of the database after a write. A read that sends it back sees that write.',
  ),
}

/** References to the shared headers, for a response. */
export const sharedHeaders: Json = Object.fromEntries(
  Object.keys(SHARED_HEADERS).map(name => [name, { $ref: `#/components/headers/${name}` }]),
)

const RETRY_AFTER: Json = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } }

const OF_STATUS: Partial<Record<number, Json>> = {
  301: { Location: text('Where it is now.') },
  409: { 'Retry-After': { description: 'Seconds to wait, if waiting helps.', schema: { type: 'integer' } } },
  401: { 'WWW-Authenticate': text('How to log in.') },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
}

/** The headers of an error, by its status. */
export const errorHeaders = (status: number): Json => ({ ...OF_STATUS[status], ...sharedHeaders })
