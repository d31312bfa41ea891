import { reportGuess } from '../../calendar/imports/guesses.ts'
import {
  type EventRecord,
  itemReason,
  type RecordTimes,
  type SourceItem,
  Unreadable,
  withStatusOf,
} from '../../calendar/imports/records.ts'
import { hexDigest } from '../../kit/lib/hash.ts'
import { parseDate } from '../../kit/lib/parse-date.ts'
import { Turns } from '../../kit/lib/pause.ts'
import type { VirtualEventType } from '../../kit/lib/statuses.ts'
import { decodeEntities } from '../../kit/lib/text.ts'
import {
  addDays,
  DAY_MS,
  type DateTime,
  dayOf,
  endOfDay,
  formatInstant,
  MINUTE_MS,
  spanAt,
  startOfDay,
  toEpoch,
  toUtc,
  toWall,
  wallMs,
  type ZonedTime,
} from '../../kit/lib/time.ts'
import { FIELD_LIMITS } from '../../kit/lib/values.ts'
import { canonicalZone, formatOffset, offsetMinutes } from '../../kit/lib/zones.ts'
import {
  externalIdsOf,
  type FieldReading,
  isSkipped,
  onlineType,
  originsIn,
  type RawValues,
  readExternalId,
  readHtml,
  readTitle,
  reportLeftOut,
  reportSkipped,
} from '../fields.ts'
import { absoluteUrl } from '../html-page.ts'
import { websiteOf } from '../placeless.ts'
import { graverStatuses, type SaidStatuses, statusNamed } from '../status-words.ts'
import { zoneNamed } from '../zone-names.ts'
import { type EventNode, localName, type Nodes } from './nodes.ts'
import {
  addressIn,
  locationOf,
  nodeImage,
  nodeOrganizers,
  nodeText,
  noNodes,
  offersOf,
  type PageReading,
} from './places.ts'
import { reportSchedules, writtenTimesOf } from './schedule.ts'

/** A date or a time as a page gives it: local, with an offset if it has one. */
type Moment = { wall: DateTime; isDate: boolean; offset: string | undefined }

const ISO =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T\s]\s*(\d{1,2}:\d\d(?::\d\d)?)(?:[.,]\d{1,9})?\s?(?:([ap]m)\s?)?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i

const COMPACT = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(?:(\d\d))?(Z|[+-]\d\d:?\d\d)?$/i
/** EventON writes hyphens for colons, and an offset that means nothing. */
const EVENT_ON = /^(\d{4}-\d{1,2}-\d{1,2})T(\d{1,2})-(\d\d)[-+]\d{1,2}-\d\d$/i

/** A date in the form of {@link ISO}, and the zone that RFC 9557 adds in brackets. */
function asIso(text: string): { iso: string; zone: string | undefined } {
  const [, bareText = text, zone] = /^([^[]*)\[!?([\w/+-]{1,50})\](?:\[[^\]]*\])*$/.exec(text) ?? []
  const iso = bareText
    .replace(
      COMPACT,
      (_, y, m, d, hour, minute, second = '00', offset = '') =>
        `${y}-${m}-${d}T${hour}:${minute}:${second}${offset}`,
    )
    .replace(EVENT_ON, '$1T$2:$3')
    .replace(/(?<=:\d\d)([+-])(\d)(?=:\d\d$)/, '$10$2')
  return { iso, zone }
}

/** The offset of a zone at a time, such as `-05:00`. */
const offsetAt = (wall: DateTime, zone: string): string =>
  formatOffset(Math.round((wallMs(wall) - toEpoch(toUtc(wall, zone))) / MINUTE_MS))

/** Reads a date of ISO 8601, even with the small mistakes of hand-made pages. @throws Unreadable */
function momentOf(text: string, property: string, reading: TimesReading): Moment {
  const { iso, zone: name } = asIso(text.trim())
  const zone = name === undefined ? undefined : zoneNamed(name)
  const [, year, month, day, time, half = '', givenOffset] = ISO.exec(iso) ?? []
  const date = [year, month?.padStart(2, '0'), day?.padStart(2, '0')].join('-')
  const parsedTime =
    year &&
    parseDate(time === undefined ? date : `${date} ${time.padStart(5, '0')}${half}`, 'UTC', reading.nowMs)
  if (!parsedTime)
    throw new Unreadable(
      `its ${property} is not an ISO 8601 date: ${JSON.stringify(text.slice(0, 50))}`,
      year === undefined ? 'record_date_unread' : 'record_no_such_date',
    )
  const { wall } = parsedTime
  // A time with an offset needs no zone.
  if (givenOffset === undefined && name !== undefined && zone === undefined && time !== undefined)
    reportGuess(reading, { code: 'guess_zone', what: reading.what, text: name, as: reading.timezone })
  const offset =
    givenOffset === undefined && zone !== undefined && time !== undefined ? offsetAt(wall, zone) : givenOffset
  return { wall, isDate: time === undefined, offset: offset?.toUpperCase() }
}

