import { BETWEEN_WORDS, LETTER, lazyPattern } from '../../../lib/pattern.ts'
import { fold } from '../../../lib/text.ts'
import { type KindPhrase, kindPhrases } from './kinds.ts'
import type { PlainText, Span } from './plain.ts'
import type { Token } from './tokens.ts'
import {
  ADMISSION,
  anyOf,
  CANCELLED,
  GREETINGS,
  isKind,
  isPlaceWord,
  LEADS,
  MONTHS,
  NO_TITLES,
  NOT_THE_DAY,
  OTHER_MATTERS,
  POSTPONED,
  PRESENTING,
  SHEETS,
  SMALL,
  setOf,
  VERBS,
  weekdayOf,
  wordsFor,
} from './words.ts'

/** A title, and where it stands. */
export type TitleMention = { title: string; span: Span }

const QUOTED =
  /»([^«»\n]{2,120})«|«([^«»\n]{2,120})»|„([^„“”"\n]{2,120})[“”"]|“([^“”\n]{2,120})”|"([^"\n]{2,120})"/g
const LABEL =
  /^\W{0,4}(?:titel|was|veranstaltung|thema|title|what|event|quoi|titre|qué|que|título|evento|acto)\W{0,3}[:?][\s*]{0,3}/i
/** Lines that say what kind of text it is. */
const HEADINGS =
  /^\W{0,4}(?:press release|for immediate release|news|notice|pressemitteilung|presseinformation|communiqué de presse|nota de prensa|einladung|invitation|invitación|veranstaltungshinweis|terminhinweis|ankündigung|bekanntmachung|correction|korrektur|berichtigung|rectificatif|corrección|rectificación|convocation|convocatoria|save the date|reminder|erinnerung|rappel|recordatorio)\W{0,4}$/i
/** Words of which each letter is a capital. */
const CAPITALS = lazyPattern(String.raw`\p{Lu}{3,}(?:[ -]\p{Lu}{2,}){0,6}(?!\p{Ll})`, 'gu')
/** Verbs whose object is the event. */
const LONGEST_WORDS = 10
const MOST_SENTENCES = 40
const MOST_PARTS = 20
/** Characters on each side of a passage that are looked at. */
const MOST_AROUND = 200
/** A title stands in the first lines. */
const MOST_CHARACTERS = 2_000
/** What may stand between «invites» and what one is invited to. */
const INVITING =
  /^(?:\s+(?:you|sie|vous|les|herzlich|alle|ganz|ein|all|cordialement|cordially|us|uns|nous|for|to|zum|zur|zu|al|au|aux|a|à|einem|einer|its|his|her|their|su|sus|son|sa|ses|the|das|der|die|den)(?=\s)){1,5}/i
/** What stands before an announcement in the same line. */
const NOTICE =
  /^\W{0,4}(?:reminder|save the date|einladung|erinnerung|recordatorio|rappel|hinweis|invitation|avis|aviso)\s?[:!–-]/i

const significant = (text: string): string[] =>
  fold(text)
    .split(BETWEEN_WORDS())
    .filter(word => word.length > 1 && !SMALL.has(word))

/**
 * The title of the event in a part of a text: what is quoted, what a label names, or the words before the day, the time and the place.
 */
