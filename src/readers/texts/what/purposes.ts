import { BETWEEN_WORDS } from '../../../kit/lib/pattern.ts'
import { fold } from '../../../kit/lib/text.ts'
import type { EventMoments } from '../when/moments.ts'
import { sentenceOf } from '../words/clauses.ts'
import { hasAny, isOneOf, startsLine, type Token } from '../words/tokens.ts'
import { anyOf, isKind, isWeekdayOrMonth, setOf, VERBS, WORDS, type WordSet } from '../words/words.ts'
import { pointsBy, type Scorecard } from './scorecard.ts'

// Not everything with a day announces an event: minutes, vacancies, rules and opening hours have days and
// times as well. No single word tells them apart, so there are points for what can be seen of a draft and of
// its text.

/**
 * A draft, and what is seen of its text.
 *
 * @property allTokens those of the text
 * @property part its own tokens
 * @property start the token at which its day begins
 * @property namesKind true if the text names a kind of event
 * @property isFirst true if nothing is announced above it
 * @property isListRow true if it is one of several lines that have a day each
 * @property moments the days of its part, what recurs in the text, and days that others replace
 * @property spanCount how many times with an end its part has
 */
type SeenDraft = {
  draft: Readonly<{
    title?: string
    start_date: string
    end_date?: string
    venue?: unknown
    cost?: string
    website?: string
    event_status?: string
  }>
  allTokens: readonly Token[]
  part: readonly Token[]
  start: number
  namesKind: boolean
  isFirst: boolean
  isListRow: boolean
  moments: Pick<EventMoments, 'days' | 'recurrences' | 'gone'>
  spanCount: number
}

/** A draft with the traits that many rows ask for. @property sentence that of its day */
type DraftTraits = SeenDraft & {
  sentence: readonly Token[]
  titleWords: readonly string[]
  isOfKind: boolean
}

/** True if a draft has a day without a time. */
const isUntimed = ({ draft }: SeenDraft): boolean => draft.start_date.length === 10

/** True if a draft has neither a time nor an end. */
const isDayAlone = (seen: SeenDraft): boolean => isUntimed(seen) && seen.draft.end_date === undefined

const isTitled = ({ draft }: SeenDraft): boolean => draft.title !== undefined

const PURPOSES: readonly WordSet[] = [WORDS.vacancies, WORDS.minutes, WORDS.rules]
/**
 * German compounds that head rules and opening hours: “Platzordnung” and “Winteröffnungszeiten”, but neither
 * “Tagesordnung” nor “Gottesdienstordnung”.
 */
const OTHER_COMPOUNDS = /(?<!tages|neu|dienst|mess)ordnung$|.offnungszeiten$/

/** True if words say that something is closed: “wegen Inventur geschlossen”, “bleibt die Bücherei zu”. */
const isClosed = (tokens: readonly Token[]): boolean =>
  tokens.some(
    ({ folded, line }, i) =>
      // “gates open at noon, closing at 5”
      (WORDS.housesClosed.has(folded) && tokens[i + 1]?.folded !== 'at') ||
      (folded === 'zu' &&
        tokens[i - 1]?.folded !== 'und' &&
        (tokens[i + 1]?.line !== line || ['.', ',', '!'].includes(tokens[i + 1]?.folded ?? ''))),
  )

/** The beginnings of words for what is as always. */
const USUAL = /^(?:normal|regular|usual|ublich|gewohnt|habitu)/

/** True if words say that the usual hours hold: “Mittwoch: übliche Öffnungszeiten”, “horario normal”. */
const isAsUsual = (tokens: readonly Token[]): boolean =>
  tokens.some(
    ({ folded }, i) =>
      WORDS.hoursAsUsual.has(folded) && [i - 1, i + 1].some(at => USUAL.test(tokens[at]?.folded ?? '')),
  )

const FOR_SALE = /zu (?:verkaufen|vermieten|verschenken)$/

/** The beginnings of headings above what was lost or found. */
const LOST_AND_FOUND = /^(?:lost (?:& |and )?(?:found|property)|fundsachen|objets trouves|objetos perdidos)/

/** Words and signs before what is left out. */
const EXCEPTING = anyOf(WORDS.beforeHalfTerm, setOf('('))

/** True if what recurs leaves out the school holidays: “every Tuesday (not half term)”. */
const isExceptHalfTerm = (sentence: readonly Token[]): boolean =>
  sentence.some(
    ({ folded }, i) =>
      folded === 'term' && sentence[i - 1]?.folded === 'half' && isOneOf(sentence[i - 2], EXCEPTING),
  )

