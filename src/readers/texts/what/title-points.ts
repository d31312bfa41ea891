import { STARTS_UPPERCASE } from '../words/clauses.ts'
import { STARTS_LOWERCASE, type TitleMention } from '../words/phrases.ts'
import { hasAny, isOneOf, QUOTES, type Token } from '../words/tokens.ts'
import {
  AND,
  anyOf,
  isGeneralPlace,
  isKind,
  isPlaceWord,
  VERBS,
  WORDS,
  type WordSet,
  weekdayOf,
} from '../words/words.ts'
import type { KindPhrase } from './kinds.ts'
import { pointsBy, type Scorecard } from './scorecard.ts'
import { isApostrophe, isLabel, isVerb, leadOf, PREPOSITIONS, type Sentence } from './sentences.ts'

// How much a passage looks like the title of an event: points for what can be seen of it. Its line, what is
// next to it, and its words count; none of them decides alone.

/**
 * The text around all candidates.
 *
 * @property daySentence the index of the sentence with the day, or -1
 * @property lastDaySentence the index of the last sentence that only belongs to the day
 */
type Surroundings = { sentences: readonly Sentence[]; daySentence: number; lastDaySentence: number }

/**
 * A passage that may be a title.
 *
 * @property words its significant words
 * @property from its first token in the sentence
 * @property to the token after its last one
 * @property phrase what kind of event it names, if it is a phrase around one
 */
export type TitleCandidate = TitleMention &
  Surroundings & {
    words: readonly string[]
    sentence: Sentence
    from: number
    to: number
    isQuoted?: boolean
    isBold?: boolean
    phrase?: KindPhrase
  }

const BESIDE_TITLE = anyOf(PREPOSITIONS, WORDS.articlesAndOwners, WORDS.toPlaces, VERBS)

/** What programs write next to an event: “Date and time”, “All day”, “Central European Time – Berlin”. */
const OF_PROGRAMS =
  /^(?:(?:date and time|datum und uhrzeit|date et heure|fecha y hora|all day|ganztagig|toute la journee|todo el dia|original appointment)$|mitteleuropaische|central european|heure d europe|hora de europa)/

/** Ends of German compounds for those who hold events. */
const BODY_END = /(?:verein|gruppe|kapelle|feuerwehr|gemeinde|verband|genossenschaft)$/

/** Names of towns and boards. */
const PUBLIC_BODY = /^(?:town|township|county|village|borough) of |\bboard$/i

const SMALL_LETTERS = /[a-zà-ÿ]/

/** The number of a course: “Kurs-Nr. A204-17”, “Kurs 17B204”. */
const COURSE_NUMBER =
  /^(?:kurs|course|cours|curso)[- ]?(?:(?:nr|no|nº|n°|number|code)(?![a-z])|(?=[a-z-]{0,4}\d)[a-z\d./-]{1,12}$)/i

/** How long something is: “90 minutos sin descanso”, “30 años”. */
const DURATION =
  /^\d+ (?:min(?:ut\w*)?|heures?|horas?|hours?|stunden?|jahren?|ans|años|years?)(?:$| (?!von|of|de)\S+(?: \S+)?$)/i

/** True if what is quoted names a place: “in der „Krone“”, “au « Relais »”, “salle « Les Tilleuls »”. */
function isOfPlace(tokens: readonly Token[], from: number): boolean {
  const lead = leadOf(tokens, from)
  // “In „Der Vorname“ streiten sich …”
  const isFirst = tokens[0]?.folded === lead
  return ((WORDS.inOrAt.has(lead) || WORDS.frenchAu.has(lead)) && !isFirst) || isGeneralPlace(lead)
}

