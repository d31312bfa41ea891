import { decodeEntities, fold } from '../../lib/text.ts'
import { dayNumber } from '../../lib/time.ts'
import { likeWords, type Weighed } from './likeness.ts'
import { type Dated, withoutOwnDate } from './title-dates.ts'
import {
  COMPOUNDS,
  EVENT_WORDS,
  LABELS,
  MARKS,
  PARTS,
  SIGNS,
  type SignKind,
  STOP,
  WEEKDAY_WORDS,
} from './words.ts'

/** What a title says, without what calendars add to it: states, its own date, words that say nothing. */
export type Title = {
  /** All that it says, without blanks. */
  whole: string
  /** The words that are no signs, in order. */
  words: readonly string[]
  /** What tells sessions apart: numbers, levels, ages, languages and so on. */
  signs: ReadonlyMap<SignKind, ReadonlySet<string>>
  /** The first letters of the words. */
  initials: string
  isCommon: boolean
}

/** Words of a title that are looked at. */
const MOST_WORDS = 24

const TOKENS = /[\p{L}\p{M}\p{N}]+/gu

const NOT_PLAIN = /[^ -%'-~]/

/** Folded text. Most texts are of plain letters but for quotes and dashes, and need none of what `fold` does. */
function foldText(text: string): string {
  if (!NOT_PLAIN.test(text)) return text.toLowerCase()
  const plain = text.replace(/[’‘]/g, "'").replace(/[–—“”„…]/g, ' - ')
  return NOT_PLAIN.test(plain) ? fold(decodeEntities(decodeEntities(plain))) : plain.toLowerCase()
}

/** The words of a text, folded: `don't` is one, `10,000` as well. */
export function tokensOf(text: string): string[] {
  if (text === '') return []
  let folded = foldText(text).replace(/['`´]/g, '')
  if (/\d/.test(folded))
    folded = folded
      .replace(/(?<![\p{L}\p{N}])(\p{L})[ -](?=\d)/gu, '$1')
      .replace(/(\d)[.,](?=\d{3}(?!\d))/g, '$1')
  return folded.match(TOKENS)?.slice(0, 2 * MOST_WORDS) ?? []
}

/** Words that are written as one or as two. */
const JOINED = /\b(after|pre|check|warm|in|semi|meet)[ -](?:and |& )?(party|show|in|up|person|final|greet)\b/g

/** Spellings of umlauts become one: Müller, which is folded to Muller, and Mueller. */
export const withoutUmlauts = (word: string): string =>
  word.length > 3 ? word.replace(/([aou])e(?=[^\W\d_])/g, '$1') : word

const ROMAN = new Map(
  'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv'.split(' ').map((word, i) => [word, i + 1]),
)

/** What a title says of an event at its time. */
export function titleToJudge(text: string, when: Dated): Title {
  const signs = new Map<SignKind, Set<string>>()
  const sign = (kind: SignKind, value: string) => {
    const values = signs.get(kind)
    if (values) values.add(value)
    else signs.set(kind, new Set([value]))
  }
  let folded = foldText(text).replace(JOINED, '$1$2')
  if (/\d/.test(folded)) {
    const dates = new Set<string>()
    folded = withoutOwnDate(folded, when, dates)
    for (const date of dates) sign('date', date)
  }
  const all = withoutMarks(tokensOf(folded))
  const weekday = (dayNumber(when.start_date) + 4) % 7
  const words: string[] = []
  let whole = ''
  for (const [i, token] of all.entries()) {
    if (token === when.start_date.slice(0, 4) || WEEKDAY_WORDS.get(token) === weekday) continue
    if (!STOP.has(token)) whole += token
    const known = signIn(token, all[i - 1], i > 0 && i === all.length - 1)
    if (known) sign(known[0], known[1])
    else if (!STOP.has(token) && !(PARTS.has(token) && isOneOfSeveral(all[i + 1])))
      words.push(withoutUmlauts(token))
  }
  // Titles of nothing else.
  if (words.length === 0) words.push(...all)
  const named = words.filter(word => !LABELS.has(word))
  const told = (named.length > 0 ? named : words).slice(0, MOST_WORDS)
  const initials = told.length < 3 ? '' : told.map(word => word[0]).join('')
  return {
    words: told,
    whole,
    signs,
    initials,
    isCommon: told.every(word => weighed(word).every(isCommonWord)),
  }
}

/** True for the word that follows `Part` in `Part 2`. */
const isOneOfSeveral = (word: string | undefined): boolean =>
  word !== undefined && (word.length === 1 || /\d/.test(word) || ROMAN.has(word))

/** Takes off what stands before or behind a title. */
function withoutMarks(tokens: string[]): string[] {
  const isMark = (token: string | undefined) => token !== undefined && MARKS.has(token)
  const from = tokens.findIndex(token => !isMark(token))
  const to = tokens.findLastIndex(token => !isMark(token))
  return from === -1 ? tokens : tokens.slice(from, to + 1)
}

const ONE: ReadonlySet<string> = new Set(['one', 'eins', 'uno'])

/** The sign that a word is, with the word before it. */
function signIn(
  token: string,
  before: string | undefined,
  isLast: boolean,
): readonly [SignKind, string] | undefined {
  const isPart = before !== undefined && PARTS.has(before)
  const known = SIGNS.get(token)
  // `One of us` is no first part.
  if (known && (isPart || !ONE.has(token))) return known
  if (/\d/.test(token)) {
    return [
      'number',
      token.replace(/^0+(?=\d)/, '').replace(/^(\d+)(?:st|nd|rd|th|er|e|eme|o|a|ter|te|tes|ten)$/, '$1'),
    ]
  }
  const roman = ROMAN.get(token)
  if (roman !== undefined && (token.length > 1 || isPart || isLast)) return ['number', String(roman)]
  return token.length === 1 && isPart ? ['room', token] : undefined
}

/** How the signs of two titles are to each other: `one-sided` where only one has some of a kind. */
export function compareSigns(a: Title, b: Title): { conflict: boolean; oneSided: number } {
  let conflict = false
  let oneSided = 0
  if (a.whole === b.whole && a.whole !== '') return { conflict, oneSided }
  for (const kind of new Set([...a.signs.keys(), ...b.signs.keys()])) {
    const [ours, theirs] = [a.signs.get(kind), b.signs.get(kind)]
    if (kind === 'not' && !(ours && theirs)) conflict = true
    else if (!ours || !theirs) oneSided++
    else if (ours.size !== theirs.size || [...ours].some(value => !theirs.has(value))) {
      const hasCommon = [...ours].some(value => theirs.has(value))
      if (hasCommon) oneSided++
      else conflict = true
    }
  }
  return { conflict, oneSided }
}

/** How much a word that many titles have weighs, beside others. */
const COMMON_WEIGHT = 0.35

/** Words whose weights are remembered. */
const MOST_KEPT = 2_000

const weights = new Map<string, readonly Weighed[]>()

/** A word with what it weighs: a compound as its parts, one of many languages as the English one. */
function weighed(word: string): readonly Weighed[] {
  const known = weights.get(word)
  if (known) return known
  if (weights.size > MOST_KEPT) weights.clear()
  const made = partsOf(word)
  weights.set(word, made)
  return made
}

function partsOf(word: string): Weighed[] {
  const kind = EVENT_WORDS.get(word)
  if (kind !== undefined) return [{ word: kind, weight: COMMON_WEIGHT }]
  const end =
    word.length > 6 ? COMPOUNDS.find(end => word.endsWith(end) && word.length > end.length + 2) : undefined
  if (end === undefined) return [{ word, weight: 1 }]
  const head = word.slice(0, -end.length)
  const known = EVENT_WORDS.get(head) ?? EVENT_WORDS.get(head.replace(/s$/, ''))
  return [
    { word: known ?? head, weight: known ? COMMON_WEIGHT : 1 },
    { word: EVENT_WORDS.get(end) ?? end, weight: COMMON_WEIGHT },
  ]
}

const isCommonWord = ({ weight }: Weighed): boolean => weight < 1

/**
 * True if two titles say the same, but for the order of words.
 *
 * @param place words of the places of both, by which one title may have more
 */
export function isSameTitle(a: Title, b: Title, place: () => ReadonlySet<string>): boolean {
  const isSame = (x: readonly string[], y: readonly string[]) =>
    x.join('') === y.join('') || (x.length === y.length && x.toSorted().join(' ') === y.toSorted().join(' '))
  if ((a.whole !== '' && a.whole === b.whole) || isSame(a.words, b.words)) return true
  // Most titles have nothing in common.
  if (!a.words.some(word => b.words.includes(word))) return false
  return isSame(elsewhere(a.words, b.words, place()), elsewhere(b.words, a.words, place()))
}

/** The words of a title without those of the place that the other one hasn't. */
function elsewhere(
  words: readonly string[],
  others: readonly string[],
  place: ReadonlySet<string>,
): readonly string[] {
  const rest = words.filter(word => !place.has(word) || others.includes(word))
  return rest.length > 0 ? rest : words
}

/** How alike two titles are that are not the same, from 0 to 1. @param place as of {@link isSameTitle} */
export function titleLikeness(a: Title, b: Title, place: () => ReadonlySet<string>): number {
  const initials = (x: Title, y: Title) =>
    y.initials !== '' &&
    x.words.some(word => word.length >= 3 && word.length <= 6 && y.initials.includes(word))
  // The order of the two must not matter.
  const [x, y] = a.whole < b.whole ? [a.words, b.words] : [b.words, a.words]
  const like = likeWords(elsewhere(x, y, place()).flatMap(weighed), elsewhere(y, x, place()).flatMap(weighed))
  // CSD is Christopher Street Day.
  return initials(a, b) || initials(b, a) ? Math.max(0.7, like) : like
}
