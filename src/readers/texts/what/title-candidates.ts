import { lazyPattern } from '../../../kit/lib/pattern.ts'
import { fold } from '../../../kit/lib/text.ts'
import { isNaming, significantWords, tidyTitle } from '../words/phrases.ts'
import type { PlainText, Span } from '../words/plain.ts'
import { hasAny, isOneOf, QUOTES, type Token } from '../words/tokens.ts'
import {
  anyOf,
  isKind,
  isPlaceWord,
  isWeekdayOrMonth,
  NUMBER_WORDS,
  setOf,
  VERBS,
  WORDS,
} from '../words/words.ts'
import { kindPhrases } from './kinds.ts'
import {
  isApostrophe,
  isContracted,
  isLabel,
  isMark,
  isPictogram,
  isVerb,
  type MentionSpans,
  type Sentence,
  sentencesOf,
} from './sentences.ts'
import { THIS, type TitleCandidate } from './title-points.ts'

// Passages that may be a title: parts of a line, what is in quotation marks, and the words around a kind of
// event.

const MAX_PARTS = 20
const MAX_CANDIDATES = 300

/** The most words of a title. */
const MAX_WORDS = 14

/** The first characters of a part, in which quotation marks are looked for. */
const MAX_CHARACTERS = 2_000

const QUOTED =
  /»([^«»\n]{2,120})«|«([^«»\n]{2,120})»|„([^„“”"\n]{2,120})[“”"]|“([^“”\n]{2,120})”|"([^"\n]{2,120})"|(?<=^|[\s(])['‘]([^'‘’\n]{2,120})['’](?![a-zà-ÿ])/g

const OPENING_MARKS = '([«„“"'
const CLOSING_MARKS = ')]»”“"'

/**
 * Words before the names in the lines of a programme, and next to them: “New exhibition”, “Conférence
 * publique”
 */
export const GENRES = anyOf(WORDS.genres, WORDS.besideGenres)

/** All passages that may be a title. @param start the offset of the day of the event */
export function candidatesIn(
  { text, strong }: Pick<PlainText, 'text' | 'strong'>,
  span: Span,
  tokens: readonly Token[],
  { start, ...context }: MentionSpans & { start: number },
): TitleCandidate[] {
  const sentences = sentencesOf(tokens, context)
  const daySentence = sentences.findIndex(({ sentenceTokens }) => start <= (sentenceTokens.at(-1)?.to ?? 0))
  // “Sa”, “23”, “Jän”, “20 Uhr”, “KONZERT”, each in a line of its own above the name
  let last = daySentence
  const day = sentences[daySentence]
  const above = sentences[daySentence - 1]
  const isBelow = (line: Sentence): boolean => saysOnlyWhen(line) || saysOnlyGenre(line)
  const isTitleAbove = above && day && lineOf(above) === lineOf(day) - 1 && !isBelow(above)
  // “Mi 17. Feb. | 20.15”
  const isOfLine = (line: Sentence): boolean =>
    day !== undefined && lineOf(line) === lineOf(day) && saysOnlyWhen(line)
  if (day && saysOnlyWhen(day)) {
    const isMore = isTitleAbove ? isOfLine : isBelow
    while (sentences.slice(last + 1, last + 2).some(isMore)) last++
  }
  const quoted = quotedIn(text, span)
  const found = new Map<string, TitleCandidate>()
  for (const sentence of sentences) {
    const { sentenceTokens, taken, known } = sentence
    const add = (a: number, b: number, traits: Partial<TitleCandidate>) => {
      const passage = found.size < MAX_CANDIDATES ? passageOf(text, sentence, a, b) : undefined
      if (!passage) return
      // “«la Rubia» en la peña”
      const quote = isQuote(sentenceTokens[passage.from]) ? passage.from : passage.from - 1
      const named = isQuote(sentenceTokens[quote]) ? sentenceTokens[quote + 1] : undefined
      if (named && isNickname(text, [named.from, sentenceTokens.at(-1)?.to ?? 0])) return
      const key = `${sentenceTokens[passage.from]?.from} ${fold(passage.title)}`
      const earlier = found.get(key)
      // “Das Konzert findet”: the words around the kind leave the verb out.
      const hasVerb = earlier && sentenceTokens.slice(earlier.from, earlier.to).some(isVerb)
      const { from, to, span } = passage
      const place = traits.phrase && hasVerb && { from, to, span }
      found.set(key, {
        ...passage,
        sentence,
        sentences,
        daySentence,
        lastDaySentence: last,
        ...earlier,
        ...place,
        ...traits,
      })
    }
    const addSpan = ([a, b]: Span, traits: Partial<TitleCandidate>) => {
      const from = sentenceTokens.findIndex(token => token.from >= a)
      const to = sentenceTokens.findLastIndex(token => token.to <= b) + 1
      if (from >= 0 && !taken.slice(from, to).includes(true)) add(from, to, traits)
    }
    for (const one of quoted) if (!isNickname(text, one)) addSpan(one, { isQuoted: true })
    for (const one of strong) addSpan(one, { isBold: true })
    for (const { from, to, end } of partsOf(text, sentence)) {
      add(from, to, {})
      if (end !== undefined) add(from, end, {})
    }
    const others = new Set(sentenceTokens.filter((_, i) => taken[i] || known[i]))
    for (const phrase of kindPhrases(sentenceTokens, token => others.has(token)))
      addSpan(phrase.span, { phrase })
  }
  return [...found.values()]
}

