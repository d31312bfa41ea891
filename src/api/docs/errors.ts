import * as z from 'zod/mini'
import type { Route } from '../../http/route.ts'
import { type ErrorCode, shownCode, statusOf } from '../../lib/errors.ts'
import { capitalized } from '../../lib/text.ts'
import type { Json } from '../../lib/values.ts'
import { errorHeaders, reference } from './schemas.ts'

/** The meaning of each error code, for clients. */
const MEANING: Record<ErrorCode, string> = {
  rest_moved: 'The resource was merged into another one, whose address is in `Location`.',
  rest_missing_callback_param: 'Required fields are absent; `data.params` lists them.',
  rest_invalid_param: 'Bad values; `data.params` gives the reason for each.',
  rest_invalid_json: 'The body is not valid JSON.',
  term_exists: 'A term of this name exists under this parent; `data.term_id` is its id.',
  rest_post_invalid_page_number: 'The list has no such page.',
  rest_unauthenticated: 'Credentials are needed.',
  incorrect_password: 'The given credentials are wrong.',
  rest_forbidden: "The caller's role may not do this.",
  'event-not-accessible': 'The event is not published.',
  'venue-not-accessible': 'The venue is not published.',
  'organizer-not-accessible': 'The organizer is not published.',
  'series-not-accessible': 'The series is not published.',
  'event-no-longer-available': 'The event is in the trash.',
  'rest-event-not-found': 'There is no such event.',
  'rest-venue-not-found': 'There is no such venue.',
  'rest-organizer-not-found': 'There is no such organizer.',
  'rest-series-not-found': 'There is no such series.',
  'rest-category-not-found': 'There is no such category.',
  'rest-tag-not-found': 'There is no such tag.',
  'rest-image-not-found': 'There is no such image.',
  'rest-webhook-not-found': 'There is no such webhook.',
  'rest-source-not-found': 'There is no such source.',
  'rest-letter-not-found': 'There is no such letter.',
  'rest-delivery-not-found': 'There is no such delivery, or it has been deleted.',
  'rest-duplicate-not-found': 'There is no such pair of events.',
  'rest-submission-not-found': 'There is no such submission.',
  'event-archive-page-not-found': 'The list has no such page.',
  'venue-archive-page-not-found': 'The list has no such page.',
  'organizer-archive-page-not-found': 'The list has no such page.',
  'term-archive-page-not-found': 'The list has no such page.',
  'image-archive-page-not-found': 'The list has no such page.',
  'webhook-archive-page-not-found': 'The list has no such page.',
  'letter-archive-page-not-found': 'The list has no such page.',
  'source-archive-page-not-found': 'The list has no such page.',
  'delivery-archive-page-not-found': 'The list has no such page.',
  'duplicate-archive-page-not-found': 'The list has no such page.',
  'submission-archive-page-not-found': 'The list has no such page.',
  rest_no_route: 'No route matches the address and method.',
  'image-is-in-use':
    'Events, venues or organizers use it; `data.used_by` names those that the caller may read.',
  'venue-is-in-use': 'Events use it; `data.events` is the number of those that the caller may read.',
  'organizer-is-in-use': 'Events use it; `data.events` is the number of those that the caller may read.',
  'letters-are-too-many': 'The maximum number of letters has been reached.',
  'letter-cannot-be-sent': 'The letter was sent, is going to be, or its address is not confirmed.',
  'own-address-not-confirmed':
    'The caller has no confirmed e-mail address: the page of the account in the editor takes one.',
  'webhooks-are-too-many': 'The maximum number of webhooks has been reached.',
  'sources-are-too-many': 'The maximum number of sources has been reached.',
  rest_batch_conflict: 'Requests that depend on each other cannot be one transaction.',
  rest_idempotency_conflict: 'The first request with this `Idempotency-Key` is still running.',
  rest_idempotency_response_lost:
    'The first request with this `Idempotency-Key` was carried out, but its response is lost; `data.written` says what it wrote.',
  rest_idempotency_mismatch: 'This `Idempotency-Key` belongs to another address, body or role.',
  rest_submission_refused:
    'A link in the title or the name, or too many links. The message says what to do instead.',
  rest_submission_exists: 'The same event has already been submitted.',
  rest_submission_decided: 'The submission has been decided already; change its event instead.',
  'event-is-in-trash': 'The event is in the trash already.',
  'venue-is-in-trash': 'The venue is in the trash already.',
  'organizer-is-in-trash': 'The organizer is in the trash already.',
  rest_sync_expired:
    'The token of changes is older than 90 days, or belongs to another list, caller or database: start over.',
  rest_precondition_failed: 'The resource has changed since the version in `If-Match`.',
  rest_payload_too_large: 'The body is larger than two megabytes.',
  rest_unsupported_media_type: 'The body is neither JSON nor a form.',
  rest_range_not_satisfiable: 'The image has no such bytes.',
  rest_too_many_requests: 'Too many requests; `Retry-After` says when to try again.',
  rest_internal_error: 'Something went wrong in the service.',
  rest_media_unavailable: 'Images cannot be uploaded, because a bucket or an image service is missing.',
  rest_geocoder_unavailable: 'The calendar has no service that finds addresses (`GEOCODER`).',
  rest_geocoder_failed:
    'The service that finds addresses gave no usable response; the message says what was wrong.',
  rest_mail_unavailable:
    'The calendar sends no e-mails: the binding `EMAIL` or the var `MAIL_FROM` is missing.',
  rest_service_unavailable:
    'The database cannot be reached, or others keep changing the same resource; `Retry-After` says when to try again.',
  rest_daily_limit_reached:
    'The database has reached the daily limit of reads or writes on the free plan, until midnight UTC; see `Retry-After`.',
}

