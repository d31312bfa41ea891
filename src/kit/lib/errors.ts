import type { ErrorCode } from './error-codes.ts'
import { messageIn, type Reason } from './reasons.ts'
import { asObject } from './values.ts'

/** Machine-readable details of an error, returned alongside `status`. */
type ErrorData = {
  /** Seconds after which the request may be sent again. */
  retry_after?: number
  /**
   * The reasons by parameter, as sentences and as codes with their values, or the names of missing
   * parameters.
   */
  params?: Readonly<Record<string, string>> | readonly string[]
  details?: Readonly<Record<string, unknown>>
  /** The address that a redirect leads to, and the id of what is there. */
  location?: string
  id?: number
  /** The methods that an address takes, as the header `Allow` lists them. */
  allow?: string
  /** The existing term of the same name. */
  term_id?: number
  /** The numbers of events, of people and of those not yet confirmed that a deletion would affect. */
  events?: number
  people?: number
  unconfirmed?: number
  /** The content that shows an image. */
  used_by?: readonly object[]
  /** What a request has written, if its response is lost. */
  written?: unknown
  json_error_code?: number
  request_id?: string
}

/**
 * The error that handlers, queries and writes throw on purpose; kit/http/error-replies.ts turns it into a
 * response.
 *
 * @param code determines the HTTP status
 * @param message for the caller: names the parameter and the allowed values, and reveals no internals
 * @param data added to the response's `data`, next to `status`, except for its `cause`, which is logged
 *   instead of the message
 */
export class ApiError extends Error {
  override readonly name: string = 'ApiError'
  readonly code: ErrorCode
  readonly data: ErrorData

  constructor(code: ErrorCode, message: string, { cause, ...data }: ErrorData & { cause?: unknown } = {}) {
    super(message, { cause })
    this.code = code
    this.data = data
  }
}

/** The error for something done too often within an hour or a day. Clients may try again after an hour. */
export const tooOften = (message: string): ApiError =>
  new ApiError('rest_too_many_requests', message, { retry_after: 3_600 })

/** Makes a function that returns a row that was found. @throws ApiError if there is no row */
export const foundOrThrow =
  (code: ErrorCode, message: string) =>
  <R>(row: R | undefined): R => {
    if (row === undefined) throw new ApiError(code, message)
    return row
  }

const MAX_REASON = 200
const MAX_MESSAGE = 500

const cutText = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text

const sentence = ([parameter, reason]: readonly [string, Reason]): string =>
  `${parameter}: ${messageIn(reason)}`

/**
 * The error for bad parameters. Its message lists the reasons that fit into a line; `data.params` has all
 * reasons, and `data.details` has their codes.
 */
export function invalidParams(reasons: ReadonlyMap<string, Reason>): ApiError {
  const sentences = [...reasons].map(reason => cutText(sentence(reason), MAX_REASON))
  return new ApiError(
    'rest_invalid_param',
    cutText(`Invalid parameter(s): ${sentences.join('; ')}`, MAX_MESSAGE),
    {
      params: Object.fromEntries([...reasons].map(([name, reason]) => [name, messageIn(reason)])),
      ...detailsOf(reasons),
    },
  )
}

/** An error's `details`, as in WordPress: the reasons with a code, by parameter. */
export function detailsOf(reasons: ReadonlyMap<string, Reason>) {
  const details = [...reasons].flatMap(([name, reason]) =>
    typeof reason === 'string'
      ? []
      : [[name, { code: reason.code, message: reason.message, data: reason.values }] as const],
  )
  return details.length > 0 ? { details: Object.fromEntries(details) } : {}
}

/** Renames the parameters in an error about parameters. Other errors stay as they are. */
export function withRenamedParams(error: unknown, nameOf: (parameter: string) => string): unknown {
  if (!(error instanceof ApiError) || error.code !== 'rest_invalid_param') return error
  const renamed = (entries: unknown) =>
    Object.entries<unknown>(asObject(entries)).map(([name, entry]) => [nameOf(name), entry] as const)
  const { params, details } = error.data
  const reasons = renamed(params).map(([name, reason]) => [name, String(reason)] as const)
  const { code, message, data } = invalidParams(new Map(reasons))
  return new ApiError(code, message, {
    ...data,
    ...(details !== undefined && { details: Object.fromEntries(renamed(details)) }),
  })
}

/** The errors of parameters, by name, collected so that one response reports them all. */
export class ValidationErrors {
  readonly #reasons = new Map<string, Reason>()
  #failure: ApiError | undefined

  add(parameter: string, reason: Reason): void {
    if (!this.#reasons.has(parameter)) this.#reasons.set(parameter, reason)
  }

  has(parameter: string): boolean {
    return this.#reasons.has(parameter)
  }

  /**
   * Sets an error that concerns the fields as a whole, such as an unparsable body. {@link throwIfAny} throws
   * the first such error instead of all others.
   */
  fail(error: ApiError): void {
    this.#failure ??= error
  }

  addAll(errors: ValidationErrors): void {
    for (const [parameter, reason] of errors.#reasons) this.add(parameter, reason)
    this.#failure ??= errors.#failure
  }

  copy(): ValidationErrors {
    const copy = new ValidationErrors()
    copy.addAll(this)
    return copy
  }

  get hasAny(): boolean {
    return this.#failure !== undefined || this.#reasons.size > 0
  }

  /**
   * All errors in one line, for the error of a field that has fields of its own. A single error keeps its
   * code.
   */
  get summary(): Reason {
    const message = [...this.#reasons].map(sentence).join('; ') || (this.#failure?.message ?? '')
    const [first, ...otherReasons] = this.#reasons.values()
    return typeof first === 'object' && otherReasons.length === 0 ? { ...first, message } : message
  }

  /** @throws ApiError `rest_invalid_param` if an error was added, or the error that was passed to `fail` */
  throwIfAny(): void {
    if (this.#failure) throw this.#failure
    if (this.hasAny) throw invalidParams(this.#reasons)
  }
}

/** The message of a thrown value, whether or not it is an Error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Runs a function, and converts errors of one class. */
export function convertErrors<T>(
  kind: abstract new (...args: never[]) => Error,
  convert: (error: Error) => Error,
  work: () => T,
): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof kind ? convert(error) : error
  }
}