/** The different words of notices. */
const noticesIn = (tokens: readonly Token[]): ReadonlySet<string> =>
  new Set(
    tokens.flatMap(({ folded }, i) =>
      WORDS.notices.has(folded) &&
      !(WORDS.notNeeded.has(folded) && isOneOf(tokens[i - 1], WORDS.beforeNotNeeded))
        ? folded
        : [],
    ),
  )

const isNotice = (sentence: readonly Token[]): boolean =>
  noticesIn(sentence).size > (isExceptHalfTerm(sentence) ? 1 : 0) ||
  (hasAny(sentence, WORDS.supplies) && sentence.some(({ folded }) => folded === 'off')) ||
  sentence.some(({ folded }, i) => WORDS.dogs.has(folded) && isOneOf(sentence[i - 1], WORDS.beforeForbidden))

/** The most tokens before a day that are looked at, as in “Temporada: del”. */
const MAX_OF_SEASON = 3

/** The most tokens of a heading that are looked at. */
const MAX_OF_HEADING = 12

/**
 * Tokens in which a heading says what else a text is: “À vendre”. Further on, such a word may belong to a
 * title.
 */
const FIRST_OF_HEADING = 4

/** How many different words of a set some tokens have. */
const countOf = (tokens: readonly Token[], words: WordSet): number =>
  new Set(tokens.filter(({ folded }) => words.has(folded)).map(({ folded }) => folded)).size

/** The most words of a single other purpose: minutes, vacancies or rules. */
function wordsOfPurpose(tokens: readonly Token[], isPoster: boolean): number {
  // “Dogs must be on leads. Smoking prohibited.”, below what takes place and when, and “Minutes, treasurer’s
  // report”, below “The annual general meeting will be held on …”
  const purposes = PURPOSES.filter(some => !isPoster || (some !== WORDS.rules && some !== WORDS.minutes))
  return Math.max(...purposes.map(some => countOf(tokens, some)))
}

/** True if the first sentence with a day says what takes place, and when, and no word of rules. */
const isPoster = (seen: DraftTraits): boolean =>
  seen.isFirst &&
  !isDayAlone(seen) &&
  // “Members are summoned to the Highways Committee on …”
  (seen.isOfKind || hasAny(seen.sentence, WORDS.inviting)) &&
  !hasAny(seen.sentence, WORDS.rules) &&
  // “Extrait du procès-verbal du conseil”
  !seen.titleWords.some(word => WORDS.minutes.has(word))

function isUnderOtherHeading(tokens: readonly Token[], start: number): boolean {
  const heading = tokens.slice(0, MAX_OF_HEADING).filter(({ line }) => line === tokens[0]?.line)
  return (
    [LOST_AND_FOUND, FOR_SALE].some(words => words.test(heading.map(({ folded }) => folded).join(' '))) ||
    heading.some(({ folded }) => WORDS.rulesAbove.has(folded) || OTHER_COMPOUNDS.test(folded)) ||
    heading.slice(0, FIRST_OF_HEADING).some(isOtherHeading) ||
    // “RÈGLEMENT”, in a line of its own below the name of a competition
    tokens
      .slice(0, start)
      .some(({ folded, line }, i) => WORDS.rulesAbove.has(folded) && isAlone(tokens, i, line))
  )
}

/**
 * True for the word of a heading that announces something else: “Empleo: camarero”, but not “Feria de
 * empleo”.
 */
const isOtherHeading = ({ folded }: Token, i: number, heading: readonly Token[]): boolean =>
  WORDS.otherHeadings.has(folded) &&
  !(WORDS.work.has(folded) && heading.slice(0, i).some(one => isKind(one.folded)))

const isAlone = (tokens: readonly Token[], i: number, line: number): boolean =>
  tokens[i - 1]?.line !== line && tokens[i + 1]?.line !== line

/** True if something applies from the day on: “ab Montag, 1. März”, “à partir du 1er mars”. */
function isFromThenOn({ allTokens, start, moments }: SeenDraft): boolean {
  // “Ab 18 Uhr am Freitag” says an hour.
  if (!moments.days.some(({ from }) => from === start)) return false
  let at = start - 1
  while (isOneOf(allTokens[at], WORDS.small) && !isOneOf(allTokens[at], WORDS.fromOn)) at--
  return isOneOf(allTokens[at], WORDS.fromOn)
}