/** The body of every error. */
export const errorSchema = z.lazy(() =>
  z
    .looseObject({
      code: z.string().register(z.globalRegistry, {
        description: 'What went wrong, for programs.',
        example: 'rest_invalid_param',
      }),
      message: z.string().register(z.globalRegistry, {
        description: 'What went wrong, for people; its wording may change.',
        example: 'Invalid parameter(s): page must be a positive whole number',
      }),
      data: z.looseObject({
        status: z.int().register(z.globalRegistry, { description: 'The HTTP status.', example: 400 }),
        params: z
          .optional(z.union([z.record(z.string(), z.string()), z.array(z.string())]))
          .register(z.globalRegistry, {
            description: 'Bad parameters with the reason for each, or a list of missing ones.',
          }),
        term_id: z
          .optional(z.int())
          .register(z.globalRegistry, { description: 'The term that exists already.' }),
        request_id: z
          .optional(z.string())
          .register(z.globalRegistry, { description: 'The id of the request in the log.' }),
      }),
    })
    .register(z.globalRegistry, { id: 'Error', description: 'The body of every error.' }),
)

/** Tells whether a route changes an existing resource, so that it checks `If-Match`. */
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
 * The name of the shared response for these codes: `Error404RestVenueNotFound`. Client generators make a type of it, so it must
 * be an identifier in any language.
 */
export const errorName = (status: number, codes: readonly ErrorCode[]): string =>
  `Error${status}${codes
    .flatMap(code => shownCode(code).split(/[_-]/))
    .map(capitalized)
    .join('')}`

/** Codes that always come together with another one. The client types of a response keep their names that way. */
const BESIDE: Partial<Record<ErrorCode, ErrorCode>> = { rest_service_unavailable: 'rest_daily_limit_reached' }

const withOthers = (codes: readonly ErrorCode[]): ErrorCode[] =>
  codes.flatMap(code => [code, ...(BESIDE[code] ? [BESIDE[code]] : [])])

/** The documented response for the errors of one status. */
export const errorResponse = (status: number, named: readonly ErrorCode[]): Json =>
  responseOf(status, withOthers(named))

const responseOf = (status: number, codes: readonly ErrorCode[]): Json => ({
  description: codes.map(code => `\`${shownCode(code)}\`: ${MEANING[code]}`).join('\n\n'),
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
  message: MEANING[code].replaceAll('`', ''),
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
