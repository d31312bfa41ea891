import type { Context } from 'hono'
import { parse } from 'qs'
import { ApiError, invalidParams } from '../lib/errors.ts'
import { readUpTo } from '../lib/streams.ts'
import { isObject } from '../lib/values.ts'
import {
  fileNameIn,
  isMultipart,
  MAX_FILE_BYTES,
  MAX_PARTS,
  parseForm,
  tooLarge,
  UploadedFile,
} from './form-data.ts'
import { invalidJson, parseJson } from './json.ts'

/** Two megabytes: more than the largest event that the length limits allow. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024

/** Limit on the parameters of a form. */
const MAX_PARAMETERS = 10_000

/** Limit on the parameters of a query: a list of ids has at most 500. */
export const MAX_QUERY_PARAMETERS = 1_000

/** Limits on a body. Parts that take long to parse are counted before. */
export type BodyLimits = {
  /** Bytes, not counting files. */
  bytes: number
  /** Parameters of a form. */
  parameters: number
  /** Values in JSON. A batch of a hundred events with all of their fields has some 30,000. */
  values: number
}

/** Limits for callers with a role that writes. */
export const FOR_WRITERS: BodyLimits = { bytes: MAX_BODY_BYTES, parameters: MAX_PARAMETERS, values: 50_000 }

/** Limits for requests that everybody may send, with one event at most. */
export const FOR_EVERYBODY: BodyLimits = { bytes: 256 * 1024, parameters: 500, values: 2_000 }

/** Limits on names with brackets, `a[b][c]`. Lists may have a few more items than any parameter accepts. */
const BRACKETS = {
  depth: 4,
  strictDepth: true,
  arrayLimit: 1_000,
  throwOnLimitExceeded: true,
} as const

/** Limit on the sum of all positions, as in `a[999]=x`: 10,000 parameters of this form would take 100 MB. */
const MAX_POSITIONS = 2_000_000
const POSITION = /(?:\[|%5b)(\d{1,4})(?:\]|%5d)/gi

/**
 * Limit on the tags in all texts of a body. Sanitising a tag takes some 3 µs, during which the Worker does nothing
 * else. Hand-written pages have a tag for every forty characters, and a body has up to two million characters.
 */
const MAX_TAGS = 100_000
const TAG = /<|\\u003c|%3c/gi

/** Limits on the parameters that an error names, and on the length of their names. */
const MOST_NAMED = 10
const LONGEST_NAME = 64

/** Limit on a name with its brackets, as sent. */
const MAX_NAME = 1_000

/** The names of parameters, as sent. */
function* namesIn(text: string): Generator<string> {
  for (let start = 0; start <= text.length; ) {
    const next = text.indexOf('&', start)
    const end = next === -1 ? text.length : next
    const equals = text.indexOf('=', start)
    yield text.slice(start, equals === -1 || equals > end ? end : equals)
    start = end + 1
  }
}

/** The error for too many parameters, which names those that are nested too deeply or have too many items. */
function tooManyParameters(text: string, most: number): ApiError {
  const items = new Map<string, number>()
  const params = new Map<string, string>()
  let left = most
  for (const sent of namesIn(text)) {
    if (left-- === 0 || params.size >= MOST_NAMED) break
    const key = decodePercents(sent.slice(0, MAX_NAME)) ?? ''
    const [full = '', ...brackets] = key.split('[')
    const name = full.slice(0, LONGEST_NAME)
    const count = (items.get(name) ?? 0) + 1
    items.set(name, count)
    if (brackets.length > BRACKETS.depth)
      params.set(name, `must have at most ${BRACKETS.depth} pairs of brackets`)
    else if (count > BRACKETS.arrayLimit) params.set(name, `must have at most ${BRACKETS.arrayLimit} items`)
  }
  return new ApiError(
    'rest_invalid_param',
    `Too many parameters: at most ${most} are accepted, with ${BRACKETS.arrayLimit} items ` +
      `to a list and ${BRACKETS.depth} pairs of brackets to a name.`,
    { params: Object.fromEntries(params) },
  )
}

/**
 * Parses names with brackets into nested lists and objects; a repeated name becomes a list.
 *
 * @param text a query without its `?`, or a body in that form
 * @param most limit on its parameters
 * @throws ApiError `rest_invalid_param` for text that is not UTF-8 when decoded, and for too many parameters, list
 *   items or brackets
 */
export function parseBrackets(text: string, most = MAX_PARAMETERS): Record<string, unknown> {
  assertFewParameters(text, most)
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
    return parse(text, { ...BRACKETS, parameterLimit: most, decoder })
  } catch (error) {
    // The parser throws this for any of its limits.
    if (error instanceof RangeError) throw tooManyParameters(text, most)
    throw error
  }
}

/** Makes sure that the texts of a body are cheap to sanitise. @param text the body as sent, in JSON or percent-encoding */
function assertFewTags(text: string): void {
  let count = 0
  for (const _ of text.matchAll(TAG))
    if (++count > MAX_TAGS)
      throw new ApiError('rest_payload_too_large', `The body must have at most ${MAX_TAGS} tags.`)
}

/** Refuses names that the parser would silently drop, because every object has them: `fields[constructor]`. */
function assertNoPrototype(name: string): void {
  const [field = '', ...parts] = name.split(/[[\]]+/)
  const part = parts.find(part => Object.hasOwn(Object.prototype, part))
  if (part !== undefined && field !== '' && !Object.hasOwn(Object.prototype, field))
    throw invalidParams(new Map([[field.slice(0, LONGEST_NAME), `must not have a part named ${part}`]]))
}

