import type { EventResponse } from '../../calendar/events/schema.ts'
import { utcValue } from '../../kit/lib/ical/lines.ts'
import { summary } from '../../kit/lib/text.ts'
import { dayOf, daysLater, isoUtc } from '../../kit/lib/time.ts'
import { queryOf } from './addresses.ts'
import { venuesOf } from './events.ts'
import { type Html, html, menuButton } from './html.ts'
import { linkTo, type PageContext } from './page-context.ts'
import { inLine, nameOf } from './text.ts'

const webcal = (address: string): string => address.replace(/^https?:/, 'webcal:')

/** A button that copies a text to the clipboard. It is hidden without scripts. */
export const copyButton = (text: string, { label, done: doneLabel }: { label: string; done: string }): Html =>
  html`<button class="link-button" type="button" data-copy="${text}" data-done="${doneLabel}" hidden>${label}</button>`

type SubscriptionMenu = {
  address: string
  /** Its name in the program; by default the name of the site. */
  name: string | undefined
  /** A sentence above the items. */
  note: string
  furtherLinks?: readonly Html[]
}

/** A menu with the most common programs that subscribe to a calendar, and its address for others. */
export function subscriptionMenu(
  { words, context }: PageContext,
  { address, name = context.settings.siteName, note, furtherLinks = [] }: SubscriptionMenu,
): Html {
  const webcalAddress = webcal(address)
  const google = `https://calendar.google.com/calendar/render${queryOf({}, { cid: webcalAddress })}`
  const outlook = `https://outlook.live.com/calendar/0/addfromweb${queryOf({}, { url: address, name })}`
  return menuButton({
    name: 'subscribe',
    text: words.subscribe,
    isQuiet: true,
    note,
    items: [
      html`<a href="${google}" rel="noopener">Google Calendar</a>`,
      html`<a href="${webcalAddress}">Apple Calendar</a>`,
      html`<a href="${outlook}" rel="noopener">Outlook.com</a>`,
      html`<a href="${address}">${words.calendarFile}</a>`,
      copyButton(address, { label: words.copyAddress, done: words.copied }),
      ...furtherLinks,
    ],
  })
}

export const eventCalendarAddress = ({ context }: PageContext, { id }: { id: number }): string =>
  `${context.api}/events/${id}.ics`

function locationLine(event: EventResponse): string {
  const [venue] = venuesOf(event)
  if (!venue) return event.is_virtual ? event.virtual_url : ''
  const { venue: name, address, zip, city, country } = venue
  return inLine([name, address, zip, city, country])
}

/** The longest description in an address, in characters: addresses may have some thousand. */
const MAX_DETAILS_LENGTH = 300

const detailsOf = (event: EventResponse): string =>
  [summary(event.description, MAX_DETAILS_LENGTH), event.url].filter(Boolean).join('\n\n')

function googleAddress(event: EventResponse): string {
  const { start_date, end_date, utc_start_date, utc_end_date } = event
  const dates = event.all_day
    ? `${dayOf(start_date)}/${daysLater(end_date, 1)}`.replaceAll('-', '')
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
function outlookAddress(event: EventResponse): string {
  const query = {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: nameOf(event.title, event.slug),
    ...(event.all_day
      ? { startdt: dayOf(event.start_date), enddt: daysLater(event.end_date, 1), allday: 'true' }
      : { startdt: isoUtc(event.utc_start_date), enddt: isoUtc(event.utc_end_date) }),
    body: detailsOf(event),
    location: locationLine(event),
  }
  return `https://outlook.live.com/calendar/0/deeplink/compose${queryOf({}, query)}`
}

/** The menu that adds an event to a visitor's own calendar. */
export const addMenu = (site: PageContext, event: EventResponse, { isQuiet }: { isQuiet: boolean }): Html =>
  menuButton({
    name: 'calendar',
    text: site.words.addTo,
    isQuiet,
    items: [
      html`<a href="${linkTo(site, eventCalendarAddress(site, event))}">${site.words.calendarFile}</a>`,
      html`<a href="${googleAddress(event)}" rel="noopener">Google Calendar</a>`,
      html`<a href="${outlookAddress(event)}" rel="noopener">Outlook.com</a>`,
    ],
  })
