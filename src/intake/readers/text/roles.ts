import type { DayMention } from './days.ts'
import type { TimeMention } from './times.ts'
import type { Token } from './tokens.ts'
import { BEGINNING, NOT_THE_BEGINNING, NOT_THE_DAY, OTHER_MATTERS } from './words.ts'

// Not every day and time of an announcement is that of the event: deadlines, doors, opening hours of box offices and earlier events have
// some as well. The words around them tell.

const BOUNDARIES = new Set(['.', ';', '(', ')', '/', '•', '·', '|', '!', '?', ',', '…'])
/** Words before a day or time that are looked at. */
const WORDS_BEFORE = 5

const isBoundary = (tokens: readonly Token[], i: number): boolean => {
  const { low, isSpaced } = tokens[i] ?? { low: '.', isSpaced: true }
  if (low === '-') return isSpaced && tokens[i + 1]?.isSpaced === true
  if (low === '.') return tokens[i + 1]?.isSpaced !== false && (tokens[i - 1]?.text.length ?? 0) > 3
  return BOUNDARIES.has(low)
}

/** The words before a mention, nearest first, up to the beginning of its part of the sentence or to another mention. */
export function wordsBefore(
  tokens: readonly Token[],
  from: number,
  isTaken: (token: number) => boolean,
): string[] {
  const words: string[] = []
  for (let i = from - 1; i >= 0 && words.length < WORDS_BEFORE; i--) {
    const token = tokens[i]
    if (!token || token.line !== tokens[from]?.line || isBoundary(tokens, i) || isTaken(i)) break
    if (token.kind === 'word') words.push(token.low)
  }
  return words
}

/** The tokens of the sentence in which a token stands. */
export function sentenceOf(tokens: readonly Token[], at: number): readonly Token[] {
  const isEnd = (i: number) =>
    tokens[i] === undefined ||
    tokens[i]?.line !== tokens[at]?.line ||
    (['.', '!', '?'].includes(tokens[i]?.low ?? '') &&
      isBoundary(tokens, i) &&
      tokens[i - 1]?.kind === 'word')
  let from = at
  while (from > 0 && at - from < 100 && !isEnd(from - 1)) from--
  let to = at
  while (to < tokens.length && to - at < 100 && !isEnd(to)) to++
  return tokens.slice(from, to)
}

/** Whether a time is not that of the event: doors, deadlines, opening hours. */
export function isOtherTime(
  tokens: readonly Token[],
  { from, to }: TimeMention,
  isTaken: (token: number) => boolean,
): boolean {
  const before = wordsBefore(tokens, from, isTaken)
  // «at the tourist office (9 to 12)»: brackets belong to the words before them.
  const isBracketed = before.length === 0 && tokens[from - 1]?.low === '('
  const words = isBracketed ? wordsBefore(tokens, from - 1, isTaken) : before
  const telling = words.find(word => NOT_THE_BEGINNING.has(word) || BEGINNING.has(word))
  if (telling !== undefined) return !BEGINNING.has(telling)
  // «19 Uhr Einlass, 20 Uhr Beginn»: the word follows, unless it belongs to the next time.
  for (let i = to; i < to + 3; i++) {
    const token = tokens[i]
    if (!token || token.line !== tokens[from]?.line || isBoundary(tokens, i) || isTaken(i)) break
    if (BEGINNING.has(token.low) || token.low === ':') break
    if (NOT_THE_BEGINNING.has(token.low) && token.low !== 'vor' && token.low !== 'before')
      return !isTaken(i + 1)
  }
  return isOfOtherMatters(tokens, from)
}

const isOfOtherMatters = (tokens: readonly Token[], at: number): boolean =>
  sentenceOf(tokens, at).some(({ low }) => OTHER_MATTERS.has(low))

/** Whether a day is not that of the event. */
export function isOtherDay(
  tokens: readonly Token[],
  { from }: DayMention,
  isTaken: (token: number) => boolean,
): boolean {
  // «Findet statt: 20. Februar» is no «statt am 20. Februar».
  const isInstead = ['statt', 'am'].includes(tokens[from - 1]?.low ?? '')
  return (
    wordsBefore(tokens, from, isTaken).some(
      word => NOT_THE_DAY.has(word) && (word !== 'statt' || isInstead),
    ) || isOfOtherMatters(tokens, from)
  )
}
