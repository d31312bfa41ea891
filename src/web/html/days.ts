import { remembered } from '../../lib/remembered.ts'
import { addDays, type DateTime, isDateTime, isoWeekday, toWall } from '../../lib/time.ts'

// Days are text, `YYYY-MM-DD`, in the site's time zone.

/** The beginning of a day that a text names; undefined if there is no such day, or its month reaches the ends of time. */
export function dateOf(text: string): DateTime | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < '0002' || text > '9999') return undefined
  const wall = `${text} 00:00:00`
  return isDateTime(wall) ? wall : undefined
}

/** The beginning of the month that a text such as `2027-06` names; undefined if there is none. */
export const monthIn = (text: string): DateTime | undefined => dateOf(`${text}-01`)

/** The parts of an event that say when it is. */
type Timed = {
  all_day: boolean
  start_date: DateTime
  end_date: DateTime
  utc_start_date: DateTime
  utc_end_date: DateTime
  timezone: string
}

/** The times of an event as clocks at the site show them, and its first and last day there. */
export type SiteTimes = { start: DateTime; end: DateTime; firstDay: string; lastDay: string }

/** Events that last whole days keep their own days: a holiday in New York is no evening in Rome. */
export function siteTimes(event: Timed, zone: string): SiteTimes {
  const isOwn = event.all_day || event.timezone === zone
  const start = isOwn ? event.start_date : toWall(event.utc_start_date, zone)
  const end = isOwn ? event.end_date : toWall(event.utc_end_date, zone)
  // An event that ends at midnight is not on any more on the day that begins then.
  const isMidnight = end.endsWith(' 00:00:00') && end > start
  const lastDay = (isMidnight ? addDays(end, -1) : end).slice(0, 10)
  return { start, end, firstDay: start.slice(0, 10), lastDay }
}

/** The days of the weeks that a month is in, each as the beginning of that day. @param month its first day */
export const weeksOf = (month: DateTime, firstWeekday: number): DateTime[][] =>
  known(`${month} ${firstWeekday}`, () => workOutWeeks(month, firstWeekday))

/** The page of a month asks for its weeks three times. */
const known = remembered<DateTime[][]>(100)

function workOutWeeks(month: DateTime, firstWeekday: number): DateTime[][] {
  const first = addDays(month, -((isoWeekday(month) - firstWeekday + 7) % 7))
  const weeks: DateTime[][] = []
  for (let day = first; weeks.length === 0 || day.slice(0, 7) === month.slice(0, 7); day = addDays(day, 7)) {
    const begin = day
    weeks.push(Array.from({ length: 7 }, (_, i) => addDays(begin, i)))
  }
  return weeks
}
