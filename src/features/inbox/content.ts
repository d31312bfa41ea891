import type { Attachment, Email } from 'postal-mime'
import { imageFileOf } from '../../kit/lib/images/formats.ts'
import { toUtf8 } from '../../kit/lib/streams.ts'
import {
  type Attribute,
  BLOCKS,
  cleanPlain,
  decodeEntities,
  EMPHASIZED,
  readMarkup,
  VOID_ELEMENTS,
} from '../../kit/lib/text.ts'
import {
  MAX_CALENDARS,
  MAX_HTML_LENGTH,
  MAX_LINE_LENGTH,
  MAX_RECEIVED_LENGTH,
  Refused,
  tooLong,
} from './limits.ts'

/** The fewest bytes of an inline image that may be a poster: smaller ones are logos and icons. */
const MIN_POSTER_BYTES = 30_000

/** An iCalendar file, and its purpose by the headers of its part. */
export type CalendarFile = { bytes: Uint8Array; method: string }

/** The parts of an e-mail that can become events. */
export type MailContent = {
  /** Its texts, plain before HTML: the first that announces events counts. */
  texts: (() => string)[]
  calendars: CalendarFile[]
  poster: File | undefined
  /** True if another e-mail is attached, which is not read. */
  hasAttachedMail: boolean
  /** True if all content is in a file of Outlook's own format, `winmail.dat`, which is not read. */
  hasOutlookFile: boolean
}

/** @throws Refused for too many calendar files */
export function contentOf({
  text = '',
  html = '',
  attachments,
}: Pick<Email, 'text' | 'html' | 'attachments'>): MailContent {
  const calendars = attachments.filter(isCalendar)
  if (calendars.length > MAX_CALENDARS)
    throw new Refused(
      'calendar_file',
      `This e-mail has more than ${MAX_CALENDARS} calendar files. Please send several.`,
    )
  return {
    texts: [
      ...(text.trim() === '' ? [] : [() => cleanMailText(text)]),
      ...(html.trim() === '' ? [] : [() => cleanMailText(textOfHtml(html))]),
    ],
    calendars: calendars.map(file => ({ bytes: attachmentBytes(file), method: file.method ?? '' })),
    poster: posterIn(attachments),
    hasAttachedMail: attachments.some(
      ({ mimeType, filename }) => mimeType === 'message/rfc822' || /\.(?:eml|msg)$/i.test(filename ?? ''),
    ),
    hasOutlookFile: attachments.some(
      ({ mimeType, filename }) =>
        /^application\/(?:vnd\.)?ms-tnef$/.test(mimeType) || /^winmail\.dat$/i.test(filename ?? ''),
    ),
  }
}

/** A text as it is kept. @throws Refused for one that is too long */
function cleanMailText(text: string): string {
  if (text.length > MAX_RECEIVED_LENGTH) throw tooLong()
  return cleanPlain(text.replace(/\r\n?/g, '\n')).trim()
}

const isCalendar = ({ mimeType, filename }: Attachment): boolean =>
  mimeType === 'text/calendar' || mimeType === 'application/ics' || /\.ics$/i.test(filename ?? '')

/** The bytes of an attachment. The parser was not asked for texts. */
const attachmentBytes = ({ content }: Attachment): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(typeof content === 'string' ? toUtf8(content) : new Uint8Array(content))

/** The largest image that is attached or, without one, that is in the text. */
function posterIn(attachments: readonly Attachment[]): File | undefined {
  const images = attachments
    .filter(
      ({ mimeType, content }) => /^image\/|\/octet-stream$/.test(mimeType) && typeof content !== 'string',
    )
    .map(image => ({ ...image, bytes: attachmentBytes(image) }))
    .filter(
      ({ bytes, disposition }) =>
        isImage(bytes) && (disposition === 'attachment' || bytes.byteLength >= MIN_POSTER_BYTES),
    )
    .sort((one, other) => other.bytes.byteLength - one.bytes.byteLength)
  const posterImage = images.find(({ disposition }) => disposition === 'attachment') ?? images[0]
  return posterImage && new File([posterImage.bytes], fileName(posterImage), { type: posterImage.mimeType })
}

function isImage(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    imageFileOf(bytes)
    return true
  } catch {
    return false
  }
}

const fileName = ({ filename }: Attachment): string =>
  cleanPlain(filename ?? '')
    .replace(/[\n/\\]/g, ' ')
    .trim()
    .slice(-100) || 'image'

/** The most characters of a cell that holds a value: newsletters lay out whole articles in cells. */
const MAX_CELL_LENGTH = 120

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

/**
 * The text of an e-mail in HTML, as its sender would have written it in plain text: lines, `> ` before
 * quotations, stars around emphasis, and addresses of links after them, without what is hidden. Time grows
 * with the length of the HTML, of which only the beginning is read.
 *
 * @throws Refused if the text is too long, before the rest is read
 */
