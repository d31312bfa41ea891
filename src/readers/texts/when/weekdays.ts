import { HOUR_WORDS } from '../../moment-words.ts'
import { areInLine, foldedAt, type Token } from '../words/tokens.ts'
import { AND, anyOf, MONTHS, NUMBER_WORDS, ORDINALS, setOf, UNTIL, WORDS, weekdayOf } from '../words/words.ts'
import { comingDay, type DayMention, daysLater, daysToWeekday, weekdayOn } from './day-mentions.ts'

// Weekdays: which of them a word names, and the coming one where a text names no other day.

/**
 * True if a word is a weekday in the plural: `fridays`, `samedis`, `freitags`. Spanish ones that end in s may
 * be either.
 */
export const isPlural = (word: string): boolean =>
  /(?:days|dis|tags|tage|tagen|bados|mingos|wochs|morgens|mittags|abends)$/.test(word) && weekdayOf(word) > 0

/** The weekdays from one to another: “Thursday to Saturday”. */
export function weekdayRangeAt(tokens: readonly Token[], i: number): number[] {
  const [first = 0, last = 0] = [0, 2].map(ahead => weekdayOf(foldedAt(tokens, i + ahead)))
  const isRange = first > 0 && last > 0 && UNTIL.has(foldedAt(tokens, i + 1))
  const length = isRange ? ((last - first + 7) % 7) + 1 : 0
  return Array.from({ length }, (_, n) => ((first - 1 + n) % 7) + 1)
}

/** The weekdays of a list in a line, and where it ends: “martes y jueves”, “les mardis et les jeudis”. */
export function weekdaysAt(
  tokens: readonly Token[],
  from: number,
  isWeekday: (at: number) => boolean,
): { weekdays: number[]; to: number } {
  const wordAt = (at: number): string => foldedAt(tokens, at)
  const weekdays: number[] = []
  let to = from
  for (let next = from; isWeekday(next) && areInLine(tokens, next, from); ) {
    // “Thursdays to Sundays”, but not “Monday to Friday”, which may be opening hours
    const range = isPlural(wordAt(next)) ? weekdayRangeAt(tokens, next) : []
    weekdays.push(...(range.length > 0 ? range : [weekdayOf(wordAt(next))]))
    to = range.length > 0 ? next + 3 : next + 1
    if (!AND.has(wordAt(to))) break
    next = ['los', 'les', 'el', 'the', 'on'].includes(wordAt(to + 1)) ? to + 2 : to + 1
  }
  return { weekdays, to }
}

/**
 * True if a weekday belongs to a feast, and so perhaps to another week: “Ostermontag”, “Palm Sunday”,
 * “dimanche de Pâques”.
 */
export const isFeast = (tokens: readonly Token[], i: number): boolean =>
  weekdayOf(foldedAt(tokens, i)) > 0 &&
  (/.(?:mon|diens|donners|frei|sams|sonn)tag$/.test(foldedAt(tokens, i)) ||
    WORDS.feastsBesideWeekdays.has(foldedAt(tokens, i - 1)) ||
    [1, 2, 3, 4].some(ahead => WORDS.feastsBesideWeekdays.has(foldedAt(tokens, i + ahead))))

/** Marks after an ordinal number: “1st”, “2.”, “1er”. */
const ORDINAL_MARKS: ReadonlySet<string> = new Set(['.', 'st', 'nd', 'rd', 'th', 'e', 'er', 'º'])

/** The ordinal number at a token: `first`, `1.`, `3rd`. */
export function ordinalAt(tokens: readonly Token[], i: number): number | undefined {
  const { kind = 'sign', folded = '', text = '' } = tokens[i] ?? {}
  const next = tokens[i + 1]
  if (kind === 'word') return ORDINALS.get(folded)
  if (kind !== 'number' || text.length > 1 || next?.isSpaced !== false) return undefined
  return ORDINAL_MARKS.has(next.folded) && Number(text) <= 5 ? Number(text) : undefined
}

/** True if something is said not to be on a weekday: “am Freitag, nicht am Samstag”. */
export const isDeniedWeekday = (tokens: readonly Token[], at: number): boolean =>
  WORDS.negations.has(foldedAt(tokens, WORDS.small.has(tokens[at - 1]?.folded ?? '') ? at - 2 : at - 1))

const DURATION_UNITS = anyOf(WORDS.unitsOfWeeks, WORDS.unitsOfDays)

