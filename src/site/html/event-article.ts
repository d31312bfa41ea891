import { eventPath } from '../../calendar/events/listed-events.ts'
import type { EventResponse } from '../../calendar/events/schema.ts'
import { UNVOUCHED } from '../../kit/lib/html.ts'
import { takesPlace } from '../../kit/lib/statuses.ts'
import { type DateTime, type EventTimes, startOfDay } from '../../kit/lib/time.ts'
import { statusWord } from '../../words/events.ts'
import { filled } from '../../words/words.ts'
import { addMenu } from './calendar-menus.ts'
import { eventCard } from './cards.ts'
import { badges, eventHook, isOver, venuesOf, withTimes } from './events.ts'
import { eventTermLists, mainFacts, moreFacts, movableEvent, ruleInWords, venueMap } from './facts.ts'
import { subscribeMenu } from './feeds.ts'
import {
  backLink,
  type Html,
  html,
  type IconName,
  icon,
  imageAttributes,
  type PagerLink,
  pager,
  paperLink,
  raw,
} from './html.ts'
import { countedText, linkTo, type PageContext } from './page-context.ts'
import { hueClass, isBanner, isPoster } from './picture.ts'
import { programme } from './programme.ts'
import type { EventSummary } from './queries.ts'
import { otherEvents, type RelatedEvents } from './related-events.ts'
import type { EventAction } from './slots.ts'
import { nameOf, plain, richText } from './text.ts'
import { dayText, shortMoment } from './when.ts'

/**
 * The length of a title, in characters, from which it is set smaller, so that the date below it is on the
 * first screen.
 */
const MAX_LARGE_TITLE_LENGTH = 80

/**
 * The article of one event.
 *
 * @param dates other dates of its series
 * @param relatedEvents absent for a preview, which has no links to the event's own addresses
 * @param additions what features add: parts, and first buttons
 */
export function eventArticle(
  site: PageContext,
  event: EventResponse,
  dates: readonly EventSummary[],
  relatedEvents?: RelatedEvents,
  additions: { parts?: readonly (Html | '')[]; actions?: readonly (EventAction | '')[] } = {},
): Html {
  const { words } = site
  const action = additions.actions?.find(each => each !== '') || undefined
  // Once nobody can register, the number of places left helps nobody. Only “sold out” is still shown.
  const shownEvent: EventResponse =
    action?.isOpen === false && event.ticket_availability !== 'sold_out'
      ? { ...event, ticket_availability: '' }
      : event
  const join = joinButton(site, event)
  const firstButton = isCanceledOrOver(site, event)
    ? undefined
    : (action?.button ?? ticketsButton(site, event) ?? join)
  const title = nameOf(event.title, event.slug)
  const parts = relatedEvents?.programme ?? []
  const main = [
    event.description && html`<div class="rich">${raw(richText(event.description))}</div>`,
    programme(
      site,
      parts,
      venuesOf(event).map(({ venue }) => venue),
    ),
    otherDates(site, event, dates, relatedEvents),
  ].filter(Boolean)
  return html`${backLink('/events/', words.events)}
${statusNotice(site, event)}
${overNote(site, event, dates)}
<article class="single"${relatedEvents && !event.hide_from_listings && eventAttributes(event)}>
<header class="single-head">${categoryLine(site, event)}<h1${title.length > MAX_LARGE_TITLE_LENGTH && html` class="is-long"`}>${title}${badges(site, movableEvent(shownEvent), isOver(site, event))}</h1>${parentLine(site, relatedEvents?.parent)}</header>
${articleImage(event)}
<div class="single-facts">
${mainFacts(site, shownEvent, { course: relatedEvents?.course, hasJoinButton: firstButton !== undefined && firstButton === join })}
${mainActions(site, event, relatedEvents !== undefined, firstButton)}
${parts.length > 0 && html`<p class="part-of small">${countedText({ site }, words, 'parts', parts.length)} · <a href="#programme">${words.toProgramme}</a></p>`}
</div>
${main.length > 0 && html`<div class="single-main">${main}</div>`}
<aside class="single-side" aria-label="${words.details}">
${venuesOf(event)
  .slice(0, 1)
  .map(venue => venueMap(site, venue))}
${moreFacts(site, event)}
${eventTermLists(site, event)}
${relatedEvents && shareLinks(site, event)}
${additions.parts}
</aside>
</article>
${relatedEvents && paperLink(event.url)}
${relatedEvents && moreSections(site, event, relatedEvents)}`
}

const eventAttributes = (event: EventResponse): Html =>
  eventHook({ ...event, series_id: event.series?.id ?? null })

