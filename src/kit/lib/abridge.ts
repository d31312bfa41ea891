import { BLOCKS, decodeEntities, VOID_ELEMENTS } from './text.ts'

// Descriptions cut to a number of characters, as feeds have them.

/** A tag of stored HTML, whose attributes have neither `<` nor `>`, or text. */
const TOKENS = /<(\/?)([a-z][a-z\d]*)(?![a-z\d])[^<>]*>|[^<]+|</gi

/** The characters that a tag becomes in lines of text. */
const lineCharacters = (name: string): number =>
  name === 'br' ? 1 : name === 'li' ? 3 : BLOCKS.has(name) ? 2 : 0

/** Longer words may be cut: they are texts in languages without blanks, or no words at all. */
const LONG_WORD = 60

/** The longest entities are 33 characters. */
const ENTITY = 40

/** The words or characters of a text, which nothing may cut. */
const segmentsOf = (text: string, granularity: 'word' | 'grapheme'): string[] =>
  Array.from(new Intl.Segmenter(undefined, { granularity }).segment(text), ({ segment }) => segment)

/**
 * Splits a text in HTML where it may be cut: between words and blanks, else between graphemes.
 * @param most characters that are needed
 */
function* shortPieces(text: string, most: number): Generator<string> {
  for (const [word] of text.matchAll(/\s+|\S+/g)) {
    if (word.length <= LONG_WORD) {
      yield word
      continue
    }
    for (const [run] of word.matchAll(/&#?\w{1,40};|[^&]+|&/g)) {
      if (run.startsWith('&')) yield run
      else
        for (const segment of segmentsOf(run.slice(0, most + LONG_WORD), 'word')) {
          if (segment.length <= LONG_WORD) yield segment
          else yield* segmentsOf(segment, 'grapheme')
        }
    }
  }
}

/** The beginning of a text in HTML, cut between words, with at most `most` characters. */
function firstCharacters(text: string, most: number): string {
  let written = ''
  let left = most
  // A longer text has too many characters, even if it consists of entities.
  for (const part of shortPieces(text.slice(0, ENTITY * (most + 1)), most)) {
    left -= decodeEntities(part).length
    if (left < 0) break
    written += part
  }
  return written
}

/**
 * The beginning of stored HTML whose text has more than `most` characters, cut between words, with all
 * elements closed. Undefined for a shorter text.
 *
 * @param isCut true if the end of the HTML is missing already, maybe in the middle of a tag or an entity
 */
export function abridged(html: string, most: number, isCut = false): string | undefined {
  if (!isCut && html.length <= most) return undefined
  const open: string[] = []
  let written = ''
  let left = most
  /** The end of the last complete word. A word may continue in the next element. */
  let word = { end: 0, open: [...open], left }
  const ended = (end: number, names: readonly string[]): string =>
    `${written.slice(0, end).trimEnd()} …${names
      .toReversed()
      .map(name => `</${name}>`)
      .join('')}`
  for (const [token, slash, given] of (isCut ? withoutRest(html) : html).matchAll(TOKENS)) {
    if (given !== undefined) {
      const name = given.toLowerCase()
      left -= slash ? 0 : lineCharacters(name)
      if (left < 0) return ended(written.length, open)
      if (lineCharacters(name) > 0) word = { end: written.length, open: [...open], left }
      written += token
      if (!slash && !VOID_ELEMENTS.has(name)) open.push(name)
      if (slash && open.includes(name)) open.splice(open.lastIndexOf(name))
      continue
    }
    const length = decodeEntities(token).length
    if (length > left) {
      const head = firstCharacters(token, Math.max(left, 0))
      const isWhole = head !== '' || /^\s/.test(token) || word.end === written.length
      if (!isWhole && word.left < most / 2) return ended(word.end, word.open)
      written += head
      return ended(written.length, open)
    }
    left -= length
    const blank = token.search(/\s\S*$/)
    if (blank >= 0) word = { end: written.length + blank, open: [...open], left }
    written += token
  }
  return isCut ? ended(written.length, open) : undefined
}

/** Drops a half tag or entity from the end of HTML that was cut off. */
const withoutRest = (html: string): string => {
  const open = html.lastIndexOf('<')
  const text = open > html.lastIndexOf('>') ? html.slice(0, open) : html
  return text.replace(/&[#\w]{0,30}$/, '')
}
