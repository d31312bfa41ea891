import { type ListedEvent, selectListedWithUnknown } from '../../calendar/events/listed-events.ts'
import { capitalized, searchWords } from '../../kit/lib/text.ts'
import { addDays, type DateTime, dayOf, daysLater, isoWeekday, startOfDay } from '../../kit/lib/time.ts'
import { filled } from '../../words/words.ts'
import { dayPath, keptQuery, weekPath } from '../html/addresses.ts'
import { isOngoing } from '../html/agenda.ts'
import { type DatedEvent, datedAsExpected, eventItem } from '../html/events.ts'
import { listFilters } from '../html/filters.ts'
import { type Html, html, paperLink } from '../html/html.ts'
import type { PageContext } from '../html/page-context.ts'
import { dayFrom, weekFrom, weekIn } from '../html/when.ts'
import { MAX_OF_DAY, moreLinkOfDay, throughoutLine } from './month-table.ts'
import { periodRoutes } from './period.ts'

// A week by day, which also fits on a sheet of paper for a door.

/**
 * The events on days of a week: not the end of Sunday's night, nor whole days in other zones that overlap
 * with it.
 */
function eventsOf(site: PageContext, week: DateTime, rows: readonly ListedEvent[]): DatedEvent[] {
  const first = dayOf(week)
  const last = daysLater(week, 6)
  return rows
    .map(row => datedAsExpected(site, row))
    .filter(({ times }) => times.firstDay <= last && times.lastDay >= first)
}

/**
 * The events that last all week or have run for long, and the other events of each day in the order of their
 * starts. What began on an earlier day comes after them, without its image; if it runs on for long, it is on
 * its first day only.
 */
function placeByDay(site: PageContext, week: DateTime, datedEvents: readonly DatedEvent[]) {
  const days = weekFrom(week).map(dayOf)
  const first = days[0] ?? ''
  const last = days.at(-1) ?? ''
  const isThroughout = ({ times }: DatedEvent): boolean => times.firstDay <= first && times.lastDay >= last
  const isAbove = (event: DatedEvent): boolean => isThroughout(event) || isOngoing(site, event, first)
  const above = datedEvents.filter(isAbove)
  const below = datedEvents.filter(event => !isAbove(event))
  return {
    above,
    heading: above.every(isThroughout) ? site.words.allWeek : site.words.ongoing,
    days: days.map(day => {
      const isOn = ({ times }: DatedEvent): boolean => times.firstDay <= day && times.lastDay >= day
      const starting = below.filter(({ times }) => times.firstDay === day)
      const continued = below
        .filter(event => event.times.firstDay < day && isOn(event) && !isOngoing(site, event, day))
        .map(({ event, times }) => ({ event: { ...event, image: null }, times }))
      return { day, events: [...starting, ...continued], isQuiet: !datedEvents.some(isOn) }
    }),
  }
}

/** The name of a day: in words, or in a column a small weekday and a large number. */
function dayName(site: PageContext, wall: DateTime): Html {
  const { dates, words, today } = site
  const weekday = wall === today ? words.today : capitalized(dates.format('longWeekday', wall))
  return html`<span class="day-words">${capitalized(dates.format('dayInMonth', wall))}</span><span class="day-number" aria-hidden="true">${weekday} <b>${Number(wall.slice(8, 10))}</b></span>`
}

/** The days of a week with their events. Those that last all week or have run for long come first, once. */
function weekList(
  site: PageContext,
  week: DateTime,
  events: readonly DatedEvent[],
  { query, marks }: { query: string; marks: readonly string[] },
): Html {
  const { words, today } = site
  const { above, heading, days } = placeByDay(site, week, events)
  return html`${above.length > 0 && throughoutLine(site, heading, above)}
<div class="week">${days.map(({ day, events, isQuiet }, i) => {
    const wall = startOfDay(day)
    const address = dayPath(day) + query
    const moreCount = events.length - MAX_OF_DAY
    return html`<section class="week-day${events.length === 0 && ' is-empty'}${wall === today && ' is-today'}" aria-labelledby="week-${i}"><h2 id="week-${i}"><a href="${address}">${dayName(site, wall)}</a></h2>
${events.length > 0 && html`<ol class="events">${events.map(shown => eventItem(site, shown, day, { marks }))}</ol>`}${moreCount > 0 && moreLinkOfDay(site, day, { n: moreCount, address })}${isQuiet && html`<p class="small">${words.nothingOnDay}</p>`}</section>`
  })}</div>`
}

/** The most events of a week that are shown. */
const MAX_EVENTS = 200

export const weekRoutes = periodRoutes({
  display: 'week',
  pattern: '/events/:name{\\d\\d\\d\\d-[Ww]\\d\\d?}/',
  startOf: ({ today }, name) => (name === undefined ? addDays(today, 1 - isoWeekday(today)) : weekIn(name)),
  path: weekPath,
  from: (week, by) => dayFrom(week, 7 * by),
  daysOf: (_, week) => [week, addDays(week, 6)],
  nameOf: ({ dates }, week) => dates.format('shortDate', week),
  present: 'thisWeek',
  nothing: 'nothingInWeek',
  farMonths: 12,
  select: ({ context }, { start, filters }) => {
    const weekSpan = `${dayOf(start)}/${daysLater(start, 6)}`
    const page = { page: 1, perPage: MAX_EVENTS, offset: 0 }
    return selectListedWithUnknown(context, {
      values: { ...listFilters(filters), happening: weekSpan },
      page,
    })
  },
  view: (site, { rows, total }, { start, path, selection }) => {
    const { words, dates, context } = site
    const last = addDays(start, 6)
    const events = eventsOf(site, start, rows)
    const title = capitalized(dates.range(start, last))
    const query = keptQuery(site, selection)
    const marks = searchWords(selection.filters.search ?? '')
    return {
      title,
      description: filled(words.weekDescription, { week: title, site: context.settings.siteName }),
      days: { from: dayOf(start), to: dayOf(last) },
      body: html`${events.length > 0 && weekList(site, start, events, { query, marks })}
${paperLink(context.site + path + query)}`,
      isEmpty: events.length === 0,
      listed: events.map(({ event }) => event),
      isCut: total > MAX_EVENTS,
    }
  },
})
