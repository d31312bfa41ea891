import {
  type Attribute,
  BLOCKS,
  cleanPlain,
  decodeEntities,
  readMarkup,
  VOID_ELEMENTS,
} from '../kit/lib/text.ts'

// The HTML of e-mails as the text that their senders would have written without it.

/** The most characters of HTML that are read. */
const MAX_HTML_LENGTH = 500_000

/**
 * The characters after which a line ends: elements look at the line that they are in, which could be the
 * whole text.
 */
export const MAX_LINE_LENGTH = 5_000

/** Elements whose text stands out. A title is often nothing else. */
const EMPHASIZED = new Set(['b', 'strong', 'h1', 'h2', 'h3'])

/** Blocks around which mail programs leave a line empty. */
const PARAGRAPHS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'table', 'ul', 'ol', 'blockquote'])

/** Styles of elements that nobody sees, such as the teaser that mail programs show in their lists. */
const HIDING_STYLES = new Set(
  'display:none visibility:hidden opacity:0 max-height:0 max-height:0px'.split(' '),
)

const isInvisible = (attributes: readonly Attribute[]): boolean =>
  attributes.some(
    ([name, value = '']) =>
      name === 'hidden' ||
      (name === 'style' &&
        decodeEntities(value.slice(0, MAX_LINE_LENGTH))
          .toLowerCase()
          .split(';')
          .some(rule => HIDING_STYLES.has(rule.replace(/\s|!important/g, '')))),
  )

const TAG = /<\/?(?:p|br|div|span|table|tr|td|ul|ol|li|h[1-6]|a|b|strong|em|i)(?:\s[^<>]*)?\/?>/i

/** True if a text is the HTML of an e-mail. */
export const isHtml = (text: string): boolean => TAG.test(text)

/**
 * The text of an e-mail in HTML: lines, `> ` before quotations, stars around emphasis, tabs between cells, and
 * the addresses of links after them, without what is hidden. Time grows with the length of the HTML.
 *
 * @param maxLength the characters after which reading stops
 */
export function textOfHtml(html: string, maxLength: number): string {
  const start = html.slice(0, MAX_HTML_LENGTH)
  // An element that never ends would hide all of the rest.
  return visibleText(start, maxLength, isInvisible) ?? visibleText(start, maxLength, () => false) ?? ''
}

/** @returns undefined if a hidden element has no end */
function visibleText(html: string, maxLength: number, isHidden: typeof isInvisible): string | undefined {
  const text = new Lines()
  let hidden: { name: string; depth: number } | undefined
  let link: { href: string; from: number } | undefined
  readMarkup(html, {
    onText: piece => {
      if (!hidden) text.add(decodeEntities(piece.replace(/\s/g, ' ')))
    },
    onTag: ({ name, isClosing, attributes }) => {
      if (hidden) {
        if (name === hidden.name) hidden.depth += isClosing ? -1 : 1
        // Paragraphs also end where the next one begins.
        if (hidden.depth === 0 || (name === 'p' && hidden.name === 'p')) hidden = undefined
        if (!hidden && isClosing) return
      }
      if (!hidden && !isClosing && !VOID_ELEMENTS.has(name) && isHidden(attributes))
        hidden = { name, depth: 1 }
      if (hidden) return
      if (EMPHASIZED.has(name) && isClosing) text.emphasise(false)
      if (name === 'blockquote') text.quote(isClosing ? -1 : 1)
      else if (name === 'br') text.endLine()
      else if (name === 'td' || name === 'th') text.add(isClosing ? '\t' : '')
      else if (PARAGRAPHS.has(name)) text.endParagraph()
      else if (BLOCKS.has(name) && text.line.trim() !== '') text.endLine()
      if (name === 'li' && !isClosing) text.add('• ')
      if (EMPHASIZED.has(name) && !isClosing) text.emphasise(true)
      if (name === 'a' && !isClosing) {
        const [, href = ''] = attributes.find(([attribute]) => attribute === 'href') ?? []
        link = { href: decodeEntities(href), from: text.line.length }
      } else if (name === 'a') {
        const { href = '', from = 0 } = link ?? {}
        const isShown = bareAddress(text.line.slice(from)) === bareAddress(href)
        if (/^https?:\/\//i.test(href) && href.length < 500 && !isShown) text.add(` (${href})`)
        link = undefined
      }
      return text.length <= maxLength
    },
  })
  return hidden ? undefined : text.all()
}

const bareAddress = (address: string): string =>
  address
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/\/$/, '')

class Lines {
  line = ''
  /** The characters of all finished lines. */
  length = 0
  readonly #lines: string[] = []
  #depth = 0
  #isStrong = false
  /** True if the line has stars that another pair must close. */
  #isOpen = false

  add(piece: string): void {
    if (this.line.length > MAX_LINE_LENGTH) this.endLine()
    if (this.#isStrong && !this.#isOpen && piece.trim() !== '') {
      this.#isOpen = true
      this.line += `**${piece.trimStart()}`
    } else this.line += this.line === '' ? piece.trimStart() : piece
  }

  emphasise(isStrong: boolean): void {
    this.#isStrong = isStrong
    if (!isStrong) this.#close()
  }

  #close(): void {
    if (this.#isOpen) this.line = `${this.line.trimEnd()}** `
    this.#isOpen = false
  }

  endLine(): void {
    this.#close()
    const line = cleanPlain(this.line)
      .replace(/ {2,}/g, ' ')
      .replace(/ ?\t ?/g, '\t')
      .trim()
    this.length += line.length
    this.#lines.push(`${'> '.repeat(Math.min(this.#depth, 3))}${line}`)
    this.line = ''
  }

  endParagraph(): void {
    if (this.line.trim() !== '') this.endLine()
    if (this.#lines.at(-1)?.replaceAll('> ', '') !== '') this.endLine()
  }

  quote(change: 1 | -1): void {
    this.endParagraph()
    this.#depth = Math.max(0, this.#depth + change)
  }

  all(): string {
    this.endLine()
    return this.#lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  }
}
