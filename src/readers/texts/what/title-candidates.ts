import { lazyPattern } from '../../../kit/lib/pattern.ts'
import { fold } from '../../../kit/lib/text.ts'
import { isNaming, significantWords, tidy } from '../words/phrases.ts'
import type { PlainText, Span } from '../words/plain.ts'
import { hasAny, isOneOf, QUOTES, type Token } from '../words/tokens.ts'
import {
  anyOf,
  CANCELLED,
  FULL,
  GREETINGS,
  isKind,
  isPlaceWord,
  isWeekdayOrMonth,
  MEETINGS,
  NUMBER_WORDS,
  OF,
  SMALL,
  setOf,
  VERBS,
  wordsFor,
} from '../words/words.ts'
import { kindPhrases } from './kinds.ts'
import {
  ARTICLES,
  isApostrophe,
  isContracted,
  isLabel,
  isMark,
  isPicture,
  isVerb,
  type Mentioned,
  type Sentence,
  sentencesOf,
} from './sentences.ts'
import { THIS, type TitleCandidate } from './title-points.ts'

// Passages that may be a title: parts of a line, what stands in quotation marks, and the words around a kind
// of event.

const MAX_PARTS = 20
const MAX_CANDIDATES = 300

/** Words of a title. */
const MAX_WORDS = 14

/** Characters in which quotation marks are looked for. */
const MAX_CHARACTERS = 2_000

const QUOTED =
  /»([^«»\n]{2,120})«|«([^«»\n]{2,120})»|„([^„“”"\n]{2,120})[“”"]|“([^“”\n]{2,120})”|"([^"\n]{2,120})"|(?<=^|[\s(])['‘]([^'‘’\n]{2,120})['’](?![a-zà-ÿ])/g

const OPENING = '([«„“"'
const CLOSING = ')]»”“"'

/** Before the names in the lines of a programme, and beside them: “New exhibition”, “Conférence publique” */
export const GENRES = anyOf(
  wordsFor('genres'),
  setOf(
    'premiere premieren estreno new neue neuer nouveau nouvelle nueva nuevo lunchtime public publique publica offentlich offentlicher',
  ),
)

/** Genres that are titles where no name stands near them. */
export const NAMED_GENRES = setOf(
  'concert konzert concierto lesung lecture reading vortrag talk conference conferencia charla webinar webinaire webinario kino cine cinema film filmabend pelicula projection screening rencontre auteur autrice author spectacle espectaculo presentation presentacion buchvorstellung',
)

/** All passages that may be a title. @param start where the day of the event stands */
export function candidatesIn(
  { text, strong }: Pick<PlainText, 'text' | 'strong'>,
  span: Span,
  tokens: readonly Token[],
  { start, ...context }: Mentioned & { start: number },
): TitleCandidate[] {
  const sentences = sentencesOf(tokens, context)
  const dated = sentences.findIndex(({ own }) => start <= (own.at(-1)?.to ?? 0))
  // “Sa”, “23”, “Jän”, “20 Uhr”, “KONZERT”, each in a line of its own above the name
  let last = dated
  const day = sentences[dated]
  const above = sentences[dated - 1]
  const isBelow = (line: Sentence): boolean => isBare(line) || isGenre(line)
  const isTitled = above && day && lineOf(above) === lineOf(day) - 1 && !isBelow(above)
  // “Mi 17. Feb. | 20.15”
  const isOfLine = (line: Sentence): boolean =>
    day !== undefined && lineOf(line) === lineOf(day) && isBare(line)
  if (day && isBare(day)) {
    const isMore = isTitled ? isOfLine : isBelow
    while (sentences.slice(last + 1, last + 2).some(isMore)) last++
  }
  const quoted = quotedIn(text, span)
  const found = new Map<string, TitleCandidate>()
  for (const sentence of sentences) {
    const { own, taken, known } = sentence
    const add = (a: number, b: number, way: Partial<TitleCandidate>) => {
      const passage = found.size < MAX_CANDIDATES ? passageOf(text, sentence, a, b) : undefined
      if (!passage) return
      // “«la Rubia» en la peña”
      const quote = isQuote(own[passage.from]) ? passage.from : passage.from - 1
      const named = isQuote(own[quote]) ? own[quote + 1] : undefined
      if (named && isNickname(text, [named.from, own.at(-1)?.to ?? 0])) return
      const key = `${own[passage.from]?.from} ${fold(passage.title)}`
      const earlier = found.get(key)
      // “Das Konzert findet”: the words around the kind leave the verb out.
      const hasVerb = earlier && own.slice(earlier.from, earlier.to).some(isVerb)
      const { from, to, span } = passage
      const place = way.phrase && hasVerb && { from, to, span }
      found.set(key, { ...passage, sentence, sentences, dated, last, ...earlier, ...place, ...way })
    }
    const addSpan = ([a, b]: Span, way: Partial<TitleCandidate>) => {
      const from = own.findIndex(token => token.from >= a)
      const to = own.findLastIndex(token => token.to <= b) + 1
      if (from >= 0 && !taken.slice(from, to).includes(true)) add(from, to, way)
    }
    for (const one of quoted) if (!isNickname(text, one)) addSpan(one, { isQuoted: true })
    for (const one of strong) addSpan(one, { isBold: true })
    for (const { from, to, end } of partsOf(text, sentence)) {
      add(from, to, {})
      if (end !== undefined) add(from, end, {})
    }
    const others = new Set(own.filter((_, i) => taken[i] || known[i]))
    for (const phrase of kindPhrases(own, token => others.has(token))) addSpan(phrase.span, { phrase })
  }
  return [...found.values()]
}

