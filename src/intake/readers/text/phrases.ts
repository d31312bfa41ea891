import { BETWEEN_WORDS, LETTER, lazyPattern } from '../../../lib/pattern.ts'
import { fold } from '../../../lib/text.ts'
import type { Span } from './plain.ts'
import type { Token } from './tokens.ts'
import {
  ADMISSION,
  anyOf,
  CANCELLED,
  FREE,
  GREETINGS,
  HOUSES,
  isKind,
  isPlaceWord,
  LEADS,
  MONTHS,
  NO_TITLES,
  POSTPONED,
  PRESENTING,
  SHEETS,
  SMALL,
  setOf,
  VERBS,
  weekdayOf,
  wordsFor,
} from './words.ts'
// A title is a part of a line: what stands between its days and times, up to a comma, without the articles and prepositions at its ends.

/** A title, and where it stands. */
export type TitleMention = { title: string; span: Span }

/**
 * What a title is not.
 *
 * @property mentions the days, times, prices and places, at which a title ends
 * @property organizers where organizers are named: they present what is the title
 * @property isShortTaken whether a title may be a short word: «Yoga»
 */
export type PhraseContext = {
  mentions: readonly Span[]
  organizers: readonly Span[]
  isShortTaken?: boolean
}

/** Lines that say what kind of text it is. */
const HEADINGS =
  /^\W{0,4}(?:press release|for immediate release|news|notice|pressemitteilung|presseinformation|communiqué de presse|nota de prensa|einladung|invitation|invitación|veranstaltungshinweis|terminhinweis|ankündigung|bekanntmachung|correction|korrektur|berichtigung|rectificatif|corrección|rectificación|convocation|convocatoria|ausschreibung|flyer|plakat|affiche|cartel|poster|save the date|reminder|erinnerung|rappel|recordatorio)\W{0,4}$/i
/** Words of a title. */
export const MAX_WORDS = 10
const MAX_PARTS = 20
/** Characters on each side of a passage that are looked at. */
export const MAX_AROUND = 200
/** What may stand between «invites» and what one is invited to. */
const INVITING =
  /^(?:\s+(?:you|sie|vous|les|herzlich|alle|ganz|ein|all|cordialement|cordially|us|uns|nous|for|to|zum|zur|zu|al|au|aux|a|à|einem|einer|its|his|her|their|su|sus|son|sa|ses|the|das|der|die|den)(?=\s)){1,5}/i
/** What stands before an announcement in the same line. */
const NOTICE =
  /^\W{0,4}(?:reminder|save the date|einladung|erinnerung|recordatorio|rappel|hinweis|invitation|avis|aviso|neu|new|nouveau|nuevo|achtung|attention|atención|wichtig|important)\s?[:!–-]/i

export const significant = (text: string): string[] =>
  fold(text)
    .split(BETWEEN_WORDS())
    .filter(word => word.length > 1 && !SMALL.has(word))

const PARTS_OF_DAY = setOf(
  'matin soir midi morning afternoon evening night morgen abend nachmittag noche tarde manana',
)
/** Words that nobody would end or begin a title with. */
const LOOSE = setOf(
  'on at in the from this next by am an im um von vom ab den der die das dem des zum zur mit und et du le la les au a de el los del con en y para pour à este esta ce uhr ten jeden every chaque cada findet statt wieder again dias jours tagen days todos todas tous toutes desde partir prevu prevue previsto prevista n ne se no not nicht noch nun also mais sino but until bis proximo proxima prochain prochaine kommenden nachsten jusqu hasta depuis dès des',
)
/** Words that say when or for whom, and name nothing. */
const NO_NAMES = anyOf(
  LOOSE,
  wordsFor('every', 'eachTime', 'next', 'coming'),
  setOf(
    'partir diario tagl uhr semana woche week semaine wann quand when cuando where ort wo donde ubicacion lieu lugar beginn beginnt debut inicio comienzo start starts prompt punkt einlass doors eintritt entree entrada admission tickets neuer termin nueva fecha nouvelle date new',
  ),
)

