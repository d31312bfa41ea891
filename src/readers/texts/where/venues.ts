import { clearlyBest } from '../what/scorecard.ts'
import { significantWords } from '../words/phrases.ts'
import { areParts, type VenueCandidate } from './venue-candidates.ts'
import { pointsOfVenue, type VenueContext, type VenueTraits, venueTraits } from './venue-points.ts'

// The venue is the passage with the most points, unless another place has nearly as many.

/** The fewest points of a venue. */
const MIN_POINTS = 18

/** How many points more than any other place the venue has at least. */
const VENUE_MARGIN = 3

/** The margin of a place that the calendar doesn't know: of those with less, one in four was no venue. */
const MARGIN_OF_NEW_NAME = 6

/** The venue of an event, unless another place looks nearly as much like one. */
export function venueIn(
  candidates: readonly VenueCandidate[],
  context: VenueContext,
): VenueCandidate | undefined {
  const seen = candidates.map(candidate => ({ candidate, traits: venueTraits(candidate, context) }))
  // “Not in the library but in the church hall … Ashbury Library”
  const denied = new Set(seen.flatMap(({ traits }) => (traits.isDenied && traits.named?.id) || []))
  // “Talk on Zoom at 7pm”, above the address of a society
  const isFar = (traits: VenueTraits): boolean =>
    !traits.isOnDay && !(traits.isDirectlyBelow && traits.isFirstOfSentence)
  const scored = seen
    .filter(({ traits }) => traits.isDenied || !denied.has(traits.named?.id ?? 0))
    .filter(({ traits }) => !context.isOnline || !isFar(traits))
    .map(one => ({ ...one, points: pointsOfVenue(one.traits) }))
  const bestBy = (candidatesLeft: typeof scored, margin: number) =>
    clearlyBest(candidatesLeft, {
      pointsOf: ({ points }) => points,
      minPoints: MIN_POINTS,
      margin,
      isOther: (a, b) => areDifferent(a.candidate, b.candidate),
    })
  const bestOf = (candidatesLeft: typeof scored) => {
    const best = bestBy(candidatesLeft, VENUE_MARGIN)
    return best && !best.candidate.knownVenue ? bestBy(candidatesLeft, MARGIN_OF_NEW_NAME) : best
  }
  // “in the upstairs room of the Anchor” or “Committee Room, the Anchor”, where the calendar knows the Anchor
  // Inn
  const houseOf = (room: VenueCandidate | undefined): VenueCandidate | undefined =>
    room && !room.mention
      ? (candidates.find(
          other =>
            other.mention &&
            ((other.span[0] > room.span[0] && other.span[1] === room.span[1]) ||
              (other.span[0] <= room.span[0] && other.span[1] >= room.span[1]) ||
              areParts(room, other)),
        ) ?? room)
      : room
  // The house that writes is the venue if no other place is named. A place above or below a list is the venue
  // of the items that name none.
  const bestOwn = bestOf(
    scored.filter(({ traits, candidate }) => !isLetterhead(traits) && !candidate.isAround),
  )
  const place = houseOf(bestOwn?.candidate)
  // “im Restaurant Sternen”, although the list is the Turnhalle's
  const isClear =
    bestOwn?.traits.isOnDay && bestOwn.traits.isSite && (bestOwn.traits.isIn || bestOwn.traits.isTo)
  return place?.knownVenue || isClear || context.isOnline ? place : houseOf(bestOf(scored)?.candidate)
}

/**
 * True for an organizer at the head of a text or below it: its house is the venue if no other place is named.
 */
const isLetterhead = ({ isOrganizer, isFirstOfSentence, isInClause, below }: VenueTraits): boolean =>
  isOrganizer && isFirstOfSentence && !isInClause && below !== 1

/** True if two candidates stand apart, and neither has all words of the other. */
function areDifferent(a: VenueCandidate, b: VenueCandidate): boolean {
  if ((a.span[0] < b.span[1] && b.span[0] < a.span[1]) || areParts(a, b)) return false
  const words = new Set(significantWords(a.venue))
  const otherWords = new Set(significantWords(b.venue))
  return !(words.isSubsetOf(otherWords) || otherWords.isSubsetOf(words))
}
