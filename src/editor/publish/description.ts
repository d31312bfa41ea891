import { attributeTextsIn, linkedAddresses } from '../../kit/lib/html.ts'
import { lazyPattern } from '../../kit/lib/pattern.ts'
import { decodeEntities, htmlToText, isInvisible, summary } from '../../kit/lib/text.ts'
import { type Html, html, raw } from '../../site/html/html.ts'
import { richText } from '../../site/html/text.ts'
import { filled } from '../../words/words.ts'
import type { EditorContext } from '../context.ts'

// A description as a reviewer sees it before it becomes public. Its author may try to hide a part of it from
// the reviewer.

/**
 * The number of characters that a long description is cut to, and the number up to which it is shown whole.
 */
const FOLDED_LENGTH = 240
const MAX_UNFOLDED_LENGTH = 1_500

/**
 * A description with the rest of a long one folded, the addresses of its links, and the texts that a browser
 * doesn't show at once.
 *
 * @param isWhole false if it is too long for the page: then only its beginning is shown
 */
export function describedContent(editor: EditorContext, description: string, isWhole = true): Html | '' {
  const { publish, review } = editor.texts
  if (description.trim() === '') return ''
  // Folded parts of the description are shown unfolded.
  const openHtml = withoutGaps(richText(description)).replace(/<details(?: open)?/g, '<details open')
  const text = htmlToText(openHtml)
  const beginning = summary(openHtml, FOLDED_LENGTH, openHtml.length)
  if (!isWhole) return html`<p class="review-text">${beginning}</p>`
  // Anything but paragraphs and line breaks would look different when it is cut to its beginning as plain
  // text.
  const isShownWhole = beginning === text && !/<(?!\/?p>|br(?: \/)?>)/.test(openHtml)
  const wholeText = html`<div class="rich review-text">${raw(openHtml)}</div>`
  const attributes = attributeTextsIn(description).filter(value => !isInvisible(value))
  return html`${
    openHtml.length <= MAX_UNFOLDED_LENGTH
      ? openHtml.trim() !== '' && wholeText
      : html`<p class="review-text">${beginning}</p>
${!isShownWhole && html`<details class="review-rest"><summary>${review.rest}</summary>${wholeText}</details>`}`
  }${addressLine(editor, linkedAddresses(description))}${
    attributes.length > 0 &&
    html`<p class="small">${filled(publish.attributes, { all: attributes.join(' · ') })}</p>`
  }`
}

/**
 * True for a description with texts in attributes, or with gaps so long that a reader may not scroll past
 * them.
 */
export function hasUnseen(description: string): boolean {
  const plain = withPlainBlanks(description)
  return attributeTextsIn(description).length > 0 || withoutGaps(plain) !== plain
}

/** The addresses behind links and images. */
export const addressLine = ({ texts }: EditorContext, addresses: readonly string[]): Html | '' =>
  addresses.length === 0
    ? ''
    : html`<p class="small">${filled(texts.publish.addresses, { all: addresses.join(' ') })}</p>`

/** More spaces and invisible characters in a row than any layout needs. */
const LONG_GAP = lazyPattern(String.raw`[\s\u2800\p{Default_Ignorable_Code_Point}]{40,}`, 'gu')

/** Elements that show something even if they are empty. */
const VISIBLE_EMPTY_ELEMENTS = ['audio', 'img', 'video']
/** Elements that separate; of several in a row, only two are kept. */
const BREAKS = ['br', 'hr', 'wbr']
/** Cells are kept even if they are empty, so that the others of their row stay in their columns. */
const CELLS = ['td', 'th']

/**
 * Sanitized HTML without large gaps: elements with nothing to see in them, long rows of spaces and of line
 * breaks. The fallback content of a video is put after the video, so that it is shown.
 */
export function withoutGaps(sanitised: string): string {
  const keptParts: string[] = []
  /** The open elements: their positions in the result, and whether there is anything to see in them. */
  const open = [{ at: 0, isSeen: false }]
  let breaks = 0
  let media: string | undefined
  const markSeen = () => {
    breaks = 0
    const last = open.at(-1)
    if (last) last.isSeen = true
  }
  const endMedia = () => {
    if (media !== undefined) keptParts.push(`</${media}>`)
    media = undefined
  }
  for (const piece of sanitised.split(/(<[^<>]*>)/).filter(Boolean)) {
    const [, slash, name = ''] = /^<(\/?)([a-z][a-z\d]*)/.exec(piece) ?? []
    if (name !== 'source' && !isInvisible(piece)) endMedia()
    if (name === '') {
      const text = withPlainBlanks(piece).replace(LONG_GAP(), ' ')
      const isBlank = isInvisible(text)
      if (!isBlank) markSeen()
      if (!isBlank || !isBlankEnd(keptParts.at(-1))) keptParts.push(text)
    } else if (BREAKS.includes(name)) {
      breaks++
      if (breaks <= 2) keptParts.push(piece)
    } else if (name === 'source' || name === 'col') keptParts.push(piece)
    else if (VISIBLE_EMPTY_ELEMENTS.includes(name)) {
      if (slash === '/') continue
      keptParts.push(piece)
      markSeen()
      if (name !== 'img') media = name
    } else if (slash === '') {
      open.push({ at: keptParts.length, isSeen: false })
      keptParts.push(piece)
    } else {
      const { at, isSeen } = open.pop() ?? { at: 0, isSeen: true }
      if (isSeen) markSeen()
      if (isSeen || CELLS.includes(name)) keptParts.push(piece)
      else keptParts.splice(at, keptParts.length, ...(isBlankEnd(keptParts[at - 1]) ? [] : [' ']))
    }
  }
  endMedia()
  return keptParts.join('')
}

const isBlankEnd = (piece = ' '): boolean => /\s$/.test(piece)

/** A text in which spaces replace the entities of spaces and of invisible characters. */
const withPlainBlanks = (text: string): string =>
  text
    .replace(/&(?:nbsp|shy);?/g, '\u00a0')
    .replace(/&#?[\da-z]{1,31};?/gi, entity => (isInvisible(decodeEntities(entity)) ? '\u00a0' : entity))
