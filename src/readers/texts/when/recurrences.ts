import { memoize } from '../../../kit/lib/memo.ts'
import { areInLine, lowAt, type Token } from '../words/tokens.ts'
import {
  AND,
  EVERY,
  MEETINGS,
  MONTHS,
  NUMBER_WORDS,
  ORDINALS,
  phrasesFor,
  SHORT_WEEKDAYS,
  setOf,
  weekdayOf,
  wordsFor,
} from '../words/words.ts'
import { daysLater, weekdayOn } from './day-mentions.ts'
import { isBesideMonths, isPlural, ordinalAt, WEEK_WORDS, weekdaysAt } from './weekdays.ts'

// What takes place again and again: its weekdays, which of them in a month, and how often. Other modules
// decide from when to when; by these, a rule becomes dates.

/**
 * What a text says takes place again and again: `every Tuesday`, `jeden ersten und dritten Montag im Monat`.
 */
export type TextRecurrence = {
  from: number
  to: number
  /** Monday is 1. */
  weekdays: readonly number[]
  /** Which of the month; -1 is the last. Empty: each. */
  nth: readonly number[]
  /** Days from one to the next. */
  step: 7 | 14
}

/** Reads what recurs in a text, in its order. */
export function recurrencesIn(tokens: readonly Token[]): TextRecurrence[] {
  const found: TextRecurrence[] = []
  for (let i = 0; i < tokens.length; ) {
    const one = tokens[i]?.kind === 'sign' ? undefined : recurrenceAt(tokens, i, found.at(-1))
    if (one) found.push(one)
    i = one?.to ?? i + 1
  }
  return found
}

/** Tokens around a weekday in which “every other week” may stand. */
const NEAR = 8

/** True for a further weekday of each week: “toutes les semaines : le lundi à 18h et le samedi à 9h30”. */
const isAdded = (tokens: readonly Token[], i: number, { from, to }: TextRecurrence): boolean =>
  AND.has(lowAt(tokens, i - 1)) &&
  ['le', 'el', 'am', 'on'].includes(lowAt(tokens, i)) &&
  i - to < NEAR &&
  areInLine(tokens, i, from) &&
  tokens.slice(from, to).some(({ low }) => WEEK_WORDS.has(low))

const OF_MONTH = wordsFor('ofMonth')
const PARTS = setOf('evenings nights mornings afternoons soirs matins tardes noches')
const FORTNIGHT = memoize(() => phrasesFor('fortnight').map(phrase => phrase.split(' ')))

function recurrenceAt(
  tokens: readonly Token[],
  i: number,
  before: TextRecurrence | undefined,
): TextRecurrence | undefined {
  const low = (at: number): string => lowAt(tokens, at)
  const isWeekAt = (at: number): boolean =>
    WEEK_WORDS.has(low(at)) || (['les', 'las'].includes(low(at)) && WEEK_WORDS.has(low(at + 1)))
  const isWeekday = (at: number): boolean =>
    weekdayOf(low(at)) > 0 && (low(at).length > 3 || !SHORT_WEEKDAYS.has(low(at)))
  let at = i
  const isEvery = EVERY.has(low(at)) || (['jede', 'todas'].includes(low(at)) && isWeekAt(at + 1))
  if (isEvery) at++
  // “chaque semaine, le samedi”, “toutes les semaines : le samedi”
  if (isEvery && isWeekAt(at)) {
    at += WEEK_WORDS.has(low(at)) ? 1 : 2
    if ([',', ':', 'on'].includes(low(at))) at++
  }
  const isFurther = before !== undefined && isAdded(tokens, i, before)
  if (isFurther) at++
  else if (
    ['los', 'les', 'the', 'el', 'am', 'second', 'other', 'le', 'un'].includes(low(at)) &&
    !ORDINALS.has(low(at))
  )
    at++
  const nth: number[] = []
  for (; nth.length < 4; at++) {
    const number = ordinalAt(tokens, at)
    if (number === undefined) {
      if (nth.length === 0 || !(AND.has(low(at)) || ['the', 'el', 'le', 'am', 'den'].includes(low(at)))) break
    } else {
      nth.push(number)
      if (tokens[at]?.kind === 'number') at++
    }
  }
  // “the first Saturday and Sunday of March” is not every week.
  if (!isWeekday(at) || (nth.length === 0 && ORDINALS.has(low(i - 1)))) return undefined
  const isPluralNamed = isPlural(low(at)) || PARTS.has(low(at + 1)) || ['los', 'les'].includes(low(at - 1))
  const { weekdays, to } = weekdaysAt(tokens, at, isWeekday)
  const isOfMonths = isBesideMonths(tokens, i, to)
  const isMonthly =
    nth.length > 0 &&
    ([0, 1, 2, 3, 4].some(ahead => OF_MONTH.has(low(to + ahead))) ||
      [1, 2, 3, 4].some(back => OF_MONTH.has(low(i - back))) ||
      isPlural(low(at)) ||
      // “d'avril à octobre, le premier dimanche”
      (isOfMonths && !isEvery && !EVERY.has(low(i - 1))))
  if (nth.length > 0 && !isMonthly) return undefined
  // “un lundi sur deux”, “un sábado sí y otro no”
  const isAlternate = low(to) === 'alterno' || (low(to) === 'sur' && low(to + 1) === 'deux')
  // “am Samstag und Sonntag im März” may be one weekend.
  const isList = weekdays.length > 1 && !MONTHS.has(low(to + 1))
  if (!(isEvery || isPluralNamed || isMonthly || isAlternate || isList || isOfMonths || isFurther))
    return undefined
  // “1 March, Tuesdays”: a number after it is a day.
  if (tokens[to]?.kind === 'number' && !isEvery && !isPlural(low(at)) && !isMonthly) return undefined
  const isFortnight = isAlternate || hasPhrase(tokens, Math.max(0, i - NEAR), to + NEAR, FORTNIGHT())
  return { from: i, to, weekdays, nth: isMonthly ? nth : [], step: isFortnight && !isMonthly ? 14 : 7 }
}