/** True if one person has or awaits something: “your next appointment”, “votre colis”. */
const isPersonal = ({ sentence }: DraftTraits): boolean =>
  sentence.some(
    ({ folded }, i) => WORDS.yours.has(folded) && hasAny(sentence.slice(i + 1, i + 3), WORDS.ownMatters),
  )

/**
 * True if somebody tells where they go, or what they confirm: “Ich fliege am Samstag”, “Vuelvo el domingo”.
 */
const isOfWriter = ({ sentence }: DraftTraits): boolean =>
  hasAny(sentence, WORDS.ownWaysInOneWord) ||
  (hasAny(sentence, WORDS.ownWays) && hasAny(sentence, WORDS.firstPerson))

/**
 * Words of a sentence that offers something, invites, or says that it takes place: “Die nächste
 * Schlachtplatte gibt es am …”
 */
const ANNOUNCING = anyOf(WORDS.presenting, WORDS.inviting, WORDS.next, WORDS.announcing)

/** True if a sentence says the new date: “Neuer Termin ist der 19. Februar”, “la nueva fecha es”. */
const namesNewDate = ({ sentence }: DraftTraits): boolean =>
  sentence.some(({ folded }, i) => WORDS.newDate.has(folded) && isOneOf(sentence[i + 1], WORDS.datesAhead))

export const MAX_WORDS_OF_NONE = 3

/** True for the row of a list that has no words but “no class”, «spielfrei», «relâche» or «inhábil». */
function saysNone(part: readonly Token[]): boolean {
  const words = part.filter(
    ({ kind, folded }) => kind === 'word' && !WORDS.small.has(folded) && !isWeekdayOrMonth(folded),
  )
  return words.length < MAX_WORDS_OF_NONE && isOneOf(words[0], WORDS.noneInRow)
}

/** True if the event takes place again and again: “Ab 3. Februar jeden Mittwoch”. */
const recurs = ({ allTokens, sentence, moments }: DraftTraits): boolean =>
  moments.recurrences.some(({ from }) => allTokens[from]?.sentence === sentence[0]?.sentence)

/**
 * True if a sentence with a verb says something about a day, but neither what takes place then nor what does
 * not, and nothing that may be a title: “Der Zähler wird am 9. Februar abgelesen”, but not “Basteln am 9.
 * Februar”.
 */
const isStatement = (seen: DraftTraits): boolean =>
  hasAny(seen.sentence, VERBS) &&
  !isTitled(seen) &&
  !seen.isOfKind &&
  !hasAny(seen.sentence, ANNOUNCING) &&
  !namesNewDate(seen) &&
  !recurs(seen) &&
  seen.moments.gone.length === 0 &&
  seen.draft.event_status === undefined

/** True if somebody looks for people: “sucht ab 1. März eine Aushilfe”. */
const isLookingFor = ({ sentence }: DraftTraits): boolean =>
  sentence.some(
    ({ folded, text }, i) =>
      // “Wer sucht, der findet”
      (WORDS.lookingForPeople.has(text) && sentence[i + 1]?.folded !== ',') ||
      (folded === 'looking' && sentence[i + 1]?.folded === 'for'),
  )

/**
 * True if a text looks for people who help on some weekdays. With a date, “Ostereier suchen am Sonntag, 28.
 * März” and “Most Wanted” announce something.
 */
function isSeekingPeople(tokens: readonly Token[], start: number): boolean {
  const heading = tokens.slice(0, FIRST_OF_HEADING)
  // “Bürgerbus sucht Fahrer”, but “Sucht und Familie”
  const isSeeking = heading.some(
    ({ folded, text }) => WORDS.seekingInHeadings.has(folded) || text === 'sucht',
  )
  const day = tokens.slice(start, start + 3).filter(({ folded }) => folded !== ',')
  return isSeeking && !day.slice(0, 2).some(({ kind }) => kind === 'number')
}

/** How much a draft looks like something else. Fitted to labelled texts, as the points of titles are. */
const pointsAgainst = pointsBy(otherPurposeRows)

