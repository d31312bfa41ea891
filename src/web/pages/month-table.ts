import { type DateTime, dayNumber } from '../../lib/time.ts'
import { eventPath } from '../../resources/events/listed.ts'
import { isOff, statusWord } from '../../words/events.ts'
import { filled } from '../../words/words.ts'
import { dayPath, queryOf } from '../html/addresses.ts'
import { type DatedEvent, dated } from '../html/events.ts'
import type { Filters } from '../html/filters.ts'
import { type Html, html } from '../html/html.ts'
import { type EventSummary, MOST_IN_SPAN } from '../html/queries.ts'
import type { Site } from '../html/site.ts'
import { nameOf } from '../html/text.ts'
import { weeksOf } from '../html/when.ts'

/** The lanes that bars may always take; they only get further ones where there is room, so that exhibitions don't hide concerts. */
const LANES = 2

/** The lines in the cell of a day. If there are more events, one line links to the others. */
const LINES = 5

/** The longest event in days that lists of days repeat; longer ones are exhibitions, which they list once. */
const MOST_DAYS = 7

/** The most events that are listed once for the whole month. */
const MOST_THROUGHOUT = 20

/** An event with its times at the site. */
type PlacedEvent = DatedEvent<EventSummary> & { isLong: boolean; isExhibition: boolean }

type Slot = PlacedEvent | undefined

/** The events of a day by line; an event of several days is a bar that keeps its line all week. */
type Day = { slots: Slot[]; hidden: PlacedEvent[] }
type Days = Map<string, Day>

/** A month as a table. */
type Month = {
  month: DateTime
  weeks: readonly (readonly DateTime[])[]
  /** The days of the month itself. */
  own: readonly string[]
  days: ReadonlyMap<string, Readonly<Day>>
  /** The first day in lists of days: today in the current month. */
  begins: string
  /** The exhibitions that last through all of these days. */
  throughout: ReadonlySet<PlacedEvent>
  isCut: boolean
}

const dayOf = (wall: DateTime): string => wall.slice(0, 10)

/** Places the events of a month on their days, those of several days first. */
export function placed(site: Site, month: DateTime, rows: readonly EventSummary[]): Month {
  const weeks = weeksOf(month, site.dates.firstWeekday)
  const days: Days = new Map(weeks.flat().map(day => [dayOf(day), { slots: [], hidden: [] }]))
  const all = rows
    .slice(0, MOST_IN_SPAN)
    .map(row => timed(site, row))
    .sort((a, b) => rankOf(a) - rankOf(b) || (a.times.start < b.times.start ? -1 : 1))
  for (const week of weeks) placeAll(days, week.map(dayOf), all)
  const own = weeks
    .flat()
    .map(dayOf)
    .filter(day => day.slice(0, 7) === month.slice(0, 7))
  const [first = '', last = ''] = [own[0], own.at(-1)]
  const today = dayOf(site.today)
  const begins = today > first && today <= last ? today : first
  const throughout = all
    .filter(shown => shown.isExhibition && shown.times.firstDay <= begins && shown.times.lastDay >= last)
    .slice(0, MOST_THROUGHOUT)
  return {
    month,
    weeks,
    own,
    days,
    begins,
    throughout: new Set(throughout),
    isCut: rows.length > MOST_IN_SPAN,
  }
}

/** Places events on their days in a week. @param all in the order of their ranks */
function placeAll(days: Days, week: readonly string[], all: readonly PlacedEvent[]): void {
  const [first = '', last = ''] = [week[0], week.at(-1)]
  const here = all.filter(({ times }) => times.firstDay <= last && times.lastDay >= first)
  const [long, short] = [here.filter(({ isLong }) => isLong), here.filter(({ isLong }) => !isLong)]
  // Where not all have a line, festivals come first: lists of days leave out exhibitions, and would only count the others.
  if (long.length > LANES) long.sort((a, b) => Number(a.isExhibition) - Number(b.isExhibition))
  // Below the first lanes, a line is free for a bar if the events of each day still fit.
  const room = new Map(week.map(day => [day, LINES]))
  const total = new Map(week.map(day => [day, long.filter(shown => isOn(shown, day)).length]))
  for (const { times } of short) {
    room.set(times.firstDay, (room.get(times.firstDay) ?? 0) - 1)
    total.set(times.firstDay, (total.get(times.firstDay) ?? 0) + 1)
  }
  const isFree = (lane: number, day: string): boolean =>
    days.get(day)?.slots[lane] === undefined &&
    (lane < LANES || lane < (room.get(day) ?? 0) - ((total.get(day) ?? 0) > LINES ? 1 : 0))
  const lanes = Array.from({ length: LINES }, (_, n) => n)
  const broken: PlacedEvent[] = []
  for (const shown of long) {
    const own = week.filter(day => isOn(shown, day))
    const lane = lanes.find(n => own.every(day => isFree(n, day)))
    if (lane === undefined) broken.push(shown)
    else for (const day of own) put(days.get(day), lane, shown)
  }
  // A bar is only broken for days of which nothing else would be seen but a number; lists of days leave out exhibitions.
  const isBare = (day: string, { isExhibition }: PlacedEvent): boolean =>
    room.get(day) === LINES &&
    (days.get(day)?.slots ?? []).every(other => !other || (other.isExhibition && !isExhibition))
  for (const shown of broken) {
    const own = week.filter(day => isOn(shown, day))
    const bare = own.filter(day => isBare(day, shown))
    for (const day of own) {
      // The same line on all of these days, if there is one.
      const lane =
        lanes.find(n => bare.every(other => isFree(n, other) || days.get(other)?.slots[n] === shown)) ??
        lanes.find(n => isFree(n, day))
      put(days.get(day), bare.includes(day) ? lane : undefined, shown)
    }
  }
  for (const shown of short) {
    const day = days.get(shown.times.firstDay)
    const lines = (total.get(shown.times.firstDay) ?? 0) > LINES ? LINES - 1 : LINES
    const free = day?.slots.indexOf(undefined) ?? -1
    const next = free === -1 ? (day?.slots.length ?? 0) : free
    put(day, next < lines ? next : undefined, shown)
  }
}

/** Puts an event into a line of a day, or among those that are only counted. */
function put(day: Day | undefined, line: number | undefined, shown: PlacedEvent): void {
  if (!day) return
  if (line === undefined) day.hidden.push(shown)
  else {
    while (day.slots.length < line) day.slots.push(undefined)
    day.slots[line] = shown
  }
}

function timed(site: Site, row: EventSummary): PlacedEvent {
  const shown = dated(site, row)
  const { firstDay, lastDay } = shown.times
  const isLong = lastDay > firstDay
  return { ...shown, isLong, isExhibition: isLong && dayNumber(lastDay) - dayNumber(firstDay) >= MOST_DAYS }
}

const isOn = ({ times }: PlacedEvent, day: string): boolean => day >= times.firstDay && day <= times.lastDay

/**
 * The rank of an event in a day: events of several days come first, so that they can keep their line, then sticky and all-day
 * ones.
 */
const rankOf = (shown: PlacedEvent): number =>
  shown.isLong ? 0 : shown.event.sticky || shown.event.all_day ? 1 : 2

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
