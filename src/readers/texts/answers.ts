import { type AnnotatedText, sentSpan } from './draft/annotated-text.ts'
import type { AnnouncedEvent } from './draft/event.ts'
import { type Correction, correctedDates, correctedDay } from './when/corrections.ts'
import { isDenied, isSuperseded } from './when/roles.ts'
import { blanked } from './where/addresses.ts'
import { significantWords } from './words/phrases.ts'
import type { Span } from './words/plain.ts'
import { hasAny, tokensOf } from './words/tokens.ts'
import { anyOf, WORDS, type WordSet } from './words/words.ts'

// Replies to e-mails: what they change about the event that the quoted e-mail announces.

const CHANGE_WORDS = anyOf(WORDS.negations, WORDS.but, WORDS.postponed, WORDS.newDate, WORDS.changesInAnswers)

/** The stretches of a text outside some spans, without those of a single character, such as a line break. */
export const spansOutside = (spans: readonly Span[], end: number): Span[] =>
  [0, ...spans.map(([, to]) => to)]
    .map((from, i): Span => [from, spans[i]?.[0] ?? end])
    .filter(([from, to]) => to - from > 1)

/**
 * True if a reply says that something is not as in the e-mail that it quotes, and is about the same event.
 */
export function changesAnEvent(
  { title = '' }: AnnouncedEvent,
  text: string,
  quotes: readonly Span[],
): boolean {
  const wordsWithout = (spans: readonly Span[]): string[] =>
    tokensOf(blanked(text, spans)).map(({ folded }) => folded)
  const ownWords = wordsWithout(quotes)
  const quotedWords = new Set(wordsWithout(spansOutside(quotes, text.length)))
  const titleWords = significantWords(title)
  const hasOwn = (words: WordSet): boolean => ownWords.some(word => words.has(word))
  return (
    hasOwn(CHANGE_WORDS) &&
    (hasOwn(WORDS.unchanged) || titleWords.length === 0 || titleWords.some(word => quotedWords.has(word)))
  )
}

/** The event of a reply that moves it to another day, with the fields that only the quoted e-mail has. */
export function completedReply(answer: AnnouncedEvent, repeated: AnnouncedEvent): AnnouncedEvent {
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

/** The event of an e-mail, with the day and the time that a reply gives instead. */
export function correctedEvent(draft: AnnouncedEvent, correction: Correction): AnnouncedEvent {
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

/** The days and times that a reply corrects in the e-mail that it quotes. */
export function correctionIn(text: AnnotatedText): Correction {
  const { tokens, moments, isTaken } = text
  const startTimes = moments.times.filter(({ isBeginning }) => isBeginning)
  // “a las 19 h hay misa, así que el concierto empieza a las 20:15”
  const said = (startTimes.length > 0 ? startTimes : moments.times).flatMap(({ from, to, start, end }) =>
    start === undefined ? [] : [{ start, end, evidence: sentSpan(text, from, to) }],
  )
  const isWrong = (mention: { from: number; to: number }): boolean =>
    isDenied(text, mention) || isSuperseded(text, mention)
  // “They can’t start before 6.15”, but “I’ll be there at 5 rather than 6 to set up”, and “doors are at 7”
  const isOfEvent = (at: number): boolean => {
    const sentence = tokens.filter(token => token.sentence === tokens[at]?.sentence)
    const isSaid = moments.times.some(({ from }) => from === at) || hasAny(sentence, WORDS.negations)
    return isSaid && !hasAny(sentence, WORDS.firstPerson)
  }
  // “2pm rather than 1”, “nicht 19, sondern 20 Uhr”
  const deniedHours = tokens.flatMap(({ kind, text }, from) => {
    const isHour = kind === 'number' && Number(text) < 24 && tokens[from - 1]?.kind === 'word'
    if (!isHour || isTaken(from) || !isWrong({ from, to: from + 1 })) return []
    const [point, next] = tokens.slice(from + 1, from + 3)
    const minutes = point && '.:'.includes(point.folded) && next?.isSpaced === false ? next.text : '00'
    return [0, 12].map(later => `${String(Number(text) + later).padStart(2, '0')}:${minutes}`)
  })
  return {
    times: said.filter(({ start }, i) => said.findIndex(one => one.start === start) === i),
    deniedTimes: [...deniedHours, ...text.times.filter(isWrong).flatMap(({ start }) => start ?? [])],
    isBeginning: startTimes.length > 0,
    day: correctedDay(tokens, (from, to) => sentSpan(text, from, to)),
    changedTimes: [CHANGE_WORDS, WORDS.corrections].some(words => hasAny(tokens, words))
      ? text.times.flatMap(({ from, start }) => (start !== undefined && isOfEvent(from) ? [start] : []))
      : [],
  }
}
