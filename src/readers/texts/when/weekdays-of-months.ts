import { AND, MONTHS, NUMBER_WORDS, ORDINALS, phrasesOf, UNTIL, WORDS, weekdayOf } from '../words/words.ts'
import type { DateReader } from './dates.ts'
import { comingDay, type DayMention, daysLater, isDay, isoDay, weekdayOn } from './day-mentions.ts'
import { isPlural, ordinalAt, weekdaysAt } from './weekdays.ts'

// Weekdays of a month, which are days: `Tuesdays in March`, `the last Saturday of January`.

/**
 * The weekdays of a month that are still to come: `every Wednesday in February`, `Tuesdays in March (2, 9 &
 * 23)`, `los viernes de julio`.
 */
export function everyAt(reader: DateReader, i: number): DayMention[] | undefined {
  const isEvery = WORDS.every.has(reader.foldedAt(i))
  let at = isEvery ? i + 1 : i
  const hasArticle = ['los', 'les'].includes(reader.foldedAt(at))
  if (hasArticle) at++
  const count = countAt(reader, at)
  if (count !== undefined) at += 2
  // “los cuatro martes de febrero”
  else if (hasArticle && NUMBER_WORDS.has(reader.foldedAt(at))) at++
  const { weekdays, to: after } = weekdaysAt(reader.tokens, at, index => reader.isWeekday(index))
  if (weekdays.length === 0 || ORDINALS.has(reader.foldedAt(i - 1))) return undefined
  at = after - 1
  const last = reader.foldedAt(at)
  const isSeveral = isPlural(last) || (weekdays.length > 1 && WORDS.sameInPlural.has(last))
  if (!isEvery && !hasArticle && !isSeveral) return undefined
  if (!WORDS.betweenWeekdayAndMonth.has(reader.foldedAt(at + 1))) return undefined
  const month = MONTHS.get(reader.foldedAt(at + 2))
  // “Sundays in July and August”
  const isOfMore =
    (AND.has(reader.foldedAt(at + 3)) || UNTIL.has(reader.foldedAt(at + 3))) && reader.isMonth(at + 4)
  if (month === undefined || isOfMore) return undefined
  const monthsDates = weekdays.map(weekday => datesInMonth(reader, weekday, month, at + 3))
  const each = monthsDates.flatMap(one => one.dates).sort()
  const dates = count === undefined ? each : count < 0 ? each.slice(count) : each.slice(0, count)
  const to = monthsDates[0]?.to ?? at + 3
  const end = reader.skipBrackets(to)
  const named = reader.tokens
    .slice(to, end)
    .flatMap(({ kind, text }) => (kind === 'number' ? [Number(text)] : []))
  const isNamed =
    named.length > 1 && dates.filter(date => named.includes(Number(date.slice(8)))).length === named.length
  return dates
    .filter(date => date >= reader.context.today && (!isNamed || named.includes(Number(date.slice(8)))))
    .map((date, n) => ({ ...comingDay(i, isNamed ? end : to, date), isListed: n > 0 }))
}

/**
 * How many weekdays of a month, negative if from its end: “los tres últimos viernes de febrero”, “the first
 * two Fridays in March”.
 */
function countAt(reader: DateReader, i: number): number | undefined {
  const words = [reader.foldedAt(i), reader.foldedAt(i + 1)]
  const [number] = words.flatMap(word => NUMBER_WORDS.get(word) ?? [])
  if (number === undefined) return undefined
  if (words.some(word => WORDS.lastOfMonth.has(word))) return -number
  return words.some(word => WORDS.firstOfMonth.has(word)) ? number : undefined
}

const WEEKEND = phrasesOf('weekendOfMonth')

/**
 * A weekend of a month, but none that is in two months: `the first weekend in July`, `le dernier week-end de
 * juin`.
 */
export function weekendAt(reader: DateReader, i: number): DayMention[] | undefined {
  const nth = ORDINALS.get(reader.foldedAt(i))
  if (nth === undefined || [1, 2].some(back => WORDS.every.has(reader.foldedAt(i - back)))) return undefined
  const ofAt = WEEKEND.at(reader.tokens, i + 1)?.to
  if (ofAt === undefined) return undefined
  const month = MONTHS.get(reader.foldedAt(ofAt + 1))
  if (month === undefined || !WORDS.betweenWeekdayAndMonth.has(reader.foldedAt(ofAt))) return undefined
  const [saturdays, sundays] = [6, 7].map(weekday => datesInMonth(reader, weekday, month, ofAt + 2))
  const [first, last] = [saturdays, sundays].map(one => (nth < 0 ? one?.dates.at(-1) : one?.dates[nth - 1]))
  if (!saturdays || first === undefined || last !== daysLater(first, 1)) return undefined
  return [{ ...comingDay(i, saturdays.to, first), last, isPast: last < reader.context.today }]
}

/** A weekday or the last day of a month: `the last Saturday of January`, `le 2e samedi de janvier`. */
export function nthAt(reader: DateReader, i: number): DayMention[] | undefined {
  const nth = ordinalAt(reader.tokens, i)
  const at = reader.tokens[i]?.kind === 'number' ? i + 2 : i + 1
  const weekday = nth === undefined ? 0 : weekdayOf(reader.foldedAt(at))
  const isLastDay = nth === -1 && WORDS.dayOfMonth.has(reader.foldedAt(at))
  // “le 3e samedi d’avril”
  const isElided = reader.foldedAt(at + 1) === 'd' && ["'", '’'].includes(reader.foldedAt(at + 2))
  if (
    nth === undefined ||
    !(weekday > 0 || isLastDay) ||
    !(isElided || WORDS.betweenWeekdayAndMonth.has(reader.foldedAt(at + 1)))
  )
    return undefined
  const named = isElided ? at + 3 : at + 2
  const month = MONTHS.get(reader.foldedAt(named))
  // “every first Monday in March”, “first and third Monday”
  const isOfSeveral =
    [1, 2].some(back => WORDS.every.has(reader.foldedAt(i - back))) ||
    (AND.has(reader.foldedAt(i - 1)) && ORDINALS.has(reader.foldedAt(i - 2)))
  if (month === undefined || isOfSeveral) return undefined
  const { to, dates } = datesInMonth(reader, weekday, month, named + 1)
  const date = nth < 0 ? dates.at(-1) : dates[nth - 1]
  if (date === undefined) return undefined
  return [{ ...comingDay(i, to, date), isPast: date < reader.context.today }]
}

/** The dates of a weekday in a month, or of all its days; its year may stand at an index. */
function datesInMonth(
  reader: DateReader,
  weekday: number,
  month: number,
  at: number,
): { to: number; dates: string[] } {
  const { today } = reader.context
  const thisYear = Number(today.slice(0, 4))
  const { to, year = month < Number(today.slice(5, 7)) ? thisYear + 1 : thisYear } = reader.yearAt(at)
  const days = Array.from({ length: 31 }, (_, day) => isoDay(year, month, day + 1))
  return { to, dates: days.filter(date => isDay(date) && (weekday === 0 || weekdayOn(date) === weekday)) }
}
