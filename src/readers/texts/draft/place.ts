import type { Sentence } from '../what/sentences.ts'
import type { TextPart } from '../when/parts.ts'
import type { EventDates } from '../when/stretches.ts'
import { type KnownName, namesShortenedTo, WHOLE_SHARE } from '../where/names.ts'
import { isOnline, NEAR_DAY, streetBeside, townAfter } from '../where/places.ts'
import { roomIn } from '../where/rooms.ts'
import { type VenueCandidate, venueCandidates } from '../where/venue-candidates.ts'
import { venueIn } from '../where/venues.ts'
import { significantWords } from '../words/phrases.ts'
import type { Span } from '../words/plain.ts'
import { hasAny, spanOfTokens, type Token } from '../words/tokens.ts'
import { WORDS } from '../words/words.ts'
import { type AnnotatedText, sentencesOfPart } from './annotated-text.ts'
import type { ValueInText } from './event.ts'

// Where an event takes place: its venue, and the street, the town and the room that are named with it.

/** @property candidate the passage that names the venue */
export type EventPlace = {
  candidate?: VenueCandidate
  venue?: ValueInText<{ id?: number; venue: string }>
  room?: ValueInText<string>
  address?: ValueInText<string>
  city?: ValueInText<string>
}

/** The most tokens of a farewell: “Kind regards, Mary” */
const MAX_FAREWELL_TOKENS = 7

/** Ends of words for rooms, which may be where a town usually is: “Kulturhaus, Bergstraße 20, Seminarraum” */
const ROOM_END = /(?:raum|zimmer|saal)$/

/**
 * Where the event of a part takes place.
 *
 * @param sharedVenues the passages that may be the venue of all events, above or below them
 */
export function placeOf(
  text: AnnotatedText,
  part: TextPart,
  [start, startEnd]: EventDates['startTokens'],
  sharedVenues: readonly VenueCandidate[],
): EventPlace {
  const { tokens, outside } = text
  const written = text.plain.text
  const spanOf = (one: TextPart): Span => spanOfTokens(tokens, ...one)
  const sentences = sentencesOfPart(text, part)
  const [from, to] = spanOf(part)
  const isNear = (span: Span): boolean => span[0] < to + NEAR_DAY && span[1] > from
  // The street of another event is not that of this one.
  const own = [part, ...outside].filter(([a, b]) => b > a).map(spanOf)
  const streets = text.streets.filter(
    ({ span }) => outside.length === 0 || own.some(([a, b]) => span[0] >= a && span[1] <= b),
  )
  const sentenceAt = (token: number): number => {
    const at = tokens[token]?.from ?? 0
    return sentences.findIndex(
      ({ sentenceTokens }) => (sentenceTokens[0]?.from ?? 0) <= at && at <= (sentenceTokens.at(-1)?.to ?? 0),
    )
  }
  const datedSentence = sentenceAt(start)
  const farewell = sentences.find(
    ({ sentenceTokens, index }) => index > datedSentence && isFarewell(sentenceTokens),
  )
  const online = isOnline(tokens.slice(...part).map(({ folded }) => folded))
  const candidate = venueIn([...venuesIn(text, sentences), ...sharedVenues], {
    daySentence: datedSentence,
    farewellSentence: farewell?.index ?? sentences.length,
    timeSentence: Math.max(datedSentence, sentenceAt(startEnd - 1)),
    streets: streets.map(({ span }) => span).filter(isNear),
    towns: streets.flatMap(({ citySpan }) => (citySpan ? [citySpan] : [])),
    organizers: text.organizers.map(one => spanOf([one.from, one.to])).filter(isNear),
    isOnline: online,
  })
  const place: EventPlace = {}
  if (candidate) {
    const { mention, knownVenue, span, venue } = candidate
    const room = mention && roomIn(written, spanOf(part), span)
    place.candidate = candidate
    place.venue = { value: { ...(knownVenue && { id: knownVenue.id }), venue }, span }
    if (room) place.room = { value: room.room, span: room.span }
  }
  if (online) return place
  const anchor = candidate?.span ?? spanOf([start, start + 1])
  const signatureStart = farewell?.sentenceTokens[0]?.from ?? written.length
  const ofEvent = streets.filter(({ span }) => span[0] < signatureStart || anchor[0] > signatureStart)
  const street = streetBeside(ofEvent, anchor, candidate !== undefined)
  if (street) place.address = { value: street.address, span: street.span }
  // “auf dem Festplatz in Lindach (Am Anger 9)”
  const isNewName = candidate && !candidate.mention && street?.city === undefined
  const town = isNewName ? townAfter(written, candidate.span) : street
  if (town?.city === undefined || !town.citySpan || ROOM_END.test(town.city)) return place
  place.city = { value: town.city, span: town.citySpan }
  // “gymnase Jean-Petit à Vernay”, but “Kirche in Lindach”
  const [townFrom] = town.citySpan
  const name = written.slice(anchor[0], Math.max(anchor[0], townFrom)).replace(/ \S+ $/, '')
  if (candidate && !candidate.knownVenue && townFrom < anchor[1] && significantWords(name).length > 1)
    place.venue = { value: { venue: name }, span: [anchor[0], anchor[0] + name.length] }
  return place
}

const isFarewell = (tokens: readonly Token[]): boolean =>
  tokens.length <= MAX_FAREWELL_TOKENS && hasAny(tokens.slice(0, 3), WORDS.farewells)

/**
 * The passages of some sentences that may be the venue.
 *
 * @param isShared whether the sentences are above or below a list
 */
export function venuesIn(
  { plain, tokens, venues }: AnnotatedText,
  sentences: readonly Sentence[],
  isShared = false,
): VenueCandidate[] {
  const whole = [
    ...new Set(venues.filter(({ share }) => share >= WHOLE_SHARE).map(({ knownName }) => knownName)),
  ]
  // The one venue that the text names in full elsewhere
  const nameOf = (words: string): KnownName | undefined => {
    const [long, ...others] = namesShortenedTo(words, whole)
    return others.length > 0 ? undefined : long
  }
  return venueCandidates(plain.text, sentences, venues, tokens, { isAround: isShared, nameOf })
}
