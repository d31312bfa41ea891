import { lazyPattern } from '../../kit/lib/pattern.ts'
import { fold } from '../../kit/lib/text.ts'
import { daysLater, isoWeekday } from '../../kit/lib/time.ts'
import {
  AT_MIDNIGHT,
  AT_NOON,
  HALVES,
  HALVES_OF_DAY,
  MONTHS,
  setOfWords,
  speltNumbers,
  weekdayOf,
} from '../moment-words.ts'
import type { IgnoredReason } from './drafts.ts'
import { wordsOf } from './quotes.ts'

// Whether a passage says a day, a time or an amount, by the words of four languages. In other languages, it
// does by its numbers.

const digitsIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number)

// Days

const WORD_AS_WRITTEN = lazyPattern(String.raw`\p{L}+`, 'gu')

/**
 * The weekdays that a text names, Monday is 1. Abbreviations of two letters are also small words, unless they
 * are capitalized, and `mar` is a month as well.
 */
export const weekdaysIn = (text: string): number[] =>
  (text.match(WORD_AS_WRITTEN()) ?? []).flatMap(word => {
    const folded = fold(word)
    const isShort = folded.length < 3 && word.charAt(0) === word.charAt(0).toLowerCase()
    const weekday = isShort || MONTHS.has(folded) ? 0 : weekdayOf(folded)
    return weekday > 0 ? [weekday] : []
  })

/** Months in numbers: the 3 of `5.3.`, both numbers of `5/3`, that of `2027-03-05`. */
const MONTH_NUMBER =
  /(?<![\d.:])\d{4}-(\d\d)-\d\d(?!\d)|(?<![\d.:/-])\d{1,2}\.\s?(\d{1,2})(?!\d|\s?(?:h|uhr))|(?<![\d.:/-])(\d{1,2})\s?[/-]\s?(\d{1,2})(?!\d|\s?(?:h|uhr))/gi

/** The months that a text names for certain, and those that it may name: `may` and `mar` are other words too. */
export function monthsIn(text: string): { sure: number[]; possible: number[] } {
  const named = wordsOf(text).flatMap(word => {
    const month = word.length > 2 ? MONTHS.get(word) : undefined
    return month === undefined ? [] : [{ month, isSure: word !== 'may' && word !== 'mar' }]
  })
  const numbered = [...text.matchAll(MONTH_NUMBER)].flatMap(([, ...groups]) => groups.map(Number))
  const sure = named.filter(({ isSure }) => isSure).map(({ month }) => month)
  return {
    sure,
    possible: [...named.map(({ month }) => month), ...numbered.filter(n => n >= 1 && n <= 12)],
  }
}

/** Words for days from the moment of writing on. */
const DAYS_FROM_NOW: readonly (readonly [RegExp, number])[] = [
  [/\b(?:ubermorgen|apres demain|pasado manana|day after tomorrow)\b/, 2],
  [/\b(?:tomorrow|tmrw|demain|morn)\b|^(?:morgen|manana)\b/, 1],
  [/\b(?:today|tonight|heute|hut|aujourd hui|ce soir|hoy|esta noche)\b/, 0],
]
const NEXT_DAY =
  /\b(?:(?:next|following) day|day after|lendemain|tags darauf|(?:nachsten|folgenden) tag|dia siguiente)\b/
/** Words with which a day is said by its weekday, or by nothing else: “this Friday”, “every week”. */
const RELATIVE =
  /\b(?:this|next|dies\w{1,3}|nachst\w{1,3}|kommend\w{1,3}|prochaine?|proxim[ao]|est[ae]|ce|cette|every|each|jed\w{1,2}|chaque|tous|toutes|cada|todos|todas|daily|taglich|weekly|wochentlich|monthly|monatlich|weekend|wochenende|finde|week|woche|semaine|semana|last|letzt\w{1,2}|dernier|ultim[ao])\b/
/** Feasts by the months in which they can be. */
const FEASTS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/christmas|weihnacht|heilig|noel|navidad|nochebuena|advent|nikolaus/, [11, 12]],
  [/silvester|new year s eve|reveillon|sylvestre|nochevieja/, [12]],
  [/neujahr|new year|nouvel an|epiphan|konig|reyes/, [1, 12]],
  [/easter|oster|paques|pascua|good friday|karfreitag|semana santa/, [3, 4]],
  [/whit|pentecost|pfingst|ascension|himmelfahrt|fronleichnam|corpus/, [4, 5, 6]],
  [/carnival|carnaval|karneval|fas(?:ching|nacht)|rosenmontag|mardi gras|shrove|ash|aschermittwoch/, [2, 3]],
  [/halloween|toussaint|allerheiligen|all saints/, [10, 11]],
]
/** How many days away a day may be that is said by its weekday alone, and with a word such as “every”. */
const WEEKDAY_DAYS = 7
const RELATIVE_DAYS = 45
/** How far before the moment of writing a day without a year may be. */
const DAYS_BEFORE = 60