const lineOf = ({ own }: Sentence): number => own[0]?.line ?? 0

/** Words beside a day or an hour. */
const UNITS = setOf('uhr h hrs pm am heures horas date datum fecha')

/** True if a line says only when. */
const isBare = ({ own, taken }: Sentence): boolean =>
  own.every(
    ({ kind, low }, i) =>
      kind !== 'word' || taken[i] || SMALL.has(low) || UNITS.has(low) || isWeekdayOrMonth(low),
  )

/** True if a line says only a genre, or that something is sold out. */
const isGenre = ({ own }: Sentence): boolean =>
  own.every(
    ({ kind, low }) =>
      kind === 'sign' || [SMALL, GENRES, NAMED_GENRES, CANCELLED, FULL].some(words => words.has(low)),
  )

function quotedIn(text: string, [from, to]: Span): Span[] {
  const beginning = text.slice(from, Math.min(to, from + MAX_CHARACTERS))
  return [...beginning.matchAll(QUOTED)].map((match): Span => {
    const inner = match.slice(1).find(Boolean) ?? ''
    const start = from + match.index + match[0].indexOf(inner)
    return [start, start + inner.length]
  })
}

const isQuote = (token: Token | undefined): boolean => token?.kind === 'sign' && QUOTES.includes(token.low)

const NICKNAME = lazyPattern(String.raw`^(?:el|la|los|las|le|les|the|der|die|das) \p{Lu}`, 'u')
const NAME_BEFORE_QUOTE = lazyPattern(String.raw`(?<![\p{L}])(\p{Lu}\p{Ll}+) \S ?$`, 'u')

/** Characters before a nickname that are looked at. */
const MAX_OF_NAME = 24

/** True for what is quoted after a first name: “Carmen «la Rubia»”, but not “Komödie „der Geizige“” */
function isNickname(text: string, [from, to]: Span): boolean {
  if (!NICKNAME().test(text.slice(from, to))) return false
  const [, name = ''] = NAME_BEFORE_QUOTE().exec(text.slice(Math.max(0, from - MAX_OF_NAME), from)) ?? []
  return name !== '' && !isKind(fold(name)) && !isPlaceWord(fold(name))
}

/** Between who shows something and its name. */
const SHOWS = setOf('presents present prasentiert prasentieren presente presentent presenta presentan')

/** At the end of a clause whose subject names what takes place. */
const MEETS = setOf('trifft treffen sich will meets meet se reunit reunissent reune reunen')

/** Before what people are invited to: “lädt um 15 Uhr zur Führung ein”. */
const INVITING_TO = setOf('zum zur')

/** German verbs that invite. */
const INVITES = setOf('ladt laden')

/** Before “se” within a title: “Elle se lève”. */
const BEFORE_SE = setOf('il elle on ils elles qui sans pour de a ella ellos ellas que no ne sin para')

/** Where “se” and a verb end a passage, and the sentence goes on: “Elle se lève” is a title. */
function reflexiveAt(own: readonly Token[], from: number, to: number): number {
  let verb = to - 1
  while (verb > from && isOneOf(own[verb], SMALL)) verb--
  const isElided = isApostrophe(own[verb - 1])
  const pronoun = isElided ? verb - 2 : verb - 1
  if (own[pronoun]?.text !== (isElided ? 's' : 'se')) return -1
  const isOfTitle =
    isOneOf(own[pronoun - 1], BEFORE_SE) ||
    // “se tiendra”, at which passages end anyway
    isOneOf(own[verb], VERBS) ||
    own.slice(Math.max(0, from - 1), to).some(({ low }) => QUOTES.includes(low)) ||
    own[verb + 1]?.kind !== 'word'
  return isOfTitle ? -1 : pronoun
}

