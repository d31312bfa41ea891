import { areInLine, foldedAt, type Token } from '../words/tokens.ts'
import {
  AND,
  anyOf,
  MONTHS,
  NUMBER_WORDS,
  ORDINALS,
  phrasesOf,
  setOf,
  WORDS,
  weekdayOf,
} from '../words/words.ts'
import { daysLater, weekdayOn } from './day-mentions.ts'
import { isBesideMonths, isPlural, ordinalAt, weekdaysAt } from './weekdays.ts'

// What takes place again and again: its weekdays, which of them in a month, and how often. Other modules
// decide from when to when; with that, a rule becomes dates here.

/**
 * What a text says takes place again and again: `every Tuesday`, `jeden ersten und dritten Montag im Monat`.
 */
export type TextRecurrence = {
  from: number
  to: number
  /** Monday is 1. */
  weekdays: readonly number[]
  /** Which of these weekdays in a month, -1 for the last; empty for each of them. */
  nth: readonly number[]
  /** Days from one week in which it takes place to the next. */
  step: 7 | 14
}

/** Reads what recurs in a text, in its order. */
export function recurrencesIn(tokens: readonly Token[]): TextRecurrence[] {
  const recurrences: TextRecurrence[] = []
  for (let i = 0; i < tokens.length; ) {
    const recurrence = tokens[i]?.kind === 'sign' ? undefined : recurrenceAt(tokens, i, recurrences.at(-1))
    if (recurrence) recurrences.push(recurrence)
    i = recurrence?.to ?? i + 1
  }
  return recurrences
}

/** How many tokens away from a weekday “every other week” may stand. */
const MAX_TO_FORTNIGHT = 8

/** True for a further weekday of each week: “toutes les semaines : le lundi à 18h et le samedi à 9h30”. */
const isAdded = (tokens: readonly Token[], i: number, { from, to }: TextRecurrence): boolean =>
  AND.has(foldedAt(tokens, i - 1)) &&
  ['le', 'el', 'am', 'on'].includes(foldedAt(tokens, i)) &&
  i - to < MAX_TO_FORTNIGHT &&
  areInLine(tokens, i, from) &&
  tokens.slice(from, to).some(({ folded }) => WORDS.unitsOfWeeks.has(folded))

const FORTNIGHT = phrasesOf('fortnight')

function recurrenceAt(
  tokens: readonly Token[],
  i: number,
  before: TextRecurrence | undefined,
): TextRecurrence | undefined {
  const wordAt = (at: number): string => foldedAt(tokens, at)
  const isWeekAt = (at: number): boolean =>
    WORDS.unitsOfWeeks.has(wordAt(at)) ||
    (['les', 'las'].includes(wordAt(at)) && WORDS.unitsOfWeeks.has(wordAt(at + 1)))
  const isWeekday = (at: number): boolean =>
    weekdayOf(wordAt(at)) > 0 && (wordAt(at).length > 3 || !WORDS.shortWeekdays.has(wordAt(at)))
  let at = i
  const isEvery = WORDS.every.has(wordAt(at)) || (['jede', 'todas'].includes(wordAt(at)) && isWeekAt(at + 1))
  if (isEvery) at++
  // “chaque semaine, le samedi”, “toutes les semaines : le samedi”
  if (isEvery && isWeekAt(at)) {
    at += WORDS.unitsOfWeeks.has(wordAt(at)) ? 1 : 2
    if ([',', ':', 'on'].includes(wordAt(at))) at++
  }
  const isFurther = before !== undefined && isAdded(tokens, i, before)
  if (isFurther) at++
  else if (
    ['los', 'les', 'the', 'el', 'am', 'second', 'other', 'le', 'un'].includes(wordAt(at)) &&
    !ORDINALS.has(wordAt(at))
  )
    at++
  const nth: number[] = []
  for (; nth.length < 4; at++) {
    const number = ordinalAt(tokens, at)
    if (number === undefined) {
      if (nth.length === 0 || !(AND.has(wordAt(at)) || ['the', 'el', 'le', 'am', 'den'].includes(wordAt(at))))
        break
    } else {
      nth.push(number)
      if (tokens[at]?.kind === 'number') at++
    }
  }
  // “the first Saturday and Sunday of March” is not every week.
  if (!isWeekday(at) || (nth.length === 0 && ORDINALS.has(wordAt(i - 1)))) return undefined
  const isPluralNamed =
    isPlural(wordAt(at)) ||
    WORDS.partsOfWeekdays.has(wordAt(at + 1)) ||
    ['los', 'les'].includes(wordAt(at - 1))
  const { weekdays, to } = weekdaysAt(tokens, at, isWeekday)
  const isOfMonths = isBesideMonths(tokens, i, to)
  const isMonthly =
    nth.length > 0 &&
    ([0, 1, 2, 3, 4].some(ahead => WORDS.ofMonth.has(wordAt(to + ahead))) ||
      [1, 2, 3, 4].some(back => WORDS.ofMonth.has(wordAt(i - back))) ||
      isPlural(wordAt(at)) ||
      // “d'avril à octobre, le premier dimanche”
      (isOfMonths && !isEvery && !WORDS.every.has(wordAt(i - 1))))
  if (nth.length > 0 && !isMonthly) return undefined
  // “un lundi sur deux”, “un sábado sí y otro no”
  const isAlternate = wordAt(to) === 'alterno' || (wordAt(to) === 'sur' && wordAt(to + 1) === 'deux')
  // “am Samstag und Sonntag im März” may be one weekend.
  const isList = weekdays.length > 1 && !MONTHS.has(wordAt(to + 1))
  if (!(isEvery || isPluralNamed || isMonthly || isAlternate || isList || isOfMonths || isFurther))
    return undefined
  // A number after a weekday is its day, unless the weekday is said to recur: “1 March, Tuesdays”.
  if (tokens[to]?.kind === 'number' && !isEvery && !isPlural(wordAt(at)) && !isMonthly) return undefined
  const isFortnight = isAlternate || FORTNIGHT.isIn(tokens, i - MAX_TO_FORTNIGHT, to + MAX_TO_FORTNIGHT)
  return { from: i, to, weekdays, nth: isMonthly ? nth : [], step: isFortnight && !isMonthly ? 14 : 7 }
}

