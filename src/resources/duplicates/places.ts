import { isNearly } from '../../lib/text.ts'
import { tokensOf, withoutUmlauts } from './titles.ts'
import { byFirst, PARTS, STOP, wordSet } from './words.ts'

// Words in names of venues, folded, in English, German, French and Spanish.

/** What venues are: words that many names have, each line one thing. */
const VENUE_WORDS: ReadonlyMap<string, string> = byFirst(`
  theater theatre teatro
  center centre ctr zentrum centro kulturzentrum cultural culture kultur
  library bibliothek bucherei stadtbibliothek stadtbucherei bibliotheque biblioteca
  hall halle saal salle sala stadthalle festhalle mehrzweckhalle
  townhall rathaus ayuntamiento mairie municipal municipality
  museum musee museo
  church kirche eglise iglesia gemeindehaus pfarrheim chapel kapelle parish
  school schule ecole escuela elementary middle high primary gymnasium grundschule
  university universitat universite universidad univ college campus
  park parc parque garden garten jardin
  cafe coffee bistro
  bar pub club lounge brewery taproom
  restaurant gasthaus gasthof
  community gemeinde burgerhaus dorfgemeinschaftshaus civic senior recreation rec
  house haus maison casa
  gallery galerie galeria
  arena stadium stadion
  hotel inn
  room raum auditorium aula studio
  building gebaude
  live music venue konzerthaus
  city stadt town village county public main central local branch
  square platz place plaza marktplatz
  ymca
`)

/** Short and long forms of words in names and addresses. */
const SHORT: ReadonlyMap<string, string> = byFirst(`
  st street saint sankt santa san strasse str
  ave avenue av
  rd road
  dr drive
  blvd boulevard
  ln lane
  mt mount
  ft fort
  n north nord norte
  s south sud sur
  e east ost este
  w west ouest oeste
  bldg building
  hwy highway
  sq square
  pl platz place
  univ university
`)

/** What companies and clubs put behind their names. */
const FORMS = wordSet('ev e v gmbh inc llc ltd co')

/** Cities that have another name in another language. */
const CITIES: ReadonlyMap<string, string> = byFirst(`
  koln cologne colonia
  munchen munich muenchen
  wien vienna vienne viena
  nurnberg nuremberg
  geneve geneva genf ginebra
  zurich zuerich
  basel basle bale basilea
  bruxelles brussels brussel bruselas
  sevilla seville
  lisboa lisbon lissabon
  praha prague prag praga
  roma rome rom
  milano milan mailand
  hannover hanover
  frankfurt frankfort
  strasbourg strassburg
  nyc newyork newyorkcity
`)

/** A place at which an event is, as its venue has it. Texts are '' and coordinates null where they are not known. */
export type TwinPlace = {
  id: number
  name: string
  address: string
  city: string
  /** Degrees, WGS 84. */
  lat: number | null
  lng: number | null
}

/** How two places are to each other. Those of `like` names may be the same, and those of other names that are `near`. */
export type Nearness = 'same' | 'like' | 'near' | 'other'

type Place = {
  /** The words of the name: those that it has of its own, those of what it is, and what tells one of its rooms. */
  own: string[]
  kinds: string[]
  rooms: string[]
  /** What follows a comma in the name, as LOCATION of iCalendar has it. */
  rest: string[]
  city: string[]
}

const places = new WeakMap<TwinPlace, Place>()

const short = (words: string[]): string[] =>
  words.map(word => SHORT.get(word) ?? word.replace(/(?<=.)str(?:asse)?$/, 'str'))

const ROOM =
  /^(?:[a-z]|\d{1,4}[a-z]?|i{1,3}|iv|n|s|w|e|upper|lower|downstairs|upstairs|annex|keller|foyer|klein|kleiner|gross|grosser|small|big)$/

