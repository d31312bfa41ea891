import { STARTS_UPPERCASE, sentenceOf, wordsBefore } from '../words/clauses.ts'
import { areInLine, foldedAt, skip, type Token } from '../words/tokens.ts'
import { isKind, WORDS, weekdayOf } from '../words/words.ts'
import type { DatedText } from './datelines.ts'
import { type DayMention, isAfterBracket } from './day-mentions.ts'
import { meetingCountIn, type TextRecurrence } from './recurrences.ts'
import { isFeast } from './weekdays.ts'

// A series leaves days out: “relâche les 18 et 25 février”, “not on the 16th”, “nicht in den Ferien”. By the
// words before and after dates, weekdays, numbers and feasts, this decides which of them a text excepts.

/** What a series leaves out. */
export type Exceptions = {
  except: DayMention[]
  /** Weekdays on which something daily does not take place: “tous les jours sauf le lundi”. */
  exceptWeekdays: readonly number[]
  /** Days of a month on which a series does not take place: “not on the 16th”. */
  exceptNumbers: readonly number[]
  /** The tokens of days without a month on which something differs: “am 16. schon um 18 Uhr”. */
  differing: readonly number[]
  /** The tokens of days that are left out without a date: “nicht in den Ferien”. */
  unclear: readonly number[]
}

type TextWithDays = Pick<DatedText, 'tokens' | 'days' | 'isTaken'>

/** The most words between “not” and the day on which there is none. */
export const MAX_TO_EXCEPTION = 2

const isHoliday = (tokens: readonly Token[], i: number): boolean => {
  const { folded = '' } = tokens[i] ?? {}
  return (
    WORDS.holidaysWithoutDate.has(folded) ||
    WORDS.breaksOfSchools.has(folded) ||
    /(?:ferien|feiertage?n?)$/.test(folded) ||
    isFeast(tokens, i)
  )
}

/**
 * What the series of a text leaves out.
 *
 * @param coming the days that are still to come
 * @param until the days up to which a series goes on
 */
export function exceptionsIn(
  text: TextWithDays,
  recurrences: readonly TextRecurrence[],
  coming: readonly DayMention[],
  until: readonly DayMention[],
): Exceptions {
  const { tokens } = text
  const hasSeveralDates =
    recurrences.length > 0 ||
    meetingCountIn(tokens) !== undefined ||
    coming.length > 2 ||
    coming.some(({ last }) => last !== undefined)
  const undated = undatedExceptions(text, recurrences)
  const differing = hasSeveralDates ? differingDays(text) : []
  const weekdayAt = (i: number): number => weekdayOf(foldedAt(tokens, i))
  return {
    except: exceptedDays(text, coming, until).filter(
      // “Fête le 5 mars à 18h. Le lundi 8, il n’y a pas école”
      day =>
        hasSeveralDates ||
        (day !== coming[0] && !sentenceOf(tokens, day.from).some(({ folded }) => isKind(folded))),
    ),
    exceptWeekdays: undated.map(i => (isHoliday(tokens, i) ? 0 : weekdayAt(i))),
    exceptNumbers: [...exceptedNumbers(text), ...differing.map(i => Number(tokens[i]?.text))],
    differing,
    // “nicht am zweiten Montag”, of several Mondays
    unclear: [
      ...undated.filter(
        i => isHoliday(tokens, i) || recurrences.some(({ weekdays }) => weekdays.includes(weekdayAt(i))),
      ),
      ...differing,
    ],
  }
}

/** The dates that are left out, with the others of their lists. */
function exceptedDays(
  text: TextWithDays,
  coming: readonly DayMention[],
  until: readonly DayMention[],
): DayMention[] {
  const excepted: DayMention[] = []
  for (const [i, day] of coming.entries()) {
    const [before, next] = [coming[i - 1], coming[i + 1]]
    // “relâche les 18 et 25 février”, “am 23. und 30. März ist kein Kurs”
    const isFurther = day.isListed && before !== undefined && excepted.includes(before)
    const isNumber = text.tokens.slice(day.from, day.to).every(({ kind }) => kind !== 'word')
    const isOfNext = isNumber && next?.isListed === true && isExcepted(text, next)
    if (!until.includes(day) && (isFurther || isOfNext || isExcepted(text, day))) excepted.push(day)
  }
  return excepted
}

