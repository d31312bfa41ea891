import { STATUSES, type Status } from '../lib/statuses.ts'
import { LIMIT } from '../lib/values.ts'
import {
  decimal,
  email,
  flag,
  html,
  id,
  image,
  isObject,
  line,
  moment,
  type Raw,
  slug,
  title,
  url,
} from './fields.ts'
import {
  type Context,
  type OrganizerRecord,
  type TermRecord,
  Unreadable,
  type VenueRecord,
} from './records.ts'

/** The id that a record has where it comes from. @throws Unreadable without one */
export function originOf(
  raw: unknown,
  source: string,
): { raw: Raw; source: string; externalId: string; id: number } {
  if (!isObject(raw)) throw new Unreadable('it is not an object')
  const number = id(raw.id)
  if (number === undefined) throw new Unreadable('it has no id')
  return { raw, source, externalId: String(number), id: number }
}

/** A status we know; none means published (2017 versions answer none), an unknown one that it isn't. */
function status(raw: unknown): Status {
  if (raw === undefined || raw === null || raw === '') return 'publish'
  return STATUSES.find(known => known === raw) ?? 'draft'
}

/** Fields that events, venues and organizers have in common. @param what for remarks: `venue 12` */
export function readPost(raw: Raw, what: string, context: Context, descriptionLimit: number) {
  const { timezone, nowMs } = context
  return {
    status: status(raw.status),
    slug: slug(raw.slug),
    date: moment(raw.date, raw.date_utc, timezone, nowMs),
    modified: moment(raw.modified, raw.modified_utc, timezone, nowMs),
    description: html(raw.description, descriptionLimit),
    image: image(raw.image, what, context),
  }
}

export function readVenue(given: unknown, source: string, context: Context): VenueRecord {
  const { raw, ...origin } = originOf(given, source)
  const what = `venue ${origin.externalId}`
  const field = (name: string) => line(raw[name])
  const lat = decimal(raw.geo_lat, 90)
  const lng = decimal(raw.geo_lng, 180)
  return {
    ...origin,
    kind: 'venue',
    ...readPost(raw, what, context, LIMIT.placeDescription),
    name: title(raw.venue),
    address: field('address'),
    city: field('city'),
    country: field('country'),
    province: field('province'),
    state: field('state'),
    stateprovince: field('stateprovince'),
    zip: field('zip'),
    phone: field('phone'),
    website: url(raw.website, what, context),
    show_map: flag(raw.show_map, true),
    show_map_link: flag(raw.show_map_link, true),
    // One without the other is no place.
    geo_lat: lng === null ? null : lat,
    geo_lng: lat === null ? null : lng,
  }
}

export function readOrganizer(given: unknown, source: string, context: Context): OrganizerRecord {
  const { raw, ...origin } = originOf(given, source)
  const what = `organizer ${origin.externalId}`
  return {
    ...origin,
    kind: 'organizer',
    ...readPost(raw, what, context, LIMIT.placeDescription),
    name: title(raw.organizer),
    phone: line(raw.phone),
    website: url(raw.website, what, context),
    email: email(raw.email, what, context),
  }
}

/** @throws Unreadable also without a name: a term is nothing else */
export function readTerm(kind: 'category' | 'tag', given: unknown, source: string): TermRecord {
  const { raw, ...origin } = originOf(given, source)
  const name = title(raw.name)
  if (name === '') throw new Unreadable('it has no name')
  const parent = kind === 'category' ? id(raw.parent) : undefined
  return {
    ...origin,
    kind,
    name,
    slug: slug(raw.slug),
    description: line(raw.description, LIMIT.excerpt),
    parent: parent === undefined ? undefined : String(parent),
  }
}