const lineOf = ({ sentenceTokens }: Sentence): number => sentenceTokens[0]?.line ?? 0

/** Words next to a day or an hour. */
const TIME_NOUNS = anyOf(WORDS.besideDayOrHour, setOf('h'))

/** True if a line says only when. */
const saysOnlyWhen = ({ sentenceTokens, taken }: Sentence): boolean =>
  sentenceTokens.every(
    ({ kind, folded }, i) =>
      kind !== 'word' ||
      taken[i] ||
      WORDS.small.has(folded) ||
      TIME_NOUNS.has(folded) ||
      isWeekdayOrMonth(folded),
  )

/** True if a line says only a genre, or that something is sold out. */
const saysOnlyGenre = ({ sentenceTokens }: Sentence): boolean =>
  sentenceTokens.every(
    ({ kind, folded }) =>
      kind === 'sign' ||
      [WORDS.small, GENRES, WORDS.namedGenres, WORDS.cancelled, WORDS.full].some(words => words.has(folded)),
  )

function quotedIn(text: string, [from, to]: Span): Span[] {
  const beginning = text.slice(from, Math.min(to, from + MAX_CHARACTERS))
  return [...beginning.matchAll(QUOTED)].map((match): Span => {
    const inner = match.slice(1).find(Boolean) ?? ''
    const start = from + match.index + match[0].indexOf(inner)
    return [start, start + inner.length]
  })
}

const isQuote = (token: Token | undefined): boolean => token?.kind === 'sign' && QUOTES.includes(token.folded)

const NICKNAME = lazyPattern(String.raw`^(?:el|la|los|las|le|les|the|der|die|das) \p{Lu}`, 'u')
const NAME_BEFORE_QUOTE = lazyPattern(String.raw`(?<![\p{L}])(\p{Lu}\p{Ll}+) \S ?$`, 'u')

/** The most characters before a nickname that are looked at. */
const MAX_OF_NAME = 24

/** True for what is quoted after a first name: “Carmen «la Rubia»”, but not “Komödie „der Geizige“” */
function isNickname(text: string, [from, to]: Span): boolean {
  if (!NICKNAME().test(text.slice(from, to))) return false
  const [, name = ''] = NAME_BEFORE_QUOTE().exec(text.slice(Math.max(0, from - MAX_OF_NAME), from)) ?? []
  return name !== '' && !isKind(fold(name)) && !isPlaceWord(fold(name))
}

/**
 * The index of “se” and a verb at the end of a passage whose sentence continues, or -1: “Elle se lève” is a
 * title.
 */
function reflexiveAt(tokens: readonly Token[], from: number, to: number): number {
  let verb = to - 1
  while (verb > from && isOneOf(tokens[verb], WORDS.small)) verb--
  const isElided = isApostrophe(tokens[verb - 1])
  const pronoun = isElided ? verb - 2 : verb - 1
  if (tokens[pronoun]?.text !== (isElided ? 's' : 'se')) return -1
  const isOfTitle =
    isOneOf(tokens[pronoun - 1], WORDS.beforeReflexive) ||
    // “se tiendra”, at which passages end anyway
    isOneOf(tokens[verb], VERBS) ||
    tokens.slice(Math.max(0, from - 1), to).some(({ folded }) => QUOTES.includes(folded)) ||
    tokens[verb + 1]?.kind !== 'word'
  return isOfTitle ? -1 : pronoun
}

type Passage = Pick<TitleCandidate, 'title' | 'words' | 'span' | 'from' | 'to'>

/** Words after a title that say that nothing changes. */
const GOES_AHEAD_ANYWAY = /^(?:si se |fallt nicht aus)/

/** Words between a title and its day: “unser Winterrudern diesen Samstag”, “Pleno para el día 28”. */
const BEFORE_DAY = anyOf(THIS, WORDS.dayAfterTitle)