/** The first category, above the title. */
function categoryLine(site: PageContext, { categories: [first] }: EventResponse): Html | '' {
  return first
    ? html`<p class="category ${hueClass(first)}"><a href="${linkTo(site, first.url)}">${plain(first.name)}</a></p>`
    : ''
}

/** A notice at the top for an event that does not take place as announced. */
function statusNotice(site: PageContext, { event_status, event_status_reason }: EventResponse): Html | '' {
  const { words } = site
  const word = statusWord(site, event_status)
  if (!word) return ''
  const texts: Readonly<Record<string, string>> = {
    canceled: words.cancelledText,
    postponed: words.postponedText,
  }
  const text = texts[event_status] ?? words.rescheduledText
  return html`<div class="notice notice-alert" role="note"><p><strong>${text}</strong></p>${event_status_reason && html`<p>${plain(event_status_reason)}</p>`}</div>`
}

/** A notice for an event that is over, with the next date of its series. */
function overNote(site: PageContext, event: EventResponse, nextDates: readonly EventSummary[]): Html | '' {
  if (!takesPlace(event.event_status) || !isOver(site, event)) return ''
  const { words } = site
  const next = nextDates.find(({ event_status }) => takesPlace(event_status))
  return html`<div class="notice" role="note"><p><strong>${words.isOver}</strong></p>${next && html`<p>${words.nextDate} <a href="${eventPath(site, next)}">${momentOf(site, next)}</a></p>`}</div>`
}

/** The image of an event. Posters and banners are shown whole, in front of a blurred copy. */
function articleImage({ image }: EventResponse): Html | '' {
  if (!image) return ''
  const { width, height } = image
  const shape = isPoster(image) ? ' is-poster' : isBanner(image) && ' is-banner'
  const size = width && height ? html` width="${width}" height="${height}"` : ''
  const attributes = imageAttributes(image, { sizes: '(min-width: 60rem) 52rem, 100vw', isCut: false })
  return html`<div class="single-image${shape}">${shape && html`<img class="backdrop" src="${image.sizes.thumbnail?.url ?? image.url}" alt="" aria-hidden="true" decoding="async">`}<img ${attributes}${size} fetchpriority="high" decoding="async"></div>`
}

const isCanceledOrOver = (site: PageContext, event: EventResponse): boolean =>
  event.event_status === 'canceled' || isOver(site, event)

/**
 * The main actions: tickets or joining, the calendar, and subscribing to the series. A cancelled or past
 * event only keeps the last one.
 */
function mainActions(
  site: PageContext,
  event: EventResponse,
  isPublic: boolean,
  firstButton: Html | undefined,
): Html | '' {
  const add =
    !isCanceledOrOver(site, event) && isPublic && addMenu(site, event, { isQuiet: firstButton !== undefined })
  const series = event.series && isPublic && seriesMenu(site, event, event.series.id)
  return firstButton || add || series ? html`<div class="actions">${firstButton}${add}${series}</div>` : ''
}

const outsideButton = (address: string, name: IconName, text: string): Html =>
  html`<a class="button" href="${address}" rel="${UNVOUCHED}">${icon(name)}<span>${text}</span></a>`

const ticketsButton = ({ words }: PageContext, { ticketed, website }: EventResponse): Html | undefined =>
  ticketed && website ? outsideButton(website, 'ticket', words.tickets) : undefined

const joinButton = ({ words }: PageContext, event: EventResponse): Html | undefined =>
  event.is_virtual && event.virtual_url ? outsideButton(event.virtual_url, 'online', words.join) : undefined

const seriesMenu = (site: PageContext, event: EventResponse, series: number): Html | '' =>
  subscribeMenu(site, { filters: { series: [series] }, name: nameOf(event.title, event.slug) })

/** Links for sharing. With scripts, there are also the sharing of the device and a button to print. */
function shareLinks({ words }: PageContext, event: EventResponse): Html {
  const title = nameOf(event.title, event.slug)
  const mail = `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(event.url)}`
  return html`<div class="sharing"><h2>${words.share}</h2><ul>
<li hidden><button class="link-button" type="button" data-share="${event.url}" data-title="${title}">${icon('share')}<span>${words.share}</span></button></li>
<li><a href="${mail}">${words.byEmail}</a></li>
<li hidden><button class="link-button" type="button" data-copy="${event.url}" data-done="${words.copied}">${words.copyLink}</button></li>
<li hidden><button class="link-button" type="button" data-print>${words.print}</button></li>
</ul></div>`
}