/** Tells if words name something, rather than a weekday or the reason why it is called off. */
export const isNaming = (words: readonly string[]): boolean =>
  words.some(
    word =>
      weekdayOf(word) === 0 &&
      !NO_NAMES.has(word) &&
      !MONTHS.has(word) &&
      !SHEETS.has(word) &&
      /[a-z]/.test(word),
  ) && !words.some(word => CANCELLED.has(word) || POSTPONED.has(word) || NO_TITLES.has(word))

export const CALLS = setOf(
  'wir we nous ladt laden einladung herzliche herzlich announcing join venez come invites invitados invitadas invitation invitacion invited',
)

/** Words between an invitation and what it is to. */
const TO = setOf('zu zum zur to for al a au aux')

/** The title in a sentence, unless it is a greeting. */
export function titleOfSentence(
  text: string,
  [from, to]: Span,
  own: readonly Token[],
  context: PhraseContext,
): TitleMention | undefined {
  const notice = NOTICE.exec(text.slice(from, Math.min(to, from + 30)))?.[0].length ?? 0
  const sentence = text.slice(from + notice, to)
  if (significant(sentence).length === 0 || HEADINGS.test(sentence)) return undefined
  return fromSentence(text, [from + notice + greetingIn(sentence), to], own, context)
}

const GREETING_ENDS = lazyPattern(String.raw`[,!]|\p{Extended_Pictographic}`, 'u')
const FIRST_WORD = lazyPattern(String.raw`\p{L}+`, 'u')

/** The length of the greeting at the beginning of a sentence: «Liebe Mitglieder,». A sentence that is nothing else is one as a whole. */
function greetingIn(sentence: string): number {
  const first = fold(FIRST_WORD().exec(sentence)?.[0] ?? '')
  if (!GREETINGS.has(first)) return 0
  if (significant(sentence).every(word => GREETINGS.has(word))) return sentence.length
  const end = sentence.slice(0, 60).search(GREETING_ENDS())
  return end >= 0 ? end + 1 : significant(sentence).length < 5 ? sentence.length : 0
}

/** The stretch of a sentence between mentions that reads like a title. */
function fromSentence(
  text: string,
  [from, to]: Span,
  tokens: readonly Token[],
  context: PhraseContext,
): TitleMention | undefined {
  const inside = context.mentions.filter(([a, b]) => a < to && b > from).sort(([a], [b]) => a - b)
  let at = from
  for (const [a, b] of [...inside, [to, to] as const]) {
    if (a > at && significant(text.slice(at, a)).length > 0)
      return phrase(text, [at, a], tokens, context, inside.length > 0)
    at = Math.max(at, b)
  }
  return undefined
}

const THREE_CAPITALS = lazyPattern(String.raw`\p{Lu}{3}`, 'u')

/** A place at the end of what is announced: «ein Gottesdienst im Gasthaus Krone». */
const AT_ITS_PLACE = /\s(?:im|in der|in dem|at the|at|en el|en la|à la|dans)\s/
const withoutPlace = (title: string): string =>
  title.slice(0, AT_ITS_PLACE.exec(title)?.index ?? title.length)

/** A place that the calendar doesn't know, in the middle of a sentence: «im Gemeindehaus». */
const AT_A_PLACE = /^(?:im|in|am|beim?|at|au|aux|dans|chez|en|por|wegen|due|and|und|y|et)\s/i

/** «Kurs K2207» */
const CODE = /\b[A-Z]{1,3}-?\d{3,6}\b/

/** A capital letter, or an ordinal number before one. */
const STARTS_NAME = lazyPattern(String.raw`^(?:\d{1,3}(?:\.|\.?[ªº]|e|er)\s)?\p{Lu}`, 'u')
export const CAPITALIZED = lazyPattern(String.raw`^\p{Lu}`, 'u')
const SPACE_OR_SMALL = lazyPattern(String.raw`\s|^\p{Ll}`, 'u')

