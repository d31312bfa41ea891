import { BLOCKS, cleanPlain, decodeEntities, readMarkup } from '../../lib/text.ts'
import { LONGEST_LINE, MOST_HTML, MOST_RECEIVED, tooLong } from './limits.ts'

/** Blocks around which mail programs leave a line empty. */
const PARAGRAPHS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'table', 'ul', 'ol', 'blockquote'])
/** Emphasis, which becomes that of plain e-mails: a title is often nothing else. */
const EMPHASIS = new Set(['b', 'strong', 'h1', 'h2', 'h3'])

/**
 * The text of an e-mail in HTML, as its sender would have written it in plain text: lines, `> ` before quotations, stars around emphasis,
 * and addresses of links behind them. Time grows with the length of the HTML, of which only the beginning is read.
 *
 * @throws Refused if the text is too long, before the rest is read
 */
export function textOfHtml(html: string): string {
  const text = new Lines()
  let hrefs: { href: string; from: number }[] = []
  readMarkup(html.slice(0, MOST_HTML), {
    onText: piece => text.add(decodeEntities(piece.replace(/\s/g, ' '))),
    onTag: ({ name, isClosing, attributes }) => {
      if (EMPHASIS.has(name) && isClosing) text.emphasise(false)
      if (name === 'br') text.endLine()
      if (name === 'blockquote') text.quote(isClosing ? -1 : 1)
      else if (PARAGRAPHS.has(name)) text.endParagraph()
      else if (name === 'td' || name === 'th') text.add(' ')
      else if (BLOCKS.has(name) && text.line.trim() !== '') text.endLine()
      if (name === 'li' && !isClosing) text.add('• ')
      if (EMPHASIS.has(name) && !isClosing) text.emphasise(true)
      if (name !== 'a') return
      if (!isClosing) {
        const href = decodeEntities(attributes.find(([attribute]) => attribute === 'href')?.[1] ?? '')
        hrefs = [{ href, from: text.line.length }]
      } else {
        for (const { href, from } of hrefs)
          if (/^https?:\/\//i.test(href) && href.length < 500 && !isSame(text.line.slice(from), href))
            text.add(` (${href})`)
        hrefs = []
      }
    },
  })
  return text.whole()
}

/** Tells whether a link's text is its address. */
const isSame = (text: string, href: string): boolean => {
  const bare = (address: string) =>
    address
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/^www\./i, '')
      .replace(/\/$/, '')
  return bare(text) === bare(href)
}

class Lines {
  line = ''
  readonly #lines: string[] = []
  #depth = 0
  #length = 0
  #isStrong = false
  /** True if the line has stars that another pair must close. */
  #isOpen = false

  add(piece: string): void {
    if (this.line.length > LONGEST_LINE) this.endLine()
    if (this.line === '' && piece.trim() === '') return
    if (this.#isStrong && !this.#isOpen && piece.trim() !== '') {
      this.line += '**'
      this.#isOpen = true
      this.line += piece.trimStart()
    } else this.line += this.line === '' ? piece.trimStart() : piece
  }

  endLine(): void {
    this.#close()
    const text = cleanPlain(this.line).replace(/ {2,}/g, ' ').trim()
    this.#length += text.length
    if (this.#length > MOST_RECEIVED) throw tooLong()
    this.#lines.push(`${'> '.repeat(Math.min(this.#depth, 3))}${text}`)
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

  emphasise(isStrong: boolean): void {
    this.#isStrong = isStrong
    if (!isStrong) this.#close()
  }

  #close(): void {
    if (this.#isOpen) this.line = `${this.line.trimEnd()}** `
    this.#isOpen = false
  }

  whole(): string {
    this.endLine()
    return this.#lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  }
}
