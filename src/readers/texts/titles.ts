import { lazyPattern } from '../../kit/lib/pattern.ts'
import { type KindPhrase, kindPhrases } from './kinds.ts'
import {
  isNaming,
  MAX_AROUND,
  MAX_WORDS,
  type PhraseContext,
  SMALL_AT_FIRST,
  significantWords,
  type TitleMention,
  tidy,
  titleOfSentence,
} from './phrases.ts'
import type { PlainText, Span } from './plain.ts'
import type { Token } from './tokens.ts'
import { HOUSES, isKind, isPlaceWord, OTHER_MATTERS, SHEETS, setOf, VERBS } from './words.ts'

const QUOTED =
  /»([^«»\n]{2,120})«|«([^«»\n]{2,120})»|„([^„“”"\n]{2,120})[“”"]|“([^“”\n]{2,120})”|"([^"\n]{2,120})"/g
const LABEL =
  /^\W{0,4}(?:titel|was|veranstaltung|thema|title|what|event|quoi|titre|qué|que|título|evento|acto)\W{0,3}[:?][\s*]{0,3}/i
/** Words of which each letter is a capital. */
const CAPITALS = lazyPattern(String.raw`\p{Lu}{3,}(?:[ -]\p{Lu}{2,}){0,6}(?!\p{Ll})`, 'gu')
/** Words of a sentence in which a kind of event stands alone. */
const MAX_BEGINNING = 9
/** Words and signs of a line that is no prose. */
const MAX_SHORT = 7
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
  /** The index of the sentence with the day, or of the next one if it says nothing else, or -1. */
  dated: number
  /** The sentences above it that may be a title. */
  above: readonly Sentence[]
}

/** Finds a title in one kind of place. */
type Source = (announcement: Announcement) => TitleMention | undefined

/** Where titles stand, the surest first. */
const SOURCES: readonly Source[] = [
  fromLabel,
  fromQuotation,
  fromBoldType,
  fromCapitals,
  heading(true),
  kindOnTheDay,
  kindAbove,
  heading(false),
  lineOfTheDay,
  lineBelow,
  bareKindOnTheDay,
]

/** The title of the event in a part of a text. */
export function titleIn(
  { text, strong }: Pick<PlainText, 'text' | 'strong'>,
  span: Span,
  tokens: readonly Token[],
  context: TitleContext,
): TitleMention | undefined {
  const sentences = sentencesOf(tokens).slice(0, MAX_SENTENCES)
  const first = sentences.findIndex(({ span: [a, b] }) => a <= context.start && context.start <= b)
  const above = sentences.slice(0, Math.max(first, 0)).filter(sentence => !isNoTitle(sentence))
  // «Sun 7 Feb, 10.30. Canal walk.»
  const [day, next] = sentences.slice(Math.max(first, 0))
  const isBare = first >= 0 && saysNoMore(text, day?.span, context)
  const dated = isBare && day?.own[0]?.line === next?.own[0]?.line ? first + 1 : first
  const announcement = { ...context, text, strong, span, tokens, sentences, dated, above }
  for (const source of SOURCES) {
    const found = source(announcement)
    if (found) return found
  }
  return undefined
}

/** «Was: Sommerfest» */
function fromLabel({ text, sentences, mentions }: Announcement): TitleMention | undefined {
  for (const { span } of sentences) {
    const [start, end] = span
    const label = LABEL.exec(text.slice(start, Math.min(end, start + 60)))?.[0]
    const found = label && shortened(text, [start + label.length, end], mentions)
    if (found) return quotedIn(text, span) ?? found
  }
  return undefined
}

/** The end of the sentence with the day: what is quoted further down is a verse, a review, or a point of the programme. */
const spanToTheDay = ({ span: [from, to], sentences, dated }: Announcement): Span => [
  from,
  sentences[dated]?.span[1] ?? to,
]

/** What is quoted before the day, or in the same sentence. */
function fromQuotation(announcement: Announcement): TitleMention | undefined {
  const [from, to] = spanToTheDay(announcement)
  // A point within quotation marks ends the sentence.
  const end = lineAround(announcement.text, [to, to])[1]
  const found = quotedIn(announcement.text, [from, end])
  return found && found.span[0] < to ? found : undefined
}

