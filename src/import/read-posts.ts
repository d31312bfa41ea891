import { STATUSES, type Status } from '../lib/statuses.ts'
import { toPlain } from '../lib/text.ts'
import { LIMIT } from '../lib/values.ts'
import {
  asText,
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
  url,
} from './fields.ts'
import {
  type Context,
  type OrganizerRecord,
  type TermRecord,
  Unreadable,
  type VenueRecord,
} from './records.ts'

/** Where a record was found. */
export type Place = {
  source: string
  /** Whether it is from a backup of ours: its texts are as they were stored, and `stored` tells the rest. */
  own: boolean
  /** For a backup: the login of each user's id. */
  logins: ReadonlyMap<string, string>
}

/** The id that a record has where it comes from. @throws Unreadable without one */
export function originOf(
  raw: unknown,
  { source }: Place,
): { raw: Raw; source: string; externalId: string; id: number } {
  if (!isObject(raw)) throw new Unreadable('it is not an object')
  const number = id(raw.id)
  if (number === undefined) throw new Unreadable('it has no id')
  return { raw, source, externalId: String(number), id: number }
}

/** What a backup says beside the answer. */
export const storedOf = (raw: Raw, { own }: Place): Raw => (own && isObject(raw.stored) ? raw.stored : {})

// A backup's entities are meant as they stand; cleaning what is clean changes nothing.
export const text = (raw: unknown, { own }: Place, limit: number = LIMIT.text): string =>
  own ? toPlain(asText(raw)) : line(raw, limit)

export const titleText = (raw: unknown, place: Place): string => text(raw, place, LIMIT.name)

/** A status we know; none means published (2017 versions answer none), an unknown one that it isn't. */
function status(raw: unknown): Status {
  if (raw === undefined || raw === null || raw === '') return 'publish'
  return STATUSES.find(known => known === raw) ?? 'draft'
}

/** What events, venues and organizers have in common. @param what for remarks: `venue 12` */
export function readPost(raw: Raw, what: string, place: Place, context: Context) {
  const stored = storedOf(raw, place)
  const { timezone, nowMs } = context
  return {
    status: status(stored.status ?? raw.status),
    slug: place.own ? asText(raw.slug) : slug(raw.slug),
    date: moment(raw.date, raw.date_utc, timezone, nowMs),
    modified: moment(raw.modified, raw.modified_utc, timezone, nowMs),
    description: html(raw.description, LIMIT.description),
    image: image(raw.image, what, context),
    author: place.logins.get(asText(raw.author)),
    version: id(stored.version),
  }
}

export function readVenue(given: unknown, place: Place, context: Context): VenueRecord {
  const { raw, ...origin } = originOf(given, place)
  const what = `venue ${origin.externalId}`
  const field = (name: string) => text(raw[name], place)
  const lat = decimal(raw.geo_lat, 90)
  const lng = decimal(raw.geo_lng, 180)
  const stored = storedOf(raw, place)
  return {
    ...origin,
    kind: 'venue',
    ...readPost(raw, what, place, context),
    name: titleText(raw.venue, place),
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
    geo_lat: lng === null ? decimal(stored.geo_lat, 90) : lat,
    geo_lng: lat === null ? decimal(stored.geo_lng, 180) : lng,
  }
}

export function readOrganizer(given: unknown, place: Place, context: Context): OrganizerRecord {
  const { raw, ...origin } = originOf(given, place)
  const what = `organizer ${origin.externalId}`
  return {
    ...origin,
    kind: 'organizer',
    ...readPost(raw, what, place, context),
    name: titleText(raw.organizer, place),
    phone: text(raw.phone, place),
    website: url(raw.website, what, context),
    email: email(raw.email, what, context),
  }
}

/** @throws Unreadable also without a name: a term is nothing else */
export function readTerm(kind: 'category' | 'tag', given: unknown, place: Place): TermRecord {
  const { raw, ...origin } = originOf(given, place)
  const name = titleText(raw.name, place)
  if (name === '') throw new Unreadable('it has no name')
  const parent = kind === 'category' ? id(raw.parent) : undefined
  return {
    ...origin,
    kind,
    name,
    slug: place.own ? asText(raw.slug) : slug(raw.slug),
    description: text(raw.description, place, LIMIT.excerpt),
    parent: parent === undefined ? undefined : String(parent),
    version: id(storedOf(raw, place).version),
  }
}