/** A weekday in a text that names no day: the coming one, “Friday, 8pm, in the Lamplighter”. */
export function bareWeekday(tokens: readonly Token[], today: string): DayMention[] {
  const named = tokens.flatMap(({ folded, kind }, from) => {
    const isWeekday = kind === 'word' && folded.length > 4 && weekdayOf(folded) > 0 && !isPlural(folded)
    return isWeekday && !isFeast(tokens, from) && !isDeniedWeekday(tokens, from) ? [from] : []
  })
  // “mercredi, 19h30. Dites-moi avant lundi si vous venez !”
  const deadlines = named.filter(at => {
    const by =
      WORDS.small.has(foldedAt(tokens, at - 1)) && !WORDS.beforeLastWeekday.has(foldedAt(tokens, at - 1))
        ? at - 2
        : at - 1
    // “Montag bis Freitag”
    return WORDS.beforeLastWeekday.has(foldedAt(tokens, by)) && !named.includes(by - 1)
  })
  const candidates = named.filter(at => !deadlines.includes(at))
  const daysTo = (at: number): number => daysToWeekday(today, weekdayOf(foldedAt(tokens, at)))
  const [from, ...others] = candidates
  if (
    from === undefined ||
    others.length > 0 ||
    [WORDS.beforePastWeekdays, WORDS.every, WORDS.next, ORDINALS].some(words =>
      words.has(foldedAt(tokens, from - 1)),
    ) ||
    WORDS.next.has(foldedAt(tokens, from + 1)) ||
    isBesideMonths(tokens, from, from + 1) ||
    isOfComingMonth(tokens, from, today) ||
    // “1st and 3rd Saturday”, “am 1. Dienstag im Monat”
    (tokens[from - 2]?.text.length === 1 && ORDINAL_MARKS.has(foldedAt(tokens, from - 1))) ||
    // “le lundi de la fête du Travail”
    (tokens[from + 1]?.folded === 'de' &&
      [2, 3].some(n => /^(?:fetes?|fiestas?)$/.test(foldedAt(tokens, from + n)))) ||
    // “Thursday week”, said on a Thursday
    ['week', 'wk', 'fortnight'].includes(foldedAt(tokens, from + 1)) ||
    // “jeudi en quinze”, “Donnerstag in drei Wochen”, “jeudi dans 15 jours”
    (['en', 'in', 'dans'].includes(foldedAt(tokens, from + 1)) &&
      (NUMBER_WORDS.has(foldedAt(tokens, from + 2)) ||
        (tokens[from + 2]?.kind === 'number' && DURATION_UNITS.has(foldedAt(tokens, from + 3))))) ||
    isUnexplained(tokens, from + 1) ||
    // “Mittwoch, 24. Merz”, “Wednesday, Febuary 24”
    (tokens[from + 1]?.folded === ',' &&
      (isUnexplained(tokens, from + 2) ||
        (tokens[from + 2]?.kind === 'word' && isUnexplained(tokens, from + 3)))) ||
    (tokens[from - 1]?.folded === ',' && isUnexplained(tokens, from - 2))
  )
    return []
  const ahead = daysTo(from)
  // “Friday at 8pm. RSVP by Wednesday.”, said on a Thursday, is another Friday.
  if (deadlines.some(at => daysTo(at) > ahead)) return []
  // “Nächste Woche ist am Freitag Kurs”
  const isOfNextWeek = tokens.some(
    ({ folded }, i) =>
      WORDS.unitsOfWeeks.has(folded) && [i - 1, i + 1].some(at => WORDS.next.has(foldedAt(tokens, at))),
  )
  if (isOfNextWeek && ahead < 8 - weekdayOn(today)) return []
  // “el jueves que viene”, said on a Thursday
  const isNext = tokens[from + 1]?.folded === 'que' && tokens[from + 2]?.folded === 'viene'
  return [comingDay(from, isNext ? from + 3 : from + 1, daysLater(today, ahead === 0 && isNext ? 7 : ahead))]
}

/**
 * The number of a day in a text that names no other: the coming one, “on the 25th at 7pm”, “am 25. um 19
 * Uhr”, «le 25 à 20 h», «el día 25 a las 19 h».
 */
export function bareDayOfMonth(tokens: readonly Token[], today: string): DayMention[] {
  const wordAt = (i: number): string => foldedAt(tokens, i)
  const numbers = tokens.flatMap(({ kind, text }, at) => {
    const day = kind === 'number' && text.length < 3 ? Number(text) : 0
    const isMarked = tokens[at + 1]?.isSpaced === false && ORDINAL_MARKS.has(wordAt(at + 1))
    const to = isMarked ? at + 2 : at + 1
    const article = wordAt(at - 1) === 'dia' ? wordAt(at - 2) : wordAt(at - 1)
    const isDay = ['le', 'el'].includes(article) || (isMarked && isOnThe(wordAt(at - 2), article))
    return day > 0 && day < 32 && isDay ? [{ at, to, day }] : []
  })
  const [only, ...others] = numbers
  if (!only || others.length > 0 || !isBeforeHour(tokens, only.to)) return []
  const ahead = Array.from({ length: 62 }, (_, days) => daysLater(today, days))
  const date = ahead.find(one => Number(one.slice(8)) === only.day)
  return date === undefined ? [] : [comingDay(only.at, only.to, date)]
}

