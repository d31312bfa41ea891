import { capitalized, summary } from '../../lib/text.ts'
import { type EventTimes, isoWithOffset, type SiteTimes, siteTimes } from '../../lib/time.ts'
import { serializeImage } from '../../resources/content/images.ts'
import type { ListedEvent } from '../../resources/events/listed.ts'
import { eventPath } from '../../resources/events/listed.ts'
import type { EventResponse } from '../../resources/events/schema.ts'
import { storedCostWords } from '../../words/cost.ts'
import { isOff, statusWord, ticketsWord, timeTexts } from '../../words/events.ts'
import { type Html, html, imageAttributes } from './html.ts'
import type { EventSummary } from './queries.ts'
import type { Site } from './site.ts'
import { inLine, nameOf, plain } from './text.ts'

/** An event with its times at the site. */
export type DatedEvent<E extends EventTimes = ListedEvent> = { event: E; times: SiteTimes }

export const dated = <E extends EventTimes>({ context }: Site, event: E): DatedEvent<E> => ({
  event,
  times: siteTimes(event, context.settings.timezone),
})

/** The time of an event in a list; both times with their zones if the event is in another zone. */
function timeIn(site: Site, shown: DatedEvent, day: string): Html {
  const { here, there } = timeTexts(site, { ...shown, day, zone: site.context.settings.timezone })
  return html`<time datetime="${startOf(shown.event)}">${here}</time>${there && html`<span class="line small">${there}</span>`}`
}

/** The machine-readable start of an event. */
export const startOf = (event: Pick<ListedEvent, 'all_day' | 'start_date' | 'utc_start_date'>): string =>
  event.all_day ? event.start_date.slice(0, 10) : isoWithOffset(event.start_date, event.utc_start_date)

/** The venues of an event: none, one or several. */
export const venuesOf = ({ venue }: EventResponse) => [venue].flat()

const EXCERPT = 160

/** An event in a list, below the heading of a day. */
export function eventItem(site: Site, shown: DatedEvent, day: string, level: 'h2' | 'h3' = 'h3'): Html {
  const { event, times } = shown
  const { words, dates } = site
  const { venue, image } = event
  const status = statusWord(site, event.event_status)
  const text = summary(event.text, EXCERPT)
  const link = html`<a href="${eventPath(site, event)}">${nameOf(event.title, event.slug)}<span class="hidden">, ${dates.format('day', `${times.firstDay} 00:00:00`)}</span></a>`
  const place = inLine([venue.name, venue.city])
  // Nothing is cut off a poster: its texts are at its edges.
  const isPoster = Boolean(image?.width && image.height && image.height > image.width)
  return html`<li class="event${isOff(event.event_status) && ' is-off'}">
<p class="event-time">${timeIn(site, shown, day)}</p>
<div class="event-text">
${level === 'h3' ? html`<h3 class="event-title">${link}</h3>` : html`<h2 class="event-title">${link}</h2>`}
${(place || event.is_virtual) && html`<p class="event-place">${place || words.online}${venue.count > 1 && ` +${venue.count - 1}`}</p>`}
${text && html`<p class="event-excerpt">${text}</p>`}
${notes(site, event, status)}
</div>
${image && html`<img class="event-image${isPoster && ' is-poster'}" ${imageAttributes(serializeImage(image, site.context), { shown: '160px', isCut: !isPoster })} loading="lazy" decoding="async" width="160" height="120">`}
</li>`
}

function notes(site: Site, event: ListedEvent, status: string | undefined): Html | '' {
  const { words } = site
  const { category } = event
  const cost = storedCostWords(site.language, event.cost, site.context.settings.currency)
  const left = ticketsWord(site, event)
  if (!(status || event.featured || cost || left || category)) return ''
  return html`<ul class="event-notes">
${status && html`<li class="badge badge-alert">${status}</li>`}
${event.featured && html`<li class="badge">${words.featured}</li>`}
${category && html`<li>${plain(category)}</li>`}
${cost && html`<li>${cost}</li>`}
${left && html`<li>${left}</li>`}
</ul>`
}

type EventLine = {
  time: string
  /** The day of the event, for the name of the link if no heading says it. */
  day?: string
  /** Texts behind the title, such as the cost; '' for none. */
  notes?: readonly string[]
}

/** An event in one line: when it is, its title, and notes. */
export function lineItem(site: Site, event: EventSummary, { time, day, notes = [] }: EventLine): Html {
  const status = statusWord(site, event.event_status)
  const more = notes.filter(note => note !== '').join(' · ')
  return html`<li class="event-line${isOff(event.event_status) && ' is-off'}"><time datetime="${startOf(event)}">${time}</time> <span><a href="${eventPath(site, event)}">${nameOf(event.title, event.slug)}${day && html`<span class="hidden">, ${day}</span>`}</a>${status && html` <span class="badge badge-alert">${status}</span>`}${more && html` <span class="small">${more}</span>`}</span></li>`
}

type Group = { key: string; isNow: boolean; events: DatedEvent[] }

/**
 * Groups events by day. Events that began before the list's first day are «on now» if that is today, and otherwise belong to
 * that day; lists of the past only use the day of the start.
 *
 * @param since the first day of the list; undefined for the past
 */
export function grouped(site: Site, events: readonly ListedEvent[], since: string | undefined): Group[] {
  const groups = new Map<string, Group>()
  for (const event of events) {
    const shown = dated(site, event)
    const { firstDay, lastDay } = shown.times
    // An all-day event belongs to its own days, even if they have ended in the site's zone.
    const isOn = since !== undefined && firstDay < since && lastDay >= since
    const isNow = isOn && since === site.today.slice(0, 10)
    const key = isOn ? `${isNow ? 'now ' : ''}${since}` : firstDay
    const group = groups.get(key) ?? { key, isNow, events: [] }
    group.events.push(shown)
    groups.set(key, group)
  }
  // All-day events in other zones start earlier or later than days of the site, so they may be out of order.
  const isPast = since === undefined
  const rank = ({ key, isNow }: Group): string => (isNow ? '' : key)
  return [...groups.values()].sort((a, b) => (rank(a) < rank(b) !== isPast ? -1 : 1))
}

/** The days of a list with their events. */
export function eventGroups(site: Site, groups: readonly Group[]): Html {
  const today = site.today.slice(0, 10)
  return html`${groups.map(
    ({ key, isNow, events }, i) => html`<section class="day" aria-labelledby="day-${i}">
<h2 class="day-heading${key === today && ' is-today'}" id="day-${i}">${isNow ? site.words.onNow : dayHeading(site, key)}</h2>
<ol class="events">${events.map(shown => eventItem(site, shown, key.slice(-10)))}</ol>
</section>`,
  )}`
}

/** The heading of a day, with weekday and date on two lines if there is room. */
function dayHeading({ words, dates, today }: Site, key: string): Html {
  const wall = `${key} 00:00:00`
  const isToday = key === today.slice(0, 10)
  return html`<time datetime="${key}"><span class="weekday">${capitalized(dates.format('longWeekday', wall))}<span class="hidden">,</span></span> <span class="date">${dates.format('date', wall)}</span></time>${isToday && html` <span class="badge">${words.today}</span>`}`
}