/** The tokens of weekdays and holidays that are left out without a date. */
function undatedExceptions(text: TextWithDays, recurrences: readonly TextRecurrence[]): number[] {
  const { tokens, isTaken } = text
  const isOfMention = (i: number): boolean =>
    isTaken(i) || recurrences.some(({ from, to }) => from <= i && i < to)
  return tokens.flatMap(({ folded }, i) =>
    !isOfMention(i) &&
    // “In den Osterferien (30.3. und 6.4.) ist kein Training” says its days.
    !(tokens[i + 1]?.folded === '(' && (isTaken(i + 2) || isTaken(i + 3))) &&
    (isHoliday(tokens, i) || weekdayOf(folded) > 0) &&
    isExcepted(text, { from: i, to: i + 1 })
      ? [i]
      : [],
  )
}

/** The days of a month that are left out: “No class on the 16th”, “excepto el día 16”. */
function exceptedNumbers(text: TextWithDays): number[] {
  const { tokens, isTaken } = text
  return tokens.flatMap(({ kind, text: digits }, i) => {
    const isAfterWeekday = tokens[i - 1]?.folded === ',' && weekdayOf(foldedAt(tokens, i - 2)) > 0
    const isOrdinal =
      isAfterWeekday ||
      WORDS.beforeDate.has(foldedAt(tokens, i - 1)) ||
      ['st', 'nd', 'rd', 'th'].includes(foldedAt(tokens, i + 1))
    const isDay = kind === 'number' && isOrdinal && Number(digits) > 0 && Number(digits) < 32
    return isDay && !isTaken(i) && isExcepted(text, { from: i, to: i + 1 }) ? [Number(digits)] : []
  })
}

/**
 * The tokens of days that are given without their month, and are not left out: “April's is a week early, on
 * the 17th”, but not “on the 4th floor”.
 */
const differingDays = (text: TextWithDays): number[] =>
  text.tokens.flatMap(({ kind, text: digits }, i) => {
    const [before, leading] = [foldedAt(text.tokens, i - 1), foldedAt(text.tokens, i - 2)]
    const [mark, next] = text.tokens.slice(i + 1, i + 3)
    const isDay =
      (leading === 'on' &&
        before === 'the' &&
        mark?.folded === 'th' &&
        (next?.kind !== 'word' || WORDS.small.has(next.folded))) ||
      (leading === 'el' && before === 'dia') ||
      (before === 'am' && mark?.folded === '.' && next?.text === next?.folded)
    const isDiffering = kind === 'number' && isDay && !text.isTaken(i) && Number(digits) < 32
    return isDiffering && !isExcepted(text, { from: i, to: i + 1 }) ? [i] : []
  })

/** The most words before a day in a clause that says on which days there is none. */
const MAX_OF_EXCEPTION = 4

/** True if words before a day leave it out. */
export function isAfterException(text: TextWithDays, at: number): boolean {
  const { tokens } = text
  // “No market Easter Sunday, March 28.”, “No class on Memorial Day (5/31)”, “No session Holy Thursday (25
  // March)”
  const isNamed = [',', '('].includes(foldedAt(tokens, at - 1))
  const isHolyDay =
    isNamed && WORDS.holyWeekdays.has(foldedAt(tokens, at - 2)) && weekdayOf(foldedAt(tokens, at - 3)) > 0
  const isFeastDay = isNamed && (isHoliday(tokens, at - 2) || tokens[at - 2]?.folded === 'day')
  const from = isHolyDay ? at - 3 : isFeastDay ? at - 2 : at
  const near = wordsBefore(text, from).filter(word => !WORDS.small.has(word))
  // “(no story time Feb. 17)”
  const isOnlyException = near.length <= MAX_OF_EXCEPTION && WORDS.exceptDays.has(near.at(-1) ?? '')
  return isOnlyException || near.slice(0, MAX_TO_EXCEPTION).some(word => WORDS.exceptDays.has(word))
}

