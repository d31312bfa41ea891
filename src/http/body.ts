import type { Context } from 'hono'
import { parse } from 'qs'
import { ApiError, invalidParams } from '../lib/errors.ts'
import { isObject } from '../lib/values.ts'
import { fileNameIn, MAX_FILE_BYTES, UploadedFile } from './files.ts'

/** Two megabytes: more than the largest event that the length limits allow. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024

/** Limit of levels of lists and objects in JSON; a complete event has five. */
export const MAX_JSON_DEPTH = 20

/** Limit of the parameters of a form. */
export const MAX_PARAMETERS = 10_000

/** Limits of names with brackets, `a[b][c]`. Lists may have a few more items than any parameter takes. */
const BRACKETS = {
  depth: 4,
  strictDepth: true,
  arrayLimit: 1_000,
  parameterLimit: MAX_PARAMETERS,
  throwOnLimitExceeded: true,
} as const

/** Limit of the sum of all positions, as in `a[999]=x`: 10,000 parameters of this form would take 100 MB. */
const MAX_POSITIONS = 2_000_000
const POSITION = /(?:\[|%5b)(\d{1,4})(?:\]|%5d)/gi

/** Limits of the parameters that an error names, and of the length of their names. */
const MOST_NAMED = 10
const LONGEST_NAME = 64

/** The error for too many parameters, which names those that nest too deep or have too many items. */
function tooManyParameters(text: string): ApiError {
  const items = new Map<string, number>()
  const params = new Map<string, string>()
  for (const part of text.split('&', BRACKETS.parameterLimit)) {
    const key = decodePercents(part.split('=', 1)[0] ?? '') ?? ''
    const [full = '', ...brackets] = key.split('[')
    const name = full.slice(0, LONGEST_NAME)
    const count = (items.get(name) ?? 0) + 1
    items.set(name, count)
    if (brackets.length > BRACKETS.depth)
      params.set(name, `must have at most ${BRACKETS.depth} pairs of brackets`)
    else if (count > BRACKETS.arrayLimit) params.set(name, `must have at most ${BRACKETS.arrayLimit} items`)
    if (params.size >= MOST_NAMED) break
  }
  return new ApiError(
    'rest_invalid_param',
    `Too many parameters: at most ${BRACKETS.parameterLimit} are taken, with ${BRACKETS.arrayLimit} items ` +
      `to a list and ${BRACKETS.depth} pairs of brackets to a name.`,
    { params: Object.fromEntries(params) },
  )
}

/**
 * Parses names with brackets into nested lists and objects; a repeated name becomes a list.
 *
 * @param text a query without its `?`, or a body of that form
 * @throws ApiError `rest_invalid_param` for text that is not UTF-8 when decoded, and for too many parameters, list items
 *   or brackets
 */
export function parseBrackets(text: string): Record<string, unknown> {
  assertFewPositions(text)
  let name = ''
  const decoder = (part: string, _default: unknown, _charset: string, type?: 'key' | 'value'): string => {
    const decoded = decodePercents(part)
    if (decoded === undefined) throw notUtf8(name, type)
    if (type === 'key') {
      name = decoded
      assertNoPrototype(name)
    }
    return decoded
  }
  try {
    return parse(text, { ...BRACKETS, decoder })
  } catch (error) {
    // The parser throws it for any of its limits.
    if (error instanceof RangeError) throw tooManyParameters(text)
    throw error
  }
}

/** Refuses names that the parser would drop without a word, because every object has them: `fields[constructor]`. */
function assertNoPrototype(name: string): void {
  const [field = '', ...parts] = name.split(/[[\]]+/)
  const part = parts.find(part => Object.hasOwn(Object.prototype, part))
  if (part !== undefined && field !== '' && !Object.hasOwn(Object.prototype, field))
    throw invalidParams(new Map([[field.slice(0, LONGEST_NAME), `must not have a part called ${part}`]]))
}

function assertFewPositions(text: string): void {
  let sum = 0
  for (const part of text.split('&', BRACKETS.parameterLimit + 1))
    for (const [, position] of part.split('=', 1)[0]?.matchAll(POSITION) ?? []) sum += Number(position)
  if (sum > MAX_POSITIONS) throw tooManyParameters(text)
}

/** Decodes percent-encoding; undefined if the bytes are not UTF-8. A `%` without two digits after it stays. */
function decodePercents(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' ').replace(/%(?![\da-f]{2})/gi, '%25'))
  } catch {
    return undefined
  }
}

function notUtf8(name: string, type: 'key' | 'value' | undefined): ApiError {
  if (type === 'key')
    return new ApiError('rest_invalid_param', 'The name of a parameter is not valid UTF-8.', { params: {} })
  const field = name.split('[', 1)[0] ?? name
  return invalidParams(new Map([[field, 'must be valid UTF-8']]))
}

/** The fields of a body that may be files, and the one that bytes without a form are. */
export type Files = { fields?: readonly string[]; whole?: string | undefined }

/**
 * Reads the fields of a request's body: a JSON object or a form. Other JSON values have no fields. A body without a
 * content type may be JSON.
 *
 * @throws ApiError `rest_invalid_json`, `rest_invalid_param`, `rest_payload_too_large`,
 *   `rest_unsupported_media_type`
 */