export function textOfHtml(html: string): string {
  const htmlStart = html.slice(0, MAX_HTML_LENGTH)
  // An element that never ends would hide all of the rest.
  return visibleText(htmlStart, isInvisible) ?? visibleText(htmlStart, () => false) ?? ''
}

/** @returns undefined if a hidden element has no end */
function visibleText(html: string, isHidden: typeof isInvisible): string | undefined {
  const text = new TextLines()
  let hiddenElement: { name: string; depth: number } | undefined
  let link: { href: string; from: number } | undefined
  // Word processors write each cell of a table as a paragraph.
  let cell: { length: number; paragraphs: number; isEnded: boolean } | undefined
  readMarkup(html, {
    onText: piece => {
      if (hiddenElement) return
      const decodedText = decodeEntities(piece.replace(/\s/g, ' '))
      if (cell && decodedText.trim() !== '') {
        if (cell.isEnded) text.endParagraph()
        cell = {
          length: cell.length + decodedText.length,
          paragraphs: cell.isEnded || cell.paragraphs === 0 ? cell.paragraphs + 1 : cell.paragraphs,
          isEnded: false,
        }
      }
      text.add(decodedText)
    },
    onTag: ({ name, isClosing, attributes }) => {
      if (hiddenElement) {
        if (name === hiddenElement.name) hiddenElement.depth += isClosing ? -1 : 1
        // Paragraphs also end where the next one begins.
        if (hiddenElement.depth === 0 || (name === 'p' && hiddenElement.name === 'p'))
          hiddenElement = undefined
        if (!hiddenElement && isClosing) return
      }
      if (!hiddenElement && !isClosing && !VOID_ELEMENTS.has(name) && isHidden(attributes))
        hiddenElement = { name, depth: 1 }
      if (hiddenElement) return
      if (EMPHASIZED.has(name) && isClosing) text.emphasise(false)
      if (name === 'br') text.endLine()
      if (name === 'tr') {
        cell = undefined
        if (text.line.trim() === '') text.line = ''
      }
      if (name === 'blockquote') text.quote(isClosing ? -1 : 1)
      else if (cell && name === 'p') cell.isEnded = cell.paragraphs > 0
      else if (PARAGRAPHS.has(name)) {
        cell = undefined
        text.endParagraph()
      } else if (name === 'td' || name === 'th') {
        const isLong = cell?.isEnded && (cell.paragraphs > 1 || cell.length > MAX_CELL_LENGTH)
        if (isClosing && isLong) text.endParagraph()
        else text.separate(isClosing ? '\t' : ' ')
        cell = isClosing ? undefined : { length: 0, paragraphs: 0, isEnded: false }
      } else if (BLOCKS.has(name) && text.line.trim() !== '') text.endLine()
      if (name === 'li' && !isClosing) text.add('• ')
      if (EMPHASIZED.has(name) && !isClosing) text.emphasise(true)
      if (name !== 'a') return
      if (!isClosing) {
        const href = decodeEntities(attributes.find(([attribute]) => attribute === 'href')?.[1] ?? '')
        link = { href, from: text.line.length }
      } else {
        const { href = '', from = 0 } = link ?? {}
        if (/^https?:\/\//i.test(href) && href.length < 500 && !isSameAddress(text.line.slice(from), href))
          text.add(` (${href})`)
        link = undefined
      }
    },
  })
  return hiddenElement ? undefined : text.wholeText()
}

/** True if a link's text is its address. */
const isSameAddress = (text: string, href: string): boolean => {
  const bareAddress = (address: string) =>
    address
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/^www\./i, '')
      .replace(/\/$/, '')
  return bareAddress(text) === bareAddress(href)
}

class TextLines {
  line = ''
  readonly #lines: string[] = []
  #depth = 0
  #length = 0
  #isStrong = false
  /** True if the line has stars that another pair must close. */
  #isOpen = false

  add(piece: string): void {
    if (this.line.length > MAX_LINE_LENGTH) this.endLine()
    if (this.line === '' && piece.trim() === '') return
    if (this.#isStrong && !this.#isOpen && piece.trim() !== '') {
      this.line += '**'
      this.#isOpen = true
      this.line += piece.trimStart()
    } else this.line += this.line === '' ? piece.trimStart() : piece
  }

  /** Separates two cells: with a tab at the end of each, a row has its columns as in a spreadsheet. */
  separate(blank: '\t' | ' '): void {
    if (this.line.length <= MAX_LINE_LENGTH) this.line += blank
  }

  endLine(): void {
    this.#close()
    const cells = cleanPlain(this.line)
      .replace(/ {2,}/g, ' ')
      .replace(/ ?\t ?/g, '\t')
      .trimEnd()
    // The first cell of a row may be empty.
    const text = /\S\t/.test(cells) ? cells.replace(/^ /, '') : cells.trimStart()
    this.#length += text.length
    if (this.#length > MAX_RECEIVED_LENGTH) throw tooLong()
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

  wholeText(): string {
    this.endLine()
    return this.#lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  }
}