/** What is printed in bold type, and no day. */
function fromBoldType({ text, strong, span: [from, to], mentions }: Announcement): TitleMention | undefined {
  const found = strong.find(
    ([a, b]) =>
      a >= from &&
      b <= to &&
      isNaming(significantWords(text.slice(a, b))) &&
      !mentions.some(([c, d]) => c < b && a < d),
  )
  return found && shortened(text, found, mentions)
}

/** True if a line above the day is prose, or says when something else takes place. */
const isProse = ({ span, own }: Sentence, { text, mentions }: Announcement): boolean =>
  (own.length > MAX_SHORT ? /[.,?]/ : /[,?]/).test(text[span[1] - 1] ?? '') ||
  mentions.some(([a]) => span[0] <= a && a < span[1])

/** A line above the day that is no sentence. @param isOfKind whether it has to name a kind of event */
function heading(isOfKind: boolean): Source {
  return announcement => {
    for (const sentence of announcement.above) {
      const kind = isOfKind && kindIn(announcement.text, sentence.own, announcement)
      // «They offer a sewing course»
      const isTitle = isOfKind ? kind && !kind.hasArticle : !isProse(sentence, announcement)
      if (!isTitle || isSentence(sentence.own)) continue
      const title = titleOfSentence(announcement.text, sentence.span, announcement)
      if (title) return title
    }
    return undefined
  }
}

/** The kind of event in the sentence with the day, with the words around it. */
function kindOnTheDay({ sentences, dated, ...rest }: Announcement): TitleMention | undefined {
  const { span, own } = sentences[dated] ?? {}
  const kind = span && own && kindIn(rest.text, own, rest)
  if (!kind) return undefined
  const line = isSentence(own) ? undefined : titleOfSentence(rest.text, span, rest)
  const isOfLine = line?.title.includes(kind.title)
    ? !kind.hasArticle
    : line && !/^\s?[,:]/.test(rest.text.slice(line.span[1]))
  return isOfLine ? line : kind.score > 0 ? kind : undefined
}

/** A word for a kind of event at the beginning of the sentence with the day: «Our quiz is on …» */
function bareKindOnTheDay({ sentences, dated, ...rest }: Announcement): TitleMention | undefined {
  return kindIn(rest.text, sentences[dated]?.own.slice(0, MAX_BEGINNING) ?? [], rest)
}

/** The kind of event in a sentence above the day, with words around it. */
function kindAbove({ above, ...rest }: Announcement): TitleMention | undefined {
  return above.map(({ own }) => kindIn(rest.text, own, rest)).find(kind => kind !== undefined)
}

/** What stands in the line with the day. */
function lineOfTheDay({ sentences, dated, ...rest }: Announcement): TitleMention | undefined {
  const { span, own } = sentences[dated] ?? {}
  const found = span && own && !isSentence(own) ? titleOfSentence(rest.text, span, rest) : undefined
  return found && standsOut(rest, span ?? [0, 0], found) ? found : undefined
}

/**
 * True if a passage in the sentence of the day is more likely a name of what takes place than one of a place or a
 * part of the sentence.
 */
function standsOut(
  { text, mentions }: PhraseContext & { text: string },
  [from, to]: Span,
  { title, span }: TitleMention,
): boolean {
  const words = significantWords(title)
  const isPlace =
    !words.some(isKind) &&
    [words[0], words.at(-1)].some(
      word => isPlaceWord(word ?? '') || HOUSES.has(word ?? '') || SAINTS.has(word ?? ''),
    )
  // «die Frist endet am», but «micro abierto» in a message without capitals
  const isSmall = SMALL_AT_FIRST().test(title) && HAS_CAPITAL().test(text.slice(from, to))
  // «18.02. Neustadt, Zeche Ernestine», but «Glen Fyle circular, Town Hall»
  const after = text.slice(span[1], Math.min(to, span[1] + MAX_AROUND))
  const follows = /^\s?,\s*(?!(?:mit|with|avec|con|par|por|by|de|von)\s)([^;.()–|]{2,80})/.exec(after)?.[1]
  // «Fireside tales, on 30.11.»
  const next = span[1] + (BEFORE_NEXT().exec(after)?.[0].length ?? 0)
  const isMention = mentions.some(([a, b]) => a <= next && next < b)
  const isClear = follows === undefined || isMention || words.length > 1
  return !isPlace && !isSmall && isClear
}
const BEFORE_NEXT = lazyPattern(String.raw`^[\s,]*(?:\p{Ll}{1,4}\s+)?`, 'u')
const HAS_CAPITAL = lazyPattern(String.raw`\p{Lu}`, 'u')
const SAINTS = setOf('san santa santo st saint sainte sankt')

