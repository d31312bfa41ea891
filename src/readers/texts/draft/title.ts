import { labelledTitleIn, titleIn } from '../what/titles.ts'
import type { TextPart } from '../when/parts.ts'
import type { NameMention } from '../where/names.ts'
import { isHeldAt, isLed } from '../where/venue-candidates.ts'
import { significantWords, tidyTitle } from '../words/phrases.ts'
import type { Span } from '../words/plain.ts'
import { isOneOf, QUOTES, spanOfTokens, type Token } from '../words/tokens.ts'
import { isKind, setOf, WORDS } from '../words/words.ts'
import type { AnnotatedText } from './annotated-text.ts'
import type { ValueInText } from './event.ts'
import type { EventPlace } from './place.ts'

// The title of an event, and where it ends if there is a place in it: “Tanztee im Seniorenzentrum”, “Jazz in
// the Park”.

/**
 * @property isPlaceOfTitle true if what looks like the place is part of the title alone: “Night at the
 * Museum”
 */
type TitleOfDraft = { title?: ValueInText<string>; isPlaceOfTitle?: boolean }

/** Words of events whose title says where people are shown around: “Führung durch die Alte Ziegelei”. */
const GUIDED = /^(?:guided|guiad[ao]s?|guidees?|rundgang)$|fuhrung(?:en)?$/

const BEFORE_PLACE_NAME = setOf(', ( - @ : / | · . ;')

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
  const { tokens, plain, siteNames } = text
  const written = plain.text
  const spanOf = ({ from, to }: { from: number; to: number }): Span => spanOfTokens(tokens, from, to)
  const partSpan = spanOfTokens(tokens, ...part)
  const labelled = labelledTitleIn(written, partSpan)
  const dayAt = tokens[day]?.from ?? 0
  if (labelled && !(labelled.span[0] <= dayAt && dayAt < labelled.span[1]))
    return { title: { value: labelled.title, span: withoutBlanks(written, labelled.span) } }
  const { candidate, venue } = place
  const isVenue = (one: NameMention): boolean =>
    one.knownName.name === venue?.value.venue && isApart(tokens, one)
  const titleFound = titleIn(plain, partSpan, tokens.slice(...part), {
    mentions: [
      ...text.days,
      ...text.times,
      ...text.moments.recurrences,
      ...text.venues.filter(isVenue),
      ...(cost ? [cost] : []),
    ].map(spanOf),
    names: [...[...text.organizers, ...text.venues].map(spanOf), ...siteNames],
    start: tokens[day]?.to ?? 0,
  })
  if (!titleFound) return {}
  const { title, span } = titleFound
  const wholeTitle = { value: title, span: withoutBlanks(written, span) }
  if (!candidate) return { title: wholeTitle }
  const [from, to] = candidate.span
  // “Plenos de la Casa Consistorial”: the title found is only what belongs to the venue.
  if (span[1] <= to && / (?:de|del|du|des|der|von|of) $/.test(written.slice(from, span[0]))) return {}
  if (venue?.value.id !== undefined || span[0] > from || to > span[1]) return { title: wholeTitle }
  const before = tidyTitle(written.slice(span[0], from))
  // “The next meeting takes place in the Reading Room”
  if (before === '' && isLed(candidate)) return {}
  // “Tanztee im Seniorenzentrum”, but “Jazz in the Park” and “Coach trip to Kew Gardens”
  const words = significantWords(before)
  const last = words.at(-1) ?? ''
  if (isKind(last) && !WORDS.trips.has(last))
    return { title: { value: before, span: withoutBlanks(written, [span[0], from]) } }
  // What looks like a place may be what takes place: “Club de lectura”, “Night at the Museum”.
  const isGuided = words.some(word => GUIDED.test(word))
  const isQuoted = QUOTES.includes(written[span[0] - 1] ?? ' ') || /[„“"«]/.test(before)
  const hasPlace = (!isHeldAt(candidate) && !isGuided) || isQuoted || WORDS.filmsAndPlays.has(words[0] ?? '')
  return { title: wholeTitle, isPlaceOfTitle: hasPlace }
}

/**
 * True if a place is named as such: the title ends before “in the Grange”, and not before the Castle
 * Festival.
 */
function isApart(tokens: readonly Token[], { from, to }: { from: number; to: number }): boolean {
  const [before, after] = [tokens[from - 1], tokens[to]]
  const isHyphenated = after?.isSpaced === false && after.folded === '-'
  return (
    before?.line === tokens[from]?.line &&
    !isHyphenated &&
    (isOneOf(before, BEFORE_PLACE_NAME) || isOneOf(before, WORDS.small))
  )
}

/** A stretch without the spaces and bullets at its ends. */
function withoutBlanks(text: string, [from, to]: Span): Span {
  const passage = text.slice(from, to)
  const lead = /^[\s•·*-]*/.exec(passage)?.[0].length ?? 0
  return [from + lead, from + lead + passage.slice(lead).trimEnd().length]
}
