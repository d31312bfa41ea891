import { eventPath, type ListedEvent } from '../../calendar/events/listed-events.ts'
import { capitalized } from '../../kit/lib/text.ts'
import { type DateTime, type Day, dayOf, daysLater } from '../../kit/lib/time.ts'
import { filled } from '../../words/words.ts'
import { dayPath, weekPath } from '../html/addresses.ts'
import { badges, type DatedEvent, lineItem } from '../html/events.ts'
import { type Html, html } from '../html/html.ts'
import type { PageContext } from '../html/page-context.ts'
import { hueClass } from '../html/picture.ts'
import type { SpanEvent } from '../html/queries.ts'
import { nameOf } from '../html/text.ts'
import { dayText } from '../html/when.ts'
import { type Month, monthName, type PlacedEvent } from './month-days.ts'

/**
 * The table of a month. On narrow screens, events are dots in it, and a list of the days from today on stands
 * below. This month begins with this week; a link leads to the week before, if that is in the month.
 *
 * @param query of links to days
 */
export function monthTable(site: PageContext, shownMonth: Month, query: string): Html {
  const { dates, words, today, base } = site
  const { month, weeks, shownDays } = shownMonth
  const before = daysLater(shownDays[0] ?? month, -1)
  const isMissing = before.slice(0, 7) === today.slice(0, 7) && month.slice(0, 7) === today.slice(0, 7)
  return html`${isMissing && html`<p class="month-earlier"><a href="${base + weekPath(before) + query}">${words.earlierDays}</a></p>`}
${shownMonth.throughout.length > 0 && throughoutLine(site, words.allMonth, shownMonth.throughout)}
<table class="month">
<caption class="hidden">${capitalized(monthName(site, month))}</caption>
<thead><tr>${(weeks[0] ?? []).map(
    wall =>
      html`<th scope="col"><span aria-hidden="true">${dates.format('weekday', wall)}</span><span class="hidden">${dates.format('longWeekday', wall)}</span></th>`,
  )}</tr></thead>
<tbody>${weeks.map(week => html`<tr>${week.map((_, i) => dayCell(site, shownMonth, { week, i }, query))}</tr>`)}</tbody>
</table>
${monthList(site, shownMonth, query)}`
}

/** The events that last through all of a page, in a line. */
export const throughoutLine = (
  site: PageContext,
  heading: string,
  events: readonly DatedEvent<SpanEvent | ListedEvent>[],
): Html =>
  html`<section class="throughout" aria-labelledby="throughout"><h2 id="throughout">${heading}</h2>
<ul>${events.map(
    ({ event, times }) =>
      html`<li class="category ${hueClass(event.category)}${event.event_status === 'canceled' && ' is-off'}"><a href="${eventPath(site, event)}">${nameOf(event.title, event.slug)}</a>${badges(site, event)} <span class="small">${untilWords(site, times.lastDay)}</span></li>`,
  )}</ul></section>`

/** The most events of a day in a list on narrow screens; a link says how many more there are. */
export const MAX_OF_DAY = 3

/** The link to the events of a day that a list leaves out. */
export const moreLinkOfDay = (
  { words, dates }: PageContext,
  day: Day,
  { n, address }: { n: number; address: string },
): Html =>
  html`<a class="day-more" href="${address}">${filled(words.more, { n })}<span class="hidden">, ${dates.format('day', day)}</span></a>`

/** Until when an event lasts, in words. */
const untilWords = (site: PageContext, day: Day): string =>
  filled(site.words.until, { date: dayText(site, 'shortDay', day) })

/** The events of a month by day, from today on, for narrow screens. Events that last all month come first. */
function monthList(
  site: PageContext,
  { shownDays, firstListedDay, days, throughout }: Month,
  query: string,
): Html {
  const { words, dates, base } = site
  const addressOf = (day: Day): string => base + dayPath(day) + query
  /** Exhibitions are on the first of their days that is listed. */
  const isNamed = (shown: PlacedEvent, day: Day): boolean =>
    !shown.isExhibition ||
    day === (shown.times.firstDay > firstListedDay ? shown.times.firstDay : firstListedDay)
  const listedDays = shownDays
    .filter(day => day >= firstListedDay)
    .map(day => {
      const { slots = [], hidden = [] } = days.get(day) ?? {}
      const events = [...slots.filter(event => event !== undefined), ...hidden]
      return { day, events: events.filter(shown => isNamed(shown, day)) }
    })
  return html`<div class="month-list">${
    throughout.length > 0 &&
    html`<section><h2>${words.allMonth}</h2><ul>${throughout.map(({ event, times }) => lineItem(site, event, untilWords(site, times.lastDay)))}</ul></section>`
  }
${listedDays.map(
  ({ day, events }) =>
    events.length > 0 &&
    html`<section id="day-${day}"><h2><a href="${addressOf(day)}">${capitalized(dates.format('dayInMonth', day))}</a></h2>
<ul>${events.slice(0, MAX_OF_DAY).map(shown => lineItem(site, shown.event, timeOnDay(site, shown, day)))}</ul>
${events.length > MAX_OF_DAY && moreLinkOfDay(site, day, { n: events.length - MAX_OF_DAY, address: addressOf(day) })}</section>`,
)}</div>`
}

