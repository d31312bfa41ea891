import type { Json } from './schemas.ts'

/** The header of responses to requests with unknown names. */
export const IGNORED_FIELDS: Json = {
  'X-Ignored-Fields': {
    description:
      'Parameters and body fields that mean nothing here, comma-separated; absent if there are none.',
    schema: { type: 'string' },
  },
}

const RETRY_AFTER: Json = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } }

const OF_STATUS: Partial<Record<number, Json>> = {
  401: { 'WWW-Authenticate': { description: 'How to log in.', schema: { type: 'string' } } },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
}

/** The headers of an error, by its status. */
export const errorHeaders = (status: number): Json => ({ ...OF_STATUS[status], ...IGNORED_FIELDS })
