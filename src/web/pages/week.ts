import { encode } from 'uqr'
import { mapped } from '../../db/query.ts'
import { ApiError } from '../../lib/errors.ts'
import { memoize } from '../../lib/memo.ts'
import { capitalized } from '../../lib/text.ts'
import { addDays, type DateTime, isoWeekday, type SiteTimes, siteTimes } from '../../lib/time.ts'
import { eventPath } from '../../resources/events/listed.ts'
import { isOff, statusWord } from '../../words/events.ts'
import { filled } from '../../words/words.ts'
import { dayPath, queryOf, weekPath } from '../html/addresses.ts'
import { startOf } from '../html/events.ts'
import { assertNotCalendar } from '../html/feeds.ts'
import { type Filters, filtersIn, isUnfiltered, pageList, type SitePageParams } from '../html/filters.ts'
import { type Html, html } from '../html/html.ts'
import { type EventSummary, monthEvents } from '../html/queries.ts'
import { assertOwnPath, definePage, redirect } from '../html/route.ts'
import type { Site } from '../html/site.ts'
import { nameOf } from '../html/text.ts'
import { dateOf, dayFrom, weekIn } from '../html/when.ts'
import { eventsPage, noEvents } from './events-page.ts'
import { MOST_IN_MONTH } from './month-table.ts'
import { assertKnown } from './paged-list.ts'
import { periodPager, withChoices } from './period.ts'

// A week by day, which also fits on a sheet of paper for a door.

/** The days of a week, each as its beginning. @param week its Monday */
const daysOf = (week: DateTime): DateTime[] => Array.from({ length: 7 }, (_, i) => addDays(week, i))

/** The query of a week's events, one more than are shown. */
const weekQuery = (week: DateTime, filters: Filters) => ({
  values: { ...filters, happening: `${week.slice(0, 10)}/${addDays(week, 6).slice(0, 10)}` },
  page: { page: 1, perPage: MOST_IN_MONTH + 1, offset: 0 },
})

/** The week of the page. @throws ApiError if there is no such week, `redirect` to the week of the form's date */
function weekNamed(
  site: Site,
  name: string | undefined,
  { date, ical }: SitePageParams,
  filters: Filters,
): DateTime {
  const chosen = date === undefined || ical ? undefined : dateOf(date)
  if (chosen) throw redirect(weekPath(chosen) + queryOf(filters), 302)
  const week = name === undefined ? addDays(site.today, 1 - isoWeekday(site.today)) : weekIn(name)
  if (week === undefined) throw new ApiError('rest_no_route', 'There is no such week.')
  return week
}

type WeekEvent = { row: EventSummary; times: SiteTimes }

/** The events of a week: those that last through all of it, and those of each day, the longer ones first. */
function placed(site: Site, week: DateTime, rows: readonly EventSummary[]) {
  const days = daysOf(week).map(day => day.slice(0, 10))
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const all = rows
    .slice(0, MOST_IN_MONTH)
    .map((row): WeekEvent => ({ row, times: siteTimes(row, site.context.settings.timezone) }))
    .sort((a, b) => (a.times.start < b.times.start ? -1 : a.times.start > b.times.start ? 1 : 0))
  const isThroughout = ({ times }: WeekEvent): boolean => times.firstDay <= first && times.lastDay >= last
  return {
    throughout: all.filter(isThroughout),
    days: days.map(day => ({
      day,
      events: all.filter(
        event => !isThroughout(event) && event.times.firstDay <= day && event.times.lastDay >= day,
      ),
    })),
  }
}

/** The time of an event on a day of it: when it starts there, or until when it lasts. */
function timeOn({ words, dates }: Site, { row, times }: WeekEvent, day: string): string {
  if (times.lastDay > day)
    return filled(words.until, { date: dates.format('shortDay', `${times.lastDay} 00:00:00`) })
  if (row.all_day || times.firstDay < day) return words.allDay
  return dates.clock(times.start)
}

function eventLine(site: Site, event: WeekEvent, day: string): Html {
  const { row } = event
  const status = statusWord(site, row.event_status)
  return html`<li class="week-event${isOff(row.event_status) && ' is-off'}"><time datetime="${startOf(row)}">${timeOn(site, event, day)}</time> <span><a href="${eventPath(site, row)}">${nameOf(row.title, row.slug)}<span class="hidden">, ${site.dates.format('day', `${day} 00:00:00`)}</span></a>${status && html` <span class="badge badge-alert">${status}</span>`}</span></li>`
}

