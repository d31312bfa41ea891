import { utcValue } from '../../lib/ical/lines.ts'
import { summary } from '../../lib/text.ts'
import { addDays, type DateTime, isoUtc } from '../../lib/time.ts'
import type { EventResponse } from '../../resources/events/schema.ts'
import { queryOf } from './addresses.ts'
import { venuesOf } from './events.ts'
import { type Html, html, menuButton } from './html.ts'
import { linkTo, type Site } from './site.ts'
import { inLine, nameOf } from './text.ts'

/** The address of the calendar of one event. */
export const eventCalendar = ({ context }: Site, { id }: { id: number }): string =>
  `${context.api}/events/${id}.ics`

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
function googleAddress(event: EventResponse): string {
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
function outlookAddress(event: EventResponse): string {
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

/** The menu that adds an event to a visitor's own calendar. */
export const addMenu = (site: Site, event: EventResponse, { isQuiet }: { isQuiet: boolean }): Html =>
  menuButton({
    name: 'calendar',
    text: site.words.addTo,
    isQuiet,
    items: [
      html`<a href="${linkTo(site, eventCalendar(site, event))}">${site.words.calendarFile}</a>`,
      html`<a href="${googleAddress(event)}" rel="noopener">Google Calendar</a>`,
      html`<a href="${outlookAddress(event)}" rel="noopener">Outlook.com</a>`,
    ],
  })
