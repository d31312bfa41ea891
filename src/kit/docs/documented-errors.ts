import * as z from 'zod/mini'
import { documented } from '../http/params.ts'
import type { Route } from '../http/route.ts'
import { type ErrorCode, meaningOf, shownCode, statusOf } from '../lib/error-codes.ts'
import { REASON_CODES } from '../lib/reasons.ts'
import { capitalized } from '../lib/text.ts'
import type { Json } from '../lib/values.ts'
import { errorHeaders, reference } from './schemas.ts'

const reasonSchema = z.object({
  code: documented(z.enum(REASON_CODES), {
    description: 'Why the value was refused, for programs.',
    example: 'too_long',
  }),
  message: z.string(),
  data: z.record(z.string(), z.union([z.string(), z.number()])),
})

export const errorSchema = z.lazy(() =>
  documented(
    z.looseObject({
      code: documented(z.string(), {
        description: 'What went wrong, for programs.',
        example: 'rest_invalid_param',
      }),
      message: documented(z.string(), {
        description: 'What went wrong, for people; its wording may change.',
        example: 'Invalid parameter(s): page: must be a positive whole number',
      }),
      data: z.looseObject({
        status: documented(z.int(), { description: 'The HTTP status.', example: 400 }),
        params: documented(
          z.optional(z.union([z.record(z.string(), z.string()), z.array(z.string())])),
          'Bad parameters with the reason for each, or a list of missing ones.',
        ),
        details: documented(
          z.optional(z.record(z.string(), reasonSchema)),
          'The bad parameters whose reason has a code, each with that code, the same message, and the values that it names.',
        ),
        term_id: documented(z.optional(z.int()), 'The term that exists already.'),
        request_id: documented(z.optional(z.string()), 'The id of the request in the log.'),
      }),
    }),
    { id: 'Error', description: 'The body of every error.' },
  ),
)

/** True if a route changes an existing resource, so that it checks `If-Match`. */
export const changesOne = ({ methods, path }: Route): boolean =>
  !methods.includes('GET') && path.includes('{')

/** The errors that any route of this form can have, besides those that it declares. */
const commonErrors = (route: Route): ErrorCode[] => [
  'incorrect_password',
  ...(route.requires === 'read' ? [] : (['rest_unauthenticated', 'rest_forbidden'] as const)),
  ...(route.query || route.body ? (['rest_invalid_param'] as const) : []),
  ...(route.body
    ? (['rest_invalid_json', 'rest_payload_too_large', 'rest_unsupported_media_type'] as const)
    : []),
  ...(changesOne(route) ? (['rest_precondition_failed'] as const) : []),
  ...(route.methods.includes('POST')
    ? (['rest_idempotency_conflict', 'rest_idempotency_response_lost', 'rest_idempotency_mismatch'] as const)
    : []),
  ...(route.complete ? (['rest_missing_callback_param'] as const) : []),
  'rest_too_many_requests',
  'rest_service_unavailable',
  'rest_internal_error',
]

/** All errors of a route, by status in ascending order. */
export function errorsOfRoute(route: Route): [status: number, codes: ErrorCode[]][] {
  const codes = [...new Set([...commonErrors(route), ...(route.errors ?? [])])]
  const statuses = [...new Set(codes.map(statusOf))].sort((a, b) => a - b)
  return statuses.map(status => [status, codes.filter(code => statusOf(code) === status).sort()])
}

/**
 * The name of the shared response for these codes: `Error404RestVenueNotFound`. Client generators turn it
 * into a type, so it must be an identifier in any language.
 */
export const errorName = (status: number, codes: readonly ErrorCode[]): string =>
  `Error${status}${codes
    .flatMap(code => shownCode(code).split(/[_-]/))
    .map(capitalized)
    .join('')}`

/**
 * Codes that always accompany another code. The names of clients' types leave them out, and so stay the same.
 */
const CODES_BESIDE: Partial<Record<ErrorCode, readonly ErrorCode[]>> = {
  rest_service_unavailable: ['rest_daily_limit_reached', 'rest_concurrent_changes', 'rest_being_restored'],
}

const withOthers = (codes: readonly ErrorCode[]): ErrorCode[] =>
  codes.flatMap(code => [code, ...(CODES_BESIDE[code] ?? [])])

export const errorResponse = (status: number, named: readonly ErrorCode[]): Json =>
  responseOf(status, withOthers(named))

const responseOf = (status: number, codes: readonly ErrorCode[]): Json => ({
  description: codes.map(code => `\`${shownCode(code)}\`: ${meaningOf(code)}`).join('\n\n'),
  headers: errorHeaders(status),
  content: {
    'application/json': {
      schema: {
        allOf: [reference('Error')],
        properties: {
          code: { enum: codes.map(shownCode) },
          data: { properties: { status: { const: status } }, additionalProperties: true },
        },
      },
      examples: Object.fromEntries(codes.map(code => [shownCode(code), { value: exampleError(code) }])),
    },
  },
})

const exampleError = (code: ErrorCode): Json => ({
  code: shownCode(code),
  message: meaningOf(code).replaceAll('`', ''),
  data: { status: statusOf(code), ...EXAMPLE_DATA[code] },
})

const EXAMPLE_DATA: Partial<Record<ErrorCode, Json>> = {
  rest_moved: { location: 'https://example.org/calendar/events/v1/venues/13' },
  rest_missing_callback_param: { params: ['title', 'start_date'] },
  rest_invalid_param: { params: { page: 'must be a positive whole number' } },
  term_exists: { term_id: 7 },
  'venue-is-in-use': { events: 3 },
  'organizer-is-in-use': { events: 3 },
  rest_internal_error: { request_id: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed' },
}
