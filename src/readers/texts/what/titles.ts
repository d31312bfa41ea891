import { isUndecided, STARTS_LOWERCASE, type TitleMention } from '../words/phrases.ts'
import type { PlainText, Span } from '../words/plain.ts'
import { isOneOf, QUOTES, type Token } from '../words/tokens.ts'
import { AND, anyOf, isKind, isPlaceWord, NUMBER_WORDS, ORDINALS, WORDS } from '../words/words.ts'
import { clearlyBest } from './scorecard.ts'
import { AT, type MentionSpans } from './sentences.ts'
import { COURSE_UNITS, candidatesIn, GENRES } from './title-candidates.ts'
import { type TitleCandidate, titlePoints } from './title-points.ts'

// A title is the passage that looks most like one, by its points. A line that says only a genre is no title
// if a name is near it.

/** The fewest points that a title may have. */
const MIN_POINTS = -1

/** How many more points than any other candidate the title must have. */
const TITLE_MARGIN = 5

/** The most sentences of a short text: in a longer one, more passages look like titles. */
const MAX_SENTENCES_OF_SHORT = 5

/** The margin in a longer text. */
const MARGIN_OF_LONG = 9

/** The line of a form that says the title: “Event name: Party”, «Titre de l’événement : Nuit des musées». */
const LABELLED =
  /^[ *•-]{0,4}(?:titel(?: der veranstaltung)?|veranstaltungstitel|(?:event )?title|event(?: name)?|titre(?: de l['’]événement)?|nom de l['’]événement|título(?: del evento)?|nombre del evento) ?: {0,3}(\S[^\n]{1,120})$/im

/** The title that a part of a text labels as such. */
export function labelledTitleIn(text: string, [from, to]: Span): { title: string; span: Span } | undefined {
  const match = LABELLED.exec(text.slice(from, to))
  if (!match?.[1] || isUndecided(match[1].trim())) return undefined
  const end = from + match.index + match[0].length
  return { title: match[1].trim(), span: [end - match[1].length, end] }
}

/** The title of the event in a part of a text, unless another passage looks nearly as much like one. */
export function titleIn(
  plain: Pick<PlainText, 'text' | 'strong'>,
  span: Span,
  tokens: readonly Token[],
  context: MentionSpans & { start: number },
): TitleMention | undefined {
  const candidates = candidatesIn(plain, span, tokens, context)
  const isLong = (candidates[0]?.sentences.length ?? 0) > MAX_SENTENCES_OF_SHORT
  const margin = isLong ? MARGIN_OF_LONG : TITLE_MARGIN
  const bestTitle = (some: readonly TitleCandidate[]) =>
    clearlyBest(some, {
      pointsOf: titlePoints,
      minPoints: MIN_POINTS,
      margin,
      isOther: (a, b) => areDifferent(a, b) && !isKindOf(a, b) && !isKindOf(b, a) && !isNoTitle(a),
    })
  const genres = candidates.filter(isGenreLine)
  const others = genres.length > 0 ? candidates.filter(one => !genres.includes(one)) : candidates
  const [nameBelowGenre] = others
    .filter(one => genres.some(genre => isNameBelow(genre, one)))
    .sort((a, b) => titlePoints(b) - titlePoints(a))
  const best = bestTitle(candidates)
  const isUnsure = best && hasOnlyGenres(best) && isWholeLine(best) && others.some(isBelowGenre)
  // The line below a genre, unless something else is best
  const isNamed =
    nameBelowGenre &&
    (!best ||
      (genres.includes(best) && isNameBelow(best, nameBelowGenre)) ||
      !areDifferent(best, nameBelowGenre))
  const title = isNamed ? nameBelowGenre : isUnsure ? undefined : best
  if (!title || saysLittle(title)) return undefined
  // “Filmabend „Der weite Weg“”
  const name = title.words.length === 1 && candidates.find(one => one.isQuoted && isBesideName(title, one))
  return name || title
}

/**
 * True for a kind of event and its name after a colon, or in quotation marks in the same sentence: “TALK: Ada
 * Ridge on mosses”, “Evening lecture | Dr Ada Ridge, "Why Moss Matters"”.
 */
const isKindOf = (kind: TitleCandidate, name: TitleCandidate): boolean =>
  kind.sentence === name.sentence && ((name.isQuoted && kind.words.some(isKind)) || isBesideName(kind, name))

const isBesideName = (kind: TitleCandidate, name: TitleCandidate): boolean =>
  kind.to < name.from &&
  isKind(kind.words.at(-1) ?? '') &&
  name.from - kind.to < 3 &&
  kind.sentence.sentenceTokens
    .slice(kind.to, name.from)
    .every(({ folded }) => folded === ':' || QUOTES.includes(folded))

/**
 * True for a line that says only which kind of thing the name near it is: “CONFERENCIA”, “Rencontre
 * d’auteur”.
 */
const isGenreLine = (candidate: TitleCandidate): boolean =>
  isWholeLine(candidate) &&
  (hasOnlyGenres(candidate) || (candidate.words.length === 1 && isKind(candidate.words[0] ?? '')))

const hasOnlyGenres = ({ words }: TitleCandidate): boolean =>
  words.every(word => GENRES.has(word) || WORDS.namedGenres.has(word))

const isCapitals = ({ title }: TitleCandidate): boolean => title === title.toUpperCase()

/**
 * True if a line right below a genre is the name, both on the same side of the day: on the other side are
 * seats, drinks and the like. Below other kinds, such a line may be something else on offer: “Flohmarkt”,
 * “Kaffee und Kuchen”.
 */
function isNameBelow(genre: TitleCandidate, named: TitleCandidate): boolean {
  const { sentence, daySentence, words } = named
  const { index, sentenceTokens } = sentence
  const isKicker =
    isCapitals(genre) && !isCapitals(named) && genre.sentence.index <= genre.lastDaySentence + 1
  return (
    index === genre.sentence.index + 1 &&
    (index < daySentence || genre.sentence.index > daySentence) &&
    (hasOnlyGenres(genre) ||
      ((index === daySentence - 1 || isKicker) &&
        // “Grillabend”, above “Der Heimatverein heizt ein! Freitag, 5. Juni”
        named.sentences[index + 1]?.sentenceTokens[0]?.line !== sentenceTokens[0]?.line &&
        // “KANALFEST”, above “an der Alten Schleuse”
        !isOneOf(sentenceTokens[0], AT) &&
        !sentenceTokens.some(({ folded }) => folded !== ',' && AND.has(folded)))) &&
    words.length > 1 &&
    !isPlaceWord(words[0] ?? '') &&
    !STARTS_LOWERCASE().test(named.title) &&
    (named.isQuoted === true || isWholeLine(named))
  )
}

/** True for a line of several words right below the day, which may be the name that belongs to the genre. */
const isBelowGenre = (one: TitleCandidate): boolean =>
  one.sentence.index === one.lastDaySentence + 1 &&
  isWholeLine(one) &&
  one.words.length > 2 &&
  !STARTS_LOWERCASE().test(one.title)

const isWholeLine = ({ sentence: { sentenceTokens }, from, to }: TitleCandidate): boolean =>
  sentenceTokens.every(({ kind }, i) => kind !== 'word' || (i >= from && i < to))

/** Words that say what becomes of an event, and not which one. */
const STATUS_CHANGES = anyOf(WORDS.cancelled, WORDS.postponed, WORDS.changesOfTitles)

/** The first words of a line that says only which date is meant: “Prochaine sortie”. */
const NEXT_ONES = anyOf(WORDS.next, WORDS.coming, WORDS.nextOnes)

const COUNTS = anyOf(NEXT_ONES, COURSE_UNITS, WORDS.numberedMeetings)

/**
 * True if what looks most like a title is a genre, says only when or where, or that the title isn't known
 * yet: “THÉÂTRE”, “Prochaine sortie”, “Wo: Pfarrsaal”, “TBA”.
 */
const saysLittle = ({ title, words }: TitleCandidate): boolean =>
  isUndecided(title) ||
  /^(?:ort|wo|where|venue|lieu|où|dónde|donde|lugar) ?:/i.test(title) ||
  /^(?:dates?|datum|fecha) ?[/&] ?(?:time|zeit|uhrzeit|heure|hora)$/i.test(title) ||
  (words.length < 3 && NEXT_ONES.has(words[0] ?? '')) ||
  // “First session”, “Cuatro encuentros”, “trois prochains rendez-vous”, but “First Night”
  (words.length > 1 &&
    words.every(word => COUNTS.has(word) || NUMBER_WORDS.has(word) || ORDINALS.has(word))) ||
  // “Dentro del ciclo «Noches de invierno»”
  (words.length > 1 && words.slice(0, 2).some(word => WORDS.programmesOfEvents.has(word))) ||
  // “Term 1”
  /^(?:term|week|session|part|teil|woche|block|semester|trimestre|semaine|semana|group|gruppe|groupe|grupo) \d+$/i.test(
    title,
  ) ||
  // “Tess Oyelaran ▸ Cedar Falls Neighbors”: who posted it where
  /[▸►]/.test(title) ||
  // “Prof. Dr. Mira Tönnies (Ahrenfeld)”, but “Dr. Jekyll und Mr. Hyde”
  (/^(?:prof|profa|dr|dra|pfr)\. /i.test(title) && title.split(' ').every(word => /^[A-ZÀ-Ý(]/.test(word))) ||
  words.every(word => STATUS_CHANGES.has(word)) ||
  words.every(word => GENRES.has(word))

/** True if two candidates have less than half of their words in common. */
function areDifferent({ words: a }: TitleCandidate, { words: b }: TitleCandidate): boolean {
  const common = a.filter(word => b.includes(word)).length
  return common === 0 || common * 2 < Math.min(a.length, b.length)
}

/**
 * True for what can be no title, and names nothing else that takes place: “Premiere”, but not “Next
 * rehearsal”.
 */
const isNoTitle = (one: TitleCandidate): boolean => saysLittle(one) && !NEXT_ONES.has(one.words[0] ?? '')
