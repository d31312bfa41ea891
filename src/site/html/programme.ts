import { eventPath } from '../../calendar/events/listed-events.ts'
import { capitalized, summary } from '../../kit/lib/text.ts'
import { storedCostWords } from '../../words/cost.ts'
import { badges, type DatedEvent, startOf, timeOn, withTimes } from './events.ts'
import { type Html, html } from './html.ts'
import type { PageContext } from './page-context.ts'
import { MAX_PART_TEXT_LENGTH, type ProgrammePart } from './related-events.ts'
import { inLine, nameOf } from './text.ts'
import { dayText } from './when.ts'

// The programme of an event by day and by the time at which parts begin. A day with several rooms is a table
// with a column each.

type Part = DatedEvent<ProgrammePart>

/** A part, and where in the event it is; '' for where the event itself is. */
type PlacedPart = Part & { room: string }

/** The most characters of a part's text. */
const MAX_EXCERPT_LENGTH = 140

/**
 * The most rooms that are columns. A day with more of them is a list: their columns would be narrower than
 * titles.
 */
const MAX_COLUMNS = 5

/**
 * The programme of an event by day and time; '' for an event without parts.
 *
 * @param places the names of the event's own venues: a programme that is all in one of them doesn't repeat
 *   its name
 */
export function programme(
  site: PageContext,
  parts: readonly ProgrammePart[],
  places: readonly string[],
): Html | '' {
  if (parts.length === 0) return ''
  const { words } = site
  const venues = new Set(parts.map(({ venue }) => venue))
  const isElsewhere = venues.size > 1 || !places.some(place => venues.has(place))
  const placedParts = parts.map(event => ({
    ...withTimes(site, event),
    room: inLine([isElsewhere ? event.venue : '', event.room]),
  }))
  const rooms = roomsOf(placedParts)
  const days = Map.groupBy(placedParts, ({ times }) => times.firstDay)
  return html`<section class="programme" aria-labelledby="programme"><h2 id="programme">${words.programme}</h2>
${[...days].map(([day, dayParts]) => {
  // Rooms have the same order on each day.
  const usedRooms = roomsOf(dayParts)
  const columns = rooms.filter(room => usedRooms.includes(room))
  const isTable = columns.length > 1 && columns.length <= MAX_COLUMNS
  return html`<h3>${capitalized(dayText(site, 'dayInMonth', day))}</h3>
${isTable ? dayTable(site, day, dayParts, columns) : dayList(site, day, dayParts)}`
})}</section>`
}

const roomsOf = (parts: readonly PlacedPart[]): string[] => [
  ...new Set(parts.flatMap(({ room }) => room || [])),
]

const groupedByStart = (parts: readonly PlacedPart[]): PlacedPart[][] => [
  ...Map.groupBy(parts, ({ event, times }) => (event.all_day ? '' : times.start)).values(),
]

const dayList = (site: PageContext, day: string, parts: readonly PlacedPart[]): Html =>
  html`<ol>${groupedByStart(parts).map(simultaneous => {
    const { time, isSameTime } = timeOf(site, simultaneous, day)
    return html`<li class="event-line">${time}
${partList(site, day, simultaneous, isSameTime)}</li>`
  })}</ol>`

/**
 * A day as a table: a row for each time, a column for each room. Parts without a room are in a row of their
 * own, across all columns.
 */
function dayTable(
  site: PageContext,
  day: string,
  parts: readonly PlacedPart[],
  columns: readonly string[],
): Html {
  const rows = groupedByStart(parts).flatMap(simultaneous => {
    const inRooms = simultaneous.filter(({ room }) => room)
    const elsewhere = simultaneous.filter(({ room }) => !room)
    return [elsewhere, inRooms].filter(row => row.length > 0)
  })
  return html`<table class="timetable"><thead><tr><td></td>${columns.map(room => html`<th scope="col">${room}</th>`)}</tr></thead>
<tbody>${rows.map(row => {
    const { time, isSameTime } = timeOf(site, row, day)
    const cells = row[0]?.room ? columns.map(room => row.filter(part => part.room === room)) : [row]
    return html`<tr class="event-line"><th scope="row">${time}</th>${cells.map(
      cell =>
        html`<td${cells.length === 1 && html` colspan="${columns.length}"`}>${cell.length > 0 && partList(site, day, cell, isSameTime)}</td>`,
    )}</tr>`
  })}</tbody></table>`
}

/** The time of parts that begin at the same time, with their end if that is the same as well. */
function timeOf(site: PageContext, parts: readonly Part[], day: string): { time: Html; isSameTime: boolean } {
  const [first] = parts
  if (!first) return { time: html``, isSameTime: true }
  const isSameTime = new Set(parts.map(part => timeOn(site, part, day))).size === 1
  const text = isSameTime ? timeOn(site, first, day) : site.dates.clock(first.times.start)
  return { time: html`<time datetime="${startOf(first.event)}">${text}</time>`, isSameTime }
}

const partList = (site: PageContext, day: string, parts: readonly PlacedPart[], isSameTime: boolean): Html =>
  html`<ul class="parts">${parts.map(part => partItem(site, part, isSameTime ? '' : timeOn(site, part, day)))}</ul>`

function partItem(site: PageContext, { event, room }: PlacedPart, time: string): Html {
  const isCancelled = event.event_status === 'canceled'
  // Nobody buys a ticket for a cancelled part.
  const cost = isCancelled ? '' : storedCostWords(site.language, event.cost, site.context.settings.currency)
  const details = [time, cost].filter(Boolean).join('\u00a0· ')
  // On wide screens, a table has the room above its column instead.
  const roomHtml = room && html`<span class="part-room">${room}${details && ' · '}</span>`
  const text = summary(event.text, MAX_EXCERPT_LENGTH, MAX_PART_TEXT_LENGTH)
  return html`<li class="${isCancelled && 'is-off'}"><a class="strong" href="${eventPath(site, event)}">${nameOf(event.title, event.slug)}</a>${badges(site, event)}
${(roomHtml || details) && html`<p class="small">${roomHtml}${details}</p>`}${text && html`<p class="part-text">${text}</p>`}</li>`
}