function placeOf(place: TwinPlace): Place {
  const known = places.get(place)
  if (known) return known
  const [name = '', ...more] = place.name.split(/,|\s[-–|@]\s/)
  const made: Place = {
    ...{ own: [], kinds: [], rooms: [], rest: short(tokensOf(more.join(' '))) },
    city: tokensOf(place.city).map(word => CITIES.get(word) ?? word),
  }
  for (const [i, word] of made.rest.entries())
    if (ROOM.test(word) && PARTS.has(made.rest[i - 1] ?? '')) made.rooms.push(word)
  const words = short(tokensOf(name))
  for (const [i, word] of words.entries()) {
    const kind = VENUE_WORDS.get(word)
    if (kind !== undefined) made.kinds.push(kind)
    else if (i > 0 && (ROOM.test(word) || (word.length === 1 && PARTS.has(words[i - 1] ?? ''))))
      made.rooms.push(word)
    else if (![STOP, PARTS, FORMS].some(words => words.has(word))) made.own.push(CITIES.get(word) ?? word)
  }
  places.set(place, made)
  return made
}

const words = new WeakMap<TwinPlace, string[]>()

/** All words of names, addresses and cities of places, as titles have them. */
export function placeWords(all: readonly TwinPlace[]): Set<string> {
  const found = new Set<string>()
  for (const place of all) {
    const own =
      words.get(place) ?? tokensOf(`${place.name} ${place.city} ${place.address}`).map(withoutUmlauts)
    words.set(place, own)
    for (const word of own) found.add(word)
  }
  return found
}

const METRES_PER_DEGREE = 111_195

/** Metres between two places, as on a plane; undefined if the position of one is not known. */
function metresBetween(a: TwinPlace, b: TwinPlace): number | undefined {
  if (a.lat === null || a.lng === null || b.lat === null || b.lng === null) return undefined
  const turn = Math.abs(a.lng - b.lng)
  const east = Math.min(turn, 360 - turn) * Math.cos(((a.lat + b.lat) * Math.PI) / 360)
  return Math.hypot(a.lat - b.lat, east) * METRES_PER_DEGREE
}

/** Metres within which places of other names may be one, and within which those of the same name are. */
const NEAR = 200
const SAME_NAME = 1_500

/** Metres beyond which no calendar has two places of one name. */
const ASTRAY = 500_000

const isSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every(word => b.includes(word))

const isIn = (a: readonly string[], b: readonly string[]): boolean => a.every(word => b.includes(word))

/** Words of one name are those of the other, with a typo at most. */
const isSameName = (a: readonly string[], b: readonly string[]): boolean =>
  isSet(a, b) || (a.join('').length >= 6 && isNearly(a.join(''), b.join(''), 1))

const compared = new WeakMap<TwinPlace, WeakMap<TwinPlace, Nearness>>()

/** How two places are to each other. Of those of one query, the same two are looked at once. */
export function comparePlaces(x: TwinPlace, y: TwinPlace): Nearness {
  if (x.id === y.id) return 'same'
  const known = compared.get(x) ?? new WeakMap<TwinPlace, Nearness>()
  compared.set(x, known)
  const nearness = known.get(y) ?? nearnessOf(x, y)
  known.set(y, nearness)
  return nearness
}

