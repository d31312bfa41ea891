import type { SerializeContext } from '../../../kit/context.ts'
import { isUnnamedOffset, type TimeForm, timeForm, type Zones } from '../../../kit/lib/ical/clock-changes.ts'
import {
  DOUBTED_UID_END,
  escapeText,
  htmlToLines,
  isOwnUid,
  NOTES_TAG,
  plainTitle,
  property,
  STATUS_PROPERTY,
  TIMEZONE_PROPERTY,
  TITLE_PROPERTY,
  textProperty,
  uriProperty,
  utcValue,
} from '../../../kit/lib/ical/lines.ts'
import { memoizeByObject } from '../../../kit/lib/memo.ts'
import { regionOf } from '../../../kit/lib/region.ts'
import { type EventStatus, takesPlace } from '../../../kit/lib/statuses.ts'
import { addDays, type DateTime, isShownTwice } from '../../../kit/lib/time.ts'
import { escapeXml } from '../../../kit/lib/xml.ts'
import { withStatusWord } from '../../../words/events.ts'
import { textsIn } from '../../../words/words.ts'
import { imageUrl, mediaTypeOf } from '../../content/images.ts'
import { eventLink } from '../resource.ts'
import { accessOf } from '../rows.ts'
import type { FeedEvent } from './queries.ts'
import type { FeedOrganizer, FeedTerm, FeedVenue } from './relations.ts'

/**
 * The texts in a calendar: descriptions as text and HTML, as text only, or none if the calendar would be too
 * large.
 */
export type IncludedTexts = 'all' | 'plain' | 'none'

/** RFC 5545 §3.8.1.11. Rescheduled events do take place. */
export const STATUS_LINES = {
  scheduled: property('STATUS', 'CONFIRMED'),
  canceled: property('STATUS', 'CANCELLED'),
  postponed: property('STATUS', 'TENTATIVE') + property(STATUS_PROPERTY, 'postponed'),
  rescheduled: property('STATUS', 'CONFIRMED') + property(STATUS_PROPERTY, 'rescheduled'),
} as const satisfies Record<EventStatus, string>

type EventIdentity = { id: number; uid: string }
type Host = Pick<SerializeContext, 'host'>

/**
 * Completes a stored UID: a UID that ends with `@` gets the host. A doubted UID with the host of this
 * calendar belongs to another event.
 * @param fallbackUid the UID of a row without a stored UID
 */
function uidOf(storedUid: string, fallbackUid: string, { host }: Host): string {
  const givenUid = storedUid.trimEnd()
  const isOfOtherEvent = storedUid.endsWith(DOUBTED_UID_END) && isOwnUid(givenUid, host)
  const uid = givenUid === '' || isOfOtherEvent ? fallbackUid : givenUid
  return uid.endsWith('@') ? uid + host : uid
}

/** The UID of an event, which never changes. */
export const eventUid = ({ id, uid }: EventIdentity, context: Host): string =>
  uidOf(uid, `event-${id}@`, context)

export const seriesUid = ({ id, uid }: EventIdentity, context: Host): string =>
  uidOf(uid, `series-${id}@`, context)

type MaybeOccurrence = EventIdentity & { series: EventIdentity | null }

/**
 * The UID of an event in calendars where every occurrence is an event of its own. It stays the same when the
 * series is moved or divided. The event that the series was made from keeps its earlier UID.
 */
export function ownUid(row: MaybeOccurrence, context: SerializeContext): string {
  const { id, uid, series } = row
  if (!series) return eventUid(row, context)
  return series.uid === (uid || `event-${id}@`) ? seriesUid(series, context) : `event-${id}.0@${context.host}`
}

/** The SEQUENCE of a row, which never decreases. */
export const sequenceOf = ({
  sequence_offset,
  version,
}: {
  sequence_offset: number
  version: number
}): number => sequence_offset + version

/** The identity of a VEVENT, and the times at which it was written. */
type VeventIdentity = {
  uid: string
  sequence: number
  created: DateTime
  modified: DateTime
}

/**
 * The title, after the word for an event that does not take place as announced: some programs, such as
 * Outlook, don't show the STATUS.
 */
function titleLines(title: string, status: EventStatus, { settings }: SerializeContext): string {
  const summary = withStatusWord({ words: textsIn(settings.website.language).pages }, status, title)
  return (
    textProperty('SUMMARY', summary) + (summary === title ? '' : property(TITLE_PROPERTY, escapeText(title)))
  )
}

/** The properties that identify a VEVENT. */
export function headLines({ uid, sequence, created, modified }: VeventIdentity): string {
  const stamp = utcValue(modified)
  return `${textProperty('UID', uid)}DTSTAMP:${stamp}\r\nCREATED:${utcValue(created)}\r\nLAST-MODIFIED:${stamp}\r\nSEQUENCE:${sequence}\r\n`
}