/** `Z`, which offsetMinutes does not know, means 0. */
const minutesOf = (offset: string): number => offsetMinutes(offset) ?? 0

/** The instant of a moment, in UTC. @param timezone the zone of moments without an offset */
const instantOf = ({ wall, offset }: Moment, timezone: string): DateTime =>
  offset === undefined ? toUtc(wall, timezone) : formatInstant(wallMs(wall) - minutesOf(offset) * MINUTE_MS)

/** The instant of an end, in UTC. */
const endIn = (end: Moment, start: Moment, timezone: string): DateTime =>
  start.offset === undefined && end.offset === undefined
    ? spanAt({ start: start.wall, end: end.wall }, timezone).end.utc
    : instantOf(end, timezone)

const DURATION = /^P(?:(\d{1,3})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,6})S)?)?$/i

/**
 * The milliseconds of a duration in ISO 8601; 0 without one, or if it cannot be understood, which is
 * reported.
 */
function durationMs({ duration }: GivenTimes, reading: TimesReading): number {
  const parts = DURATION.exec(duration.trim())
  if (!parts && duration.trim() !== '') reportLeftOut(reading, 'duration', duration)
  const [, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts ?? []
  const wholeHours = (Number(weeks) * 7 + Number(days)) * 24 + Number(hours)
  return ((wholeHours * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
}

type TimesReading = Omit<FieldReading, 'source'>

/** Texts of an event's `startDate`, `endDate` and `duration`; '' for what is missing. */
type GivenTimes = { startDate: string; endDate: string; duration: string }

/**
 * Reads the times of an event. Times without an offset are in the site's zone. Times in UTC, or at the offset
 * of that zone, are shown in it as well; others are shown at their own offset.
 *
 * @throws Unreadable without a start that can be read
 */
export function nodeTimes(givenTimes: GivenTimes, reading: TimesReading): RecordTimes {
  const { timezone } = reading
  if (givenTimes.startDate === '') throw new Unreadable('it has no startDate', 'record_no_start')
  const start = momentOf(givenTimes.startDate, 'startDate', reading)
  const end = endOf(givenTimes, reading)
  if (start.isDate || isWhole(start, end)) return wholeDays({ start, end, givenTimes }, reading)

  const utc = instantOf(start, timezone)
  const zone = zoneOf(start, utc, timezone)
  const shownTime = (instant: DateTime): ZonedTime => ({ wall: toWall(instant, zone), utc: instant })
  // A duration counts where no end does.
  const lasting = () => formatInstant(toEpoch(utc) + durationMs(givenTimes, reading))
  // An end that is only a day says nothing about the time, unless it is a later day.
  const isSameDay = end?.isDate && dayOf(end.wall) <= dayOf(start.wall)
  const until = end?.isDate
    ? isSameDay
      ? lasting()
      : instantOf({ ...end, wall: endOfDay(end.wall), offset: start.offset }, timezone)
    : end && endIn({ ...end, offset: end.offset ?? start.offset }, start, timezone)
  if (until !== undefined && until < utc) reportEarlyEnd(reading, givenTimes)
  const first = shownTime(utc)
  const last = until === undefined || until < utc ? lasting() : until
  const times = { start: first, end: last === utc ? first : shownTime(last) }
  const skips = (moment: Moment | undefined) =>
    moment &&
    !moment.isDate &&
    (moment.offset ?? start.offset) === undefined &&
    isSkipped(moment.wall, timezone)
  if (skips(start)) reportSkipped(reading, givenTimes.startDate, times)
  else if (skips(end)) reportSkipped(reading, givenTimes.endDate, times)
  return { all_day: false, ...times, timezone: zone }
}

function endOf({ endDate }: GivenTimes, reading: TimesReading): Moment | undefined {
  if (endDate === '') return undefined
  try {
    return momentOf(endDate, 'endDate', reading)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    reportLeftOut(reading, 'endDate', endDate)
    return undefined
  }
}

/**
 * True if an event with times lasts whole days: many programs write these as from midnight to the last
 * minute, or to a midnight.
 */
const isWhole = (start: Moment, end: Moment | undefined): boolean =>
  start.wall.endsWith(' 00:00:00') &&
  end !== undefined &&
  !end.isDate &&
  / (?:23:59:\d\d|00:00:00)$/.test(end.wall)

/** Says that an end is left out, in the words of the page. */
const reportEarlyEnd = ({ what, line, ...reading }: TimesReading, { endDate: text }: GivenTimes): void =>
  reportGuess(reading, { code: 'guess_early', what, line, field: 'endDate', text })

function wholeDays(
  { start, end, givenTimes }: { start: Moment; end: Moment | undefined; givenTimes: GivenTimes },
  reading: TimesReading,
): RecordTimes {
  const { timezone } = reading
  // An event that ends at midnight does not last into that day.
  const last = end && !end.isDate && end.wall.endsWith(' 00:00:00') ? addDays(end.wall, -1) : end?.wall
  const isBefore = last !== undefined && dayOf(last) < dayOf(start.wall)
  if (isBefore && last !== addDays(start.wall, -1)) reportEarlyEnd(reading, givenTimes)
  const lasting = () =>
    addDays(start.wall, Math.max(0, Math.ceil(durationMs(givenTimes, reading) / DAY_MS) - 1))
  const wholeDay = (wall: DateTime): ZonedTime => ({ wall, utc: toUtc(wall, timezone) })
  return {
    all_day: true,
    start: wholeDay(startOfDay(start.wall)),
    end: wholeDay(endOfDay(last === undefined || isBefore ? lasting() : last)),
    timezone,
  }
}

function zoneOf({ wall, offset }: Moment, utc: DateTime, timezone: string): string {
  if (offset === undefined || offset === 'Z' || toWall(utc, timezone) === wall) return timezone
  return minutesOf(offset) === 0 ? timezone : (canonicalZone(offset) ?? timezone)
}

/** The address that an event gives as its own; undefined if it has none. */
export function nodeAddress(node: RawValues, base: string): string | undefined {
  for (const raw of [node.url, node['@id']]) {
    const text = nodeText(raw).trim()
    // `_:` begins ids that have no meaning outside their page.
    const url = text === '' || text.startsWith('_:') ? undefined : absoluteUrl(text, base)
    if (url && url.href.length <= FIELD_LIMITS.externalId) return url.href
  }
  return undefined
}

const eventName = ({ name, headline }: RawValues): string => readTitle(nodeText(name) || nodeText(headline))

const textsDigest = (...texts: string[]): Promise<string> => hexDigest(texts.join('\n'))

type NamedEvent = EventNode & { name: string; times: RecordTimes }

/**
 * The records of a page's events, each after those that it refers to. A bad event does not stop the rest.
 *
 * An event is identified by the address that it gives, unless events at other times give the same one. Those,
 * and events without an address, are identified by name, start and place.
 *
 * @param knownIds events of previous pages, with their starts; gets those of this page
 * @param present gets all events of this page, known or not
 */
export async function* eventItems(
  { events, byId, slips = [] }: Pick<Nodes, 'events' | 'byId'> & Partial<Pick<Nodes, 'slips'>>,
  page: Omit<PageReading, 'byId' | 'what' | keyof ReturnType<typeof noNodes>>,
  knownIds: Map<string, string>,
  present = new Map<string, string>(),
): AsyncGenerator<SourceItem> {
  const reading = { ...page, byId, what: '', ...noNodes() }
  for (const { line, text, correction } of slips)
    reportGuess(reading, { code: 'guess_value', field: 'JSON-LD', line, text, as: correction })
  const namedEvents: NamedEvent[] = []
  const turns = new Turns()
  for (const event of events) {
    await turns.take(event.node)
    const name = eventName(event.node) || eventName(event.around ?? {})
    const { startDate, duration } = event.node
    if (Array.isArray(startDate) && startDate.length > 1) {
      const otherStarts = startDate.slice(1).map(nodeText).join(', ')
      reportLeftOut({ ...reading, what: name }, 'startDate', otherStarts)
    }
    const writtenTimes = { ...writtenTimesOf(event.node), duration: nodeText(duration) }
    try {
      if (name === '') throw new Unreadable('it has no name', 'record_no_name')
      reportSchedules(event.node, writtenTimes.startDate, { ...reading, what: name })
      namedEvents.push({ ...event, name, times: nodeTimes(writtenTimes, { ...reading, what: name }) })
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      const address = nodeAddress(event.node, reading.base) ?? reading.base
      const { source } = reading
      const { line } = event
      yield { type: 'failed', kind: 'event', source, what: address, title: name, line, ...itemReason(error) }
    }
  }
  const eventsAt = new Map<string | undefined, Set<string>>()
  for (const { node, name, times } of namedEvents) {
    const address = nodeAddress(node, reading.base)
    eventsAt.set(address, (eventsAt.get(address) ?? new Set()).add(`${times.start.utc} ${name}`))
  }
  const ids = new Map<RawValues, string>()
  for (const event of namedEvents) {
    await turns.take(event.node)
    const { node, name, times, parent, around } = event
    const location = locationOf(node.location ?? around?.location, { ...reading, what: name })
    const address = nodeAddress(node, reading.base)
    const isShared =
      address === undefined ||
      (eventsAt.get(address)?.size ?? 0) > 1 ||
      (knownIds.get(address) ?? times.start.utc) !== times.start.utc
    const placeKey = externalIdsOf(location.venues).join('\n')
    const externalId = isShared ? await textsDigest(name, times.start.utc, placeKey) : address
    ids.set(node, externalId)
    present.set(externalId, times.start.utc)
    // The same event may be on a page twice, and on several pages.
    if (knownIds.has(externalId)) continue
    knownIds.set(externalId, times.start.utc)
    const organizers = nodeOrganizers(node.organizer, reading)
    const locatedEvent = { ...event, externalId, location, organizers, ofParent: parent && ids.get(parent) }
    const record = recordOf(locatedEvent, { ...reading, what: name })
    const places = [...location.venues, ...organizers].map(place => withStatusOf(record.status, place))
    for (const yieldedRecord of [...places, record]) yield { type: 'record', record: yieldedRecord }
  }
}

type FoundEvent = NamedEvent & {
  externalId: string
  location: ReturnType<typeof locationOf>
  organizers: ReturnType<typeof nodeOrganizers>
  ofParent: string | undefined
}

function recordOf(
  { node, name, times, externalId, location, organizers, ofParent }: FoundEvent,
  reading: PageReading,
): EventRecord {
  const { source } = reading
  const { cost, tickets, availability } = offersOf(node, reading)
  const statuses = statusOf(node, reading)
  const { venues } = location
  return {
    source,
    externalId,
    kind: 'event',
    slug: '',
    title: name,
    description: descriptionOf(node),
    image: nodeImage(node.image, reading),
    ...times,
    cost,
    event_status: 'scheduled',
    event_status_reason: '',
    ...statuses,
    ...(availability !== undefined && { ticket_availability: availability }),
    website:
      websiteOf(addressIn(node.url, reading) || tickets, location.placeless, {
        ...reading,
        field: 'location',
        as: 'url',
      }) || null,
    show_map: venues.length > 0,
    show_map_link: venues.length > 0,
    external_id: externalId.includes(':') ? readExternalId(externalId, reading) : '',
    ...onlineOf(node, location),
    venues: externalIdsOf(venues),
    organizers: externalIdsOf(organizers),
    categories: [],
    tags: [],
    parent: ofParent === externalId ? undefined : ofParent,
    origins: originsIn([node.subjectOf].flat()),
  }
}

/** The description as HTML. Many programs escape it twice, because it is in a script. */
function descriptionOf({ description }: RawValues): string {
  const text = nodeText(description)
  const isEscaped = /&lt;\/?[a-z]/i.test(text) && !/<\/?[a-z]/i.test(text)
  return readHtml(isEscaped ? decodeEntities(text) : text, FIELD_LIMITS.eventDescription)
}

/** The most values of an event's status that are read. */
const MAX_STATUSES = 10

/**
 * The status of an event. Of several statuses, the gravest counts. With an unknown one, the event waits for
 * review.
 */
function statusOf({ eventStatus }: RawValues, reading: PageReading): SaidStatuses {
  let statuses: SaidStatuses = { status: 'publish' }
  for (const raw of [eventStatus].flat().slice(0, MAX_STATUSES)) {
    const text = localName(nodeText(raw).trim())
    if (text === '') continue
    const saidStatuses = statusNamed(text)
    if (!saidStatuses)
      reportGuess(reading, { code: 'guess_status', what: reading.what, field: 'eventStatus', text })
    statuses = graverStatuses(statuses, saidStatuses ?? { status: 'pending' })
  }
  return statuses
}

/**
 * The columns that say whether and where people take part online: according to the event itself, or else to
 * its places.
 */
function onlineOf(node: RawValues, { venues, isOnline, online }: ReturnType<typeof locationOf>) {
  const modes = [node.eventAttendanceMode].flat().map(one => localName(nodeText(one)))
  const isMoved = [node.eventStatus].flat().some(one => localName(nodeText(one)) === 'EventMovedOnline')
  const says = (mode: string) => modes.includes(`${mode}EventAttendanceMode`)
  const type = (): VirtualEventType => {
    if (says('Mixed')) return 'hybrid'
    if (isMoved || says('Online')) return says('Offline') ? 'hybrid' : 'virtual'
    return onlineType(isOnline, venues.length > 0)
  }
  return { virtual_event_type: type(), virtual_url: online }
}