function otherPurposeRows(): Scorecard<DraftTraits & { ofPurpose: number }> {
  return {
    'row that says that there is nothing': [8, seen => seen.isListRow && saysNone(seen.part)],
    'two words of another purpose': [4, ({ ofPurpose }) => ofPurpose > 1],
    'three words of another purpose': [3, ({ ofPurpose }) => ofPurpose > 2],
    'heading of another kind of text': [
      6,
      ({ allTokens, start }) => isUnderOtherHeading(allTokens, start) || isSeekingPeople(allTokens, start),
    ],
    'word of rules': [2, ({ part }) => hasAny(part, WORDS.rules)],
    'something closed': [3, ({ part }) => isClosed(part)],
    'hours, something closed, and open as usual on other days': [
      6,
      ({ part, sentence }) =>
        isClosed(part) && isAsUsual(part) && !sentence.some(({ folded }) => isKind(folded)),
    ],
    'notice, and no event': [
      4,
      ({ sentence, isOfKind, draft }) => isNotice(sentence) && !isOfKind && draft.cost === undefined,
    ],
    'word of notices': [2, ({ part }) => noticesIn(part).size > 0],
    'two words of notices': [2, ({ part }) => noticesIn(part).size > 1],
    'time, and no kind of event in the text': [1, seen => !isDayAlone(seen) && !seen.namesKind],
    // “Das Büro ist mittwochs von 14 bis 17 Uhr besetzt”, but “Wir treffen uns jeden Mittwoch”
    'hours on weekdays alone, no title, and no kind of event': [
      6,
      seen =>
        seen.moments.days.length === 0 &&
        seen.spanCount > 0 &&
        !isTitled(seen) &&
        !seen.isOfKind &&
        !hasAny(seen.part, WORDS.every),
    ],
    venue: [-2, ({ draft }) => draft.venue !== undefined],
    website: [-1, ({ draft }) => draft.website !== undefined],
    'day without a time': [3, isDayAlone],
    // “Du 2 au 27 février”, below a name, says when an exhibition is
    'first of some days': [
      2,
      seen =>
        isOneOf(seen.allTokens[seen.start - 1], WORDS.beforeFirstOfDays) &&
        !(isUntimed(seen) && !isDayAlone(seen) && isTitled(seen) && !isClosed(seen.part)),
    ],
    'from the day on, and no kind of event': [
      2,
      seen => isFromThenOn(seen) && !recurs(seen) && !seen.isOfKind && !hasAny(seen.sentence, ANNOUNCING),
    ],
    'something of one person': [4, isPersonal],
    'somebody who tells where they go': [
      4,
      seen => isOfWriter(seen) && !seen.isOfKind && !hasAny(seen.part, WORDS.inviting),
    ],
    'statement, and neither a title nor a kind of event': [1, isStatement],
    'hours in which something comes': [
      2,
      ({ sentence, isOfKind }) => hasAny(sentence, WORDS.between) && !isOfKind,
    ],
    'people whom somebody looks for': [4, seen => isLookingFor(seen) && !seen.isOfKind],
    'season before the day, and something closed': [
      4,
      ({ allTokens, part, start }) =>
        isClosed(part) &&
        hasAny(allTokens.slice(Math.max(0, start - MAX_OF_SEASON), start), WORDS.seasonsOfHouses),
    ],
    'days on which something is open, and no kind of event': [
      4,
      ({ allTokens, start, draft, isOfKind }) =>
        !isOfKind &&
        draft.start_date.length === 10 &&
        draft.end_date !== undefined &&
        hasAny(allTokens.slice(Math.max(0, start - MAX_OF_SEASON), start), WORDS.openFrom),
    ],
    'several spans of hours': [2, ({ spanCount }) => spanCount > 1],
    'day at the beginning of a line, or row of a list': [
      -2,
      ({ allTokens, start, isListRow }) => isListRow || startsLine(allTokens, start),
    ],
    'kind of event': [-2, ({ isOfKind }) => isOfKind],
    'title, and words that invite': [-2, seen => isTitled(seen) && hasAny(seen.part, WORDS.inviting)],
    admission: [-2, ({ draft }) => draft.cost !== undefined],
    'first draft': [-2, ({ isFirst }) => isFirst],
  }
}

/** With so many points or more, a draft announces nothing. */
const MIN_POINTS_AGAINST = 2

/** True if a draft is of a text or a sentence that announces no event. */
export function announcesNothing(draft: SeenDraft): boolean {
  const sentence = sentenceOf(draft.allTokens, draft.start)
  const titleWords = fold(draft.draft.title ?? '').split(BETWEEN_WORDS())
  const isOfKind = titleWords.some(isKind) || sentence.some(({ folded }) => isKind(folded))
  const seen = { ...draft, sentence, titleWords, isOfKind }
  return (
    pointsAgainst({ ...seen, ofPurpose: wordsOfPurpose(seen.part, isPoster(seen)) }) >= MIN_POINTS_AGAINST
  )
}
