import * as z from 'zod/mini'
import { type FieldTable, type StoredNames, storedNames } from '../calendar/content/fields.ts'
import { suffixes } from '../calendar/events/recurrence/occurrences.ts'
import { MAX_DATES } from '../calendar/events/recurrence-fields.ts'
import { EVENT_FIELDS, type FieldName, isFieldName } from '../calendar/events/schema.ts'
import { reportGuess } from '../calendar/imports/guesses.ts'
import {
  type AnyRecord,
  type EventRecord,
  type OccurrenceOf,
  type OrganizerRecord,
  type RecordKind,
  type SeriesRecord,
  type TermRecord,
  Unreadable,
  type VenueRecord,
  withStatusOf,
} from '../calendar/imports/records.ts'
import { ORGANIZER_FIELDS } from '../calendar/organizers/resource.ts'
import { VENUE_FIELDS } from '../calendar/venues/schema.ts'
import { descriptionOf } from '../kit/http/params.ts'
import { horizonOf, type Pattern, startsOf } from '../kit/lib/recurrence/pattern.ts'
import { formatRule } from '../kit/lib/recurrence/rule.ts'
import { STATUSES, type Status, VIRTUAL_EVENT_TYPES } from '../kit/lib/statuses.ts'
import {
  type DateTime,
  endOfDay,
  formatInstant,
  HOUR_MS,
  isDateTime,
  spanAt,
  startOfDay,
  toEpoch,
  toUtc,
  type ZonedTime,
} from '../kit/lib/time.ts'
import { FIELD_LIMITS, isObject } from '../kit/lib/values.ts'
import { canonicalZone, zoneAhead } from '../kit/lib/zones.ts'
import {
  eventStatus,
  externalIdsOf,
  type FieldReading,
  isSkipped,
  noteAbout,
  onlineType,
  originsIn,
  type RawValues,
  readCustomFields,
  readEmail,
  readExternalId,
  readFlag,
  readHtml,
  readId,
  readImageRecord,
  readInline,
  readLine,
  readMoment,
  readPosition,
  readSlug,
  readTitle,
  readUrl,
  reportLeftOut,
  reportSkipped,
  sourceRule,
  textOrEmpty,
} from './fields.ts'
import { MAX_IMPORTED } from './ics/recurrence.ts'
import { isOnlineAt, isPlace, meetingIn, type Placeless, placelessIn, websiteOf } from './placeless.ts'
import { zoneNamed } from './zone-names.ts'

// Series as calendars like this one show them: as a resource of their own, and in each occurrence.

function datesIn(raw: unknown, name: string): DateTime[] {
  const dates: unknown[] = Array.isArray(raw) ? raw : []
  if (!Array.isArray(raw ?? []) || dates.length > MAX_DATES || !dates.every(isDateTime))
    throw new Unreadable(`its ${name} is not a list of at most ${MAX_DATES} dates`, 'record_too_much')
  return dates
}

/** Reads the recurrence of a series. @param start the wall time of its first date @throws Unreadable */
function readRecurrence(raw: unknown, start: DateTime): Pick<Pattern, 'rrule' | 'rdate' | 'exdate'> {
  const values: RawValues = isObject(raw) ? raw : {}
  const rrule = textOrEmpty(values.rrule)
  return {
    // UNTIL is in the zone of the series.
    rrule: rrule === '' ? '' : formatRule(sourceRule(rrule, 'its rule is none', { start })),
    rdate: datesIn(values.rdate, 'rdate'),
    exdate: datesIn(values.exdate, 'exdate'),
  }
}

/** The starts of a pattern up to the horizon. @throws Unreadable if there are too many */
function startsUntil(pattern: Pattern, now: DateTime): DateTime[] {
  const bounds = { to: horizonOf(pattern, now), limit: MAX_IMPORTED }
  const { dates, hasMore } = startsOf(pattern, bounds)
  if (hasMore) throw new Unreadable(`it occurs more than ${MAX_IMPORTED} times`, 'record_too_much')
  return dates
}

/**
 * Turns a series that was read like an event into a series.
 *
 * @throws Unreadable for invalid rules, and for rules that occur too often
 */
function seriesRecord(event: EventRecord, raw: RawValues, nowMs: number): SeriesRecord {
  const { kind: _, occurrence: _occurrence, chain: _chain, start, end, timezone, all_day, ...shared } = event
  const recurrence = readRecurrence(raw.recurrence, start.wall)
  const pattern = { ...recurrence, start_date: start.wall, end_date: end.wall, timezone, all_day }
  const last = raw.last_date
  return {
    ...shared,
    kind: 'series',
    start,
    end,
    timezone,
    all_day,
    recurrence,
    dates: startsUntil(pattern, formatInstant(nowMs)).map(date => ({ date })),
    ...(isDateTime(last) && { madeUpTo: last }),
  }
}

