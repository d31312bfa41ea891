import type { Sentence } from '../what/sentences.ts'
import type { TextPart } from '../when/parts.ts'
import type { EventDates } from '../when/stretches.ts'
import { type KnownName, shortFor, WHOLE } from '../where/names.ts'
import { isOnline, NEAR_DAY, streetBeside, townAfter } from '../where/places.ts'
import { roomIn } from '../where/rooms.ts'
import { type VenueCandidate, venueCandidates } from '../where/venue-candidates.ts'
import { venueIn } from '../where/venues.ts'
import { significantWords } from '../words/phrases.ts'
import type { Span } from '../words/plain.ts'
import { hasAny, spanOfTokens, type Token } from '../words/tokens.ts'
import { FAREWELLS } from '../words/words.ts'
import { type AnnotatedText, sentencesOfPart } from './annotated-text.ts'
import type { Said } from './event.ts'

// Where an event takes place: its venue, and the street, the town and the room beside that.

/** @property candidate the passage that names the venue */
export type EventPlace = {
  candidate?: VenueCandidate
  venue?: Said<{ id?: number; venue: string }>
  room?: Said<string>
  address?: Said<string>
  city?: Said<string>
}

/** Tokens of the line before who signs: “Kind regards, Mary” */
const MAX_OF_FAREWELL = 7

/** Of towns that are rooms: “Kulturhaus, Bergstraße 20, Seminarraum” */
const ROOM_END = /(?:raum|zimmer|saal)$/

/**
 * Where the event of a part takes place.
 *
 * @param beside the passages that may be the venue of all events, above or below them
 */
export function placeOf(
  text: AnnotatedText,
  part: TextPart,
  [start, startEnd]: EventDates['startTokens'],
  beside: readonly VenueCandidate[],
): EventPlace {
  const { tokens, outer } = text
  const written = text.plain.text
  const spanOf = (one: TextPart): Span => spanOfTokens(tokens, ...one)
  const sentences = sentencesOfPart(text, part)
  const [from, to] = spanOf(part)
  const isNear = (span: Span): boolean => span[0] < to + NEAR_DAY && span[1] > from
  // The street of another event is not that of this one.
  const own = [part, ...outer].filter(([a, b]) => b > a).map(spanOf)
  const streets = text.streets.filter(
    ({ span }) => outer.length === 0 || own.some(([a, b]) => span[0] >= a && span[1] <= b),
  )
  const sentenceAt = (token: number): number => {
    const at = tokens[token]?.from ?? 0
    return sentences.findIndex(({ own }) => (own[0]?.from ?? 0) <= at && at <= (own.at(-1)?.to ?? 0))
  }
  const dated = sentenceAt(start)
  const signing = sentences.find(({ own, index }) => index > dated && isFarewell(own))
  const online = isOnline(tokens.slice(...part).map(({ low }) => low))
  const candidate = venueIn([...venuesIn(text, sentences), ...beside], {
    dated,
    farewell: signing?.index ?? sentences.length,
    timed: Math.max(dated, sentenceAt(startEnd - 1)),
    streets: streets.map(({ span }) => span).filter(isNear),
    towns: streets.flatMap(({ citySpan }) => (citySpan ? [citySpan] : [])),
    organizers: text.organizers.map(one => spanOf([one.from, one.to])).filter(isNear),
    isOnline: online,
  })
  const place: EventPlace = {}
  if (candidate) {
    const { mention, named, span, venue } = candidate
    const room = mention && roomIn(written, spanOf(part), span)
    place.candidate = candidate
    place.venue = { value: { ...(named && { id: named.id }), venue }, span }
    if (room) place.room = { value: room.room, span: room.span }
  }
  if (online) return place
  const at = candidate?.span ?? spanOf([start, start + 1])
  const signed = signing?.own[0]?.from ?? written.length
  const ofEvent = streets.filter(({ span }) => span[0] < signed || at[0] > signed)
  const street = streetBeside(ofEvent, at, candidate !== undefined)
  if (street) place.address = { value: street.address, span: street.span }
  // “auf dem Festplatz in Lindach (Am Anger 9)”
  const isInText = candidate && !candidate.mention && street?.city === undefined
  const town = isInText ? townAfter(written, candidate.span) : street
  if (town?.city === undefined || !town.citySpan || ROOM_END.test(town.city)) return place
  place.city = { value: town.city, span: town.citySpan }
  // “gymnase Jean-Petit à Vernay”, but “Kirche in Lindach”
  const [townFrom] = town.citySpan
  const name = written.slice(at[0], Math.max(at[0], townFrom)).replace(/ \S+ $/, '')
  if (candidate && !candidate.named && townFrom < at[1] && significantWords(name).length > 1)
    place.venue = { value: { venue: name }, span: [at[0], at[0] + name.length] }
  return place
}

const isFarewell = (own: readonly Token[]): boolean =>
  own.length <= MAX_OF_FAREWELL && hasAny(own.slice(0, 3), FAREWELLS)

/** The passages of some sentences that may be the venue. @param isAround whether they are above or below a list */
export function venuesIn(
  { plain, tokens, venues }: AnnotatedText,
  sentences: readonly Sentence[],
  isAround = false,
): VenueCandidate[] {
  const whole = [...new Set(venues.filter(({ share }) => share >= WHOLE).map(({ named }) => named))]
  // The one venue that the text names in full elsewhere
  const nameOf = (words: string): KnownName | undefined => {
    const [long, ...others] = shortFor(words, whole)
    return others.length > 0 ? undefined : long
  }
  return venueCandidates(plain.text, sentences, venues, tokens, { isAround, nameOf })
}
