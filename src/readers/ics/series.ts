import { storedNames } from '../../calendar/content/fields.ts'
import { suffixes } from '../../calendar/events/recurrence/occurrences.ts'
import { MAX_DATES } from '../../calendar/events/recurrence-fields.ts'
import { EVENT_FIELDS, type FieldName } from '../../calendar/events/schema.ts'
import { type EventRecord, occurrenceId, type SeriesRecord } from '../../calendar/imports/records.ts'
import { occurrenceDates } from '../../kit/lib/recurrence/dates.ts'
import { shiftedRule } from '../../kit/lib/recurrence/edit.ts'
import { occurrenceAt, type Pattern } from '../../kit/lib/recurrence/pattern.ts'
import { formatRule, type Rule } from '../../kit/lib/recurrence/rule.ts'
import { addDays, DAY_MS, type DateTime, laterByClock, msByClock } from '../../kit/lib/time.ts'
import { omit } from '../../kit/lib/values.ts'
import { offsetOf } from '../../kit/lib/zones.ts'
import type { IcsTimes } from './events.ts'
import { STEP_COSTS, type WorkMeter } from './limits.ts'
import type { RecurrenceDates } from './recurrence.ts'

/** The reason why a recurring event becomes single events. */
export class NoSeries extends Error {
  override readonly name = 'NoSeries'
}

type ZonedDates = {
  pattern: Pattern
  /** The starts in the zone of the series. */
  dates: { date: DateTime; externalId: string }[]
}

/** The id of the occurrence that starts at a wall time of the event's clock. */
export const occurrenceIdAt = (uid: string, { start }: IcsTimes, wall: DateTime): string =>
  occurrenceId(uid, start.isDate ? wall : start.clock.toUtc(wall))

/**
 * The pattern of a recurring event.
 *
 * @param master the record of the event itself
 * @throws NoSeries
 */
export async function zonedPattern(
  record: EventRecord,
  times: IcsTimes,
  { rule, rdate, exdate, dates: walls }: RecurrenceDates,
  { work, note }: { work: WorkMeter; note: (text: string) => void },
): Promise<ZonedDates> {
  const { start } = times
  const { externalId: uid, all_day } = record
  const timezone = all_day ? times.display.zone : start.clock.zone
  if (timezone === undefined) throw new NoSeries('its zone is defined in the file only')
  const wholePattern = {
    rrule: rule ? formatRule(rule) : '',
    rdate,
    exdate,
    start_date: start.wall,
    end_date: laterByClock(start.wall, recordLength(record, times)),
    timezone,
    all_day,
  }
  const { display } = times
  const isShifted = !all_day && display !== start.clock && display.zone !== undefined
  const dates: ZonedDates['dates'] = []
  for (const wall of walls) {
    await work.spend(STEP_COSTS.conversion)
    const utc = start.isDate ? wall : start.clock.toUtc(wall)
    dates.push({ date: isShifted ? display.toWall(utc) : wall, externalId: occurrenceId(uid, utc) })
  }
  const wantedDates = dates.map(({ date }) => date)
  const pattern = isShifted
    ? inZone(wholePattern, { times, rule, wanted: wantedDates, work, note, uid })
    : wholePattern
  if (pattern.rdate.length > MAX_DATES || pattern.exdate.length > MAX_DATES)
    throw new NoSeries(`it names more than ${MAX_DATES} dates`)
  return { pattern, dates }
}

/**
 * The length of occurrences by wall clocks, in milliseconds. The first one's own length differs if clocks
 * change during it and the file has a DURATION.
 */
const recordLength = ({ start, end }: EventRecord, { length: { days, ms, isDuration } }: IcsTimes): number =>
  isDuration ? days * DAY_MS + ms : msByClock(start.wall, end.wall)

type Shift = Pick<RecurrenceDates, 'rule'> & {
  times: IcsTimes
  /** The starts in the zone of the calendar. */
  wanted: readonly DateTime[]
  work: WorkMeter
  note: (text: string) => void
  uid: string
}

/**
 * The pattern of an event whose times are in UTC, in the zone of its calendar. The rule stays if it gives the
 * same dates there. Otherwise, because clocks change in between, the dates are named one by one.
 */
function inZone(pattern: Pattern, { times, rule, wanted, work, note, uid }: Shift): Pattern {
  const { start, display } = times
  const convert = (wall: DateTime) => display.toWall(start.clock.toUtc(wall))
  const start_date = convert(start.wall)
  const movedPattern = {
    ...pattern,
    rdate: pattern.rdate.map(convert),
    exdate: pattern.exdate.map(convert),
    start_date,
    end_date: laterByClock(start_date, msByClock(pattern.start_date, pattern.end_date)),
    timezone: display.zone ?? 'UTC',
  }
  const local = rule && shiftedRule(rule, msByClock(start.wall, start_date) / 1000)
  if (!local || wanted.length === 0) return { ...movedPattern, rrule: '' }
  if (givesDates(local, movedPattern, wanted, work)) return { ...movedPattern, rrule: formatRule(local) }
  note(
    `${uid}: its rule goes by UTC, so that it has other times here when clocks change: its dates are kept one by one`,
  )
  return {
    ...movedPattern,
    rrule: '',
    rdate: wanted.filter(date => date !== start_date),
    exdate: wanted.includes(start_date) ? [] : [start_date],
  }
}

