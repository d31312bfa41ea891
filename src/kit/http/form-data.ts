import { ApiError, detailsOf, invalidParams } from '../lib/errors.ts'
import { codedReason } from '../lib/reasons.ts'
import { noteRepetitions } from '../lib/values.ts'
import parseQueryString from './query-string.cjs'

/** Ten megabytes: more than cameras need for an image, and little enough to hold in memory. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024

/** A file in a request: the unchecked value of a field for files. */
export class UploadedFile {
  /** The name that the client gave it; '' for none. */
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>

  constructor(name: string, bytes: Uint8Array<ArrayBuffer>) {
    this.name = name.replace(/^.*[/\\]/, '')
    this.bytes = bytes
  }
}

/** The name of a file in a `Content-Disposition` header (RFC 6266); '' for none. */
export function fileNameIn(header = ''): string {
  const extended = header.match(/filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i)?.[1]
  const [, quoted, unquoted = ''] = header.match(/filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i) ?? []
  try {
    if (extended) return decodeURIComponent(extended)
  } catch {
    // Some clients write a bare percent sign; the other form of the name still works.
  }
  return quoted === undefined ? unquoted : quoted.replace(/\\(.)/g, '$1')
}

/**
 * Limit on the parts of a multipart form: the editor's largest form has some 3,000. Parsing a thousand takes
 * 10 ms.
 */
export const MAX_FORM_PARTS = 4_000

/** Limit on the headers of a part, in bytes. */
const MAX_PART_HEAD = 4_096

const CRLF_TWICE = '\r\n\r\n'
const AMPERSAND = 0x26

/**
 * Boundaries as in RFC 2046 §5.1.1. The runtime's parser accepts others, and compares each byte of a body
 * with all bytes of the boundary.
 */
