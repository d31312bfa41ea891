import { BETWEEN_WORDS, LETTER, lazyPattern } from '../../kit/lib/pattern.ts'
import { fold } from '../../kit/lib/text.ts'
import type { Span } from './plain.ts'
import {
  anyOf,
  CANCELLED,
  GREETINGS,
  MONTHS,
  NO_TITLES,
  SHEETS,
  SMALL,
  setOf,
  weekdayOf,
  wordsFor,
} from './words.ts'
// A title is a part of a line: what stands between its days and times, up to a comma, without the articles and
// prepositions at its ends.

/** A title, and where it stands. */
export type TitleMention = { title: string; span: Span }

/**
 * What a title is not.
 *
 * @property mentions the days, times, prices and places, at which a title ends
 * @property organizers where organizers are named: they present what is the title
 */
export type PhraseContext = {
  mentions: readonly Span[]
  organizers: readonly Span[]
}

/** Lines that say what kind of text it is. */
const HEADINGS =
  /^\W{0,4}(?:press release|for immediate release|news|notice|pressemitteilung|presseinformation|communiqué de presse|nota de prensa|einladung|invitation|invitación|veranstaltungshinweis|terminhinweis|ankündigung|bekanntmachung|correction|korrektur|berichtigung|rectificatif|corrección|rectificación|convocation|convocatoria|ausschreibung|flyer|plakat|affiche|cartel|poster|save the date|reminder|erinnerung|rappel|recordatorio)\W{0,4}$/i
/** Words of a title. */
export const MAX_WORDS = 10
const MAX_PARTS = 20
/** Characters on each side of a passage that are looked at. */
export const MAX_AROUND = 200
/** What stands before an announcement in the same line. */
const NOTICE =
  /^\W{0,4}(?:reminder|save the date|einladung|erinnerung|recordatorio|rappel|hinweis|invitation|avis|aviso|neu|new|nouveau|nuevo|achtung|attention|atención|wichtig|important)\s?[:!–-]/i

export const significantWords = (text: string): string[] =>
  fold(text)
    .split(BETWEEN_WORDS())
    .filter(word => word.length > 1 && !SMALL.has(word))

/** Words that nobody would end or begin a title with. */
const LOOSE = setOf(
  'on at in the from this next by am an im um von vom ab den der die das dem des zum zur mit und et du le la les au a de el los del con en y para pour à este esta ce uhr ten jeden every chaque cada findet statt wieder again dias jours tagen days todos todas tous toutes desde partir prevu prevue previsto prevista n ne se no not nicht noch nun also mais sino but until bis proximo proxima prochain prochaine kommenden nachsten jusqu hasta depuis dès des',
)
/** Words that say when or for whom, and name nothing. */
const NO_NAMES = anyOf(
  LOOSE,
  wordsFor('every', 'eachTime', 'next', 'coming', 'leads'),
  setOf(
    'partir diario tagl uhr semana woche week semaine wann quand when cuando where ort wo donde ubicacion lieu lugar beginn beginnt debut inicio comienzo start starts prompt punkt einlass doors eintritt entree entrada admission tickets neuer termin nueva fecha nouvelle date new',
  ),
)

/** True if words name something, rather than a weekday or the reason for a cancellation. */
export const isNaming = (words: readonly string[]): boolean =>
  words.some(
    word =>
      weekdayOf(word) === 0 &&
      !NO_NAMES.has(word) &&
      !MONTHS.has(word) &&
      !SHEETS.has(word) &&
      /[a-z]/.test(word),
  ) && !words.some(word => CANCELLED.has(word) || NO_TITLES.has(word))

/** The title in a sentence, unless it is a greeting. */
export function titleOfSentence(
  text: string,
  [from, to]: Span,
  context: PhraseContext,
): TitleMention | undefined {
  const notice = NOTICE.exec(text.slice(from, Math.min(to, from + 30)))?.[0].length ?? 0
  const sentence = text.slice(from + notice, to)
  if (significantWords(sentence).length === 0 || HEADINGS.test(sentence)) return undefined
  return fromSentence(text, [from + notice + greetingIn(sentence), to], context)
}

const GREETING_ENDS = lazyPattern(String.raw`[,!]|\p{Extended_Pictographic}`, 'u')
const FIRST_WORD = lazyPattern(String.raw`\p{L}+`, 'u')

/**
 * The length of the greeting at the beginning of a sentence: «Liebe Mitglieder,». A sentence that is nothing else is
 * one as a whole.
 */
function greetingIn(sentence: string): number {
  const first = fold(FIRST_WORD().exec(sentence)?.[0] ?? '')
  if (!GREETINGS.has(first)) return 0
  const end = sentence.slice(0, 60).search(GREETING_ENDS())
  return end < 0 ? sentence.length : end + 1
}

/** The stretch of a sentence between mentions that reads like a title. */
function fromSentence(text: string, [from, to]: Span, context: PhraseContext): TitleMention | undefined {
  const inside = context.mentions.filter(([a, b]) => a < to && b > from).sort(([a], [b]) => a - b)
  let at = from
  for (const [a, b] of [...inside, [to, to] as const]) {
    if (a > at && significantWords(text.slice(at, a)).length > 0)
      return phrase(text, [at, a], context, inside.length > 0)
    at = Math.max(at, b)
  }
  return undefined
}

