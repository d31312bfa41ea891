import { hasPassed } from '../../lib/clock.ts'
import type { Movable } from '../../lib/moved.ts'
import { capitalized, summary } from '../../lib/text.ts'
import {
  addDays,
  type DateTime,
  dayNumber,
  type EventTimes,
  isoWithOffset,
  type SiteTimes,
  siteTimes,
} from '../../lib/time.ts'
import type { ListedEvent } from '../../resources/events/listed.ts'
import { eventPath } from '../../resources/events/listed.ts'
import { beginningOfToday } from '../../resources/events/listing/interval.ts'
import type { EventResponse } from '../../resources/events/schema.ts'
import { storedCostWords } from '../../words/cost.ts'
import { isOff, movedWords, timeTexts } from '../../words/events.ts'
import { filled } from '../../words/words.ts'
import { badge, badges } from './badges.ts'
import { type Html, html } from './html.ts'
import { eventPicture, hueOf } from './picture.ts'
import type { EventSummary } from './queries.ts'
import { counted, type Site } from './site.ts'
import { inLine, nameOf, plain } from './text.ts'

/** An event with its times at the site. */
export type DatedEvent<E extends EventTimes = ListedEvent> = { event: E; times: SiteTimes }

export const dated = <E extends EventTimes>({ context }: Site, event: E): DatedEvent<E> => ({
  event,
  times: siteTimes(event, context.settings.timezone),
})

/**
 * Tells if an event is over, which it is from its end on. Of one without a length nobody knows when it ends, so it is over once its
 * day is.
 */
export const isOver = (
  { context }: Site,
  { utc_start_date: start, utc_end_date: end }: Pick<EventTimes, 'utc_start_date' | 'utc_end_date'>,
): boolean => (end > start ? hasPassed(context, end) : start < beginningOfToday(context))

/** The time of an event in a list; both times with their zones if the event is in another zone. */
function timeIn(site: Site, shown: DatedEvent, day: string): Html {
  const { here, there } = timeTexts(site, { ...shown, day, zone: site.context.settings.timezone })
  const was = movedHere(site, shown.event)
  return html`<time datetime="${startOf(shown.event)}">${here}</time>${there && html`<span class="line small">${there}</span>`}${was && html`<span class="line small">${was}</span>`}`
}

/** When an event was to be before it was moved, in the zone of the site; '' for one that was not. */
export const movedHere = (site: Site, event: Movable): string =>
  movedWords(site, event, site.context.settings.timezone)

/** The machine-readable start of an event. */
export const startOf = (event: Pick<ListedEvent, 'all_day' | 'start_date' | 'utc_start_date'>): string =>
  event.all_day ? event.start_date.slice(0, 10) : isoWithOffset(event.start_date, event.utc_start_date)

/** The venues of an event: none, one or several. */
export const venuesOf = ({ venue }: EventResponse) => [venue].flat()

const EXCERPT = 160

const ROW = { shown: '(min-width: 48rem) 240px, 96px', width: 240, height: 160 }

/** The day that the tile of an event shows: that of its start or, once it has begun, the last one. */
const tileDay = ({ firstDay, lastDay }: SiteTimes, day: string): string =>
  firstDay < day ? lastDay : firstDay

