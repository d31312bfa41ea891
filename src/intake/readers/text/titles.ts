import { BETWEEN_WORDS, LETTER, lazyPattern } from '../../../lib/pattern.ts'
import { fold } from '../../../lib/text.ts'
import { type KindPhrase, kindPhrases } from './kinds.ts'
import {
  CALLS,
  CAPITALIZED,
  isNaming,
  MAX_AROUND,
  MAX_WORDS,
  type PhraseContext,
  SMALL_AT_FIRST,
  significant,
  type TitleMention,
  tidy,
  titleOfSentence,
  withoutMarks,
} from './phrases.ts'
import type { PlainText, Span } from './plain.ts'
import type { Token } from './tokens.ts'
import {
  ADMISSION,
  BODIES,
  GREETINGS,
  HOUSES,
  isKind,
  isPlaceWord,
  NOT_THE_DAY,
  OTHER_MATTERS,
  PRESENTING,
  SHEETS,
  SMALL,
  setOf,
  VERBS,
  weekdayOf,
} from './words.ts'

const QUOTED =
  /»([^«»\n]{2,120})«|«([^«»\n]{2,120})»|„([^„“”"\n]{2,120})[“”"]|“([^“”\n]{2,120})”|"([^"\n]{2,120})"/g
const LABEL =
  /^\W{0,4}(?:titel|was|veranstaltung|thema|title|what|event|quoi|titre|qué|que|título|evento|acto)\W{0,3}[:?][\s*]{0,3}/i
/** Words of which each letter is a capital. */
const CAPITALS = lazyPattern(String.raw`\p{Lu}{3,}(?:[ -]\p{Lu}{2,}){0,6}(?!\p{Ll})`, 'gu')
/** Words before a kind of event that stands at the beginning of a sentence. */
const MAX_BEFORE = 4
/** Words of a short line. */
const MAX_SHORT = 5
const MAX_SENTENCES = 40
/** A title stands in the first lines. */
const MAX_CHARACTERS = 2_000

/** Where a title may stand in the text of an event. */
type Announcement = TitleContext & {
  text: string
  strong: readonly Span[]
  span: Span
  tokens: readonly Token[]
  sentences: readonly Sentence[]
  /** The index of the sentence with the day, or -1. */
  dated: number
  /** The sentences above it that may be a title. */
  above: readonly Sentence[]
}

/** Finds a title in one kind of place. */
type Source = (announcement: Announcement) => TitleMention | undefined

/** Where titles stand, the surest first. */
const SOURCES: readonly Source[] = [
  labelled,
  quotedAbove,
  emphasised,
  inCapitals,
  headingOfKind,
  kindOnTheDay,
  kindAbove,
  quotedBelow,
  heading,
  bareKindOnTheDay,
  lineOfTheDay,
  lineBelow,
]

/** The title of the event in a part of a text. */
export function titleIn(
  { text, strong }: Pick<PlainText, 'text' | 'strong'>,
  span: Span,
  tokens: readonly Token[],
  context: TitleContext,
): TitleMention | undefined {
  const sentences = sentencesOf(tokens).slice(0, MAX_SENTENCES)
  const dated = sentences.findIndex(({ span: [a, b] }) => a <= context.start && context.start <= b)
  const above = sentencesAbove(text, sentences, dated, context)
  const announcement = { ...context, text, strong, span, tokens, sentences, dated, above }
  for (const source of SOURCES) {
    const found = source(announcement)
    if (found) return found
  }
  return undefined
}

/** «Was: Sommerfest» */
function labelled({ text, span: [from, to], mentions, names }: Announcement): TitleMention | undefined {
  for (const [start, end] of linesOf(text, from, to)) {
    const label = LABEL.exec(text.slice(start, Math.min(end, start + 60)))?.[0]
    const found = label && shortened(text, [start + label.length, end], mentions)
    if (found) return quotedIn(text, [start, end], names) ?? found
  }
  return undefined
}

