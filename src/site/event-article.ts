import { googleAddress, outlookAddress } from './calendar-links.ts'
import { type ShownEvent, statusWord } from './events.ts'
import { eventFacts, eventTerms } from './facts.ts'
import { eventCalendar } from './feeds.ts'
import { type Html, html, raw } from './html.ts'
import { icon } from './icons.ts'
import { sources } from './images.ts'
import type { LeanEvent } from './lean-events.ts'
import { menuButton } from './menu.ts'
import { pathOf } from './occurrences.ts'
import { linkTo, type Site } from './site.ts'
import { nameOf, plain, richText } from './text.ts'

/** The page of one event, below the head of the site. */
export function eventArticle(site: Site, event: ShownEvent, others: readonly LeanEvent[]): Html {
  const { words } = site
  const title = nameOf(event.title, event.slug)
  return html`<p class="back"><a href="/events/">${icon('previous')}<span>${words.events}</span></a></p>
<article class="single">
${status(site, event)}
<header class="single-head">${event.featured && html`<p class="badge">${words.featured}</p>`}<h1>${title}</h1></header>
<aside class="single-side" aria-label="${words.details}">
${eventFacts(site, event)}
${actions(site, event)}
</aside>
<div class="single-main">
${event.image && picture(event.image)}
${event.description && html`<div class="rich">${raw(richText(event.description))}</div>`}
${eventTerms(site, event)}
${otherDates(site, event, others)}
${sharing(site, event)}
</div>
</article>`
}

/** The note that an event does not take place as announced, which stands before anything else. */
function status(site: Site, { event_status, event_status_reason }: ShownEvent): Html | '' {
  const { words } = site
  const word = statusWord(site, event_status)
  if (!word) return ''
  const texts: Readonly<Record<string, string>> = {
    canceled: words.cancelledText,
    postponed: words.postponedText,
  }
  const text = texts[event_status ?? ''] ?? words.rescheduledText
  return html`<div class="notice notice-alert" role="note"><p><strong>${text}</strong></p>${event_status_reason && html`<p>${plain(event_status_reason)}</p>`}</div>`
}

function picture(image: Exclude<ShownEvent['image'], false>): Html {
  const size = image.width && image.height ? html` width="${image.width}" height="${image.height}"` : ''
  return html`<img class="single-picture" ${sources(image, { shown: '(min-width: 60rem) 40rem, 100vw', isCut: false })} alt=""${size} fetchpriority="high" decoding="async">`
}

function actions(site: Site, event: ShownEvent): Html {
  const { words } = site
  return html`<div class="actions">${menuButton({
    name: 'calendar',
    text: words.addTo,
    items: [
      html`<a href="${linkTo(site, eventCalendar(site, event))}">${words.calendarFile}</a>`,
      html`<a href="${googleAddress(event)}" rel="noopener">Google Calendar</a>`,
      html`<a href="${outlookAddress(event)}" rel="noopener">Outlook.com</a>`,
    ],
  })}</div>`
}

/** Links that work without scripts; with them there are the sharing of the device, and a button to print. */
function sharing({ words }: Site, event: ShownEvent): Html {
  const title = nameOf(event.title, event.slug)
  const mail = `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(event.url)}`
  return html`<div class="sharing"><h2>${words.share}</h2><ul>
<li hidden><button class="link-button" type="button" data-share="${event.url}" data-title="${title}">${icon('share')}<span>${words.share}</span></button></li>
<li><a href="${mail}">${words.byEmail}</a></li>
<li hidden><button class="link-button" type="button" data-copy="${event.url}" data-done="${words.copied}">${words.copyLink}</button></li>
<li hidden><button class="link-button" type="button" data-print>${words.print}</button></li>
</ul></div>`
}

function otherDates(site: Site, event: ShownEvent, others: readonly LeanEvent[]): Html | '' {
  if (!event.series) return ''
  const base = others[0]?.series?.slug ?? seriesIn(event.url)
  return html`<section class="other-dates"><h2>${site.words.otherDates}</h2>${dateList(site, others)}
${base && html`<p><a href="${site.base}/event/${encodeURIComponent(base)}/all/">${site.words.allDates}</a></p>`}</section>`
}

/** The slug of the series in the address of one of its dates; one with a slug of its own has none in it. */
const seriesIn = (address: string): string | undefined =>
  decodeURIComponent(address.match(/\/event\/([^/]+)\/[^/]+\/$/)?.[1] ?? '')

/** Dates of a series, as links to their pages. */
export const dateList = (site: Site, rows: readonly LeanEvent[]): Html =>
  html`<ul class="dates">${rows.map(row => {
    const status = statusWord(site, row.event_status)
    return html`<li><a href="${pathOf(site, row)}">${site.dates.format('day', row.start_date)}</a>${!row.all_day && html` <span class="time">${site.dates.format('time', row.start_date)}</span>`}${status && html` <span class="badge badge-alert">${status}</span>`}</li>`
  })}</ul>`
