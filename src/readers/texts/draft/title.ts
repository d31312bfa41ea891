import { labelledTitleIn, titleIn } from '../what/titles.ts'
import type { TextPart } from '../when/parts.ts'
import type { NameMention } from '../where/names.ts'
import { isHeldAt, isLed } from '../where/venue-candidates.ts'
import { significantWords, tidy } from '../words/phrases.ts'
import type { Span } from '../words/plain.ts'
import { isOneOf, QUOTES, spanOfTokens, type Token } from '../words/tokens.ts'
import { isKind, SMALL, setOf } from '../words/words.ts'
import type { AnnotatedText } from './annotated-text.ts'
import type { Said } from './event.ts'
import type { EventPlace } from './place.ts'

// The title of an event, and where it ends when a place stands in it: “Tanztee im Seniorenzentrum”, “Jazz in
// the Park”.

/** @property hasPlace true if what looks like the place belongs to the title alone: “Night at the Museum” */
type TitleOfDraft = { title?: Said<string>; hasPlace?: boolean }

/** Words of events whose title says where they go. */
const TRIPS = setOf(
  'trip outing excursion visit visite sortie voyage ausflug fahrt busfahrt tagesfahrt reise besuch besichtigung visita viaje',
)

/** Of events whose title says where people are shown around: “Führung durch die Alte Ziegelei”. */
const GUIDED = /^(?:guided|guiad[ao]s?|guidees?|rundgang)$|fuhrung(?:en)?$/

/** Words of titles in which a place is that of a story: “Film: Murder at the Vicarage”. */
const FILMS = setOf('film movie kino cine play theater theatre teatro roman lesung lectura novela')

const APART = setOf(', ( - @ : / | · . ;')

/**
 * The title of the event of a part.
 *
 * @param day the token at which its day begins
 * @param cost the tokens of its price
 */
export function titleOf(
  text: AnnotatedText,
  part: TextPart,
  day: number,
  { cost, place }: { cost: { from: number; to: number } | undefined; place: EventPlace },
): TitleOfDraft {
  const { tokens, plain, site } = text
  const written = plain.text
  const spanOf = ({ from, to }: { from: number; to: number }): Span => spanOfTokens(tokens, from, to)
  const partSpan = spanOfTokens(tokens, ...part)
  const labelled = labelledTitleIn(written, partSpan)
  const dayAt = tokens[day]?.from ?? 0
  if (labelled && !(labelled.span[0] <= dayAt && dayAt < labelled.span[1]))
    return { title: { value: labelled.title, span: withoutBlanks(written, labelled.span) } }
  const { candidate, venue } = place
  const isVenue = (one: NameMention): boolean => one.named.name === venue?.value.venue && isApart(tokens, one)
  const found = titleIn(plain, partSpan, tokens.slice(...part), {
    mentions: [
      ...text.days,
      ...text.times,
      ...text.moments.recurrences,
      ...text.venues.filter(isVenue),
      ...(cost ? [cost] : []),
    ].map(spanOf),
    names: [...[...text.organizers, ...text.venues].map(spanOf), ...site],
    start: tokens[day]?.to ?? 0,
  })
  if (!found) return {}
  const { title, span } = found
  const whole = { value: title, span: withoutBlanks(written, span) }
  if (!candidate) return { title: whole }
  const [from, to] = candidate.span
  // “Plenos de la Casa Consistorial”, of the hall of which the venue is one
  if (span[1] <= to && / (?:de|del|du|des|der|von|of) $/.test(written.slice(from, span[0]))) return {}
  if (venue?.value.id !== undefined || span[0] > from || to > span[1]) return { title: whole }
  const before = tidy(written.slice(span[0], from))
  // “The next meeting takes place in the Reading Room”
  if (before === '' && isLed(candidate)) return {}
  // “Tanztee im Seniorenzentrum”, but “Jazz in the Park” and “Coach trip to Kew Gardens”
  const words = significantWords(before)
  const last = words.at(-1) ?? ''
  if (isKind(last) && !TRIPS.has(last))
    return { title: { value: before, span: withoutBlanks(written, [span[0], from]) } }
  // What looks like a place may be what takes place: “Club de lectura”, “Night at the Museum”.
  const isGuided = words.some(word => GUIDED.test(word))
  const isQuoted = QUOTES.includes(written[span[0] - 1] ?? ' ') || /[„“"«]/.test(before)
  const hasPlace = (!isHeldAt(candidate) && !isGuided) || isQuoted || FILMS.has(words[0] ?? '')
  return { title: whole, hasPlace }
}

/**
 * True if a place is named as such: the title ends before “in the Grange”, and not before the Castle
 * Festival.
 */
function isApart(tokens: readonly Token[], { from, to }: { from: number; to: number }): boolean {
  const [before, after] = [tokens[from - 1], tokens[to]]
  const isJoined = after?.isSpaced === false && after.low === '-'
  return (
    before?.line === tokens[from]?.line && !isJoined && (isOneOf(before, APART) || isOneOf(before, SMALL))
  )
}

/** A stretch without the blanks and bullets at its ends. */
function withoutBlanks(text: string, [from, to]: Span): Span {
  const passage = text.slice(from, to)
  const lead = /^[\s•·*-]*/.exec(passage)?.[0].length ?? 0
  return [from + lead, from + lead + passage.slice(lead).trimEnd().length]
}
