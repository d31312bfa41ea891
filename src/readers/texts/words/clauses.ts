import { lazyPattern } from '../../../kit/lib/pattern.ts'
import { STARTS_LOWERCASE } from './phrases.ts'
import { type MarkedText, QUOTES, type Token } from './tokens.ts'
import { MONTHS, WORDS, type WordSet } from './words.ts'

// A cue such as “doors” or “deadline” belongs to what stands in the same clause, so that the next sentence
// takes no time away.

const CLAUSE_MARKS = new Set([',', ';', '(', ')', '/', '•', '·', '|', '►', '▶', '→'])
const SENTENCE_MARKS = new Set(['!', '?', '…'])

/** A word that begins with a capital letter. */
export const STARTS_UPPERCASE = lazyPattern(String.raw`^\p{Lu}`, 'u')

/** The fewest characters of a line that may be wrapped: a shorter one ends where its author ended it. */
const FULL_LINE = 36

/** The most words of a name in quotation marks: “«Salz und Eisen. Bilder von gestern»” */
const MAX_OF_NAME = 8

/** True for what stands in quotation marks in its line: part of a name. */
export function isWithinQuotes(tokens: readonly Token[], i: number): boolean {
  const { line } = tokens[i] ?? {}
  const nearestQuote = (step: number): Token | undefined => {
    for (let at = i + step; Math.abs(at - i) <= MAX_OF_NAME && tokens[at]?.line === line; at += step)
      if ('«»„“”'.includes(tokens[at]?.text ?? '.')) return tokens[at]
    return undefined
  }
  const opening = nearestQuote(-1)
  // A mark right after a word closes: “»Sturm«. »Flut«”
  const isOpen = opening !== undefined && '«„“'.includes(opening.text) && opening.isSpaced
  return isOpen && '»“”'.includes(nearestQuote(1)?.text ?? '.')
}

/** True if a full stop ends a sentence, and does not belong to a number, a time or an abbreviation. */
function endsSentence({ tokens, isTaken }: MarkedText, i: number): boolean {
  const [before, after] = [tokens[i - 1], tokens[i + 1]]
  if (!before || !after || after.line !== tokens[i]?.line) return true
  // “€18 conc. / students €5”
  if (!after.isSpaced || after.folded === '/') return false
  const isSmall = after.kind === 'number' || STARTS_LOWERCASE().test(after.text)
  // “at 8 p.m. Doors at 7”
  if (isTaken(i)) return !isTaken(i + 1) && !isSmall && before.kind === 'word' && before.folded.length < 4
  if (isTaken(i - 1)) return before.kind === 'word' || !isSmall
  if (isWithinQuotes(tokens, i)) return false
  if (before.kind === 'word')
    return (
      !WORDS.abbreviations.has(before.folded) &&
      before.folded.length > 1 &&
      (!isSmall || before.folded.length > 3)
    )
  const isAmount = ['€', '$', '£'].includes(tokens[i - 2]?.folded ?? '')
  // “Room B2.07. Tea after that”
  const isDecimal = !before.isSpaced && tokens[i - 2]?.folded === '.' && tokens[i - 2]?.isSpaced === false
  return before.kind === 'number' ? !isSmall && (before.text.length > 2 || isAmount || isDecimal) : true
}

/** Numbers the sentences and the clauses of a text. */
export function splitClauses(text: MarkedText): void {
  const { tokens, isTaken } = text
  let [sentence, clause, clauses, lineStart] = [0, 0, 0, 0]
  /** The clause around an open bracket. */
  let clauseAround: number | undefined
  const begin = (isSentence: boolean): void => {
    if (isSentence) sentence++
    clause = ++clauses
    if (isSentence) clauseAround = undefined
  }
  for (const [i, token] of tokens.entries()) {
    const before = tokens[i - 1]
    if (before && token.line !== before.line) {
      // “sáb 13 · 22:00 · …”, below “… / 15 € taquilla”
      const isItem = token.folded.length < 5 && isTaken(i)
      const isFull =
        before.to - lineStart > FULL_LINE &&
        token.kind === 'word' &&
        STARTS_LOWERCASE().test(token.text) &&
        !isItem
      // “30\nDecember”
      const isMonth = MONTHS.has(token.folded) && before.kind === 'number' && isTaken(i - 1) && isTaken(i)
      const isWrapped =
        token.line === before.line + 1 &&
        (isFull || isMonth || (i > 1 && WORDS.small.has(before.folded) && !isTaken(i - 1)))
      lineStart = token.from
      // A full stop at the end of the line above has begun a sentence already.
      if (!isWrapped && before.sentence === sentence) begin(true)
    }
    token.sentence = sentence
    token.clause = clause
    const isDash = token.folded === '-' && token.isSpaced && tokens[i + 1]?.isSpaced === true
    // “Snacks sind da 🎲 Und am Samstag …”
    const isEmoji =
      token.kind === 'sign' &&
      token.text.length > 1 &&
      token.text !== '📍' &&
      STARTS_UPPERCASE().test(tokens[i + 1]?.text ?? '')
    if (SENTENCE_MARKS.has(token.folded) || isEmoji || (token.folded === '.' && endsSentence(text, i)))
      begin(true)
    else if (isTaken(i)) continue
    else if (token.folded === ')' && clauseAround !== undefined)
      [clause, clauseAround] = [clauseAround, undefined]
    else if (CLAUSE_MARKS.has(token.folded) || isDash) {
      if (token.folded === '(') clauseAround ??= clause
      begin(false)
    }
  }
}