/** Words after a number that is not that of a day: `3 weeks`, `2nd Tuesday`, `8 pm`. */
const COUNTED =
  /^(?:h|uhr|am|pm|week|day|month|hour|woche|tag|monat|stunde|semain|jour|mois|heure|seman|dia|mes|hora|session|termin|abend|mal|time|seance|euro|x$)/
const NUMBER_AND_WORD = lazyPattern(
  String.raw`(?<![\d:.])(\d{1,2})(?![\d:]|\.\d)(?:st|nd|rd|th|er|º|ª|\.)?\s?(\p{L}{0,12})`,
  'giu',
)
/** True if a passage has a number that may be that of a day. */
const hasDayNumber = (quote: string): boolean =>
  [...quote.matchAll(NUMBER_AND_WORD())].some(
    ([, , next = '']) => weekdayOf(fold(next)) === 0 && !COUNTED.test(fold(next)),
  )

/** True for a day between the first and the last number of a span: `21–24 April`, `5. bis 8.`. */
const isBetweenNumbers = (date: number, quote: string): boolean =>
  [...quote.matchAll(/(\d{1,2})\.?\s?(?:[-–]|to|bis|au|al?|till|until)\s?(\d{1,2})(?!\d)/gi)].some(
    ([, first, last]) => Number(first) < date && date < Number(last),
  )

/**
 * What is known where a day is said.
 *
 * @property otherDays the days of the events before, which “the next day” follows
 * @property isListed true for one of several days, whose passage has the weekdays of others
 */
type SaidDay = { today: string; otherDays?: readonly string[]; isListed?: boolean }

/** True if a passage says a day without its number, by its weekday or by a word such as “tomorrow”. */
function saysRelatively(day: string, quote: string, { today, otherDays = [] }: SaidDay): boolean {
  const words = fold(quote).replace(/[^a-z0-9]+/g, ' ')
  const weekdays = weekdaysIn(quote)
  const [, feastMonths] = FEASTS.find(([pattern]) => pattern.test(words)) ?? []
  if (feastMonths) return feastMonths.includes(Number(day.slice(5, 7)))
  if (NEXT_DAY.test(words)) return otherDays.some(other => daysLater(other, 1) === day)
  const [, fromNow] = DAYS_FROM_NOW.find(([pattern]) => pattern.test(words)) ?? []
  if (fromNow !== undefined && weekdays.length === 0) return day === daysLater(today, fromNow)
  const isRelative = RELATIVE.test(words)
  if (weekdays.length > 0 ? !weekdays.includes(isoWeekday(day)) : !isRelative) return false
  const isOfMonth = monthsIn(quote).possible.length > 0
  const last = daysLater(today, isRelative ? RELATIVE_DAYS : WEEKDAY_DAYS)
  return isOfMonth || (day >= daysLater(today, -1) && day <= last)
}

/**
 * Why a passage does not say a day; undefined if it does: by its number or, without one, by its weekday or a
 * word such as “tomorrow”, with no other month or year. Without a year it is within one. `weekday` if only
 * the weekday is another one.
 */
export function doubtOfDay(day: string, quote: string, said: SaidDay): IgnoredReason | undefined {
  const { today, isListed = false } = said
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const digits = digitsIn(quote)
  const years = digits.filter(number => number >= 1900 && number < 2200)
  const [, shortYear] = /\d[./-]\d{1,2}[./-](\d\d)(?!\d)/.exec(quote) ?? []
  if (shortYear !== undefined) years.push(2000 + Number(shortYear))
  const isNear = day >= daysLater(today, -DAYS_BEFORE) && day <= daysLater(today, 366)
  if (years.length > 0 ? !years.includes(year) : !isNear) return 'not_in_quote'
  const { sure, possible } = monthsIn(quote)
  const isOtherMonth = (sure.length > 0 || digits.length > 1) && possible.length > 0
  if (isOtherMonth && !possible.includes(month)) return 'not_in_quote'
  const spelt = possible.length > 0 ? speltNumbers(wordsOf(quote)) : []
  const weekdays = weekdaysIn(quote)
  const isOtherWeekday = !isListed && weekdays.length > 0 && !weekdays.includes(isoWeekday(day))
  if (digits.includes(date) || spelt.includes(date)) return isOtherWeekday ? 'weekday' : undefined
  if (isBetweenNumbers(date, quote)) return isOtherWeekday ? 'not_in_quote' : undefined
  return !hasDayNumber(quote) && saysRelatively(day, quote, said) ? undefined : 'not_in_quote'
}

// Times

const PARTS_OF_HOURS = setOfWords(
  'half halb halbi halbe demie demi media quarter viertel dreiviertel quart cuarto',
)
const MORNING = setOfWords('am morgens vormittags vormittag fruh matin madrugada morning')
const EVENING = /abend|soir|noche|night|nacht/

