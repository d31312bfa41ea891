import type { EventResponse } from '../../calendar/events/schema.ts'
import { memoize } from '../../kit/lib/memo.ts'
import { type RuleDay, readRule } from '../../kit/lib/recurrence/rule.ts'
import { capitalized } from '../../kit/lib/text.ts'
import {
  addDays,
  type DateTime,
  dayNumber,
  daysLater,
  isDay,
  isElsewhere,
  isoWeekday,
  lastExpectedDay,
  type SiteTimes,
  siteTimes,
  startOfDay,
} from '../../kit/lib/time.ts'
import { styleBeside, type YearlessStyle } from '../../words/dates.ts'
import { filled } from '../../words/words.ts'
import type { PageContext } from './page-context.ts'

// Days are texts, `YYYY-MM-DD`, in the site's zone.

/**
 * The beginning of the day in a text; undefined for an invalid day, or one too close to the limits of dates.
 */
export const dateOf = (text: string): DateTime | undefined =>
  isDay(text) && text > '0002' && text < '9999' ? startOfDay(text) : undefined

/** The day so many days after another; undefined beyond the limits of dates. */
export const dayFrom = (day: DateTime, days: number): DateTime | undefined => dateOf(daysLater(day, days))

/** The beginning of the month in a text such as `2027-06`; undefined for an invalid one. */
export const monthIn = (text: string): DateTime | undefined => dateOf(`${text}-01`)

/**
 * The year and number of a day's week, as ISO 8601 counts: the first week of a year has its first Thursday.
 */
export function weekOf(day: DateTime): { year: string; week: number } {
  const thursday = addDays(day, 4 - isoWeekday(day))
  const year = thursday.slice(0, 4)
  return { year, week: Math.floor((dayNumber(thursday) - dayNumber(`${year}-01-01`)) / 7) + 1 }
}

/** The Monday of the week in a text such as `2027-W06`; undefined for an invalid one. */
export function weekIn(text: string): DateTime | undefined {
  const [, year, number] = /^(\d{4})-W(\d\d?)$/i.exec(text) ?? []
  const january = dateOf(`${year}-01-04`)
  if (january === undefined) return undefined
  const monday = dateOf(daysLater(january, 1 - isoWeekday(january) + 7 * (Number(number) - 1)))
  return monday && weekOf(monday).year === year ? monday : undefined
}

/** The days of a week, each as its beginning. @param day the first */
export const weekFrom = (day: DateTime): DateTime[] => Array.from({ length: 7 }, (_, i) => addDays(day, i))

/** The weeks of a month as lists of days, each as the beginning of that day. @param month its first day */
export const weeksOf = memoize((month: DateTime, firstWeekday: number): readonly (readonly DateTime[])[] => {
  const first = addDays(month, -((isoWeekday(month) - firstWeekday + 7) % 7))
  const weeks: DateTime[][] = []
  for (let day = first; weeks.length === 0 || day.slice(0, 7) === month.slice(0, 7); day = addDays(day, 7))
    weeks.push(weekFrom(day))
  return weeks
})

/** The number of weeks on the page of this month, which begins with today's week. */
const WEEKS_OF_THIS_MONTH = 5

/**
 * The weeks that the page of a month shows, as lists of days: those of the month, or of this month five from
 * the present week on, because past days are of no use for planning.
 */
export function weeksShown(
  { dates: { firstWeekday }, today }: PageContext,
  month: DateTime,
): readonly (readonly DateTime[])[] {
  if (month.slice(0, 7) !== today.slice(0, 7)) return weeksOf(month, firstWeekday)
  const first = addDays(today, -((isoWeekday(today) - firstWeekday + 7) % 7))
  return Array.from({ length: WEEKS_OF_THIS_MONTH }, (_, week) => weekFrom(addDays(first, 7 * week)))
}

/** A day in words, with its year unless it is less than twelve months away. */
export const dayText = ({ dates, today }: PageContext, style: YearlessStyle, wall: DateTime): string =>
  dates.format(styleBeside(style, wall, today), wall)

/** A day in short, with its time unless it is a whole day. */
export const shortMoment = ({ dates, today }: PageContext, wall: DateTime, isWholeDay = false): string =>
  dates.moment(styleBeside('shortDay', wall, today), wall, isWholeDay)

/** The time of an event in words: at the site, and in its own zone if that differs. */
type ShownWhen = { day: string; time: string; zone?: string; timeThere?: string }