/** The tokens of the sentence in which a token stands, at most a hundred on each side. */
export function sentenceOf(tokens: readonly Token[], at: number): readonly Token[] {
  const number = tokens[at]?.sentence
  let from = at
  while (from > 0 && at - from < 100 && tokens[from - 1]?.sentence === number) from--
  let to = at
  while (to < tokens.length && to - at < 100 && tokens[to]?.sentence === number) to++
  return tokens.slice(from, to)
}

/** True if one of the tokens from an index to another is a word of a set. */
export const hasWord = (tokens: readonly Token[], from: number, to: number, words: WordSet): boolean =>
  tokens.slice(Math.max(0, from), Math.max(0, to)).some(({ folded }) => words.has(folded))

/** True if the sentence of a token has a word of a set. */
export const sentenceHas = (tokens: readonly Token[], at: number, words: WordSet): boolean =>
  sentenceOf(tokens, at).some(({ folded }) => words.has(folded))

/** True if two mentions are in the same sentence. */
export const areInSameSentence = (
  tokens: readonly Token[],
  a: { from: number },
  b: { from: number },
): boolean => tokens[a.from]?.sentence === tokens[b.from]?.sentence

/** True if two mentions are in the same sentence or in two that follow each other. */
export const areNear = (tokens: readonly Token[], a: { from: number }, b: { from: number }): boolean =>
  Math.abs((tokens[a.from]?.sentence ?? 0) - (tokens[b.from]?.sentence ?? 0)) < 2

/** True if nothing but small words and commas stands between a day and a time. */
export const isJoined = (tokens: readonly Token[], from: number, to: number): boolean =>
  tokens.slice(from, to).every(({ folded }) => [',', '.'].includes(folded) || WORDS.small.has(folded))

/** The most words before a day or a time that are looked at. */
const MAX_WORDS_BEFORE = 9

/** The words before a mention, nearest first, up to the beginning of its clause or to another mention. */
export function wordsBefore({ tokens, isTaken }: MarkedText, from: number): string[] {
  const words: string[] = []
  const clause = tokens[from]?.clause
  for (let i = from - 1; i >= 0 && words.length < MAX_WORDS_BEFORE; i--) {
    // What stands in brackets is beside the point.
    const open = tokens[i]?.folded === ')' ? markBefore(tokens, i, '(') : undefined
    if (open !== undefined) i = open - 1
    // “»Ich war’s nicht« am Donnerstag”: what is quoted denies nothing.
    const quote = isClosingQuote(tokens, i) ? markBefore(tokens, i, QUOTES) : undefined
    if (quote !== undefined) i = quote - 1
    const token = tokens[i]
    // “Nicht vergessen: am 12. März”: the colon belongs to the clause that it ends.
    if (!token || token.clause !== clause || isTaken(i)) break
    if (WORDS.leads.has(token.folded)) {
      // “N’oubliez pas : loto samedi”
      if (words.at(-1) === 'pas') words.pop()
      break
    }
    if (token.kind === 'word') words.push(token.folded)
  }
  return words
}

/** The longest bracket or quotation that is looked over. */
const MAX_PASSED_OVER = 20

/** The index of the nearest of some marks before a token, in its sentence. */
function markBefore(tokens: readonly Token[], at: number, marks: string): number | undefined {
  for (let i = at - 1; i > at - MAX_PASSED_OVER && tokens[i]?.sentence === tokens[at]?.sentence; i--) {
    const { kind, folded } = tokens[i] ?? { kind: 'word', folded: '' }
    if (kind === 'sign' && marks.includes(folded)) return i
  }
  return undefined
}

/** True for a quotation mark right after a word, and before none. */
const isClosingQuote = (tokens: readonly Token[], i: number): boolean => {
  const { kind, folded, isSpaced } = tokens[i] ?? { kind: 'word', folded: '', isSpaced: true }
  return kind === 'sign' && QUOTES.includes(folded) && !isSpaced && tokens[i + 1]?.isSpaced !== false
}
