import { type Attribute, decodeEntities, type HiddenElement, readMarkup, type Tag } from '../kit/lib/text.ts'
import { decodeBytes, encodingOf, type HttpResponse } from './http.ts'
import { isOneSlipAway } from './ics/slips.ts'
import { hasMicrodata } from './microdata.ts'

/**
 * A script of a page that holds JSON-LD, and the line of the page on which its content begins; or a page with
 * microdata.
 */
export type StructuredData = { text: string; line: number; isMisspelt?: boolean } | { html: string }

type HtmlPage = {
  /** The base of relative addresses. */
  base: string
  scripts: StructuredData[]
  /** Http and https addresses in the order of the page, without fragments. */
  links: string[]
  next: string | undefined
  /** True for a page with more tags, or links, than are read. */
  isCut: boolean
}

const CHARSET = /charset\s{0,9}=\s{0,9}["']?([\w-]{1,40})/i

/**
 * The text of a response, decoded as its bytes, its header or its first lines indicate; as UTF-8 otherwise.
 */
export const pageText = (response: Pick<HttpResponse, 'headers' | 'bytes'>): string =>
  decodedPage(response).text

/** As {@link pageText}, with the first line that is not UTF-8 in a page that should be. */
export function decodedPage({ headers, bytes }: Pick<HttpResponse, 'headers' | 'bytes'>): {
  text: string
  foreign?: string
} {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, 1024))
  const [, namedCharset] = CHARSET.exec(headers.get('content-type') ?? '') ?? []
  // A page whose first lines can be read like this is not in UTF-16, whatever it says (HTML standard).
  const [, inHead = 'utf-8'] = CHARSET.exec(head.replace(/utf-16\w*/gi, 'utf-8')) ?? []
  const label = encodingOf(bytes) ?? namedCharset ?? inHead
  if (/^utf-?8$/i.test(label)) return decodeBytes(bytes)
  try {
    return { text: new TextDecoder(label).decode(bytes) }
  } catch {
    // The encoding is unknown.
    return decodeBytes(bytes)
  }
}

/** The most links that are read, far more than are followed. */
export const MAX_LINKS = 5_000
/** Limits on the tags that are read, and on different tags that may be links: pages of 10 MB have fewer. */
const MAX_TAGS = 500_000
const MAX_ANCHORS = 4 * MAX_LINKS
/** The longest attribute that is read; no relevant one is longer. */
const MAX_VALUE_LENGTH = 5_000

/** The value of an attribute; '' if there is none. */
function attributeOf(attributes: readonly Attribute[], wantedName: string): string {
  const [, value = ''] = attributes.find(([name]) => name === wantedName) ?? []
  return value.length > MAX_VALUE_LENGTH ? '' : decodeEntities(value)
}

/** The most elements with a name similar to `script` that are read: each may contain the rest of the page. */
const MAX_MISSPELT = 10

const LD_JSON = 'application/ld+json'

/**
 * True if the type of a script is that of JSON-LD with a slip: a wrong letter, or a superfluous quotation
 * mark.
 */
function hasMisspeltType(attributes: readonly Attribute[]): boolean {
  const type = attributeOf(attributes, 'type').trim().toLowerCase()
  // Without its equals sign, the type is read as two attributes, because a slash ends a name.
  const names = attributes.map(([name]) => name.replaceAll('"', ''))
  if (type === '') return LD_JSON.split('/').every(part => names.includes(part))
  return type !== LD_JSON && isOneSlipAway(type, LD_JSON)
}

/** Makes an address absolute; undefined if it is not http or https. */
export function absoluteUrl(address: string, base: string): URL | undefined {
  const text = address.trim()
  if (text === '' || !URL.canParse(text, base)) return undefined
  const url = new URL(text, base)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined
}

export const withoutFragment = (url: URL): string => {
  const pageUrl = new URL(url)
  pageUrl.hash = ''
  return pageUrl.href
}

const hasWord = (list: string, word: string): boolean => list.toLowerCase().split(/\s+/).includes(word)

/** What the type of JSON-LD contains, with any slip of {@link hasMisspeltType}. */
const LIKELY_TYPE = /application\/ld|[+d]json/g

/** An answer may be JSON-LD without a page around it. */
const isBareJson = (html: string): boolean => /^\uFEFF?\s*[[{]/.test(html)

/**
 * The beginning of a page, up to the end of its JSON-LD, which mostly is in the head. Parsing 60 KB takes 1.5
 * ms.
 */
export function upToScripts(html: string): string {
  if (hasMicrodata(html) || isBareJson(html)) return html
  const text = html.toLowerCase()
  const last = [...text.matchAll(LIKELY_TYPE)].at(-1)
  if (!last) return ''
  const end = text.indexOf('</script', last.index)
  return end === -1 || /<base\s/.test(text) ? html : html.slice(0, end + '</script>'.length)
}

/** Parses a page of HTML, in one pass. @param address the address of the page */
export function readPage(html: string, address: string): HtmlPage {
  const scripts: StructuredData[] = []
  let line = 1
  let countedTo = 0
  const links = new Set<string>()
  let base = address
  let next: string | undefined
  const keep = (from: number, to: number, isSlip: boolean): void => {
    line += html.slice(countedTo, from).split('\n').length - 1
    countedTo = from
    scripts.push({ text: html.slice(from, to), line, ...(isSlip && { isMisspelt: true }) })
  }
  let misspelt = 0
  /** Keeps the content of an element whose name is like that of scripts. */
  const keepMisspelt = (position: number): void => {
    misspelt += 1
    const from = html.indexOf('>', position) + 1
    const to = html.indexOf('</', from)
    if (misspelt <= MAX_MISSPELT && from > 0) keep(from, to < 0 ? html.length : to, true)
  }
  const onHidden = ({ name, attributes, from, to }: HiddenElement) => {
    if (name !== 'script') return
    const isSlip = hasMisspeltType(attributes)
    if (!isSlip && !/^\s*application\/ld\+json\s*(?:;|$)/i.test(attributeOf(attributes, 'type'))) return
    keep(from, to, isSlip)
  }
  let tags = 0
  // A page may repeat a tag a thousand times.
  const knownAddresses = new Set<string>()
  const onTag = ({ name, isClosing, attributes }: Tag, position: number) => {
    tags += 1
    if (tags > MAX_TAGS) return false
    if (
      !isClosing &&
      name !== 'script' &&
      isOneSlipAway(name, 'script') &&
      attributeOf(attributes, 'type') === LD_JSON
    )
      return keepMisspelt(position)
    if (isClosing || !['a', 'link', 'base'].includes(name)) return
    const href = attributeOf(attributes, 'href')
    const rel = attributeOf(attributes, 'rel')
    const tag = `${base} ${name} ${rel} ${href}`
    if (knownAddresses.has(tag) || knownAddresses.size > MAX_ANCHORS) return
    knownAddresses.add(tag)
    if (knownAddresses.size > MAX_ANCHORS) return
    const url = absoluteUrl(href, base)
    if (!url) return
    if (name === 'base') base = url.href
    else if (hasWord(rel, 'next')) next ??= withoutFragment(url)
    else if (name === 'a' && links.size < MAX_LINKS) links.add(withoutFragment(url))
  }
  if (isBareJson(html)) scripts.push({ text: html, line: 1 })
  else readMarkup(html, { onTag, onHidden })
  links.delete(withoutFragment(new URL(address)))
  if (hasMicrodata(html)) scripts.push({ html })
  const isCut = tags > MAX_TAGS || knownAddresses.size > MAX_ANCHORS
  return { base, scripts, links: [...links], next, isCut }
}
