import type { Span } from '../words/plain.ts'
import { foldedAt, hasAny, skip, type Token, tokensBefore } from '../words/tokens.ts'
import { anyOf, setOf, WORDS, weekdayOf } from '../words/words.ts'
import { daysLater, weekdayOn } from './day-mentions.ts'
import { endOn } from './stretches.ts'

// A reply such as “It starts at 8, not at 7” or “It is on Thursday, not on Friday” has no event of its own.
// By the days and times that it says and denies, this decides what still holds of the e-mail that it quotes.

/** What a reply says about the time of the event in the e-mail that it quotes. */
export type Correction = {
  /** The times that it says, and where. */
  times: { start: string; end: string | undefined; evidence: Span }[]
  /** Those that it says to be false. */
  deniedTimes: readonly string[]
  /** True if it says that something begins. */
  isBeginning: boolean
  /** The weekday that it says, perhaps with its number, in place of another one. */
  day: CorrectedDay | undefined
  /** All times that it says, where it says that something changes. */
  changedTimes: readonly string[]
}

/** `isNext` says that it is the first such weekday after the event, or without a weekday a week later. */
type CorrectedDay = { weekday: number; number: number | undefined; isNext?: boolean; evidence: Span }

const REPLY_NEGATIONS = anyOf(WORDS.negations, WORDS.negationsOfCorrections)

const CORRECTION_WORDS = anyOf(REPLY_NEGATIONS, WORDS.corrections)

const MOVING_WORDS = anyOf(WORDS.corrections, WORDS.postponed)

/** Before the right day: “is on the”, “findet am”, “sondern am”. */
const BEFORE_RIGHT_DAY = anyOf(WORDS.but, WORDS.beforeRightDay)

/** Between a weekday and its number: “Thursday, the 25th”. */
const BEFORE_DAY_NUMBER = anyOf(WORDS.small, WORDS.beforeNumberOfCorrectedDay, setOf(','))

/** The number of a day that is denied: “not the 21st”. */
const DENIED_NUMBER = /(?:not|nicht|non|pas|no) (?:the|am|le|el) \d/

/** The most tokens between “not” or “is” and the day. */
const MAX_TO_SAID = 4

/**
 * The one weekday that a reply says in place of another one: “Sorry, the talk is on Thursday the 25th”,
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
  const next = hasAny(tokens, MOVING_WORDS) ? nextDay(tokens, sentSpan) : undefined
  if (next) return next
  const hasDeniedNumber = DENIED_NUMBER.test(tokens.map(({ folded }) => folded).join(' '))
  const [said, ...more] = tokens.flatMap(({ folded, kind }, i) => {
    const weekday = folded.length > 3 ? weekdayOf(folded) : 0
    // “It’s the 28th, not the 21st”
    const isNumber = hasDeniedNumber && kind === 'number'
    if ((weekday === 0 && !isNumber) || !isSaid(i)) return []
    const at = skip(isNumber ? i : i + 1, at => BEFORE_DAY_NUMBER.has(foldedAt(tokens, at)))
    const number = tokens[at]?.kind === 'number' ? Number(tokens[at]?.text) : undefined
    return [{ weekday, number, evidence: sentSpan(i, number === undefined ? i + 1 : at + 1) }]
  })
  return more.length > 0 ? undefined : said
}

/**
 * The day of a reply that moves an event to the next such weekday, or by a week: “It’s the Saturday after
 * instead”, “eine Woche später”, «le samedi suivant».
 */
function nextDay(
  tokens: readonly Token[],
  sentSpan: (from: number, to: number) => Span,
): CorrectedDay | undefined {
  const i = tokens.findIndex(({ folded }, at) => {
    const isWeek = WORDS.weeks.has(folded)
    if (!isWeek && (folded.length < 4 || weekdayOf(folded) === 0)) return false
    if (WORDS.beforeNextDay.has(foldedAt(tokens, at - 1))) return true
    const [after, then] = tokens.slice(at + 1, at + 3)
    // “une semaine plus tard”, but not “Saturday after the match”
    const isLater = (token: Token | undefined) => token !== undefined && WORDS.afterNextDay.has(token.folded)
    return isWeek ? isLater(after) || isLater(then) : isLater(after) && !(then && isPartOfPhrase(then))
  })
  if (i < 0) return undefined
  const weekday = weekdayOf(tokens[i]?.folded ?? '')
  return { weekday, number: undefined, isNext: true, evidence: sentSpan(i, i + 1) }
}

const isPartOfPhrase = ({ kind, folded }: Token): boolean => kind !== 'sign' && !CORRECTION_WORDS.has(folded)

const MAX_DAYS_AWAY = 31

/**
 * The new day of an event by the weekday that a reply says: that of the same week, or the one with its
 * number, a month away at most.
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
