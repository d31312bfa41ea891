import type { Span } from '../words/plain.ts'
import { lowAt, skip, type Token, tokensBefore } from '../words/tokens.ts'
import { anyOf, SMALL, setOf, weekdayOf, wordsFor } from '../words/words.ts'
import { daysLater, weekdayOn } from './day-mentions.ts'
import { endOn } from './stretches.ts'

// An answer such as “It starts at 8, not at 7” or “It is on Thursday, not on Friday” has no event of its own.
// With the days and times that it says and denies, this decides what of the e-mail that it repeats still
// holds.

/** What an answer says about the time of the e-mail that it repeats. */
export type Correction = {
  /** The times that it says, and where. */
  said: { start: string; end: string | undefined; evidence: Span }[]
  /** Those that it says to be false. */
  denied: readonly string[]
  /** True if it says that something begins. */
  isBeginning: boolean
  /** The weekday that it says, perhaps with its number, in place of another one. */
  day: CorrectedDay | undefined
}

type CorrectedDay = { weekday: number; number: number | undefined; evidence: Span }

const NEGATIONS = anyOf(wordsFor('negations'), setOf('non'))

const CORRECTS = anyOf(
  NEGATIONS,
  setOf(
    'sorry apologies oops wrong instead entschuldigung fehler falsch statt pardon desole desolee excusez erreur lieu perdon disculpas disculpad error equivocado equivoque confundi confundido corrijo correccion correction rectifie rectificatif korrigiere korrektur',
  ),
)

/** Before the right day: “is on the”, “findet am”, “sondern am”. */
const IS = anyOf(wordsFor('but'), setOf('is s ist est es sera findet'))

/** Between a weekday and its number: “Thursday, the 25th”. */
const BEFORE_NUMBER = anyOf(SMALL, setOf(', den'))

/** The number of a day that is denied: “not the 21st”. */
const DENIED_NUMBER = /(?:not|nicht|non|pas|no) (?:the|am|le|el) \d/

/** The most tokens between these and the day. */
const MAX_TO_SAID = 4

/**
 * The one weekday that an answer says in place of another one: “Sorry, the talk is on Thursday the 25th”, “nicht am
 * Freitag, sondern am Samstag”.
 */
export function correctedDay(
  tokens: readonly Token[],
  sent: (from: number, to: number) => Span,
): CorrectedDay | undefined {
  if (!tokens.some(({ low }) => CORRECTS.has(low))) return undefined
  const isSaid = (i: number): boolean => {
    const near = tokensBefore(tokens, i, MAX_TO_SAID)
    const at = near.findLastIndex(({ low }) => NEGATIONS.has(low) || IS.has(low))
    // “no es el viernes, es el sábado”
    return IS.has(near[at]?.low ?? '') && !NEGATIONS.has(near[at - 1]?.low ?? '')
  }
  const hasDeniedNumber = DENIED_NUMBER.test(tokens.map(({ low }) => low).join(' '))
  const [said, ...more] = tokens.flatMap(({ low, kind }, i) => {
    const weekday = low.length > 3 ? weekdayOf(low) : 0
    // “It’s the 28th, not the 21st”
    const isNumber = hasDeniedNumber && kind === 'number'
    if ((weekday === 0 && !isNumber) || !isSaid(i)) return []
    const at = skip(isNumber ? i : i + 1, at => BEFORE_NUMBER.has(lowAt(tokens, at)))
    const number = tokens[at]?.kind === 'number' ? Number(tokens[at]?.text) : undefined
    return [{ weekday, number, evidence: sent(i, number === undefined ? i + 1 : at + 1) }]
  })
  return more.length > 0 ? undefined : said
}

const MAX_DAYS_AWAY = 31

/**
 * The day of an event by a weekday that an answer says: that of its week, or the one with its number at most a month
 * away.
 */
function dayBeside(day: string, { weekday, number }: CorrectedDay): string | undefined {
  if (number === undefined) return daysLater(day, weekday - weekdayOn(day))
  const away = Array.from({ length: MAX_DAYS_AWAY }, (_, days) => [days, -days]).flat()
  return away
    .map(days => daysLater(day, days))
    .find(date => Number(date.slice(8)) === number && [0, weekdayOn(date)].includes(weekday))
}

type Dates = {
  start_date: string
  end_date?: string
  evidence: { start_date?: Span; end_date?: Span }
}

/**
 * When an event takes place by the answer to the e-mail that announces it: “Wir beginnen um 19 Uhr, nicht um
 * 20 Uhr.”, “It is on Thursday, the 25th.” It is undefined if the answer does not correct the start.
 */
export function correctedDates(
  { start_date: start, end_date: end }: Pick<Dates, 'start_date' | 'end_date'>,
  { said, denied, isBeginning, day: moved }: Correction,
): Dates | undefined {
  const [day, time] = [start.slice(0, 10), start.slice(11, 16)]
  const right = moved && dayBeside(day, moved)
  if (moved && right !== undefined && right !== day)
    return {
      start_date: `${right}${start.slice(10)}`,
      ...(end?.startsWith(day) && { end_date: `${right}${end.slice(10)}` }),
      evidence: { start_date: moved.evidence },
    }
  if (time === '' || said.some(one => one.start === time)) return undefined
  if (!denied.includes(time) && !isBeginning) return undefined
  const [one, ...more] = said
  // Of several times nobody knows which one is right.
  if (!one || more.length > 0) return { start_date: day, evidence: {} }
  const dates = { start_date: `${day} ${one.start}:00`, evidence: { start_date: one.evidence } }
  return one.end === undefined
    ? dates
    : {
        ...dates,
        end_date: `${endOn(day, one.start, one.end)}:00`,
        evidence: { ...dates.evidence, end_date: one.evidence },
      }
}
