import { REASON_WORDS } from '../when/moments.ts'
import { ALONE } from '../when/status.ts'
import { CAPITAL } from '../words/clauses.ts'
import { SMALL_AT_FIRST, type TitleMention } from '../words/phrases.ts'
import { hasAny, isOneOf, QUOTES, type Token } from '../words/tokens.ts'
import {
  ADMISSION,
  AND,
  anyOf,
  BODIES,
  CANCELLED,
  COMING,
  FEASTS,
  FREE,
  GREETINGS,
  isGeneralPlace,
  isKind,
  isPlaceWord,
  NEGATIONS,
  NEXT,
  NOT_THE_DAY,
  OCCASIONS,
  OF,
  OTHER_MATTERS,
  PRESENTING,
  SHEETS,
  SMALL,
  setOf,
  THANKS,
  VERBS,
  WEEKS,
  type WordSet,
  weekdayOf,
} from '../words/words.ts'
import type { KindPhrase } from './kinds.ts'
import { pointsBy, type Scorecard } from './scorecard.ts'
import {
  ARTICLES,
  AU,
  DATES,
  IN,
  INFORMING,
  isApostrophe,
  isLabel,
  isVerb,
  LABELS,
  leadOf,
  OF_PERSONS,
  PREPOSITIONS,
  type Sentence,
  SUBORDINATES,
  TO,
} from './sentences.ts'

// How much a passage looks like the title of an event: points for what can be seen of it. Its line, what
// stands beside it, and its words count; none of them decides alone.

/**
 * The text around all candidates.
 *
 * @property dated the index of the sentence with the day, or -1
 * @property last that of the last one that belongs to the day
 */
type Surroundings = { sentences: readonly Sentence[]; dated: number; last: number }

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

const BESIDE = anyOf(PREPOSITIONS, ARTICLES, TO, VERBS)

/** What programs write beside an event: “Date and time”, “All day”, “Central European Time – Berlin”. */
const OF_PROGRAMS =
  /^(?:(?:date and time|datum und uhrzeit|date et heure|fecha y hora|all day|ganztagig|toute la journee|todo el dia|original appointment)$|mitteleuropaische|central european|heure d europe|hora de europa)/

/** Before the status of an event in a form. */
const STATUSES = setOf('status statut estado estatus')

/** Ends of German compounds for those who hold events. */
const BODY_END = /(?:verein|gruppe|kapelle|feuerwehr|gemeinde|verband|genossenschaft)$/

/** Names of towns and boards. */
const BODY = /^(?:town|township|county|village|borough) of |\bboard$/i

const SMALL_LETTERS = /[a-zà-ÿ]/

/** The number of a course: “Kurs-Nr. A204-17”, “Kurs 17B204”. */
const NUMBERED =
  /^(?:kurs|course|cours|curso)[- ]?(?:(?:nr|no|nº|n°|number|code)(?![a-z])|(?=[a-z-]{0,4}\d)[a-z\d./-]{1,12}$)/i

/** How long something is: “90 minutos sin descanso”, “30 años”. */
const LENGTH =
  /^\d+ (?:min(?:ut\w*)?|heures?|horas?|hours?|stunden?|jahren?|ans|años|years?)(?:$| (?!von|of|de)\S+(?: \S+)?$)/i

/** True if what is quoted names a place: “in der „Krone“”, “au « Relais »”, “salle « Les Tilleuls »”. */
function isOfPlace(own: readonly Token[], from: number): boolean {
  const lead = leadOf(own, from)
  // “In „Der Vorname“ streiten sich …”
  const isFirst = own[0]?.low === lead
  return ((IN.has(lead) || AU.has(lead)) && !isFirst) || isGeneralPlace(lead)
}

/**
 * Before who plays: “mit der Kapelle „Blechschaden“”, “music by "The Tweed Boys"”, “Musik: die „Moosbuam“”.
 */
const PLAYERS = setOf(
  'band kapelle gruppe orquesta orchestre orchester groupe grupo combo by musik music musique musica',
)

