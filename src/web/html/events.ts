import { summary } from '../../lib/text.ts'
import { type EventTimes, isoWithOffset, lastExpectedDay, type SiteTimes, siteTimes } from '../../lib/time.ts'
import type { ListedEvent } from '../../resources/events/listed.ts'
import { eventPath } from '../../resources/events/listed.ts'
import type { EventResponse } from '../../resources/events/schema.ts'
import { storedCostWords } from '../../words/cost.ts'
import { isOff, timeTexts } from '../../words/events.ts'
import { badge, badges, isOver } from './badges.ts'
import { type Html, html } from './html.ts'
import { eventPicture, hueClass } from './picture.ts'
import type { EventSummary } from './queries.ts'
import type { Site } from './site.ts'
import { inLine, nameOf, plain } from './text.ts'

/** An event with its times at the site. */
export type DatedEvent<E extends EventTimes = ListedEvent> = { event: E; times: SiteTimes }

export const dated = <E extends EventTimes>({ context }: Site, event: E): DatedEvent<E> => ({
  event,
  times: siteTimes(event, context.settings.timezone),
})

/** An event with its times, on the days on which visitors expect it. */
export function datedAsExpected<E extends EventTimes>(site: Site, event: E): DatedEvent<E> {
  const shown = dated(site, event)
  return { ...shown, times: { ...shown.times, lastDay: lastExpectedDay(shown.times) } }
}

/** The time of an event in a list; both times with their zones if the event is in another zone. */
function timeIn(site: Site, shown: DatedEvent, day: string): Html {
  const { here, there } = timeTexts(site, { ...shown, day, zone: site.context.settings.timezone })
  return html`<time datetime="${startOf(shown.event)}">${here}</time>${there && html`<span class="line small">${there}</span>`}`
}

/** The time of an event in words, at the site. @param day the day of the heading, which is not repeated */
export const timeOn = (site: Site, shown: DatedEvent<EventTimes>, day: string): string =>
  timeTexts(site, { ...shown, day, zone: site.context.settings.timezone }).here

/** The machine-readable start of an event. */
export const startOf = (event: Pick<ListedEvent, 'all_day' | 'start_date' | 'utc_start_date'>): string =>
  event.all_day ? event.start_date.slice(0, 10) : isoWithOffset(event.start_date, event.utc_start_date)

/** The venues of an event: none, one or several. */
export const venuesOf = ({ venue }: EventResponse) => [venue].flat()

const EXCERPT = 160

const ROW = { shown: '(min-width: 48rem) 240px, 96px', width: 240, height: 160 }

/** The day on the tile of an event: its first day or, once it has begun, its last. */
const tileDay = ({ firstDay, lastDay }: SiteTimes, day: string): string =>
  firstDay < day ? lastDay : firstDay

/** An event in a list, below the heading of a day. */
export function eventItem(site: Site, shown: DatedEvent, day: string, level: 'h2' | 'h3' = 'h3'): Html {
  const { event, times } = shown
  const { words, dates } = site
  const { venue } = event
  const text = summary(event.text, EXCERPT)
  const link = html`<a href="${eventPath(site, event)}">${nameOf(event.title, event.slug)}<span class="hidden">, ${dates.format('day', `${times.firstDay} 00:00:00`)}</span></a>`
  // Later days have nothing that is over.
  const over = day === site.today.slice(0, 10) && isOver(site, event)
  const title = html`${link}${badges(site, event, over)}`
  const place = inLine([venue.name, venue.city])
  return html`<li class="event${isOff(event.event_status) && ' is-off'}">
<div class="event-text">
<p class="event-time">${timeIn(site, shown, day)}</p>
${level === 'h3' ? html`<h3 class="event-title">${title}</h3>` : html`<h2 class="event-title">${title}</h2>`}
${(place || event.is_virtual) && html`<p class="event-place">${place || words.online}${venue.count > 1 && ` +${venue.count - 1}`}</p>`}
${text && html`<p class="event-excerpt">${text}</p>`}
${notes(site, event)}
</div>
${eventPicture(site, event, tileDay(times, day), ROW)}
</li>`
}

/** The category and the cost of an event, below its text. */
function notes(site: Site, { category, cost }: ListedEvent): Html | '' {
  const price = storedCostWords(site.language, cost, site.context.settings.currency)
  if (!(price || category)) return ''
  return html`<ul class="event-notes">
${category && html`<li class="category ${hueClass(category)}">${plain(category.name)}</li>`}
${price && html`<li>${price === site.words.free ? badge(price, 'good') : price}</li>`}
</ul>`
}

type EventLine = {
  time: string
  /** The day of the event, for the name of the link if no heading says it. */
  day?: string
}

/** An event in one line: when it is, and its title with badges. */
export function lineItem(site: Site, event: EventSummary, { time, day }: EventLine): Html {
  const name = html`${nameOf(event.title, event.slug)}${day && html`<span class="hidden">, ${day}</span>`}`
  const link = html`<a href="${eventPath(site, event)}">${name}</a>`
  return html`<li class="event-line${isOff(event.event_status) && ' is-off'}"><time datetime="${startOf(event)}">${time}</time>
<span>${link}${badges(site, event)}</span></li>`
}