const BEFORE_TIMES = anyOf(WORDS.beforeHoursOfWeekdays, setOf('-'))

/** How many evenings a course has: `8 Abende`, `9 x dienstags`, `six séances`, `eight Tuesday evenings`. */
export function meetingCountIn(tokens: readonly Token[]): number | undefined {
  for (const [i, { kind, folded, text }] of tokens.entries()) {
    const number = kind === 'number' && text.length < 3 ? Number(text) : NUMBER_WORDS.get(folded)
    // “alle zwei Wochen” says how often.
    if (number === undefined || number < 2 || WORDS.eachBeforeNumbers.has(foldedAt(tokens, i - 1))) continue
    const isOfLine = (at: number): boolean => areInLine(tokens, at, i)
    if (
      // “Termine: 6”, “Anzahl Termine 6”
      (isOfLine(i - 1) &&
        !isOfLine(i + 1) &&
        WORDS.meetings.has(foldedAt(tokens, tokens[i - 1]?.folded === ':' ? i - 2 : i - 1))) ||
      [1, 2, 3].some(
        ahead =>
          (WORDS.meetings.has(foldedAt(tokens, i + ahead)) &&
            isOfLine(i + ahead) &&
            !WORDS.apartAfterWeeks.has(foldedAt(tokens, i + ahead + 1)) &&
            tokens[i + ahead - 1]?.kind !== 'sign') ||
          (ahead === 2 && tokens[i + 1]?.folded === '-' && WORDS.meetings.has(foldedAt(tokens, i + 2))),
      ) ||
      (tokens[i + 1]?.folded === 'x' && weekdayOf(foldedAt(tokens, i + 2)) > 0) ||
      // “8 mardis”, but not “19 dienstags”
      (/(?:days|dis|tage|tagen|bados|mingos|[tv]es|coles)$/.test(foldedAt(tokens, i + 1)) &&
        weekdayOf(foldedAt(tokens, i + 1)) > 0 &&
        !BEFORE_TIMES.has(foldedAt(tokens, i - 1)))
    )
      return number
  }
  return undefined
}

/** The most dates of a series. */
const MAX_DATES = 60

/** The dates from a day on: up to a last day, or as many as the text counts; otherwise the first alone. */
export function datesFrom(
  { weekdays, nth, step }: TextRecurrence,
  first: string,
  { last, count }: { last?: string | undefined; count?: number | undefined },
  isLeftOut: (date: string) => boolean,
): string[] {
  const most = last === undefined ? (count ?? 1) : MAX_DATES
  const dates: string[] = []
  let daysPassed = 0
  const end = last ?? daysLater(first, 700)
  let firstDate: string | undefined
  for (
    let date = first;
    date <= end && dates.length < Math.min(most, MAX_DATES) && daysPassed++ < 800;
    date = daysLater(date, 1)
  ) {
    if (!weekdays.includes(weekdayOn(date))) continue
    firstDate ??= date
    const weeks = Math.floor(Math.round((Date.parse(date) - Date.parse(firstDate)) / 86_400_000) / 7)
    const isNth = nth.length === 0 || nth.some(n => isNthOfMonth(date, n))
    if (isNth && (step === 7 || weeks % 2 === 0) && !isLeftOut(date)) dates.push(date)
  }
  return dates
}

function isNthOfMonth(date: string, n: number): boolean {
  const day = Number(date.slice(8))
  if (n < 0) return daysLater(date, 7).slice(0, 7) !== date.slice(0, 7)
  return Math.ceil(day / 7) === n
}
