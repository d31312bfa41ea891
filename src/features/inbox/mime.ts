import type { Attachment, Email, Header } from 'postal-mime'
import {
  MAX_DEPTH,
  MAX_HEADER_BYTES,
  MAX_LINES,
  MAX_SEPARATORS,
  MAX_SHORT_LINES,
  MAX_TEXT_BYTES,
  Refused,
  SHORT_LINE_BYTES,
} from './limits.ts'

/** The parser of e-mails, loaded for the first one: few of the requests to a calendar are e-mails. */
const importParser = () => import('postal-mime')

const LF = 10
const CR = 13
const HYPHEN = 45

const UNREADABLE = 'This e-mail cannot be read: its structure is broken.'

/** The bytes of an e-mail, whatever size it claims. @throws Refused if there are more than `maxBytes` */
export async function readAtMost(raw: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of raw) {
    size += chunk.byteLength
    if (size > maxBytes) throw mailTooLarge(maxBytes)
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

export const mailTooLarge = (maxBytes: number): Refused =>
  new Refused(
    'too_large',
    `This e-mail is larger than ${maxBytes / 1_000_000} MB. Please send it without attachments.`,
  )

/** The headers of an e-mail, from the top. @throws Refused if they are too long */
export async function headersOf(bytes: Uint8Array): Promise<Header[]> {
  const block = bytes.subarray(0, endOfHeaders(bytes))
  const { default: PostalMime } = await importParser()
  return (await PostalMime.parse(block, { maxHeadersSize: MAX_HEADER_BYTES })).headers
}

/** The position of the empty line after the headers. */
function endOfHeaders(bytes: Uint8Array): number {
  let lineStart = 0
  while (lineStart < bytes.length) {
    const end = bytes.indexOf(LF, lineStart)
    const lineEnd = end < 0 ? bytes.length : end
    if (lineEnd === lineStart || (lineEnd === lineStart + 1 && bytes[lineStart] === CR)) return lineStart
    lineStart = lineEnd + 1
    if (lineStart > MAX_HEADER_BYTES)
      throw new Refused('too_large', 'The headers of this e-mail are too long.')
  }
  return bytes.length
}

/** What an e-mail consists of. @throws Refused if it takes too long to read, or is not what it says */
export async function parseMail(
  bytes: Uint8Array,
): Promise<Pick<Email, 'text' | 'html'> & { attachments: Attachment[] }> {
  assertFewLines(bytes)
  const { default: PostalMime } = await importParser()
  const parser = new PostalMime({
    maxHeadersSize: MAX_HEADER_BYTES,
    maxNestingDepth: MAX_DEPTH,
    // An e-mail within another could hide any number of lines and parts behind its encoding.
    forceRfc822Attachments: true,
  })
  try {
    limitTexts(parser)
    return await parser.parse(bytes)
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('unreadable', UNREADABLE, { cause: error })
  }
}

/** The part of the parser that decides whether a part is text, with the part's decoded bytes. */
type TextParts = { isInlineTextNode: (node: { content: ArrayBuffer | null }) => boolean }

/**
 * Has a parser refuse e-mails with too much text before it makes texts of the bytes, and HTML of texts: that
 * can take a second for some megabytes, and there is no option for it.
 */
function limitTexts(parser: object): void {
  // The pinned version has this method, which its types leave out. test/features/inbox/hostile.test.ts fails
  // without it.
  const parts = parser as TextParts
  const isText = parts.isInlineTextNode
  let bytesLeft = MAX_TEXT_BYTES
  parts.isInlineTextNode = node => {
    if (!isText.call(parser, node)) return false
    bytesLeft -= node.content?.byteLength ?? 0
    if (bytesLeft < 0)
      throw new Refused('too_large', 'This e-mail has too much text. Please send the announcement alone.')
    return true
  }
}

function assertFewLines(bytes: Uint8Array): void {
  let lines = 0
  let shortLines = 0
  let separators = 0
  for (let position = 0; position < bytes.length; lines++) {
    if (bytes[position] === HYPHEN && bytes[position + 1] === HYPHEN) separators++
    if (lines > MAX_LINES || shortLines > MAX_SHORT_LINES || separators > MAX_SEPARATORS)
      throw new Refused('too_large', 'This e-mail has too many lines or parts. Please send the text alone.')
    const end = bytes.indexOf(LF, position)
    if (end - position < SHORT_LINE_BYTES) shortLines++
    position = end < 0 ? bytes.length : end + 1
  }
}

/** The values of headers of a name, from the top. @param key in lower case */
export const headerValues = (headers: readonly Header[], key: string): string[] =>
  headers.filter(header => header.key === key).map(({ value }) => value)

export async function mailboxesOf(values: readonly string[]): Promise<{ name: string; address: string }[]> {
  const { addressParser } = await importParser()
  return values
    .flatMap(value => addressParser(value, { flatten: true }))
    .map(({ name, address = '' }) => ({ name, address }))
}

/** A text of a header, with encoded words read. */
export async function headerText(headers: readonly Header[], key: string): Promise<string> {
  const { decodeWords } = await importParser()
  return decodeWords(headerValues(headers, key)[0] ?? '')
}
