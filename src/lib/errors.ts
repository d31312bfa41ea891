const STATUS = {
  rest_moved: 301,
  rest_missing_callback_param: 400,
  rest_invalid_param: 400,
  rest_invalid_json: 400,
  term_exists: 400,
  rest_post_invalid_page_number: 400,
  rest_unauthenticated: 401,
  incorrect_password: 401,
  rest_forbidden: 403,
  'event-not-accessible': 403,
  'venue-not-accessible': 403,
  'organizer-not-accessible': 403,
  'event-no-longer-available': 403,
  'series-not-accessible': 403,
  'rest-event-not-found': 404,
  'rest-series-not-found': 404,
  'rest-venue-not-found': 404,
  'rest-organizer-not-found': 404,
  'rest-category-not-found': 404,
  'rest-tag-not-found': 404,
  'rest-image-not-found': 404,
  'rest-webhook-not-found': 404,
  'rest-source-not-found': 404,
  'rest-letter-not-found': 404,
  'rest-delivery-not-found': 404,
  'rest-duplicate-not-found': 404,
  'rest-submission-not-found': 404,
  'event-archive-page-not-found': 404,
  'venue-archive-page-not-found': 404,
  'organizer-archive-page-not-found': 404,
  'term-archive-page-not-found': 404,
  'image-archive-page-not-found': 404,
  'webhook-archive-page-not-found': 404,
  'letter-archive-page-not-found': 404,
  'source-archive-page-not-found': 404,
  'delivery-archive-page-not-found': 404,
  'duplicate-archive-page-not-found': 404,
  'submission-archive-page-not-found': 404,
  rest_no_route: 404,
  'image-is-in-use': 409,
  'webhooks-are-too-many': 409,
  'letters-are-too-many': 409,
  'letter-cannot-be-sent': 409,
  'own-address-not-confirmed': 409,
  'sources-are-too-many': 409,
  rest_batch_conflict: 409,
  rest_submission_exists: 409,
  rest_submission_decided: 409,
  rest_idempotency_conflict: 409,
  rest_idempotency_response_lost: 409,
  'venue-is-in-use': 409,
  'organizer-is-in-use': 409,
  'event-is-in-trash': 410,
  'venue-is-in-trash': 410,
  'organizer-is-in-trash': 410,
  rest_sync_expired: 410,
  rest_precondition_failed: 412,
  rest_payload_too_large: 413,
  rest_unsupported_media_type: 415,
  rest_range_not_satisfiable: 416,
  rest_idempotency_mismatch: 422,
  rest_submission_refused: 422,
  rest_too_many_requests: 429,
  rest_internal_error: 500,
  rest_media_unavailable: 501,
  rest_geocoder_unavailable: 501,
  rest_geocoder_failed: 502,
  rest_mail_unavailable: 501,
  rest_service_unavailable: 503,
  rest_daily_limit_reached: 503,
} as const

export type ErrorCode = keyof typeof STATUS

/** The code that responses show. Missing credentials (401) and missing rights (403) share one. */
export const shownCode = (code: ErrorCode): string =>
  code === 'rest_unauthenticated' ? 'rest_forbidden' : code

/** The HTTP status of an error. */
export const statusOf = (code: ErrorCode) => STATUS[code]

/**
 * The error that handlers, queries and writes throw on purpose; http/errors.ts turns it into a response.
 *
 * @param code determines the HTTP status
 * @param message for the caller: names the parameter and the allowed values, and reveals no internals
 * @param data added to the response's `data`, next to `status`
 * @param extra added to the response itself
 * @param cause logged instead of the message
 */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly data: Record<string, unknown>
  readonly extra: Record<string, unknown>

  constructor(
    code: ErrorCode,
    message: string,
    data: Record<string, unknown> = {},
    extra: Record<string, unknown> = {},
    cause?: unknown,
  ) {
    super(message, { cause })
    this.code = code
    this.data = data
    this.extra = extra
  }
}

/** Makes a function that returns a row. @throws ApiError if there is none */
export const foundOr =
  (code: ErrorCode, message: string) =>
  <R>(row: R | undefined): R => {
    if (row === undefined) throw new ApiError(code, message)
    return row
  }

const MAX_REASON = 200
const MAX_MESSAGE = 500

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text

/** A sentence about an invalid parameter. Some reasons continue from the name, `must be a number`; others are sentences. */
const sentence = ([parameter, reason]: readonly [string, string]): string =>
  /^(must|needs) /.test(reason) ? `${parameter} ${reason}` : `${parameter}: ${reason}`

/** The error for bad parameters. Its message lists the reasons as far as they fit into a line; `data.params` has all of them. */
export function invalidParams(reasons: ReadonlyMap<string, string>): ApiError {
  const sentences = [...reasons].map(reason => cut(sentence(reason), MAX_REASON))
  return new ApiError(
    'rest_invalid_param',
    cut(`Invalid parameter(s): ${sentences.join('; ')}`, MAX_MESSAGE),
    {
      params: Object.fromEntries(reasons),
    },
  )
}

/** The errors of parameters, by name, collected so that one response reports them all. */
export class ValidationErrors {
  readonly #reasons = new Map<string, string>()
  #failure: ApiError | undefined

  add(parameter: string, reason: string): void {
    if (!this.#reasons.has(parameter)) this.#reasons.set(parameter, reason)
  }

  has(parameter: string): boolean {
    return this.#reasons.has(parameter)
  }

  /**
   * Sets an error that concerns the fields as a whole, such as an unparsable body. The first one is thrown instead of
   * all others.
   */
  fail(error: ApiError): void {
    this.#failure ??= error
  }

  /** Adds all errors of another collection. */
  addAll(errors: ValidationErrors): void {
    for (const [parameter, reason] of errors.#reasons) this.add(parameter, reason)
    this.#failure ??= errors.#failure
  }

  copy(): ValidationErrors {
    const copy = new ValidationErrors()
    copy.addAll(this)
    return copy
  }

  get any(): boolean {
    return this.#failure !== undefined || this.#reasons.size > 0
  }

  /** All errors in one line, for the error of a field that has fields of its own. */
  get summary(): string {
    return [...this.#reasons].map(sentence).join('; ') || (this.#failure?.message ?? '')
  }

  /** @throws ApiError `rest_invalid_param` if an error was added, or the error that `fail` was given */
  throwIfAny(): void {
    if (this.#failure) throw this.#failure
    if (this.any) throw invalidParams(this.#reasons)
  }
}

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Does some work, and turns errors of one class into others. */
export function translating<T>(
  kind: abstract new (...args: never[]) => Error,
  other: (error: Error) => Error,
  work: () => T,
): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof kind ? other(error) : error
  }
}