/** The time of an event on one of its days: when it starts, or until when it lasts. */
function timeOnDay(site: PageContext, { event, times }: PlacedEvent, day: Day): string {
  if (!event.all_day && day > times.firstDay && day === times.lastDay)
    return filled(site.words.untilTime, { time: site.dates.clock(times.end) })
  if (times.lastDay > times.firstDay && (event.all_day || times.firstDay < day))
    return untilWords(site, times.lastDay)
  return event.all_day ? site.words.allDay : site.dates.clock(times.start)
}

/** The cell of a day. @param i the index of the day in its week @param query of links, with the filters */
function dayCell(
  site: PageContext,
  shownMonth: Month,
  { week, i }: { week: readonly DateTime[]; i: number },
  query: string,
): Html {
  const { dates, today, base } = site
  const { month, days, shownDays, throughout } = shownMonth
  const wall = week[i] ?? month
  const day = dayOf(wall)
  const { slots = [], hidden = [] } = days.get(day) ?? {}
  const count =
    slots.filter(Boolean).length + hidden.length + (shownDays.includes(day) ? throughout.length : 0)
  const classes = [
    'cell',
    !shownDays.includes(day) && 'is-other',
    wall === today && 'is-today',
    wall < today && 'is-past',
    count === 0 && 'is-empty',
  ]
  const parts = dates
    .parts(wall)
    .map(({ isDay, text }) => (isDay ? html`<b>${text}</b>` : html`<span class="hidden">${text}</span>`))
  // Only this month has days of two months.
  const isOfNextMonth =
    day.endsWith('-01') && day.slice(0, 7) !== month.slice(0, 7) && shownDays.includes(day)
  const name = html`${parts}${isOfNextMonth && html` <span class="small" aria-hidden="true">${dates.format('shortMonth', wall)}</span>`}`
  const address = base + dayPath(day) + query
  const items = slots.map((event, line) =>
    event
      ? cellEvent(site, event, { day, ...barOf(shownMonth, event, { week, i, line }) })
      : html`<li class="cell-gap" aria-hidden="true"></li>`,
  )
  return html`<td class="${classes.filter(Boolean).join(' ')}"${wall === today && html` aria-current="date"`}>
${count > 0 ? html`<a class="cell-day" href="${address}" data-day="${day}">${name}</a>` : html`<span class="cell-day">${name}</span>`}
${items.length > 0 && html`<ul>${items}</ul>`}
${hidden.length > 0 && moreLinkOfDay(site, day, { n: hidden.length, address })}
</td>`
}

/**
 * The part of a bar from a day on, in that day's line.
 * @returns whether it begins here, and its days in the week
 */
function barOf(
  { days }: Month,
  event: PlacedEvent,
  { week, i, line }: { week: readonly DateTime[]; i: number; line: number },
): { isFirst: boolean; cells: number } {
  const isAt = (at: number): boolean => days.get(dayOf(week[at] ?? ''))?.slots[line] === event
  let end = i + 1
  while (isAt(end)) end++
  return { isFirst: !isAt(i - 1), cells: end - i }
}

type BarPosition = {
  day: Day
  /** True on the first day of its bar in a week. */
  isFirst: boolean
  /** The number of days of the bar from here on. */
  cells: number
}

/** An event in a cell. The first cell of a bar in a week has its title, which extends over all its cells. */
function cellEvent(site: PageContext, placedEvent: PlacedEvent, { day, isFirst, cells }: BarPosition): Html {
  const { event: row, times } = placedEvent
  const { firstDay, lastDay } = times
  const isBar = placedEvent.isLong || row.all_day
  const isRepeated = !isFirst
  const classes = [
    'cell-event',
    hueClass(row.category),
    isBar && 'is-long',
    day > firstDay && 'is-before',
    isRepeated && 'is-repeated',
    day < lastDay && 'is-after',
    isBar && !isRepeated && cells > 1 && `across-${cells}`,
    placedEvent.isExhibition && 'is-exhibition',
    row.event_status === 'canceled' && 'is-off',
  ]
  const time = !isBar && html`<span class="cell-time">${site.dates.format('time', times.start)}</span> `
  const marks = isFirst && placedEvent.marks
  // A bar has one line, and its badges are in it.
  const title = html`<span class="cell-title">${nameOf(row.title, row.slug)}${isBar && marks}</span>`
  const dayWords = html`<span class="hidden">, ${site.dates.format('day', day)}</span>`
  const link = html`<a href="${eventPath(site, row)}">${time}${title}${!isBar && marks}${dayWords}</a>`
  return html`<li class="${classes.filter(Boolean).join(' ')}">${link}</li>`
}
