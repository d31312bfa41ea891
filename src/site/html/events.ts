import { beginningOfToday } from '../../calendar/events/interval.ts'
import { eventPath, type ListedEvent } from '../../calendar/events/listed-events.ts'
import type { EventResponse } from '../../calendar/events/schema.ts'
import { isFree } from '../../kit/lib/cost.ts'
import { type Movable, type TicketAvailability, takesPlace } from '../../kit/lib/statuses.ts'
import { summary } from '../../kit/lib/text.ts'
import {
  type Day,
  dayOf,
  type EventTimes,
  isoWithOffset,
  lastExpectedDay,
  type SiteTimes,
  siteTimes,
} from '../../kit/lib/time.ts'
import { storedCostWords } from '../../words/cost.ts'
import { movedWords, rowTimes, statusWord, ticketsWord, timeTexts } from '../../words/events.ts'
import { type Html, html } from './html.ts'
import type { PageContext } from './page-context.ts'
import { eventImage, hueClass } from './picture.ts'
import type { EventSummary } from './queries.ts'
import { markWords, nameOf, placeLine, plain } from './text.ts'
import { dayText } from './when.ts'

/** True if an event is over. An event without a length has no known end, so it is over once its day is. */
export const isOver = (
  { context }: PageContext,
  { utc_start_date: start, utc_end_date: end }: EventTimes,
): boolean => (end > start ? context.clock.hasPassed(end) : start < beginningOfToday(context))

/** The former date of an event that was moved, in the zone of the site; '' if it was not moved. */
export const formerDateText = (site: PageContext, event: Movable): string =>
  movedWords(site, event, site.context.settings.timezone)

/** A badge: a word beside a title. Its colour only underlines what the word says. */
export const badge = (text: string, look: 'plain' | 'alert' | 'warn' | 'good' | 'strong' = 'plain'): Html =>
  html`<span class="badge${look !== 'plain' && ` badge-${look}`}">${text}</span>`

type BadgedEvent = Movable & { ticket_availability?: TicketAvailability; is_virtual?: boolean }

/**
 * The badges beside the title of an event, the same on every page: whether it takes place and when it was to
 * be, what is left of its tickets, and if it is online.
 *
 * @param isPastEvent true if it is over: nobody needs tickets then
 */
export function badges(site: PageContext, event: BadgedEvent, isPastEvent = false): Html[] {
  const { words } = site
  const { event_status, ticket_availability = '', is_virtual } = event
  const formerDate = event_status === 'canceled' ? '' : formerDateText(site, event)
  const status = formerDate ? `${words.rescheduled} (${formerDate})` : statusWord(site, event_status)
  const tickets = isPastEvent ? '' : ticketsWord(site, { event_status, ticket_availability })
  const badgeList = [
    ...(isPastEvent ? [badge(words.over)] : []),
    ...(status ? [badge(status, event_status === 'canceled' ? 'alert' : 'warn')] : []),
    ...(tickets && ticket_availability !== 'available'
      ? [badge(tickets, ticket_availability === 'sold_out' ? 'strong' : 'warn')]
      : []),
    ...(is_virtual ? [badge(words.onlineBadge)] : []),
  ]
  return badgeList.map(each => html` ${each}`)
}

export type DatedEvent<E extends EventTimes = ListedEvent> = { event: E; times: SiteTimes }

export const withTimes = <E extends EventTimes>({ context }: PageContext, event: E): DatedEvent<E> => ({
  event,
  times: siteTimes(event, context.settings.timezone),
})

/** An event with its times, on the days on which visitors expect it. */
export function datedAsExpected<E extends EventTimes>(site: PageContext, event: E): DatedEvent<E> {
  const datedEvent = withTimes(site, event)
  return { ...datedEvent, times: { ...datedEvent.times, lastDay: lastExpectedDay(datedEvent.times) } }
}

/** The time of an event in words, at the site. @param day the day of the heading, which is not repeated */
export const timeOn = (site: PageContext, datedEvent: DatedEvent<EventTimes>, day: Day): string =>
  timeTexts(site, { ...datedEvent, day, zone: site.context.settings.timezone }).siteText

/** The machine-readable start of an event. */
export const startOf = (event: Pick<ListedEvent, 'all_day' | 'start_date' | 'utc_start_date'>): string =>
  event.all_day ? dayOf(event.start_date) : isoWithOffset(event.start_date, event.utc_start_date)