export function titleIn(
  { text, strong }: Pick<PlainText, 'text' | 'strong'>,
  [from, to]: Span,
  tokens: readonly Token[],
  { mentions, organizers, names, start, others }: TitleContext,
): TitleMention | undefined {
  const context = { mentions, organizers, start, others }
  const lines = linesOf(text, from, to)
  // Quotation marks further down are of reviews, and of the points of a programme.
  const near = lines.findIndex(([, end]) => end >= start)
  // What is quoted in the sentence after the day is a verse or a review.
  const dated = tokens.find(token => token.from <= start && start <= token.to)?.sentence
  const head: Span = [
    from,
    tokens.findLast(({ sentence }) => sentence === dated)?.to ?? lines[near]?.[1] ?? to,
  ]
  for (const [start, end] of lines) {
    const label = LABEL.exec(text.slice(start, Math.min(end, start + 60)))?.[0]
    if (label) {
      const found = shortened(text, [start + label.length, end], mentions)
      if (found) return quotedIn(text, [start, end], names) ?? found
    }
  }
  const quoted = quotedIn(text, head, names)
  if (quoted) return quoted
  const emphasised = strong.find(
    ([a, b]) =>
      a >= from &&
      b <= to &&
      isNaming(significant(text.slice(a, b))) &&
      !mentions.some(([c, d]) => c < b && a < d),
  )
  if (emphasised) {
    const found = shortened(text, emphasised, mentions)
    if (found) return found
  }
  const capitals = inCapitals(text, head, mentions)
  if (capitals) return capitals
  const found = fromLines(text, tokens, { ...context, isShortTaken: false })
  if (found && found.score > UNSURE) return found
  return (
    quotedIn(text, [head[1], lines[near + 1]?.[1] ?? to], names) ??
    found ??
    fromLines(text, tokens, { ...context, isShortTaken: true })
  )
}

const SMALL_LETTERS = lazyPattern(String.raw`\p{Ll}{3}`, 'u')

/** Words in capitals within a sentence that has others: «lädt zum NEUJAHRSBALL der Feuerwehr». */
function inCapitals(text: string, [from, to]: Span, mentions: readonly Span[]): TitleMention | undefined {
  for (const { 0: found, index } of text.slice(from, to).matchAll(CAPITALS())) {
    const span: Span = [from + index, from + index + found.length]
    const [start, end] = lineAround(text, span)
    const title = tidy(found)
    const words = significant(title)
    if (mentions.some(([a, b]) => a < span[1] && span[0] < b)) continue
    if (found.length < 8 || !isNaming(words) || !SMALL_LETTERS().test(text.slice(start, span[0]))) continue
    if (end > span[1] && SMALL_LETTERS().test(text.slice(span[1], end))) return { title, span }
  }
  return undefined
}

/** A title that is so little sure stands behind what is quoted after the day. */
const UNSURE = 4

/** The line around a passage, as far as it is looked at. */
function lineAround(text: string, [from, to]: Span): Span {
  const before = text.slice(Math.max(0, from - MOST_AROUND), from)
  const after = text.slice(to, to + MOST_AROUND)
  const end = after.indexOf('\n')
  return [from - before.length + before.lastIndexOf('\n') + 1, to + (end < 0 ? after.length : end)]
}

/**
 * What a title is not.
 *
 * @property mentions the days, times, prices and places, at which a title ends
 * @property organizers where organizers are named: they present what is the title
 * @property names of the venues and organizers that are named, folded
 * @property start where the day of the event stands
 */
export type TitleContext = {
  mentions: readonly Span[]
  organizers: readonly Span[]
  names: readonly string[]
  start: number
  /** The days that are not those of the event. */
  others: readonly Span[]
}

