import ICAL from 'ical.js'
import { reportGuess } from '../../calendar/imports/guesses.ts'
import {
  type AnyRecord,
  type EventRecord,
  type ReaderContext,
  Unreadable,
  withStatusOf,
} from '../../calendar/imports/records.ts'
import { messageOf } from '../../kit/lib/errors.ts'
import { NOTES_TAG, STATUS_PROPERTY, TITLE_PROPERTY } from '../../kit/lib/ical/lines.ts'
import { slugify } from '../../kit/lib/slug.ts'
import { EVENT_STATUSES, type EventStatus, type Status } from '../../kit/lib/statuses.ts'
import { htmlToText } from '../../kit/lib/text.ts'
import {
  addDays,
  type DateTime,
  dayNumber,
  dayOf,
  endOfDay,
  formatInstant,
  msByClock,
  toEpoch,
  toWall,
  type ZonedTime,
} from '../../kit/lib/time.ts'
import { FIELD_LIMITS } from '../../kit/lib/values.ts'
import {
  externalIdsOf,
  type FieldReading,
  onlineType,
  readExternalId,
  readHtml,
  readLine,
  readTitle,
  readUrl,
  reportSkipped,
} from '../fields.ts'
import { isOnlineAt, meetingIn, type Placeless, websiteOf } from '../placeless.ts'
import { propertyName, propertyText } from './file.ts'
import { STEP_COSTS, type WorkMeter } from './limits.ts'
import { categoriesOf, icsVenue, imageOf, organizersOf, placelessOf } from './places.ts'
import { type Clocks, type IcsTime, icsTimeIn, UTC } from './times.ts'

/**
 * The length of an event: whole days by the calendar, the rest by the clock. `isDuration` says whether the
 * length comes from a DURATION or from an end.
 */
type Length = { days: number; ms: number; isDuration: boolean; end?: IcsTime }

export type IcsTimes = { start: IcsTime; length: Length; display: Clocks['fallback'] }

type TimesReading = Pick<IcsReading, 'clocks' | 'note' | 'guess' | 'writtenIn'>

/** @throws Unreadable without a start */
export function icsTimesOf(event: ICAL.Component, reading: TimesReading): IcsTimes {
  const { clocks } = reading
  const start = icsTimeIn(event, 'dtstart', clocks)
  if (!start) throw new Unreadable('it has no DTSTART', 'record_no_start')
  return { start, length: eventLength(event, start, reading), display: displayClock(event, start, clocks) }
}

/**
 * The clock that shows an event's times. Many feeds give all times in UTC and name the zone separately: for
 * the calendar or, in properties of some programs, for each event.
 */
function displayClock(event: ICAL.Component, start: IcsTime, clocks: Clocks): Clocks['fallback'] {
  if (start.clock !== UTC && !start.isDate) return start.clock
  const namedClock = event
    .getAllProperties()
    .filter(({ name }) => /^x-.*timezone$/.test(name))
    .map(property => clocks.clockNamed(String(property.getFirstValue() ?? '')))
    .find(clock => clock !== undefined)
  return namedClock ?? (start.isDate ? start.clock : clocks.fallback)
}

/** The longest event, in days: a thousand years. */
const MAX_DAYS = 366_000

/**
 * The length of an event; without DTEND and DURATION, one day for a date and zero for a time (RFC 5545
 * §3.6.1).
 */
function eventLength(event: ICAL.Component, start: IcsTime, reading: TimesReading): Length {
  const { clocks } = reading
  const noLength: Length = { days: start.isDate ? 1 : 0, ms: 0, isDuration: false }
  try {
    const end = icsTimeIn(event, 'dtend', clocks)
    const duration = durationIn(event)
    if (end && end.wall >= NO_END_FROM) reportEndlessEnd(event, end, reading)
    if (end && start.isDate) {
      const days = dayNumber(end.wall) - dayNumber(start.wall)
      // Some programs end a single day on the same day.
      return { ...noLength, days: Math.max(1, days) }
    }
    if (end) return { ...noLength, ms: durationOf(start, end), end }
    if (!(duration instanceof ICAL.Duration)) return noLength
    const { weeks, days, hours, minutes, seconds, isNegative } = duration
    if (isNegative || weeks * 7 + days > MAX_DAYS)
      throw new Unreadable(String(duration), 'record_no_such_date')
    const ms = ((hours * 60 + minutes) * 60 + seconds) * 1000
    if (start.isDate) return { ...noLength, days: Math.max(1, weeks * 7 + days) }
    return { days: weeks * 7 + days, ms, isDuration: true }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    reportPropertyLeftOut(event, event.hasProperty('dtend') ? 'DTEND' : 'DURATION', reading)
    return noLength
  }
}

