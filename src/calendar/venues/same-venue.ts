import { comparable, trigramLikeness, trigrams } from '../../kit/lib/likeness.ts'
import { fold } from '../../kit/lib/text.ts'
import type { VenueFields } from './schema.ts'

/** The fields of a venue that are compared. Texts are '' and coordinates null where they are not known. */
export type ComparedVenue = {
  name: string
  address: string
  city: string
  /** Degrees, WGS 84. */
  lat: number | null
  lng: number | null
}

/** Venues up to NEAR_METRES apart are at one place; more than FAR_METRES apart they are not. */
const NEAR_METRES = 200
const FAR_METRES = 1_500

/** The lowest likeness at which two names of venues, or two streets, may be the same. */
const NAMES_ALIKE = 0.3

export type Nearness =
  /** They have the same name, and position or street agrees. */
  | 'there'
  /** They have the same name, and the town agrees. */
  | 'same'
  /** They have the same name and no more is known, or different names, and position or name is similar. */
  | 'like'
  /** They may be the same. */
  | 'unknown'
  /** They are different venues. */
  | 'other'

/**
 * Compares two venues. The same name isn't enough: many towns have a fire station or a cinema of that name,
 * and `Online` is nowhere. Town, address or position have to agree as well, or the name has to have a postal
 * code in it, and none of them may disagree.
 */
export function compareVenues(x: ComparedVenue, y: ComparedVenue): Nearness {
  const place = placeOf(x)
  const otherPlace = placeOf(y)
  const metres = metresBetween(x, y)
  const isSameTown = sameTown(place.town, otherPlace.town)
  if (isSameTown === false || (metres !== undefined && metres > FAR_METRES)) return 'other'
  const isSameStreet = sameStreet(place.street, otherPlace.street)
  const isThere = isSameStreet || (metres !== undefined && metres <= NEAR_METRES)
  const a = comparable(x.name)
  const b = comparable(y.name)
  if (a === b) {
    if (isThere) return 'there'
    if (isSameStreet === false) return 'unknown'
    return isSameTown || /\d{4}/.test(a) ? 'same' : 'like'
  }
  if (isThere || trigramLikeness(trigrams(a), trigrams(b)) >= NAMES_ALIKE) return 'like'
  return isSameStreet === false ? 'other' : 'unknown'
}

/**
 * The street and the town of a venue. Feeds give an address as one text, such as `5 Main Street, Kent`: the
 * town follows a street with a number, and a text without a street is all town.
 */
function placeOf({ address, city }: ComparedVenue): { street: string; town: string } {
  if (city !== '') return { street: address, town: comparable(city) }
  const [, first = '', furtherParts = ''] = /^([^,]*),?(.*)$/s.exec(address) ?? []
  // A long number may be a postal code.
  const hasStreet = furtherParts === '' ? /\d/.test(first) && !/\d{4}/.test(first) : /\d/.test(first)
  return hasStreet
    ? { street: first, town: comparable(furtherParts) }
    : { street: '', town: comparable(address) }
}

/** True if two addresses have the same number and similar streets; undefined if one is empty. */
function sameStreet(streetA: string, streetB: string): boolean | undefined {
  const a = comparable(streetA)
  const b = comparable(streetB)
  if (a === '' || b === '') return undefined
  const numberIn = (address: string) => /\d+/.exec(address)?.[0]
  return numberIn(a) === numberIn(b) && trigramLikeness(trigrams(a), trigrams(b)) >= NAMES_ALIKE
}

/**
 * True if two towns are the same; undefined if one is not known, or if its name is a part of the other's, as
 * `Frankfurt` is of `Frankfurt am Main`.
 */
function sameTown(a: string, b: string): boolean | undefined {
  if (a === '' || b === '') return undefined
  if (a === b) return true
  return hasWords(a, b) || hasWords(b, a) ? undefined : false
}

const hasWords = (text: string, words: string): boolean => ` ${text} `.includes(` ${words} `)