type HookedEvent = Pick<ListedEvent, 'id' | 'all_day' | 'start_date' | 'utc_start_date' | 'event_status'> & {
  series_id: number | null
}

/**
 * Attributes that tell scripts the event, its start, its series, and its status if it is off. Events that are
 * hidden from lists must not have them.
 */
export const eventHook = (event: HookedEvent): Html =>
  html` data-event="${event.id}" data-start="${startOf(event)}"${event.series_id !== null && html` data-series="${event.series_id}"`}${!takesPlace(event.event_status) && html` data-off="${event.event_status}"`}`

/** The venues of an event: none, one or several. */
export const venuesOf = ({ venue }: EventResponse) => [venue].flat()

const EXCERPT_LENGTH = 160

const ROW_IMAGE = { sizes: '(min-width: 48rem) 132px, 80px', width: 132, height: 88 }

export type RowOptions = {
  /** The level of the title's heading. */
  level?: 'h2' | 'h3'
  /** True on the page of a venue, whose name every row would repeat. */
  isAtVenue?: boolean
  /** The words of a search, which are marked. */
  marks?: readonly string[]
}

/** An event in a list, below the heading of a day. */
export function eventItem(
  site: PageContext,
  datedEvent: DatedEvent,
  day: Day,
  { level = 'h3', isAtVenue = false, marks = [] }: RowOptions = {},
): Html {
  const { event, times } = datedEvent
  const text = summary(event.text, EXCERPT_LENGTH)
  const { from, until, timeThere } = rowTimes(site, {
    ...datedEvent,
    day,
    zone: site.context.settings.timezone,
  })
  const link = html`<a href="${eventPath(site, event)}">${markWords(nameOf(event.title, event.slug), marks)}<span class="hidden">, ${dayText(site, 'dayInMonth', times.firstDay)}</span></a>`
  // Events of later days can't be over.
  const isPast = day === dayOf(site.today) && isOver(site, event)
  const title = html`${link}${badges(site, event, isPast)}`
  return html`<li class="event ${hueClass(event.category)}${event.event_status === 'canceled' && ' is-off'}"${eventHook(event)}>
<p class="event-time"><time datetime="${startOf(event)}">${from}</time>${until && html` <span>${until}</span>`}</p>
<div class="event-text">
${level === 'h3' ? html`<h3 class="event-title">${title}</h3>` : html`<h2 class="event-title">${title}</h2>`}
${eventNotes(site, event, { isAtVenue, marks, timeThere })}
${text && html`<p class="event-excerpt">${markWords(text, marks)}</p>`}
</div>
${eventImage(site, event, ROW_IMAGE)}
</li>`
}

/**
 * The place, the category and the cost of an event, and its time in its own zone if that differs, for the
 * list below its title.
 */
function eventNotes(
  site: PageContext,
  { category, cost, venue, is_virtual }: ListedEvent,
  {
    isAtVenue,
    marks,
    timeThere,
  }: Required<Pick<RowOptions, 'isAtVenue' | 'marks'>> & { timeThere: string | undefined },
): Html | '' {
  const { words, language, context } = site
  const price = storedCostWords(language, cost, context.settings.currency)
  const moreVenues = venue.count > 1 && ` +${venue.count - 1}`
  const place = isAtVenue && !moreVenues ? '' : placeLine(venue) || (is_virtual ? words.online : '')
  if (!(price || category || place || timeThere)) return ''
  return html`<ul class="event-notes">
${place && html`<li class="event-place">${markWords(place, marks)}${moreVenues}</li>`}
${category && html`<li class="category">${markWords(plain(category.name), marks)}</li>`}
${timeThere && html`<li>${timeThere}</li>`}
${price && html`<li>${isFree(cost) ? badge(price, 'good') : price}</li>`}
</ul>`
}

export function lineItem(site: PageContext, event: EventSummary, time: string): Html {
  const link = html`<a href="${eventPath(site, event)}">${nameOf(event.title, event.slug)}</a>`
  return html`<li class="event-line${event.event_status === 'canceled' && ' is-off'}"><time datetime="${startOf(event)}">${time}</time>
<span>${link}${badges(site, event)}</span></li>`
}