/** How many tokens after a day may leave it out. */
const MAX_TO_LEFT_OUT = 5

/** The most tokens after a day that are looked at, as in “, martes de Carnaval, no hay clase)”. */
const MAX_OF_BRACKET = 9

/** True if words before or after a day leave it out. */
function isExcepted(text: TextWithDays, { from, to }: { from: number; to: number }): boolean {
  if (isAfterException(text, from)) return true
  const { tokens, days } = text
  const isLeftOut = (at: number): boolean =>
    WORDS.leftOut.has(foldedAt(tokens, at)) && !isOfNextDay(tokens, days, at) && !isOfName(tokens, at)
  // “Feb 10 – no recital”
  const isMarked = ['-', ':'].includes(foldedAt(tokens, to)) && areInLine(tokens, to + 1, from)
  if (isMarked && isLeftOut(to + 1)) return true
  // “Am Montag, 8. Februar, ist kein Kurs”
  if (
    tokens[to]?.folded === ',' &&
    ['ist', 'sind', 'gibt'].includes(foldedAt(tokens, to + 1)) &&
    isLeftOut(to + 2)
  )
    return true
  if (isAfterBracket(tokens, from)) {
    // “(el 9 de febrero, martes de Carnaval, no hay clase)”
    const end = skip(to, i => i < to + MAX_OF_BRACKET && tokens[i]?.folded !== ')' && !isLeftOut(i))
    if (isLeftOut(end)) return true
    // “In der Faschingswoche (9.2.) ist Pause”, “In den Osterferien (30.3. und 6.4.) ist kein Training”
    const length = tokens.slice(to, to + MAX_OF_BRACKET).findIndex(({ folded }) => folded === ')')
    if (length >= 0 && [1, 2].some(ahead => isLeftOut(to + length + ahead))) return true
    // “nicht in den Osterferien (24. und 31. März)”
    if (isHoliday(tokens, from - 2) && isAfterException(text, from - 2)) return true
  }
  if (WORDS.withoutThings.has(foldedAt(tokens, to)) && WORDS.sessionsLeftOut.has(foldedAt(tokens, to + 1)))
    return true
  // “22. Februar und 1. März (Rosenmontag fällt aus)”, but “Am 3. April (Osterferien) machen wir Pause”
  const isHolidayNamed = tokens[to]?.folded === '(' && isHoliday(tokens, to + 1)
  if (isHolidayNamed && tokens[to + 2]?.folded !== ')') return false
  const after = isHolidayNamed ? to + 3 : to
  return tokens
    .slice(after, after + MAX_TO_LEFT_OUT)
    .some(({ clause }, i) => clause === tokens[from]?.clause && isLeftOut(after + i))
}

/** True if a word leaves out the day after it: “until 22 March – no class on 15 February”. */
const isOfNextDay = (tokens: readonly Token[], days: readonly DayMention[], at: number): boolean =>
  days.some(
    ({ from }) => from > at && from - at <= MAX_TO_LEFT_OUT && tokens[from]?.clause === tokens[at]?.clause,
  )

/**
 * True if a “no” is that of a name: “Fri 5 March: NO TRAIN TO TRIESTE” is a film, but not “Choir on Fridays,
 * 5 March NO CHOIR TODAY”.
 */
function isOfName(tokens: readonly Token[], at: number): boolean {
  const [first, second] = tokens.slice(at + 1, at + 3)
  const areWords =
    [first, second].every(token => token?.kind === 'word' && token.line === tokens[at]?.line) &&
    // “NO hay clase”
    STARTS_UPPERCASE().test(first?.text ?? '')
  const isRepeated = tokens.some(token => token !== first && token.folded === first?.folded)
  const isNone = isKind(first?.folded ?? '') || WORDS.sessionsLeftOut.has(first?.folded ?? '')
  return /^N[oO]$/.test(tokens[at]?.text ?? '') && areWords && !isRepeated && !isNone
}
