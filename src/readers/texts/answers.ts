import { type AnnotatedText, sentSpan } from './draft/annotated-text.ts'
import type { AnnouncedEvent } from './draft/event.ts'
import { type Correction, correctedDates, correctedDay } from './when/corrections.ts'
import { isDenied, isInPlace } from './when/roles.ts'
import { blanked } from './where/addresses.ts'
import { significantWords } from './words/phrases.ts'
import type { Span } from './words/plain.ts'
import { tokensOf } from './words/tokens.ts'
import { anyOf, setOf, type WordSet, wordsFor } from './words/words.ts'

// Answers to e-mails: what they change of the event that the e-mail announced which they repeat.

const CHANGES = anyOf(
  wordsFor('negations', 'but', 'postponed', 'newDate'),
  setOf(
    'wrong change changed statt instead rather aber pero vez lieber mejor plutot erreur error corrige falsch andern geandert cambio cambiar equivocado',
  ),
)

/** Of all that an answer leaves as it is: “Everything else stands”, “Der Rest stimmt”. */
const REST = setOf(
  'else rest same unchanged ubrige gleiche gleichen gleich unverandert meme memes reste inchange inchangee inchanges inchangees mismo misma mismos mismas igual demas',
)

/** What stands between some stretches of a text, without the ends of lines between two of them. */
export const outside = (spans: readonly Span[], end: number): Span[] =>
  [0, ...spans.map(([, to]) => to)]
    .map((from, i): Span => [from, spans[i]?.[0] ?? end])
    .filter(([from, to]) => to - from > 1)

/**
 * True if an answer says that something is not as in the e-mail that it repeats, and speaks of the same
 * event.
 */
export function changesAnEvent(
  { title = '' }: AnnouncedEvent,
  text: string,
  quotes: readonly Span[],
): boolean {
  const [own, repeated] = [quotes, outside(quotes, text.length)].map(
    spans => new Set(tokensOf(blanked(text, [...spans])).map(({ low }) => low)),
  )
  const words = significantWords(title)
  const has = (some: WordSet): boolean => [...(own ?? [])].some(word => some.has(word))
  return has(CHANGES) && (has(REST) || words.length === 0 || words.some(word => repeated?.has(word)))
}

/** What an answer announces on another day, with what only the e-mail says that it repeats. */
export function completed(answer: AnnouncedEvent, repeated: AnnouncedEvent): AnnouncedEvent {
  const {
    start_date: planned,
    end_date: end,
    dates: _dates,
    event_status: _status,
    assumed,
    ...kept
  } = repeated
  const day = answer.start_date.slice(0, 10)
  const isTimed = answer.start_date.length > 10
  const hasEnd = !isTimed && end?.slice(0, 10) === planned.slice(0, 10)
  const title = repeated.title ?? answer.title
  return {
    ...kept,
    ...answer,
    ...(title !== undefined && { title }),
    start_date: isTimed ? answer.start_date : `${day}${planned.slice(10)}`,
    ...(!isTimed && assumed && { assumed }),
    ...(hasEnd && { end_date: `${day}${end?.slice(10)}` }),
    evidence: {
      ...repeated.evidence,
      ...answer.evidence,
      ...(repeated.evidence.title && { title: repeated.evidence.title }),
    },
  }
}

/** The event of an e-mail, with the day and the hour that an answer says instead. */
export function corrected(draft: AnnouncedEvent, correction: Correction): AnnouncedEvent {
  const dates = correctedDates(draft, correction)
  if (!dates) return draft
  const { end_date: _end, assumed, evidence, ...rest } = draft
  const { end_date: _said, ...others } = evidence
  const isSameHour = dates.start_date.slice(10) === draft.start_date.slice(10)
  return {
    ...rest,
    ...dates,
    ...(isSameHour && assumed && { assumed }),
    evidence: { ...others, ...dates.evidence },
  }
}

/** What an answer says of the event of the e-mail that it repeats. */
export function correctionIn(text: AnnotatedText): Correction {
  const { tokens, moments, isTaken } = text
  const beginning = moments.times.filter(({ isBeginning }) => isBeginning)
  // “a las 19 h hay misa, así que el concierto empieza a las 20:15”
  const said = (beginning.length > 0 ? beginning : moments.times).flatMap(({ from, to, start, end }) =>
    start === undefined ? [] : [{ start, end, evidence: sentSpan(text, from, to) }],
  )
  const isGone = (mention: { from: number; to: number }): boolean =>
    [isDenied, isInPlace].some(is => is(tokens, mention, isTaken))
  // “2pm rather than 1”, “nicht 19, sondern 20 Uhr”
  const bare = tokens.flatMap(({ kind, text }, from) => {
    const isHour = kind === 'number' && Number(text) < 24 && tokens[from - 1]?.kind === 'word'
    if (!isHour || isTaken(from) || !isGone({ from, to: from + 1 })) return []
    const [point, next] = tokens.slice(from + 1, from + 3)
    const minutes = point && '.:'.includes(point.low) && next?.isSpaced === false ? next.text : '00'
    return [0, 12].map(later => `${String(Number(text) + later).padStart(2, '0')}:${minutes}`)
  })
  return {
    said: said.filter(({ start }, i) => said.findIndex(one => one.start === start) === i),
    denied: [...bare, ...text.times.filter(isGone).flatMap(({ start }) => start ?? [])],
    isBeginning: beginning.length > 0,
    day: correctedDay(tokens, (from, to) => sentSpan(text, from, to)),
  }
}
