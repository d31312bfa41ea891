import type { Span } from '../words/plain.ts'
import { foldedAt, hasAny, skip, type Token, tokensBefore } from '../words/tokens.ts'
import { anyOf, NUMBER_WORDS, setOf, WORDS, weekdayOf } from '../words/words.ts'
import { daysLater, weekdayOn } from './day-mentions.ts'
import { endOn } from './stretches.ts'

// A reply such as “It starts at 8, not at 7” or “It is on Thursday, not on Friday” has no event of its own.
// By the days and times that it says and denies, this decides what still holds of the e-mail that it quotes.

/** What a reply says about the time of the event in the e-mail that it quotes. */
export type Correction = {
  /** The times that the reply gives, and where. */
  times: { start: string; end: string | undefined; evidence: Span }[]
  /** The times that the reply says are wrong. */
  deniedTimes: readonly string[]
  /** True if the reply says that something begins. */
  isBeginning: boolean
  /** The weekday that the reply gives in place of another one, perhaps with its number. */
  day: CorrectedDay | undefined
  /** All times that the reply gives, if it says that something changes. */
  changedTimes: readonly string[]
}

/** With `isNext`, the day is the first such weekday after the event or, without a weekday, a week later. */
type CorrectedDay = { weekday: number; number: number | undefined; isNext?: boolean; evidence: Span }

const REPLY_NEGATIONS = anyOf(WORDS.negations, WORDS.negationsOfCorrections)

const CORRECTION_WORDS = anyOf(REPLY_NEGATIONS, WORDS.corrections)

const MOVING_WORDS = anyOf(WORDS.corrections, WORDS.postponed)

/** Words before the right day: “is on the”, “findet am”, “sondern am”. */
const BEFORE_RIGHT_DAY = anyOf(WORDS.but, WORDS.beforeRightDay)

/** Words between a weekday and its number: “Thursday, the 25th”. */
const BEFORE_DAY_NUMBER = anyOf(WORDS.small, WORDS.beforeNumberOfCorrectedDay, setOf(','))

/** The number of a day that is denied: “not the 21st”. */
const DENIED_NUMBER = /(?:not|nicht|non|pas|no) (?:the|am|le|el) \d/

/** The most tokens between “not” or “is” and the day. */
const MAX_TO_SAID = 4

/**
 * The one weekday that a reply gives in place of another one: “Sorry, the talk is on Thursday the 25th”,
 * “nicht am Freitag, sondern am Samstag”.
 */
export function correctedDay(
  tokens: readonly Token[],
  sentSpan: (from: number, to: number) => Span,
): CorrectedDay | undefined {
  if (!tokens.some(({ folded }) => CORRECTION_WORDS.has(folded))) return undefined
  const isSaid = (i: number): boolean => {
    const near = tokensBefore(tokens, i, MAX_TO_SAID)
    const at = near.findLastIndex(({ folded }) => REPLY_NEGATIONS.has(folded) || BEFORE_RIGHT_DAY.has(folded))
    // “no es el viernes, es el sábado”
    return BEFORE_RIGHT_DAY.has(near[at]?.folded ?? '') && !REPLY_NEGATIONS.has(near[at - 1]?.folded ?? '')
  }
  const week = weekLater(tokens)
  if (week >= 0) return { weekday: 0, number: undefined, isNext: true, evidence: sentSpan(week, week + 1) }
  const hasDeniedNumber = DENIED_NUMBER.test(tokens.map(({ folded }) => folded).join(' '))
  const [said, ...more] = tokens.flatMap(({ folded, kind }, i) => {
    const weekday = folded.length > 3 ? weekdayOf(folded) : 0
    // “It’s the 28th, not the 21st”
    const isNumber = hasDeniedNumber && kind === 'number'
    if ((weekday === 0 && !isNumber) || !isSaid(i)) return []
    const at = skip(isNumber ? i : i + 1, at => BEFORE_DAY_NUMBER.has(foldedAt(tokens, at)))
    const number = tokens[at]?.kind === 'number' ? Number(tokens[at]?.text) : undefined
    const evidence = sentSpan(i, number === undefined ? i + 1 : at + 1)
    return [{ weekday, number, isNext: weekday > 0 && isNextDay(tokens, i), evidence }]
  })
  return more.length > 0 ? undefined : said
}

