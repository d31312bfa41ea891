import { comparable, trigramLikeness, trigrams } from '../../lib/likeness.ts'

/** The position of a venue in degrees, WGS 84; null if it is not known. */
type Position = { lat: number | null; lng: number | null }

/** Two venues less than NEAR metres apart are at one place; more than FAR metres apart they are not. */
export const NEAR = 200
export const FAR = 1_500

/** The lowest likeness at which two names of venues, or two streets, may be the same. */
export const NAMES_ALIKE = 0.3

/** Tells whether two addresses have the same number and similar streets; undefined if one is empty. */
export function sameStreet(one: string, other: string): boolean | undefined {
  const [a, b] = [comparable(one), comparable(other)]
  if (a === '' || b === '') return undefined
  const numberIn = (address: string) => /\d+/.exec(address)?.[0]
  return numberIn(a) === numberIn(b) && trigramLikeness(trigrams(a), trigrams(b)) >= NAMES_ALIKE
}

const METRES_PER_DEGREE = 111_195

/** Metres between two venues, as on a plane; undefined if the position of one is not known. */
export function metresBetween(a: Position, b: Position): number | undefined {
  if (a.lat === null || a.lng === null || b.lat === null || b.lng === null) return undefined
  const turn = Math.abs(a.lng - b.lng)
  const east = Math.min(turn, 360 - turn) * Math.cos(((a.lat + b.lat) * Math.PI) / 360)
  return Math.hypot(a.lat - b.lat, east) * METRES_PER_DEGREE
}
