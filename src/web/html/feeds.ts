import { utcValue } from '../../lib/ical/lines.ts'
import { summary } from '../../lib/text.ts'
import { addDays, type DateTime, isoUtc } from '../../lib/time.ts'
import type { EventResponse } from '../../resources/events/schema.ts'
import { queryOf } from './addresses.ts'
import { venuesOf } from './events.ts'
import { type Filters, listFilters, type SitePageParams } from './filters.ts'
import { type Html, html, type IconName, icon } from './html.ts'
import { redirect } from './route.ts'
import type { Site } from './site.ts'
import { inLine, nameOf } from './text.ts'

/** A feed of events: its media type, its name and its address. */
export type FeedLink = { type: string; title: string; address: string }

/** The filters of a calendar: the filters of pages, and the one of a series' page. */
type CalendarFilters = Filters & { series?: readonly number[] }

/** The API's feeds for the events of a page, the calendar first. */
export const feedsOf = (site: Site, filters: CalendarFilters): FeedLink[] => [
  { type: 'text/calendar', title: site.words.subscribe, address: calendarOf(site, filters) },
  ...newsOf(site, filters),
]

/** The feeds for programs that show news. */
const newsOf = (site: Site, filters: CalendarFilters): FeedLink[] => [
  { type: 'application/rss+xml', title: 'RSS', address: rssOf(site, filters) },
  {
    type: 'application/feed+json',
    title: 'JSON Feed',
    address: `${site.context.api}/events.feed.json${queryOf(listFilters(filters))}`,
  },
]

/** The address of a calendar with the scheme that calendar programs handle. */
const webcal = (address: string): string => address.replace(/^https?:/, 'webcal:')

/** The address of the calendar for some filters. */
const calendarOf = (
  { context }: Site,
  filters: CalendarFilters,
  more: { happening?: string; expand?: true } = {},
): string => `${context.api}/events.ics${queryOf(listFilters(filters), more)}`

/** The address of the RSS feed for some filters. */
export const rssOf = ({ context }: Site, filters: CalendarFilters): string =>
  `${context.api}/events.rss${queryOf(listFilters(filters))}`

/** The address of the calendar of one event. */
export const eventCalendar = ({ context }: Site, { id }: { id: number }): string =>
  `${context.api}/events/${id}.ics`

// Programs that request calendars from pages may not support rules, so each date of a series is an event there.
const expansion = ({ expand = true }: SitePageParams): { expand?: true } => (expand ? { expand } : {})

/**
 * Redirects to the calendar with the events of a page, if the request asks for it.
 *
 * @param days the days of the page, as an interval; by default, its dates don't limit the calendar
 * @throws the redirect
 */
export function assertNotCalendar(
  site: Site,
  query: SitePageParams,
  filters: CalendarFilters,
  days?: string,
): void {
  if (!query.ical) return
  throw redirect(calendarOf(site, filters, { ...(days && { happening: days }), ...expansion(query) }), 302)
}

type MaybeOccurrence = { id: number; series?: unknown; hasParts?: boolean }

/** Redirects to the calendar of an event, or of its programme, if the request asks for it. @throws the redirect */
export function assertNotEventCalendar(site: Site, query: SitePageParams, event: MaybeOccurrence): void {
  const more = {
    ...(event.hasParts && { programme: true }),
    ...(event.series || event.hasParts ? expansion(query) : {}),
  }
  if (query.ical) throw redirect(eventCalendar(site, event) + queryOf({}, more), 302)
}

type MenuButton = {
  name: IconName
  text: string
  isQuiet?: boolean
  /** A text above the items. */
  note?: string
  items: readonly Html[]
}

/** A button that opens a menu, which works without scripts. */
export const menuButton = ({ name, text, isQuiet = false, note, items }: MenuButton): Html =>
  html`<details class="menu-button"><summary class="button${isQuiet && ' button-quiet'}">${icon(name)}<span>${text}</span></summary>
<div class="menu-items">${note && html`<p>${note}</p>`}<ul>${items.map(item => html`<li>${item}</li>`)}</ul></div></details>`

/** A button that copies a text to the clipboard. It is hidden without scripts. */
const copyButton = (text: string, { label, done }: { label: string; done: string }): Html =>
  html`<button class="link-button" type="button" data-copy="${text}" data-done="${done}" hidden>${label}</button>`

type Subscription = {
  filters: CalendarFilters
  /** The name for the calendar program. */
  name: string
  /** A sentence about the subscription. */
  note: string
}

/** The menu with all ways to subscribe: the most common programs, the address for others, and feeds of news. */
export function subscribeMenu(site: Site, { filters, name, note }: Subscription): Html {
  const { words } = site
  const address = calendarOf(site, filters)
  const program = webcal(address)
  const google = `https://calendar.google.com/calendar/render${queryOf({}, { cid: program })}`
  const outlook = `https://outlook.live.com/calendar/0/addfromweb${queryOf({}, { url: address, name })}`
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
      ...newsOf(site, filters).map(({ address, title }) => html`<a href="${address}">${title}</a>`),
    ],
  })
}

const day = (wall: DateTime): string => wall.slice(0, 10)

/** The location of an event in one line. */
function locationLine(event: EventResponse): string {
  const [venue] = venuesOf(event)
  if (!venue) return event.is_virtual ? event.virtual_url : ''
  const { venue: name, address, zip, city, country } = venue
  return inLine([name, address, zip, city, country])
}

/** The longest description in an address, in characters: addresses may have some thousand. */
const DETAILS = 300

const detailsOf = (event: EventResponse): string =>
  [summary(event.description, DETAILS), event.url].filter(Boolean).join('\n\n')

/** The address that adds an event to a Google calendar. */
export function googleAddress(event: EventResponse): string {
  const { start_date, end_date, utc_start_date, utc_end_date } = event
  const dates = event.all_day
    ? `${day(start_date)}/${day(addDays(end_date, 1))}`.replaceAll('-', '')
    : `${utcValue(utc_start_date)}/${utcValue(utc_end_date)}`
  const query = {
    action: 'TEMPLATE',
    text: nameOf(event.title, event.slug),
    dates,
    details: detailsOf(event),
    location: locationLine(event),
  }
  return `https://calendar.google.com/calendar/render${queryOf({}, query)}`
}

/** The address that adds an event to an Outlook.com calendar. */
export function outlookAddress(event: EventResponse): string {
  const query = {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: nameOf(event.title, event.slug),
    ...(event.all_day
      ? { startdt: day(event.start_date), enddt: day(addDays(event.end_date, 1)), allday: 'true' }
      : { startdt: isoUtc(event.utc_start_date), enddt: isoUtc(event.utc_end_date) }),
    body: detailsOf(event),
    location: locationLine(event),
  }
  return `https://outlook.live.com/calendar/0/deeplink/compose${queryOf({}, query)}`
}
