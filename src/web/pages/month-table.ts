import { capitalized } from '../../lib/text.ts'
import type { DateTime } from '../../lib/time.ts'
import { eventPath } from '../../resources/events/listed.ts'
import { isOff } from '../../words/events.ts'
import { filled } from '../../words/words.ts'
import { dayPath } from '../html/addresses.ts'
import { badges } from '../html/badges.ts'
import { lineItem } from '../html/events.ts'
import { type Html, html } from '../html/html.ts'
import { hueClass } from '../html/picture.ts'
import type { Site } from '../html/site.ts'
import { nameOf } from '../html/text.ts'
import type { Month, PlacedEvent } from './month-days.ts'

const wallOf = (day: string): DateTime => `${day} 00:00:00`

/**
 * The table of a month. On narrow screens, events are dots in it, and a list of the days from today on stands below. The weeks
 * before today are folded; a link to the table unfolds them.
 *
 * @param query of links to days
 */
export function monthTable(site: Site, shown: Month, query: string): Html {
  const { dates, words, today, base } = site
  const { month, weeks, begins } = shown
  const day = today.slice(0, 10)
  const isNow = begins === day
  // An embedded fragment has no anchors to link to.
  const earlier = base === '' ? '#month' : `${base}/events/month/${query}`
  const isOver = (week: readonly DateTime[]): boolean => isNow && week.every(wall => wall < today)
  return html`${isNow && weeks.some(isOver) && html`<p class="month-earlier"><a href="${earlier}">${words.earlierDays}</a></p>`}
<div class="month-days${isNow && ' is-now'}" id="month"><table class="month">
<caption class="hidden">${dates.format('month', month)}</caption>
<thead><tr>${(weeks[0] ?? []).map(
    wall =>
      html`<th scope="col"><span aria-hidden="true">${dates.format('weekday', wall)}</span><span class="hidden">${dates.format('longWeekday', wall)}</span></th>`,
  )}</tr></thead>
<tbody>${weeks.map(week => html`<tr${isOver(week) && html` class="is-over"`}>${week.map((_, i) => cell(site, shown, { week, i }, query))}</tr>`)}</tbody>
</table></div>
${monthList(site, shown, query)}`
}

const until = ({ words, dates }: Site, day: string): string =>
  filled(words.until, { date: dates.format('shortDay', wallOf(day)) })

/** The events of a month by day, from today on, for narrow screens. Events that last all month come first. */
function monthList(site: Site, { own, begins, days, throughout }: Month, query: string): Html {
  const { words, dates, base } = site
  /** Exhibitions that last all month come first, once. Others are on the first of their days that is listed. */
  const isNamed = (shown: PlacedEvent, day: string): boolean =>
    !throughout.has(shown) &&
    (!shown.isExhibition || day === (shown.times.firstDay > begins ? shown.times.firstDay : begins))
  const listed = own
    .filter(day => day >= begins)
    .map(day => {
      const { slots = [], hidden = [] } = days.get(day) ?? {}
      const events = [...slots.filter(event => event !== undefined), ...hidden]
      return { day, events: events.filter(shown => isNamed(shown, day)) }
    })
  return html`<div class="month-list">${
    throughout.size > 0 &&
    html`<section><h2>${words.allMonth}</h2><ul>${[...throughout].map(({ event, times }) => lineItem(site, event, { time: until(site, times.lastDay) }))}</ul></section>`
  }
${listed.map(
  ({ day, events }) =>
    events.length > 0 &&
    html`<section id="day-${day}"><h2><a href="${base + dayPath(day) + query}">${capitalized(dates.format('dayInMonth', wallOf(day)))}</a></h2>
<ul>${events.map(shown => lineItem(site, shown.event, { time: timeOn(site, shown, day) }))}</ul></section>`,
)}</div>`
}