/** The value of DURATION, which the library parses only now. @throws Unreadable */
function durationIn(event: ICAL.Component) {
  try {
    return event.getFirstPropertyValue('duration')
  } catch (error) {
    throw new Unreadable(messageOf(error), 'record_no_such_date', { cause: error })
  }
}

/** Programs write an end from this year on for events without an end. */
const NO_END_FROM: DateTime = '9999-01-01 00:00:00'

function reportEndlessEnd(event: ICAL.Component, { wall }: IcsTime, reading: TimesReading): void {
  const { text, line } = reading.writtenIn(event, 'DTEND')
  const summary = propertyText(event, 'summary')
  reportGuess(reading, {
    code: 'guess_value',
    what: summary,
    line,
    field: 'DTEND',
    text,
    as: dayOf(wall),
  })
}

/** Says that a property was left out, with its text and line in the file. */
function reportPropertyLeftOut(
  event: ICAL.Component,
  field: string,
  reading: Pick<IcsReading, 'note' | 'guess' | 'writtenIn'>,
): void {
  const { text, line } = reading.writtenIn(event, field)
  reportGuess(reading, { code: 'guess_left_out', what: propertyText(event, 'summary'), line, field, text })
}

/**
 * The milliseconds between two times: by the clock if a clock change skips the start, which then comes after
 * the end.
 */
const durationOf = (start: IcsTime, end: IcsTime): number => {
  const ms = toEpoch(end.utc) - toEpoch(start.utc)
  return ms > 0 || start.clock !== end.clock ? ms : msByClock(start.wall, end.wall)
}

/** One occurrence of an event, from which a record is made. */
export type IcsOccurrence = {
  externalId: string
  /** The start, by the clock of DTSTART. */
  wall: DateTime
  times: IcsTimes
  /** The UID of occurrences that become single events. */
  chain?: string | undefined
  parent?: string | undefined
  /** The recurring event of which this one replaces an occurrence. */
  master?: ICAL.Component | undefined
}

type TextReading = ReaderContext & {
  source: string
  clocks: Clocks
  writtenIn: (event: ICAL.Component, property: string) => { text: string; line: number | undefined }
}

export type IcsReading = TextReading & {
  /**
   * Everything read from events except their times, memoized because it may be long and is the same for
   * thousands of dates.
   */
  texts: WeakMap<ICAL.Component, IcsTexts>
  work: WorkMeter
  sizeOf: (event: ICAL.Component) => number
}

/** A record, and the records of its venue, organizers and categories. */
type EventRecords = { record: EventRecord; related: AnyRecord[] }

/** The record of one occurrence. @throws Unreadable */
export async function eventRecords(
  event: ICAL.Component,
  { externalId, wall, times, chain, parent, master }: IcsOccurrence,
  reading: IcsReading,
): Promise<EventRecords> {
  const knownTexts = reading.texts.get(event)
  await reading.work.spend(STEP_COSTS.date + (knownTexts ? 0 : STEP_COSTS.character * reading.sizeOf(event)))
  const texts = knownTexts ?? icsTextsOf(event, master, reading)
  reading.texts.set(event, texts)
  const { uid, external_id, related, ...shared } = texts
  const moments = momentsOf(wall, times)
  if (wall === times.start.wall) reportSkippedTimes(event, times, moments, reading)
  const record: EventRecord = {
    ...shared,
    externalId,
    slug: chain === undefined ? '' : slugOfDay(shared.title, wall),
    ...moments,
    // Occurrences share their UID, so only single events have it as an external id.
    external_id: externalId === uid ? external_id : '',
    parent,
    chain,
  }
  return { record, related }
}

const OWN_TITLE = propertyName(TITLE_PROPERTY)

