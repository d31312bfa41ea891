import type { Context } from 'hono'
import qs from 'qs'
import { ApiError } from '../lib/errors.ts'

/** Two megabytes: more than the largest event that the length limits allow. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024

/** `a[b][c]` may nest this deep; lists may have as many items as any parameter takes, and a few more. */
const BRACKETS = { depth: 4, arrayLimit: 1_000, parameterLimit: 10_000 } as const

/** Names with brackets → nested lists and objects; a name given several times is a list. */
export const parseBrackets = (text: string): Record<string, unknown> => qs.parse(text, BRACKETS)

/**
 * The fields of a request's body, whatever its content type. JSON that is no object has none.
 *
 * @throws ApiError `rest_invalid_json`, `rest_payload_too_large`
 */
export async function readBody(c: Context): Promise<Record<string, unknown>> {
  const bytes = await readBytes(c.req.raw)
  const type = c.req.header('content-type')?.toLowerCase() ?? ''
  if (type.startsWith('multipart/form-data')) return readMultipart(bytes, c.req.header('content-type') ?? '')
  const text = new TextDecoder().decode(bytes)
  if (type.startsWith('application/x-www-form-urlencoded')) return parseBrackets(text)
  return text.trim() === '' ? {} : readJson(text)
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES) throw tooLarge()
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Uint8Array.from(Buffer.concat(chunks))
}

const tooLarge = () =>
  new ApiError('rest_payload_too_large', `The body must be at most ${MAX_BODY_BYTES} bytes long.`)

/** Four is JSON_ERROR_SYNTAX, the number that servers of this interface give for a syntax error. */
const JSON_ERROR_SYNTAX = 4

function readJson(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ApiError('rest_invalid_json', 'The body is not valid JSON.', {
      json_error_code: JSON_ERROR_SYNTAX,
    })
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** Files are passed over: the API takes images by address only. */
async function readMultipart(bytes: Uint8Array, type: string): Promise<Record<string, unknown>> {
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => {
    throw new ApiError('rest_invalid_param', 'The body is not valid multipart/form-data.', { params: {} })
  })
  const pairs = [...form].filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  return parseBrackets(new URLSearchParams(pairs).toString())
}