/** The end of the sentence with the day: what is quoted further down is a verse, a review, or a point of the programme. */
const headOf = ({ span: [from, to], tokens, start }: Announcement): Span => {
  const dated = tokens.find(token => token.from <= start && start <= token.to)?.sentence
  return [from, tokens.findLast(({ sentence }) => sentence === dated)?.to ?? to]
}

/** What is quoted before the day, or in the same sentence. */
function quotedAbove(announcement: Announcement): TitleMention | undefined {
  const [from, to] = headOf(announcement)
  // A point within quotation marks ends the sentence.
  const end = lineAround(announcement.text, [to, to])[1]
  const found = quotedIn(announcement.text, [from, end], announcement.names)
  return found && found.span[0] < to ? found : undefined
}

/** What is quoted below the day, in a sentence without a time. */
function quotedBelow(announcement: Announcement): TitleMention | undefined {
  const { text, span, start, names, times } = announcement
  const lines = linesOf(text, ...span)
  const near = lines.findIndex(([, end]) => end >= start)
  const from = headOf(announcement)[1]
  const to = lines[near + 1]?.[1] ?? span[1]
  return times.some(([a]) => from <= a && a < to) ? undefined : quotedIn(text, [from, to], names)
}

/** What is printed in bold type, and no day. */
function emphasised({ text, strong, span: [from, to], mentions }: Announcement): TitleMention | undefined {
  const found = strong.find(
    ([a, b]) =>
      a >= from &&
      b <= to &&
      isNaming(significant(text.slice(a, b))) &&
      !mentions.some(([c, d]) => c < b && a < d),
  )
  return found && shortened(text, found, mentions)
}

/** The sentences above the day that may be a title. */
const sentencesAbove = (
  text: string,
  sentences: readonly Sentence[],
  dated: number,
  context: TitleContext,
): readonly Sentence[] =>
  sentences.slice(0, Math.max(dated, 0)).filter((sentence, i) => {
    // «The Puppet Company / presents: …»
    const isPresenter = PRESENTING.has(sentences[i + 1]?.own[0]?.low ?? '')
    // Heads of tables, and the path of a web page
    const isTableHead = /\t.*\t| [>›] /.test(text.slice(...sentence.span))
    return !isPresenter && !isTableHead && !isNoTitle(text, sentence, i === 0, context)
  })

/** A line above the day with a kind of event. */
function headingOfKind(announcement: Announcement): TitleMention | undefined {
  for (const { span, own } of announcement.above) {
    const kind = kindIn(announcement.text, own, announcement)
    const title = kind && !isSentence(own) && titleOfSentence(announcement.text, span, own, announcement)
    // «Reminder of the quiz»
    if (title && !(kind.hasArticle && title.title.includes(kind.title))) return title
  }
  return undefined
}

/** The kind of event in the sentence with the day, with the words around it. */
function kindOnTheDay({ sentences, dated, ...rest }: Announcement): TitleMention | undefined {
  const { span, own } = sentences[dated] ?? {}
  const kind = span && own && kindIn(rest.text, own, rest)
  if (!kind) return undefined
  const isLetter = GREETINGS.has(own[0]?.low ?? '')
  const line = !isSentence(own) && !isLetter ? titleOfSentence(rest.text, span, own, rest) : undefined
  const isOfLine = line?.title.includes(kind.title)
    ? !kind.hasArticle
    : line && !/^\s?[,:]/.test(rest.text.slice(line.span[1]))
  return isOfLine ? line : kind.score > 0 ? kind : undefined
}

/** A word for a kind of event at the beginning of the sentence with the day: «Our quiz is on …» */
function bareKindOnTheDay({ sentences, dated, ...rest }: Announcement): TitleMention | undefined {
  const { own = [] } = sentences[dated] ?? {}
  const kind = kindIn(rest.text, own, rest)
  const before = own.filter(
    ({ kind: type, to }) => type === 'word' && kind !== undefined && to <= kind.span[0],
  )
  const isPresented = before.slice(-2).some(({ low }) => PRESENTING.has(low))
  return before.length <= MAX_BEFORE || isPresented ? kind : undefined
}