const isEvening = (word: string): boolean =>
  HALVES.get(word) === 'pm' || HALVES_OF_DAY.get(word) === 'pm' || EVENING.test(word)

/** From this hour on, one that names no half of the day may be in the morning as well. */
const FIRST_OPEN_HOUR = 17

/** The numbers of a passage that may be hours or minutes: not those before or after the name of a month. */
function clockNumbers(folded: string): number[] {
  const tokens = folded.match(/[a-z]+|\d+/g) ?? []
  const isMonth = (token = ''): boolean => token.length > 2 && MONTHS.has(token)
  const isOfDay = (i: number) => isMonth(tokens[i - 1]) || isMonth(tokens[i + 1])
  const clock = tokens.map((token, i) => (AT_NOON.has(token) ? 'twelve' : isOfDay(i) ? '-' : token))
  return [...clock.filter(token => /\d/.test(token)).map(Number), ...speltNumbers(clock)]
}

/**
 * Whether a passage says a time, and whether it leaves open which half of the day is meant.
 *
 * @param time such as `19:30`
 */
export function saysTime(time: string, quote: string): { isSaid: boolean; isOpen: boolean } {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const folded = fold(quote)
    .replace(/([ap])\. ?m\b\.?/g, '$1m')
    .replace(/(\d)([ap]m)\b/g, '$1 $2')
    // 1930, but not a year
    .replace(/(?<!\d)(?!20[2-4]\d)([01]\d|2[0-4])([0-5]\d)(?!\d)/g, '$1 $2')
  const words = wordsOf(folded)
  const numbers = clockNumbers(folded)
  const hasPart = words.some(word => PARTS_OF_HOURS.has(word))
  const isMidnight = words.some(word => AT_MIDNIGHT.has(word)) || numbers.includes(24)
  // “Halb acht” is 7:30, and “five to eight” 7:55.
  const isBefore = minute > 0 && numbers.includes(60 - minute)
  const hours = hasPart || isBefore ? [hour, hour + 1] : [hour]
  const is24 = hours.some(one => numbers.includes(one) || (one % 24 === 0 && isMidnight))
  // “10 Uhr” is no time in the evening; “8 Uhr” may be one.
  const isBy24 = /\d\s?(?:uhr|hrs?\b|h\b|horas|heures)|(?<!\d)0\d/.test(folded)
  const is12 = hours.some(one => numbers.includes(one % 12 || 12) && !(isBy24 && one % 12 > 9))
  const isMinute =
    minute === 0 || numbers.includes(minute) || isBefore || (hasPart && [15, 30, 45].includes(minute))
  const isMorning = words.some(word => MORNING.has(word))
  const isLate = words.some(isEvening)
  // “11–1 pm” has both halves.
  const hasOneHour = numbers.filter(number => number <= 12).length === 1
  const isOtherHalf =
    (isLate && !isMorning && hasOneHour && hour < 12 && hour > 3) ||
    (isMorning && !isLate && hour >= 12 && !numbers.includes(hour))
  return {
    isSaid: (is24 || is12) && isMinute && !isOtherHalf,
    isOpen: !is24 && hour >= FIRST_OPEN_HOUR && !isLate,
  }
}

export const saysEvening = (quote: string): boolean => wordsOf(quote).some(isEvening)

// Amounts, and what is called off

const FREE =
  /\bfree\b|frei|gratis|kostenlos|umsonst|gratuit|libre|donation|spende|kollekte|collect|chapeau|\bhut\b|donativ|voluntad|no charge|pay what/
const CENTS = /\d\s?(?:p|ct|cts?|cents?|rp|rappen|centimes?|centimos?)\b/

/** True if a passage says an amount or, for 0, that nothing has to be paid. */
export function saysAmount(amount: number, quote: string): boolean {
  const folded = fold(quote)
  const written = folded.match(/\d{1,3}(?:[.'’ ]\d{3})+(?!\d)|\d+(?:[.,]\d{1,2}(?!\d))?/g) ?? []
  const numbers = written.map(number =>
    Number(/[.'’ ]\d{3}/.test(number) ? number.replace(/\D/g, '') : number.replace(',', '.')),
  )
  const isCents = CENTS.test(folded) && numbers.includes(Math.round(amount * 100))
  return (
    numbers.includes(amount) ||
    isCents ||
    (amount === 0 ? FREE.test(folded) : speltNumbers(wordsOf(quote)).includes(amount))
  )
}

const CALLED_OFF =
  /abgesagt|\babsage|entfallt|\bentfallen|\bfallt\b.{0,40}\baus\b|verschoben|cancel|called off|postponed|annul|\breporte[es]?\b|supprime|suspendid|aplazad|pospuest|rinviat|sospes|geannuleerd|afgelast|uitgesteld|odwolan|przelozon|adiad/

/** True if a text has words that call something off, also in some further languages. */
export const callsOff = (text: string): boolean => CALLED_OFF.test(fold(text))