/** The line below one that says nothing but the day. */
function lineBelow(announcement: Announcement): TitleMention | undefined {
  const { text, sentences, dated } = announcement
  const below = sentences[dated + 1]
  return below && saysNoMore(text, sentences[dated]?.span, announcement) && !isNoTitle(below)
    ? lineOfTheDay({ ...announcement, dated: dated + 1 })
    : undefined
}

const SMALL_LETTERS = lazyPattern(String.raw`\p{Ll}{3}`, 'u')

/** Words in capitals within a sentence that has others: «lädt zum NEUJAHRSBALL der Feuerwehr». */
function fromCapitals(announcement: Announcement): TitleMention | undefined {
  const { text, mentions } = announcement
  const [from, to] = spanToTheDay(announcement)
  for (const { 0: found, index } of text.slice(from, to).matchAll(CAPITALS())) {
    const span: Span = [from + index, from + index + found.length]
    const [start, end] = lineAround(text, span)
    const title = tidy(found)
    const words = significantWords(title)
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
 * @property start where the day of the event stands
 */
export type TitleContext = PhraseContext & {
  start: number
}

/** The first passage in quotation marks that names something, and is nothing that somebody says. */
function quotedIn(text: string, [from, to]: Span): TitleMention | undefined {
  for (const match of text.slice(from, Math.min(to, from + MAX_CHARACTERS)).matchAll(QUOTED)) {
    const inner = (match.slice(1).find(Boolean) ?? '').trim()
    const isSpeech = /[.!?]$/.test(inner) || inner.split(' ').length > MAX_WORDS
    const at = from + match.index
    if (significantWords(inner).length > 0 && !isSpeech)
      return { title: tidy(inner), span: [at, at + match[0].length] }
  }
  return undefined
}

/** A passage up to the first day, time, price or name in it. */
function shortened(text: string, [from, to]: Span, mentions: readonly Span[]): TitleMention | undefined {
  const cut = Math.min(to, ...mentions.filter(([a]) => a > from && a < to).map(([a]) => a))
  const title = tidy(text.slice(from, cut))
  const words = title.split(' ').length
  return significantWords(title).length > 0 && words <= MAX_WORDS ? { title, span: [from, cut] } : undefined
}

/** True if a passage is nothing but a day and a time. */
const saysNoMore = (text: string, [from, to]: Span = [0, 0], { mentions }: PhraseContext): boolean => {
  let at = from
  let rest = ''
  for (const [a, b] of mentions.filter(([a, b]) => a < to && b > from).sort(([a], [b]) => a - b)) {
    rest += text.slice(at, Math.max(at, a))
    at = Math.max(at, b)
  }
  return significantWords(rest + text.slice(at, to)).length === 0
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
  return first && title !== undefined && isNaming(significantWords(title)) ? { ...first, title } : undefined
}

/** True if a passage is no heading: it has a verb, or a word that stands beside one. */
const isSentence = (own: readonly Token[]): boolean =>
  own.some(({ low }) => VERBS.has(low) || CLAUSES.has(low) || SPANISH_VERBS.test(low))
const CLAUSES = setOf(
  'wir we nous nos ich they wie como comme after nach apres tras once es it llega arrive venez os einladung invitation invitacion',
)
/** «Arrancamos», «tenemos», «vinieron» */
const SPANISH_VERBS = /.{3}(?:[ae]mos|ieron)$/

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

/**
 * True if a sentence beside that with the day is a question, or says what kind of text it is, whom it thanks, or what
 * is closed.
 */
function isNoTitle({ own }: Sentence): boolean {
  const words = own.filter(({ kind }) => kind === 'word').map(({ low }) => low)
  return own.at(-1)?.low === '?' || SHEETS.has(words[0] ?? '') || words.some(word => OTHER_MATTERS.has(word))
}
