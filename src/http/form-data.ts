import { ApiError } from '../lib/errors.ts'

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
  const [, quoted, bare = ''] = header.match(/filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i) ?? []
  try {
    if (extended) return decodeURIComponent(extended)
  } catch {
    // Some clients write a bare percent sign; the other form of the name still works.
  }
  return quoted === undefined ? bare : quoted.replace(/\\(.)/g, '$1')
}

/** Limit on the parts of a multipart form: the editor's largest form has some 3,000. Parsing a thousand takes 10 ms. */
export const MAX_PARTS = 4_000

/** Limit on the headers of a part, in bytes. */
const MAX_PART_HEAD = 4_096

const CRLF_TWICE = '\r\n\r\n'
const AMPERSAND = 0x26

/**
 * Boundaries as in RFC 2046 §5.1.1. The runtime's parser accepts others, and compares each byte of a body with all
 * bytes of the boundary.
 */
const BOUNDARY =
  /;\s*boundary=(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'()+./:=?-]{1,70}))\s*(?:;|$)/i

const invalid = (message: string): ApiError => new ApiError('rest_invalid_param', message, { params: {} })

export const isMultipart = (type: string): boolean => /^multipart\/form-data\s*(;|$)/i.test(type)

/** The boundary in a content type. @throws ApiError if there is none, or one that no client sends */
function boundaryIn(type: string): string {
  const [, quoted, bare] = BOUNDARY.exec(type) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined)
    throw invalid('The multipart/form-data needs a boundary of at most 70 characters.')
  return boundary
}

/** Makes sure that a form is cheap to parse: the runtime's parser has no limits. */
function assertFewParts(bytes: Uint8Array<ArrayBuffer>, boundary: string, most: number): void {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const delimiter = `--${boundary}`
  let count = 0
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at)) {
    at += delimiter.length
    // The last boundary has no part after it.
    if (++count > most + 1) throw tooManyFields(most)
    const head = body.subarray(at, at + MAX_PART_HEAD)
    if (head.indexOf('--') !== 0 && head.indexOf(CRLF_TWICE) === -1)
      throw invalid(`The parts of a form may have headers of at most ${MAX_PART_HEAD} bytes each.`)
  }
}

const tooManyFields = (most: number): ApiError => invalid(`The form has more than ${most} fields.`)

/** Makes sure that a form doesn't have too many fields, before parsing it. */
function assertFewPairs(bytes: Uint8Array, most: number): void {
  let count = 1
  for (let at = bytes.indexOf(AMPERSAND); at !== -1; at = bytes.indexOf(AMPERSAND, at + 1))
    if (++count > most) throw tooManyFields(most)
}

/**
 * The bytes of a form as text, byte by byte, without its boundary, which differs each time that the form is sent.
 *
 * @throws ApiError `rest_invalid_param`
 */
export function withoutBoundary(bytes: Uint8Array<ArrayBuffer>, type: string): string {
  const boundary = boundaryIn(type)
  assertFewParts(bytes, boundary, MAX_PARTS)
  return Buffer.from(bytes).toString('latin1').replaceAll(`--${boundary}`, '--')
}

/**
 * Parses a form, multipart or URL-encoded.
 *
 * @param type its content type
 * @param limits limits on its fields, which are counted before anything is parsed, and on the characters of all
 *   fields that are not files
 * @throws ApiError `rest_invalid_param`, `rest_payload_too_large`
 */
export async function parseForm(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  { fields, typed }: { fields: number; typed: number },
): Promise<FormData> {
  let known = 'application/x-www-form-urlencoded'
  if (isMultipart(type)) {
    const boundary = boundaryIn(type)
    assertFewParts(bytes, boundary, fields)
    // The parser must find the same parts that were counted, however it would have read the header.
    known = `multipart/form-data; boundary="${boundary}"`
  } else assertFewPairs(bytes, fields)
  const form = await new Response(bytes, { headers: { 'content-type': known } }).formData().catch(() => {
    throw invalid(
      isMultipart(type) ? 'The body is not valid multipart/form-data.' : 'The form cannot be read.',
    )
  })
  let room = typed
  for (const value of form.values()) if (typeof value === 'string') room -= value.length
  if (room < 0) throw tooLarge(typed)
  return form
}

/** The error for too many bytes. */
export const tooLarge = (limit: number, what = 'body'): ApiError =>
  new ApiError('rest_payload_too_large', `The ${what} must be at most ${limit} bytes long.`)
