import { endOfDay, startOfDay, toEpoch, toUtc } from '../lib/time.ts'
import { LIMIT } from '../lib/values.ts'
import { canonicalZone } from '../lib/zones.ts'
import { asText, flag, html, id, isObject, line, moment, type Raw, title, url } from './fields.ts'
import { originOf, readOrganizer, readPost, readTerm, readVenue } from './read-posts.ts'
import {
  type AnyRecord,
  type Context,
  type EventRecord,
  type Moment,
  type OrganizerRecord,
  type TermRecord,
  Unreadable,
  type VenueRecord,
} from './records.ts'

/** Records that are embedded in an event, in the order in which links point backwards. */
export type Embedded = {
  categories: TermRecord[]
  tags: TermRecord[]
  venues: VenueRecord[]
  organizers: OrganizerRecord[]
}

export function readEmbedded(raw: Raw, source: string, context: Context): Embedded {
  const what = `event ${asText(raw.id)}`
  return {
    categories: each(raw.categories, item => readTerm('category', item, source), what, context),
    tags: each(raw.tags, item => readTerm('tag', item, source), what, context),
    venues: each(raw.venue, item => readVenue(item, source, context), what, context),
    organizers: each(raw.organizer, item => readOrganizer(item, source, context), what, context),
  }
}

/** An event, which links to what is embedded in it. @throws Unreadable */
export function readEvent(
  given: unknown,
  { categories, tags, venues, organizers }: Embedded,
  source: string,
  context: Context,
): EventRecord {
  const { raw, ...origin } = originOf(given, source)
  const what = `event ${origin.externalId}`
  const flags = {
    show_map: flag(raw.show_map),
    show_map_link: flag(raw.show_map_link),
    hide_from_listings: flag(raw.hide_from_listings),
    sticky: flag(raw.sticky),
    featured: flag(raw.featured),
    ticketed: flag(raw.ticketed),
  }
  return {
    ...origin,
    kind: 'event',
    ...readPost(raw, what, context, LIMIT.eventDescription),
    title: title(raw.title),
    excerpt: html(raw.excerpt, LIMIT.excerpt),
    ...readTimes(raw, context),
    cost: line(raw.cost),
    website: website(raw, what, context),
    ...flags,
    venues: externalIds(venues),
    organizers: externalIds(organizers),
    categories: externalIds(categories),
    tags: externalIds(tags),
    parent: parentOf(raw.post_parent, origin.externalId),
  }
}

const externalIds = (records: readonly AnyRecord[]): string[] => [
  ...new Set(records.map(({ externalId }) => externalId)),
]

function parentOf(raw: unknown, own: string): string | undefined {
  const parent = id(raw)
  return parent === undefined || String(parent) === own ? undefined : String(parent)
}

/** Reads a field that holds one or many: an array, one object, or nothing in any form. A bad one is left out. */
function each<T>(raw: unknown, read: (item: unknown) => T, what: string, { note }: Context): T[] {
  const items = Array.isArray(raw)
    ? raw
    : isObject(raw) && Object.keys(raw).length > 0
      ? 'id' in raw
        ? [raw]
        : Object.values(raw)
      : []
  return items.flatMap(item => {
    try {
      return [read(item)]
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      note(`${what}: something that it links to was left out, because ${error.message}`)
      return []
    }
  })
}

/** Website of an event; servers send its permalink for want of one, and so do we. Empty is something else. */
function website(raw: Raw, what: string, context: Context): string | null {
  if (raw.website === undefined || raw.website === null || raw.website === false) return null
  return asText(raw.website) === asText(raw.url) && raw.website !== ''
    ? null
    : url(raw.website, what, context)
}

/** @throws Unreadable without a start, or with an end before it */
function readTimes(raw: Raw, { nowMs, timezone }: Context) {
  const zone = zoneOf(raw, nowMs, timezone)
  const all_day = flag(raw.all_day)
  const from = moment(raw.start_date, raw.utc_start_date, zone, nowMs)
  if (!from) throw new Unreadable('it has no start date')
  const to = moment(raw.end_date, raw.utc_end_date, zone, nowMs) ?? from
  const start = all_day ? at(startOfDay(from.wall), from, zone) : from
  let end = all_day ? at(endOfDay(to.wall), to, zone) : to
  // A UTC time that contradicts its wall time has been seen; people had looked at the other one.
  if (end.utc < start.utc && end.wall >= start.wall) end = { wall: end.wall, utc: toUtc(end.wall, zone) }
  if (end.utc < start.utc) throw new Unreadable(`its end, ${end.wall}, lies before its start, ${start.wall}`)
  return { all_day, start, end, timezone: zone }
}

/** A wall time in a zone; the given moment if that is the same. */
const at = (wall: string, given: Moment, zone: string): Moment =>
  wall === given.wall ? given : { wall, utc: toUtc(wall, zone) }

/** The event's zone; if that is missing or unknown, what the difference between its local and UTC times says. */
function zoneOf(raw: Raw, nowMs: number, fallback: string): string {
  const named = canonicalZone(asText(raw.timezone))
  if (named) return named
  const local = moment(raw.start_date, undefined, 'UTC', nowMs)
  const utc = moment(undefined, raw.utc_start_date, 'UTC', nowMs)
  if (!local || !utc) return fallback
  const hours = (toEpoch(local.utc) - toEpoch(utc.utc)) / 3_600_000
  return hours === 0 ? 'UTC' : (canonicalZone(`UTC${hours < 0 ? '-' : '+'}${Math.abs(hours)}`) ?? 'UTC')
}
