import { clearlyBest } from '../what/scorecard.ts'
import { significantWords } from '../words/phrases.ts'
import { areParts, type VenueCandidate } from './venue-candidates.ts'
import { type Look, lookAt, pointsOfLook, type VenueContext } from './venue-points.ts'

// The venue is the passage that looks most like one, by its points, unless another place looks nearly as much
// like it.

/** Fewer points are too few for a venue. */
const MIN_POINTS = 18

/** How many points more than any other place the venue has. */
const MARGIN = 3

/** The same for a place that the calendar doesn't know. One in four of those with less was none. */
const MARGIN_OF_UNKNOWN = 6

/** The venue of an event, unless another place looks nearly as much like it. */
export function venueIn(
  candidates: readonly VenueCandidate[],
  context: VenueContext,
): VenueCandidate | undefined {
  const looks = candidates.map(candidate => ({ candidate, look: lookAt(candidate, context) }))
  // “Not in the library but in the church hall … Ashbury Library”
  const denied = new Set(looks.flatMap(({ look }) => (look.isNotThere && look.named?.id) || []))
  // “Talk on Zoom at 7pm”, above the address of a society
  const isFar = (one: Look): boolean => !one.isOnDay && !(one.isDirectlyBelow && one.isFirstOfSentence)
  const all = looks
    .filter(({ look }) => look.isNotThere || !denied.has(look.named?.id ?? 0))
    .filter(({ look }) => !context.isOnline || !isFar(look))
    .map(one => ({ ...one, points: pointsOfLook(one.look) }))
  const bestBy = (some: typeof all, margin: number) =>
    clearlyBest(some, {
      pointsOf: ({ points }) => points,
      least: MIN_POINTS,
      margin,
      isOther: (a, b) => isOther(a.candidate, b.candidate),
    })
  const bestOf = (some: typeof all) => {
    const best = bestBy(some, MARGIN)
    return best && !best.candidate.named ? bestBy(some, MARGIN_OF_UNKNOWN) : best
  }
  // “in the upstairs room of the Anchor” or “Committee Room, the Anchor”, where the calendar knows the Anchor
  // Inn
  const houseOf = (one: VenueCandidate | undefined): VenueCandidate | undefined =>
    one && !one.mention
      ? (candidates.find(
          other =>
            other.mention &&
            ((other.span[0] > one.span[0] && other.span[1] === one.span[1]) ||
              (other.span[0] <= one.span[0] && other.span[1] >= one.span[1]) ||
              areParts(one, other)),
        ) ?? one)
      : one
  // The house that writes is the venue where no other place is named, and what stands above or below a list
  // that of the items without one.
  const own = bestOf(all.filter(({ look, candidate }) => !isLetterhead(look) && !candidate.isAround))
  const place = houseOf(own?.candidate)
  // “im Restaurant Sternen”, although the list is the Turnhalle's
  const isSaid = own?.look.isOnDay && own.look.isSite && (own.look.isIn || own.look.isTo)
  return place?.named || isSaid || context.isOnline ? place : houseOf(bestOf(all)?.candidate)
}

/**
 * True for an organizer at the head of a text or below it: its house is the venue if no other place is named.
 */
const isLetterhead = ({ isOrganizer, isFirstOfSentence, isInClause, below }: Look): boolean =>
  isOrganizer && isFirstOfSentence && !isInClause && below !== 1

/** True if two candidates stand apart, and neither has all words of the other. */
function isOther(a: VenueCandidate, b: VenueCandidate): boolean {
  if ((a.span[0] < b.span[1] && b.span[0] < a.span[1]) || areParts(a, b)) return false
  const words = new Set(significantWords(a.venue))
  const otherWords = new Set(significantWords(b.venue))
  return !(words.isSubsetOf(otherWords) || otherWords.isSubsetOf(words))
}