/** The kind of event in a sentence above the day, with words around it. */
function kindAbove(announcement: Announcement): TitleMention | undefined {
  // A short line is a name as a whole, or none: «Blasmusik trifft Pop».
  const isWhole = ({ span: [, to], own }: Sentence): boolean =>
    own.length < MAX_SHORT && !/[.!]/.test(announcement.text[to - 1] ?? '')
  const kinds = announcement.above
    .filter(sentence => !isWhole(sentence))
    .map(({ own }) => kindIn(announcement.text, own, announcement))
  return kinds.find(kind => kind && kind.score > 0)
}

/** Tells if nothing but marks stands before a passage in its line. */
const beginsLine = (text: string, from: number): boolean =>
  !LETTER().test(text.slice(text.lastIndexOf('\n', from - 1) + 1, from).slice(-MAX_AROUND))

/** Tells if a line is the name of a club, and not what takes place «with the Bowling Club». */
function isOrganization({ title, span: [from, to] }: TitleMention, own: readonly Token[]): boolean {
  const words = own.filter(token => from <= token.from && token.to <= to)
  const at = words.findIndex(({ low }) => BODIES.has(low) || BODY_ENDS.test(low))
  return isClub(title) || (at >= 0 && !words.slice(0, at).some(({ low }) => SMALL.has(low)))
}
/** Tells if a name begins with the letters of a sports club, and no opponent follows: «RC Castelmaur». */
const isClub = (title: string): boolean =>
  CLUB().test(title) && !/\s(?:[-–—]|vs?\.?|contre|gegen|contra)\s/.test(title)
const CLUB = lazyPattern(
  String.raw`^(?:AFC|AC|AS|BC|CD|CF|FC|HBC|HC|KV|MV|MG|RFC|RC|SC|SG|SK|SV|TC|TSV|TuS|TV|UD|US|VBC|VfB|VfL|WSV)\s\p{Lu}`,
  'u',
)
/** Ends of German compounds for clubs. */
const BODY_ENDS = /(?:verein|klub|club|verband|gesellschaft|gemeinde|gilde|zunft)$/

/** A line above the day that stands for itself. */
function heading(announcement: Announcement): TitleMention | undefined {
  for (const { span, own } of announcement.above) {
    const isLong = own.length >= MAX_WORDS && announcement.text[span[1] - 1] === '.'
    const isLetter = GREETINGS.has(own[0]?.low ?? '')
    // «Mary Miller, mayor of Neustadt,» and «Fancy a dance?»
    const isList = /[,?]/.test(announcement.text[span[1] - 1] ?? '')
    if (!beginsLine(announcement.text, span[0]) || isLetter || isList || isLong || isSentence(own)) continue
    const title = titleOfSentence(announcement.text, span, own, announcement)
    if (title && !isOrganization(title, own)) return title
  }
  return undefined
}

/** What stands in the line with the day, or what somebody presents in its sentence. */
function lineOfTheDay({ sentences, dated, ...rest }: Announcement): TitleMention | undefined {
  const { span, own } = sentences[dated] ?? {}
  if (!span || !own || (isSentence(own) && !presents(own)) || own.some(({ low }) => SHEETS.has(low)))
    return undefined
  // The first column of a table says for whom it is.
  const cells = rest.text.slice(...span).split('\t')
  const first = span[0] + (cells[0]?.length ?? 0)
  if (cells.length > 2 && !rest.mentions.some(([a]) => span[0] <= a && a < first)) return undefined
  const found =
    titleOfSentence(rest.text, span, own, rest) ??
    titleOfSentence(rest.text, span, own, { ...rest, isShortTaken: true })
  if (!found) return undefined
  const isPresented =
    presents(own) && (CAPITALIZED().test(found.title) || significant(found.title).some(isKind))
  return isPresented || (!presents(own) && standsOut(rest, span, found)) ? found : undefined
}