function otherDates(
  site: PageContext,
  event: EventResponse,
  comingEvents: readonly EventSummary[],
  neighbours: Pick<RelatedEvents, 'before' | 'after' | 'course'> | undefined,
): Html | '' {
  if (!event.series) return ''
  const { words } = site
  const seriesSlug = comingEvents[0]?.series?.slug ?? seriesIn(event.url)
  const { before, after, course } = neighbours ?? {}
  const dayStart = (row: EventTimes): string => startOfDay(withTimes(site, row).times.start)
  const shownRows = [before, after, ...comingEvents].flatMap(row => (row && row.id !== event.id ? [row] : []))
  const isOneOfSeveralOnDay = (row: EventSummary): boolean =>
    dayStart(row) === dayStart(event) ||
    shownRows.some(other => other.id !== row.id && dayStart(other) === dayStart(row))
  const step = (row: EventSummary | undefined): PagerLink =>
    row && {
      address: eventPath(site, row),
      text: isOneOfSeveralOnDay(row) ? momentOf(site, row) : dayText(site, 'shortDay', shownStart(site, row)),
    }
  // The number of dates is among the facts. Where a series was split, the other dates may have another rule.
  const areOfOneRule = comingEvents.every(row => row.series_id === event.series?.id)
  const rule = course && course.heldCount > 1 && areOfOneRule && ruleInWords(site, event)
  // A date to come has no link to dates that are over.
  const earlier = before && isOver(site, before) && !isOver(site, event) ? undefined : before
  return html`<section class="other-dates"><h2>${words.otherDates}</h2>${rule && html`<p>${rule}</p>`}${dateList(site, comingEvents, event.title)}
${seriesSlug && html`<p><a href="${site.base}/event/${encodeURIComponent(seriesSlug)}/all/">${words.allDates}</a></p>`}
${pager(words.otherDates, { before: step(earlier), after: step(after) })}</section>`
}

/** Further events at the venue of an event, and in its category, each once. */
function moreSections(site: PageContext, event: EventResponse, { atVenue, inCategory }: RelatedEvents): Html {
  const { words } = site
  const isOfEvent = (rows: RelatedEvents['atVenue'], ids: readonly { id: number }[]): boolean =>
    ids.some(({ id }) => id === rows[0]?.target)
  // A venue that is not public is missing from the response of the event.
  const eventsHere = isOfEvent(atVenue, venuesOf(event)) ? otherEvents(atVenue) : []
  const eventsOfCategory = isOfEvent(inCategory, event.categories) ? otherEvents(inCategory, eventsHere) : []
  const section = (heading: string, rows: RelatedEvents['atVenue']): Html | '' =>
    rows.length > 0
      ? html`<section class="more"><h2>${heading}</h2><ul class="event-cards">${rows.map(row => eventCard(site, withTimes(site, row)))}</ul></section>`
      : ''
  return html`${section(words.moreAtVenue, eventsHere)}${section(words.moreInCategory, eventsOfCategory)}`
}

/** The start of an event in the site's zone, which is a day for an all-day event. */
const shownStart = (site: PageContext, row: EventSummary): DateTime => withTimes(site, row).times.start

const momentOf = (site: PageContext, row: EventSummary): string =>
  shortMoment(site, shownStart(site, row), row.all_day)

/** The slug of the series in the address of one of its dates; '' for a date with a slug of its own. */
const seriesIn = (address: string): string =>
  decodeURIComponent(address.match(/\/event\/([^/]+)\/[^/]+\/$/)?.[1] ?? '')

/**
 * The dates of a series with links to their pages. @param title the page's; dates with another one are named
 */
export const dateList = (site: PageContext, rows: readonly EventSummary[], title?: string): Html =>
  html`<ul class="dates">${rows.map(
    row =>
      html`<li><a href="${eventPath(site, row)}">${site.dates.format('day', shownStart(site, row))}</a>${!row.all_day && html` <span class="time">${site.dates.clock(shownStart(site, row))}</span>`}${title !== undefined && plain(row.title) !== plain(title) && html` <span class="small">${nameOf(row.title, row.slug)}</span>`}${badges(site, row)}</li>`,
  )}</ul>`

/** The line of a part that leads to the event it belongs to. */
const parentLine = (site: PageContext, parent: EventSummary | undefined): Html | '' =>
  parent === undefined
    ? ''
    : html`<p class="part-of">${filled(site.words.partOf, { name: '' })}<a href="${eventPath(site, parent)}">${nameOf(parent.title, parent.slug)}</a></p>`