const BOUNDARY =
  /;\s*boundary=(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'()+./:=?-]{1,70}))\s*(?:;|$)/i

const invalid = (message: string): ApiError => new ApiError('rest_invalid_param', message, { params: {} })

export const isMultipart = (type: string): boolean => /^multipart\/form-data\s*(;|$)/i.test(type)

/**
 * The boundary in a content type.
 * @throws ApiError if it is missing, or is not a boundary that clients send
 */
function boundaryIn(type: string): string {
  const [, quoted, unquoted] = BOUNDARY.exec(type) ?? []
  const boundary = quoted ?? unquoted
  if (boundary === undefined)
    throw invalid('The multipart/form-data needs a boundary of at most 70 characters.')
  return boundary
}

/** Makes sure that a form is cheap to parse: the runtime's parser has no limits. */
function assertFewParts(bytes: Uint8Array<ArrayBuffer>, boundary: string, maxParts: number): void {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const delimiter = `--${boundary}`
  let count = 0
  for (
    let position = body.indexOf(delimiter);
    position !== -1;
    position = body.indexOf(delimiter, position)
  ) {
    position += delimiter.length
    // The last boundary has no part after it.
    if (++count > maxParts + 1) throw tooManyFields(maxParts)
    const head = body.subarray(position, position + MAX_PART_HEAD)
    if (head.indexOf('--') !== 0 && head.indexOf(CRLF_TWICE) === -1)
      throw invalid(`The parts of a form may have headers of at most ${MAX_PART_HEAD} bytes each.`)
  }
}

const tooManyFields = (limit: number): ApiError => invalid(`The form has more than ${limit} fields.`)

/** Makes sure that a form doesn't have too many fields, before parsing it. */
function assertFewPairs(bytes: Uint8Array, maxPairs: number): void {
  let count = 1
  for (
    let position = bytes.indexOf(AMPERSAND);
    position !== -1;
    position = bytes.indexOf(AMPERSAND, position + 1)
  )
    if (++count > maxPairs) throw tooManyFields(maxPairs)
}

/**
 * The bytes of a form as text, byte by byte, without its boundary, which differs each time that the form is
 * sent.
 *
 * @throws ApiError `rest_invalid_param`
 */
export function withoutBoundary(bytes: Uint8Array<ArrayBuffer>, type: string): string {
  const boundary = boundaryIn(type)
  assertFewParts(bytes, boundary, MAX_FORM_PARTS)
  return Buffer.from(bytes).toString('latin1').replaceAll(`--${boundary}`, '--')
}

/**
 * Parses a form, multipart or URL-encoded.
 *
 * @param type its content type
 * @param fields the most fields, which are counted before anything is parsed
 * @param typed the most characters of all fields that are not files
 * @throws ApiError `rest_invalid_param`, `rest_payload_too_large`
 */
export async function parseForm(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  { fields, typed }: { fields: number; typed: number },
): Promise<FormData> {
  let contentType = 'application/x-www-form-urlencoded'
  if (isMultipart(type)) {
    const boundary = boundaryIn(type)
    assertFewParts(bytes, boundary, fields)
    // The parser must find the same parts that were counted, however it would have read the header.
    contentType = `multipart/form-data; boundary="${boundary}"`
  } else assertFewPairs(bytes, fields)
  const form = await new Response(bytes, { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw invalid(
        isMultipart(type) ? 'The body is not valid multipart/form-data.' : 'The form cannot be read.',
      )
    })
  let charactersLeft = typed
  for (const value of form.values()) if (typeof value === 'string') charactersLeft -= value.length
  if (charactersLeft < 0) throw tooLarge(typed)
  return form
}

/**
 * True for a file that was chosen, which may be empty. For an input without a choice, browsers send an empty
 * file that has no name.
 */
export const isChosenFile = ({ name, size }: File): boolean => size > 0 || name !== ''

/** The error for too many bytes in a body. */
export const tooLarge = (limit: number): ApiError =>
  new ApiError('rest_payload_too_large', `The body must be at most ${limit} bytes long.`)

/** The error for too many bytes in a file. @param field that holds it */
export function tooLargeFile(limit: number, field: string): ApiError {
  const message = `The file must be at most ${limit} bytes long.`
  const code = limit < MAX_FILE_BYTES ? 'large_upload' : 'large_file'
  const reasons = new Map([[field, codedReason(code, message)]])
  return new ApiError('rest_payload_too_large', message, detailsOf(reasons))
}

// Names with brackets, of queries and of URL-encoded forms.

export const MAX_PARAMETERS = 10_000

/** Limit on the parameters of a query: a list of ids has at most 500. */
export const MAX_QUERY_PARAMETERS = 1_000

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

/** Limits on the parameters that an error names, and on the length of their names. */
const MAX_NAMED = 10
const MAX_REPORTED_NAME_LENGTH = 64

/** Limit on a name with its brackets, as sent. */
const MAX_SENT_NAME_LENGTH = 1_000

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

/**
 * The error for too many parameters. It names the parameters that are nested too deeply or have too many
 * items.
 */
function tooManyParameters(text: string, limit: number): ApiError {
  const items = new Map<string, number>()
  const params = new Map<string, string>()
  let limitLeft = limit
  for (const encoded of namesIn(text)) {
    if (limitLeft-- === 0 || params.size >= MAX_NAMED) break
    const key = decodePercents(encoded.slice(0, MAX_SENT_NAME_LENGTH)) ?? ''
    const [full = '', ...brackets] = key.split('[')
    const name = full.slice(0, MAX_REPORTED_NAME_LENGTH)
    const count = (items.get(name) ?? 0) + 1
    items.set(name, count)
    if (brackets.length > BRACKETS.depth)
      params.set(name, `must have at most ${BRACKETS.depth} pairs of brackets`)
    else if (count > BRACKETS.arrayLimit) params.set(name, `must have at most ${BRACKETS.arrayLimit} items`)
  }
  return new ApiError(
    'rest_invalid_param',
    `Too many parameters: at most ${limit} are accepted, with ${BRACKETS.arrayLimit} items ` +
      `to a list and ${BRACKETS.depth} pairs of brackets to a name.`,
    { params: Object.fromEntries(params) },
  )
}

/**
 * Parses names with brackets into nested lists and objects; a repeated name becomes a list.
 *
 * @param text a query without its `?`, or the body of a form
 * @param maxCount limit on its parameters
 * @throws ApiError `rest_invalid_param` for text that is not UTF-8 when decoded, and for too many parameters,
 *   list items or brackets
 */
export function parseBrackets(text: string, maxCount = MAX_PARAMETERS): Record<string, unknown> {
  assertFewParameters(text, maxCount)
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
    const parsed = parseQueryString(text, { ...BRACKETS, parameterLimit: maxCount, decoder })
    noteRepetitions(parsed)
    return parsed
  } catch (error) {
    // The parser throws this for any of its limits.
    if (error instanceof RangeError) throw tooManyParameters(text, maxCount)
    throw error
  }
}

/**
 * Refuses names that the parser would silently drop, because every object has them: `fields[constructor]`.
 */
function assertNoPrototype(name: string): void {
  const [field = '', ...parts] = name.split(/[[\]]+/)
  const part = parts.find(each => Object.hasOwn(Object.prototype, each))
  if (part !== undefined && field !== '' && !Object.hasOwn(Object.prototype, field))
    throw invalidParams(
      new Map([[field.slice(0, MAX_REPORTED_NAME_LENGTH), `must not have a part named ${part}`]]),
    )
}

/** Makes sure that parameters are cheap to parse, before parsing them. */
function assertFewParameters(text: string, limit: number): void {
  let count = 0
  let sum = 0
  for (const name of namesIn(text)) {
    count++
    for (const [, position] of name.slice(0, MAX_SENT_NAME_LENGTH).matchAll(POSITION)) sum += Number(position)
    if (count > limit || sum > MAX_POSITIONS || name.length > MAX_SENT_NAME_LENGTH)
      throw tooManyParameters(text, limit)
  }
}

/**
 * Decodes percent-encoding; undefined if the bytes are not UTF-8. A `%` without two digits after it stays.
 */
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
