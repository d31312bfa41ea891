import { memoizeByObject } from '../../../kit/lib/memo.ts'
import { ARTICLES, PREPOSITIONS, TO } from '../what/sentences.ts'
import { SMALL_AT_FIRST } from '../words/phrases.ts'
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
  SMALL,
  STREETS,
  setOf,
  WEEKS,
  WITH,
  wordsFor,
} from '../words/words.ts'

// Words of places, and what can be seen of a word of a passage that may be one.

export const CAPITAL_AT_FIRST = /^[A-ZÀ-Ý]/

const PLACES = anyOf(SITES, STREETS)

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

/** Before whose a place is: “Saal der Krone”. */
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
export const NOT = setOf('not nicht pas non no instead statt anstatt')

export const LEADING = anyOf(PLACE_PREPOSITIONS, ARTICLES, MEETING_POINTS)

/** Words for stops of buses. */
const STOPS = setOf('haltestelle arret parada')

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
 * Before where it is if it rains, after “if” or the like: “Bei Regen: Turnhalle”, but “Singin' in the Rain at
 * …”
 */
export const RAIN = setOf(
  'regen schlechtwetter witterung wetter rain rains wet weather pluie pleut mauvais intemperies lluvia lloviera llueve schlechtwetter',
)

/** Words of what is no place after “in” or “en”: “in memory of”, “en plein air” */
export const NO_PLACES = setOf(
  'memory aid raison denier honour honor honneur faveur favor profit beneficio benefit gedenken rahmen direct directo live plein aire famille familia compagnie compania company english irish welsh german french spanish englisch deutsch anglais ingles originalsprache kostum costume horario bus car train zug tren autobus',
)

/** What can be seen of a word. */
export const traitsOf = memoizeByObject(({ low, text }: Token) => {
  const isSmall = SMALL.has(low)
  const isPreposition = PLACE_PREPOSITIONS.has(low)
  const isStreet = STREETS.has(low)
  const isSite = !SEATS.has(low) && (isPlaceWord(low) || PLACES.hasWordOrPlural(low) || SITE_END.test(low))
  const startsSmall = SMALL_AT_FIRST().test(text)
  return {
    low,
    isSmall,
    isPreposition,
    isStreet,
    isSite,
    startsSmall,
    isCut: isSmall || isPreposition,
    isStreetEnd: isStreet || STREET_END.test(low),
    isGeneral: isGeneralPlace(low) || PLACES.has(low),
    isPeople: PEOPLE.has(low),
    isKind: isKind(low),
    isHall: HALLS.has(low),
    isTime: isWeekdayOrMonth(low) || TIME_WORDS.has(low),
    isDeadline: NOT_THE_DAY.has(low) || NOT_THE_BEGINNING.has(low),
    isPrice: OF_PRICES.has(low),
    isStop: STOPS.has(low),
    isName: low.length < 3 || isSmall || CAPITAL_AT_FIRST.test(text),
    isOther: low.length > 1 && startsSmall && !isSmall && !isPreposition && !isSite,
  }
})

/** Tokens of “from the old town” before “hall”. */
const MAX_TO_FROM = 4

/** After “au” and “en”: in the stead of a place. */
export const STEAD = setOf('lieu lugar vez')

/** Before the place from which an event is moved. */
const FROM_OLD = anyOf(OF, setOf('from'))

/** Words of an event that is moved. */
const MOVED = setOf(
  'moved changed change switched relocated verlegt umgezogen deplace deplacee transfere transferee change traslada trasladado trasladada pasa cambia',
)

/** True if an event is moved away from a place: “moved from the town hall to …”, “vom Rathaus in …”. */
export function isOldPlace(own: readonly Token[], from: number): boolean {
  const lead = own
    .slice(Math.max(0, from - MAX_TO_FROM), from)
    .findLast(({ low }) => PLACE_PREPOSITIONS.has(low))
  return isOneOf(lead, FROM_OLD) && hasAny(own, MOVED)
}

/** Before the place to which an event is moved. */
export const TOWARDS = setOf('to into in ins a au al')