export async function readBody(
  c: Pick<Context, 'req'>,
  { fields = [], whole }: Files = {},
): Promise<Record<string, unknown>> {
  const header = c.req.header('content-type') ?? ''
  const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isForm = type === 'multipart/form-data'
  const isFile = whole !== undefined && type !== '' && !isForm && !FIELDS.test(type)
  const takesFile = isFile || (isForm && fields.length > 0)
  const bytes = await readBytes(c.req.raw, MAX_BODY_BYTES + (takesFile ? MAX_FILE_BYTES : 0))
  if (isFile) return readWhole(bytes, whole, c.req.header('content-disposition'))
  if (isForm) return readMultipart(bytes, header, fields)
  const text = decodeUtf8(bytes)
  if (type === 'application/x-www-form-urlencoded') {
    if (text === undefined)
      throw new ApiError('rest_invalid_param', 'The body is not valid UTF-8.', { params: {} })
    return parseBrackets(text)
  }
  if (text?.trim() === '') return {}
  if (/[/+]json$/.test(type)) return readJson(text)
  return readJson(text, unsupported)
}

/** Types of bodies that hold fields. */
const FIELDS = /[/+]json$|^application\/x-www-form-urlencoded$/

/** A body that is a file, as the field of a name. */
function readWhole(
  bytes: Uint8Array<ArrayBuffer>,
  field: string,
  disposition: string | undefined,
): Record<string, unknown> {
  if (bytes.length > MAX_FILE_BYTES) throw tooLarge(MAX_FILE_BYTES, 'file')
  return bytes.length === 0 ? {} : { [field]: new UploadedFile(fileNameIn(disposition), bytes) }
}

/** Reads no more than the limit, whatever length the request says that it has. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = Number(request.headers.get('content-length'))
  if (declared > limit) throw tooLarge(limit)
  let bytes = new Uint8Array(declared > 0 ? declared : 0)
  let size = 0
  for await (const chunk of request.body ?? []) {
    if (size + chunk.byteLength > limit) throw tooLarge(limit)
    // A body without a length grows, so that it is never held twice for long.
    if (size + chunk.byteLength > bytes.length)
      bytes = enlarged(bytes, Math.min(limit, Math.max(2 * bytes.length, size + chunk.byteLength)))
    bytes.set(chunk, size)
    size += chunk.byteLength
  }
  return bytes.subarray(0, size)
}

function enlarged(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(size)
  larger.set(bytes)
  return larger
}

const tooLarge = (limit: number, what = 'body') =>
  new ApiError('rest_payload_too_large', `The ${what} must be at most ${limit} bytes long.`)

const unsupported = () =>
  new ApiError(
    'rest_unsupported_media_type',
    'The body must be JSON (application/json), application/x-www-form-urlencoded or multipart/form-data.',
  )

function decodeUtf8(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The number that servers of this interface send for a syntax error in JSON. */
const JSON_ERROR_SYNTAX = 4

const invalidJson = (message: string) => () =>
  new ApiError('rest_invalid_json', message, { json_error_code: JSON_ERROR_SYNTAX })

/** Parses JSON. @param otherwise makes the error for text that is no JSON */
function readJson(text: string | undefined, otherwise?: () => ApiError): Record<string, unknown> {
  const value = jsonIn(text, otherwise)
  return isObject(value) ? { ...value } : {}
}

/**
 * Reads any JSON of a request's body.
 *
 * @throws ApiError `rest_invalid_json`, `rest_payload_too_large`
 */
export const readJsonBody = async (request: Request): Promise<unknown> =>
  jsonIn(decodeUtf8(await readBytes(request, MAX_BODY_BYTES)))

function jsonIn(
  text: string | undefined,
  otherwise = invalidJson(`The body is not valid JSON${text === undefined ? ': it is not UTF-8' : ''}.`),
): unknown {
  if (text === undefined) throw otherwise()
  // Checked before parsing, because recursive code fails at great depths.
  if (nestsDeeper(text, MAX_JSON_DEPTH))
    throw invalidJson(`The body nests deeper than ${MAX_JSON_DEPTH} levels.`)()
  try {
    return JSON.parse(text)
  } catch {
    throw otherwise()
  }
}

function nestsDeeper(json: string, levels: number): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]
    if (character === '"') {
      at = stringEnd(json, at)
      if (at === -1) return false
    } else if (character === '{' || character === '[') {
      depth += 1
      if (depth > levels) return true
    } else if (character === '}' || character === ']') depth -= 1
  }
  return false
}

/** The position of the quote that closes a string, or -1. */
function stringEnd(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    if (json[at] === '\\') at += 1
    else if (json[at] === '"') return at
  }
  return -1
}

/** Reads the fields of a multipart form. Only some fields may be files. */
async function readMultipart(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  fileFields: readonly string[],
): Promise<Record<string, unknown>> {
  const invalid = (message: string) => new ApiError('rest_invalid_param', message, { params: {} })
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => {
    throw invalid('The body is not valid multipart/form-data.')
  })
  const pairs: [string, string][] = []
  const files: Record<string, UploadedFile> = {}
  const refused = new Map<string, string>()
  let room = MAX_BODY_BYTES
  for (const [name, value] of form) {
    if (typeof value === 'string') {
      pairs.push([name, value])
      room -= value.length
    } else if (!fileFields.includes(name)) refused.set(name, 'must not be a file')
    else if (Object.hasOwn(files, name)) refused.set(name, 'must be one file')
    else if (value.size > MAX_FILE_BYTES) throw tooLarge(MAX_FILE_BYTES, 'file')
    // Browsers send an empty file for a field in which nobody has chosen one.
    else if (value.size > 0)
      files[name] = new UploadedFile(value.name, new Uint8Array(await value.arrayBuffer()))
  }
  if (refused.size > 0) throw invalidParams(refused)
  if (room < 0) throw tooLarge(MAX_BODY_BYTES)
  const isText =
    Object.keys(files).length === 0
      ? decodeUtf8(bytes) !== undefined
      : // The form was decoded with this mark in place of what is not UTF-8.
        pairs.every(pair => !pair.some(text => text.includes('\ufffd')))
  if (!isText) throw invalid('The body is not valid UTF-8.')
  return { ...parseBrackets(new URLSearchParams(pairs).toString()), ...files }
}
