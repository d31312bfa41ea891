import { Temporal } from 'temporal-polyfill'
import type { Rule } from '../../../../../src/kit/lib/recurrence/rule.ts'

// A second way to the dates of a rule: it checks for every day of a span whether it belongs to the rule. It is
// slow and simple, and shares nothing with the expansion except the parsed rule.

/** The first day of the week of a day. */
const weekOf = (date: Temporal.PlainDate, weekStart: number) =>
  date.subtract({ days: (date.dayOfWeek - 1 - weekStart + 7) % 7 })

/** The period of a day, as a number that grows by one from each period to the next. */
function periodOf({ freq, weekStart }: Rule, date: Temporal.PlainDate): number {
  if (freq === 'YEARLY') return date.year
  if (freq === 'MONTHLY') return date.year * 12 + date.month
  const monday = Temporal.PlainDate.from('1970-01-05')
  if (freq === 'DAILY') return monday.until(date, { largestUnit: 'days' }).days
  const first = monday.add({ days: weekStart })
  return first.until(weekOf(date, weekStart), { largestUnit: 'days' }).days / 7
}

const has = (list: readonly number[] | undefined, ...values: number[]) =>
  !list || values.some(value => list.includes(value))

/** Tells whether BYDAY means a day, counted within its month. */
function isByDay({ byDay }: Rule, date: Temporal.PlainDate): boolean {
  if (!byDay) return true
  return byDay.some(({ weekday, nth }) => {
    if (weekday !== date.dayOfWeek - 1) return false
    return has([nth], 0, Math.ceil(date.day / 7), -Math.ceil((date.daysInMonth + 1 - date.day) / 7))
  })
}

function isDay(rule: Rule, date: Temporal.PlainDate, start: Temporal.PlainDate): boolean {
  const named = rule.byDay ?? rule.byMonthDay
  if (!named && rule.freq === 'WEEKLY' && date.dayOfWeek !== start.dayOfWeek) return false
  if (!named && (rule.freq === 'MONTHLY' || rule.freq === 'YEARLY')) {
    if (date.day !== start.day) return false
    if (rule.freq === 'YEARLY' && !rule.byMonth && date.month !== start.month) return false
  }
  return (
    has(rule.byMonth, date.month) &&
    has(rule.byMonthDay, date.day, date.day - date.daysInMonth - 1) &&
    isByDay(rule, date)
  )
}

/** How many days before a start the period that it is in may have begun. */
const EARLIER = { DAILY: 0, WEEKLY: 6, MONTHLY: 30, YEARLY: 365 } as const

/**
 * The dates of a rule in the days after its start, by asking every day.
 * @param days to go through
 */
export function askEveryDay(rule: Rule, startText: string, days: number): string[] {
  const start = Temporal.PlainDate.from(startText.slice(0, 10))
  const first = periodOf(rule, start)
  const sets = new Map<number, Temporal.PlainDate[]>()
  for (let i = -EARLIER[rule.freq]; i < days; i += 1) {
    const date = start.add({ days: i })
    if (!isDay(rule, date, start)) continue
    const period = periodOf(rule, date)
    if (period < first || (period - first) % rule.interval !== 0) continue
    const set = sets.get(period)
    if (set) set.push(date)
    else sets.set(period, [date])
  }
  const chosen = [...sets.values()].flatMap(set =>
    set.filter((_, i) => has(rule.bySetPos, i + 1, i - set.length)),
  )
  const texts = chosen.map(date => date.toString() + startText.slice(10))
  const dates = texts.filter(text => text >= startText && text <= (rule.until ?? text))
  return dates.slice(0, rule.count)
}