/** The words that name the author after a work. */
const BY_AUTHOR = /^(?:by|de|von|par|d) [A-ZÀ-Ý'’]/

/** The most tokens in which an event is called off, as in “is cancelled”, “ist leider abgesagt”. */
const MAX_TO_CANCELLED = 4

const hasWordNear = (tokens: readonly Token[], end: number, words: WordSet): boolean =>
  tokens.slice(Math.max(0, end - MAX_TO_CANCELLED), end).some(({ folded }) => words.has(folded))

/** True for words of a reason: “because of repairs”, “As the first Monday is Labour Day, we meet …” */
function isReason(tokens: readonly Token[], from: number, to: number): boolean {
  let at = from - 1
  while (at > 0 && (isOneOf(tokens[at], WORDS.small) || isApostrophe(tokens[at]))) at--
  if (at >= 0 && isOneOf(tokens[at], WORDS.beforeReason)) return true
  // “Only the disco is off; the quiz takes place on Friday”
  if (
    hasWordNear(tokens, from, WORDS.aloneCalledOff) &&
    hasWordNear(tokens, to + MAX_TO_CANCELLED, WORDS.cancelled)
  )
    return true
  if (from === 0 || !isOneOf(tokens[0], WORDS.subordinates)) return false
  return to <= tokens.findIndex(({ folded }) => folded === ',')
}

const TOO_MANY =
  /^(?:too (?:many|few)|not enough|zu (?:viele|wenige?)|trop (?:de|d['’]|peu)|pas assez|demasiad[ao]s|muy poc[ao]s)(?![a-z])/i

const INFORMS_OR_PRESENTS = anyOf(WORDS.informing, WORDS.presenting)

/** Words before a day or a week that is near. */
export const THIS = anyOf(WORDS.coming, WORDS.next, WORDS.thisBeforeDays)

/** Words for some days. */
const PERIODS_OF_DAYS = anyOf(WORDS.weeks, WORDS.weekendsAndMonths)

const GREETING =
  /^(?:save the date|g['’]day|good (?:morning|afternoon|evening)|guten (?:tag|morgen|abend)|bonjour|bonsoir|buenos d[ií]as|buenas (?:tardes|noches))(?: \S+){0,2}$|\bbuen d[ií]a$/i

/** The traits of a candidate that the rows of the scorecard ask for. */
function titleTraits({
  sentence,
  from,
  to,
  title,
  words,
  sentences,
  daySentence,
  lastDaySentence,
  ...rest
}: TitleCandidate) {
  const { sentenceTokens, index, taken, known } = sentence
  const tokens = sentenceTokens.slice(from, to)
  const lows = tokens.filter(({ kind }) => kind === 'word').map(({ folded }) => folded)
  const isWord = (i: number) => sentenceTokens[i]?.kind === 'word'
  const line = sentenceTokens[0]?.line
  const day = sentences[daySentence]
  const isAlone = sentenceTokens.every((_, i) => (i >= from && i < to) || !isWord(i))
  const isAloneOnDay = sentenceTokens.every((_, i) => (i >= from && i < to) || !isWord(i) || taken[i])
  const colon = sentenceTokens.findIndex(({ folded }, i) => folded === ':' && i < 5)
  const label = colon > 0 && colon < from ? sentenceTokens.slice(0, colon).map(({ folded }) => folded) : []
  const openBrackets = sentenceTokens.slice(0, from).filter(({ folded }) => folded === '(').length
  const closedBrackets = sentenceTokens.slice(0, from).filter(({ folded }) => folded === ')').length
  return {
    ...rest,
    title,
    words,
    lows,
    label,
    before: sentenceTokens[from - 1]?.folded ?? '',
    after: sentenceTokens[to]?.folded ?? '',
    last: sentenceTokens.at(-1)?.folded ?? '',
    isAbove: index < daySentence,
    isDirectlyAbove: index === daySentence - 1,
    isOnDay: index === daySentence,
    isBelow: index > daySentence,
    isDirectlyBelow: index === lastDaySentence + 1,
    isFirst: index === 0,
    isSecond: index === 1,
    isDayBare:
      day?.sentenceTokens.every(
        (one, i) => one.kind !== 'word' || day.taken[i] || WORDS.small.has(one.folded),
      ) === true,
    isAloneOnDay,
    isOwnLine: isAlone && [index - 1, index + 1].every(i => sentences[i]?.sentenceTokens[0]?.line !== line),
    // “comedy in three acts”, below “The Winter Guest”
    isContinued:
      STARTS_LOWERCASE().test(sentenceTokens[0]?.text ?? '') &&
      STARTS_UPPERCASE().test(sentences[index - 1]?.sentenceTokens[0]?.text ?? '') &&
      sentenceTokens.every((one, i) => (i >= from && i < to) || !isWord(i) || WORDS.small.has(one.folded)),
    isFirstOfSentence: !sentenceTokens.some((_, i) => i < from && isWord(i)),
    isAfterDay: index === daySentence && taken.slice(0, from).includes(true),
    isOfPlace: isOfPlace(sentenceTokens, from),
    isOfAuthor:
      WORDS.belongingTo.has(leadOf(sentenceTokens, from)) &&
      hasAny(sentenceTokens.slice(0, from), WORDS.authors),
    works: sentenceTokens.filter(
      (one, i) =>
        QUOTES.includes(one.folded) &&
        BY_AUTHOR.test(`${sentenceTokens[i + 1]?.folded} ${sentenceTokens[i + 2]?.text}`),
    ),
    isOfProgramme: WORDS.programmesOfEvents.has(leadOf(sentenceTokens, from)),
    isPlayer:
      WORDS.beforePlayers.has(leadOf(sentenceTokens, from)) || WORDS.beforePlayers.has(label[0] ?? ''),
    isBeforeDay:
      index === daySentence &&
      sentenceTokens[to]?.folded === ':' &&
      taken[to + 1] &&
      !isLabel(sentenceTokens.slice(0, to)) &&
      !sentenceTokens.slice(0, from).some(({ kind }) => kind === 'word'),
    isBesideMention: taken[from - 1] || (taken[from - 2] && !isWord(from - 1)),
    isBeforeWord: isWord(to) && !taken[to],
    isAfterOtherWord:
      isWord(from - 1) && !taken[from - 1] && !isOneOf(sentenceTokens[from - 1], BESIDE_TITLE),
    isOfOthers: hasAny(sentenceTokens, WORDS.otherMatters),
    isInBrackets: openBrackets > closedBrackets,
    joins: (mark: string) =>
      tokens.some(
        ({ folded, isSpaced }, i) =>
          folded === mark && (tokens[i + 1]?.isSpaced || mark === ',') && (isSpaced || mark !== '-'),
      ),
    isKind: words.some(isKind),
    isName: tokens.every(
      ({ kind, text, folded }) =>
        kind !== 'word' || folded.length < 3 || WORDS.small.has(folded) || STARTS_UPPERCASE().test(text),
    ),
    isReason: isReason(sentenceTokens, from, to),
    isDenied: tokens.some(
      ({ folded }, i) =>
        isKind(folded) &&
        isOneOf(tokens[WORDS.small.has(tokens[i - 1]?.folded ?? '') ? i - 2 : i - 1], WORDS.negations),
    ),
    hasVerb: tokens.some(isVerb),
    // “Can you add …” and “Tu peux ajouter …”, but neither “rendez-vous” nor “We Will Rock You”
    isSpoken: tokens.some(
      ({ text, folded }, i) =>
        WORDS.personsSpokenTo.has(folded) &&
        tokens[i - 1]?.folded !== '-' &&
        (text === folded || (i === 0 && STARTS_LOWERCASE().test(tokens[1]?.text ?? ''))),
    ),
    isInClause: sentence.isClause,
    share: tokens.filter((_, i) => known[from + i]).length / tokens.length,
  }
}

type TitleTraits = ReturnType<typeof titleTraits>

const pointsOfTitle = pointsBy(titleRows)

function titleRows(): Scorecard<TitleTraits> {
  return {
    // Where the passage is
    'first sentence': [3, one => one.isFirst],
    'second sentence': [2, one => one.isSecond],
    'line of its own above the day': [7, one => one.isOwnLine && one.isAbove],
    'sentence of the day': [3, one => one.isOnDay],
    'sentence of the day, after the day': [-4, one => one.isAfterDay],
    // “So 7.2. 11 Uhr Frühschoppen”
    'all that stands beside the day': [8, one => one.isAfterDay && one.isAloneOnDay && !one.joins(',')],
    'below the day': [-12, one => one.isBelow],
    'directly below the day': [6, one => one.isDirectlyBelow],
    'line of its own directly below the day': [5, one => one.isDirectlyBelow && one.isOwnLine],
    'directly below a line that says only when': [7, one => one.isDirectlyBelow && one.isDayBare],
    // What is next to it
    quoted: [16, one => one.isQuoted],
    'in bold type': [6, one => one.isBold],
    'quoted within a clause': [3, one => one.isQuoted && one.isInClause],
    'quoted, of who plays': [-20, one => one.isQuoted && one.isPlayer],
    // “The author of “The Ice Harvest” talks about …”, “im Rahmen der Reihe „Winternächte“”
    'quoted, of an author or a series of events': [
      -24,
      one => one.isQuoted && (one.isOfAuthor || one.isOfProgramme),
    ],
    // “« Stabat Mater » de Pergolèse, « Cantique » de Fauré”
    'work of a programme': [-24, one => one.works.length > 1 && (one.isQuoted || /[«„“"]/.test(one.title))],
    'quoted, of a place': [-16, one => one.isQuoted && one.isOfPlace],
    'beside a day, a time or a place': [2, one => one.isBesideMention],
    'after a label for titles': [20, one => one.label.some(word => WORDS.labelsOfTitles.has(word))],
    // “Kehraus: Dienstag, 9. Februar”
    'one or two words before a colon and the day': [
      9,
      one =>
        one.isBeforeDay &&
        one.words.length < 3 &&
        !one.words.some(word => WORDS.bodies.has(word) || BODY_END.test(word)) &&
        !one.lows.some(folded => WORDS.next.has(folded) || WORDS.datesAhead.has(folded)),
    ],
    'after a colon': [6, one => one.before === ':'],
    'after a comma': [-8, one => one.before === ','],
    'before a comma': [-2, one => one.after === ','],
    'in brackets': [-14, one => one.isInBrackets],
    'after another word': [-5, one => one.isAfterOtherWord],
    'before a word': [2, one => one.isBeforeWord],
    'before a preposition': [3, one => PREPOSITIONS.has(one.after)],
    'before a point': [-3, one => one.after === '.'],
    // but “Talk: Who owns the moor?”
    'before a question mark': [
      -15,
      one => one.title.endsWith('?') && !one.isQuoted && !(one.isKind && one.joins(':')),
    ],
    'line that goes on with the one above': [-20, one => one.isContinued],
    'in a line that ends with a comma': [-8, one => one.last === ','],
    // How it is written
    'one word': [-10, one => one.words.length === 1],
    'two words': [-3, one => one.words.length === 2],
    'one short word': [-3, one => !one.isKind && one.words.length === 1 && (one.words[0]?.length ?? 0) < 5],
    'kind of event alone in a heading that says “cancelled”': [
      -25,
      one =>
        one.isOwnLine && one.isAbove && one.words.length === 1 && one.isKind && WORDS.cancelled.has(one.last),
    ],
    'capitals only': [7, one => one.title.length > 4 && !SMALL_LETTERS.test(one.title)],
    'small letter at first': [-5, one => STARTS_LOWERCASE().test(one.title)],
    // “auf dem Dorfplatz mit der Kapelle”
    'small preposition at first': [
      -12,
      one =>
        STARTS_LOWERCASE().test(one.title) &&
        [PREPOSITIONS, WORDS.toPlaces].some(words => words.has(one.lows[0] ?? '')),
    ],
    'capitals at first within a clause': [4, one => one.isName && one.isInClause],
    'joined by a comma': [-6, one => one.joins(',')],
    'joined by a dash': [2, one => one.joins('-')],
    'joined by a colon': [4, one => one.joins(':')],
    'has quotation marks': [8, one => /[«»„“”"]/.test(one.title)],
    // What it says
    'kind of event, first word': [2, one => isKind(one.words[0] ?? '')],
    'kind of event, alone': [4, one => one.isKind && one.words.length === 1],
    'kind of event, first in its sentence': [4, one => one.isKind && one.isFirstOfSentence],
    'kind of event, in the sentence of the day': [3, one => one.isKind && one.isOnDay],
    'kind of event, below the day': [-6, one => one.isKind && one.isBelow],
    'kind of event, within a clause': [7, one => one.isKind && one.isInClause],
    'kind of event, before a colon': [-4, one => one.isKind && one.after === ':'],
    'kind of event, joined by a comma': [3, one => one.isKind && one.joins(',')],
    'kind of event, alone, before a word': [
      -5,
      one => one.isKind && one.words.length === 1 && one.isBeforeWord,
    ],
    'kind of event, with a verb': [-10, one => one.isKind && one.hasVerb],
    'phrase of a general kind': [-4, one => one.phrase?.says === 'general'],
    'phrase of an occasion': [4, one => one.phrase?.says === 'occasion'],
    'phrase of a kind of event': [5, one => one.phrase?.says === 'kind'],
    occasion: [
      4,
      one => !one.isKind && one.words.some(word => WORDS.occasions.has(word) && !WORDS.bodies.has(word)),
    ],
    'verb, in the sentence of the day': [-9, one => one.hasVerb && one.isOnDay],
    'first in a clause': [-4, one => one.isInClause && one.isFirstOfSentence],
    'below the day, within a clause': [-5, one => one.isInClause && one.isBelow],
    'preposition at first': [-4, one => PREPOSITIONS.has(one.lows[0] ?? '')],
    'known name': [-7, one => one.share >= 0.6],
    'known name without a kind of event': [-5, one => one.share >= 0.6 && !one.isKind],
    'part of a known name': [-3, one => one.share > 0 && one.share < 0.6],
    'word for a place at an end': [
      -4,
      one => !one.isKind && [one.words[0], one.words.at(-1)].some(word => isPlaceWord(word ?? '')),
    ],
    // “This week at the Kettle”, “Weekend ahead”, “Este mes leemos a ciegas”
    'week at first': [
      -25,
      one =>
        PERIODS_OF_DAYS.has(one.lows[THIS.has(one.lows[0] ?? '') ? 1 : 0] ?? '') &&
        (THIS.has(one.lows[0] ?? '') || THIS.has(one.before) || one.lows[1] === 'ahead'),
    ],
    'label of a program': [
      -30,
      one =>
        OF_PROGRAMS.test(one.lows.join(' ')) ||
        (WORDS.labelsOfStatus.has(one.lows[0] ?? '') && one.joins(':')),
    ],
    'kind of text': [-12, one => WORDS.sheets.has(one.words[0] ?? '')],
    'after a label of a person': [-12, one => one.label.some(folded => WORDS.labelsOfPersons.has(folded))],
    'in a sentence about something else': [-7, one => one.isOfOthers],
    'day of the week': [-4, one => one.words.some(word => word.length > 3 && weekdayOf(word) > 0)],
    // “MUSEO DEL VINO”, and the name of what it shows below
    'place alone in its line, above another line above the day': [
      -15,
      one =>
        one.isOwnLine &&
        one.isAbove &&
        !one.isDirectlyAbove &&
        !one.isKind &&
        (isPlaceWord(one.words[0] ?? '') ||
          (isPlaceWord(one.words.at(-1) ?? '') && !one.lows.some(folded => PREPOSITIONS.has(folded)))),
    ],
    // “DOMINGO DE RAMOS, 21 de marzo”
    'feast beside its day': [
      -20,
      one =>
        one.isOnDay &&
        one.words.some(word => weekdayOf(word) > 0) &&
        one.words.every(word => weekdayOf(word) > 0 || WORDS.feastsBesideWeekdays.has(word)),
    ],
    'word for an organization, line of its own': [
      -8,
      one =>
        one.isOwnLine &&
        (PUBLIC_BODY.test(one.title) ||
          one.words.some(word => WORDS.bodies.has(word) || BODY_END.test(word))),
    ],
    'press release': [-12, one => /^(?:press|media|news) release/i.test(one.title)],
    'kind of text, later word': [-5, one => one.words.slice(1).some(word => WORDS.sheets.has(word))],
    'known name, line of its own': [-4, one => one.share >= 0.6 && one.isOwnLine],
    // “Stadtbücherei Lindau”, but “Jazz in the Park”
    'word for a place, without a preposition': [
      -3,
      one => !one.isKind && one.words.some(isPlaceWord) && !one.lows.some(folded => PREPOSITIONS.has(folded)),
    ],
    'word for a price': [-4, one => one.lows.some(word => WORDS.admission.has(word) || WORDS.free.has(word))],
    'two words with capitals, after the day': [
      -2,
      one => one.isAfterDay && !one.isKind && one.isName && one.words.length === 2,
    ],
    digits: [-3, one => /\d/.test(one.title)],
    'number of a course': [-20, one => COURSE_NUMBER.test(one.title)],
    'length alone': [-20, one => DURATION.test(one.title)],
    'brackets at the end': [-3, one => one.title.endsWith(')')],
    reason: [
      -15,
      // “car film long”, but “Car Boot Sale”
      one =>
        one.isReason ||
        one.lows.slice(0, 2).some(folded => WORDS.beforeReason.has(folded)) ||
        /^(?:car |[Ff]aute d|[Ss]uite (?:à|aux?) )|: (?:por|wegen|due) /.test(one.title),
    ],
    // “Too many are ill, so …”, “trop peu d’inscrits”
    'too many or too few': [-20, one => one.isInClause && TOO_MANY.test(one.title)],
    // “terrain gelé = pas de match”, “no class this week”
    'kind of event that there is not': [-20, one => one.isDenied],
    // “Notre guide étant malade, la balade …”
    'reason by a participle': [-30, one => one.lows.some(folded => folded === 'etant' || folded === 'ayant')],
    // “Por la lluvia, la verbena”
    'preposition at first, joined by a comma': [
      -12,
      one => PREPOSITIONS.has(one.lows[0] ?? '') && one.joins(','),
    ],
    greeting: [-8, one => WORDS.greetings.has(one.lows[0] ?? '')],
    // “Ven al Café de Idiomas de la biblioteca”
    // “Et notez déjà : le bal”
    'invitation at first': [
      -12,
      one => !one.isQuoted && WORDS.comingAlong.has(one.lows[AND.has(one.lows[0] ?? '') ? 1 : 0] ?? ''),
    ],
    // “Thank you for adding the concert”
    'thanks at first': [-20, one => WORDS.wordsOfThanks.has(one.lows[0] ?? '')],
    // “Hi Margaret”
    'greeting, line of its own': [-6, one => one.isOwnLine && WORDS.greetings.has(one.lows[0] ?? '')],
    // “Tu peux ajouter notre prochain bal folk”
    'somebody is spoken to': [
      -14,
      one => one.isSpoken && !one.isQuoted && !one.isAfterDay && (!one.isOwnLine || one.after === ':'),
    ],
    // “Se traslada al 6 de marzo”
    'reflexive verb at first': [-20, one => ['se', 'habra', 'hay'].includes(one.lows[0] ?? '')],
    'greeting by the time of day': [-30, one => GREETING.test(one.title)],
    // “LA ALCALDÍA INFORMA: …”, “Die Theatergruppe spielt”, “Der Turnverein lädt ein”
    'who informs or presents': [-25, one => INFORMS_OR_PRESENTS.has(one.words.at(-1) ?? '')],
    deadline: [-3, one => one.words.some(word => WORDS.notTheDay.has(word))],
  }
}

/** How much a candidate looks like a title. */
export const titlePoints = (candidate: TitleCandidate): number => pointsOfTitle(titleTraits(candidate))
