import { LETTER, lazyPattern } from '../../../kit/lib/pattern.ts'
import { fold } from '../../../kit/lib/text.ts'
import type { Span } from './plain.ts'
import { isKind, NUMBER_WORDS, WORDS, type WordSet } from './words.ts'

// A text as words, numbers and signs, with what all other modules compare: lower case without accents, lines,
// and whether spaces stand between.

/** A word, a number or a sign of a text. */
export type Token = {
  kind: 'word' | 'number' | 'sign'
  text: string
  /** In lower case without accents. */
  folded: string
  from: number
  to: number
  /** The number of its line. */
  line: number
  /** The number of its paragraph. */
  paragraph: number
  /** True if a space, a line break or the beginning of the text stands before it. */
  isSpaced: boolean
  /** The numbers of its sentence and of its clause, once {@link splitClauses} has been called. */
  sentence: number
  clause: number
}

/** A text whose days and times are known. @property isTaken true if a token belongs to one of these */
export type MarkedText = Readonly<{ tokens: readonly Token[]; isTaken: (token: number) => boolean }>

const PLAIN = /^[a-z]+$/
const PART = lazyPattern(String.raw`\p{L}[\p{L}\p{M}]*|\d+|\n|[^\s]`, 'gu')

/** Digits and the letters that look like them in scans: `l7th`, `13h3O`. */
const DIGIT_LOOKALIKES = /[\dlIO]{2,4}/g

/** Letters after digits that make the whole a name or a code, so that nothing in it was misread. */
const AFTER_DIGITS = /^(?:[a-z]{3}|(?!(?:th|st|nd|rd|h|pm|am|er)(?:[^a-z]|$))[a-z])/i

/** A phrase for every other time, whose “no” denies nothing: “un sábado sí y otro no”. */
const ALTERNATE = /s[ií] y otr[oa] no/g

/** Words around “to” that change nothing: “up to and including 25 March”. */
const INCLUSIVE = /(?<=\b(?:to|until|till|through) )and including\b|\bup(?= (?:to|until|till) )/gi

