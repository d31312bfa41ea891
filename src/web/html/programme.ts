import { isoWithOffset, siteTimes } from '../../lib/time.ts'
import { eventPath } from '../../resources/events/listed.ts'
import { isOff, statusWord } from '../../words/events.ts'
import { filled } from '../../words/words.ts'
import type { Around, ProgrammePart } from './around.ts'
import { startOf } from './events.ts'
import { type Html, html } from './html.ts'
import type { EventSummary } from './queries.ts'
import type { Site } from './site.ts'
import { nameOf, plain } from './text.ts'

// The programme of an event: the events that are a part of it, whether or not lists show them.

type Programme = Pick<Around, 'programme' | 'parent'>

/** The line of a part that leads to the event it belongs to. */
export const parentLine = (site: Site, parent: EventSummary | undefined): Html | '' =>
  parent === undefined
    ? ''
    : html`<p class="part-of">${filled(site.words.partOf, { name: '' })}<a href="${eventPath(site, parent)}">${nameOf(parent.title, parent.slug)}</a></p>`

/** Groups items by a key, in the order of their first ones. */
const groupsOf = <T>(items: readonly T[], key: (item: T) => string): [string, T[]][] => [
  ...Map.groupBy(items, key),
]

/** The programme of an event by day and place. */
export function programmeSection(site: Site, parts: readonly ProgrammePart[]): Html | '' {
  if (parts.length === 0) return ''
  const { words, dates, context } = site
  const timed = parts.map(part => ({ part, times: siteTimes(part, context.settings.timezone) }))
  const days = groupsOf(timed, ({ times }) => times.firstDay)
  return html`<section class="programme" aria-labelledby="programme"><h2 id="programme">${words.programme}</h2>
${days.map(
  ([day, events]) => html`<h3>${dates.format('day', `${day} 00:00:00`)}</h3>
${groupsOf(events, ({ part }) => part.venue).map(
  ([venue, here]) =>
    html`${venue && html`<h4>${plain(venue)}</h4>`}<ol>${here.map(({ part, times }) => {
      const status = statusWord(site, part.event_status)
      const time = part.all_day ? words.allDay : dates.clock(times.start)
      return html`<li class="week-event${isOff(part.event_status) && ' is-off'}"><time datetime="${startOf(part)}">${time}</time> <span><a href="${eventPath(site, part)}">${nameOf(part.title, part.slug)}</a>${status && html` <span class="badge badge-alert">${status}</span>`}</span></li>`
    })}</ol>`,
)}`,
)}</section>`
}

/** The most parts that search engines are told of. */
const MOST_PARTS = 100

/** The data of an event for search engines, with those of its parts and of what it is a part of. */
export function withProgramme(site: Site, data: object | undefined, { programme, parent }: Programme) {
  if (data === undefined) return undefined
  const { location }: { location?: unknown } = data
  const summary = (event: EventSummary, venue: string) => ({
    '@type': 'Event',
    name: plain(event.title),
    url: eventPath({ base: site.context.site }, event),
    startDate: startOf(event),
    endDate: event.all_day ? event.end_date.slice(0, 10) : isoWithOffset(event.end_date, event.utc_end_date),
    location: venue ? { '@type': 'Place', name: plain(venue), address: plain(venue) } : location,
  })
  return {
    ...data,
    ...(programme.length > 0 && {
      subEvent: programme.slice(0, MOST_PARTS).map(part => summary(part, part.venue)),
    }),
    ...(parent && { superEvent: summary(parent, '') }),
  }
}