export type IcsTexts = ReturnType<typeof icsTextsOf>

/** The fields that all occurrences of an event have in common. */
function icsTextsOf(event: ICAL.Component, master: ICAL.Component | undefined, outerReading: TextReading) {
  const uid = propertyText(event, 'uid').trim()
  const reading = { ...outerReading, what: `event ${uid}` }
  const title = readTitle(propertyText(event, event.hasProperty(OWN_TITLE) ? OWN_TITLE : 'summary'))
  // Rooms have events without a title for the times at which they are taken, so such an event stays.
  if (title === '')
    reportGuess(reading, { code: 'guess_no_title', text: '', line: reading.writtenIn(event, 'SUMMARY').line })
  const placeless = placelessOf(event)
  const venue = icsVenue(event, placeless, reading)
  if (event.hasProperty('geo') && !venue?.geo_lat) reportUnreadPosition(event, reading)
  const organizers = organizersOf(event, reading)
  const categories = categoriesOf(event, reading)
  const event_status = eventStatusOf(event)
  const status = publicationStatus(event, master)
  const places = [...(venue ? [venue] : []), ...organizers].map(place => withStatusOf(status, place))
  return {
    source: reading.source,
    kind: 'event' as const,
    status,
    date: instantOf(event, 'created', reading),
    modified: instantOf(event, 'last-modified', reading),
    description: descriptionOf(event),
    image: imageOf(event, reading),
    title,
    cost: costOf(event),
    website:
      websiteOf(readUrl(propertyText(event, 'url'), reading), placeless, {
        ...reading,
        what: propertyText(event, 'summary'),
        line: reading.writtenIn(event, 'LOCATION').line,
        field: 'LOCATION',
        as: 'URL',
      }) || null,
    show_map: venue !== undefined,
    show_map_link: venue !== undefined,
    uid,
    external_id: readExternalId(uid, reading),
    origins: originsOf(event),
    event_status,
    // If the event takes place as planned, the comment may be about anything.
    event_status_reason: event_status === 'scheduled' ? '' : readLine(propertyText(event, 'comment')),
    ...onlineOf(event, { placeless, hasPlace: venue !== undefined }, reading),
    venues: venue ? [venue.externalId] : [],
    organizers: externalIdsOf(organizers),
    categories: externalIdsOf(categories),
    tags: [],
    related: [...categories, ...places],
  }
}

/** Reports a position that does not exist. Programs without a position write zeros, or nothing. */
function reportUnreadPosition(event: ICAL.Component, reading: TextReading): void {
  const { text } = reading.writtenIn(event, 'GEO')
  if (/[^\s;0.,]/.test(text)) reportPropertyLeftOut(event, 'GEO', reading)
}

/**
 * The description: the HTML that many programs add or, if that is empty, the plain text. Some escape line
 * ends twice.
 */
function descriptionOf(event: ICAL.Component): string {
  const [ownText = '', notes] = propertyText(event, 'x-alt-desc').replaceAll('\\n', '\n').split(NOTES_TAG)
  const rich = readHtml(ownText, FIELD_LIMITS.eventDescription)
  return htmlToText(rich) === '' && notes === undefined
    ? readHtml(propertyText(event, 'description'), FIELD_LIMITS.eventDescription)
    : rich
}

/** The slug of an occurrence, which ends with its day rather than a number. */
const slugOfDay = (name: string, wall: DateTime): string => slugify(`${name || 'event'} ${dayOf(wall)}`)

/**
 * Reads the status of an event: from our own property, or else whether it is cancelled. TENTATIVE is ignored,
 * because such an event takes place as far as anybody knows.
 */
function eventStatusOf(event: ICAL.Component): EventStatus {
  if (/^CANCELL?ED$/i.test(propertyText(event, 'status').trim())) return 'canceled'
  const ownStatus = propertyText(event, propertyName(STATUS_PROPERTY)).trim().toLowerCase()
  return EVENT_STATUSES.find(status => status === ownStatus) ?? 'scheduled'
}

/** Properties with the address of a meeting: of RFC 7986 §5.11, and of programs. */
const CONFERENCES = ['conference', 'x-google-conference', 'x-microsoft-skypeteamsmeetingurl'] as const