/** A passage without what is around its title, unless it names nothing. */
function passageOf(
  text: string,
  { sentenceTokens, taken, isClause }: Sentence,
  a: number,
  b: number,
): Passage | undefined {
  let [from, to] = [a, b]
  const isEdge = (i: number): boolean =>
    isMark(sentenceTokens, i) || '.-:/&'.includes(sentenceTokens[i]?.folded ?? '.')
  while (from < to && isEdge(from)) from++
  // “We'll dance”
  while (from < to && isContracted(sentenceTokens, from)) from++
  // “Das Konzert ist am …”, but “The Lamplighter”
  if (from === 0 && isClause && isOneOf(sentenceTokens[0], WORDS.articlesAndOwners)) from++
  while (to > from && isEdge(to - 1)) to--
  while (to > from && isOneOf(sentenceTokens[to - 1], BEFORE_DAY) && taken[to]) to--
  if (taken[to] || isOneOf(sentenceTokens[to], WORDS.belongingTo)) to -= weekendBefore(sentenceTokens, to)
  // “la conférence a lieu le mardi”
  const end = isOneOf(sentenceTokens[to - 1], WORDS.small) ? to - 1 : to
  if (sentenceTokens[end - 1]?.folded === 'lieu' && isOneOf(sentenceTokens[end - 2], WORDS.beforeLieu))
    to = end - 2
  // “Le festival s’installe à …”, “El torneo se disputa en …”
  const reflexive = reflexiveAt(sentenceTokens, from, to)
  if (reflexive > from) to = reflexive
  // “Der Kinderball fällt NICHT aus”, “La cena SÍ se hace”
  const stays = sentenceTokens.findIndex(
    ({ folded }, i) =>
      i > from &&
      i < to &&
      GOES_AHEAD_ANYWAY.test(`${folded} ${sentenceTokens[i + 1]?.folded} ${sentenceTokens[i + 2]?.folded}`),
  )
  if (stays > 0) to = stays
  // “Potato Day’s back”, but “The Boys Are Back”
  if (sentenceTokens[to - 1]?.text === 'back' && sentenceTokens[to - 2]?.folded === 's') to -= 3
  // “Das Suppenfest ist heuer am 21. Februar”, but “Life is good, 5 March”
  const copula = sentenceTokens.findLastIndex(
    (_, i) =>
      i > from && i >= to - 2 && i < to && WORDS.betweenTitleAndDay.has(sentenceTokens[i]?.text ?? ''),
  )
  if (copula > from && to < sentenceTokens.length && !isMark(sentenceTokens, to)) to = copula
  // “The Tatty Players present The Winter Guest”
  const presented = sentenceTokens.findLastIndex(
    ({ folded }, i) => i > from && i < to - 1 && WORDS.shows.has(folded),
  )
  if (presented > 0) from = presented + 1
  // “Die Strickgruppe trifft sich”
  while (
    to - from > 1 &&
    sentenceTokens[to - 1]?.folded === sentenceTokens[to - 1]?.text &&
    isOneOf(sentenceTokens[to - 1], WORDS.meets)
  )
    to--
  // “lädt um 15 Uhr zur Führung durch das Museum ein”
  if (WORDS.invitingTo.has(sentenceTokens[from]?.text ?? '')) from++
  if (sentenceTokens[to - 1]?.text === 'ein' && hasAny(sentenceTokens, WORDS.germanInvites)) to--
  // “5K run” and “Carrera 10K”
  const isOfNumber = (i: number): boolean =>
    sentenceTokens[i]?.kind === 'word' &&
    !sentenceTokens[i]?.isSpaced &&
    sentenceTokens[i - 1]?.kind === 'number' &&
    !taken[i - 1]
  if (isOfNumber(from)) from--
  if (isOfNumber(to + 1)) to += 2
  const [first, last, before, next] = [
    sentenceTokens[from],
    sentenceTokens[to - 1],
    sentenceTokens[from - 1],
    sentenceTokens[to],
  ]
  // “90s”
  const isWithinWord = next && next.kind !== 'sign' && !next.isSpaced
  if (!first || !last || to <= from || isWithinWord) return undefined
  // A quotation mark or a bracket without the other belongs to it as well.
  const count = (marks: string): number =>
    sentenceTokens.slice(from, to).filter(({ folded }) => marks.includes(folded)).length
  const isHalf = count('"') % 2 === 1
  const isOpen = isHalf || count('([«„') > count(')]»')
  const isClosed = isHalf || count(')]»') > count('([«„')
  const opening = isClosed && before && OPENING_MARKS.includes(before.folded) ? before : undefined
  const closing = isOpen && !opening && next && CLOSING_MARKS.includes(next.folded) ? next : undefined
  if ((isOpen || isClosed) && !opening && !closing) return undefined
  const mark = next && !next.isSpaced && '?…'.includes(next.folded) ? next : undefined
  const span: Span = [(opening ?? first).from, (closing ?? mark ?? last).to]
  // “l’atelier”, but “L’Avare”
  const isName = before !== undefined && QUOTES.includes(before.folded)
  const title = tidyTitle(text.slice(...span)).replace(isName ? '' : /^[ldLD]['’](?=[a-zà-ÿ])/, '')
  const words = significantWords(title)
  const isTitle = words.some(isNaming) && title.split(' ').length <= MAX_WORDS
  return isTitle ? { title, words, span, from, to } : undefined
}

const WEEKEND =
  / (?:,|(?:on|over|the|am|le|el|en|ce|das)(?: the)?) (?:weekend|wochenende|week - end|fin de semana|finde)$/

/**
 * The number of tokens of “, weekend”, “am Wochenende”, “le week-end” and “el fin de semana” before a token.
 */
function weekendBefore(tokens: readonly Token[], to: number): number {
  const end = isOneOf(tokens[to - 1], WORDS.belongingTo) ? to - 1 : to
  const words = tokens.slice(Math.max(0, end - 6), end).map(({ folded }) => folded)
  const [said] = WEEKEND.exec(words.join(' ')) ?? []
  return said === undefined ? 0 : said.trim().split(' ').length + (to - end)
}

/** What a course is counted in: “acht Mal”, “10 séances”. */
export const COURSE_UNITS = anyOf(WORDS.meetings, WORDS.timesOfCourses)

const BEFORE_NEWS = anyOf(WORDS.greetings, WORDS.beforeNews)

type Part = { from: number; to: number; end?: number }

/**
 * The parts of a sentence between its marks and mentions, and where the next one ends, if both may be one
 * title.
 */
function partsOf(text: string, { sentenceTokens, taken, known }: Sentence): Part[] {
  const parts: Part[] = []
  // Columns
  const isAfterGap = (i: number): boolean =>
    i > 0 && /\s{2}|\t/.test(text.slice(sentenceTokens[i - 1]?.to, sentenceTokens[i]?.from))
  let from = 0
  for (let i = 0; i <= sentenceTokens.length && parts.length < MAX_PARTS; i++) {
    const isEnd = i === sentenceTokens.length || taken[i] || isMark(sentenceTokens, i)
    if (!isEnd && !isAfterGap(i)) continue
    if (i > from) parts.push({ from, to: i })
    from = isEnd ? i + 1 : i
  }
  for (const [n, part] of parts.entries()) {
    const next = parts[n + 1]
    // “Hiking Club: Winter walk”
    const isName =
      known.slice(part.from, part.to).every(Boolean) ||
      // “Pfarrsaal: Kehraus”, but “Improtheater: Die Sprungfedern”
      sentenceTokens
        .slice(part.from, part.to)
        .every(({ folded }) => isPlaceWord(folded) && !folded.endsWith('theater'))
    const isWhere =
      next && next.to === next.from + 1 && isOneOf(sentenceTokens[next.from], WORDS.aroundTimesAfterTitle)
    // “Wassergymnastik: acht Mal montags”
    const isCount =
      next !== undefined &&
      next.to - next.from < 3 &&
      isOneOf(sentenceTokens[next.to - 1], COURSE_UNITS) &&
      (sentenceTokens[next.from]?.kind === 'number' || isOneOf(sentenceTokens[next.from], NUMBER_WORDS))
    // “Bonjour Paul, la répétition …”, “Sorry all, the talk …”, but “Sorry, Wrong Number”
    const isGreeting =
      isOneOf(sentenceTokens[part.from], BEFORE_NEWS) &&
      next &&
      isOneOf(sentenceTokens[next.from], WORDS.articlesAndOwners)
    if (
      !next ||
      isWhere ||
      isName ||
      isGreeting ||
      isCount ||
      // “GEMEINDE INFO - Seniorennachmittag”
      (':-'.includes(sentenceTokens[part.to]?.folded ?? '.') &&
        isLabel(sentenceTokens.slice(part.from, part.to)))
    )
      continue
    let at = part.to
    while (at < next.from && !taken[at] && !isAfterGap(at) && !isBreak(sentenceTokens[at])) at++
    if (at === next.from && !isAfterGap(at)) part.end = next.to
  }
  return parts
}

/** True for exclamation marks, bars and pictures. */
const isBreak = (token: Token | undefined): boolean =>
  token !== undefined && ('!?|•[]'.includes(token.folded) || isPictogram(token))