/** Makes sure that parameters are cheap to parse, before parsing them. */
function assertFewParameters(text: string, most: number): void {
  assertFewTags(text)
  let [count, sum] = [0, 0]
  for (const name of namesIn(text)) {
    count++
    for (const [, position] of name.slice(0, MAX_NAME).matchAll(POSITION)) sum += Number(position)
    if (count > most || sum > MAX_POSITIONS || name.length > MAX_NAME) throw tooManyParameters(text, most)
  }
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

/** The fields of a body that may be files, the field for a body that is a file itself, and the limits on all others. */
type BodyOptions = {
  fields?: readonly string[]
  whole?: string | undefined
  limits?: BodyLimits | undefined
}

/**
 * Reads the fields of a request's body: a JSON object or a form. Other JSON values have no fields. A body without a
 * content type may be JSON.
 *
 * @throws ApiError `rest_invalid_json`, `rest_invalid_param`, `rest_payload_too_large`,
 *   `rest_unsupported_media_type`
 */
export async function readBody(
  c: Pick<Context, 'req'>,
  { fields = [], whole, limits = FOR_WRITERS }: BodyOptions = {},
): Promise<Record<string, unknown>> {
  const header = c.req.header('content-type') ?? ''
  const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isForm = isMultipart(type)
  const isFile = whole !== undefined && type !== '' && !isForm && !FIELDS.test(type)
  const takesFile = isFile || (isForm && fields.length > 0)
  const bytes = await readBytes(c.req.raw, limits.bytes + (takesFile ? MAX_FILE_BYTES : 0))
  if (isFile) return readWhole(bytes, whole, c.req.header('content-disposition'))
  if (isForm) return readMultipart(bytes, header, { fields, limits })
  const text = decodeUtf8(bytes)
  if (type === 'application/x-www-form-urlencoded') {
    if (text === undefined)
      throw new ApiError('rest_invalid_param', 'The body is not valid UTF-8.', { params: {} })
    return parseBrackets(text, limits.parameters)
  }
  if (text?.trim() === '') return {}
  if (/[/+]json$/.test(type)) return readJson(text, limits)
  return readJson(text, limits, unsupported)
}

/** Types of bodies that hold fields. */
const FIELDS = /[/+]json$|^application\/x-www-form-urlencoded$/

/** Reads a body that is a file as the field with a name. */
function readWhole(
  bytes: Uint8Array<ArrayBuffer>,
  field: string,
  disposition: string | undefined,
): Record<string, unknown> {
  if (bytes.length > MAX_FILE_BYTES) throw tooLarge(MAX_FILE_BYTES, 'file')
  return bytes.length === 0 ? {} : { [field]: new UploadedFile(fileNameIn(disposition), bytes) }
}

/** Reads up to the limit, whatever length the request declares. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = Number(request.headers.get('content-length'))
  if (declared > limit) throw tooLarge(limit)
  const { bytes, isWhole } = await readUpTo(request.body ?? [], limit, Math.max(0, declared))
  if (!isWhole) throw tooLarge(limit)
  return bytes
}

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

/**
 * Parses the fields in JSON. The items of a list, which has no fields, become fields with numbers for names, so that
 * they are not silently ignored.
 */
function readJson(
  text: string | undefined,
  limits: BodyLimits,
  otherwise?: () => ApiError,
): Record<string, unknown> {
  const value = jsonIn(text, limits, otherwise)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/**
 * Reads an object in JSON from a request's body; undefined if it has another value. Lists are not parsed.
 *
 * @throws ApiError `rest_invalid_json`, `rest_payload_too_large`
 */
export async function readJsonObject(
  request: Request,
  limits: BodyLimits,
): Promise<Record<string, unknown> | undefined> {
  const text = decodeUtf8(await readBytes(request, limits.bytes))
  const value = text?.trimStart().startsWith('[') ? [] : jsonIn(text, limits)
  return isObject(value) ? value : undefined
}

/** Parses JSON. @param otherwise makes the error for text that is not JSON */
function jsonIn(text: string | undefined, { values }: BodyLimits, otherwise?: () => ApiError): unknown {
  if (text === undefined) throw otherwise?.() ?? invalidJson('The body is not valid JSON: it is not UTF-8.')
  assertFewTags(text)
  return parseJson(text, values, otherwise)
}

/** Reads the fields of a multipart form. Only some fields may be files. */
async function readMultipart(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  { fields: fileFields, limits }: { fields: readonly string[]; limits: BodyLimits },
): Promise<Record<string, unknown>> {
  const form = await parseForm(bytes, type, {
    fields: Math.min(limits.parameters, MAX_PARTS),
    typed: limits.bytes,
  })
  const pairs: [string, string][] = []
  const files: Record<string, UploadedFile> = {}
  const refused = new Map<string, string>()
  for (const [name, value] of form) {
    if (typeof value === 'string') pairs.push([name, value])
    else if (!fileFields.includes(name)) refused.set(name, 'must not be a file')
    else if (Object.hasOwn(files, name)) refused.set(name, 'must be one file')
    else if (value.size > MAX_FILE_BYTES) throw tooLarge(MAX_FILE_BYTES, 'file')
    // Browsers send an empty file for a field in which no file was chosen.
    else if (value.size > 0)
      files[name] = new UploadedFile(value.name, new Uint8Array(await value.arrayBuffer()))
  }
  if (refused.size > 0) throw invalidParams(refused)
  const isText =
    Object.keys(files).length === 0
      ? decodeUtf8(bytes) !== undefined
      : // The form was decoded with this mark in place of what is not UTF-8.
        pairs.every(pair => !pair.some(text => text.includes('\ufffd')))
  if (!isText) throw new ApiError('rest_invalid_param', 'The body is not valid UTF-8.', { params: {} })
  return { ...parseBrackets(new URLSearchParams(pairs).toString(), limits.parameters), ...files }
}
