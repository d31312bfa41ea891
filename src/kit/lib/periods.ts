import { monthNumber } from './date-words.ts'
import { parseDate } from './parse-date.ts'
import { addMonths, atInstant, type DateTime, type Day, dayOf, daysLater, isoWeekday } from './time.ts'

/** A period of days, both inclusive; without `to` it is open-ended. */
export type Period = { from: Day; to?: Day }

/** Synonyms, and words without a meaning. */
const SPELLINGS: readonly [pattern: RegExp, words: string][] = [
  [/[\s_,]+/g, ' '],
  [/^(?:on|in|at|during|for|over)\s+/, ''],
  [/^the\s+/, ''],
  [/\b(?:coming|upcoming|following)\b/g, 'next'],
  [/\b(?:past|previous)\b/g, 'last'],
  [/^(?:tonight|this (?:morning|afternoon|evening))$/, 'today'],
  [/ (?:morning|afternoon|evening|night)$/, ''],
  [/^weekend$/, 'this weekend'],
]

/** True if a text ends with a part of a day. A period then has the whole day. */
export const namesPartOfDay = (text: string): boolean =>
  /\b(?:tonight|morning|afternoon|evening|night)\s*$/i.test(text)

const FROM_NOW_ON = /^(?:now|soon|any ?time|always|upcoming|next|from now(?: on)?|all)?$/
const SPAN = /^(this|next|last) (day|week|weekend|month|year)$/
const COUNTED = /^(?:the )?next (\d{1,3}|[a-z]{3,5}) (day|week|month)s?$/
const NUMBER_WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const FIRST_AND_LAST =
  /^(?:from |between )?(.+?)(?:\s*\/\s*| to | until | till | through | and | – | - )(.+)$/
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*$/
const OFFSETS = { this: 0, next: 1, last: -1 } as const

const between = (from: DateTime | Day, to: DateTime | Day): Period => ({ from: dayOf(from), to: dayOf(to) })

/** The first day, from a given one on, that has the weekday of another day. */
const sameWeekdayFrom = (day: Day, other: Day): Day =>
  daysLater(day, (7 + isoWeekday(other) - isoWeekday(day)) % 7)

function monthFrom(first: DateTime | Day): Period {
  return between(first, daysLater(addMonths(first, 1), -1))
}

/** A week from Monday to Sunday, its weekend, a month or a year. The current period begins today. */
function spanOf(qualifier: keyof typeof OFFSETS, unit: string, today: Day): Period {
  const n = OFFSETS[qualifier]
  const monday = daysLater(today, 7 * n + 1 - isoWeekday(today))
  const spans: Record<string, Period> = {
    day: between(daysLater(today, n), daysLater(today, n)),
    week: between(monday, daysLater(monday, 6)),
    weekend: between(daysLater(monday, 5), daysLater(monday, 6)),
    month: monthFrom(addMonths(`${today.slice(0, 7)}-01`, n)),
    year: between(
      addMonths(`${today.slice(0, 4)}-01-01`, 12 * n),
      daysLater(addMonths(`${today.slice(0, 4)}-01-01`, 12 * (n + 1)), -1),
    ),
  }
  const { from, to } = spans[unit] ?? between(today, today)
  return { from: n === 0 && from < today ? today : from, ...(to && { to }) }
}

/**
 * A month, with or without its year, or a whole year. Without a year, it is the current month or the next
 * such month.
 */
function monthOf(text: string, today: Day): Period | undefined {
  const numeric = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text)
  if (numeric) return monthFrom(`${text}-01`)
  if (/^(?:19|20|21)\d\d$/.test(text)) return { from: `${text}-01-01`, to: `${text}-12-31` }
  const [, name = '', year] = /^([a-z]{3,9})\.?(?: (\d{4}))?$/.exec(text.replace(/^(this|next) /, '')) ?? []
  const number = monthNumber(name)
  if (number === 0) return undefined
  const currentYear = Number(today.slice(0, 4))
  const chosenYear = year ?? (number < Number(today.slice(5, 7)) ? currentYear + 1 : currentYear)
  return monthFrom(`${chosenYear}-${String(number).padStart(2, '0')}-01`)
}

/**
 * Reads a period as people say it: `this weekend`, `tomorrow`, `next month`, `June`, `next 10 days`, a date
 * in any form that parseDate reads, or two such dates with `/` or `to` between them. `now` and an empty text
 * mean from today on.
 *
 * @param zone as `canonicalZone` returns it; days are those of this zone
 * @param nowMs the present, epoch milliseconds
 * @returns undefined for a text in any other form, and for a period that ends before it begins
 */
export function periodOf(text: string, zone: string, nowMs: number): Period | undefined {
  const today = dayOf(atInstant(nowMs, zone).wall)
  let words = text.trim().toLowerCase()
  if (words.length > 100) return undefined
  for (const [pattern, replacement] of SPELLINGS) words = words.replace(pattern, replacement)
  if (FROM_NOW_ON.test(words)) return { from: today }
  const [, qualifier, unit = ''] = SPAN.exec(words) ?? []
  if (qualifier === 'this' || qualifier === 'next' || qualifier === 'last')
    return spanOf(qualifier, unit, today)
  const [, count = '', countedUnit] = COUNTED.exec(words) ?? []
  const n = Number(count) || NUMBER_WORDS.indexOf(count) + 1
  if (n > 0)
    return between(
      today,
      countedUnit === 'month' ? addMonths(today, n) : daysLater(today, countedUnit === 'week' ? 7 * n : n),
    )
  const singlePeriod = monthOf(words, today) ?? dayIn(words, zone, nowMs)
  if (singlePeriod) return singlePeriod
  const [, first, last] = FIRST_AND_LAST.exec(words) ?? []
  if (first === undefined || last === undefined) return undefined
  const from = periodOf(first, zone, nowMs)
  if (last === '..') return from && { from: from.from }
  const to = periodOf(last, zone, nowMs)?.to
  if (from === undefined || to === undefined) return undefined
  // On a Sunday, `tomorrow to Sunday` ends with the next Sunday.
  const end = WEEKDAY.test(last) && to < from.from ? sameWeekdayFrom(from.from, to) : to
  return end < from.from ? undefined : { from: from.from, to: end }
}

function dayIn(text: string, zone: string, nowMs: number): Period | undefined {
  const parsed = parseDate(text, zone, nowMs)
  return parsed && between(parsed.wall, parsed.wall)
}
