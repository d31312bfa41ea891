import { addDays, type DateTime, isoWeekday } from '../../lib/time.ts'
import { dayPath, queryOf } from '../html/addresses.ts'
import type { Filters } from '../html/filters.ts'
import { type Html, html } from '../html/html.ts'
import type { Site } from '../html/site.ts'

const SUNDAY = 7

/** Days, `YYYY-MM-DD`, both of them included. */
export type Days = { from: string; to: string }

const daysFrom = (wall: DateTime, first: number, last: number): Days => ({
  from: addDays(wall, first).slice(0, 10),
  to: addDays(wall, last).slice(0, 10),
})

/** The days that most people look for. What is left of a weekend is the weekend; the next week begins on Monday. */
export function quickDays(today: DateTime) {
  const toSunday = SUNDAY - isoWeekday(today)
  return {
    today: daysFrom(today, 0, 0),
    tomorrow: daysFrom(today, 1, 1),
    weekend: daysFrom(today, Math.max(toSunday - 1, 0), toSunday),
    nextWeek: daysFrom(today, toSunday + 1, toSunday + 7),
  } as const
}

/** Links to the days that most people look for, with the filters of the page. @param shown the days of the page */
export function quickDates(site: Site, filters: Filters, shown: Days | undefined): Html {
  const { words, today } = site
  const days = quickDays(today)
  const within = ({ from, to }: Days): string => `/events/${queryOf(filters, { date: from, until: to })}`
  const links = [
    ['today', `/events/today/${queryOf(filters)}`],
    ['tomorrow', dayPath(days.tomorrow.from) + queryOf(filters)],
    ['weekend', within(days.weekend)],
    ['nextWeek', within(days.nextWeek)],
  ] as const
  const isShown = ({ from, to }: Days): boolean => shown?.from === from && shown.to === to
  return html`<nav class="quick" aria-label="${words.quickDates}"><ul>${links.map(
    ([name, address]) =>
      html`<li><a href="${address}"${isShown(days[name]) && html` aria-current="true"`}>${words[name]}</a></li>`,
  )}</ul></nav>`
}
