import { lazyPattern } from '../../../kit/lib/pattern.ts'
import { BLOCKS, decodeEntities, EMPHASIZED, readMarkup } from '../../../kit/lib/text.ts'
import { type Border, bordersOfMarkup, bordersOfText } from './borders.ts'

// The HTML of an e-mail, or a text with marks that nobody sees, as people read it. Each character remembers
// where it comes from, so that values can be shown in what was sent.

/** A stretch of a text: the offset of its first character, and the offset after its last. */
export type Span = [from: number, to: number]

/** A text as people read it, without markup. */
export type PlainText = {
  text: string
  /** Offsets of emphasized passages in `text`. */
  strong: readonly Span[]
  /** Addresses of links, and where they stand in `text`, which does not show them. */
  links: readonly { url: string; span: Span }[]
  /** Where a stretch of `text` stands in the text that was sent. */
  originalSpan: (span: Span) => Span
}

const MARKUP = /<\/?(?:a|b|br|div|em|font|h[1-6]|i|li|ol|p|s|span|strong|table|td|tr|ul)[\s/>]/i
const ENTITY = /&(?:#\w{1,8};?|\w{1,30};)/g

/** Characters that nobody sees: soft hyphens, joiners, marks of direction. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** Emphasis in Markdown and in messages: `**Summer concert**`. */
const STARRED = /\*{1,2}[^*\n]{2,120}\*{1,2}/g

/** Tags of what somebody has struck out, and so says no more. */
const STRUCK = new Set(['s', 'del', 'strike'])

/** Words with spaces between their letters, first in a line: “Z E L T F E S T” and “S E E D   S W A P”. */
const SPACED_OUT = lazyPattern(
  String.raw`(?<=^\W{0,4})\p{L}(?: \p{L})+(?: {2,}[\p{L}\d](?: [\p{L}\d])+)*(?![^\s!?.,:])`,
  'gmu',
)

const isCapital = (letter = ''): boolean => letter !== letter.toLowerCase()

/** The fewest letters of a spaced-out word: “A B C” is a list. */
const MIN_LETTERS = 4

/** Replaces the spaces within spaced-out words by characters that nobody sees, so that offsets stay. */
const withoutLetterSpacing = (sent: string): string =>
  sent.replace(SPACED_OUT(), run =>
    run.length < 2 * MIN_LETTERS - 1 ? run : run.replace(/(?<! ) (?! )/g, '\u2060'),
  )

/** The hyphen of a word that continues in the next line: “Gemeinde-⏎haus”, but not “Haupt-⏎und Nebensaal”. */
const HYPHENATED = lazyPattern(
  String.raw`(?<=(\p{L}{2,12}))-
(?=\p{L}{2})(?!(?:und|oder|bzw|ou|et|or|and|in|up)(?!\p{L}))`,
  'gu',
)

/** What stands before a hyphen that stays: “rendez-⏎vous” */
const JOINED_BY_HYPHEN =
  /(?:rendez|apres|après|week|vide|cine|ciné|demi|mi|non|co|self|porte|peut|post|pre|ex)$/i

/**
 * Joins words that are hyphenated at the end of a line: characters that nobody sees replace the hyphen and
 * the line break, so that offsets stay.
 */
const unhyphenated = (sent: string): string =>
  sent.replace(HYPHENATED(), (_, before: string, at: number) => {
    const isHyphenKept = JOINED_BY_HYPHEN.test(before) || isCapital(sent[at + 2])
    return isHyphenKept ? '-\u2060' : '\u2060\u2060'
  })

const BLANK = /[\u00a0\u2007\u202f\r]/g

/** Collects characters, each with the stretch from which it comes. */
class TextBuilder {
  text = ''
  readonly #origins: Span[] = []

  /** Adds a text as it stands in the source, character by character. */
  add(piece: string, at: number): void {
    const hasUnseen = piece.search(UNSEEN) >= 0
    this.text += (hasUnseen ? piece.replace(UNSEEN, '') : piece).replace(BLANK, ' ')
    for (let i = 0; i < piece.length; i++)
      if (!hasUnseen || piece[i]?.search(UNSEEN) !== 0) this.#origins.push([at + i, at + i + 1])
  }

  /** Adds what an entity or a tag stands for. @param length the length of the entity or tag in the source */
  addDecoded(piece: string, at: number, length = 0): void {
    const text = piece.replace(UNSEEN, '').replace(BLANK, ' ')
    this.text += text
    for (let i = 0; i < text.length; i++) this.#origins.push([at, at + length])
  }

  /** Adds a text of HTML. */
  addEncoded(piece: string, at: number): void {
    let from = 0
    for (const { 0: entity, index } of piece.matchAll(ENTITY)) {
      this.add(piece.slice(from, index), at + from)
      this.addDecoded(decodeEntities(entity), at + index, entity.length)
      from = index + entity.length
    }
    this.add(piece.slice(from), at + from)
  }

  /** Where a stretch of the text comes from. */
  originalSpan([from, to]: Span): Span {
    const first = this.#origins[from]?.[0] ?? this.#origins.at(-1)?.[1] ?? 0
    return [first, Math.max(this.#origins[to - 1]?.[1] ?? first, first)]
  }
}

/** Reads a text that somebody pastes: plain, or the HTML of a mail. */
export function plainText(received: string): PlainText {
  const sent = unhyphenated(withoutLetterSpacing(received))
  const hasMarkup = MARKUP.test(sent)
  const borders = hasMarkup ? bordersOfMarkup(sent) : bordersOfText(sent)
  if (!hasMarkup && borders.length === 0 && sent.search(UNSEEN) < 0) {
    const text = sent.replace(BLANK, ' ')
    return { text, strong: starredPassages(text), links: [], originalSpan: span => span }
  }
  const builder = new TextBuilder()
  const strong: Span[] = []
  const links: { url: string; span: Span }[] = []
  let emphasizedFrom: number | undefined
  let isStruck = false
  let nextBorder = 0
  let lastBorder: Border | undefined
  const borderAt = (at: number): Border | undefined => {
    while (at >= (borders[nextBorder]?.span[1] ?? Number.POSITIVE_INFINITY)) nextBorder++
    const border = borders[nextBorder]
    return border && at >= border.span[0] ? border : undefined
  }
  if (!hasMarkup) {
    let from = 0
    for (const { span, mark } of borders) {
      builder.add(sent.slice(from, span[0]), from)
      builder.addDecoded(mark, span[0], span[1] - span[0])
      from = span[1]
    }
    builder.add(sent.slice(from), from)
  } else
    readMarkup(sent, {
      onText: (piece, at) => {
        const isBetweenCells = piece.trim() === '' && borderAt(at)
        if (!isStruck && !isBetweenCells) builder.addEncoded(piece.replaceAll('\n', ' '), at)
      },
      onTag: ({ name, isClosing, attributes }, at) => {
        if (STRUCK.has(name)) isStruck = !isClosing
        const border = borderAt(at)
        if (border && border !== lastBorder) builder.addDecoded(border.mark, at)
        lastBorder = border
        if (!border && (name === 'br' || BLOCKS.has(name)))
          builder.addDecoded(name === 'p' ? '\n\n' : '\n', at)
        if (name === 'li' && !isClosing) builder.addDecoded('• ', at)
        if (EMPHASIZED.has(name)) {
          if (isClosing && emphasizedFrom !== undefined) strong.push([emphasizedFrom, builder.text.length])
          emphasizedFrom = isClosing ? undefined : builder.text.length
        }
        const href = name === 'a' && attributes.find(([attribute]) => attribute === 'href')?.[1]
        const from = builder.text.length
        if (href && /^https?:/i.test(href)) links.push({ url: decodeEntities(href), span: [from, from] })
      },
    })
  return {
    text: builder.text,
    strong: strong.length > 0 ? strong : starredPassages(builder.text),
    links,
    originalSpan: span => builder.originalSpan(span),
  }
}

/** A piece of a text, its offset there, and what is to be written before it. */
export type Piece = { text: string; at: number; before: string }

/** A text that is made of pieces of another one. */
export function composedText(pieces: readonly Piece[]): PlainText {
  const builder = new TextBuilder()
  for (const { text, at, before } of pieces) {
    builder.addDecoded(before, at)
    builder.addEncoded(text, at)
  }
  return { text: builder.text, strong: [], links: [], originalSpan: span => builder.originalSpan(span) }
}

const starredPassages = (text: string): Span[] =>
  text.includes('*')
    ? Array.from(text.matchAll(STARRED), ({ 0: marked, index }): Span => [index, index + marked.length])
    : []
