import { memoizeByObject } from '../../../kit/lib/memo.ts'
import { ARTICLES, PREPOSITIONS, TO } from '../what/sentences.ts'
import { STARTS_LOWERCASE } from '../words/phrases.ts'
import { hasAny, isOneOf, type Token } from '../words/tokens.ts'
import {
  ADMISSION,
  AUDIENCE,
  anyOf,
  FOR,
  FREE,
  isGeneralPlace,
  isKind,
  isPlaceWord,
  isWeekdayOrMonth,
  NOT_ADMISSION,
  NOT_THE_BEGINNING,
  NOT_THE_DAY,
  OF,
  SITES,
  SMALL_WORDS,
  STREETS,
  setOf,
  WEEKS,
  WITH,
  wordsFor,
} from '../words/words.ts'

// Words of places, and what can be seen of a word of a passage that may be one.

export const STARTS_WITH_CAPITAL = /^[A-ZÀ-Ý]/

const SITES_AND_STREETS = anyOf(SITES, STREETS)

/** Kinds of events that are houses as well. */
export const HALLS = setOf('teatro theatre opera gym forum atelier')

const SITE_END =
  /^(?!.{0,12}(?:stadt|musik|blas|trachten|jugend|dorf|berg|feuerwehr)kapelle).{3,}(?:platz|hof|bad|stube|keller|garten|zentrum|kapelle|raum|stadion|burg|strasse|bahnhof|treff|anlage|turm|hutte|gelande|schloss|kino|stadl|wiese|teich|weiher|lokal|hafen|fabrik|zimmer)$/

const STREET_END = /(?:strasse|str|gasse|weg)$/

/** Last in the names of those who play, sing or act. */
export const PEOPLE = setOf(
  'players singers choir band company troupe compagnie chor kapelle quartett quartet ensemble coro',
)

/** After the names of streets. */
export const AFTER_STREETS = setOf('street road rd lane ln avenue ave terrace')

/** Before the owner or the house of a place: “Saal der Krone”. */
export const BEFORE_OWNER = anyOf(OF, setOf('der'))

/** Words that lead to a place, or that a place ends before. */
export const PLACE_PREPOSITIONS = anyOf(
  PREPOSITIONS,
  TO,
  setOf('der unter under sous hinter vor neben from ab desde depuis devant outside off'),
)

/** Before where people meet. */
export const MEETING_POINTS = setOf(
  'treffpunkt treff meet meets meeting rdv rendez vous salida encuentro quedamos depart start abfahrt departure',
)

/**
 * After a place, before who comes or plays: “Dorfkirche mit Pfrn. Keller”, but “Haus für Kinder” is a place.
 */
export const COMPANY = anyOf(FOR, WITH)

/** Before a place where the event is not: “und nicht im Pfarrheim”, “instead of the Town Hall”. */
export const NOT_AT = setOf('not nicht pas non no instead statt anstatt')

export const LEADING = anyOf(PLACE_PREPOSITIONS, ARTICLES, MEETING_POINTS)

/** Words for stops of buses. */
const BUS_STOPS = setOf('haltestelle arret parada')

/** Seats that look like places: “places limitées”. */
const SEATS = setOf('places plazas platze')

/** Words for times and days: “Uhrzeit und Ort bleiben”. */
export const TIME_WORDS = anyOf(
  WEEKS,
  wordsFor('ofMonth', 'meetings'),
  setOf('time uhrzeit zeit heure hora date datum fecha termin'),
)

const OF_PRICES = anyOf(ADMISSION, AUDIENCE, NOT_ADMISSION, FREE, SEATS)

/**
 * Words for bad weather, after “if” or the like before the place where the event then is: “Bei Regen:
 * Turnhalle”, but “Singin' in the Rain at …”
 */
export const RAIN = setOf(
  'regen schlechtwetter witterung wetter rain rains wet weather pluie pleut mauvais intemperies lluvia lloviera llueve schlechtwetter',
)

/** Words of what is no place after “in” or “en”: “in memory of”, “en plein air” */
export const NO_PLACES = setOf(
  'memory aid raison denier honour honor honneur faveur favor profit beneficio benefit gedenken rahmen direct directo live plein aire famille familia compagnie compania company english irish welsh german french spanish englisch deutsch anglais ingles originalsprache kostum costume horario bus car train zug tren autobus',
)

/** The traits of a word, by which passages are told to be places or not. Memoized, since they overlap. */
export const wordTraits = memoizeByObject(({ folded, text }: Token) => {
  const isSmall = SMALL_WORDS.has(folded)
  const isPreposition = PLACE_PREPOSITIONS.has(folded)
  const isStreet = STREETS.has(folded)
  const isSite =
    !SEATS.has(folded) &&
    (isPlaceWord(folded) || SITES_AND_STREETS.hasWordOrPlural(folded) || SITE_END.test(folded))
  const startsLowercase = STARTS_LOWERCASE().test(text)
  return {
    folded,
    isSmall,
    isPreposition,
    isStreet,
    isSite,
    startsSmall: startsLowercase,
    isFunctionWord: isSmall || isPreposition,
    isStreetEnd: isStreet || STREET_END.test(folded),
    isGeneral: isGeneralPlace(folded) || SITES_AND_STREETS.has(folded),
    isPeople: PEOPLE.has(folded),
    isKind: isKind(folded),
    isHall: HALLS.has(folded),
    isTime: isWeekdayOrMonth(folded) || TIME_WORDS.has(folded),
    isDeadline: NOT_THE_DAY.has(folded) || NOT_THE_BEGINNING.has(folded),
    isPrice: OF_PRICES.has(folded),
    isStop: BUS_STOPS.has(folded),
    fitsName: folded.length < 3 || isSmall || STARTS_WITH_CAPITAL.test(text),
    isOrdinaryWord: folded.length > 1 && startsLowercase && !isSmall && !isPreposition && !isSite,
  }
})

/** Tokens of “from the old town” before “hall”. */
const MAX_TO_FROM = 4

/** Nouns after “au” and “en” that mean “instead of” a place. */
export const STEAD = setOf('lieu lugar vez')

/** Before the place from which an event is moved. */
const FROM_OLD = anyOf(OF, setOf('from'))

/** Words of an event that is moved. */
const MOVED_VERBS = setOf(
  'moved changed change switched relocated verlegt umgezogen deplace deplacee transfere transferee change traslada trasladado trasladada pasa cambia',
)

/** True if an event is moved away from a place: “moved from the town hall to …”, “vom Rathaus in …”. */
export function isOldPlace(tokens: readonly Token[], from: number): boolean {
  const lead = tokens
    .slice(Math.max(0, from - MAX_TO_FROM), from)
    .findLast(({ folded }) => PLACE_PREPOSITIONS.has(folded))
  return isOneOf(lead, FROM_OLD) && hasAny(tokens, MOVED_VERBS)
}

/** Before the place to which an event is moved. */
export const TO_NEW_PLACE = setOf('to into in ins a au al')