export const timeLine = (name: string, time: DateTime, { parameters, value }: TimeForm): string =>
  property(name, value(time), parameters)

/** The zone of an all-day event; '' for other events, whose times have a zone. */
export const zoneLine = ({ all_day, timezone }: { all_day: boolean; timezone: string }): string =>
  all_day ? property(TIMEZONE_PROPERTY, timezone) : ''

export function timeLines(row: FeedEvent, zones: Zones): string {
  const form = timeForm(row)
  const { utc_start_date: start, utc_end_date: end, timezone } = row
  // Programs read a wall time that occurs twice as the earlier one.
  const isAmbiguous = isUnnamedOffset(timezone) || [start, end].some(utc => isShownTwice(utc, timezone))
  if (!row.all_day && isAmbiguous)
    return (
      property('DTSTART', utcValue(start)) +
      (start === end ? '' : property('DTEND', utcValue(end))) +
      property(TIMEZONE_PROPERTY, timezone)
    )
  if (!row.all_day) zones.add(row.timezone, row.utc_start_date, row.utc_end_date)
  return timeLine('DTSTART', row.start_date, form) + endLine(row, form) + zoneLine(row)
}

type Span = { all_day: boolean; start_date: DateTime; end_date: DateTime }

/**
 * The end of an event; '' for an event without a length, whose DTEND would equal its DTSTART (RFC 5545
 * §3.8.2.2).
 */
export function endLine({ all_day, start_date, end_date }: Span, form: TimeForm): string {
  // The end of an all-day event is exclusive in iCalendar.
  if (all_day) return timeLine('DTEND', addDays(end_date, 1), form)
  return start_date === end_date ? '' : timeLine('DTEND', end_date, form)
}

/** The reason why an event does not take place as announced; '' if it does. */
export const statusReason = ({ event_status, event_status_reason }: FeedEvent): string =>
  event_status === 'scheduled' ? '' : event_status_reason

/**
 * The properties of an event's content, without its identity and times.
 * @param url the address of its page
 */
export function bodyLines(
  context: SerializeContext,
  input: { row: FeedEvent; url: string; texts: IncludedTexts },
): string {
  const { row, url, texts } = input
  const image = row.image && imageUrl(row.image, context)
  const type = image && mediaTypeOf(image)
  const { event_status: status } = row
  return (
    STATUS_LINES[status] +
    textProperty('COMMENT', statusReason(row)) +
    titleLines(plainTitle(row.title), status, context) +
    descriptionLines(input, context) +
    placeLines(row.venues) +
    organizerLines(row.organizers) +
    categoriesLine(row.terms) +
    uriProperty('URL', row.website || url) +
    (image
      ? uriProperty('IMAGE', image, {
          VALUE: 'URI',
          DISPLAY: 'BADGE',
          ...(type && { FMTTYPE: type }),
        })
      : '') +
    (row.is_virtual ? uriProperty('CONFERENCE', row.virtual_url, { VALUE: 'URI', FEATURE: 'VIDEO' }) : '') +
    (texts === 'none' ? '' : sourceLines(row))
  )
}

/**
 * The facts by which people decide, in words: why the event does not take place as announced, the room, the
 * availability of tickets, the access, and the address online. Calendars recognise a moved date by its
 * RECURRENCE-ID.
 */
export function notesOf(row: FeedEvent, { settings }: SerializeContext): string[] {
  const words = textsIn(settings.website.language).pages
  const { wheelchair, accessibility } = accessOf(row, row.venues)
  const availability = takesPlace(row.event_status) ? row.ticket_availability : ''
  const reason = plainTitle(statusReason(row))
  return [
    reason && withStatusWord({ words }, row.event_status, reason),
    plainTitle(row.room),
    availability && words[`${availability}_tickets`],
    wheelchair && words[`access_${wheelchair}`],
    plainTitle(accessibility),
    row.is_virtual && row.virtual_url ? `${words.join}${words.colon}${row.virtual_url}` : '',
  ].filter(Boolean)
}

/** The link at the end of a description that was cut. */
export const fullTextLink = (url: string): string =>
  `<p><a href="${escapeXml(url)}">${escapeXml(url)}</a></p>`