/** The most characters of an address in a code: more would be too fine for paper. */
const MOST_IN_CODE = 500

/** The modules of a QR code as the path of a drawing, and their number on a side. */
const codeOf = memoize(
  (text: string): { path: string; size: number } => {
    const { data, size } = encode(text, { ecc: 'M', border: 4 })
    const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { path: path.join(''), size }
  },
  { most: 100 },
)

/** The address of a page for paper: as a QR code and in letters. */
function paperLink({ words }: Site, address: string): Html | '' {
  if (address.length > MOST_IN_CODE) return ''
  const { path, size } = codeOf(address)
  return html`<p class="paper-link"><svg viewBox="0 0 ${size} ${size}" role="img" aria-label="${words.paperCode}"><path d="${path}"/></svg><span>${address.replace(/^https?:\/\//, '')}</span></p>`
}

function weekRoute(path: string) {
  return definePage({
    path,
    query: pageList,
    load: (site, { params, query }) => {
      const { context } = site
      const filters = filtersIn(query)
      const week = weekNamed(site, params.week, query, filters)
      assertNotCalendar(site, query, filters)
      const listing = monthEvents(context, weekQuery(week, filters))
      return mapped(withChoices(context, filters, listing), loaded => ({ ...loaded, week }))
    },
    respond: (site, { params, url, loaded }) => {
      assertKnown(loaded.unknown)
      const { words, dates, context, today } = site
      const { week, filters, categories, names, events } = loaded
      const path = weekPath(week)
      if (params.week !== undefined) assertOwnPath(path, url)
      const { throughout, days } = placed(site, week, events)
      const last = addDays(week, 6)
      const title = capitalized(dates.range(week, last))
      const { links, ...around } = periodPager(site, {
        ...{ display: 'week', filters, path: weekPath, present: words.thisWeek, farMonths: 12 },
        name: other => dates.format('shortDate', other),
        before: dayFrom(week, -7),
        after: dayFrom(week, 7),
      })
      const isNow = week <= today && today <= last
      const list = { address: `/events/${queryOf(filters)}`, text: words.seeUpcoming }
      const main =
        events.length === 0
          ? noEvents(site, { path, filters, title: words.nothingInWeek }, [list])
          : html`<div class="week">${
              throughout.length > 0 &&
              html`<section class="week-day" aria-labelledby="week-all"><h2 id="week-all">${words.allWeek}</h2>
<ul>${throughout.map(event => eventLine(site, event, week.slice(0, 10)))}</ul></section>`
            }
${days.map(({ day, events }, i) => {
  const wall = `${day} 00:00:00`
  const name = capitalized(dates.format('dayInMonth', wall))
  return html`<section class="week-day${events.length === 0 && ' is-empty'}" aria-labelledby="week-${i}"><h2 id="week-${i}"${wall === today && html` class="is-today"`}><a href="${dayPath(day) + queryOf(filters)}">${name}</a></h2>
${events.length > 0 ? html`<ul>${events.map(event => eventLine(site, event, day))}</ul>` : html`<p class="small">${words.nothingOnDay}</p>`}</section>`
})}</div>`
      return eventsPage(site, {
        display: 'week',
        path,
        filters,
        categories,
        chosen: { filters, names },
        date: isNow ? undefined : week.slice(0, 10),
        days: { from: week.slice(0, 10), to: last.slice(0, 10) },
        heading: html`<h1>${title}</h1>`,
        body: html`${links}
${events.length > MOST_IN_MONTH && html`<p class="notice">${words.tooMany}</p>`}
${main}
${paperLink(site, context.site + path + queryOf(filters))}`,
        title,
        description: filled(words.weekDescription, { week: title, site: context.settings.siteName }),
        canonical: path,
        isUnlisted: events.length === 0 || !isUnfiltered(filters),
        ...around,
      })
    },
  })
}

export const weekRoutes = [weekRoute('/events/week/'), weekRoute('/events/:week{\\d\\d\\d\\d-[Ww]\\d\\d?}/')]