/** The id of the series that an occurrence names; undefined for single events. */
export const seriesIdIn = (raw: unknown): string | undefined => {
  const number = isObject(raw) && isObject(raw.series) ? readId(raw.series.id) : undefined
  return number === undefined ? undefined : String(number)
}

/** Reads the place of an occurrence in its series. @throws Unreadable */
function occurrenceIn(raw: RawValues): OccurrenceOf | undefined {
  const series = seriesIdIn(raw)
  if (series === undefined || !isObject(raw.series)) return undefined
  const { occurrence_date: date, detached } = raw.series
  if (!isDateTime(date)) throw new Unreadable('it does not say which date of its series it is', 'record_rule')
  const names: unknown[] = Array.isArray(detached) ? detached : []
  return { series, date, suffix: suffixes([date])(date), detached: names.filter(isField) }
}

const isField = (name: unknown): name is FieldName => typeof name === 'string' && isFieldName(name)

/**
 * A record in a response: its identity in its source, and the context in which its values are read.
 *
 * @throws Unreadable without an id
 */
function recordIn<const K extends RecordKind>(kind: K, raw: unknown, outerReading: FieldReading) {
  if (!isObject(raw)) throw new Unreadable('it is not an object', 'record_unreadable')
  const id = readId(raw.id)
  if (id === undefined) throw new Unreadable('it has no id', 'record_unreadable')
  const origin = { kind, source: outerReading.source, externalId: String(id), id }
  return { raw, origin, reading: { ...outerReading, what: `${kind} ${id}` } }
}

/**
 * Reads a status. A record without one is published (versions of 2017 send none), and one with an unknown
 * status is a draft.
 */
function readStatus(raw: unknown): Status {
  if (raw === undefined || raw === null || raw === '') return 'publish'
  return STATUSES.find(known => known === raw) ?? 'draft'
}