/** The first passage in quotation marks that names something. A single word gets the words around it. */
function quotedIn(text: string, [from, to]: Span, names: readonly string[]): TitleMention | undefined {
  const passages = text.slice(from, Math.min(to, from + MOST_CHARACTERS))
  for (const match of passages.matchAll(QUOTED)) {
    const inner = (match.slice(1).find(Boolean) ?? '').trim()
    const words = significant(inner)
    const before = text.slice(Math.max(from, from + match.index - 12), from + match.index)
    const length = inner.split(' ').length
    const isSpeech =
      (/[:,]\s*$/.test(before) && length > 6) ||
      /[.!?]$/.test(inner) ||
      (inner.endsWith(',') && length > 4) ||
      length > LONGEST_WORDS
    // «Fürchtet euch nicht» (Lk 2,10)
    const isVerse = /^\s?\((?:\d )?[^\s()]{2,10}\s\d{1,3}[,:]/.test(
      passages.slice(match.index + match[0].length).slice(0, 30),
    )
    // «im Vereinsheim »Frischauf««
    const isHouse = words.length === 1 && isPlaceWord(fold(before.trimEnd().split(' ').at(-1) ?? ''))
    if (
      words.length === 0 ||
      isSpeech ||
      isVerse ||
      isHouse ||
      names.some(name => name.includes(fold(inner)))
    )
      continue
    const at = from + match.index
    const span: Span = [at, at + match[0].length]
    if (words.length > 1) return { title: tidy(inner), span }
    const [start, end] = partOf(text, [from, to], span)
    const around = text.slice(start, end)
    return significant(around).length <= 5 && !/\d/.test(around)
      ? { title: tidy(around), span: [start, end] }
      : { title: tidy(inner), span }
  }
  return undefined
}

/** The part of a line around a passage, up to a comma, a colon or the end of a sentence. */
function partOf(text: string, [from, to]: Span, [start, end]: Span): Span {
  let [left, right] = [start, end]
  while (left > from && !/[\n,:;.!?]/.test(text[left - 1] ?? '\n')) left--
  while (right < to && !/[\n,;.!?]/.test(text[right] ?? '\n')) right++
  return [left, right]
}

function linesOf(text: string, from: number, to: number): Span[] {
  const lines: Span[] = []
  for (let start = from; start < to; ) {
    const found = text.indexOf('\n', start)
    const end = found < 0 || found > to ? to : found
    if (LETTER().test(text.slice(start, end))) lines.push([start, end])
    start = end + 1
  }
  return lines
}

/** `, Wann:` after another label in the same line. */
const NEXT_LABEL = lazyPattern(String.raw`[,;|•·]\s{0,2}\p{L}{2,10}\s?:`, 'u')

/** A passage up to the first day, time, price or name in it. */
function shortened(text: string, [from, to]: Span, mentions: readonly Span[]): TitleMention | undefined {
  const next = NEXT_LABEL().exec(text.slice(from, Math.min(to, from + MOST_AROUND)))?.index
  const cut = Math.min(
    to,
    next === undefined ? to : from + next,
    ...mentions.filter(([a]) => a > from && a < to).map(([a]) => a),
  )
  const title = tidy(text.slice(from, cut))
  const words = title.split(' ').length
  return significant(title).length > 0 && words <= LONGEST_WORDS ? { title, span: [from, cut] } : undefined
}

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

/** Whether words name something, rather than a weekday or the reason why it is called off. */
const isNaming = (words: readonly string[]): boolean =>
  words.some(
    word =>
      weekdayOf(word) === 0 &&
      !NO_NAMES.has(word) &&
      !MONTHS.has(word) &&
      !SHEETS.has(word) &&
      /[a-z]/.test(word),
  ) && !words.some(word => CANCELLED.has(word) || POSTPONED.has(word) || NO_TITLES.has(word))

const BODIES = wordsFor('bodies')
const CALLS = setOf(
  'wir we nous ladt laden einladung herzliche herzlich announcing join venez come invites invitados invitadas invitation invitacion invited',
)

/** Words between an invitation and what it is to. */
const TO = setOf('zu zum zur to for al a au aux')

/** @property isShortTaken whether a title may be a short word: «Yoga» */
type PhraseContext = Omit<TitleContext, 'names'> & { isShortTaken: boolean }

/** What is found in a sentence or a line, the surest first: in that with the day, in those above it, and in the one below. */
function fromLines(text: string, tokens: readonly Token[], context: PhraseContext): Scored | undefined {
  const all = sentencesOf(tokens).slice(0, MOST_SENTENCES)
  const dated = all.findIndex(({ span: [from, to] }) => from <= context.start && context.start <= to)
  let best: Scored | undefined
  for (const [i, { span, own }] of all.entries()) {
    if (i !== dated && isNoTitle(text, span, tokens, context)) continue
    const isBelow = dated >= 0 && i > dated
    const isLine =
      isSentence(own) || isBelow
        ? (i === dated && presents(own)) || (i === dated + 1 && isBelow && isAlone(text, all, i, context))
        : i === dated || own.length < LONGEST_WORDS || text[span[1] - 1] !== '.'
    const line = isLine && titleOfSentence(text, span, tokens, context)
    const kind = kindIn(text, own, context)
    const isWithin = kind?.hasArticle === true && line && line.title.includes(kind.title)
    const found: (Scored | false | undefined)[] = [
      line && { ...line, score: isSentence(own) || isWithin ? 1 : 4 + (kind ? 2 : 0) - (isBelow ? 1 : 0) },
      kind && { ...kind, score: kind.score + (i === dated ? 4 : isBelow ? 0 : 3) },
    ]
    for (const one of found) if (one && one.score > (best?.score ?? 0)) best = one
  }
  return best
}
/** @property score how surely it is the title */
type Scored = TitleMention & { score: number }

/** Whether a passage stands in a line of its own below a day that stands in no sentence, or behind one that says nothing else. */
function isAlone(text: string, all: readonly Sentence[], i: number, context: PhraseContext): boolean {
  const [
    above,
    {
      span: [from, to],
      own,
    },
  ] = [all[i - 1], all[i] ?? { span: [0, 0], own: [] }]
  const isLine =
    text.slice(Math.max(0, from - 4), from).includes('\n') || saysNoMore(text, above?.span, context)
  return isLine && !isSentence(own) && !isSentence(above?.own ?? []) && !/[.!?]/.test(text[to - 1] ?? '')
}

const presents = (own: readonly Token[]): boolean =>
  own.some(({ low }) => PRESENTING.has(low) || CALLS.has(low))

/** Whether a passage is nothing but a day and a time. */
const saysNoMore = (text: string, [from, to]: Span = [0, 0], { mentions }: PhraseContext): boolean => {
  let at = from
  let rest = ''
  for (const [a, b] of mentions.filter(([a, b]) => a < to && b > from).sort(([a], [b]) => a - b)) {
    rest += text.slice(at, Math.max(at, a))
    at = Math.max(at, b)
  }
  return significant(rest + text.slice(at, to)).length === 0
}

/** What a sentence names with a kind of event, the surest. */
function kindIn(
  text: string,
  own: readonly Token[],
  { mentions, organizers }: PhraseContext,
): (TitleMention & KindPhrase) | undefined {
  const isTaken = ({ from, to }: Token) =>
    [mentions, organizers].some(spans => spans.some(([a, b]) => a < to && from < b))
  const [first] = kindPhrases(own, isTaken).sort((a, b) => b.score - a.score)
  const title = first && tidy(text.slice(...first.span))
  return first && title !== undefined && isNaming(significant(title)) ? { ...first, title } : undefined
}

/** Whether a passage is no heading: it has a verb, or begins with whom or what it is about. */
const isSentence = (own: readonly Token[]): boolean =>
  own.some(token => VERBS.has(token.low) || CLAUSES.has(token.low))
const CLAUSES = setOf('wir we nous nos ich they wie como comme after nach apres tras once es it llega arrive')

type Sentence = { span: Span; own: Token[] }

/** The sentences of a text, each at most a line. */
function sentencesOf(tokens: readonly Token[]): Sentence[] {
  const found: Sentence[] = []
  let before: Token | undefined
  for (const token of tokens) {
    const last = found.at(-1)
    if (last && before && before.sentence === token.sentence && before.line === token.line) {
      last.span[1] = token.to
      last.own.push(token)
    } else found.push({ span: [token.from, token.to], own: [token] })
    before = token
  }
  return found
}

/** Whether a sentence beside that with the day says what kind of text it is, whom it thanks, or who has to pay what. */
function isNoTitle(
  text: string,
  [from, to]: Span,
  tokens: readonly Token[],
  { mentions, others }: PhraseContext,
): boolean {
  const words = tokens
    .filter(token => token.from >= from && token.to <= to && token.kind === 'word')
    .map(({ low }) => low)
  const [first = '', second = ''] = words
  const hasNumber = /\d/.test(text.slice(from, to))
  const isDated =
    others.some(([a]) => a >= from && a < to) &&
    !mentions.some(([a]) => a >= from && a < to && !others.some(([b]) => a === b))
  return (
    isDated ||
    (from === tokens[0]?.from && words.length < 7 && words.some(word => BODIES.has(word))) ||
    SHEETS.has(first) ||
    (SHEETS.has(second) && words.length < 6) ||
    NOT_THE_DAY.has(first) ||
    (ADMISSION.has(first) && (hasNumber || words.length < 3)) ||
    words.some(word => OTHER_MATTERS.has(word))
  )
}

/** The title in a sentence, unless it is a greeting. */
function titleOfSentence(
  text: string,
  [from, to]: Span,
  tokens: readonly Token[],
  context: PhraseContext,
): TitleMention | undefined {
  const notice = NOTICE.exec(text.slice(from, Math.min(to, from + 30)))?.[0].length ?? 0
  const sentence = text.slice(from + notice, to)
  if (significant(sentence).length === 0 || HEADINGS.test(sentence)) return undefined
  return fromSentence(text, [from + notice + greetingIn(sentence), to], tokens, context)
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

const CAPITALIZED = lazyPattern(String.raw`^\p{Lu}`, 'u')
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
    .slice(0, MOST_PARTS)
    .filter(([a, b]) => !isOrganizer(from + a, from + b))
  for (const [n, [begin, b]] of parts.entries()) {
    const lead = own.findLast(
      token => LEADS.has(token.low) && token.from >= from + begin && token.to <= from + b,
    )
    const a = lead ? lead.to - from : begin
    const next = parts[n + 1]
    // «Talk: Bees in the Garden»
    const isKind =
      !verb &&
      passage[b] === ':' &&
      next !== undefined &&
      next[0] - b < 4 &&
      !/\d/.test(passage.slice(...next)) &&
      to === from + passage.length &&
      (next[1] === passage.length || passage[next[1]] !== ':')
    const joint = isKind ? tidy(passage.slice(a, next[1])) : ''
    if (
      isKind &&
      isNaming(significant(passage.slice(...next))) &&
      joint.split(' ').length <= LONGEST_WORDS &&
      significant(passage.slice(a, b)).length < 3 &&
      !lead
    )
      return { title: joint, span: [from + a, from + next[1]] }
    const title = tidy(passage.slice(a, b))
    const words = significant(title)
    if (
      !isNaming(words) ||
      CODE.test(title) ||
      title.split(' ').length > LONGEST_WORDS ||
      AT_A_PLACE.test(title)
    )
      continue
    const isShort =
      words.length === 1 &&
      (words[0]?.length ?? 0) < 5 &&
      !(CAPITALIZED().test(title) && title.length > 4) &&
      !THREE_CAPITALS().test(title)
    // «Loto» in a line of its own
    const isAlone = !hasMentions && text.slice(from, to).trim() === title
    // «Buy at», before an address
    const isCut = passage.slice(a, b).trim() !== title
    if (isShort && ((!isShortTaken && !isAlone) || isCut || title.length < 3 || SPACE_OR_SMALL().test(title)))
      continue
    return { title, span: [from + a, from + b] }
  }
  return undefined
}

/** What somebody presents: up to a comma, without articles and «cordially to the». */
function object(text: string, [from, to]: Span): TitleMention | undefined {
  // «Wir laden ein: …»
  const part = splitParts(text.slice(from, to)).find(
    ([a, b]) => significant(text.slice(from + a, from + b)).length > 0,
  )
  if (!part) return undefined
  const title = tidy(withoutPlace(text.slice(from + part[0], from + part[1]).replace(INVITING, '')))
  return isNaming(significant(title)) && title.split(' ').length <= LONGEST_WORDS
    ? { title, span: [from + part[0], from + part[1]] }
    : undefined
}

const SPLITS = lazyPattern(
  String.raw`[,;()|•·!?\t]|\*{2,}|\s[-–—/]{1,3}\s|:\s|\p{Extended_Pictographic}`,
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

const SMALL_AT_FIRST = lazyPattern(String.raw`^\p{Ll}`, 'u')

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

/** A title without the marks, articles and prepositions at its ends. It looks at each word once, since there may be ten thousand of them. */
function tidy(text: string): string {
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
