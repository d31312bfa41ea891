import { MAX_BODY_BYTES, MAX_PARAMETERS, readBytes } from '../http/body.ts'
import { MAX_FILE_BYTES } from '../http/files.ts'
import { ApiError } from '../lib/errors.ts'

const AMPERSAND = 0x26

const tooMany = () =>
  new ApiError('rest_invalid_param', `The form has more than ${MAX_PARAMETERS} parameters.`)

const read = new WeakMap<Request, Promise<FormData>>()

/** A text of a form, without blanks around it; '' if there is none. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/**
 * The fields of a form that was sent, as they are. It may be asked for again.
 *
 * @param most bytes that it may have, beside files
 * @throws ApiError for what is no form, or too large
 */
export function readForm(request: Request, most = MAX_BODY_BYTES): Promise<FormData> {
  const form = read.get(request) ?? parseForm(request, most)
  read.set(request, form)
  return form
}

async function parseForm(request: Request, most: number): Promise<FormData> {
  const type = request.headers.get('content-type') ?? ''
  const hasFiles = /^multipart\/form-data\b/i.test(type)
  if (!hasFiles && !/^application\/x-www-form-urlencoded\b/i.test(type))
    throw new ApiError('rest_unsupported_media_type', 'This takes a form.')
  const bytes = await readBytes(request, most + (hasFiles ? MAX_FILE_BYTES : 0))
  // What is shown again is a hundred times as long as `a=1`: those of a long body are counted before they are read.
  let count = 0
  for (let at = bytes.indexOf(AMPERSAND); !hasFiles && at >= 0; at = bytes.indexOf(AMPERSAND, at + 1))
    if (++count > MAX_PARAMETERS) throw tooMany()
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => {
    throw new ApiError('rest_invalid_param', 'The form cannot be read.')
  })
  if ([...form.keys()].length > MAX_PARAMETERS) throw tooMany()
  return form
}
