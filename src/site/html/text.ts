import { BETWEEN_WORDS } from '../../kit/lib/pattern.ts'
import { decodeEntities, fold } from '../../kit/lib/text.ts'
import { type Html, html } from './html.ts'

/**
 * A stored title or name as plain text. It is stored with entities, because clients of the API insert it as
 * HTML.
 */
export const plain = (stored: string): string => decodeEntities(stored)

/** The name of a resource. Imported ones may have none, in which case it is the slug. */
export const nameOf = (stored: string, slug: string): string => plain(stored).trim() || slug

/** Joins texts into one line, without the empty ones. */
export const inLine = (texts: readonly (string | undefined)[]): string =>
  texts.flatMap(text => (text ? [plain(text)] : [])).join(', ')

/**
 * A stored description for a page. It was sanitized when it was written. For a page, it also loses inline
 * styles (the policy forbids them) and classes (one of the page's own stretches a link over a whole box).
 * Each image gets a text, and headings come right below the page's title.
 */
export function richText(storedHtml: string): string {
  const highest = Math.min(...[...storedHtml.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level)))
  const shownAs = (name: string) =>
    /^h[1-6]$/.test(name) ? `h${Math.min(6, Number(name[1]) - highest + 2)}` : name
  return storedHtml.replace(
    /<(\/?)([a-z][a-z\d]*)(?![a-z\d])([^<>]*)>/g,
    (_, slash: string, name: string, attributes: string) => {
      if (slash) return `</${shownAs(name)}>`
      const keptAttributes = attributes.replace(ATTRIBUTE, (whole, key: string) =>
        DROPPED_ATTRIBUTES.includes(key) ? '' : whole,
      )
      const isBare = name === 'img' && !/ alt(?:=|\s|$)/.test(keptAttributes)
      return `<${shownAs(name)}${isBare ? ' alt=""' : ''}${name === 'img' ? withLazyLoading(keptAttributes) : keptAttributes}>`
    },
  )
}

/**
 * An attribute in sanitized HTML, matched as a whole, so that no part of a value is mistaken for another
 * attribute.
 */
const ATTRIBUTE = / ([^\s="]+)(?:="[^"]*")?/g

const DROPPED_ATTRIBUTES: readonly string[] = ['class', 'style']

const withLazyLoading = (attributes: string): string =>
  / loading=/.test(attributes) ? attributes : ` loading="lazy"${attributes}`

/** The words of a text, in lower case, each between spaces. */
const paddedWords = (text: string): string =>
  ` ${text.toLocaleLowerCase().replace(BETWEEN_WORDS(), ' ').trim()} `

/** The name of a venue with its city, unless the name has it: never “City Theatre Kilkenny, Kilkenny”. */
export function placeLine({ name, city }: { name: string; city: string }): string {
  const isNamed = city !== '' && paddedWords(plain(name)).includes(paddedWords(plain(city)))
  return inLine(isNamed ? [name] : [name, city])
}

// The words of a search in the texts of what it found, whatever their case and accents.

/** A printable character of ASCII, which needs no more folding than lower case. */
const PLAIN_CHARACTER = /^[!-~]$/

/** The folded text, and for each of its units where its letter begins and ends in the text. */
function unitsOf(text: string): { foldedText: string; begins: number[]; ends: number[] } {
  let foldedText = ''
  let position = 0
  const begins: number[] = []
  const ends: number[] = []
  for (const letter of text) {
    const units = PLAIN_CHARACTER.test(letter) ? letter.toLowerCase() : /\s/.test(letter) ? ' ' : fold(letter)
    for (const _ of units.split('')) {
      begins.push(position)
      ends.push(position + letter.length)
    }
    foldedText += units
    position += letter.length
  }
  return { foldedText, begins, ends }
}

/** A text with marks around the words of a search. @param words folded, as `searchWords` returns them */
export function markWords(text: string, words: readonly string[]): Html | string {
  // Few texts have one of the words, and only those need the work below.
  if (words.length === 0) return text
  const foldedWhole = fold(text)
  if (!words.some(word => foldedWhole.includes(word))) return text
  const { foldedText, begins, ends } = unitsOf(text)
  const marks = new Uint8Array(text.length)
  for (const word of words)
    for (let i = foldedText.indexOf(word); i !== -1; i = foldedText.indexOf(word, i + word.length))
      marks.fill(1, begins[i], ends[i + word.length - 1])
  const parts: { text: string; isMarked: boolean }[] = []
  for (let i = 0; i < text.length; ) {
    let end = i + 1
    while (end < text.length && marks[end] === marks[i]) end++
    parts.push({ text: text.slice(i, end), isMarked: marks[i] === 1 })
    i = end
  }
  return html`${parts.map(part => (part.isMarked ? html`<mark>${part.text}</mark>` : part.text))}`
}
