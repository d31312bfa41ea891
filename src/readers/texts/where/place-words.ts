import { memoizeByObject } from '../../../kit/lib/memo.ts'
import { PREPOSITIONS } from '../what/sentences.ts'
import { STARTS_LOWERCASE } from '../words/phrases.ts'
import { hasAny, isOneOf, type Token } from '../words/tokens.ts'
import { anyOf, isGeneralPlace, isKind, isPlaceWord, isWeekdayOrMonth, SITES, WORDS } from '../words/words.ts'

// Words of places, and the traits of a word in a passage that may be a place.

export const STARTS_WITH_CAPITAL = /^[A-ZÀ-Ý]/

const SITES_AND_STREETS = anyOf(SITES, WORDS.streets)

const SITE_END =
  /^(?!.{0,12}(?:stadt|musik|blas|trachten|jugend|dorf|berg|feuerwehr)kapelle).{3,}(?:platz|hof|bad|stube|keller|garten|zentrum|kapelle|raum|stadion|burg|strasse|bahnhof|treff|anlage|turm|hutte|gelande|schloss|kino|stadl|wiese|teich|weiher|lokal|hafen|fabrik|zimmer)$/

const STREET_END = /(?:strasse|str|gasse|weg)$/

/** Words before the owner or the house of a place: “Saal der Krone”. */
export const BEFORE_OWNER = anyOf(WORDS.belongingTo, WORDS.beforeOwnerOfPlace)

/** Words that lead to a place, or that a place ends before. */
export const PLACE_PREPOSITIONS = anyOf(PREPOSITIONS, WORDS.toPlaces, WORDS.placePrepositions)

/**
 * Words after a place, before who comes or plays: “Dorfkirche mit Pfrn. Keller”, but “Haus für Kinder” is a
 * place.
 */
export const COMPANY = anyOf(WORDS.for, WORDS.with)

export const LEADING = anyOf(PLACE_PREPOSITIONS, WORDS.articlesAndOwners, WORDS.meetingPoints)

/** Words for times and days: “Uhrzeit und Ort bleiben”. */
export const TIME_WORDS = anyOf(WORDS.weeks, WORDS.ofMonth, WORDS.meetings, WORDS.wordsOfTimes)

const OF_PRICES = anyOf(WORDS.admission, WORDS.audience, WORDS.notAdmission, WORDS.free, WORDS.seats)

/** The traits of a word that show whether a passage is a place. Memoized, since passages overlap. */
export const wordTraits = memoizeByObject(({ folded, text }: Token) => {
  const isSmall = WORDS.small.has(folded)
  const isPreposition = PLACE_PREPOSITIONS.has(folded)
  const isStreet = WORDS.streets.has(folded)
  const isSite =
    !WORDS.seats.has(folded) &&
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
    isPeople: WORDS.endsOfEnsembles.has(folded),
    isKind: isKind(folded),
    isHall: WORDS.housesLikeKinds.has(folded),
    isTime: isWeekdayOrMonth(folded) || TIME_WORDS.has(folded),
    isDeadline: WORDS.notTheDay.has(folded) || WORDS.notTheBeginning.has(folded),
    isPrice: OF_PRICES.has(folded),
    isStop: WORDS.stopsOfBuses.has(folded),
    fitsName: folded.length < 3 || isSmall || STARTS_WITH_CAPITAL.test(text),
    isOrdinaryWord: folded.length > 1 && startsLowercase && !isSmall && !isPreposition && !isSite,
  }
})

/** Tokens of “from the old town” before “hall”. */
const MAX_TO_FROM = 4

/** Words before the place from which an event is moved. */
const FROM_OLD = anyOf(WORDS.belongingTo, WORDS.beforeOldPlace)

/** True if an event is moved away from a place: “moved from the town hall to …”, “vom Rathaus in …”. */
export function isOldPlace(tokens: readonly Token[], from: number): boolean {
  const lead = tokens
    .slice(Math.max(0, from - MAX_TO_FROM), from)
    .findLast(({ folded }) => PLACE_PREPOSITIONS.has(folded))
  return isOneOf(lead, FROM_OLD) && hasAny(tokens, WORDS.movedToPlace)
}
