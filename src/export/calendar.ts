import ICAL from 'ical.js'
import { imageUrl } from '../content/images.ts'
import type { VenueRow } from '../content/related/rows.ts'
import { permalink } from '../content/serialize.ts'
import type { SerializeContext } from '../context.ts'
import type { EventRow } from '../events/rows.ts'
import { EVENT_STATUS_PROPERTY, TIMEZONE_PROPERTY } from '../import/ics-file.ts'
import type { EventStatus } from '../lib/event-statuses.ts'
import { decodeEntities, htmlToText } from '../lib/text.ts'
import { addDays, type DateTime, toEpoch } from '../lib/time.ts'
import { isManual } from './timezones.ts'

// An iCalendar file (RFC 5545) for other programs; a backup is restored from the pages.

/** The head of the file; time zones and events follow, then {@link CALENDAR_END}. */
export const calendarStart = (name: string): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//event-calendar//export//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    propertyLine('x-wr-calname', name),
    '',
  ].join('\r\n')

export const CALENDAR_END = 'END:VCALENDAR\r\n'

/** A property with escaped text. ical.js doesn't escape values of names that it doesn't know. */
function propertyLine(name: string, text: string): string {
  const property = new ICAL.Property([name, {}, 'text', text])
  return property.toICALString()
}

/** A title as plain text, without the escaping of `<`. */
const plain = (text: string): string =>
  decodeEntities(text.replaceAll('&', '&amp;').replaceAll('&amp;lt;', '<'))

/** The part of a VEVENT in a series. */
export type Repetition = {
  /** Properties of the recurrence, or of the occurrence that is replaced. */
  properties: readonly ICAL.Property[]
  /** The address of the series. */
  url: string
}

/**
 * One event as a VEVENT, with a line end after it.
 *
 * @param uid the UID that it was imported with, if it was; else it is its external id, if it has one
 */
export function eventText(
  row: EventRow,
  uid: string | undefined,
  context: SerializeContext,
  repetition?: Repetition,
): string {
  const event = new ICAL.Component('vevent')
  const add = (name: string, text: string) => text !== '' && event.addPropertyWithValue(name, text)
  event.addPropertyWithValue(
    'uid',
    uid ?? (row.external_id || `event-${row.id}@${new URL(context.site).host}`),
  )
  event.addPropertyWithValue('dtstamp', utcTime(row.modified_utc))
  event.addPropertyWithValue('created', utcTime(row.date_utc))
  event.addPropertyWithValue('last-modified', utcTime(row.modified_utc))
  addTimes(event, row, repetition !== undefined)
  for (const property of repetition?.properties ?? []) event.addProperty(property)
  addStatus(event, row)
  add('summary', plain(row.title))
  add('description', htmlToText(row.description))
  addHtml(event, row.description)
  const venues = row.venues.filter(({ status }) => status === 'publish')
  const [venue] = venues
  add('location', venues.map(placeText).join('; '))
  if (venue && venue.geo_lat !== null && venue.geo_lng !== null)
    event.addPropertyWithValue('geo', [venue.geo_lat, venue.geo_lng])
  addOrganizer(event, row)
  for (const { name } of row.terms.filter(({ taxonomy }) => taxonomy === 'event_category'))
    add('categories', plain(name))
  add('url', row.website || (repetition?.url ?? permalink(row, 'event', context)))
  if (row.image) add('attach', imageUrl(row.image, context))
  if (row.is_virtual && row.virtual_url !== '')
    event.addProperty(new ICAL.Property(['conference', { feature: 'VIDEO' }, 'uri', row.virtual_url]))
  return `${event.toString()}\r\n`
}

/** RFC 5545 §3.8.1.11. Events that were rescheduled take place, and are confirmed. */
const STATUS = {
  scheduled: 'CONFIRMED',
  canceled: 'CANCELLED',
  postponed: 'TENTATIVE',
  rescheduled: 'CONFIRMED',
} as const satisfies Record<EventStatus, string>

function addStatus(event: ICAL.Component, { event_status: status }: EventRow): void {
  event.addPropertyWithValue('status', STATUS[status])
  if (status === 'postponed' || status === 'rescheduled')
    event.addPropertyWithValue(EVENT_STATUS_PROPERTY, status)
}

const placeText = ({ name, address, city, state, province, zip, country }: VenueRow): string =>
  plain([...new Set([name, address, city, state || province, zip, country])].filter(Boolean).join(', '))

function addHtml(event: ICAL.Component, html: string): void {
  if (html === '') return
  const property = new ICAL.Property(['x-alt-desc', { fmttype: 'text/html' }, 'text', html])
  event.addProperty(property)
}

/** Adds the organizers. ORGANIZER takes one, with an e-mail address; the others become CONTACT. */
function addOrganizer(event: ICAL.Component, row: EventRow): void {
  for (const [i, { name, email, status }] of row.organizers.entries()) {
    if (status !== 'publish') continue
    if (i > 0 || email === '') event.addPropertyWithValue('contact', plain(name))
    else
      event.addProperty(
        new ICAL.Property(['organizer', { cn: plain(name) }, 'cal-address', `mailto:${email}`]),
      )
  }
}

/** True if times are written with the name of their zone. */
export const isNamed = (zone: string, repeats: boolean): boolean =>
  repeats ? zone !== 'UTC' : !isManual(zone)

const wallTime = (wall: DateTime): ICAL.Time => ICAL.Time.fromDateTimeString(wall.replace(' ', 'T'))
const utcTime = (utc: DateTime): ICAL.Time => ICAL.Time.fromDateTimeString(`${utc.replace(' ', 'T')}Z`)

/** Adds start and end. Rules go by the clocks of a zone, so that of a series is named even if it is a mere offset. */
function addTimes(event: ICAL.Component, row: EventRow, repeats: boolean): void {
  if (row.all_day) {
    event.addPropertyWithValue('dtstart', ICAL.Time.fromDateString(row.start_date.slice(0, 10)))
    event.addPropertyWithValue('dtend', ICAL.Time.fromDateString(addDays(row.end_date, 1).slice(0, 10)))
    // Dates have no zone.
    event.addPropertyWithValue(TIMEZONE_PROPERTY, row.timezone)
    return
  }
  for (const [name, wall, utc] of [
    ['dtstart', row.start_date, row.utc_start_date],
    ['dtend', row.end_date, row.utc_end_date],
  ] as const) {
    const zoned = isNamed(row.timezone, repeats) && !Number.isNaN(toEpoch(wall))
    const property = event.addPropertyWithValue(name, zoned ? wallTime(wall) : utcTime(utc))
    if (zoned) property.setParameter('tzid', row.timezone)
  }
}
