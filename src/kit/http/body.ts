import type { Context } from 'hono'
import { ApiError, invalidParams, messageOf } from '../lib/errors.ts'
import { readUpTo } from '../lib/streams.ts'
import { isObject } from '../lib/values.ts'
import {
  fileNameIn,
  isChosenFile,
  MAX_FILE_BYTES,
  MAX_FORM_PARTS,
  MAX_PARAMETERS,
  parseBrackets,
  parseForm,
  tooLarge,
  tooLargeFile,
  UploadedFile,
} from './form-data.ts'

/** Two megabytes: more than the largest event that the length limits allow. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024

/** Limits on a body. Parts that take long to parse are counted before parsing. */
export type BodyLimits = {
  /** Bytes, not counting files. */
  bytes: number
  parameters: number
  /** Values in JSON. A batch of a hundred events with all of their fields has some 30,000. */
  values: number
}

/** Limits for callers with a role that writes. */
export const FOR_WRITERS: BodyLimits = { bytes: MAX_BODY_BYTES, parameters: MAX_PARAMETERS, values: 50_000 }

/** Limits for requests that everybody may send, with one event at most. */
export const FOR_EVERYBODY: BodyLimits = { bytes: 256 * 1024, parameters: 500, values: 2_000 }

/**
 * Limit on the tags in all texts of a body. Sanitising a tag takes some 3 µs, during which the Worker does
 * nothing else. Hand-written pages have a tag for every forty characters, and a body has up to two million
 * characters.
 */
const MAX_TAGS = 100_000
const TAG = /<|\\u003c|%3c/gi

/**
 * Makes sure that the texts of a body are cheap to sanitise.
 * @param text the body as sent, in JSON or percent-encoding
 */
function assertFewTags(text: string): void {
  let count = 0
  for (const _ of text.matchAll(TAG))
    if (++count > MAX_TAGS)
      throw new ApiError('rest_payload_too_large', `The body must have at most ${MAX_TAGS} tags.`)
}

/**
 * The fields of a body that may be files, the field for a body that is a file itself, and the limits on all
 * others.
 */
type BodyOptions = {
  fields?: readonly string[]
  whole?: string | undefined
  limits?: BodyLimits | undefined
}

/**
 * Reads the fields of a request's body: a JSON object or a form. Another JSON value counts as a body without
 * fields. A body without a content type may be JSON.
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
  const isForm = type === 'multipart/form-data'
  const isFile = whole !== undefined && type !== '' && !isForm && !FIELD_TYPES.test(type)
  const takesFile = isFile || (isForm && fields.length > 0)
  const bytes = await readBytes(c.req.raw, limits.bytes + (takesFile ? MAX_FILE_BYTES : 0))
  if (isFile) return readWhole(bytes, whole, c.req.header('content-disposition'))
  if (isForm) return readMultipart(bytes, header, { fields, limits })
  const text = decodeUtf8(bytes)
  if (type === 'application/x-www-form-urlencoded') {
    if (text === undefined) throw notUtf8()
    assertFewTags(text)
    return parseBrackets(text, limits.parameters)
  }
  if (text?.trim() === '') return {}
  const value = parseSimpleJson(text, limits.values, /[/+]json$/.test(type) ? notJson : unsupportedError)
  // The items of a list get numbers as names, and a text (often JSON that was encoded twice) or a number gets
  // the name `body`, so that the reply names them in `X-Ignored-Fields`. `null` says nothing.
  return typeof value === 'object' ? { ...value } : { body: value }
}

/** Types of bodies that hold fields. */
const FIELD_TYPES = /[/+]json$|^application\/x-www-form-urlencoded$/