function spanOf({ dates, words }: PageContext, times: SiteTimes, allDay: boolean): ShownWhen {
  const { start, end, firstDay } = times
  const day = (wall: DateTime): string => capitalized(dates.format('day', wall))
  const lastDay = lastExpectedDay(times)
  if (lastDay === firstDay) {
    if (allDay) return { day: day(start), time: words.allDay }
    return { day: day(start), time: end > start ? dates.times(start, end) : dates.clock(start) }
  }
  const days = dates.range(start, lastDay)
  if (allDay) return { day: days, time: words.allDay }
  const short = (wall: DateTime): string => dates.moment('shortDay', wall)
  return { day: days, time: `${short(start)} – ${short(end)}` }
}

export function describeWhen(site: PageContext, event: EventResponse): ShownWhen {
  const { timezone } = site.context.settings
  const times = siteTimes(event, timezone)
  const siteSpan = spanOf(site, times, event.all_day)
  if (!isElsewhere(event, times)) return siteSpan
  const zone = (name: string): string => site.dates.zone(name, event.utc_start_date)
  const eventSpan = spanOf(site, siteTimes(event, event.timezone), false)
  const time = `${eventSpan.day}, ${eventSpan.time}`
  return {
    ...siteSpan,
    zone: zone(timezone),
    timeThere: filled(site.words.zoneThere, { time, zone: zone(event.timezone) }),
  }
}

/** Weekdays are formatted as days of the week that begins here. */
const MONDAY: DateTime = '2027-01-04 00:00:00'

/** The name of a weekday; Monday is 0. */
export const weekdayName = ({ dates }: PageContext, weekday: number): string =>
  dates.format('longWeekday', addDays(MONDAY, weekday))

/** The weekday as it stands after “every”: `mardis`. */
function nameOfDay(site: PageContext, weekday: number): string {
  const name = weekdayName(site, weekday)
  const { daySuffix } = site.words
  return name.endsWith(daySuffix) ? name : name + daySuffix
}

/** Parts of a rule that cannot be put into words. */
const UNDESCRIBED_PARTS = ['bySetPos', 'byMonth'] as const

/**
 * The rule of a series in words, such as “Every Tuesday”; undefined for one that is not simple enough.
 *
 * @param rrule as it is stored
 * @param start the wall time of one of the dates, in the series' own zone
 */
export function repeatWords(site: PageContext, rrule: string, start: DateTime): string | undefined {
  const rule = readRule(rrule)
  if (!rule || UNDESCRIBED_PARTS.some(part => rule[part] !== undefined)) return undefined
  const { words, dates } = site
  const { freq, interval, byDay = [], byMonthDay = [] } = rule
  if (freq === 'WEEKLY') {
    const days = byDay.length > 0 ? byDay : [{ weekday: isoWeekday(start) - 1, nth: 0 }]
    const names = dates.list(days.map(({ weekday }) => nameOfDay(site, weekday)))
    return interval === 1
      ? days.length === 7
        ? words.everyDay
        : filled(words.everyWeekday, { days: names })
      : filled(words.everyWeeks, { n: interval, days: names })
  }
  if (interval !== 1) return undefined
  if (freq === 'DAILY' && byDay.length === 0 && byMonthDay.length === 0) return words.everyDay
  // Most years have no 29 February.
  if (freq === 'YEARLY' && byDay.length === 0 && byMonthDay.length === 0)
    return start.slice(5, 10) === '02-29' ? undefined : words.everyYear
  return freq === 'MONTHLY' ? monthlyWords(site, { byDay, byMonthDay }, start) : undefined
}

function monthlyWords(
  site: PageContext,
  { byDay, byMonthDay }: { byDay: readonly RuleDay[]; byMonthDay: readonly number[] },
  start: DateTime,
): string | undefined {
  const { words } = site
  const [day, ...otherDays] = byDay
  if (day && byMonthDay.length === 0 && otherDays.length === 0) {
    const nth = words.nths.split(' ').at(day.nth > 0 ? day.nth - 1 : day.nth)
    const name = weekdayName(site, day.weekday)
    return nth && (day.nth === -1 || (day.nth > 0 && day.nth < 5))
      ? filled(words.everyMonthWeekday, { nth, day: name })
      : undefined
  }
  const [n = Number(start.slice(8, 10)), ...otherMonthDays] = byMonthDay
  return byDay.length === 0 && otherMonthDays.length === 0 && n > 0
    ? filled(words.everyMonthDay, { n: site.dates.monthDay(n) })
    : undefined
}
