import type { RequestContext, WriteReply, WriteRequest } from '../../kit/context.ts'
import type { Prelude } from '../../kit/db/database.ts'
import { dispatch } from '../../kit/http/dispatch.ts'
import { errorIn } from '../../kit/http/error-replies.ts'
import { isErrorCode, statusOf } from '../../kit/lib/error-codes.ts'
import {
  type CodedReason,
  isReasonCode,
  messageIn,
  type Reason,
  type ReasonCode,
} from '../../kit/lib/reasons.ts'
import { isObject } from '../../kit/lib/values.ts'
import { type Catalogue, filled, textsIn } from '../../words/words.ts'

/**
 * Makes requests of the API with the rights of the user. The editor has no other way to write. Each is a
 * transaction of its own, unless `isWhole`.
 *
 * @returns the replies in order; those of 4xx say which field is wrong ({@link errorsOf})
 * @throws ApiError `rest_too_many_requests`; the first error if the database or the bucket is unavailable for
 *   all of them
 */
export async function submit(
  { context }: { context: RequestContext },
  requests: readonly WriteRequest[],
  options: { isWhole?: boolean; before?: Prelude | undefined } = {},
): Promise<WriteReply[]> {
  await context.countWrites(requests.length)
  const { replies } = await dispatch({ ...context, keepsUndo: true }, requests, options)
  const allReplies = replies.map(reply => reply ?? { status: 200, body: {} })
  const [first] = allReplies
  if (first && allReplies.every(({ status }) => status === 503)) throw errorIn(first)
  return allReplies
}

/** Makes one request of the API for a form. @param before what its transaction begins with */
export async function submitOne(
  { context }: { context: RequestContext },
  request: WriteRequest,
  before?: Prelude | undefined,
): Promise<WriteReply> {
  const [reply] = await submit({ context }, [request], { before })
  // There is a reply for each request.
  return reply ?? { status: 500, body: {} }
}

/**
 * Makes the request of a button.
 *
 * @throws ApiError for a resource that does not exist or is not the caller's, which becomes a page
 */
export async function submitOrThrow(
  { context }: { context: RequestContext },
  request: WriteRequest,
  before?: Prelude | undefined,
): Promise<WriteReply> {
  const reply = await submitOne({ context }, request, before)
  if (reply.status === 403 || reply.status === 404) throw errorIn(reply)
  return reply
}

/** Sends a file to a route of the API, with further fields. */
export function sendFile(
  { context }: { context: RequestContext },
  path: string,
  file: File,
  fields: Readonly<Record<string, string>> = {},
): Promise<WriteReply> {
  const body = new FormData()
  body.append('file', file, file.name)
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  return submitOne({ context }, { method: 'POST', path, body })
}

/**
 * Uploads an image to the library. An empty text is not sent: the field was left alone, and an image that the
 * library has already keeps its text.
 */
export const upload = (site: { context: RequestContext }, file: File, alt: string): Promise<WriteReply> =>
  sendFile(site, '/media', file, alt === '' ? {} : { alt_text: alt })

/** The condition that the resource still has the version that was shown. */
export const ifVersion = (version: number | string): Record<string, string> => ({
  // No resource has the version 0.
  'if-match': `"-v${/^\d+$/.test(String(version)) ? version : 0}"`,
})

/** The path of an event, or of all dates of its series. */
export const eventOrSeriesPath = (id: number, seriesId: number | null): string =>
  `/events/${id}${seriesId === null ? '' : '?scope=all'}`

export const replyValue = ({ body }: WriteReply, name: string): unknown =>
  isObject(body) ? body[name] : undefined

export const isDone = ({ status }: WriteReply): boolean => status < 300

/** The texts of errors in a language. Every code of a reason needs one. */
export type ErrorTexts = Pick<Catalogue, 'form'> & { reason: Readonly<Record<ReasonCode, string>> }

/** The reason why a value was refused, in the language of the page if it has a code. */
export const reasonIn = ({ reason: texts }: ErrorTexts, reason: Reason): string =>
  typeof reason === 'string'
    ? // The API's reasons continue a sentence that starts with the parameter.
      reason.charAt(0).toUpperCase() + reason.slice(1)
    : filled<string>(texts[reason.code], reason.values)

/** The reasons in the data of an error, by parameter. */
export function reasonsIn(data: unknown): Map<string, Reason> {
  const { params, details } = isObject(data) ? data : {}
  const coded = Object.entries(isObject(details) ? details : {}).flatMap(([name, detail]) => {
    if (!isObject(detail) || !isReasonCode(detail.code)) return []
    const { code, message, data: values } = detail
    // Values are texts and numbers. @see codedReason of kit/lib/reasons.ts
    const reason = { code, message: String(message), values: values as CodedReason['values'] }
    return [[name, reason] as const]
  })
  const plain = Object.entries(isObject(params) ? params : {}).map(
    ([name, message]) => [name, String(message)] as const,
  )
  return new Map<string, Reason>([...plain, ...coded])
}

/** The errors of a form by field name; '' stands for the form as a whole. */
export type FormErrors = ReadonlyMap<string, string>

/** The keys of texts for errors that concern no field. */
const TEXT_OF_ERROR: Readonly<Record<string, keyof Catalogue['form']>> = {
  rest_forbidden: 'notYours',
  rest_too_many_requests: 'tooMuchNow',
  rest_daily_limit_reached: 'dayLimit',
  rest_payload_too_large: 'tooLarge',
  rest_precondition_failed: 'hasChanged',
  rest_event_protected: 'isProtected',
}

/**
 * The key of the text for an error that concerns no field. Nobody who fills in a form can do more about any
 * 503 than wait.
 */
function wordOf(code: unknown): keyof Catalogue['form'] | undefined {
  if (/-are-too-many$/.test(String(code))) return 'tooMany'
  return TEXT_OF_ERROR[String(code)] ?? (isErrorCode(code) && statusOf(code) === 503 ? 'busy' : undefined)
}

/** The errors in a reply of the API, in the language of the page. */
export function errorsOf(texts: ErrorTexts, body: unknown): Map<string, string> {
  const { code = '', message = '', data } = isObject(body) ? body : {}
  const params = isObject(data) ? data.params : undefined
  if (Array.isArray(params)) {
    const names = params.map(String)
    // A missing end needs no mention if the start is missing as well.
    const shownNames = names.filter(name => name !== 'end_date' || !names.includes('start_date'))
    return new Map(shownNames.map(name => [name, texts.reason.missing]))
  }
  if (code === 'term_exists') return new Map([['name', texts.reason.taken]])
  const reasons = reasonsIn(data)
  if (reasons.size > 0)
    return new Map(
      [...reasons].map(([name, reason]) => [
        name,
        // Filters are parameters of the API, so their errors are the API's as well.
        name === 'filters'
          ? filled(texts.form.badFilters, { reason: messageIn(reason) })
          : reasonIn(texts, reason),
      ]),
    )
  const word = wordOf(code)
  return new Map([['', word ? texts.form[word] : reasonIn(texts, String(message))]])
}

/** The reasons why a request was refused, in one line. */
export const reasonsOf = ({ language }: { language: string }, { body }: { body: unknown }): string =>
  [...errorsOf(textsIn(language), body).values()].join(' ')