/** Reads a body that is a file as the field with a name. */
function readWhole(
  bytes: Uint8Array<ArrayBuffer>,
  field: string,
  disposition: string | undefined,
): Record<string, unknown> {
  if (bytes.length > MAX_FILE_BYTES) throw tooLargeFile(MAX_FILE_BYTES, field)
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

const notUtf8 = () => new ApiError('rest_invalid_param', 'The body is not valid UTF-8.', { params: {} })

const unsupportedError = () =>
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
 * Reads an object in JSON from a request's body; undefined if it has another value. Lists are not parsed.
 *
 * @throws ApiError `rest_invalid_json`, `rest_payload_too_large`
 */
export async function readJsonObject(
  request: Request,
  limits: BodyLimits,
): Promise<Record<string, unknown> | undefined> {
  const text = decodeUtf8(await readBytes(request, limits.bytes))
  const value = text?.trimStart().startsWith('[') ? [] : parseSimpleJson(text, limits.values)
  return isObject(value) ? value : undefined
}

/** Reads the fields of a multipart form. Only some fields may be files. */
async function readMultipart(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  { fields: fileFields, limits }: { fields: readonly string[]; limits: BodyLimits },
): Promise<Record<string, unknown>> {
  const form = await parseForm(bytes, type, {
    fields: Math.min(limits.parameters, MAX_FORM_PARTS),
    typed: limits.bytes,
  })
  const pairs: [string, string][] = []
  const files: Record<string, UploadedFile> = {}
  const refusals = new Map<string, string>()
  for (const [name, value] of form) {
    if (typeof value === 'string') pairs.push([name, value])
    else if (!fileFields.includes(name)) refusals.set(name, 'must not be a file')
    else if (Object.hasOwn(files, name)) refusals.set(name, 'must be one file')
    else if (value.size > MAX_FILE_BYTES) throw tooLargeFile(MAX_FILE_BYTES, name)
    else if (isChosenFile(value))
      files[name] = new UploadedFile(value.name, new Uint8Array(await value.arrayBuffer()))
  }
  if (refusals.size > 0) throw invalidParams(refusals)
  const isText =
    Object.keys(files).length === 0
      ? decodeUtf8(bytes) !== undefined
      : // The decoder puts this mark where a form is not UTF-8.
        pairs.every(pair => !pair.some(part => part.includes('\ufffd')))
  if (!isText) throw notUtf8()
  const text = new URLSearchParams(pairs).toString()
  assertFewTags(text)
  return { ...parseBrackets(text, limits.parameters), ...files }
}

/** Limit on levels of lists and objects in JSON; a complete event has five. */
export const MAX_JSON_DEPTH = 20

/** The number that PHP and WordPress have for a syntax error in JSON. */
const JSON_ERROR_SYNTAX = 4

const invalidJson = (message: string): ApiError =>
  new ApiError('rest_invalid_json', message, { json_error_code: JSON_ERROR_SYNTAX })

/**
 * The error for a body that is not JSON.
 * @param reason the engine's message, with the position or the text around it
 */
const notJson = (reason: string): ApiError => invalidJson(`The body is not valid JSON: ${reason}.`)

/**
 * Parses JSON that is cheap to work with.
 *
 * @param values limit on its values
 * @param errorFor makes the error for text that is not JSON
 * @throws ApiError `rest_invalid_json`, `rest_payload_too_large`
 */
function parseSimpleJson(text: string | undefined, values: number, errorFor = notJson): unknown {
  if (text === undefined) throw errorFor('it is not UTF-8')
  assertFewTags(text)
  assertSimple(text, values)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw errorFor(messageOf(error))
  }
}

/**
 * Makes sure that JSON is cheap to work with, before parsing it, because recursive code fails at great
 * depths.
 */
function assertSimple(json: string, values: number): void {
  let depth = 0
  let count = 1
  for (let i = 0; i < json.length; i += 1) {
    const character = json[i]
    if (character === '"') {
      i = stringEnd(json, i)
      if (i === -1) return
    } else if (character === '{' || character === '[') {
      depth += 1
      if (depth > MAX_JSON_DEPTH) throw invalidJson(`The body nests deeper than ${MAX_JSON_DEPTH} levels.`)
    } else if (character === '}' || character === ']') depth -= 1
    else if (character === ',' && ++count > values)
      throw new ApiError('rest_payload_too_large', `The body must have at most ${values} values.`)
  }
}

/** The position of the quote that closes a string, or -1. */
function stringEnd(json: string, start: number): number {
  for (let i = start + 1; i < json.length; i += 1) {
    if (json[i] === '\\') i += 1
    else if (json[i] === '"') return i
  }
  return -1
}
