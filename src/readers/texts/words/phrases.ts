import { BETWEEN_WORDS, lazyPattern } from '../../../kit/lib/pattern.ts'
import { fold } from '../../../kit/lib/text.ts'
import type { Span } from './plain.ts'
import { anyOf, isWeekdayOrMonth, ORDINALS, setOfPhrases, WORDS, weekdayOf } from './words.ts'

// A title is a part of a line, without the articles and prepositions at its ends.

/** A title, and where it stands. */
export type TitleMention = { title: string; span: Span }

/** The words of a passage without articles and prepositions, in lower case without accents. */
export const significantWords = (text: string): string[] =>
  fold(text)
    .split(BETWEEN_WORDS())
    .filter(word => word.length > 1 && !WORDS.small.has(word))

/** Marks that do not count: “T.B.A.” is “tba”. */
const POINTS = /[.()…]+/g

const UNDECIDED = setOfPhrases('undecided')

/** True for what stands where something isn't known yet: “TBA”, “N. N.”, «noch offen», “???”. */
export const isUndecided = (text: string): boolean =>
  /^\?+$/.test(text) || UNDECIDED.has(fold(text.replace(POINTS, '')))

/** Words that say when or for whom, and name nothing. */
const NAMES_NOTHING = anyOf(
  WORDS.looseInTitles,
  WORDS.every,
  WORDS.eachTime,
  WORDS.next,
  WORDS.coming,
  WORDS.leads,
  WORDS.sheets,
  WORDS.cancelled,
  WORDS.noTitles,
  WORDS.full,
  WORDS.namingNothing,
)

/** True if a word names something, rather than a weekday or the reason why something is called off. */
export const isNaming = (word: string): boolean =>
  !isWeekdayOrMonth(word) && !NAMES_NOTHING.has(word) && /[a-z]/.test(word)

/** A character with which a title may begin, and one with which it may end. */
const FIRST_CHARACTER = lazyPattern(String.raw`[\p{L}\p{N}«„“"(¡¿]`, 'u')
const LAST_CHARACTER = lazyPattern(String.raw`[\p{L}\p{N}»“”")!?%]`, 'u')

/** A word without the marks before it. */
const withoutMarksBefore = (word: string): string => word.slice(Math.max(word.search(FIRST_CHARACTER()), 0))

/** A word without the marks after it. */
function withoutMarksAfter(word: string): string {
  const chars = [...word]
  return chars.slice(0, chars.findLastIndex(char => LAST_CHARACTER().test(char)) + 1).join('')
}

export const STARTS_LOWERCASE = lazyPattern(String.raw`^\p{Ll}`, 'u')

/**
 * How many words at the beginning and at the end belong to what is around a title: articles, prepositions,
 * weekdays, “cancelled”.
 */
function looseWords(words: readonly string[], from: number, to: number): [before: number, after: number] {
  if (to - from < 2) return [0, 0]
  const [first = '', last = ''] = [words[from], words[to - 1]]
  const isWeekday = last.length > 4 && weekdayOf(fold(last)) > 0
  // “Pancake races on Shrove Tuesday”
  if (isWeekday && WORDS.feastsBesideWeekdays.has(fold(words[to - 2] ?? '')))
    return [0, to - from > 2 ? 2 : 0]
  // “Sprachcafé, jeden zweiten Mittwoch”
  if (ORDINALS.has(fold(last)) && WORDS.every.has(fold(words[to - 2] ?? ''))) return [0, 2]
  const isCut = WORDS.smallAtEndOfTitles.has(fold(last)) && STARTS_LOWERCASE().test(last)
  if (isWeekday || isCut || WORDS.looseInTitles.has(fold(last)) || WORDS.cancelled.has(fold(last)))
    return [0, 1]
  const isArticle = WORDS.articlesBeforeTitles.has(fold(first)) && STARTS_LOWERCASE().test(first)
  const word = fold(first).replace(/[^a-z]/g, '')
  return [isArticle || WORDS.restsOfDays.has(word) || WORDS.cancelled.has(word) ? 1 : 0, 0]
}

/**
 * A title without the marks, articles and prepositions at its ends. It looks at each word once, since there
 * may be ten thousand of them.
 */
export function tidyTitle(text: string): string {
  const words = text.trim().split(/\s+/)
  let [from, to] = [0, words.length]
  while (from < to) {
    const [first, last] = [words[from] ?? '', words[to - 1] ?? '']
    if (!FIRST_CHARACTER().test(first)) from++
    else if (!LAST_CHARACTER().test(last)) to--
    else {
      words[from] = withoutMarksBefore(first)
      words[to - 1] = withoutMarksAfter(words[to - 1] ?? '')
      const [before, after] = looseWords(words, from, to)
      if (before + after === 0) break
      from += before
      to -= after
    }
  }
  const title = words.slice(from, to).join(' ')
  const quotes = /^[„“"«]\s?([^„“”"«»]+?)\s?[“”"»]$/.exec(title)
  return (quotes?.[1] ?? title).trim()
}