/** True if a rule gives just these dates, and, unless it is endless, none after the last one. */
function givesDates(
  rule: Rule,
  { start_date: start, rdate, exdate, timezone }: Pattern,
  wantedDates: readonly DateTime[],
  work: WorkMeter,
): boolean {
  const last = wantedDates.at(-1) ?? start
  const to = rule.count || rule.until ? addDays(last, 400) : last
  const bounds = { to, limit: wantedDates.length + 1, offsetAt: offsetOf(timezone) }
  const dates = work.take(
    counting => occurrenceDates({ start, rule, rdate, exdate }, { ...bounds, ...counting }).dates,
  )
  return dates.length === wantedDates.length && dates.every((date, i) => date === wantedDates[i])
}

/** The record of a series that has no dates left. It refers to nothing, so that nothing is created for it. */
export function withoutDates(master: EventRecord): SeriesRecord {
  return {
    ...omit(master, 'occurrence', 'kind', 'parent', 'image'),
    kind: 'series',
    slug: '',
    venues: [],
    organizers: [],
    categories: [],
    tags: [],
    recurrence: { rrule: '', rdate: [], exdate: [master.start.wall] },
    dates: [],
  }
}

/** The records of a series and of its occurrences, without the overrides. */
export async function seriesRecords(
  master: EventRecord,
  { pattern, dates }: ZonedDates,
  work: WorkMeter,
): Promise<{ series: SeriesRecord; occurrences: Map<string, EventRecord> }> {
  const { rrule, rdate, exdate, start_date, end_date, timezone } = pattern
  const shared = omit(master, 'chain', 'occurrence', 'kind', 'parent')
  const suffix = suffixes(dates.map(({ date }) => date))
  const series: SeriesRecord = {
    ...shared,
    kind: 'series',
    slug: '',
    start: { wall: start_date, utc: master.start.utc },
    end: { wall: end_date, utc: occurrenceAt(pattern, start_date).utc_end_date },
    timezone,
    recurrence: { rrule, rdate, exdate },
    dates,
  }
  const occurrences = new Map<string, EventRecord>()
  work.takeDates(dates.length)
  for (const [i, { date, externalId }] of dates.entries()) {
    await work.spend(STEP_COSTS.date)
    const times = occurrenceAt(pattern, date)
    occurrences.set(externalId, {
      ...shared,
      kind: 'event',
      externalId,
      slug: '',
      external_id: i === 0 ? master.external_id : '',
      start: { wall: times.start_date, utc: times.utc_start_date },
      end: { wall: times.end_date, utc: times.utc_end_date },
      timezone,
      occurrence: { series: master.externalId, date, suffix: suffix(date), detached: [] },
    })
  }
  return { series, occurrences }
}

/**
 * The first names in the list of an override's own fields. Their order matters, because hashes of imported
 * records include it.
 */
const FIRST_COMPARED: readonly FieldName[] = [
  'title',
  'description',
  'image',
  'status',
  'cost',
  'website',
  'show_map',
  'show_map_link',
  'event_status',
  'event_status_reason',
  'virtual_event_type',
  'virtual_url',
  'venue',
  'organizer',
  'categories',
]

/**
 * The fields in which an override can differ: the first ones above, and all fields that are stored as given.
 */
const COMPARED = [...new Set([...FIRST_COMPARED, ...storedNames(EVENT_FIELDS)])].filter(
  name => name !== 'external_id',
)

/** The value of a field in a form that can be compared between an override and its series. */
function comparableValue(event: EventRecord, name: FieldName): unknown {
  if (name === 'image') return event.image?.url
  if (name === 'venue') return event.venues.join('\n')
  if (name === 'organizer') return event.organizers.join('\n')
  if (name === 'categories') return event.categories.toSorted().join('\n')
  const values: { readonly [field: string]: unknown } = event
  return values[name] ?? ''
}

/** The times as instants, because the same times may be written in another zone. */
const timesIn = ({ start, end, all_day }: EventRecord): string =>
  all_day ? `${start.wall} ${end.wall}` : `${start.utc} ${end.utc}`

/** The record of an occurrence that differs from its series, with the differing fields detached. */
export function overriddenRecord(ownRecord: EventRecord, sharedRecord: EventRecord): EventRecord {
  const { occurrence } = sharedRecord
  if (!occurrence) return ownRecord
  const detachedFields = COMPARED.filter(
    name => comparableValue(ownRecord, name) !== comparableValue(sharedRecord, name),
  )
  const isMoved = timesIn(ownRecord) !== timesIn(sharedRecord)
  if (isMoved) detachedFields.push('start_date', 'end_date')
  if (isMoved && ownRecord.timezone !== sharedRecord.timezone) detachedFields.push('timezone')
  if (isMoved && ownRecord.all_day !== sharedRecord.all_day) detachedFields.push('all_day')
  const { start, end, all_day, timezone } = isMoved ? ownRecord : sharedRecord
  return {
    ...ownRecord,
    start,
    end,
    all_day,
    timezone,
    slug: sharedRecord.slug,
    date: sharedRecord.date,
    external_id: sharedRecord.external_id,
    chain: undefined,
    parent: undefined,
    occurrence: { ...occurrence, detached: detachedFields },
  }
}
