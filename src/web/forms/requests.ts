import type { PartReply, RequestContext, WriteRequest } from '../../context.ts'
import { errorIn } from '../../http/errors.ts'
import { dispatch } from '../../http/many-writes.ts'
import { isObject } from '../../lib/values.ts'

/** The reply of the API to a form's request. */
export type WriteReply = PartReply

/**
 * Makes requests of the API with the rights of the user, the only way in which the editor writes. Each is a transaction of its
 * own, unless `isWhole`.
 *
 * @returns the replies in order; those of 4xx say which field is wrong (`errorsOf` of forms/errors.ts)
 * @throws ApiError `rest_too_many_requests`; the first error if the database or the bucket is unavailable for all of them
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
  if (first && all.every(({ status }) => status === 503)) throw errorIn(first)
  return all
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
 * @throws ApiError for a resource that does not exist or is not the caller's, which becomes a page
 */
export async function ask(admin: { context: RequestContext }, request: WriteRequest): Promise<WriteReply> {
  const reply = await submitOne(admin, request)
  if (reply.status === 403 || reply.status === 404) throw errorIn(reply)
  return reply
}

/** Uploads an image to the library. */
export function upload(admin: { context: RequestContext }, file: File, alt: string): Promise<WriteReply> {
  const body = new FormData()
  body.append('file', file, file.name)
  body.append('alt_text', alt)
  return submitOne(admin, { method: 'POST', path: '/media', body })
}

/** The condition that the resource still has the version that was shown. */
export const ifVersion = (version: number | string): Record<string, string> => ({
  // No resource has the version 0.
  'if-match': `"-v${/^\d+$/.test(String(version)) ? version : 0}"`,
})

/** A value of a reply's body. */
export const valueIn = ({ body }: WriteReply, name: string): unknown =>
  isObject(body) ? body[name] : undefined

export const isDone = ({ status }: WriteReply): boolean => status < 300