/** True if one of the phrases stands in a stretch. */
export function hasPhrase(
  tokens: readonly Token[],
  from: number,
  to: number,
  phrases: readonly (readonly string[])[],
): boolean {
  for (let i = from; i < Math.min(to, tokens.length); i++)
    if (phrases.some(phrase => phrase.every((word, n) => tokens[i + n]?.low === word))) return true
  return false
}

const EACH_OF = setOf('alle every cada les')
const BEFORE_TIMES = setOf('at um ab a las - bis to until')

/** After weeks that lie between two things: “sow eight weeks ahead”, “acht Wochen vor dem Frost”. */
const APART = setOf('ahead before ago earlier later beforehand vor zuvor vorher avant antes despues')

/** How many evenings a course has: `8 Abende`, `9 x dienstags`, `six séances`, `eight Tuesday evenings`. */
export function countIn(tokens: readonly Token[]): number | undefined {
  for (const [i, { kind, low, text }] of tokens.entries()) {
    const number = kind === 'number' && text.length < 3 ? Number(text) : NUMBER_WORDS.get(low)
    // “alle zwei Wochen” is how often.
    if (number === undefined || number < 2 || EACH_OF.has(lowAt(tokens, i - 1))) continue
    const isOfLine = (at: number): boolean => areInLine(tokens, at, i)
    if (
      // “Termine: 6”, “Anzahl Termine 6”
      (isOfLine(i - 1) &&
        !isOfLine(i + 1) &&
        MEETINGS.has(lowAt(tokens, tokens[i - 1]?.low === ':' ? i - 2 : i - 1))) ||
      [1, 2, 3].some(
        ahead =>
          (MEETINGS.has(lowAt(tokens, i + ahead)) &&
            isOfLine(i + ahead) &&
            !APART.has(lowAt(tokens, i + ahead + 1)) &&
            tokens[i + ahead - 1]?.kind !== 'sign') ||
          (ahead === 2 && tokens[i + 1]?.low === '-' && MEETINGS.has(lowAt(tokens, i + 2))),
      ) ||
      (tokens[i + 1]?.low === 'x' && weekdayOf(lowAt(tokens, i + 2)) > 0) ||
      // “8 mardis”, but not “19 dienstags”
      (/(?:days|dis|tage|tagen|bados|mingos|[tv]es|coles)$/.test(lowAt(tokens, i + 1)) &&
        weekdayOf(lowAt(tokens, i + 1)) > 0 &&
        !BEFORE_TIMES.has(lowAt(tokens, i - 1)))
    )
      return number
  }
  return undefined
}

/** The most dates of a series. */
const MAX_DATES = 60

/** The dates from a day on: up to another one, or as many as are said; otherwise the first alone. */
export function datesFrom(
  { weekdays, nth, step }: TextRecurrence,
  first: string,
  { last, count }: { last?: string | undefined; count?: number | undefined },
  isLeftOut: (date: string) => boolean,
): string[] {
  const most = last === undefined ? (count ?? 1) : MAX_DATES
  const dates: string[] = []
  let passed = 0
  const end = last ?? daysLater(first, 700)
  let start: string | undefined
  for (
    let date = first;
    date <= end && dates.length < Math.min(most, MAX_DATES) && passed++ < 800;
    date = daysLater(date, 1)
  ) {
    if (!weekdays.includes(weekdayOn(date))) continue
    start ??= date
    const weeks = Math.floor(Math.round((Date.parse(date) - Date.parse(start)) / 86_400_000) / 7)
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
