import type ICAL from 'ical.js'
import type { ImageRecord, OrganizerRecord, TermRecord, VenueRecord } from '../../calendar/imports/records.ts'
import { FIELD_LIMITS } from '../../kit/lib/values.ts'
import {
  type FieldReading,
  readEmail,
  readImageRecord,
  readKnownPosition,
  readLine,
  readTitle,
  readUrl,
  uniqueRecords,
} from '../fields.ts'
import { bareRecord, linkableRecords, organizerNamed, termsNamed, textKey } from '../named-records.ts'
import { isOnlineAt, type Placeless, placelessIn } from '../placeless.ts'
import { propertyText } from './file.ts'

// Venues, organizers, categories and images of iCalendar events.

/** The most names that are read, of which some may be the same. */
const MAX_NAMED = 5 * FIELD_LIMITS.links

/** What LOCATION says instead of naming a place. */
export const placelessOf = (event: ICAL.Component): Placeless[] =>
  placelessIn({ name: propertyText(event, 'location') })

/**
 * The venue that LOCATION and GEO name. The text before the first line end, as Apple's programs write it, or
 * else before the first comma is the name, and the rest is the address, unless the text begins with a house
 * number. Of what is online, the position is nobody's.
 *
 * @param placeless what LOCATION says instead of naming a place
 */
export function icsVenue(
  event: ICAL.Component,
  placeless: readonly Placeless[],
  reading: FieldReading,
): VenueRecord | undefined {
  if (isOnlineAt(placeless)) return undefined
  const text = placeless.length > 0 ? '' : propertyText(event, 'location').trim()
  const location = readTitle(text)
  const position = positionOf(event)
  if (location === '' && position.geo_lat === null) return undefined
  const placeText = location === '' ? `${position.geo_lat}, ${position.geo_lng}` : location
  const [, first = '', furtherText = ''] =
    /^([^\n]+)\n(.+)$/s.exec(text) ?? /^([^,]+),\s*(.+)$/s.exec(placeText) ?? []
  const isSplit = location !== '' && first !== '' && !/^\d/.test(first) && !/:\/\//.test(placeText)
  return {
    ...bareRecord(reading, textKey(placeText)),
    kind: 'venue',
    name: isSplit ? readTitle(first) : placeText,
    address: isSplit ? readLine(inOneLine(furtherText)) : '',
    ...position,
  }
}

const inOneLine = (text: string): string =>
  text
    .split('\n')
    .map(line => line.trim().replace(/,$/, ''))
    .filter(Boolean)
    .join(', ')

function positionOf(event: ICAL.Component): ReturnType<typeof readKnownPosition> {
  const apple = /^geo:([^,]+),([^,;]+)/.exec(propertyText(event, 'x-apple-structured-location'))
  // ical.js returns the two numbers as a list.
  const value: unknown = event.getFirstPropertyValue('geo')
  const [latitude, longitude] = Array.isArray(value) ? value : [apple?.[1], apple?.[2]]
  return readKnownPosition(latitude, longitude)
}

/** The organizers: the one of ORGANIZER, which has an e-mail address, and those of CONTACT. */
export function organizersOf(event: ICAL.Component, reading: FieldReading): OrganizerRecord[] {
  const first = organizerOf(event, reading)
  const contacts = event
    .getAllProperties('contact')
    .slice(0, MAX_NAMED)
    .map(property => readTitle(String(property.getFirstValue() ?? '')))
    .filter(Boolean)
    .map(name => organizerNamed(reading, { name }))
  const allContacts = [...(first ? [first] : []), ...contacts]
  return linkableRecords(uniqueRecords(allContacts), 'organizers', reading)
}

function organizerOf(event: ICAL.Component, reading: FieldReading): OrganizerRecord | undefined {
  const property = event.getFirstProperty('organizer')
  const address = propertyText(event, 'organizer')
  const name = readTitle(property?.getParameter('cn'))
  const email = /^mailto:/i.test(address)
    ? readEmail(decodeURIComponentSafely(address.slice(7)), reading)
    : ''
  const website = /^https?:/i.test(address) ? readUrl(address, reading) : ''
  if (name === '' && email === '' && website === '') return undefined
  return organizerNamed(reading, { name, email, website })
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function categoriesOf(event: ICAL.Component, reading: FieldReading): TermRecord[] {
  const names = event
    .getAllProperties('categories')
    .flatMap(property => property.getValues())
    .slice(0, MAX_NAMED)
    .map(value => readTitle(String(value)))
    .filter(Boolean)
  return termsNamed('category', names, reading)
}

/** The first attachment that is an image. */
export function imageOf(event: ICAL.Component, reading: FieldReading): ImageRecord | undefined {
  for (const property of [...event.getAllProperties('image'), ...event.getAllProperties('attach')]) {
    const address = String(property.getFirstValue() ?? '')
    const type = String(property.getParameter('fmttype') ?? '')
    const isImage = type.startsWith('image/') || /\.(?:jpe?g|png|gif|webp|avif)(?:[?#]|$)/i.test(address)
    if (isImage && /^https?:/i.test(address)) return readImageRecord(address, reading)
  }
  return undefined
}