/** Cuts a passage at commas, colons and verbs, and keeps what names the event. */
function phrase(
  text: string,
  [from, to]: Span,
  tokens: readonly Token[],
  { organizers, isShortTaken }: PhraseContext,
  hasMentions: boolean,
): TitleMention | undefined {
  const own = tokens.filter(token => token.from >= from && token.to <= to)
  const verb = own.find(({ low }) => VERBS.has(low))
  const isOrganizer = (a: number, b: number) =>
    organizers.some(([c, d]) => Math.min(b, d) - Math.max(a, c) >= (b - a) * 0.6)
  // «The Film Club presents …», «Wir laden ein zum …» and «spielt das Trio …»
  const subject =
    verb && own.filter(token => token.to <= verb.from && !SMALL.has(token.low) && token.kind === 'word')
  if (verb && (subject?.length === 0 || PRESENTING.has(verb.low))) {
    const found = object(text, [verb.to, to])
    // «Come and see the plans»
    const isName = found && (!SMALL_AT_FIRST().test(found.title) || significant(found.title).some(isKind))
    return PRESENTING.has(verb.low) || isName ? found : undefined
  }
  const call = own.findLast(({ low }) => CALLS.has(low))
  const invited = call && own.find(token => token.from > call.from && TO.has(token.low))
  if (invited && (call.text !== 'to' || !verb)) return object(text, [invited.to, to])
  if (call || (!hasMentions && verb)) return undefined
  const end = verb ? verb.from : to
  const passage = text.slice(from, end)
  const parts = splitParts(passage)
    .slice(0, MAX_PARTS)
    .filter(([a, b]) => !isOrganizer(from + a, from + b))
  for (const [n, [begin, b]] of parts.entries()) {
    const lead = own.findLast(
      token => LEADS.has(token.low) && token.from >= from + begin && token.to <= from + b,
    )
    const a = lead ? lead.to - from : begin
    const next = parts[n + 1]
    // «Talk: Bees in the Garden»
    const isAfterKind =
      !verb &&
      passage[b] === ':' &&
      next !== undefined &&
      next[0] - b < 4 &&
      !/\d/.test(passage.slice(...next)) &&
      to === from + passage.length &&
      (next[1] === passage.length || passage[next[1]] !== ':')
    const joint = isAfterKind ? tidy(passage.slice(a, next[1])) : ''
    if (
      isAfterKind &&
      isNaming(significant(passage.slice(...next))) &&
      joint.split(' ').length <= MAX_WORDS &&
      significant(passage.slice(a, b)).length < 3 &&
      !lead
    )
      return { title: joint, span: [from + a, from + next[1]] }
    const alone = tidy(passage.slice(a, b))
    const words = significant(alone)
    if (words.length === 0 || words.every(word => !isNaming([word])) || isPlaceName(words)) continue
    // What follows something that is not understood, is not understood either.
    const isLong = alone.split(' ').length > MAX_WORDS
    // «de Peñamiera»
    const isRest = SMALL_AT_FIRST().test(alone) && SMALL.has(fold(alone.split(' ')[0] ?? ''))
    if (!isNaming(words) || isLong || isRest || CODE.test(alone) || AT_A_PLACE.test(alone)) return undefined
    const list =
      !hasMentions && !verb && !words.some(isKind) ? listFrom(passage, [a, b], parts.slice(n + 1)) : b
    if (list > b) return { title: tidy(passage.slice(a, list)), span: [from + a, from + list] }
    const [title, end] = isPair(passage, [a, b], next)
      ? [tidy(passage.slice(a, next?.[1])), next?.[1] ?? b]
      : [alone, b]
    const isShort =
      words.length === 1 &&
      (words[0]?.length ?? 0) < 5 &&
      !(CAPITALIZED().test(title) && title.length > 4) &&
      !THREE_CAPITALS().test(title)
    // «Loto» in a line of its own
    const isAlone = !hasMentions && text.slice(from, to).trim() === title
    // «Buy at», before an address
    const isCut = passage.slice(a, b).trim() !== alone
    if (isShort && ((!isShortTaken && !isAlone) || isCut || title.length < 3 || SPACE_OR_SMALL().test(title)))
      continue
    return { title, span: [from + a, from + end] }
  }
  return undefined
}