const isOnThe = (preposition: string, article: string): boolean =>
  article === 'am' || (preposition === 'on' && article === 'the')

const AFTER_HOURS = anyOf(WORDS.afterHours, setOf(': .'))

/** True if an hour follows: “at 7”, “, 19 Uhr”, «a las 19», but neither “, at last” nor «le 5 à 7». */
function isBeforeHour(tokens: readonly Token[], from: number): boolean {
  const wordAt = (i: number): string => foldedAt(tokens, i)
  let at = wordAt(from) === ',' ? from + 1 : from
  let isLed = WORDS.beforeHoursAfterWeekdays.has(wordAt(at))
  if (isLed || ['a', 'de', 'desde'].includes(wordAt(at))) at++
  if (wordAt(at) === 'las') [at, isLed] = [at + 1, true]
  // “, seven for seven thirty”
  const isWord = NUMBER_WORDS.has(wordAt(at))
  const isNumber = isWord || tokens[at]?.kind === 'number'
  return (
    isNumber &&
    (isLed ||
      (isWord && wordAt(at + 1) === 'for') ||
      HOUR_WORDS.has(wordAt(at + 1)) ||
      AFTER_HOURS.has(wordAt(at + 1)))
  )
}

/** Months from today in which a weekday may be meant. */
const MAX_MONTHS_AHEAD = 4

/** True if the line of a weekday names a month that is still to come: “Our February meeting is on Friday” */
const isOfComingMonth = (tokens: readonly Token[], from: number, today: string): boolean =>
  tokens.some(({ folded, text, line }) => {
    const month = line === tokens[from]?.line && folded.length > 2 ? MONTHS.get(folded) : undefined
    const isWord = WORDS.wordsLikeMonths.has(folded) && text === folded
    const ahead = month === undefined || isWord ? 0 : (month - Number(today.slice(5, 7)) + 12) % 12
    return ahead > 0 && ahead < MAX_MONTHS_AHEAD
  })

/** True if a number may be a day of which the month is not known: “sábado 6, a las 11”. */
const isUnexplained = (tokens: readonly Token[], i: number): boolean => {
  const { kind, text = '' } = tokens[i] ?? {}
  const [after, next] = [tokens[i + 1], tokens[i + 2]]
  // “sábado 2/21”
  const isClock =
    after?.isSpaced === false && after.folded !== '/' && next?.isSpaced === false && next.kind === 'number'
  // “Friday 20 – Quiz night”, but “Fr 20 – 23 Uhr”
  if (after?.folded === '-' && next?.kind === 'word') return kind === 'number' && Number(text) < 32
  return (
    kind === 'number' &&
    Number(text) < 32 &&
    !isClock &&
    !['h', 'uhr', 'pm', 'am', 'p', 'a', 'hs', 'hrs', 'heures', 'horas', '-', 'o', 'bis', 'to'].includes(
      after?.isSpaced === true && after.folded === 'a' ? '' : (after?.folded ?? ''),
    )
  )
}

/** How many tokens away from a weekday the months in which it recurs may stand. */
const MAX_TO_MONTHS = 10

/**
 * True if months beside a weekday say that it recurs in each of their weeks: “le samedi, de mai à septembre”.
 */
export const isBesideMonths = (tokens: readonly Token[], from: number, to: number): boolean => {
  const isMonth = (i: number): boolean =>
    MONTHS.has(foldedAt(tokens, i)) &&
    areInLine(tokens, i, from) &&
    [i - 2, i - 1, i + 1].every(at => !/^\d\d?$/.test(tokens[at]?.text ?? ''))
  const isRange = (i: number): boolean =>
    isMonth(i) &&
    (UNTIL.has(foldedAt(tokens, i + 1)) || AND.has(foldedAt(tokens, i + 1))) &&
    (isMonth(i + 2) || isMonth(i + 3))
  const endsSentence = (i: number): boolean =>
    tokens[i]?.folded === '.' && tokens[i - 1]?.kind === 'word' && tokens[i + 1]?.isSpaced === true
  for (let i = from; i > from - MAX_TO_MONTHS && !endsSentence(i); i--) if (isRange(i)) return true
  for (let i = to; i < to + MAX_TO_MONTHS && !endsSentence(i); i++) if (isRange(i)) return true
  return false
}