type Passage = Pick<TitleCandidate, 'title' | 'words' | 'span' | 'from' | 'to'>

/** Words after a title that say that nothing changes. */
const STAYS = /^(?:si se |fallt nicht aus)/

/** Before “lieu”. */
const HAS = setOf('a ont')

/** Verbs between a title and its day. */
const IS = setOf('is are ist sind est sont')

/** Between a title and its day: “unser Winterrudern diesen Samstag”, “Pleno para el día 28”. */
const BEFORE_DAY = anyOf(THIS, setOf('dia dias jour tag'))

/** Between a weekend and its days: “weekend of 5/6 June”. */

/** A passage without what is around its title, unless it names nothing. */
function passageOf(
  text: string,
  { own, taken, isClause }: Sentence,
  a: number,
  b: number,
): Passage | undefined {
  let [from, to] = [a, b]
  const isEdge = (i: number): boolean => isMark(own, i) || '.-:/&'.includes(own[i]?.low ?? '.')
  while (from < to && isEdge(from)) from++
  // “We'll dance”
  while (from < to && isContracted(own, from)) from++
  // “Das Konzert ist am …”, but “The Lamplighter”
  if (from === 0 && isClause && isOneOf(own[0], ARTICLES)) from++
  while (to > from && isEdge(to - 1)) to--
  while (to > from && isOneOf(own[to - 1], BEFORE_DAY) && taken[to]) to--
  if (taken[to] || isOneOf(own[to], OF)) to -= weekendBefore(own, to)
  // “la conférence a lieu le mardi”
  const end = isOneOf(own[to - 1], SMALL) ? to - 1 : to
  if (own[end - 1]?.low === 'lieu' && isOneOf(own[end - 2], HAS)) to = end - 2
  // “Le festival s’installe à …”, “El torneo se disputa en …”
  const reflexive = reflexiveAt(own, from, to)
  if (reflexive > from) to = reflexive
  // “Der Kinderball fällt NICHT aus”, “La cena SÍ se hace”
  const stays = own.findIndex(
    ({ low }, i) => i > from && i < to && STAYS.test(`${low} ${own[i + 1]?.low} ${own[i + 2]?.low}`),
  )
  if (stays > 0) to = stays
  // “Potato Day’s back”, but “The Boys Are Back”
  if (own[to - 1]?.text === 'back' && own[to - 2]?.low === 's') to -= 3
  // “Das Suppenfest ist heuer am 21. Februar”, but “Life is good, 5 March”
  const copula = own.findLastIndex((_, i) => i > from && i >= to - 2 && i < to && IS.has(own[i]?.text ?? ''))
  if (copula > from && to < own.length && !isMark(own, to)) to = copula
  // “The Tatty Players present The Winter Guest”
  const presented = own.findLastIndex(({ low }, i) => i > from && i < to - 1 && SHOWS.has(low))
  if (presented > 0) from = presented + 1
  // “Die Strickgruppe trifft sich”
  while (to - from > 1 && own[to - 1]?.low === own[to - 1]?.text && isOneOf(own[to - 1], MEETS)) to--
  // “lädt um 15 Uhr zur Führung durch das Museum ein”
  if (INVITING_TO.has(own[from]?.text ?? '')) from++
  if (own[to - 1]?.text === 'ein' && hasAny(own, INVITES)) to--
  // “5K run” and “Carrera 10K”
  const isOfNumber = (i: number): boolean =>
    own[i]?.kind === 'word' && !own[i]?.isSpaced && own[i - 1]?.kind === 'number' && !taken[i - 1]
  if (isOfNumber(from)) from--
  if (isOfNumber(to + 1)) to += 2
  const [first, last, before, next] = [own[from], own[to - 1], own[from - 1], own[to]]
  // “90s”
  const isWithinWord = next && next.kind !== 'sign' && !next.isSpaced
  if (!first || !last || to <= from || isWithinWord) return undefined
  // A quotation mark or a bracket without the other belongs to it as well.
  const count = (marks: string): number => own.slice(from, to).filter(({ low }) => marks.includes(low)).length
  const isHalf = count('"') % 2 === 1
  const isOpen = isHalf || count('([«„') > count(')]»')
  const isClosed = isHalf || count(')]»') > count('([«„')
  const opening = isClosed && before && OPENING.includes(before.low) ? before : undefined
  const closing = isOpen && !opening && next && CLOSING.includes(next.low) ? next : undefined
  if ((isOpen || isClosed) && !opening && !closing) return undefined
  const mark = next && !next.isSpaced && '?…'.includes(next.low) ? next : undefined
  const span: Span = [(opening ?? first).from, (closing ?? mark ?? last).to]
  // “l’atelier”, but “L’Avare”
  const isName = before !== undefined && QUOTES.includes(before.low)
  const title = tidy(text.slice(...span)).replace(isName ? '' : /^[ldLD]['’](?=[a-zà-ÿ])/, '')
  const words = significantWords(title)
  const isTitle = words.some(isNaming) && title.split(' ').length <= MAX_WORDS
  return isTitle ? { title, words, span, from, to } : undefined
}

const WEEKEND =
  / (?:,|(?:on|over|the|am|le|el|en|ce|das)(?: the)?) (?:weekend|wochenende|week - end|fin de semana|finde)$/

/**
 * The number of tokens of “, weekend”, “am Wochenende”, “le week-end” and “el fin de semana” before a token.
 */
function weekendBefore(own: readonly Token[], to: number): number {
  const end = isOneOf(own[to - 1], OF) ? to - 1 : to
  const words = own.slice(Math.max(0, end - 6), end).map(({ low }) => low)
  const [said] = WEEKEND.exec(words.join(' ')) ?? []
  return said === undefined ? 0 : said.trim().split(' ').length + (to - end)
}

/**
 * Before the time of an event, or of what is before it: “Emmausgang, Treffpunkt 6 Uhr”, “Bourse aux jouets :
 * dépôt vendredi”.
 */
const AROUND_TIMES = setOf(
  'depot annahme treffpunkt beginn anfang start einlass abfahrt abmarsch meet meeting doors starts depart departs rendez salida inicio comienzo',
)

/** What a course is counted in: “acht Mal”, “10 séances”. */
export const COURSE_UNITS = anyOf(MEETINGS, setOf('mal male times fois veces'))

const BEFORE_NEWS = anyOf(
  GREETINGS,
  setOf('sorry oops apologies oups desole desolee pardon entschuldigung ups perdon huy'),
)

type Part = { from: number; to: number; end?: number }

/**
 * The parts of a sentence between its marks and mentions, and where the next one ends, if both may be one
 * title.
 */
function partsOf(text: string, { own, taken, known }: Sentence): Part[] {
  const parts: Part[] = []
  // Columns
  const isWide = (i: number): boolean => i > 0 && /\s{2}|\t/.test(text.slice(own[i - 1]?.to, own[i]?.from))
  let from = 0
  for (let i = 0; i <= own.length && parts.length < MAX_PARTS; i++) {
    const isEnd = i === own.length || taken[i] || isMark(own, i)
    if (!isEnd && !isWide(i)) continue
    if (i > from) parts.push({ from, to: i })
    from = isEnd ? i + 1 : i
  }
  for (const [n, part] of parts.entries()) {
    const next = parts[n + 1]
    // “Hiking Club: Winter walk”
    const isName =
      known.slice(part.from, part.to).every(Boolean) ||
      // “Pfarrsaal: Kehraus”, but “Improtheater: Die Sprungfedern”
      own.slice(part.from, part.to).every(({ low }) => isPlaceWord(low) && !low.endsWith('theater'))
    const isWhere = next && next.to === next.from + 1 && isOneOf(own[next.from], AROUND_TIMES)
    // “Wassergymnastik: acht Mal montags”
    const isCount =
      next !== undefined &&
      next.to - next.from < 3 &&
      isOneOf(own[next.to - 1], COURSE_UNITS) &&
      (own[next.from]?.kind === 'number' || isOneOf(own[next.from], NUMBER_WORDS))
    // “Bonjour Paul, la répétition …”, “Sorry all, the talk …”, but “Sorry, Wrong Number”
    const isGreeting = isOneOf(own[part.from], BEFORE_NEWS) && next && isOneOf(own[next.from], ARTICLES)
    if (
      !next ||
      isWhere ||
      isName ||
      isGreeting ||
      isCount ||
      // “GEMEINDE INFO - Seniorennachmittag”
      (':-'.includes(own[part.to]?.low ?? '.') && isLabel(own.slice(part.from, part.to)))
    )
      continue
    let at = part.to
    while (at < next.from && !taken[at] && !isWide(at) && !isBreak(own[at])) at++
    if (at === next.from && !isWide(at)) part.end = next.to
  }
  return parts
}

/** True for exclamation marks, bars and pictures. */
const isBreak = (token: Token | undefined): boolean =>
  token !== undefined && ('!?|•[]'.includes(token.low) || isPicture(token))