/** Tells if a passage begins or ends with a word for a place. */
function endsInPlace(text: string): boolean {
  const words = significant(text)
  return [words[0], words.at(-1)].some(word => isPlaceWord(word ?? ''))
}

/** Tells if a passage in the sentence of the day is more likely a name of what takes place than one of a place or a part of the sentence. */
function standsOut(
  { text, mentions }: PhraseContext & { text: string },
  [from, to]: Span,
  { title, span }: TitleMention,
): boolean {
  const words = significant(title)
  const isPlace =
    !words.some(isKind) &&
    [words[0], words.at(-1)].some(
      word => isPlaceWord(word ?? '') || HOUSES.has(word ?? '') || SAINTS.has(word ?? ''),
    )
  // «El jueves que viene», but «Thursday's Toddler Group»
  const isOfDay =
    words.some(word => weekdayOf(word) > 0) &&
    !CAPITALIZED().test(
      title
        .split(' ')
        .slice(1)
        .find(word => word.length > 3) ?? '',
    )
  // «die Frist endet am», but «micro abierto» in a message without capitals
  const isSmall = SMALL_AT_FIRST().test(title) && HAS_CAPITAL().test(text.slice(from, to))
  // «18.02. Neustadt, Zeche Ernestine», but «The choir sings, Town Hall»
  const after = text.slice(span[1], Math.min(to, span[1] + MAX_AROUND))
  const follows = /^\s?,\s*(?!(?:mit|with|avec|con|par|por|by|de|von)\s)([^;.()–|]{2,80})/.exec(after)?.[1]
  // «Fireside tales, on 30.11.»
  const next = span[1] + (BEFORE_NEXT().exec(after)?.[0].length ?? 0)
  const isMention = mentions.some(([a, b]) => a <= next && next < b)
  const hasPlace = words.length > 1 && (follows ?? '').split(',').some(part => endsInPlace(part))
  const isClear = follows === undefined || isMention || hasPlace
  return !isPlace && !isClub(title) && !isOfDay && !isSmall && isClear
}
const BEFORE_NEXT = lazyPattern(String.raw`^[\s,]*(?:\p{Ll}{1,4}\s+)?`, 'u')
const HAS_CAPITAL = lazyPattern(String.raw`\p{Lu}`, 'u')
const SAINTS = setOf('san santa santo st saint sainte sankt')

/** The line below one that says nothing but the day. */
function lineBelow({ sentences, dated, ...rest }: Announcement): TitleMention | undefined {
  const { span, own } = sentences[dated + 1] ?? {}
  if (!span || !own || dated < 0 || isSentence(own) || isNoTitle(rest.text, { span, own }, false, rest))
    return undefined
  const isAlone =
    saysNoMore(rest.text, sentences[dated]?.span, rest) && !/[!?]/.test(rest.text[span[1] - 1] ?? '')
  const found = isAlone ? titleOfSentence(rest.text, span, own, rest) : undefined
  return found && standsOut(rest, span, found) ? found : undefined
}

const SMALL_LETTERS = lazyPattern(String.raw`\p{Ll}{3}`, 'u')