/** Reads the fields that events, venues and organizers have in common. */
function readContent(raw: RawValues, reading: FieldReading, descriptionLimit: number) {
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
 * Reads the fields of a table that are stored as given, such as flags and lines of text, and leaves out
 * values that the API would refuse. Other fields are read by name elsewhere.
 */
export function readPlain<const T extends FieldTable>(
  table: T,
  raw: RawValues,
): { [K in StoredNames<T>]?: z.core.output<T[K]['param']> } {
  const values = storedNames<FieldTable>(table).flatMap((name): [string, unknown][] => {
    const param = table[name]?.param
    if (!param) return []
    const { type, default: fallback } = descriptionOf(param)
    const value = type === 'boolean' ? readFlag(raw[name], fallback === true) : readLine(raw[name])
    const { success, data } = z.safeParse(param, value)
    return success ? [[name, data]] : []
  })
  // Each value was parsed by its parameter.
  return Object.fromEntries(values) as { [K in StoredNames<T>]?: z.core.output<T[K]['param']> }
}

/** Reads a venue. @throws Unreadable without an id */
export function readVenue(rawVenue: unknown, outerReading: FieldReading): VenueRecord {
  const { raw, origin, reading } = recordIn('venue', rawVenue, outerReading)
  return {
    ...origin,
    ...readPlain(VENUE_FIELDS, raw),
    ...readContent(raw, reading, FIELD_LIMITS.placeDescription),
    name: readTitle(raw.venue),
    website: readUrl(raw.website, reading),
    ...readPosition(raw.geo_lat, raw.geo_lng),
  }
}

/** Reads an organizer. @throws Unreadable without an id */
export function readOrganizer(rawOrganizer: unknown, outerReading: FieldReading): OrganizerRecord {
  const { raw, origin, reading } = recordIn('organizer', rawOrganizer, outerReading)
  return {
    ...origin,
    ...readPlain(ORGANIZER_FIELDS, raw),
    ...readContent(raw, reading, FIELD_LIMITS.placeDescription),
    name: readTitle(raw.organizer),
    website: readUrl(raw.website, reading),
    email: readEmail(raw.email, reading),
  }
}

/** Reads a category or tag. @throws Unreadable without an id or a name */
export function readTerm(kind: 'category' | 'tag', rawTerm: unknown, reading: FieldReading): TermRecord {
  const { raw, origin } = recordIn(kind, rawTerm, reading)
  const name = readTitle(raw.name)
  if (name === '') throw new Unreadable('it has no name', 'record_no_name')
  const parent = kind === 'category' ? readId(raw.parent) : undefined
  return {
    ...origin,
    name,
    slug: readSlug(raw.slug),
    description: readInline(raw.description, FIELD_LIMITS.excerpt),
    parent: parent === undefined ? undefined : String(parent),
  }
}

type EmbeddedRecords = {
  categories: TermRecord[]
  tags: TermRecord[]
  venues: VenueRecord[]
  organizers: OrganizerRecord[]
}

/**
 * Reads the records that are embedded in an event. They are as public as the event. Bad ones are left out
 * with a note.
 */
export function readEmbedded(raw: RawValues, outerReading: FieldReading): EmbeddedRecords {
  const reading = { ...outerReading, what: `event ${textOrEmpty(raw.id)}` }
  const status = readStatus(raw.status)
  const term = (kind: 'category' | 'tag') => (item: unknown) => ({
    ...readTerm(kind, item, reading),
    ...(status !== 'publish' && { standalone: false }),
  })
  return {
    categories: readEach(raw.categories, term('category'), reading),
    tags: readEach(raw.tags, term('tag'), reading),
    venues: readEach(raw.venue, item => withStatusOf(status, readVenue(item, reading)), reading),
    organizers: readEach(raw.organizer, item => withStatusOf(status, readOrganizer(item, reading)), reading),
  }
}

/**
 * Reads an event, which refers to the records that are embedded in it.
 *
 * @param series ids of the series that are read as well; occurrences of others become single events
 * @throws Unreadable
 */
export function readEvent(
  rawEvent: unknown,
  { categories, tags, venues, organizers }: EmbeddedRecords,
  outerReading: FieldReading,
  series?: ReadonlySet<string>,
): EventRecord {
  const { raw, origin, reading } = recordIn('event', rawEvent, outerReading)
  const title = readTitle(raw.title)
  if (title === '') reportGuess(reading, { code: 'guess_no_title', text: '' })
  const placeless = venues.flatMap(placelessIn)
  const places = venues.filter(isPlace)
  const website = readWebsite(raw, reading)
  return {
    ...origin,
    ...readPlain(EVENT_FIELDS, raw),
    ...readContent(raw, reading, FIELD_LIMITS.eventDescription),
    title,
    excerpt: readHtml(raw.excerpt, FIELD_LIMITS.excerpt),
    ...readTimes(raw, reading),
    cost: readLine(raw.cost),
    website: websiteOf(website ?? '', placeless, { ...reading, field: 'venue', as: 'website' }) || website,
    origins: originsIn([raw.source, ...arrayOrEmpty(raw.other_sources)]),
    event_status: eventStatus(raw.event_status, reading),
    ...virtualFields(raw, { placeless, hasPlace: places.length > 0 }, reading),
    custom_fields: readCustomFields(raw.custom_fields, reading),
    venues: uniqueExternalIds(places),
    organizers: uniqueExternalIds(organizers),
    categories: uniqueExternalIds(categories),
    tags: uniqueExternalIds(tags),
    parent: parentOf(raw.post_parent, origin.externalId),
    ...(series?.has(seriesIdIn(raw) ?? '') && { occurrence: occurrenceIn(raw) }),
  }
}

/** Reads a series, which calendars like this one show like an event. @throws Unreadable */
export function readSeries(raw: unknown, embedded: EmbeddedRecords, reading: FieldReading): SeriesRecord {
  const event = readEvent(raw, embedded, reading)
  // The external id belongs to the first occurrence, which has it.
  return seriesRecord({ ...event, external_id: '' }, isObject(raw) ? raw : {}, reading.nowMs)
}

/** How an event takes place online, as its fields say, or a venue that is none. */
function virtualFields(
  raw: RawValues,
  { placeless, hasPlace }: { placeless: readonly Placeless[]; hasPlace: boolean },
  reading: FieldReading,
): Pick<EventRecord, 'virtual_event_type' | 'virtual_url'> {
  const namedType = VIRTUAL_EVENT_TYPES.find(each => each === raw.virtual_event_type)
  const isVirtual = raw.is_virtual === undefined ? Boolean(namedType) : readFlag(raw.is_virtual)
  const url = readUrl(raw.virtual_url, reading, 'virtual_url')
  return {
    virtual_event_type: isVirtual ? namedType || 'virtual' : onlineType(isOnlineAt(placeless), hasPlace),
    virtual_url: url || readUrl(meetingIn(placeless), reading, 'virtual_url'),
  }
}

const arrayOrEmpty = (raw: unknown): readonly unknown[] => (Array.isArray(raw) ? raw : [])

const uniqueExternalIds = (records: readonly AnyRecord[]): string[] => [...new Set(externalIdsOf(records))]

function parentOf(raw: unknown, own: string): string | undefined {
  const parent = readId(raw)
  return parent === undefined || String(parent) === own ? undefined : String(parent)
}

/**
 * Reads a field that holds one or several items: an array, one object, or an empty value. Bad items are left
 * out.
 */
function readEach<T>(raw: unknown, read: (item: unknown) => T, reading: FieldReading): T[] {
  const items = Array.isArray(raw)
    ? raw
    : isObject(raw) && Object.keys(raw).length > 0
      ? 'id' in raw
        ? [raw]
        : Object.values(raw)
      : []
  if (items.length > FIELD_LIMITS.links)
    noteAbout(reading, `it links to more than ${FIELD_LIMITS.links} of a kind, of which the first are kept`)
  return items.slice(0, FIELD_LIMITS.links).flatMap(item => {
    try {
      return [read(item)]
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      noteAbout(reading, `something that it links to was left out, because ${error.message}`)
      return []
    }
  })
}

/**
 * The website of an event. WordPress sends the permalink if there is no website, so the permalink counts as
 * none.
 */
function readWebsite(raw: RawValues, reading: FieldReading): string | null {
  if (raw.website === undefined || raw.website === null || raw.website === false) return null
  return textOrEmpty(raw.website) === textOrEmpty(raw.url) && raw.website !== ''
    ? null
    : readUrl(raw.website, reading)
}

/** Reads the times and the zone of an event. @throws Unreadable without a start, or with an end before it */
function readTimes(raw: RawValues, reading: FieldReading) {
  const { nowMs } = reading
  const zone = zoneOf(raw, reading)
  const all_day = readFlag(raw.all_day)
  const from = readMoment(raw.start_date, raw.utc_start_date, zone, nowMs)
  if (!from) throw new Unreadable('it has no start date', 'record_no_start')
  const until = readMoment(raw.end_date, raw.utc_end_date, zone, nowMs)
  const endText = textOrEmpty(raw.end_date) || textOrEmpty(raw.utc_end_date)
  // Zeros mean no date in WordPress.
  if (!until && endText !== '' && !endText.startsWith('0000-00-00'))
    reportLeftOut(reading, 'end_date', endText)
  const to = until ?? from
  const start = all_day ? timeAtWall(startOfDay(from.wall), from, zone) : from
  let end = all_day ? timeAtWall(endOfDay(to.wall), to, zone) : to
  // Some real events have UTC times that contradict their wall times. Wall times win, because people saw
  // them.
  if (end.utc < start.utc && end.wall >= start.wall)
    end = { wall: end.wall, utc: spanAt({ start: start.wall, end: end.wall, all_day }, zone).end.utc }
  if (end.utc < start.utc)
    throw new Unreadable(`its end, ${end.wall}, is before its start, ${start.wall}`, 'record_ends_early')
  const given = [raw.start_date, raw.end_date].find(text => {
    const written = readMoment(text, undefined, 'UTC', nowMs)
    return !all_day && written !== undefined && isSkipped(written.wall, zone)
  })
  if (given !== undefined) reportSkipped(reading, textOrEmpty(given), { start, end })
  return { all_day, start, end, timezone: zone }
}

/** A wall time in a zone; the given time if that is the same. */
const timeAtWall = (wall: string, given: ZonedTime, zone: string): ZonedTime =>
  wall === given.wall ? given : { wall, utc: toUtc(wall, zone) }

/** The event's zone; if it is missing or unknown, the offset between its local and UTC times. */
function zoneOf(raw: RawValues, reading: FieldReading): string {
  const { nowMs, timezone } = reading
  const text = textOrEmpty(raw.timezone)
  const namedZone = canonicalZone(text) ?? zoneNamed(text)
  if (namedZone) return namedZone
  const local = readMoment(raw.start_date, undefined, 'UTC', nowMs)
  const utc = readMoment(undefined, raw.utc_start_date, 'UTC', nowMs)
  const zone = local && utc && zoneAhead((toEpoch(local.utc) - toEpoch(utc.utc)) / HOUR_MS)
  const assumedZone = zone ?? (local && utc ? 'UTC' : timezone)
  if (text !== '') reportGuess(reading, { code: 'guess_zone', text, as: assumedZone, what: reading.what })
  return assumedZone
}
