import { lazyPattern } from '../../kit/lib/pattern.ts'
import { fold } from '../../kit/lib/text.ts'

// Whether words stand in a text. White space, case, and the signs that models write otherwise don't count.

/** Signs with several forms, each with its plainest one. */
const PLAIN_SIGNS: ReadonlyMap<string, string> = new Map(
  [`'’‘´\``, '"“”„«»', '-–—‐‑'].flatMap(signs => {
    const [plain = '', ...others] = signs
    return others.map((sign): [string, string] => [sign, plain])
  }),
)
/** Signs of emphasis, and characters that nobody sees. */
const LEFT_OUT = /[*_~\u00ad\u200b-\u200d\ufeff]/

/** The offsets in a text of the first character of a passage, and after its last. */
export type Span = readonly [from: number, to: number]

/** A text to look for passages in. @property places for each plain character its offset in the original */
export type SearchedText = { original: string; plain: string; places: readonly number[] }

export function searchedText(original: string): SearchedText {
  let plain = ''
  const places: number[] = []
  for (let at = 0; at < original.length; at++) {
    const char = original.charAt(at)
    const isBlank = /\s/.test(char)
    if (LEFT_OUT.test(char) || (isBlank && (plain === '' || plain.endsWith(' ')))) continue
    const written = isBlank ? ' ' : (PLAIN_SIGNS.get(char) ?? char.toLowerCase())
    plain += written
    for (const _ of written) places.push(at)
  }
  return { original, plain, places }
}

const plainOf = (text: string): string => searchedText(text).plain.trim()

const LETTER_OR_DIGIT = lazyPattern(String.raw`[\p{L}\p{N}]`, 'u')

/** True if a passage does not begin or end within a number or, if whole words are sought, within a word. */
function isApart(before: string, after: string, areWords: boolean): boolean {
  const joins = (char: string) => (areWords ? LETTER_OR_DIGIT().test(char) : /\d/.test(char))
  return !(joins(before) && joins(after))
}

/**
 * The span of a passage in a text; undefined if it does not stand there. Of several, it is the first one from
 * an offset on, or else the first.
 */
export function spanOf(
  { plain, places }: SearchedText,
  passage: string,
  { areWords = false, from = 0 }: { areWords?: boolean; from?: number } = {},
): Span | undefined {
  const sought = plainOf(passage)
  if (sought === '') return undefined
  let first: Span | undefined
  for (let at = plain.indexOf(sought); at >= 0; at = plain.indexOf(sought, at + sought.length)) {
    const end = at + sought.length
    const isWhole =
      isApart(plain.charAt(at - 1), sought.charAt(0), areWords) &&
      isApart(sought.slice(-1), plain.charAt(end), areWords)
    const span = [places[at] ?? 0, (places[end - 1] ?? 0) + 1] as const
    if (isWhole && span[0] >= from) return span
    if (isWhole) first ??= span
  }
  return first
}

const WORD = lazyPattern(String.raw`\p{L}+`, 'gu')

/** The words of a text, without case and accents. */
export const wordsOf = (text: string): string[] => fold(text).match(WORD()) ?? []

/** The fewest letters of a word that may have another ending: Rathaus, Rathauses. */
const MIN_STEM = 5

/** True for the same word, or for two of which one is the other with an ending. */
export const isSameWord = (one: string, other: string): boolean =>
  one === other ||
  (Math.min(one.length, other.length) >= MIN_STEM &&
    Math.abs(one.length - other.length) <= 2 &&
    (one.startsWith(other) || other.startsWith(one)))

const squeezed = (text: string): string => wordsOf(text).join('')

/** The share of the words that stand in a text, 0 to 1. Words may be l e t t e r s p a c e d there. */
export function shareIn(textWords: ReadonlySet<string>, text: string, words: string): number {
  const own = wordsOf(words)
  if (own.length === 0) return 0
  const share = own.filter(word => textWords.has(word)).length / own.length
  return share < 1 && squeezed(text).includes(squeezed(words)) ? 1 : share
}

/** A text without some signs at its end, in a time that grows with their number. */
export function withoutEnd(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** An address without its scheme and without signs that end it. */
const bareAddress = (address: string): string =>
  withoutEnd(address.toLowerCase().replace(/^https?:\/\//, ''), '/.,;:!?')

/** True if a web address stands in a text, whole. */
export const hasAddress = (text: string, address: string): boolean =>
  text.split(/[\s<>()[\]"'“”„«»|]/).some(word => word !== '' && bareAddress(word) === bareAddress(address))