/** True if two venues of one name have the same street and town, or if nothing but their name is known. */
function haveSameAddress(x: ComparedVenue, y: ComparedVenue): boolean {
  // A source may shorten what it spells out elsewhere: “Hauptstr. 5”, “Hauptstraße 5”, “Hauptstrasse 5”.
  const [a, b] = [x, y].map(({ address, city }) =>
    comparable(`${address} ${city}`).replace(/strasse\b/g, 'str'),
  )
  if (a === '' && b === '') return x.lat === null && y.lat === null
  return a === b && compareVenues(x, y) === 'there'
}

const METRES_PER_DEGREE = 111_195

/** Metres between two venues, as on a plane; undefined if the position of one is not known. */
function metresBetween(a: ComparedVenue, b: ComparedVenue): number | undefined {
  if (a.lat === null || a.lng === null || b.lat === null || b.lng === null) return undefined
  const lngDifference = Math.abs(a.lng - b.lng)
  const east = Math.min(lngDifference, 360 - lngDifference) * Math.cos(((a.lat + b.lat) * Math.PI) / 360)
  return Math.hypot(a.lat - b.lat, east) * METRES_PER_DEGREE
}

// A venue that a source or import names for the first time becomes an existing venue of the same name, if
// town and address don't contradict. Hidden venues stay out of it, so that nobody learns of them or publishes
// them by naming them. One exception: a venue that waits for review can become one of another source that
// waits as well.

/** A venue of the calendar that may be the same as an imported one. */
export type ExistingVenue = ComparedVenue & {
  id: number
  version: number
  events: number
  isPublic: boolean
  /** The source whose records are compared, if it made this row; otherwise ''. */
  source: string
}

/** Venues of the calendar by their names without case, accents and punctuation. */
export class ExistingVenues {
  readonly #byName = new Map<string, ExistingVenue[]>()

  add(venue: ExistingVenue): void {
    const key = comparable(venue.name)
    const knownVenues = this.#byName.get(key) ?? []
    if (!knownVenues.some(({ id }) => id === venue.id)) this.#byName.set(key, [...knownVenues, venue])
  }

  /**
   * The existing venue that an imported one is: of several, one whose address or position agrees, then one in
   * the same town, then the one with most events. For a venue that waits for review, street or position has
   * to agree. Two venues of one source have to have the same address, because what follows the street may be
   * a room; punctuation in their names makes no difference.
   *
   * @param from the source of the imported venue, and whether that venue waits for review
   */
  sameAs(
    values: Partial<VenueFields>,
    from: { source: string; isWaiting: boolean },
  ): ExistingVenue | undefined {
    const namedVenue = comparedOf(values)
    const matches = (this.#byName.get(comparable(namedVenue.name)) ?? []).flatMap(venue => {
      if (!venue.isPublic && !from.isWaiting) return []
      if (venue.source === from.source) return haveSameAddress(namedVenue, venue) ? [{ venue, rank: 0 }] : []
      if (fold(venue.name) !== fold(namedVenue.name)) return []
      const rank = SAME_VENUE_RESULTS.indexOf(compareVenues(namedVenue, venue))
      return rank === 0 || (rank > 0 && venue.isPublic) ? [{ venue, rank }] : []
    })
    matches.sort((a, b) => a.rank - b.rank || b.venue.events - a.venue.events || a.venue.id - b.venue.id)
    return matches[0]?.venue
  }
}

/** The results of comparing two venues that are one, the best first. */
const SAME_VENUE_RESULTS: readonly Nearness[] = ['there', 'same', 'like']

export const comparedOf = ({
  venue,
  address,
  city,
  geo_lat,
  geo_lng,
}: Partial<VenueFields>): ComparedVenue => ({
  name: venue ?? '',
  address: address ?? '',
  city: city ?? '',
  lat: geo_lat ?? null,
  lng: geo_lng ?? null,
})
