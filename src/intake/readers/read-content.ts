import * as z from 'zod/mini'
import { descriptionOf } from '../../http/params.ts'
import { STATUSES, type Status } from '../../lib/statuses.ts'
import { isObject, LIMIT } from '../../lib/values.ts'
import { type FieldTable, type StoredNames, storedNames } from '../../resources/content/field-table.ts'
import { ORGANIZER_FIELDS } from '../../resources/organizers/schema.ts'
import { VENUE_FIELDS } from '../../resources/venues/schema.ts'
import {
  type OrganizerRecord,
  type RecordKind,
  type TermRecord,
  Unreadable,
  type VenueRecord,
} from '../records.ts'
import { readExternalId } from './details.ts'
import {
  type Raw,
  type Reading,
  readDecimal,
  readEmail,
  readFlag,
  readHtml,
  readId,
  readImageRecord,
  readLine,
  readMoment,
  readSlug,
  readTitle,
  readUrl,
} from './fields.ts'

/** A record of a response: its identity in its source, and what its values are read with. @throws Unreadable without an id */
export function recordIn<const K extends RecordKind>(kind: K, raw: unknown, within: Reading) {
  if (!isObject(raw)) throw new Unreadable('it is not an object')
  const id = readId(raw.id)
  if (id === undefined) throw new Unreadable('it has no id')
  const origin = { kind, source: within.source, externalId: String(id), id }
  return { raw, origin, reading: { ...within, what: `${kind} ${id}` } }
}

/** A known status. Without one, a record is published (versions of 2017 send none); with an unknown one, it is a draft. */
export function readStatus(raw: unknown): Status {
  if (raw === undefined || raw === null || raw === '') return 'publish'
  return STATUSES.find(known => known === raw) ?? 'draft'
}

/** Reads the fields that events, venues and organizers have in common. */
export function readContent(raw: Raw, reading: Reading, descriptionLimit: number) {
  const { timezone, nowMs } = reading
  return {
    status: readStatus(raw.status),
    slug: readSlug(raw.slug),
    date: readMoment(raw.date, raw.date_utc, timezone, nowMs),
    modified: readMoment(raw.modified, raw.modified_utc, timezone, nowMs),
    description: readHtml(raw.description, descriptionLimit),
    image: readImageRecord(raw.image, reading),
    external_id: readExternalId(raw.external_id, reading),
  }
}

/**
 * Reads the fields of a table that are stored as they are given, as flags and lines of text. What the API would refuse is left
 * out; fields of other kinds are read by their names.
 */
export function readPlain<const T extends FieldTable>(
  table: T,
  raw: Raw,
): { [K in StoredNames<T>]?: z.core.output<T[K]['param']> } {
  const values = storedNames<FieldTable>(table).flatMap((name): [string, unknown][] => {
    const param = table[name]?.param
    if (!param) return []
    const { type, default: fallback } = descriptionOf(param)
    const value = type === 'boolean' ? readFlag(raw[name], fallback === true) : readLine(raw[name])
    const { success, data } = z.safeParse(param, value)
    return success ? [[name, data]] : []
  })
  // Each was parsed by its parameter.
  return Object.fromEntries(values) as { [K in StoredNames<T>]?: z.core.output<T[K]['param']> }
}

/** Reads a venue. @throws Unreadable without an id */
export function readVenue(given: unknown, within: Reading): VenueRecord {
  const { raw, origin, reading } = recordIn('venue', given, within)
  const lat = readDecimal(raw.geo_lat, 90)
  const lng = readDecimal(raw.geo_lng, 180)
  return {
    ...origin,
    ...readPlain(VENUE_FIELDS, raw),
    ...readContent(raw, reading, LIMIT.placeDescription),
    name: readTitle(raw.venue),
    website: readUrl(raw.website, reading),
    // Coordinates come in pairs.
    geo_lat: lng === null ? null : lat,
    geo_lng: lat === null ? null : lng,
  }
}

/** Reads an organizer. @throws Unreadable without an id */
export function readOrganizer(given: unknown, within: Reading): OrganizerRecord {
  const { raw, origin, reading } = recordIn('organizer', given, within)
  return {
    ...origin,
    ...readPlain(ORGANIZER_FIELDS, raw),
    ...readContent(raw, reading, LIMIT.placeDescription),
    name: readTitle(raw.organizer),
    website: readUrl(raw.website, reading),
    email: readEmail(raw.email, reading),
  }
}

/** Reads a category or tag. @throws Unreadable without an id or a name */
export function readTerm(kind: 'category' | 'tag', given: unknown, reading: Reading): TermRecord {
  const { raw, origin } = recordIn(kind, given, reading)
  const name = readTitle(raw.name)
  if (name === '') throw new Unreadable('it has no name')
  const parent = kind === 'category' ? readId(raw.parent) : undefined
  return {
    ...origin,
    name,
    slug: readSlug(raw.slug),
    description: readLine(raw.description, LIMIT.excerpt),
    parent: parent === undefined ? undefined : String(parent),
  }
}
