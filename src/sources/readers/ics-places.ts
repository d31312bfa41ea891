import type ICAL from 'ical.js'
import { LIMIT } from '../../lib/values.ts'
import { nameKey } from '../../terms/names.ts'
import type { ImageRecord, OrganizerRecord, ReaderContext, TermRecord, VenueRecord } from '../records.ts'
import { readDecimal, readEmail, readImageRecord, readLine, readTitle, readUrl } from './fields.ts'
import { propertyText } from './ics-file.ts'

// Venues, organizers and categories of iCalendar events. They have no ids there: their text is their external id.

const key = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ')

const bare = (source: string, externalId: string) => ({
  source,
  externalId,
  status: 'publish' as const,
  slug: '',
  description: '',
})

/**
 * The venue that LOCATION and GEO name. The text before the first comma is the name and the rest the address, unless
 * it begins with a house number.
 */
export function venueOf(event: ICAL.Component, source: string): VenueRecord | undefined {
  const location = readTitle(propertyText(event, 'location'))
  const geo = geoOf(event)
  if (location === '' && !geo) return undefined
  const whole = location === '' ? `${geo?.lat}, ${geo?.lng}` : location
  const [, first = '', rest = ''] = /^([^,]+),\s*(.+)$/s.exec(whole) ?? []
  const split = location !== '' && first !== '' && !/^\d/.test(first) && !/:\/\//.test(whole)
  return {
    ...bare(source, key(whole)),
    kind: 'venue',
    name: split ? first.trim() : whole,
    address: split ? readLine(rest) : '',
    geo_lat: geo?.lat ?? null,
    geo_lng: geo?.lng ?? null,
  }
}

type Geo = { lat: number; lng: number }

function geoOf(event: ICAL.Component): Geo | undefined {
  const apple = /^geo:([^,]+),([^,;]+)/.exec(propertyText(event, 'x-apple-structured-location'))
  // ical.js returns the two numbers as a list.
  const value: unknown = event.getFirstPropertyValue('geo')
  const [first, second] = Array.isArray(value) ? value : [apple?.[1], apple?.[2]]
  const [lat, lng] = [readDecimal(first, 90), readDecimal(second, 180)]
  // Programs write 0, 0 for unknown coordinates.
  return lat === null || lng === null || (lat === 0 && lng === 0) ? undefined : { lat, lng }
}

/** The organizers: that of ORGANIZER, which has an e-mail address, and those that CONTACT names. */
export function organizersOf(
  event: ICAL.Component,
  source: string,
  what: string,
  context: ReaderContext,
): OrganizerRecord[] {
  const first = organizerOf(event, source, what, context)
  const contacts = event
    .getAllProperties('contact')
    .map(property => readTitle(String(property.getFirstValue() ?? '')))
    .filter(Boolean)
    .map(name => organizerNamed(source, { name }))
  const all = [...(first ? [first] : []), ...contacts]
  const each = [...new Map(all.map(one => [one.externalId, one])).values()]
  return linkable(each, `${what}: it names ${each.length} organizers`, context)
}

/** As many of what an event refers to as a request may name: thousands would make every read of it slow. */
function linkable<T>(all: readonly T[], found: string, { note }: ReaderContext): T[] {
  if (all.length > LIMIT.links) note(`${found}, of which the first ${LIMIT.links} are kept`)
  return all.slice(0, LIMIT.links)
}

function organizerOf(
  event: ICAL.Component,
  source: string,
  what: string,
  context: ReaderContext,
): OrganizerRecord | undefined {
  const property = event.getFirstProperty('organizer')
  const address = propertyText(event, 'organizer')
  const name = readTitle(property?.getParameter('cn'))
  const mail = /^mailto:/i.test(address)
    ? readEmail(decodeURIComponentSafely(address.slice(7)), what, context)
    : ''
  const website = /^https?:/i.test(address) ? readUrl(address, what, context) : ''
  if (name === '' && mail === '' && website === '') return undefined
  return organizerNamed(source, { name, mail, website })
}

function organizerNamed(
  source: string,
  { name, mail = '', website = '' }: { name: string; mail?: string; website?: string },
): OrganizerRecord {
  return {
    ...bare(source, key([name, mail].filter(Boolean).join(' ') || website)),
    kind: 'organizer',
    name: name || mail || website,
    email: mail,
    website,
  }
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function categoriesOf(
  event: ICAL.Component,
  source: string,
  what: string,
  context: ReaderContext,
): TermRecord[] {
  const names = event
    .getAllProperties('categories')
    .flatMap(property => property.getValues())
    .map(value => readTitle(String(value)))
    .filter(Boolean)
  const byKey = new Map(names.map(name => [key(nameKey(name)), name]))
  const each = linkable([...byKey], `${what}: it names ${byKey.size} categories`, context)
  return each.map(([externalId, name]) => ({
    source,
    externalId,
    kind: 'category',
    name,
    slug: '',
    description: '',
    standalone: false,
  }))
}

/** The first attachment that is an image. */
export function imageOf(
  event: ICAL.Component,
  what: string,
  context: ReaderContext,
): ImageRecord | undefined {
  for (const property of [...event.getAllProperties('image'), ...event.getAllProperties('attach')]) {
    const address = String(property.getFirstValue() ?? '')
    const type = String(property.getParameter('fmttype') ?? '')
    const isImage = type.startsWith('image/') || /\.(?:jpe?g|png|gif|webp|avif)(?:[?#]|$)/i.test(address)
    if (isImage && /^https?:/i.test(address)) return readImageRecord(address, what, context)
  }
  return undefined
}
