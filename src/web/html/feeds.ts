import { queryOf } from './addresses.ts'
import type { Filters, SitePageParams } from './filters.ts'
import { type Html, html, type IconName, icon } from './html.ts'
import { redirect } from './route.ts'
import type { Site } from './site.ts'

/** A feed of events: its media type, its address for programs, and the one that people follow to subscribe. */
export type FeedLink = { type: string; title: string; address: string; subscribe: string }

/** A page of a series has that, beside what other pages filter by. */
type CalendarFilters = Filters & { series?: readonly number[] }

/** The API's feeds with the events of a page: the one for calendar programs first. */
export function feedsOf(site: Site, filters: Filters): FeedLink[] {
  const { context, words } = site
  const calendar = calendarOf(site, filters)
  const rss = rssOf(site, filters)
  const json = `${context.api}/events.feed.json${queryOf(filters)}`
  return [
    { type: 'text/calendar', title: words.subscribe, address: calendar, subscribe: webcal(calendar) },
    { type: 'application/rss+xml', title: 'RSS', address: rss, subscribe: rss },
    { type: 'application/feed+json', title: 'JSON Feed', address: json, subscribe: json },
  ]
}

/** The address of a calendar in the scheme that programs for calendars have made theirs. */
const webcal = (address: string): string => address.replace(/^https?:/, 'webcal:')

/** The address of the events for some filters as a calendar. */
const calendarOf = ({ context }: Site, filters: CalendarFilters, more: { expand?: true } = {}): string =>
  `${context.api}/events.ics${queryOf(filters, more)}`

/** The address of the RSS feed for some filters. */
export const rssOf = ({ context }: Site, filters: Filters): string =>
  `${context.api}/events.rss${queryOf(filters)}`

/** The address of one event as a calendar. */
export const eventCalendar = ({ context }: Site, { id }: { id: number }): string =>
  `${context.api}/events/${id}.ics`

// Programs that ask pages for calendars may be simple ones, which know no rules: there, each date of a series is an event.
const expansion = ({ expand = true }: SitePageParams): { expand?: true } => (expand ? { expand } : {})

/** @throws `redirect` to the calendar with the events of a page, whatever their dates, if the page is asked for that */
export function assertNotCalendar(site: Site, query: SitePageParams, filters: CalendarFilters): void {
  if (query.ical) throw redirect(calendarOf(site, filters, expansion(query)), 302)
}

type MaybeOccurrence = { id: number; series?: unknown }

/** @throws `redirect` to an event as a calendar, if its page is asked for that */
export function assertNotEventCalendar(site: Site, query: SitePageParams, event: MaybeOccurrence): void {
  const more = event.series ? expansion(query) : {}
  if (query.ical) throw redirect(eventCalendar(site, event) + queryOf({}, more), 302)
}

type MenuButton = {
  name: IconName
  text: string
  isQuiet?: boolean
  /** What the menu is about, above its items. */
  note?: string
  items: readonly Html[]
}

/** A button that opens a menu, also without scripts. */
export const menuButton = ({ name, text, isQuiet = false, note, items }: MenuButton): Html =>
  html`<details class="menu-button"><summary class="button${isQuiet && ' button-quiet'}">${icon(name)}<span>${text}</span></summary>
<div class="menu-items">${note && html`<p>${note}</p>`}<ul>${items.map(item => html`<li>${item}</li>`)}</ul></div></details>`

/** A button that puts a text on the clipboard, which needs a script: without one it isn't there. */
const copyButton = (text: string, { label, done }: { label: string; done: string }): Html =>
  html`<button class="link-button" type="button" data-copy="${text}" data-done="${done}" hidden>${label}</button>`

const withQuery = (address: string, params: Record<string, string>): string =>
  `${address}?${new URLSearchParams(params)}`

type Subscription = {
  filters: CalendarFilters
  /** The name that a calendar program gives it. */
  name: string
  /** A sentence that says what is subscribed to. */
  note: string
}

/** The ways to subscribe to events: in the programs that most people have, or in any other by the address. */
export function subscribeMenu(site: Site, { filters, name, note }: Subscription): Html {
  const { words } = site
  const address = calendarOf(site, filters)
  const program = webcal(address)
  const google = withQuery('https://calendar.google.com/calendar/render', { cid: program })
  const outlook = withQuery('https://outlook.live.com/calendar/0/addfromweb', { url: address, name })
  return menuButton({
    name: 'subscribe',
    text: words.subscribe,
    isQuiet: true,
    note,
    items: [
      html`<a href="${google}" rel="noopener">Google Calendar</a>`,
      html`<a href="${program}">Apple Calendar</a>`,
      html`<a href="${outlook}" rel="noopener">Outlook.com</a>`,
      html`<a href="${address}">${words.calendarFile}</a>`,
      copyButton(address, { label: words.copyAddress, done: words.copied }),
    ],
  })
}
