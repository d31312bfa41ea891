import { UNVOUCHED } from '../../lib/html.ts'
import type { DateTime } from '../../lib/time.ts'
import { eventPath } from '../../resources/events/listed.ts'
import type { EventResponse } from '../../resources/events/schema.ts'
import { remarkPath } from '../../resources/submissions/routes.ts'
import { storedCostWords } from '../../words/cost.ts'
import { isOff, statusWord } from '../../words/events.ts'
import { filled } from '../../words/words.ts'
import { type Around, others, type ProgrammePart } from './around.ts'
import { dated, isOver, lineItem, movedHere, venuesOf } from './events.ts'
import { eventFacts, eventTermLists } from './facts.ts'
import { eventCalendar, googleAddress, menuButton, outlookAddress, subscribeMenu } from './feeds.ts'
import {
  backLink,
  type Html,
  html,
  type IconName,
  icon,
  imageAttributes,
  pager,
  raw,
  type Step,
} from './html.ts'
import type { EventSummary } from './queries.ts'
import { linkTo, type Site } from './site.ts'
import { nameOf, plain, richText } from './text.ts'

/**
 * The article of one event.
 *
 * @param dates other dates of its series
 * @param around absent for a preview, which has no links to the event's own addresses
 */
export function eventArticle(
  site: Site,
  event: EventResponse,
  dates: readonly EventSummary[],
  around?: Pick<Around, 'before' | 'after' | 'atVenue' | 'inCategory' | 'programme' | 'parent'>,
): Html {
  const { words } = site
  const title = nameOf(event.title, event.slug)
  return html`${backLink('/events/', words.events)}
<article class="single">
${status(site, event)}
${overNote(site, event, dates)}
<header class="single-head">${event.featured && html`<p class="badge">${words.featured}</p>`}<h1>${title}</h1>${parentLine(site, around?.parent)}</header>
<aside class="single-side" aria-label="${words.details}">
${eventFacts(site, event)}
${actions(site, event, around !== undefined)}
</aside>
<div class="single-main">
${event.image && singleImage(event.image)}
${event.description && html`<div class="rich">${raw(richText(event.description))}</div>`}
${programmeSection(site, around?.programme ?? [])}
${eventTermLists(site, event)}
${otherDates(site, event, dates, around)}
${around && sharing(site, event)}
${around && tellEditors(site, event)}
</div>
</article>
${around && moreSections(site, event, around)}`
}

