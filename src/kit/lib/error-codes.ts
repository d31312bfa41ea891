import { fromFeatures, type OfFeatures } from './started-features.ts'

export type ErrorStatus =
  | 301
  | 400
  | 401
  | 403
  | 404
  | 409
  | 410
  | 412
  | 413
  | 415
  | 416
  | 422
  | 429
  | 500
  | 501
  | 502
  | 503

/** Error codes by HTTP status, each with its meaning for clients (Markdown). */
export type ErrorTable = Readonly<Partial<Record<ErrorStatus, Readonly<Record<string, string>>>>>

const ERRORS = {
  301: {
    rest_moved: 'The resource was merged into another, whose address is in `Location`.',
  },
  400: {
    rest_missing_callback_param: 'Required fields are absent; `data.params` lists them.',
    rest_invalid_param: 'Bad values; `data.params` gives the reason for each.',
    rest_invalid_json: 'The body is not valid JSON.',
    term_exists: 'A term of this name exists under this parent; `data.term_id` is its id.',
  },
  401: {
    rest_unauthenticated: 'Credentials are needed.',
    incorrect_password: 'The given credentials are wrong.',
  },
  403: {
    rest_forbidden: "The caller's role may not do this.",
    'event-not-accessible': 'The event is not published.',
    'venue-not-accessible': 'The venue is not published.',
    'organizer-not-accessible': 'The organizer is not published.',
    'event-no-longer-available': 'The event is in the trash.',
    'series-not-accessible': 'The series is not published.',
  },
  404: {
    'rest-event-not-found': 'There is no such event.',
    'rest-series-not-found': 'There is no such series.',
    'rest-venue-not-found': 'There is no such venue.',
    'rest-organizer-not-found': 'There is no such organizer.',
    'rest-category-not-found': 'There is no such category.',
    'rest-tag-not-found': 'There is no such tag.',
    'rest-image-not-found': 'There is no such image.',
    'rest-duplicate-not-found': 'There is no such pair of events.',
    'event-archive-page-not-found': 'The list has no such page.',
    'venue-archive-page-not-found': 'The list has no such page.',
    'organizer-archive-page-not-found': 'The list has no such page.',
    'term-archive-page-not-found': 'The list has no such page.',
    'image-archive-page-not-found': 'The list has no such page.',
    'duplicate-archive-page-not-found': 'The list has no such page.',
    rest_no_route: 'No route matches the address and method.',
  },
  409: {
    'image-is-in-use':
      'Events, venues, organizers, series or the settings use it, also in a text; `data.used_by` names those that the caller may read.',
    rest_batch_conflict: 'Requests that depend on each other cannot be one transaction.',
    rest_submission_exists: 'The same event has already been submitted.',
    rest_idempotency_conflict: 'The first request with this `Idempotency-Key` is still running.',
    rest_idempotency_response_lost:
      'The first request with this `Idempotency-Key` was carried out, but its response is lost; `data.written` says what it wrote.',
    rest_event_protected:
      'People depend on both of these events, so they cannot be one; or on all dates of this series, so it can be neither divided nor ended, nor lose its end.',
    'venue-is-in-use': 'Events use it; `data.events` is the number of those that the caller may read.',
    'organizer-is-in-use': 'Events use it; `data.events` is the number of those that the caller may read.',
  },
  410: {
    'event-is-in-trash': 'The event is already in the trash.',
    'venue-is-in-trash': 'The venue is already in the trash.',
    'organizer-is-in-trash': 'The organizer is already in the trash.',
    rest_sync_expired:
      'The token of changes is older than 90 days, or belongs to another list, caller or database: start over.',
  },
  412: {
    rest_precondition_failed: 'The resource has changed since the version in `If-Match`.',
  },
  413: {
    rest_payload_too_large:
      'The body has too many bytes, values or tags, or the event too much text for the request; the message says which.',
  },
  415: {
    rest_unsupported_media_type: 'The body is neither JSON nor a form.',
  },
  416: {},
  422: {
    rest_idempotency_mismatch: 'This `Idempotency-Key` belongs to another address, body or role.',
    rest_submission_refused:
      'A link in the title or the name, or too many links. The message says what to do instead.',
  },
  429: {
    rest_too_many_requests:
      'Too many requests, or too many dates in one; `Retry-After` says when to try again if waiting helps.',
    rest_too_many_dates: 'Too many dates of series in one request; the message says what to do instead.',
  },
  500: {
    rest_internal_error: 'Something went wrong in the service.',
  },
  501: {
    rest_media_unavailable: 'Images cannot be uploaded, because a bucket or an image service is missing.',
    rest_geocoder_unavailable: 'The calendar has no service that finds addresses (`GEOCODER`).',
    rest_mail_unavailable:
      'The calendar sends no e-mails: the binding `EMAIL` or the var `MAIL_FROM` is missing.',
  },
  502: {
    rest_geocoder_failed:
      'The service that finds addresses gave no usable response; the message says what was wrong.',
    rest_model_failed:
      'The language model gave no usable answer within a minute; the message says what was wrong. Nothing was written.',
  },
  503: {
    rest_service_unavailable:
      'The database, the store of images, or what resizes them cannot be reached; `Retry-After` says when to try again.',
    rest_concurrent_changes:
      'Others keep changing what the request depends on; `Retry-After` says when to try again.',
    rest_being_restored:
      'The calendar is being restored from a backup; `Retry-After` says when to try again.',
    rest_submissions_misconfigured: 'Submissions are on, but `SUBMISSIONS_AUTHOR` names no user.',
    rest_daily_limit_reached:
      'The database has reached the daily limit of reads or writes on the free plan, until midnight UTC; see `Retry-After`.',
  },
} as const satisfies ErrorTable

type CodesOf<E> = E extends unknown ? { [S in keyof E]: keyof E[S] }[keyof E] : never
export type ErrorCode = CodesOf<typeof ERRORS | OfFeatures<'errors'>>

const codes = fromFeatures(features => {
  const tables: readonly ErrorTable[] = [ERRORS, ...features.map(({ declares }) => declares?.errors ?? {})]
  const entries = tables.flatMap(table =>
    Object.entries(table).flatMap(([status, byCode]) =>
      Object.entries<string>(byCode).map(
        ([code, meaning]) => [code, { status: Number(status), meaning }] as const,
      ),
    ),
  )
  // Object.entries forgets the types of the keys.
  return Object.fromEntries(entries) as Record<ErrorCode, { status: ErrorStatus; meaning: string }>
})

export const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(codes(), code)

export const statusOf = (code: ErrorCode): ErrorStatus => codes()[code].status

/** The meaning of an error, for clients (Markdown). */
export const meaningOf = (code: ErrorCode): string => codes()[code].meaning

/**
 * Codes that responses show instead of others: missing credentials (401) and missing rights (403) share a
 * code, and so do all kinds of exceeded limits.
 */
const SHOWN_INSTEAD: Partial<Record<ErrorCode, ErrorCode>> = {
  rest_unauthenticated: 'rest_forbidden',
  rest_too_many_dates: 'rest_too_many_requests',
}

export const shownCode = (code: ErrorCode): ErrorCode => SHOWN_INSTEAD[code] ?? code