/** Words in capitals within a sentence that has others: «lädt zum NEUJAHRSBALL der Feuerwehr». */
function inCapitals(announcement: Announcement): TitleMention | undefined {
  const { text, mentions } = announcement
  const [from, to] = headOf(announcement)
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

/** The line around a passage, as far as it is looked at. */
function lineAround(text: string, [from, to]: Span): Span {
  const before = text.slice(Math.max(0, from - MAX_AROUND), from)
  const after = text.slice(to, to + MAX_AROUND)
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
export type TitleContext = PhraseContext & {
  names: readonly string[]
  start: number
  times: readonly Span[]
  /** The days that are not those of the event. */
  others: readonly Span[]
}

/** «…», said the mayor */
const SAYING =
  /^,?\s(?:said|says|so|sagte?|erklärte?|meinte?|betont|dit|explique|déclare|raconte|señaló|dijo|explicó|explica|afirma|afirmó)(?:\s|$)/
/** Before the names of bands and choirs. */
const PERFORMING = setOf(
  'live danach band partyband tanzband gruppe trio duo quartett chor ensemble orchester kapelle tanzkapelle dj groupe orchestre compagnie cie troupe grupo banda coro orquesta compania feat choir orchestra quartet',
)

/** The first passage in quotation marks that names something. A single word gets the words around it. */
function quotedIn(text: string, [from, to]: Span, names: readonly string[]): TitleMention | undefined {
  const passages = text.slice(from, Math.min(to, from + MAX_CHARACTERS))
  for (const match of passages.matchAll(QUOTED)) {
    const inner = (match.slice(1).find(Boolean) ?? '').trim()
    const words = significant(inner)
    const before = text.slice(Math.max(from, from + match.index - 12), from + match.index)
    const length = inner.split(' ').length
    const isSpeech =
      (/[:,]\s*$/.test(before) && length > 6) ||
      /[.!?]$/.test(inner) ||
      (inner.endsWith(',') && length > 4) ||
      SAYING.test(passages.slice(match.index + match[0].length).slice(0, 20)) ||
      length > MAX_WORDS
    // «Fürchtet euch nicht» (Lk 2,10)
    const isVerse = /^\s?\((?:\d )?[^\s()]{2,10}\s\d{1,3}[,:]/.test(
      passages.slice(match.index + match[0].length).slice(0, 30),
    )
    // «live: »Tumbleweed Twins««
    const isPerformer = PERFORMING.has(fold(before).split(BETWEEN_WORDS()).filter(Boolean).at(-1) ?? '')
    // «im Vereinsheim »Frischauf««
    const isHouse = words.length === 1 && isPlaceWord(fold(before.trimEnd().split(' ').at(-1) ?? ''))
    if (
      words.length === 0 ||
      isSpeech ||
      isVerse ||
      isPerformer ||
      isHouse ||
      names.some(name => name.includes(fold(inner)))
    )
      continue
    const at = from + match.index
    const span: Span = [at, at + match[0].length]
    if (words.length > 1) return { title: withoutMarks(inner), span }
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
  const next = NEXT_LABEL().exec(text.slice(from, Math.min(to, from + MAX_AROUND)))?.index
  const cut = Math.min(
    to,
    next === undefined ? to : from + next,
    ...mentions.filter(([a]) => a > from && a < to).map(([a]) => a),
  )
  const title = tidy(text.slice(from, cut))
  const words = title.split(' ').length
  return significant(title).length > 0 && words <= MAX_WORDS ? { title, span: [from, cut] } : undefined
}

const presents = (own: readonly Token[]): boolean =>
  own.some(({ low }) => PRESENTING.has(low) || CALLS.has(low))

/** Tells if a passage is nothing but a day and a time. */
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

/** Tells if a passage is no heading: it has a verb, or begins with whom or what it is about. */
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

/** Tells if a sentence beside that with the day says what kind of text it is, whom it thanks, or who has to pay what. */
function isNoTitle(
  text: string,
  { span: [from, to], own }: Sentence,
  isFirst: boolean,
  { mentions, others }: TitleContext,
): boolean {
  const words = own.filter(({ kind }) => kind === 'word').map(({ low }) => low)
  const [first = '', second = ''] = words
  const hasNumber = /\d/.test(text.slice(from, to))
  const isDated =
    others.some(([a]) => a >= from && a < to) &&
    !mentions.some(([a]) => a >= from && a < to && !others.some(([b]) => a === b))
  return (
    isDated ||
    (isFirst && words.length < 7 && words.some(word => BODIES.has(word)) && !words.some(isKind)) ||
    SHEETS.has(first) ||
    (SHEETS.has(second) && words.length < 6) ||
    NOT_THE_DAY.has(first) ||
    (ADMISSION.has(first) && (hasNumber || words.length < 3)) ||
    words.some(word => OTHER_MATTERS.has(word))
  )
}