/**
 * True for a weekday that is the first one after the event: “It’s the Saturday after instead”, «le samedi
 * suivant».
 */
function isNextDay(tokens: readonly Token[], i: number): boolean {
  // “Saturday after the match”
  const then = tokens[i + 2]
  const isPartOfPhrase = then && then.kind !== 'sign' && !CORRECTION_WORDS.has(then.folded)
  return (
    WORDS.beforeNextDay.has(foldedAt(tokens, i - 1)) ||
    (WORDS.afterNextDay.has(foldedAt(tokens, i + 1)) && !isPartOfPhrase)
  )
}

/**
 * The token “week” of a reply that moves an event by one: “Sorry, one week later”, «une semaine plus tard».
 */
const weekLater = (tokens: readonly Token[]): number =>
  tokens.findIndex(({ folded, sentence }, i) => {
    if (!WORDS.weeks.has(folded) || !hasAny(tokens.slice(i + 1, i + 3), WORDS.afterNextDay)) return false
    // “Sorry, the week after I’m away”
    const own = tokens.filter(token => token.sentence === sentence)
    const before = foldedAt(tokens, i - 1)
    return (
      (WORDS.indefiniteArticles.has(before) || NUMBER_WORDS.get(before) === 1) &&
      hasAny(own, MOVING_WORDS) &&
      !hasAny(own, WORDS.firstPerson)
    )
  })

const MAX_DAYS_AWAY = 31

/**
 * The new day of an event, by the weekday that a reply gives: the one in the same week or, if it has a
 * number, the one with this number, a month away at most.
 */
function dayBeside(day: string, { weekday, number, isNext }: CorrectedDay): string | undefined {
  if (isNext) return daysLater(day, weekday === 0 ? 7 : ((weekday - weekdayOn(day) + 6) % 7) + 1)
  if (number === undefined) return daysLater(day, weekday - weekdayOn(day))
  const offsets = Array.from({ length: MAX_DAYS_AWAY }, (_, days) => [days, -days]).flat()
  return offsets
    .map(days => daysLater(day, days))
    .find(date => Number(date.slice(8)) === number && [0, weekdayOn(date)].includes(weekday))
}

type CorrectedDates = {
  start_date: string
  end_date?: string
  evidence: { start_date?: Span; end_date?: Span }
}

/**
 * When an event takes place by the reply to the e-mail that announces it: “Wir beginnen um 19 Uhr, nicht um
 * 20 Uhr.”, “It is on Thursday, the 25th.” It is undefined if the reply does not correct the start.
 */
export function correctedDates(
  { start_date: start, end_date: end }: Pick<CorrectedDates, 'start_date' | 'end_date'>,
  { times, deniedTimes, isBeginning, day: moved, changedTimes }: Correction,
): CorrectedDates | undefined {
  const [day, time] = [start.slice(0, 10), start.slice(11, 16)]
  const newDay = moved && dayBeside(day, moved)
  if (moved && newDay !== undefined && newDay !== day)
    return {
      start_date: `${newDay}${start.slice(10)}`,
      ...(end?.startsWith(day) && { end_date: `${newDay}${end.slice(10)}` }),
      evidence: { start_date: moved.evidence },
    }
  if (time === '' || times.some(one => one.start === time)) return undefined
  const isCorrected = deniedTimes.includes(time) || isBeginning
  if (!isCorrected && changedTimes.length === 0) return undefined
  const [saidTime, ...more] = times
  // Of several times nobody knows which one is right, nor whether “not before 6.15” is the new one.
  if (!saidTime || more.length > 0 || !isCorrected) return { start_date: day, evidence: {} }
  const dates = { start_date: `${day} ${saidTime.start}:00`, evidence: { start_date: saidTime.evidence } }
  return saidTime.end === undefined
    ? dates
    : {
        ...dates,
        end_date: `${endOn(day, saidTime.start, saidTime.end)}:00`,
        evidence: { ...dates.evidence, end_date: saidTime.evidence },
      }
}