function descriptionLines(
  { row, url, texts }: { row: FeedEvent; url: string; texts: IncludedTexts },
  context: SerializeContext,
): string {
  const { description, isAbridged } = row
  if (texts === 'none') return ''
  const notes = notesOf(row, context)
  // The property URL leads to the event's own website, if it has one.
  const ownPage = row.website && row.website !== url && !isAbridged ? [url] : []
  const lines = [htmlToLines(description), ...(isAbridged ? [url] : []), ...notes, ...ownPage]
  const text = textProperty('DESCRIPTION', lines.filter(Boolean).join('\n'))
  if (texts !== 'all') return text
  const whole = description + (isAbridged ? fullTextLink(url) : '')
  const rest = [...notes.map(note => `<p>${escapeXml(note)}</p>`), ...ownPage.map(fullTextLink)].join('')
  const rich = rest === '' ? whole : `${whole}${NOTES_TAG}${rest}</div>`
  return text + textProperty('X-ALT-DESC', rich, { FMTTYPE: 'text/html' })
}

/** The limit of a line that joins the names of several rows. */
const MAX_CHARACTERS = 1_000

const limitedText = (text: string): string =>
  text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…`

// A thousand events may share a list of relations, whose texts may be long: each text is made once.

/** The names and addresses of an event's venues in one line. */
export const placesText = memoizeByObject((venues: readonly FeedVenue[]): string => {
  let places = ''
  for (const venue of venues) {
    places += (places && '; ') + placeText(venue)
    if (places.length > MAX_CHARACTERS) break
  }
  return limitedText(places)
})

const placeText = memoizeByObject((venue: FeedVenue): string => {
  const { name, address, city, zip, country } = venue
  const parts = [...new Set([name, address, city, regionOf(venue), zip, country])].filter(Boolean)
  // One more character, so that {@link limitedText} notices that something is missing.
  return plainTitle(parts.join(', ')).slice(0, MAX_CHARACTERS + 1)
})

const placeLines = memoizeByObject(
  (venues: readonly FeedVenue[]): string => textProperty('LOCATION', placesText(venues)) + geoLine(venues[0]),
)

function geoLine(venue: FeedVenue | undefined): string {
  if (!venue || venue.geo_lat === null || venue.geo_lng === null) return ''
  // Without exponential notation, which a FLOAT in iCalendar does not allow.
  const [lat, lng] = [venue.geo_lat, venue.geo_lng].map(degrees => Number(degrees.toFixed(6)).toString())
  // Apple's programs show a map and travel times only with this property.
  const parameters = {
    VALUE: 'URI',
    'X-ADDRESS': placeText(venue),
    'X-APPLE-RADIUS': '100',
    'X-TITLE': plainTitle(venue.name),
  }
  return (
    property('GEO', `${lat};${lng}`) +
    uriProperty('X-APPLE-STRUCTURED-LOCATION', `geo:${lat},${lng}`, parameters)
  )
}

const MAX_ORGANIZERS = 5

/** The organizers. ORGANIZER is an organizer with an e-mail address; the others are CONTACTs. */
const organizerLines = memoizeByObject((organizers: readonly FeedOrganizer[]): string => {
  let lines = ''
  for (const [i, { name, email }] of organizers.slice(0, MAX_ORGANIZERS).entries())
    lines +=
      i === 0 && email !== ''
        ? uriProperty('ORGANIZER', `mailto:${email}`, { CN: limitedText(plainTitle(name)) })
        : textProperty('CONTACT', limitedText(plainTitle(name)))
  return lines
})

function categoriesLine(terms: readonly FeedTerm[]): string {
  let names = ''
  let charactersLeft = MAX_CHARACTERS
  for (const { taxonomy, name } of terms) {
    if (taxonomy !== 'event_category') continue
    charactersLeft -= name.length
    if (charactersLeft >= 0) names += (names && ',') + escapeText(plainTitle(name))
  }
  return names === '' ? '' : property('CATEGORIES', names)
}

/**
 * The calendars that an event comes from: LINK of RFC 9253 §8.2, with a relation from the registry of web
 * links.
 */
function sourceLines({ sources }: FeedEvent): string {
  let lines = ''
  for (const { name, url } of sources)
    lines += uriProperty('LINK', url, { VALUE: 'URI', LINKREL: 'via', LABEL: limitedText(plainTitle(name)) })
  return lines
}

const BEGIN_VEVENT = property('BEGIN', 'VEVENT')
const END_VEVENT = property('END', 'VEVENT')

export const vevent = (lines: string): string => BEGIN_VEVENT + lines + END_VEVENT

/** A single event, or an occurrence as a single event. */
export function veventText(
  row: FeedEvent,
  zones: Zones,
  texts: IncludedTexts,
  context: SerializeContext,
): string {
  const head = {
    uid: ownUid(row, context),
    sequence: sequenceOf(row) + (row.series ? sequenceOf(row.series) : 0),
    created: row.date_utc,
    modified: row.modified_utc,
  }
  return vevent(
    headLines(head) +
      timeLines(row, zones) +
      bodyLines(context, { row, url: eventLink(row, context), texts }),
  )
}
