import { NOT_IN_ADDRESSES } from './pattern.ts'
import { BLOCKS, cleanText, decodeEntities, htmlToText, keepWords, readMarkup, type Tag } from './text.ts'

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const INLINE = words(
  'a abbr audio b bdi bdo big br cite code data del dfn em font i img ins kbd mark picture q rp rt ruby s ' +
    'samp small source span strike strong sub sup time tt u var video wbr',
)
const VOID = words('br col hr img source wbr')
const TABLE_PARTS = words('caption col colgroup tbody td tfoot th thead tr')

// Not id and name: with these, a description could replace globals of the page.
const ANYWHERE = words('class dir lang style title')
const ATTRIBUTES = new Map(
  Object.entries({
    a: 'href hreflang rel target',
    audio: 'controls loop muted preload src',
    blockquote: 'cite',
    col: 'span',
    colgroup: 'span',
    data: 'value',
    del: 'cite datetime',
    details: 'open',
    font: 'color face size',
    img: 'align alt decoding height loading sizes src srcset width',
    ins: 'cite datetime',
    li: 'value',
    ol: 'reversed start type',
    q: 'cite',
    source: 'media sizes src srcset type',
    table: 'align border cellpadding cellspacing summary width',
    td: 'align colspan headers rowspan valign width',
    th: 'abbr align colspan headers rowspan scope valign width',
    time: 'datetime',
    video: 'controls height loop muted playsinline poster preload src width',
  }).map(([name, list]) => [name, words(list)]),
)

/**
 * Elements that end when a sibling opens, unless an element of `within` is open in between: a new li ends the
 * previous li.
 */
const SIBLINGS = new Map(
  Object.entries({
    a: { ends: ['a'], within: ['table'] },
    dd: { ends: ['dt', 'dd'], within: ['dl', 'table'] },
    dt: { ends: ['dt', 'dd'], within: ['dl', 'table'] },
    li: { ends: ['li'], within: ['ol', 'table', 'ul'] },
    tbody: { ends: ['caption', 'tbody', 'tfoot', 'thead'], within: ['table'] },
    td: { ends: ['td', 'th'], within: ['table', 'tr'] },
    tfoot: { ends: ['caption', 'tbody', 'tfoot', 'thead'], within: ['table'] },
    th: { ends: ['td', 'th'], within: ['table', 'tr'] },
    thead: { ends: ['caption', 'tbody', 'tfoot', 'thead'], within: ['table'] },
    tr: { ends: ['tr'], within: ['table'] },
  }),
)

// Real texts are far less deep; browsers stop at 512.
const MAX_DEPTH = 100

const SCHEMES = /^(?:https?|mailto|tel):/i
const MEDIA_SCHEMES = /^https?:/i

/**
 * True for an attribute value that browsers read as a relative address or as an address with an allowed
 * scheme. Browsers decode entities, then ignore white space and control characters. An unknown entity might
 * be a colon.
 */
