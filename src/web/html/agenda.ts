import { capitalized } from '../../lib/text.ts'
import { addDays, dayNumber } from '../../lib/time.ts'
import type { ListedEvent } from '../../resources/events/listed.ts'
import { isOver } from './badges.ts'
import { featureCard, ongoingBlock } from './cards.ts'
import { type DatedEvent, dated, eventItem } from './events.ts'
import { type Html, html } from './html.ts'
import { counted, type Site } from './site.ts'

// A list of events by day, with featured and ongoing events.

type Group = { key: string; events: DatedEvent[] }

/** The events of a list by day, and the ongoing ones, which began earlier and run on for days. */
type Agenda = { days: Group[]; ongoing: DatedEvent[] }

/** The length in days from which on a running event is an ongoing one. Shorter ones stand on the list's first day. */
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

/** The most featured events that a list shows as large cards, and the number of events that it has at least if it shows any. */
const FEATURES = 2
const ENOUGH = 5

/** The days of a list with their events, the ongoing events and, if the list asks for them, cards of featured events. */
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

/** A day with its events. Events of today that are over fold into a line below the others. */
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
