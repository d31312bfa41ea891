import type { PartReply, RequestContext, WriteRequest } from '../../context.ts'
import { dispatch } from '../../http/many-writes.ts'
import { ApiError, type ErrorCode } from '../../lib/errors.ts'
import { isObject } from '../../lib/values.ts'

/** The reply of the API to a request of a form. */
export type WriteReply = PartReply

/**
 * Makes requests of the API for a form, with the rights of the user: there is no other way in which the editor writes. Each is a
 * transaction of its own, unless all or none are to be done.
 *
 * @returns the replies, in order; those of 4xx tell what is wrong with which field (`errorsOf` of forms/errors.ts)
 * @throws ApiError `rest_too_many_requests`; that of the first one if the database or the bucket does none of them now
 */
export async function submit(
  { context }: { context: RequestContext },
  requests: readonly WriteRequest[],
  options: { isWhole?: boolean } = {},
): Promise<WriteReply[]> {
  await context.countWrites?.(requests.length)
  const { replies } = await dispatch({ ...context, keepsUndo: true }, requests, options)
  const all = replies.map(reply => reply ?? { status: 200, body: {} })
  const [first] = all
  if (first && all.every(({ status }) => status === 503)) throw errorOf(first)
  return all
}

/** The error that a reply of the API tells of. */
function errorOf({ body }: WriteReply): ApiError {
  const { code, message, data } = isObject(body) ? body : {}
  // The API has no other codes.
  return new ApiError(code as ErrorCode, String(message), isObject(data) ? { ...data } : {})
}

/** Makes one request of the API for a form. */
export async function submitOne(
  admin: { context: RequestContext },
  request: WriteRequest,
): Promise<WriteReply> {
  const [reply] = await submit(admin, [request])
  // There is a reply for each request.
  return reply ?? { status: 500, body: {} }
}

/**
 * Makes the request of a button.
 *
 * @throws ApiError for what is not there, or not the caller's: the page then says so
 */
export async function ask(admin: { context: RequestContext }, request: WriteRequest): Promise<WriteReply> {
  const reply = await submitOne(admin, request)
  if (reply.status === 403 || reply.status === 404) throw errorOf(reply)
  return reply
}

/** Puts an image into the library. */
export function upload(admin: { context: RequestContext }, file: File, alt: string): Promise<WriteReply> {
  const body = new FormData()
  body.append('file', file, file.name)
  body.append('alt_text', alt)
  return submitOne(admin, { method: 'POST', path: '/media', body })
}

/** The condition of a write that the resource is still the one that was shown. */
export const ifVersion = (version: number | string): Record<string, string> => ({
  // Nothing has the version 0.
  'if-match': `"-v${/^\d+$/.test(String(version)) ? version : 0}"`,
})

/** A value of a reply's body. */
export const valueIn = ({ body }: WriteReply, name: string): unknown =>
  isObject(body) ? body[name] : undefined

export const isDone = ({ status }: WriteReply): boolean => status < 300
