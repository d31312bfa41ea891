import { Temporal } from 'temporal-polyfill'
import type { Rule } from '../../../../../src/kit/lib/recurrence/rule.ts'

// A second way to the dates of a rule: it checks for every hour, minute or second of a span, or for every
// time of every day, whether it belongs to the rule. It is slow and simple, and shares nothing with the
// expansion except the parsed rule.

const UNITS = { SECONDLY: 1, MINUTELY: 60, HOURLY: 3_600, DAILY: 86_400 } as const

const EPOCH = Temporal.PlainDateTime.from('1970-01-01T00:00:00')

const secondsSince = (time: Temporal.PlainDateTime) => EPOCH.until(time, { largestUnit: 'seconds' }).seconds

/** The first day of the week of a day. */
const weekOf = (date: Temporal.PlainDate, weekStart: number) =>
  date.subtract({ days: (date.dayOfWeek - 1 - weekStart + 7) % 7 })

/** The first day of week 1, which contains 4 January. */
const firstWeek = (year: number, weekStart: number) =>
  weekOf(Temporal.PlainDate.from({ year, month: 1, day: 4 }), weekStart)

/**
 * Tells whether BYWEEKNO means a day, by the number of its week, counted from either end of the year that the
 * week belongs to.
 */
function isInWeek({ byWeekNo, weekStart }: Rule, date: Temporal.PlainDate): boolean {
  if (!byWeekNo) return true
  const year = weekOf(date, weekStart).add({ days: 3 }).year
  const first = firstWeek(year, weekStart)
  const week = Math.floor(first.until(date).days / 7) + 1
  const weeks = first.until(firstWeek(year + 1, weekStart)).days / 7
  return has(byWeekNo, week, week - weeks - 1)
}

/** The period of a time, as a number that grows by one from each period to the next. */
function periodOf(rule: Rule, time: Temporal.PlainDateTime): number {
  if (rule.freq === 'YEARLY') return time.year
  if (rule.freq === 'MONTHLY') return time.year * 12 + time.month
  if (rule.freq !== 'WEEKLY') return Math.floor(secondsSince(time) / UNITS[rule.freq])
  const monday = Temporal.PlainDate.from('1970-01-05').add({ days: rule.weekStart })
  return monday.until(weekOf(time.toPlainDate(), rule.weekStart), { largestUnit: 'days' }).days / 7
}

const has = (list: readonly number[] | undefined, ...values: number[]) =>
  !list || values.some(value => list.includes(value))

/** Tells whether BYDAY means a day, counted within its month or its year. */
function isByDay(rule: Rule, date: Temporal.PlainDate): boolean {
  if (!rule.byDay) return true
  const inMonth = rule.freq === 'MONTHLY' || rule.byMonth !== undefined
  const [index, length] = inMonth ? [date.day, date.daysInMonth] : [date.dayOfYear, date.daysInYear]
  return rule.byDay.some(({ weekday, nth }) => {
    if (weekday !== date.dayOfWeek - 1) return false
    return has([nth], 0, Math.ceil(index / 7), -Math.ceil((length + 1 - index) / 7))
  })
}

function isDay(rule: Rule, date: Temporal.PlainDate, start: Temporal.PlainDate): boolean {
  const named = rule.byDay ?? rule.byMonthDay ?? rule.byYearDay
  const weekly = rule.freq === 'WEEKLY' || rule.byWeekNo !== undefined
  if (!named && weekly && date.dayOfWeek !== start.dayOfWeek) return false
  if (!named && !weekly && (rule.freq === 'MONTHLY' || rule.freq === 'YEARLY')) {
    if (date.day !== start.day) return false
    if (rule.freq === 'YEARLY' && !rule.byMonth && date.month !== start.month) return false
  }
  return (
    has(rule.byMonth, date.month) &&
    has(rule.byYearDay, date.dayOfYear, date.dayOfYear - date.daysInYear - 1) &&
    has(rule.byMonthDay, date.day, date.day - date.daysInMonth - 1) &&
    isByDay(rule, date) &&
    isInWeek(rule, date)
  )
}

/**
 * Tells whether a time meets each part, or meets the start in missing parts that are finer than the
 * frequency.
 */
function isTime(rule: Rule, time: Temporal.PlainDateTime, start: Temporal.PlainDateTime): boolean {
  const hourly = ['SECONDLY', 'MINUTELY', 'HOURLY'].includes(rule.freq)
  const minutely = hourly && rule.freq !== 'HOURLY'
  return (
    has(rule.byHour ?? (hourly ? undefined : [start.hour]), time.hour) &&
    has(rule.byMinute ?? (minutely ? undefined : [start.minute]), time.minute) &&
    has(rule.bySecond ?? (rule.freq === 'SECONDLY' ? undefined : [start.second]), time.second)
  )
}

/** All times of days that may be a rule's. */
function* timesOfDay(rule: Rule, start: Temporal.PlainDateTime) {
  const every = (count: number) => [...Array(count).keys()]
  const hourly = ['SECONDLY', 'MINUTELY', 'HOURLY'].includes(rule.freq)
  const hours = hourly ? every(24) : (rule.byHour ?? [start.hour])
  const minutes = hourly ? every(60) : (rule.byMinute ?? [start.minute])
  const seconds = rule.bySecond ?? (rule.freq === 'SECONDLY' ? every(60) : [start.second])
  for (const hour of hours)
    for (const minute of minutes)
      for (const second of seconds) {
        const time = Temporal.PlainTime.from({ hour, minute, second })
        if (isTime(rule, start.withPlainTime(time), start)) yield time
      }
}

/** How many days before a start the period that it is in may have begun. */
const EARLIER = {
  SECONDLY: 0,
  MINUTELY: 0,
  HOURLY: 0,
  DAILY: 0,
  WEEKLY: 6,
  MONTHLY: 30,
  YEARLY: 365,
} as const

/**
 * The dates of a rule in the days after its start, by asking every time of every day.
 * @param days to go through
 */
export function askEveryTime(rule: Rule, startText: string, days: number): string[] {
  const start = Temporal.PlainDateTime.from(startText)
  const times = [...timesOfDay(rule, start)]
  const first = periodOf(rule, start)
  const sets = new Map<number, Temporal.PlainDateTime[]>()
  for (let i = -EARLIER[rule.freq]; i < days; i += 1) {
    const date = start.toPlainDate().add({ days: i })
    if (!isDay(rule, date, start.toPlainDate())) continue
    for (const time of times) {
      const moment = date.toPlainDateTime(time)
      const period = periodOf(rule, moment)
      if (period < first || (period - first) % rule.interval !== 0) continue
      const set = sets.get(period)
      if (set) set.push(moment)
      else sets.set(period, [moment])
    }
  }
  const chosen = [...sets.values()].flatMap(set =>
    set.filter((_, i) => has(rule.bySetPos, i + 1, i - set.length)),
  )
  const texts = chosen.map(moment => moment.toString({ smallestUnit: 'second' }).replace('T', ' '))
  const dates = texts.filter(text => text >= startText && text <= (rule.until ?? text))
  return dates.slice(0, rule.count)
}