/** An event in a list, below the heading of a day. */
export function eventItem(site: Site, shown: DatedEvent, day: string, level: 'h2' | 'h3' = 'h3'): Html {
  const { event, times } = shown
  const { words, dates } = site
  const { venue } = event
  const text = summary(event.text, EXCERPT)
  const link = html`<a href="${eventPath(site, event)}">${nameOf(event.title, event.slug)}<span class="hidden">, ${dates.format('day', `${times.firstDay} 00:00:00`)}</span></a>`
  const title = html`${link}${badges(site, event).map(each => html` ${each}`)}`
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
${category && html`<li class="category ${hueOf(category)}">${plain(category.name)}</li>`}
${price && html`<li>${price === site.words.free ? badge(price, 'good') : price}</li>`}
</ul>`
}

const CARD = { shown: '(min-width: 48rem) 640px, 88vw', width: 640, height: 400 }

/** A featured event as a large card: its image or tile, with the words on it. */
function featureCard(site: Site, shown: DatedEvent): Html {
  const { event, times } = shown
  const { start, end, firstDay, lastDay } = times
  const day = (wall: DateTime): string => site.dates.format('shortDay', wall)
  const when =
    firstDay === lastDay ? site.dates.moment('shortDay', start, event.all_day) : `${day(start)} – ${day(end)}`
  return html`<article class="feature ${hueOf(event.category)}${isOff(event.event_status) && ' is-off'}">${eventPicture(site, event, firstDay, CARD)}
<div class="feature-text"><p class="event-time">${when}</p>
<h2 class="feature-title"><a href="${eventPath(site, event)}">${nameOf(event.title, event.slug)}</a>${badges(site, event).map(each => html` ${each}`)}</h2>
<p>${inLine([event.venue.name, event.venue.city])}</p></div></article>`
}

const THUMB = { shown: '64px', width: 64, height: 64 }

/** What has begun and runs on for days, in a block of its own. */
export function ongoingBlock(
  site: Site,
  events: readonly DatedEvent[],
  heading: string = site.words.ongoing,
): Html {
  const { words, dates } = site
  return html`<section class="ongoing" aria-labelledby="ongoing"><div><h2 id="ongoing">${heading}</h2>
<ul>${events.map(shown => {
    const { event, times } = shown
    const until = filled(words.until, { date: dates.format('shortDay', `${times.lastDay} 00:00:00`) })
    return html`<li class="${isOff(event.event_status) && 'is-off'}">${eventPicture(site, event, times.lastDay, THUMB)}
<div><h3><a href="${eventPath(site, event)}">${nameOf(event.title, event.slug)}</a>${badges(site, event).map(each => html` ${each}`)}</h3>
<p>${until}</p><p class="small">${inLine([event.venue.name])}</p></div></li>`
  })}</ul></div></section>`
}

type EventLine = {
  time: string
  /** The day of the event, for the name of the link if no heading says it. */
  day?: string
  /** Texts behind the title, such as the cost; '' for none. */
  notes?: readonly string[]
}

/** An event in one line: when it is, its title with badges, and notes. */
export function lineItem(site: Site, event: EventSummary, { time, day, notes = [] }: EventLine): Html {
  const more = [movedHere(site, event), ...notes].filter(note => note !== '').join(' · ')
  return html`<li class="event-line${isOff(event.event_status) && ' is-off'}"><time datetime="${startOf(event)}">${time}</time> <span><a href="${eventPath(site, event)}">${nameOf(event.title, event.slug)}${day && html`<span class="hidden">, ${day}</span>`}</a>${badges(site, event).map(each => html` ${each}`)}${more && html` <span class="small">${more}</span>`}</span></li>`
}

type Group = { key: string; events: DatedEvent[] }

/** The events of a list by day, and those that have begun and run on for days. */
type Agenda = { days: Group[]; ongoing: DatedEvent[] }

/** The number of days from which on an event that has begun stands among the ongoing ones, not on each list's first day. */
const ONGOING_DAYS = 7

const daysBetween = (first: string, last: string): number =>
  dayNumber(`${last} 00:00:00`) - dayNumber(`${first} 00:00:00`)

/**
 * Groups events by day. Events that began before the list's first day belong to that day or, if they last for a week or
 * more, to the ongoing ones; lists of the past only use the day of the start.
 *
 * @param since the first day of the list; undefined for the past
 */
export function grouped(site: Site, events: readonly ListedEvent[], since: string | undefined): Agenda {
  const groups = new Map<string, Group>()
  const ongoing: DatedEvent[] = []
  for (const event of events) {
    const shown = dated(site, event)
    const { firstDay, lastDay } = shown.times
    // An all-day event belongs to its own days, even if they have ended in the site's zone.
    const isOn = since !== undefined && firstDay < since && lastDay >= since
    if (isOn && daysBetween(firstDay, lastDay) >= ONGOING_DAYS) {
      ongoing.push(shown)
      continue
    }
    const key = isOn ? since : firstDay
    const group = groups.get(key) ?? { key, events: [] }
    group.events.push(shown)
    groups.set(key, group)
  }
  // All-day events in other zones start earlier or later than days of the site, so they may be out of order.
  const isPast = since === undefined
  return { days: [...groups.values()].sort((a, b) => (a.key < b.key !== isPast ? -1 : 1)), ongoing }
}

/** The most featured events that stand out of a list, and the events that a list has at least for them to stand out of. */
const FEATURES = 2
const ENOUGH = 5

/** The days of a list with their events, what is ongoing, and, if the list asks for them, cards of what is featured. */
export function eventGroups(
  site: Site,
  { days: [first, ...days], ongoing }: Agenda,
  { hasFeatures = false } = {},
): Html {
  const later = days.flatMap(({ events }) => events)
  const features =
    hasFeatures && later.length >= ENOUGH
      ? later.filter(({ event }) => event.featured).slice(0, FEATURES)
      : []
  return html`<div class="agenda${ongoing.length > 0 && ' has-ongoing'}">
<div class="agenda-first">${first && daySection(site, first, 0)}</div>
${ongoing.length > 0 && ongoingBlock(site, ongoing)}
<div class="agenda-rest">${features.length > 0 && html`<div class="features">${features.map(shown => featureCard(site, shown))}</div>`}
${days.map((group, i) => daySection(site, group, i + 1))}</div>
</div>`
}

/** A day with its events. Today's that are over fold into a line below the others. */
function daySection(site: Site, { key, events }: Group, i: number): Html {
  const isToday = key === site.today.slice(0, 10)
  const over = isToday ? events.filter(({ event }) => isOver(site, event)) : []
  const items = (shown: readonly DatedEvent[]): Html =>
    html`<ol class="events">${shown.map(one => eventItem(site, one, key))}</ol>`
  const rest = events.filter(shown => !over.includes(shown))
  return html`<section class="day" aria-labelledby="day-${i}">
<h2 class="day-heading${isToday && ' is-today'}" id="day-${i}">${dayHeading(site, key)}</h2>
<div>${rest.length > 0 && items(rest)}${over.length > 0 && html`<details class="earlier"><summary>${counted({ site }, site.words, 'earlierToday', over.length)}</summary>${items(over)}</details>`}</div>
</section>`
}

/** The heading of a day, with weekday and date on two lines if there is room. Today and tomorrow are called so. */
function dayHeading({ words, dates, today }: Site, key: string): Html {
  const wall = `${key} 00:00:00`
  const near = wall === today ? words.today : wall === addDays(today, 1) ? words.tomorrow : undefined
  const [name, date] = near
    ? [near, capitalized(dates.format('dayInMonth', wall))]
    : [capitalized(dates.format('longWeekday', wall)), dates.format('date', wall)]
  return html`<time datetime="${key}"><span class="weekday">${name}<span class="hidden">,</span></span> <span class="date">${date}</span></time>`
}