/** How two places are to each other, by their names, cities, addresses and positions, as far as these are known. */
function nearnessOf(x: TwinPlace, y: TwinPlace): Nearness {
  const metres = metresBetween(x, y)
  const [a, b] = inTheirTown(placeOf(x), placeOf(y))
  if (metres !== undefined && metres > SAME_NAME) {
    // Of a place of its own name in the same town, or half a continent away, one of the positions is wrong.
    const isMisplaced = metres > ASTRAY || (a.city.length > 0 && isSet(a.city, b.city))
    return isMisplaced && a.own.length > 0 && isSet(a.own, b.own) && !isOtherCity(a, b) ? 'like' : 'other'
  }
  if (metres === undefined && isOtherCity(a, b)) return 'other'
  const isNear = metres !== undefined && metres <= NEAR
  const { hasSameStreet, hasOtherNumber } = compareAddresses(x, y)
  const isNamed = a.own.length + a.kinds.length > 0 && b.own.length + b.kinds.length > 0
  if (!isNamed) return isNear || hasSameStreet ? 'same' : 'like'
  const isOtherRoom = !isSet(a.rooms, b.rooms) && a.rooms.length > 0 && b.rooms.length > 0
  const hasSameCity = a.city.length > 0 && b.city.length > 0
  if (a.own.length === 0 && b.own.length === 0) {
    // A town hall is one of many.
    if (!isSet(a.kinds, b.kinds)) return isNear || hasSameStreet ? 'near' : 'other'
    if (isOtherRoom) return 'other'
    if (hasOtherNumber && !isNear) return 'other'
    return isNear || hasSameStreet || hasSameCity ? roomless(a, b, 'same') : 'like'
  }
  if (isSameName(a.own, b.own)) {
    if (isOtherRoom) return 'other'
    const isSameKind = isIn(a.kinds, b.kinds) || isIn(b.kinds, a.kinds)
    return isSameKind || isNear || hasSameStreet ? roomless(a, b, 'same') : 'like'
  }
  const hasCommon = a.own.some(word => b.own.includes(word))
  if (isNear || hasSameStreet) {
    const isPart = hasCommon && (isIn(a.own, b.own) || isIn(b.own, a.own))
    if (isOtherRoom) return 'other'
    return isPart ? roomless(a, b, 'same') : hasCommon ? 'like' : 'near'
  }
  if (metres !== undefined && metres > NEAR) return 'other'
  return hasCommon &&
    (isIn(a.own, [...b.own, ...b.city, ...b.rest]) || isIn(b.own, [...a.own, ...a.city, ...a.rest]))
    ? 'like'
    : 'other'
}

function compareAddresses(x: TwinPlace, y: TwinPlace): { hasSameStreet: boolean; hasOtherNumber: boolean } {
  if (x.address === '' || y.address === '') return { hasSameStreet: false, hasOtherNumber: false }
  const [a, b] = [x, y].map(({ address }) => {
    const words = short(tokensOf(address))
    return {
      street: words.filter(word => !/\d/.test(word)),
      number: words.find(word => /^\d+[a-z]?$/.test(word)) ?? '',
    }
  })
  if (!a || !b) throw new Error('two addresses')
  const hasSameStreet =
    a.number === b.number &&
    (a.number === ''
      ? a.street.length > 1 && isSet(a.street, b.street)
      : a.street.some(word => b.street.includes(word)))
  return { hasSameStreet, hasOtherNumber: a.number !== b.number && a.number !== '' && b.number !== '' }
}

/** Without the name of the town in names: Lichtburg Wetter, in Wetter. */
function inTheirTown(a: Place, b: Place): [Place, Place] {
  const isTown = (word: string): boolean => a.city.includes(word) || b.city.includes(word)
  const without = (place: Place): Place => {
    if (!place.own.some(isTown)) return place
    const own = place.own.filter(word => !isTown(word))
    return own.length + place.kinds.length > 0 ? { ...place, own } : place
  }
  return [without(a), without(b)]
}

/** A room, and the house that it is in. */
const roomless = (a: Place, b: Place, otherwise: Nearness): Nearness =>
  isSet(a.rooms, b.rooms) ? otherwise : 'like'

/** True if both are known to be in a town, and it is not the same. */
function isOtherCity(a: Place, b: Place): boolean {
  const isUnlike = (x: readonly string[], y: readonly string[]) => !isIn(x, y) && !isIn(y, x)
  if (a.city.length > 0 && b.city.length > 0) return isUnlike(a.city, b.city)
  if (isSet(a.rest, b.rest)) return false
  // An address behind the name that is of somewhere else.
  const isNotIn = (city: readonly string[], { rest }: Place) =>
    city.length > 0 &&
    rest.some(word => /\d/.test(word)) &&
    !isIn(
      city,
      rest.map(word => CITIES.get(word) ?? word),
    )
  return isNotIn(a.city, b) || isNotIn(b.city, a)
}
