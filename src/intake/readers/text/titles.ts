import { BETWEEN_WORDS, LETTER, lazyPattern } from '../../../lib/pattern.ts'
import { fold } from '../../../lib/text.ts'
import { type KindPhrase, kindPhrases } from './kinds.ts'
import type { PlainText, Span } from './plain.ts'
import type { Token } from './tokens.ts'
import {
  ADMISSION,
  anyOf,
  BODIES,
  CANCELLED,
  FREE,
  GREETINGS,
  HOUSES,
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
  /^\W{0,4}(?:press release|for immediate release|news|notice|pressemitteilung|presseinformation|communiqué de presse|nota de prensa|einladung|invitation|invitación|veranstaltungshinweis|terminhinweis|ankündigung|bekanntmachung|correction|korrektur|berichtigung|rectificatif|corrección|rectificación|convocation|convocatoria|ausschreibung|flyer|plakat|affiche|cartel|poster|save the date|reminder|erinnerung|rappel|recordatorio)\W{0,4}$/i
/** Words of which each letter is a capital. */
const CAPITALS = lazyPattern(String.raw`\p{Lu}{3,}(?:[ -]\p{Lu}{2,}){0,6}(?!\p{Ll})`, 'gu')
/** Words of a title. */
const MAX_WORDS = 10
/** Words before a kind of event that stands at the beginning of a sentence. */
const MAX_BEFORE = 4
const MAX_SENTENCES = 40
const MAX_PARTS = 20
/** Characters on each side of a passage that are looked at. */
const MAX_AROUND = 200
/** A title stands in the first lines. */
const MAX_CHARACTERS = 2_000
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
  context: PhraseContext,
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
  const kinds = announcement.above.map(({ own }) => kindIn(announcement.text, own, announcement))
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
  const next = span[1] + after.search(/[^\s,]/)
  const isMention = mentions.some(([a, b]) => a <= next && next < b)
  const hasPlace = words.length > 1 && (follows ?? '').split(',').some(part => endsInPlace(part))
  const isClear = follows === undefined || isMention || hasPlace
  return !isPlace && !isClub(title) && !isOfDay && !isSmall && isClear
}
const HAS_CAPITAL = lazyPattern(String.raw`\p{Lu}`, 'u')
const SAINTS = setOf('san santa santo st saint sainte sankt')

/** The line below one that says nothing but the day. */
function lineBelow({ sentences, dated, ...rest }: Announcement): TitleMention | undefined {
  const { span, own } = sentences[dated + 1] ?? {}
  if (!span || !own || dated < 0 || isSentence(own) || isNoTitle(rest.text, { span, own }, false, rest))
    return undefined
  const isAlone =
    own[0]?.line !== sentences[dated]?.own[0]?.line &&
    saysNoMore(rest.text, sentences[dated]?.span, rest) &&
    !/[.!?]/.test(rest.text[span[1] - 1] ?? '')
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
export type TitleContext = {
  mentions: readonly Span[]
  organizers: readonly Span[]
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
const isNaming = (words: readonly string[]): boolean =>
  words.some(
    word =>
      weekdayOf(word) === 0 &&
      !NO_NAMES.has(word) &&
      !MONTHS.has(word) &&
      !SHEETS.has(word) &&
      /[a-z]/.test(word),
  ) && !words.some(word => CANCELLED.has(word) || POSTPONED.has(word) || NO_TITLES.has(word))

const CALLS = setOf(
  'wir we nous ladt laden einladung herzliche herzlich announcing join venez come invites invitados invitadas invitation invitacion invited',
)

/** Words between an invitation and what it is to. */
const TO = setOf('zu zum zur to for al a au aux')

/** @property isShortTaken whether a title may be a short word: «Yoga» */
type PhraseContext = Omit<TitleContext, 'names'> & { isShortTaken?: boolean }

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
  { mentions, others }: PhraseContext,
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

/** The title in a sentence, unless it is a greeting. */
function titleOfSentence(
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

/** A name in quotation marks without the comma and the point at its end. */
const withoutMarks = (text: string): string => text.trim().replace(/[,.;:]{1,3}$/, '')

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
