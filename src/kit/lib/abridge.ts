import { BLOCKS, decodeEntities, VOID_ELEMENTS } from './text.ts'

// Descriptions cut to a number of characters, as feeds have them.

/** A tag of stored HTML, whose attributes have neither `<` nor `>`, or text. */
const TOKENS = /<(\/?)([a-z][a-z\d]*)(?![a-z\d])[^<>]*>|[^<]+|</gi

/** The characters that a tag becomes in lines of text. */
const lineCharacters = (name: string): number =>
  name === 'br' ? 1 : name === 'li' ? 3 : BLOCKS.has(name) ? 2 : 0

/** Longer words may be cut: they are texts in languages without spaces, or no words at all. */
const MAX_WORD_LENGTH = 60

/** A little more than the longest entities, which have 33 characters. */
const MAX_ENTITY_LENGTH = 40

/** The words or characters of a text, which nothing may cut. */
const segmentsOf = (text: string, granularity: 'word' | 'grapheme'): string[] =>
  Array.from(new Intl.Segmenter(undefined, { granularity }).segment(text), ({ segment }) => segment)

/**
 * Splits a text in HTML where it may be cut: between words and white space, else between graphemes.
 * @param maxLength the number of characters that are needed
 */
function* shortPieces(text: string, maxLength: number): Generator<string> {
  for (const [word] of text.matchAll(/\s+|\S+/g)) {
    if (word.length <= MAX_WORD_LENGTH) {
      yield word
      continue
    }
    for (const [run] of word.matchAll(/&#?\w{1,40};|[^&]+|&/g)) {
      if (run.startsWith('&')) yield run
      else
        for (const segment of segmentsOf(run.slice(0, maxLength + MAX_WORD_LENGTH), 'word')) {
          if (segment.length <= MAX_WORD_LENGTH) yield segment
          else yield* segmentsOf(segment, 'grapheme')
        }
    }
  }
}

/** The beginning of a text in HTML, cut between words, with at most `maxLength` characters. */
function firstCharacters(text: string, maxLength: number): string {
  let result = ''
  let lengthLeft = maxLength
  // A longer text has too many characters, even if it consists of entities.
  for (const part of shortPieces(text.slice(0, MAX_ENTITY_LENGTH * (maxLength + 1)), maxLength)) {
    lengthLeft -= decodeEntities(part).length
    if (lengthLeft < 0) break
    result += part
  }
  return result
}

/**
 * The beginning of stored HTML whose text has more than `maxLength` characters, cut between words, with all
 * elements closed. Undefined for a shorter text.
 *
 * @param isCut true if the end of the HTML is missing already, maybe in the middle of a tag or an entity
 */
export function abridgeHtml(html: string, maxLength: number, isCut = false): string | undefined {
  if (!isCut && html.length <= maxLength) return undefined
  const open: string[] = []
  let result = ''
  let lengthLeft = maxLength
  /** The state at the end of the last complete word. A word may continue in the next element. */
  let lastWordEnd = { end: 0, open: [...open], left: lengthLeft }
  const withEnding = (end: number, names: readonly string[]): string =>
    `${result.slice(0, end).trimEnd()} …${names
      .toReversed()
      .map(name => `</${name}>`)
      .join('')}`
  for (const [token, slash, tagName] of (isCut ? withoutHalfToken(html) : html).matchAll(TOKENS)) {
    if (tagName !== undefined) {
      const name = tagName.toLowerCase()
      lengthLeft -= slash ? 0 : lineCharacters(name)
      if (lengthLeft < 0) return withEnding(result.length, open)
      if (lineCharacters(name) > 0) lastWordEnd = { end: result.length, open: [...open], left: lengthLeft }
      result += token
      if (!slash && !VOID_ELEMENTS.has(name)) open.push(name)
      if (slash && open.includes(name)) open.splice(open.lastIndexOf(name))
      continue
    }
    const length = decodeEntities(token).length
    if (length > lengthLeft) {
      const head = firstCharacters(token, Math.max(lengthLeft, 0))
      const endsWithWord = head !== '' || /^\s/.test(token) || lastWordEnd.end === result.length
      if (!endsWithWord && lastWordEnd.left < maxLength / 2)
        return withEnding(lastWordEnd.end, lastWordEnd.open)
      result += head
      return withEnding(result.length, open)
    }
    lengthLeft -= length
    const lastBlank = token.search(/\s\S*$/)
    if (lastBlank >= 0) lastWordEnd = { end: result.length + lastBlank, open: [...open], left: lengthLeft }
    result += token
  }
  return isCut ? withEnding(result.length, open) : undefined
}

/** Drops an incomplete tag or entity from the end of HTML that was cut off. */
const withoutHalfToken = (html: string): string => {
  const open = html.lastIndexOf('<')
  const text = open > html.lastIndexOf('>') ? html.slice(0, open) : html
  return text.replace(/&[#\w]{0,30}$/, '')
}