/** A capital letter, or an ordinal number before one. */
const STARTS_NAME = lazyPattern(String.raw`^(?:\d{1,3}(?:\.|\.?[ªº]|e|er)\s)?\p{Lu}`, 'u')
/** Cuts a passage at commas and colons, and keeps what names the event. */
function phrase(
  text: string,
  [from, to]: Span,
  { organizers }: PhraseContext,
  hasMentions: boolean,
): TitleMention | undefined {
  const isOrganizer = (a: number, b: number) =>
    organizers.some(([c, d]) => Math.min(b, d) - Math.max(a, c) >= (b - a) * 0.6)
  const passage = text.slice(from, to)
  const parts = splitParts(passage)
    .slice(0, MAX_PARTS)
    .filter(([a, b]) => !isOrganizer(from + a, from + b))
  for (const [n, [a, b]] of parts.entries()) {
    const next = parts[n + 1]
    const titleUpTo = (end: number): TitleMention => ({
      title: tidy(passage.slice(a, end)),
      span: [from + a, from + end],
    })
    const alone = titleUpTo(b)
    const words = significantWords(alone.title)
    if (!words.some(word => isNaming([word]))) continue
    // «Talk: Bees in the Garden»
    const isFollowed = next && passage[b] === ':' && passage[next[1]] !== ':'
    if (isFollowed && isNaming(significantWords(passage.slice(...next)))) return titleUpTo(next[1])
    // What follows something that is not understood, is not understood either.
    if (alone.title.split(' ').length > MAX_WORDS) return undefined
    if (isPair(passage, b, next)) return titleUpTo(next[1])
    const isShort = words.length === 1 && (words[0]?.length ?? 0) < 5
    // «Loto» in a line of its own
    const isAlone = !hasMentions && passage.trim() === alone.title
    if (!isShort || isAlone) return alone
  }
  return undefined
}

/** True if a dash joins two names, of which neither alone says what takes place: «VBC Lussery – Volley Ormanche». */
const isPair = (passage: string, end: number, next: Span | undefined): next is Span =>
  next !== undefined &&
  /^\s?[-–—·/]{1,3}\s?$/.test(passage.slice(end, next[0])) &&
  STARTS_NAME().test(passage.slice(...next).trim())

const SPLITS = lazyPattern(
  String.raw`[,;()\[\]|•·!?\t]|\*{2,}|\s[-–—/]{1,3}\s|:\s|\p{Extended_Pictographic}`,
  'gu',
)

/** The parts of a passage between commas, dashes and brackets; what is after a colon or a dash stays with what is before it. */
function splitParts(passage: string): Span[] {
  const parts: Span[] = []
  let from = 0
  for (const { 0: mark, index } of passage.matchAll(SPLITS())) {
    parts.push([from, index])
    from = index + mark.length
  }
  parts.push([from, passage.length])
  return parts.filter(([a, b]) => LETTER().test(passage.slice(a, b)))
}

const OPENS = lazyPattern(String.raw`[\p{L}\p{N}«„“"(¡¿]`, 'u')
const CLOSES = lazyPattern(String.raw`[\p{L}\p{N}»“”")!?%]`, 'u')

/** A word without the marks before it. */
const withoutMarksBefore = (word: string): string => word.slice(Math.max(word.search(OPENS()), 0))

/** A word without the marks after it. */
function withoutMarksAfter(word: string): string {
  const chars = [...word]
  return chars.slice(0, chars.findLastIndex(char => CLOSES().test(char)) + 1).join('')
}

/** Articles and the like, without which a title in the middle of a sentence begins. */
const ARTICLES = setOf(
  'the our an a on der die das am ein eine unser unsere le la les un une notre el los las una nuestra nuestro este esta',
)

export const SMALL_AT_FIRST = lazyPattern(String.raw`^\p{Ll}`, 'u')

/** What is left of «heute Abend» and «die nächste» before a title. */
const RESTS = setOf('abend nachmittag vormittag mittag nachste')

/**
 * How many words at the beginning and at the end belong to what is around a title: articles, prepositions, weekdays,
 * «cancelled».
 */
function looseWords(words: readonly string[], from: number, to: number): [before: number, after: number] {
  if (to - from < 2) return [0, 0]
  const [first = '', last = ''] = [words[from], words[to - 1]]
  if ((last.length > 4 && weekdayOf(fold(last)) > 0) || LOOSE.has(fold(last))) return [0, 1]
  const isArticle = ARTICLES.has(fold(first)) && SMALL_AT_FIRST().test(first)
  const word = fold(first).replace(/[^a-z]/g, '')
  return [isArticle || RESTS.has(word) || CANCELLED.has(word) ? 1 : 0, 0]
}

/**
 * A title without the marks, articles and prepositions at its ends. It looks at each word once, since there may be
 * ten thousand of them.
 */
export function tidy(text: string): string {
  const words = text.trim().split(/\s+/)
  let [from, to] = [0, words.length]
  while (from < to) {
    const [first, last] = [words[from] ?? '', words[to - 1] ?? '']
    if (!OPENS().test(first)) from++
    else if (!CLOSES().test(last)) to--
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
