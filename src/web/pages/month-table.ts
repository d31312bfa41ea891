import type { DateTime } from '../../lib/time.ts'
import { eventPath } from '../../resources/events/listed.ts'
import { isOff, statusWord } from '../../words/events.ts'
import { filled } from '../../words/words.ts'
import { dayPath, queryOf } from '../html/addresses.ts'
import type { Filters } from '../html/filters.ts'
import { type Html, html } from '../html/html.ts'
import type { Site } from '../html/site.ts'
import { nameOf } from '../html/text.ts'
import type { Month, PlacedEvent } from './month-days.ts'

const wallOf = (day: string): DateTime => `${day} 00:00:00`

/**
 * The table of a month. On narrow screens it becomes a list of days with events, from today on; exhibitions that last through
 * all of them stand above, once.
 */
export function monthTable(site: Site, shown: Month, filters: Filters): Html {
  const { dates, words, today, base } = site
  const { month, weeks, begins, throughout } = shown
  const hasPast = shown.own.some(day => day < begins && shown.days.get(day)?.slots.length)
  const query = queryOf(filters)
  // An embedded fragment has no anchors to link to.
  const earlier = base === '' ? '#month' : `${base}/events/month/${query}`
  return html`${
    throughout.size > 0 &&
    html`<section class="month-all" aria-labelledby="month-all"><h2 id="month-all">${words.allMonth}</h2>
<ul>${[...throughout].map(({ event, times }) => html`<li class="cell-event is-long"><a href="${eventPath(site, event)}"><span class="cell-title">${nameOf(event.title, event.slug)}</span> <span class="cell-time">${until(site, times.lastDay)}</span></a></li>`)}</ul></section>`
  }
${hasPast && html`<p class="month-earlier"><a href="${earlier}">${words.earlierDays}</a></p>`}
<div class="month-days${begins === today.slice(0, 10) && ' is-now'}" id="month"><table class="month">
<caption class="hidden">${dates.format('month', month)}</caption>
<thead><tr>${(weeks[0] ?? []).map(
    day =>
      html`<th scope="col"><span aria-hidden="true">${dates.format('weekday', day)}</span><span class="hidden">${dates.format('longWeekday', day)}</span></th>`,
  )}</tr></thead>
<tbody>${weeks.map(week => html`<tr>${week.map((_, i) => cell(site, shown, { week, i }, query))}</tr>`)}</tbody>
</table></div>`
}

const until = ({ words, dates }: Site, day: string): string =>
  filled(words.until, { date: dates.format('shortDay', wallOf(day)) })

/** The day on which lists of days show an exhibition. */
const namedOn = ({ begins, throughout }: Month, shown: PlacedEvent): string | undefined =>
  throughout.has(shown) ? undefined : shown.times.firstDay > begins ? shown.times.firstDay : begins

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
  const events = [...slots.filter(event => event !== undefined), ...hidden]
  const isElsewhere = (event: PlacedEvent): boolean => event.isExhibition && namedOn(shown, event) !== day
  const classes = [
    'cell',
    wall.slice(0, 7) !== month.slice(0, 7) && 'is-other',
    wall === today && 'is-today',
    wall < today && 'is-past',
    events.length === 0 && 'is-empty',
    events.length > 0 && events.every(isElsewhere) && 'is-bare',
    hidden.length > 0 && hidden.every(isElsewhere) && 'has-elsewhere',
  ]
  const parts = dates
    .parts(wall)
    .map(({ isDay, text }) => (isDay ? html`<b>${text}</b>` : html`<span class="cell-words">${text}</span>`))
  const address = base + dayPath(day) + query
  return html`<td class="${classes.filter(Boolean).join(' ')}"${wall === today && html` aria-current="date"`}>
${events.length > 0 ? html`<a class="cell-day" href="${address}">${parts}</a>` : html`<span class="cell-day">${parts}</span>`}
${slots.length > 0 && html`<ul>${slots.map((event, line) => (event ? cellEvent(site, event, { day, ...barOf(shown, event, { week, i, line }), isElsewhere: isElsewhere(event) }) : html`<li class="cell-gap" aria-hidden="true"></li>`))}</ul>`}
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
  /** True if lists of days show the event on another day. */
  isElsewhere: boolean
}

/** An event in a cell. The first cell of a bar in a week has its title, which extends over all its cells. */
function cellEvent(site: Site, shown: PlacedEvent, { day, isFirst, cells, isElsewhere }: Where): Html {
  const { event: row, times } = shown
  const { firstDay, lastDay } = times
  const isBar = shown.isLong || row.all_day
  const isRepeated = !isFirst
  const status = statusWord(site, row.event_status)
  const classes = [
    'cell-event',
    isBar && 'is-long',
    day > firstDay && 'is-before',
    isRepeated && 'is-repeated',
    day < lastDay && 'is-after',
    isBar && !isRepeated && cells > 1 && `across-${cells}`,
    isElsewhere && 'is-elsewhere',
    isOff(row.event_status) && 'is-off',
  ]
  return html`<li class="${classes.filter(Boolean).join(' ')}"><a href="${eventPath(site, row)}">${!isBar && html`<span class="cell-time">${site.dates.format('time', times.start)}</span> `}<span class="cell-title">${nameOf(row.title, row.slug)}</span>${status && html` <span class="hidden">(${status})</span>`}${shown.isExhibition && !isElsewhere && html` <span class="cell-time cell-until">${until(site, lastDay)}</span>`}<span class="hidden">, ${site.dates.format('day', wallOf(day))}</span></a></li>`
}