/** Words before a number that is not exact: “9 bis ca. 12 Uhr”. */
const APPROXIMATELY =
  /(?<=[\s(–-])(?:ca|circa|zirka|etwa|ungefähr|env|environ|aprox|approx|approximately|aproximadamente)\.? (?=\d)/g

/** Numbers between marks that make them bold: `the *17th* of February`. */
const MARKED_NUMBER = /(?<![\w*])(?:\*{1,2}\d[^*\n]{0,9}\*{1,2}|_\d[^_\n]{0,9}_)(?![\w*])/g

/**
 * A text in which letters that a scan took for digits are digits again, “sí y otro no” is one word without a
 * “no”, and spaces replace words around “to” or before a number that change nothing. Offsets stay.
 */
export const normalized = (text: string): string =>
  text
    .replace(ALTERNATE, ({ length }) => 'alterno'.padEnd(length))
    .replace(INCLUSIVE, ({ length }) => ' '.repeat(length))
    .replace(APPROXIMATELY, ({ length }) => ' '.repeat(length))
    .replace(MARKED_NUMBER, found => found.replace(/[*_]/g, ' '))
    // `l/11`
    .replace(/(?<=^|[ (])l(?=[/.]\d)/g, '1')
    .replace(DIGIT_LOOKALIKES, (found, at: number) => {
      const before = text.slice(Math.max(0, at - 2), at)
      const isWithinWord = LETTER().test(text[at - 1] ?? '') && !/[\dO]h$/.test(before)
      const end = at + found.length
      // “8:OO”, but “6.II.2027”
      const isOfNumber = /\d/.test(found) || (/\d[:.]$/.test(before) && found.length === 2 && found !== 'II')
      if (isWithinWord || !isOfNumber || AFTER_DIGITS.test(text.slice(end, end + 3))) return found
      return found.replace(/[lI]/g, '1').replaceAll('O', '0')
    })

/**
 * Digits in words, and a small letter among capitals: `0STERFEUER`, `we1come`, `TRAlN`; a digit at the end of
 * a word only where it is no number: `Annua1`, `febrer0`, but `Studio1`
 */
const MISREAD = lazyPattern(
  String.raw`(?<=\p{L}{2})[01]{1,2}(?=\p{L})|(?<=(?<!\d)\p{L})[01](?=\p{L}{2})|(?<=nua|iona)1(?![\p{L}\d])|(?<=\p{Ll}{4})0(?![\p{L}\d])|(?<![\p{L}\d])0(?=\p{L}{3})|(?<=(?<!\p{Ll})\p{Lu})l(?=\p{Lu})|(?<![\p{L}\d])l(?=\p{Lu})`,
  'gu',
)

const MISREAD_KIND = lazyPattern(String.raw`(?<![\p{L}\d])\p{Lu}{2,40}1{1,2}\p{Lu}{0,40}(?![\p{L}\d])`, 'gu')

/** Digits at the end of words, in a scan that also has digits within words: `A11 we1come`, `especia11y` */
const MISREAD_AT_END = lazyPattern(String.raw`(?<=\p{Ll}{2})1{1,2}(?![\p{L}\d])`, 'gu')

/** A text in which digits that a scan has for letters are letters again; offsets stay. */
export function withLetters(text: string): string {
  const letters = (digits: string, at: number): string => {
    const beside = LETTER().test(text[at - 1] ?? '') ? (text[at - 1] ?? '') : (text[at + 1] ?? '')
    const isSmall = beside === beside.toLowerCase()
    return digits.replaceAll('0', isSmall ? 'o' : 'O').replace(/[1l]/g, isSmall ? 'l' : 'I')
  }
  // `FESTIVA1`, `FI1M`: kinds of events with an L, not an I
  const ofKind = (word: string): string =>
    isKind(fold(word.replaceAll('1', 'L'))) ? word.replaceAll('1', 'L') : word
  const found = text.replace(MISREAD_KIND(), ofKind).replace(MISREAD(), letters)
  return found === text ? text : found.replace(MISREAD_AT_END(), letters)
}

const DASHES = new Set(['-', '–', '—', '‐', '‑', '−'])

/** Splits a text into words, numbers and signs: `19h30` into three, `l'office` too. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const foldedWords = new Map<string, string>()
  const foldedForm = (word: string): string => {
    // “6 de rnarzo”, in a scan: no word begins with “rn”
    if (PLAIN.test(word)) return word.startsWith('rn') ? `m${word.slice(2)}` : word
    // “Thé dansant”: no article
    const result = foldedWords.get(word) ?? (/^thé$/i.test(word) ? 'tea' : fold(word))
    foldedWords.set(word, result)
    return result
  }
  let [line, paragraph] = [0, 0]
  let end = -1
  for (const { 0: part, index } of text.matchAll(PART())) {
    if (part === '\n') {
      line++
      continue
    }
    // “>” before the lines of what an answer repeats
    if (part === '>' && tokens.at(-1)?.line !== line) continue
    if (line - (tokens.at(-1)?.line ?? line) > 1) paragraph++
    const kind = /^\d/.test(part) ? 'number' : LETTER().test(part) ? 'word' : 'sign'
    const plain = kind === 'word' ? foldedForm(part) : DASHES.has(part) ? '-' : part
    const isClosed = plain.startsWith('ferme') && meansClosed(part, plain, tokens.at(-1))
    const folded = isClosed ? 'fermee' : plain
    const to = index + part.length
    tokens.push({
      kind,
      text: part,
      folded,
      from: index,
      to,
      line,
      paragraph,
      isSpaced: index !== end,
      sentence: 0,
      clause: 0,
    })
    end = to
  }
  return tokens
}

/** True for “la mairie ferme à 17h” and “fermé”, but neither for “à la ferme” nor for “Ferme du Moulin”. */
const meansClosed = (word: string, foldedWord: string, before: Token | undefined): boolean =>
  (foldedWord === 'ferme' || foldedWord === 'fermes') &&
  (/é/i.test(word) || (word !== 'Ferme' && word !== 'Fermes' && !WORDS.beforeFarm.has(before?.folded ?? '')))

/** True if a token is in a set. */
export const isOneOf = (token: Pick<Token, 'folded'> | undefined, words: Pick<WordSet, 'has'>): boolean =>
  token !== undefined && words.has(token.folded)

/** True if any of the tokens is in a set. */
export const hasAny = (tokens: readonly Pick<Token, 'folded'>[], words: Pick<WordSet, 'has'>): boolean =>
  tokens.some(({ folded }) => words.has(folded))

/** Where the tokens from one to another stand in the text. */
export const spanOfTokens = (tokens: readonly Token[], from: number, to: number): Span => [
  tokens[from]?.from ?? 0,
  tokens[to - 1]?.to ?? 0,
]

/** True if a token begins a line, and for the index after the last token. */
export const startsLine = (tokens: readonly Token[], i: number): boolean =>
  tokens[i - 1]?.line !== tokens[i]?.line

export const areInLine = (tokens: readonly Token[], a: number, b: number): boolean =>
  tokens[a]?.line === tokens[b]?.line

/** A word or sign in lower case without accents; empty beyond the ends of the text. */
export const foldedAt = (tokens: readonly Token[], i: number): string => tokens[i]?.folded ?? ''

/** The last tokens before an index, at most as many as given. */
export const tokensBefore = (tokens: readonly Token[], at: number, most: number): readonly Token[] =>
  tokens.slice(Math.max(0, at - most), at)

/** The first index, from the given one onwards, that is not to be skipped. */
export function skip(from: number, isSkipped: (i: number) => boolean): number {
  let i = from
  while (isSkipped(i)) i++
  return i
}

/** The last index, from the given one backwards, that is not to be skipped. */
export function skipBack(from: number, isSkipped: (i: number) => boolean): number {
  let i = from
  while (isSkipped(i)) i--
  return i
}

/** Reads the tokens of a text by their indexes, which may lie beyond its ends. */
export class TokenReader {
  readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  foldedAt(i: number): string {
    return foldedAt(this.tokens, i)
  }

  /** True if a token stands right after the one before it. */
  isAttached(i: number): boolean {
    return this.tokens[i]?.isSpaced === false
  }
}

export const QUOTES = '«»„“”"'
export const OPENING_QUOTES = ['«', '„', '“', '"']

/** Signs before the items of a list. */
export const BULLETS = new Set([
  '•',
  '-',
  '*',
  '·',
  '►',
  '▶',
  '→',
  '➤',
  '▪',
  '◦',
  '○',
  '●',
  '■',
  '+',
  '»',
  '›',
  '✓',
])

/**
 * A number in words, which may be several: `vingt-deux`, `vingt et un`, `quarante-cinq`, `treinta y cinco`.
 */
export function numberIn(tokens: readonly Token[], i: number): { number: number; to: number } | undefined {
  const wordAt = (at: number): string => foldedAt(tokens, at)
  const number = NUMBER_WORDS.get(wordAt(i))
  if (number === undefined) return undefined
  const unit = ['un', 'une', 'uno', 'one'].includes(wordAt(i + 2))
    ? 1
    : (NUMBER_WORDS.get(wordAt(i + 2)) ?? 0)
  const isAdded = wordAt(i + 1) === 'y' ? unit < 10 && number > 20 : wordAt(i + 1) === 'et' && unit === 1
  const isJoined = wordAt(i + 1) === '-' ? unit < 10 && (number > 10 || unit > 6) : isAdded
  return isJoined && unit > 0 && number % 10 === 0
    ? { number: number + unit, to: i + 3 }
    : { number, to: i + 1 }
}
