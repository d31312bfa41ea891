import { capitalized } from '../../lib/text.ts'
import { addDays, type DateTime, isoWeekday } from '../../lib/time.ts'
import { filled } from '../../words/words.ts'
import { dayPath, queryOf, weekPath } from '../html/addresses.ts'
import { type DatedEvent, dated, lineItem } from '../html/events.ts'
import { type Html, html } from '../html/html.ts'
import { type EventSummary, eventsIn, MOST_IN_SPAN } from '../html/queries.ts'
import type { Site } from '../html/site.ts'
import { dayFrom, weekIn } from '../html/when.ts'
import { periodRoutes } from './period.ts'

// A week by day, which also fits on a sheet of paper for a door.

/** The days of a week, each as its beginning. @param week its Monday */
const daysOf = (week: DateTime): DateTime[] => Array.from({ length: 7 }, (_, i) => addDays(week, i))

type WeekEvent = DatedEvent<EventSummary>

/** The events of a week: those that last through all of it, and those of each day, the longer ones first. */
function placed(site: Site, week: DateTime, rows: readonly EventSummary[]) {
  const days = daysOf(week).map(day => day.slice(0, 10))
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const all = rows
    .slice(0, MOST_IN_SPAN)
    .map(row => dated(site, row))
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
function timeOn({ words, dates }: Site, { event, times }: WeekEvent, day: string): string {
  if (times.lastDay > day)
    return filled(words.until, { date: dates.format('shortDay', `${times.lastDay} 00:00:00`) })
  if (event.all_day || times.firstDay < day) return words.allDay
  return dates.clock(times.start)
}

const weekLine = (site: Site, event: WeekEvent, day: string): Html =>
  lineItem(site, event.event, {
    time: timeOn(site, event, day),
    day: site.dates.format('day', `${day} 00:00:00`),
  })

/** The address of a page, for paper. */
const paperLink = (address: string): Html =>
  html`<p class="paper-link">${address.replace(/^https?:\/\//, '')}</p>`

/** The days of a week with their events. Those that last through all of it come first, once. */
function weekList(site: Site, week: DateTime, rows: readonly EventSummary[], query: string): Html {
  const { words, dates, today } = site
  const { throughout, days } = placed(site, week, rows)
  return html`<div class="week">${
    throughout.length > 0 &&
    html`<section class="week-day" aria-labelledby="week-all"><h2 id="week-all">${words.allWeek}</h2>
<ul>${throughout.map(event => weekLine(site, event, week.slice(0, 10)))}</ul></section>`
  }
${days.map(({ day, events }, i) => {
  const wall = `${day} 00:00:00`
  const name = capitalized(dates.format('dayInMonth', wall))
  return html`<section class="week-day${events.length === 0 && ' is-empty'}" aria-labelledby="week-${i}"><h2 id="week-${i}"${wall === today && html` class="is-today"`}><a href="${dayPath(day) + query}">${name}</a></h2>
${events.length > 0 ? html`<ul>${events.map(event => weekLine(site, event, day))}</ul>` : html`<p class="small">${words.nothingOnDay}</p>`}</section>`
})}</div>`
}

export const weekRoutes = periodRoutes({
  display: 'week',
  pattern: '/events/:name{\\d\\d\\d\\d-[Ww]\\d\\d?}/',
  startOf: ({ today }, name) => (name === undefined ? addDays(today, 1 - isoWeekday(today)) : weekIn(name)),
  path: weekPath,
  from: (week, by) => dayFrom(week, 7 * by),
  nameOf: ({ dates }, week) => dates.format('shortDate', week),
  present: 'thisWeek',
  nothing: 'nothingInWeek',
  farMonths: 12,
  select: ({ context }, { start, filters }) => eventsIn(context, filters, daysOf(start)),
  view: (site, events, { start, path, filters }) => {
    const { words, dates, context } = site
    const last = addDays(start, 6)
    const title = capitalized(dates.range(start, last))
    const query = queryOf(filters)
    return {
      title,
      description: filled(words.weekDescription, { week: title, site: context.settings.siteName }),
      days: { from: start.slice(0, 10), to: last.slice(0, 10) },
      body: html`${events.length > 0 && weekList(site, start, events, query)}
${paperLink(context.site + path + query)}`,
      isEmpty: events.length === 0,
      isCut: events.length > MOST_IN_SPAN,
    }
  },
})