/** The end of a title with commas, in a line without a day: «Quiet Mind, Rested Body». */
function listFrom(passage: string, [from, to]: Span, parts: readonly Span[]): number {
  let end = to
  for (const [a, b] of parts) {
    if (
      !/^\s?,\s?$/.test(passage.slice(end, a)) ||
      passage.slice(from, b).trim().split(/\s+/).length > MAX_WORDS
    )
      break
    end = b
  }
  return end
}

/** Tells if words without a kind of event begin with one for a place: «temple de Crêt-Dessus». */
const isPlaceName = (words: readonly string[]): boolean =>
  (isPlaceWord(words[0] ?? '') || HOUSES.has(words[0] ?? '')) && !words.some(isKind)

/** Tells if a dash joins two names, of which neither alone says what takes place: «VBC Lussery – Volley Ormanche». */
function isPair(passage: string, [from, to]: Span, next: Span | undefined): next is Span {
  if (!next || !/^\s?[-–—·/]{1,3}\s?$/.test(passage.slice(to, next[0]))) return false
  const [first, second] = [significant(passage.slice(from, to)), significant(passage.slice(...next))]
  const words = passage.slice(from, next[1]).trim().split(/\s+/)
  return (
    !first.some(isKind) &&
    isNaming(second) &&
    !isPlaceName(second) &&
    !second.some(word => ADMISSION.has(word) || FREE.has(word)) &&
    STARTS_NAME().test(passage.slice(...next).trim()) &&
    words.length <= MAX_WORDS
  )
}

/** What somebody presents: up to a comma, without articles and «cordially to the». */
function object(text: string, [from, to]: Span): TitleMention | undefined {
  // «Wir laden ein: …»
  const part = splitParts(text.slice(from, to)).find(
    ([a, b]) => significant(text.slice(from + a, from + b)).length > 0,
  )
  if (!part) return undefined
  const title = tidy(withoutPlace(text.slice(from + part[0], from + part[1]).replace(INVITING, '')))
  return isNaming(significant(title)) && title.split(' ').length <= MAX_WORDS
    ? { title, span: [from + part[0], from + part[1]] }
    : undefined
}

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

/** What is left of «heute Abend» before a title. */
const GERMAN_HALVES = setOf('abend nachmittag vormittag mittag')

/** How many words at the beginning and at the end belong to what is around a title: articles, prepositions, weekdays, «cancelled». */
function looseWords(words: readonly string[], from: number, to: number): [before: number, after: number] {
  if (to - from < 2) return [0, 0]
  const [first = '', last = ''] = [words[from], words[to - 1]]
  const isOnDay = to - from > 2 && PARTS_OF_DAY.has(fold(last)) && weekdayOf(fold(words[to - 2] ?? '')) > 0
  if (isOnDay) return [0, 2]
  if ((last.length > 4 && weekdayOf(fold(last)) > 0) || LOOSE.has(fold(last))) return [0, 1]
  const isArticle = ARTICLES.has(fold(first)) && SMALL_AT_FIRST().test(first)
  return [
    isArticle ||
    fold(first) === 'nachste' ||
    GERMAN_HALVES.has(fold(first)) ||
    CANCELLED.has(fold(first).replace(/[^a-z]/g, ''))
      ? 1
      : 0,
    0,
  ]
}

/** A name in quotation marks without the comma and the point at its end. */
export const withoutMarks = (text: string): string => text.trim().replace(/[,.;:]{1,3}$/, '')

/** A title without the marks, articles and prepositions at its ends. It looks at each word once, since there may be ten thousand of them. */
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
  const all = words.slice(from, to).join(' ')
  const title = /^[¡¿]/.test(all) && !/[!?]$/.test(all) ? all.slice(1) : all
  const quotes = /^[„“"«]\s?([^„“”"«»]+?)\s?[“”"»]$/.exec(title)
  return (quotes?.[1] ?? title).trim()
}