/** A notice at the top for an event that does not take place as announced. */
function status(site: Site, { event_status, event_status_reason }: EventResponse): Html | '' {
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
function overNote(site: Site, event: EventResponse, [next]: readonly EventSummary[]): Html | '' {
  if (isOff(event.event_status) || !isOver(site, event)) return ''
  const { words } = site
  return html`<div class="notice" role="note"><p><strong>${words.isOver}</strong></p>${next && html`<p>${words.nextDate} <a href="${eventPath(site, next)}">${momentOf(site, next)}</a></p>`}</div>`
}

function singleImage(image: Exclude<EventResponse['image'], false>): Html {
  const size = image.width && image.height ? html` width="${image.width}" height="${image.height}"` : ''
  return html`<img class="single-image" ${imageAttributes(image, { shown: '(min-width: 60rem) 40rem, 100vw', isCut: false })}${size} fetchpriority="high" decoding="async">`
}

/** The main actions: tickets or joining, the calendar, and subscribing to the series. A cancelled or past event only keeps the last one. */
function actions(site: Site, event: EventResponse, isPublic: boolean): Html | '' {
  const { words } = site
  const isVain = isOff(event.event_status) || isOver(site, event)
  const first = isVain ? undefined : firstAction(site, event)
  const add = menuButton({
    name: 'calendar',
    text: words.addTo,
    isQuiet: first !== undefined,
    items: [
      html`<a href="${linkTo(site, eventCalendar(site, event))}">${words.calendarFile}</a>`,
      html`<a href="${googleAddress(event)}" rel="noopener">Google Calendar</a>`,
      html`<a href="${outlookAddress(event)}" rel="noopener">Outlook.com</a>`,
    ],
  })
  if (isVain && !event.series) return ''
  if (!isPublic) return first ? html`<div class="actions">${first}</div>` : ''
  return html`<div class="actions">${first}${!isVain && add}${event.series && seriesMenu(site, event, event.series.id)}</div>`
}

function firstAction({ words }: Site, event: EventResponse): Html | undefined {
  const { ticketed, website, is_virtual, virtual_url } = event
  const button = (address: string, name: IconName, text: string): Html =>
    html`<a class="button" href="${address}" rel="${UNVOUCHED}">${icon(name)}<span>${text}</span></a>`
  if (ticketed && website) return button(website, 'ticket', words.tickets)
  return is_virtual && virtual_url ? button(virtual_url, 'online', words.join) : undefined
}

function seriesMenu(site: Site, event: EventResponse, series: number): Html {
  const name = nameOf(event.title, event.slug)
  const note = filled(site.words.subscribeSeries, { name })
  return subscribeMenu(site, { filters: { series: [series] }, name, note })
}

/** Links for sharing. With scripts, there are also the sharing of the device and a button to print. */
function sharing({ words }: Site, event: EventResponse): Html {
  const title = nameOf(event.title, event.slug)
  const mail = `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(event.url)}`
  return html`<div class="sharing"><h2>${words.share}</h2><ul>
<li hidden><button class="link-button" type="button" data-share="${event.url}" data-title="${title}">${icon('share')}<span>${words.share}</span></button></li>
<li><a href="${mail}">${words.byEmail}</a></li>
<li hidden><button class="link-button" type="button" data-copy="${event.url}" data-done="${words.copied}">${words.copyLink}</button></li>
<li hidden><button class="link-button" type="button" data-print>${words.print}</button></li>
</ul></div>`
}

/** The link to the form with which visitors tell the editors what is wrong with an event. */
const tellEditors = ({ words, context }: Site, { id }: EventResponse): Html | '' =>
  context.settings.submissions.isOn
    ? html`<p class="tell-editors small"><a href="${remarkPath(id)}" rel="nofollow">${words.tellEditors}</a></p>`
    : ''

function otherDates(
  site: Site,
  event: EventResponse,
  coming: readonly EventSummary[],
  beside: Pick<Around, 'before' | 'after'> | undefined,
): Html | '' {
  if (!event.series) return ''
  const { words } = site
  const base = coming[0]?.series?.slug ?? seriesIn(event.url)
  const step = (row: EventSummary | undefined): Step =>
    row && { address: eventPath(site, row), text: site.dates.format('shortDay', dayIn(site, row)) }
  const { before, after } = beside ?? {}
  // From a date to come, nobody is led to one that is over.
  const earlier = before && isOver(site, before) && !isOver(site, event) ? undefined : before
  return html`<section class="other-dates"><h2>${words.otherDates}</h2>${dateList(site, coming)}
${base && html`<p><a href="${site.base}/event/${encodeURIComponent(base)}/all/">${words.allDates}</a></p>`}
${(earlier || after) && pager(words.otherDates, { before: step(earlier), after: step(after) })}</section>`
}

/** Further events at the venue of an event, and in its category. */
function moreSections(
  site: Site,
  event: EventResponse,
  { atVenue, inCategory }: Pick<Around, 'atVenue' | 'inCategory'>,
): Html {
  const { words } = site
  const section = (heading: string, rows: Around['atVenue'], ids: readonly { id: number }[]): Html | '' => {
    const isOwn = ids.some(({ id }) => id === rows[0]?.target)
    const shown = isOwn ? others(rows, event) : []
    if (shown.length === 0) return ''
    return html`<section class="more"><h2>${heading}</h2><ul>${shown.map(
      row =>
        html`<li><a href="${eventPath(site, row)}">${nameOf(row.title, row.slug)}</a> <span class="small">${momentOf(site, row)}</span></li>`,
    )}</ul></section>`
  }
  // A venue that is not public is missing from the response of the event.
  return html`<div class="mores">${section(words.moreAtVenue, atVenue, venuesOf(event))}${section(words.moreInCategory, inCategory, event.categories)}</div>`
}

/** The start of an event in the site's zone, which is a day for an all-day event. */
const dayIn = (site: Site, row: EventSummary): DateTime => dated(site, row).times.start

const momentOf = (site: Site, row: EventSummary): string =>
  site.dates.moment('shortDay', dayIn(site, row), row.all_day)

/** The slug of the series in the address of one of its dates; undefined for a date with a slug of its own. */
const seriesIn = (address: string): string | undefined =>
  decodeURIComponent(address.match(/\/event\/([^/]+)\/[^/]+\/$/)?.[1] ?? '')

/** The dates of a series with links to their pages. */
export const dateList = (site: Site, rows: readonly EventSummary[]): Html =>
  html`<ul class="dates">${rows.map(row => {
    const status = statusWord(site, row.event_status)
    const was = movedHere(site, row)
    return html`<li><a href="${eventPath(site, row)}">${site.dates.format('day', dayIn(site, row))}</a>${!row.all_day && html` <span class="time">${site.dates.clock(dayIn(site, row))}</span>`}${was && html` <span class="small">${was}</span>`}${status && html` <span class="badge badge-alert">${status}</span>`}</li>`
  })}</ul>`

/** The line of a part that leads to the event it belongs to. */
const parentLine = (site: Site, parent: EventSummary | undefined): Html | '' =>
  parent === undefined
    ? ''
    : html`<p class="part-of">${filled(site.words.partOf, { name: '' })}<a href="${eventPath(site, parent)}">${nameOf(parent.title, parent.slug)}</a></p>`

/** The programme of an event by day and place. */
function programmeSection(site: Site, parts: readonly ProgrammePart[]): Html | '' {
  if (parts.length === 0) return ''
  const { words, dates, context } = site
  const days = [
    ...Map.groupBy(
      parts.map(part => dated(site, part)),
      ({ times }) => times.firstDay,
    ),
  ]
  return html`<section class="programme" aria-labelledby="programme"><h2 id="programme">${words.programme}</h2>
${days.map(
  ([day, events]) => html`<h3>${dates.format('day', `${day} 00:00:00`)}</h3>
${[...Map.groupBy(events, ({ event }) => event.venue)].map(
  ([venue, here]) =>
    html`${venue && html`<h4>${plain(venue)}</h4>`}<ol>${here.map(({ event: part, times }) =>
      lineItem(site, part, {
        time: part.all_day ? words.allDay : dates.clock(times.start),
        // Nobody buys a ticket of a cancelled part.
        notes: isOff(part.event_status)
          ? []
          : [storedCostWords(site.language, part.cost, context.settings.currency)],
      }),
    )}</ol>`,
)}`,
)}</section>`
}