/** The time of an event on one of its days: when it starts, or until when it lasts. */
function timeOn(site: Site, { event, times }: PlacedEvent, day: string): string {
  if (times.lastDay > times.firstDay && (event.all_day || times.firstDay < day))
    return until(site, times.lastDay)
  return event.all_day ? site.words.allDay : site.dates.clock(times.start)
}

/** The cell of a day. @param i the index of the day in its week @param query of links, with the filters */
function cell(
  site: Site,
  shown: Month,
  { week, i }: { week: readonly DateTime[]; i: number },
  query: string,
): Html {
  const { words, dates, today, base } = site
  const { month, days } = shown
  const wall = week[i] ?? month
  const day = wall.slice(0, 10)
  const { slots = [], hidden = [] } = days.get(day) ?? {}
  const count = slots.filter(Boolean).length + hidden.length
  const classes = [
    'cell',
    wall.slice(0, 7) !== month.slice(0, 7) && 'is-other',
    wall === today && 'is-today',
    wall < today && 'is-past',
    count === 0 && 'is-empty',
  ]
  const parts = dates
    .parts(wall)
    .map(({ isDay, text }) => (isDay ? html`<b>${text}</b>` : html`<span class="hidden">${text}</span>`))
  const address = base + dayPath(day) + query
  const items = slots.map((event, line) =>
    event
      ? cellEvent(site, event, { day, ...barOf(shown, event, { week, i, line }) })
      : html`<li class="cell-gap" aria-hidden="true"></li>`,
  )
  return html`<td class="${classes.filter(Boolean).join(' ')}"${wall === today && html` aria-current="date"`}>
${count > 0 ? html`<a class="cell-day" href="${address}" data-day="${day}">${parts}</a>` : html`<span class="cell-day">${parts}</span>`}
${items.length > 0 && html`<ul>${items}</ul>`}
${hidden.length > 0 && html`<a class="cell-more" href="${address}">${filled(words.more, { n: hidden.length })}<span class="hidden">, ${dates.format('day', wall)}</span></a>`}
</td>`
}

/** The part of a bar from a day on, in that day's line. @returns whether it begins here, and its days in the week */
function barOf(
  { days }: Month,
  event: PlacedEvent,
  { week, i, line }: { week: readonly DateTime[]; i: number; line: number },
): { isFirst: boolean; cells: number } {
  const isAt = (at: number): boolean => days.get(week[at]?.slice(0, 10) ?? '')?.slots[line] === event
  let end = i + 1
  while (isAt(end)) end++
  return { isFirst: !isAt(i - 1), cells: end - i }
}

type Where = {
  day: string
  /** True on the first day of its bar in a week. */
  isFirst: boolean
  /** The number of days of the bar from here on. */
  cells: number
}

/** An event in a cell. The first cell of a bar in a week has its title, which extends over all its cells. */
function cellEvent(site: Site, shown: PlacedEvent, { day, isFirst, cells }: Where): Html {
  const { event: row, times } = shown
  const { firstDay, lastDay } = times
  const isBar = shown.isLong || row.all_day
  const isRepeated = !isFirst
  const classes = [
    'cell-event',
    hueClass(row.category),
    isBar && 'is-long',
    day > firstDay && 'is-before',
    isRepeated && 'is-repeated',
    day < lastDay && 'is-after',
    isBar && !isRepeated && cells > 1 && `across-${cells}`,
    shown.isExhibition && 'is-exhibition',
    isOff(row.event_status) && 'is-off',
  ]
  const time = !isBar && html`<span class="cell-time">${site.dates.format('time', times.start)}</span> `
  const title = html`<span class="cell-title">${nameOf(row.title, row.slug)}</span>`
  const dayText = html`<span class="hidden">, ${site.dates.format('day', wallOf(day))}</span>`
  const link = html`<a href="${eventPath(site, row)}">${time}${title}${isFirst && badges(site, row)}${dayText}</a>`
  return html`<li class="${classes.filter(Boolean).join(' ')}">${link}</li>`
}
