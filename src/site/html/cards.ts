import { eventPath, type ListedEvent } from '../../calendar/events/listed-events.ts'
import { type Day, lastExpectedDay } from '../../kit/lib/time.ts'
import { spanStyle } from '../../words/dates.ts'
import { timeWords } from '../../words/events.ts'
import { badges, type DatedEvent, eventHook, startOf, withTimes } from './events.ts'
import { type Html, html } from './html.ts'
import type { PageContext } from './page-context.ts'
import { dayTile, eventPicture, hueClass, initialTile } from './picture.ts'
import { inLine, markWords, nameOf, placeLine } from './text.ts'
import { shortMoment } from './when.ts'

// Events as cards: large ones for featured events, and small ones below the page of an event.

const CARD_IMAGE = { sizes: '(min-width: 48rem) 280px, 70vw', width: 280, height: 160 }

/** When an event is, in a line: its day and time, or its days. */
function whenLine(site: PageContext, { event, times }: DatedEvent): string {
  const { start, firstDay } = times
  const lastDay = lastExpectedDay(times)
  if (firstDay === lastDay) return shortMoment(site, start, event.all_day)
  const style = spanStyle(firstDay, lastDay, site.today)
  return `${site.dates.format(style, firstDay)} – ${site.dates.format(style, lastDay)}`
}

/** An event as a card: its image or tile, when and where it is. */
export function eventCard(site: PageContext, datedEvent: DatedEvent): Html {
  const { event, times } = datedEvent
  return html`<li class="event-card${event.event_status === 'canceled' && ' is-off'}"${eventHook(event)}>${eventPicture(site, event, CARD_IMAGE, dayTile(site, event, times.firstDay))}
<div class="card-text"><p class="event-time"><time datetime="${startOf(event)}">${whenLine(site, datedEvent)}</time></p>
<h3 class="card-title"><a href="${eventPath(site, event)}">${nameOf(event.title, event.slug)}</a>${badges(site, event)}</h3>
<p class="small">${inLine([event.venue.name])}</p></div></li>`
}

/** Events as a row of cards below a heading, with a note and a link to all of them. */
export const eventCards = (
  site: PageContext,
  heading: string,
  events: readonly ListedEvent[],
  { note, allLink }: { note: string; allLink: { address: string; text: string } },
): Html =>
  html`<section class="more"><h2>${heading}</h2><p class="small">${note}</p>
<ul class="event-cards">${events.map(event => eventCard(site, withTimes(site, event)))}</ul>
<p><a href="${allLink.address}">${allLink.text}</a></p></section>`

const FEATURE_IMAGE = { sizes: '(min-width: 48rem) 640px, 88vw', width: 640, height: 400 }

/** A featured event as a large card: its image or tile, with its texts on it. */
export function featureCard(site: PageContext, datedEvent: DatedEvent): Html {
  const { event } = datedEvent
  return html`<article class="feature ${hueClass(event.category)}${event.event_status === 'canceled' && ' is-off'}"${eventHook(event)}>${eventPicture(site, event, FEATURE_IMAGE)}
<div class="feature-text"><p class="event-time">${whenLine(site, datedEvent)}</p>
<h2 class="feature-title"><a href="${eventPath(site, event)}">${nameOf(event.title, event.slug)}</a>${badges(site, event)}</h2>
<p>${placeLine(event.venue)}</p></div></article>`
}

const THUMBNAIL_IMAGE = { sizes: '64px', width: 64, height: 64 }

/** The events that run on, with the last day of each; on that day, with its time. */
export function ongoingBlock(
  site: PageContext,
  events: readonly DatedEvent[],
  day: Day,
  marks: readonly string[] = [],
): Html {
  const { words } = site
  return html`<section class="ongoing" aria-labelledby="ongoing"><div><h2 id="ongoing">${words.ongoing}</h2>
<ul>${events.map(datedEvent => {
    const { event } = datedEvent
    const name = nameOf(event.title, event.slug)
    return html`<li class="${event.event_status === 'canceled' && 'is-off'}"${eventHook(event)}>${eventPicture(site, event, THUMBNAIL_IMAGE, initialTile(event, name))}
<div><h3><a href="${eventPath(site, event)}">${markWords(name, marks)}</a>${badges(site, event)}</h3>
<p>${timeWords(site, { ...datedEvent, day })}</p><p class="small">${inLine([event.venue.name])}</p></div></li>`
  })}</ul></div></section>`
}
