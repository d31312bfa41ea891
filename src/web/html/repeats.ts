import { readRule } from '../../lib/recurrence/parse.ts'
import type { RuleDay } from '../../lib/recurrence/rule.ts'
import { addDays, type DateTime, isoWeekday } from '../../lib/time.ts'
import { filled } from '../../words/words.ts'
import type { Site } from './site.ts'

/** Any Monday. */
const MONDAY: DateTime = '2027-01-04 00:00:00'

/** The name of a weekday; Monday is 0. */
export const weekdayName = ({ dates }: Pick<Site, 'dates'>, weekday: number): string =>
  dates.format('longWeekday', addDays(MONDAY, weekday))

/** The weekday as it stands after «every»: `mardis`. */
function nameOfDay(site: Site, weekday: number): string {
  const [name, { daySuffix }] = [weekdayName(site, weekday), site.words]
  return name.endsWith(daySuffix) ? name : name + daySuffix
}

/** Parts of a rule beside those of which words are made; a rule that has one is not put into words. */
const OTHERS = ['bySetPos', 'byWeekNo', 'byYearDay', 'byMonth', 'byHour', 'byMinute', 'bySecond'] as const

/**
 * A rule of a series in words, such as «Every Tuesday»; undefined for one without simple words.
 *
 * @param rrule as RFC 5545 has it
 * @param start the wall time of one of the dates, in the series' own zone
 */
export function repeatWords(site: Site, rrule: string, start: DateTime): string | undefined {
  const rule = readRule(rrule)
  if (!rule || OTHERS.some(part => rule[part] !== undefined)) return undefined
  const { words, dates } = site
  const { freq, interval, byDay = [], byMonthDay = [] } = rule
  if (freq === 'WEEKLY') {
    const days = byDay.length > 0 ? byDay : [{ weekday: isoWeekday(start) - 1, nth: 0 }]
    const names = dates.all(days.map(({ weekday }) => nameOfDay(site, weekday)))
    return interval === 1
      ? days.length === 7
        ? words.everyDay
        : filled(words.everyWeekday, { days: names })
      : filled(words.everyWeeks, { n: interval, days: names })
  }
  if (interval !== 1) return undefined
  if (freq === 'DAILY' && byDay.length === 0 && byMonthDay.length === 0) return words.everyDay
  if (freq === 'YEARLY' && byDay.length === 0 && byMonthDay.length === 0) return words.everyYear
  return freq === 'MONTHLY' ? monthly(site, { byDay, byMonthDay }, start) : undefined
}

function monthly(
  site: Site,
  { byDay, byMonthDay }: { byDay: readonly RuleDay[]; byMonthDay: readonly number[] },
  start: DateTime,
): string | undefined {
  const { words } = site
  const [day, ...more] = byDay
  if (day && byMonthDay.length === 0 && more.length === 0) {
    const nth = words.nths.split(' ').at(day.nth > 0 ? day.nth - 1 : day.nth)
    const name = weekdayName(site, day.weekday)
    return nth && (day.nth === -1 || (day.nth > 0 && day.nth < 5))
      ? filled(words.everyMonthWeekday, { nth, day: name })
      : undefined
  }
  const [n = Number(start.slice(8, 10)), ...others] = byMonthDay
  return byDay.length === 0 && others.length === 0 && n > 0 ? filled(words.everyMonthDay, { n }) : undefined
}