const isSafeUrl = (value: string, schemes: RegExp) => {
  const address = decodeEntities(value).replace(NOT_IN_ADDRESSES(), '')
  return schemes.test(address) || !/[:&]/.test(address.split(/[/?#]/, 1)[0] ?? '')
}

const PROPERTIES = /^(?:(?:background-)?color|font-(?:style|weight)|text-(?:align|decoration))$/
const PROPERTY_VALUE = /^(?:[\w#%., -]+|rgba?\([\d.,% ]+\))$/

/**
 * Keeps declarations for colour, weight and alignment of text, and drops declarations that load, position or
 * compute.
 */
const safeStyle = (value: string) =>
  value
    .split(';')
    .map(declaration => declaration.split(':').map(part => part.trim().toLowerCase()))
    .filter(([name = '', set = '']) => PROPERTIES.test(name) && PROPERTY_VALUE.test(set))
    .map(([name, set]) => `${name}: ${set}`)
    .join('; ')

/** The safe value of an allowed attribute; undefined to drop the attribute. */
const safeValue = (name: string, value: string) => {
  if (name === 'href' || name === 'cite') return isSafeUrl(value, SCHEMES) ? value.trim() : undefined
  if (name === 'src' || name === 'poster') return isSafeUrl(value, MEDIA_SCHEMES) ? value.trim() : undefined
  if (name === 'srcset') {
    return value.split(/[\s,]+/).every(part => isSafeUrl(part, MEDIA_SCHEMES)) ? value.trim() : undefined
  }
  if (name === 'style') return safeStyle(value) || undefined
  if (name === 'target') return /^_(?:blank|parent|self|top)$/i.test(value) ? value : undefined
  return value
}

const escapeValue = (value: string) =>
  value
    .replace(/[\t\n]+/g, ' ')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** An opening tag, rebuilt from the allowed attributes, with quoted and escaped values. */
const openingTag = ({ name: element, attributes, isSelfClosing }: Tag) => {
  const keptAttributes = new Map<string, string | undefined>()
  for (const [name, rawValue] of attributes) {
    if (keptAttributes.has(name) || !(ANYWHERE.has(name) || ATTRIBUTES.get(element)?.has(name))) continue
    const value = safeValue(name, rawValue ?? '')
    if (value !== undefined) keptAttributes.set(name, rawValue === undefined ? undefined : value)
  }
  const rel = keptAttributes.get('rel') ?? ''
  if (keptAttributes.has('target') && !/\bnoopener\b/i.test(rel))
    keptAttributes.set('rel', `${rel} noopener`.trim())
  let tag = `<${element}`
  for (const [name, value] of keptAttributes)
    tag += value === undefined ? ` ${name}` : ` ${name}="${escapeValue(value)}"`
  return `${tag}${VOID.has(element) && isSelfClosing ? ' />' : '>'}`
}

/** A top-level node: text, or an element with its content. */
type TopNode = { kind: 'text' | 'inline' | 'block'; html: string }

/** The stack of open elements, and the top-level nodes written so far. */
class Outline {
  readonly nodes: TopNode[] = []
  readonly #open: string[] = []
  readonly #counts = new Map<string, number>()

  add(kind: TopNode['kind'], html: string) {
    const last = this.nodes.at(-1)
    if (!last || (this.#open.length === 0 && !(kind === 'text' && last.kind === 'text'))) {
      this.nodes.push({ kind, html })
      return
    }
    last.html += html
    if (kind === 'block') last.kind = kind
  }

  open(tag: Tag) {
    const { name } = tag
    const isInTable = this.#has('table')
    // Paragraphs do not count, so that a text stays within the limit when it is wrapped in a paragraph.
    const depth = this.#open.length - (this.#has('p') ? 1 : 0)
    if ((TABLE_PARTS.has(name) && !isInTable) || (name !== 'p' && depth >= MAX_DEPTH)) return
    if (BLOCKS.has(name)) this.close('p')
    this.#endSibling(name)
    this.add(BLOCKS.has(name) ? 'block' : 'inline', openingTag(tag))
    if (VOID.has(name)) return
    this.#open.push(name)
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  close(name: string) {
    if (this.#has(name)) this.closeDownTo(this.#open.lastIndexOf(name))
  }

  closeDownTo(depth: number) {
    for (const name of this.#open.slice(depth).reverse()) {
      this.add('text', `</${name}>`)
      this.#open.pop()
      this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1)
    }
  }

  #has(name: string) {
    return (this.#counts.get(name) ?? 0) > 0
  }

  #endSibling(name: string) {
    const { ends, within } = SIBLINGS.get(name) ?? { ends: [], within: [] }
    const depth = this.#open.findLastIndex(open => ends.includes(open) || within.includes(open))
    if (ends.includes(this.#open[depth] ?? '')) this.closeDownTo(depth)
  }
}

/** Sanitises and balances HTML: every `<` of the result starts a tag that {@link Outline} wrote. */
const sanitise = (html: string) => {
  const outline = new Outline()
  readMarkup(html, {
    onText: text => outline.add('text', text.replaceAll('<', '&lt;')),
    onTag: tag => {
      if (!INLINE.has(tag.name) && !BLOCKS.has(tag.name)) return
      if (tag.isClosing) outline.close(tag.name)
      else outline.open(tag)
    },
  })
  outline.closeDownTo(0)
  return outline.nodes
}

const isBlank = (text: string | undefined) => text === ' ' || text === '\n' || text === '\t'

/**
 * Trims ASCII white space only: an ideographic space or `&nbsp;` at the start of a paragraph is intentional.
 */
const trimBlanks = (text: string) => {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text[start])) start += 1
  while (end > start && isBlank(text[end - 1])) end -= 1
  return text.slice(start, end)
}

const paragraphs = (inlines: TopNode[]) => {
  const texts = ['']
  for (const { kind, html } of inlines) {
    const [first = '', ...moreParagraphs] = kind === 'text' ? html.split(/\n[ \t]*\n\s*/) : [html]
    texts[texts.length - 1] += first
    for (const text of moreParagraphs) texts.push(text)
  }
  return texts
    .map(trimBlanks)
    .filter(text => text !== '')
    .map(text => `<p>${text.replace(/(<br(?: \/)?>[ \t]*)?\n/g, (end, br) => (br ? end : '<br />\n'))}</p>`)
    .join('\n')
}

/** True for white space and line breaks between blocks, which do not become a paragraph. */
const isGap = (inlines: TopNode[]) =>
  inlines.every(({ kind, html }) => (kind === 'text' ? trimBlanks(html) === '' : html.startsWith('<br')))

/**
 * The HTML to store for a description or an excerpt by anybody. It consists of allowed elements, attributes
 * and schemes, balanced, without comments; text outside of blocks gets `<p>` at blank lines and `<br />` at
 * single line breaks. Idempotent, and linear in time.
 */
export const toHtml = (input: string): string => {
  const parts: string[] = []
  let inlines: TopNode[] = []
  const endRun = () => {
    if (isGap(inlines)) parts.push(inlines.map(node => node.html).join(''))
    else parts.push(parts.length > 0 ? '\n' : '', paragraphs(inlines), '\n')
    inlines = []
  }
  for (const node of sanitise(keepWords(cleanText(input)))) {
    if (node.kind !== 'block') inlines.push(node)
    else {
      endRun()
      parts.push(node.html)
    }
  }
  endRun()
  return trimBlanks(parts.join(''))
}

/** The `rel` of links in texts by strangers: https://html.spec.whatwg.org/#linkTypes */
export const UNVOUCHED = 'nofollow ugc noopener'

/**
 * Elements that texts by strangers may have. None of these loads anything, is collapsed, or has a look of its
 * own.
 */
const SIMPLE = words(
  'a abbr b blockquote br cite code dd dl dt em h1 h2 h3 h4 h5 h6 hr i li ol p pre q s small strong sub sup table ' +
    'tbody td tfoot th thead tr u ul',
)

function simpleTag(_: string, slash: string, name: string, attributes: string): string {
  if (!SIMPLE.has(name)) return BLOCKS.has(name) ? '\n\n' : ''
  // Quotes in values are escaped, so this is the attribute itself.
  const href = name === 'a' && slash === '' ? / href="([^"]*)"/.exec(attributes)?.[1] : undefined
  const link = href === undefined ? '' : ` href="${href}" rel="${UNVOUCHED}"`
  return `<${slash}${name}${link}${attributes.endsWith('/') ? ' /' : ''}>`
}

/**
 * The HTML to store for a text by a stranger: words, and links that search engines do not follow. Idempotent,
 * like `toHtml`.
 */
export const toSimpleHtml = (input: string): string =>
  toHtml(toHtml(input).replace(/<(\/?)([a-z][a-z\d]*)(?![a-z\d])([^<>]*)>/g, simpleTag))

/** The elements of {@link toInlineHtml}, by the elements that they replace. */
const EMPHASIS: Readonly<Record<string, string>> = {
  a: 'a',
  b: 'strong',
  em: 'em',
  i: 'em',
  strong: 'strong',
}

function inlineTag(_: string, slash: string, name: string, attributes: string): string {
  const emphasisTag = EMPHASIS[name]
  if (emphasisTag === undefined) return name === 'br' || BLOCKS.has(name) ? '\n' : ''
  // Quotes in values are escaped, so this is the attribute itself, as in simpleTag.
  const href = emphasisTag === 'a' && slash === '' ? / href="[^"]*"/.exec(attributes)?.[0] : undefined
  return `<${slash}${emphasisTag}${href ?? ''}>`
}

/**
 * The HTML to store for the description of a term: words with emphasis and links, with line ends as in plain
 * text. Idempotent, like {@link toHtml}, which turns the lines into paragraphs.
 */
export function toInlineHtml(input: string): string {
  const nodes = sanitise(keepWords(cleanText(input))).map(({ html }) =>
    html.replace(/(<br(?: \/)?>)\n/g, '$1'),
  )
  const text = trimBlanks(
    nodes
      .join('')
      .replace(/<(\/?)([a-z][a-z\d]*)(?![a-z\d])([^<>]*)>/g, inlineTag)
      .replace(/(?<![ \t])[ \t]*\n[ \t]*/g, '\n')
      .replace(/\n{3,}/g, '\n\n'),
  )
  return htmlToText(text) === '' ? '' : text
}

/** The addresses that sanitised HTML links to or loads, each once. */
export const linkedAddresses = (html: string): string[] => [
  ...new Set(
    [...html.matchAll(/ (?:href|src|srcset|poster|cite)="([^"]+)"/g)].map(([, address = '']) =>
      decodeEntities(address),
    ),
  ),
]

/**
 * The texts in attributes of sanitised HTML, each once. Browsers show or read them out on some occasions
 * only.
 */
export const attributeTextsIn = (html: string): string[] => [
  ...new Set(
    [...html.matchAll(/ (?:title|alt|summary|abbr)="([^"]+)"/g)].map(([, text = '']) => decodeEntities(text)),
  ),
]

/** The words of a stored description, those in attributes, and the addresses that it links to. */
export function proseIn(html: string): string {
  const text = htmlToText(html)
  const otherTexts = [...attributeTextsIn(html), ...linkedAddresses(html)]
  return [text, ...otherTexts.filter(other => !text.includes(other))].join(' ')
}
