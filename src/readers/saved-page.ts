import { reportGuess } from '../calendar/imports/guesses.ts'
import { type ReaderContext, type SourceItem, Unreadable } from '../calendar/imports/records.ts'
import { decodedPage, readPage } from './html-page.ts'
import { decodeText } from './http.ts'
import { eventItems } from './jsonld/events.ts'
import { nodesOf } from './jsonld/nodes.ts'
import { pageSource } from './jsonld/pages.ts'

// Pages, and JSON-LD, that somebody has saved as a file. They are read as at their address.

/** The number of characters at the beginning of a file that show what it is. */
const MAX_START = 2_000

const PAGE =
  /^\uFEFF?\s*(?:<\?xml[^<>]{0,200}>\s*)?(?:<!--[^<>]{0,500}-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i
const JSON_TEXT = /^\uFEFF?\s*(?:\{\s*"|\[\s*[{[])/

/** True if a file is a web page, whatever its name. */
export const isWebPage = (bytes: Uint8Array): boolean => PAGE.test(decodeText(bytes.subarray(0, MAX_START)))

/**
 * True if a file is JSON. A cell of a table may begin with a bracket, but with no other sign of JSON after
 * it.
 */
export const isJson = (bytes: Uint8Array): boolean => JSON_TEXT.test(decodeText(bytes.subarray(0, MAX_START)))

/** Where browsers and pages say what address a page has. */
const ADDRESSES = [
  /<!-- saved from url=\(\d{4}\)(https?:\/\/[^\s<>"]+) -->/i,
  /<link\s(?=[^<>]{0,500}rel=["']?canonical["'\s>])[^<>]{0,500}?href=["']?(https?:\/\/[^\s<>"']+)/i,
  /<meta\s(?=[^<>]{0,500}property=["']?og:url["'\s>])[^<>]{0,500}?content=["']?(https?:\/\/[^\s<>"']+)/i,
]
/** The number of characters at the beginning of a page that may have its address. */
const MAX_HEAD = 200_000

/** The address at which a saved page was; undefined if it does not say so. */
function savedAddress(text: string): string | undefined {
  const head = text.slice(0, MAX_HEAD)
  return ADDRESSES.map(pattern => pattern.exec(head)?.[1]).find(
    found => found !== undefined && URL.canParse(found),
  )
}

/**
 * The events of a page, or of JSON-LD, that was saved.
 *
 * @param file its name
 * @throws Unreadable if it has none
 */
export async function* savedItems(
  bytes: Uint8Array,
  file: string,
  context: ReaderContext,
): AsyncGenerator<SourceItem> {
  const { text, foreign } = decodedPage({ headers: new Headers(), bytes })
  const savedFrom = savedAddress(text)
  const address = savedFrom ?? `file:///${encodeURIComponent(file)}`
  const source = savedFrom === undefined ? `jsonld:${file}` : pageSource(savedFrom)
  const { scripts, base, isCut } = readPage(text, address)
  const nodes = nodesOf(scripts, address)
  if (nodes.events.length === 0 && nodes.failures.length === 0) throw noEvents(bytes)
  if (foreign !== undefined)
    reportGuess(context, { code: 'guess_encoding', what: file, text: foreign, as: 'UTF-8' })
  const ofPage = { type: 'failed', kind: 'page', source, what: file } as const
  for (const { line, reason } of nodes.failures) yield { ...ofPage, line, reason, code: 'record_page' }
  for (const line of nodes.mended)
    context.note(`${file}, line ${line}: mistakes in its JSON-LD were repaired`)
  if (isCut || nodes.isCut)
    yield { ...ofPage, reason: 'it has more, or nests deeper, than is read', code: 'record_too_much' }
  yield { type: 'expect', count: nodes.events.length }
  yield* eventItems(nodes, { ...context, source, base }, new Map())
}

const noEvents = (bytes: Uint8Array): Unreadable =>
  isWebPage(bytes)
    ? new Unreadable(
        'it is a web page without events as JSON-LD or microdata: save the calendar that it links to, or import its address',
        'source_page',
      )
    : new Unreadable(
        'it is JSON of another program: export the events there as iCalendar (.ics) or as a table (.csv), or import the address of the calendar',
        'source_json',
      )