/** Before who wrote a work. */
const BY = /^(?:by|de|von|par|d) [A-ZÀ-Ý'’]/

/** Words for those who wrote a work. */
const AUTHORS = setOf('author autor autorin auteur autrice autora writer schriftsteller schriftstellerin')

/** What an event is one of: “Dentro del ciclo «Noches de invierno»”. */
export const PROGRAMMES = setOf(
  'ciclo cycle reihe veranstaltungsreihe vortragsreihe konzertreihe tournee gira album cd',
)

/** Tokens of “is cancelled”, “ist leider abgesagt”. */
const MAX_TO_CANCELLED = 4

const isNear = (own: readonly Token[], end: number, words: WordSet): boolean =>
  own.slice(Math.max(0, end - MAX_TO_CANCELLED), end).some(({ low }) => words.has(low))

/** True for words of a reason: “because of repairs”, “As the first Monday is Labour Day, we meet …” */
function isReason(own: readonly Token[], from: number, to: number): boolean {
  let at = from - 1
  while (at > 0 && (isOneOf(own[at], SMALL) || isApostrophe(own[at]))) at--
  if (at >= 0 && isOneOf(own[at], REASON_WORDS)) return true
  // “Only the disco is off; the quiz takes place on Friday”
  if (isNear(own, from, ALONE) && isNear(own, to + MAX_TO_CANCELLED, CANCELLED)) return true
  if (from === 0 || !isOneOf(own[0], SUBORDINATES)) return false
  return to <= own.findIndex(({ low }) => low === ',')
}

const TOO_MANY =
  /^(?:too (?:many|few)|not enough|zu (?:viele|wenige?)|trop (?:de|d['’]|peu)|pas assez|demasiad[ao]s|muy poc[ao]s)(?![a-z])/i

/** Verbs that ask somebody to come, or to note the day. */
const COMING_ALONG = setOf(
  'notez retenez reservez notiert notieren merkt apuntad apunten anotad anoten come join ven venid vente acompananos kommt komm venez viens rejoignez',
)

const PRESENTS = anyOf(INFORMING, PRESENTING)

/** Who speaks, or is spoken to. */
const PERSONS = setOf('vous nous je tu wir ich ihnen euch we you they')

/** Before a day or a week that is near. */
export const THIS = anyOf(COMING, NEXT, setOf('diese dieses diesen diesem dieser ce cet cette este esta'))

/** Stretches of days. */
const WEEKENDS = anyOf(WEEKS, setOf('weekend wochenende fin month monat mois mes'))

const GREETING =
  /^(?:save the date|g['’]day|good (?:morning|afternoon|evening)|guten (?:tag|morgen|abend)|bonjour|bonsoir|buenos d[ií]as|buenas (?:tardes|noches))(?: \S+){0,2}$|\bbuen d[ií]a$/i

/** What the rows of the scorecard ask for. */
function lookAt({ sentence, from, to, title, words, sentences, dated, last, ...rest }: TitleCandidate) {
  const { own, index, taken, known } = sentence
  const tokens = own.slice(from, to)
  const lows = tokens.filter(({ kind }) => kind === 'word').map(({ low }) => low)
  const isWord = (i: number) => own[i]?.kind === 'word'
  const line = own[0]?.line
  const day = sentences[dated]
  const isAlone = own.every((_, i) => (i >= from && i < to) || !isWord(i))
  const isAloneOnDay = own.every((_, i) => (i >= from && i < to) || !isWord(i) || taken[i])
  const colon = own.findIndex(({ low }, i) => low === ':' && i < 5)
  const label = colon > 0 && colon < from ? own.slice(0, colon).map(({ low }) => low) : []
  const open = own.slice(0, from).filter(({ low }) => low === '(').length
  const closed = own.slice(0, from).filter(({ low }) => low === ')').length
  return {
    ...rest,
    title,
    words,
    lows,
    label,
    before: own[from - 1]?.low ?? '',
    after: own[to]?.low ?? '',
    last: own.at(-1)?.low ?? '',
    isAbove: index < dated,
    isDirectlyAbove: index === dated - 1,
    isOnDay: index === dated,
    isBelow: index > dated,
    isDirectlyBelow: index === last + 1,
    isFirst: index === 0,
    isSecond: index === 1,
    isDayBare: day?.own.every((one, i) => one.kind !== 'word' || day.taken[i] || SMALL.has(one.low)) === true,
    isAloneOnDay,
    isOwnLine: isAlone && [index - 1, index + 1].every(i => sentences[i]?.own[0]?.line !== line),
    // “comedy in three acts”, below “The Winter Guest”
    isContinued:
      SMALL_AT_FIRST().test(own[0]?.text ?? '') &&
      CAPITAL().test(sentences[index - 1]?.own[0]?.text ?? '') &&
      own.every((one, i) => (i >= from && i < to) || !isWord(i) || SMALL.has(one.low)),
    isFirstOfSentence: !own.some((_, i) => i < from && isWord(i)),
    isAfterDay: index === dated && taken.slice(0, from).includes(true),
    isOfPlace: isOfPlace(own, from),
    isOfAuthor: OF.has(leadOf(own, from)) && hasAny(own.slice(0, from), AUTHORS),
    works: own.filter(
      (one, i) => QUOTES.includes(one.low) && BY.test(`${own[i + 1]?.low} ${own[i + 2]?.text}`),
    ),
    isOfProgramme: PROGRAMMES.has(leadOf(own, from)),
    isPlayer: PLAYERS.has(leadOf(own, from)) || PLAYERS.has(label[0] ?? ''),
    isBeforeDay:
      index === dated &&
      own[to]?.low === ':' &&
      taken[to + 1] &&
      !isLabel(own.slice(0, to)) &&
      !own.slice(0, from).some(({ kind }) => kind === 'word'),
    isBesideMention: taken[from - 1] || (taken[from - 2] && !isWord(from - 1)),
    isBeforeWord: isWord(to) && !taken[to],
    isAfterOtherWord: isWord(from - 1) && !taken[from - 1] && !isOneOf(own[from - 1], BESIDE),
    isOfOthers: hasAny(own, OTHER_MATTERS),
    isInBrackets: open > closed,
    joins: (mark: string) =>
      tokens.some(
        ({ low, isSpaced }, i) =>
          low === mark && (tokens[i + 1]?.isSpaced || mark === ',') && (isSpaced || mark !== '-'),
      ),
    isKind: words.some(isKind),
    isName: tokens.every(
      ({ kind, text, low }) => kind !== 'word' || low.length < 3 || SMALL.has(low) || CAPITAL().test(text),
    ),
    isReason: isReason(own, from, to),
    isDenied: tokens.some(
      ({ low }, i) =>
        isKind(low) && isOneOf(tokens[SMALL.has(tokens[i - 1]?.low ?? '') ? i - 2 : i - 1], NEGATIONS),
    ),
    hasVerb: tokens.some(isVerb),
    // “Can you add …” and “Tu peux ajouter …”, but neither “rendez-vous” nor “We Will Rock You”
    isSpoken: tokens.some(
      ({ text, low }, i) =>
        PERSONS.has(low) &&
        tokens[i - 1]?.low !== '-' &&
        (text === low || (i === 0 && SMALL_AT_FIRST().test(tokens[1]?.text ?? ''))),
    ),
    isInClause: sentence.isClause,
    share: tokens.filter((_, i) => known[from + i]).length / tokens.length,
  }
}

type Look = ReturnType<typeof lookAt>

const pointsOfLook = pointsBy(titleRows)

function titleRows(): Scorecard<Look> {
  return {
    // Where it stands
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
    // What stands beside it
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
    'after a label for titles': [20, one => one.label.some(word => LABELS.has(word))],
    // “Kehraus: Dienstag, 9. Februar”
    'one or two words before a colon and the day': [
      9,
      one =>
        one.isBeforeDay &&
        one.words.length < 3 &&
        !one.words.some(word => BODIES.has(word) || BODY_END.test(word)) &&
        !one.lows.some(low => NEXT.has(low) || DATES.has(low)),
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
      one => one.isOwnLine && one.isAbove && one.words.length === 1 && one.isKind && CANCELLED.has(one.last),
    ],
    'capitals only': [7, one => one.title.length > 4 && !SMALL_LETTERS.test(one.title)],
    'small letter at first': [-5, one => SMALL_AT_FIRST().test(one.title)],
    // “auf dem Dorfplatz mit der Kapelle”
    'small preposition at first': [
      -12,
      one =>
        SMALL_AT_FIRST().test(one.title) && [PREPOSITIONS, TO].some(words => words.has(one.lows[0] ?? '')),
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
    occasion: [4, one => !one.isKind && one.words.some(word => OCCASIONS.has(word) && !BODIES.has(word))],
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
        WEEKENDS.has(one.lows[THIS.has(one.lows[0] ?? '') ? 1 : 0] ?? '') &&
        (THIS.has(one.lows[0] ?? '') || THIS.has(one.before) || one.lows[1] === 'ahead'),
    ],
    'label of a program': [
      -30,
      one => OF_PROGRAMS.test(one.lows.join(' ')) || (STATUSES.has(one.lows[0] ?? '') && one.joins(':')),
    ],
    'kind of text': [-12, one => SHEETS.has(one.words[0] ?? '')],
    'after a label of a person': [-12, one => one.label.some(low => OF_PERSONS.has(low))],
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
          (isPlaceWord(one.words.at(-1) ?? '') && !one.lows.some(low => PREPOSITIONS.has(low)))),
    ],
    // “DOMINGO DE RAMOS, 21 de marzo”
    'feast beside its day': [
      -20,
      one =>
        one.isOnDay &&
        one.words.some(word => weekdayOf(word) > 0) &&
        one.words.every(word => weekdayOf(word) > 0 || FEASTS.has(word)),
    ],
    'word for an organization, line of its own': [
      -8,
      one =>
        one.isOwnLine &&
        (BODY.test(one.title) || one.words.some(word => BODIES.has(word) || BODY_END.test(word))),
    ],
    'press release': [-12, one => /^(?:press|media|news) release/i.test(one.title)],
    'kind of text, later word': [-5, one => one.words.slice(1).some(word => SHEETS.has(word))],
    'known name, line of its own': [-4, one => one.share >= 0.6 && one.isOwnLine],
    // “Stadtbücherei Lindau”, but “Jazz in the Park”
    'word for a place, without a preposition': [
      -3,
      one => !one.isKind && one.words.some(isPlaceWord) && !one.lows.some(low => PREPOSITIONS.has(low)),
    ],
    'word for a price': [-4, one => one.lows.some(word => ADMISSION.has(word) || FREE.has(word))],
    'two words with capitals, after the day': [
      -2,
      one => one.isAfterDay && !one.isKind && one.isName && one.words.length === 2,
    ],
    digits: [-3, one => /\d/.test(one.title)],
    'number of a course': [-20, one => NUMBERED.test(one.title)],
    'length alone': [-20, one => LENGTH.test(one.title)],
    'brackets at the end': [-3, one => one.title.endsWith(')')],
    reason: [
      -15,
      // “car film long”, but “Car Boot Sale”
      one =>
        one.isReason ||
        one.lows.slice(0, 2).some(low => REASON_WORDS.has(low)) ||
        /^(?:car |[Ff]aute d|[Ss]uite (?:à|aux?) )|: (?:por|wegen|due) /.test(one.title),
    ],
    // “Too many are ill, so …”, “trop peu d’inscrits”
    'too many or too few': [-20, one => one.isInClause && TOO_MANY.test(one.title)],
    // “terrain gelé = pas de match”, “no class this week”
    'kind of event that there is not': [-20, one => one.isDenied],
    // “Notre guide étant malade, la balade …”
    'reason by a participle': [-30, one => one.lows.some(low => low === 'etant' || low === 'ayant')],
    // “Por la lluvia, la verbena”
    'preposition at first, joined by a comma': [
      -12,
      one => PREPOSITIONS.has(one.lows[0] ?? '') && one.joins(','),
    ],
    greeting: [-8, one => GREETINGS.has(one.lows[0] ?? '')],
    // “Ven al Café de Idiomas de la biblioteca”
    // “Et notez déjà : le bal”
    'invitation at first': [
      -12,
      one => !one.isQuoted && COMING_ALONG.has(one.lows[AND.has(one.lows[0] ?? '') ? 1 : 0] ?? ''),
    ],
    // “Thank you for adding the concert”
    'thanks at first': [-20, one => THANKS.has(one.lows[0] ?? '')],
    // “Hi Margaret”
    'greeting, line of its own': [-6, one => one.isOwnLine && GREETINGS.has(one.lows[0] ?? '')],
    // “Tu peux ajouter notre prochain bal folk”
    'somebody is spoken to': [
      -14,
      one => one.isSpoken && !one.isQuoted && !one.isAfterDay && (!one.isOwnLine || one.after === ':'),
    ],
    // “Se traslada al 6 de marzo”
    'reflexive verb at first': [-20, one => ['se', 'habra', 'hay'].includes(one.lows[0] ?? '')],
    'greeting by the time of day': [-30, one => GREETING.test(one.title)],
    // “LA ALCALDÍA INFORMA: …”, “Die Theatergruppe spielt”, “Der Turnverein lädt ein”
    'who informs or presents': [-25, one => PRESENTS.has(one.words.at(-1) ?? '')],
    deadline: [-3, one => one.words.some(word => NOT_THE_DAY.has(word))],
  }
}

/** How much a candidate looks like a title. */
export const titlePoints = (candidate: TitleCandidate): number => pointsOfLook(lookAt(candidate))