/**
 * The fields of an event that takes place online, as an address for taking part or its location says. It is
 * online only, unless it has a place.
 */
function onlineOf(
  event: ICAL.Component,
  { placeless, hasPlace }: { placeless: readonly Placeless[]; hasPlace: boolean },
  reading: FieldReading,
) {
  const addresses = CONFERENCES.flatMap(name => event.getAllProperties(name))
    .map(property => String(property.getFirstValue() ?? '').trim())
    .filter(address => /^https?:\/\//i.test(address))
  const virtual_url = readUrl(addresses[0] ?? meetingIn(placeless), reading)
  const isOnline = isOnlineAt(placeless) || virtual_url !== ''
  return { virtual_event_type: onlineType(isOnline, hasPlace), virtual_url }
}

/**
 * The calendars that an event was taken from: LINK of RFC 9253 §8.2, with a relation from the registry of web
 * links.
 */
const originsOf = (event: ICAL.Component): string[] =>
  event
    .getAllProperties('link')
    .filter(link => /^via$/i.test(String(link.getFirstParameter('linkrel') ?? '')))
    .map(link => String(link.getFirstValue() ?? ''))

/**
 * The publication status of an event. A non-standard class counts as private (RFC 5545 §3.8.1.3), and an
 * occurrence without a class has that of its series.
 */
export function publicationStatus(event: ICAL.Component, master: ICAL.Component | undefined): Status {
  const ownClasses = event.getAllProperties('class')
  const classes = ownClasses.length > 0 ? ownClasses : (master?.getAllProperties('class') ?? [])
  const isPublic = classes.every(property =>
    /^(?:PUBLIC)?$/i.test(String(property.getFirstValue() ?? '').trim()),
  )
  return isPublic ? 'publish' : 'private'
}

/** @throws Unreadable if the end lies before the start */
function momentsOf(wall: DateTime, { start: { clock, isDate }, length, display }: IcsTimes) {
  if (isDate) {
    const last = endOfDay(addDays(wall, length.days - 1))
    const wholeDay = (time: DateTime): ZonedTime => ({ wall: time, utc: display.toUtc(time) })
    const start = wholeDay(wall)
    return { all_day: true, start, end: wholeDay(last), timezone: display.zoneAt(start.utc) }
  }
  const utc = clock.toUtc(wall)
  const later = length.days === 0 ? utc : clock.toUtc(addDays(wall, length.days))
  const end = formatInstant(toEpoch(later) + length.ms)
  if (end < utc) throw new Unreadable('its end is before its start', 'record_ends_early')
  const shownTime = (instant: DateTime): ZonedTime => ({ wall: display.toWall(instant), utc: instant })
  return { all_day: false, start: shownTime(utc), end: shownTime(end), timezone: display.zoneAt(utc) }
}

/** Says that clocks skip the start or the end of an event. */
function reportSkippedTimes(
  event: ICAL.Component,
  { start, length: { end } }: IcsTimes,
  moments: ReturnType<typeof momentsOf>,
  reading: IcsReading,
): void {
  const skips = (time: IcsTime) =>
    !time.isDate && time.wall < NO_END_FROM && time.clock.toWall(time.utc) !== time.wall
  const field = skips(start) ? 'DTSTART' : end && skips(end) ? 'DTEND' : undefined
  if (field === undefined) return
  const { text, line } = reading.writtenIn(event, field)
  reportSkipped({ ...reading, what: propertyText(event, 'summary'), line }, text, moments)
}

/** The time in CREATED or LAST-MODIFIED. DTSTAMP is useless: most feeds set it to the time of the request. */
function instantOf(event: ICAL.Component, name: string, reading: TextReading): ZonedTime | undefined {
  try {
    const time = icsTimeIn(event, name, reading.clocks)
    return time && { wall: toWall(time.utc, reading.timezone), utc: time.utc }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    reportPropertyLeftOut(event, name.toUpperCase(), reading)
    return undefined
  }
}

/** The cost of an event, from a non-standard property that calendar plugins write. */
function costOf(event: ICAL.Component): string {
  const property = event.getAllProperties().find(({ name }) => /^x-(?:.*-)?cost$/.test(name))
  return property ? readLine(propertyText(event, property.name)) : ''
}
