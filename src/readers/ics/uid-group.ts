import ICAL from 'ical.js'
import type { FieldName } from '../../calendar/events/schema.ts'
import { reportGuess } from '../../calendar/imports/guesses.ts'
import {
  type EventRecord,
  itemReason,
  recordItems,
  type SourceItem,
  Unreadable,
} from '../../calendar/imports/records.ts'
import type { Status } from '../../kit/lib/statuses.ts'
import { type DateTime, laterByClock, msByClock } from '../../kit/lib/time.ts'
import { compareTexts } from '../../kit/lib/values.ts'
import {
  eventRecords,
  type IcsOccurrence,
  type IcsReading,
  type IcsTimes,
  icsTimesOf,
  publicationStatus,
} from './events.ts'
import { propertyText } from './file.ts'
import { STEP_COSTS } from './limits.ts'
import {
  type ImportPeriod,
  isRecurring,
  type RecurrenceDates,
  type RecurringEvent,
  readingEnd,
  recurrenceDates,
  recurringOf,
  TooMany,
  wallOnClock,
} from './recurrence.ts'
import {
  NoSeries,
  occurrenceIdAt,
  overriddenRecord,
  seriesRecords,
  withoutDates,
  zonedPattern,
} from './series.ts'
import { icsTimeIn } from './times.ts'

/** All VEVENTs of one UID: the event itself, and the overrides of single occurrences. */
export type UidGroup = { uid: string; master?: ICAL.Component; overrides: ICAL.Component[] }

type GroupReading = IcsReading & {
  window: ImportPeriod
  /** Returns the line of the file on which an event begins. */
  lineOf: (event: ICAL.Component) => number | undefined
}

/** The item for an event that cannot be read. @param eventName the id that it would have */
const failureOf = (
  event: ICAL.Component | undefined,
  eventName: string,
  error: unknown,
  { source, lineOf }: GroupReading,
): SourceItem => ({
  type: 'failed',
  kind: 'event',
  source,
  what: eventName,
  ...(event && { title: propertyText(event, 'summary'), line: lineOf(event) }),
  ...itemReason(error),
})

const sequenceOf = (event: ICAL.Component): number => Number(propertyText(event, 'sequence')) || 0

/**
 * Compares the versions of an event: by SEQUENCE, LAST-MODIFIED and DTSTAMP (RFC 5546 §2.1.5), as
 * `Array.sort` needs it. Those that are equal in all count by their places in the file.
 */
function compareVersions(a: ICAL.Component, b: ICAL.Component): number {
  const bySequence = sequenceOf(a) - sequenceOf(b)
  if (bySequence !== 0) return bySequence
  for (const name of ['last-modified', 'dtstamp']) {
    const textA = propertyText(a, name)
    const textB = propertyText(b, name)
    if (textA !== textB && textA !== '' && textB !== '') return compareTexts(textA, textB)
  }
  return 0
}

/** True if an event replaces another version of itself that comes before it in the file. */
export const isNewer = (event: ICAL.Component, other: ICAL.Component): boolean =>
  compareVersions(event, other) >= 0

/** The records of a group, a series with its occurrences or single events, and what cannot be read of it. */
export async function groupItems(group: UidGroup, reading: GroupReading): Promise<SourceItem[]> {
  const { uid, master } = group
  const { work, sizeOf } = reading
  const failures: SourceItem[] = []
  try {
    work.takeDates(group.overrides.length)
    if (master) await work.spend(STEP_COSTS.character * sizeOf(master))
    const times = master && icsTimesOf(master, reading)
    const overrides: Override[] = []
    const periods = master && times ? periodsOf(master, times) : []
    const newestLast = [...periods, ...group.overrides.toSorted(compareVersions)]
    for (const event of newestLast) {
      await work.spend(STEP_COSTS.date + STEP_COSTS.character * sizeOf(event))
      try {
        overrides.push(overrideOf(event, { uid, times }, reading))
      } catch (error) {
        failures.push(failureOf(event, uid, error, reading))
      }
    }
    const items =
      times && isRecurring(master)
        ? await recurringItems({ uid, master, times, overrides }, reading)
        : await instanceItems(singleInstances({ uid, master, times, overrides }), reading)
    return [...failures, ...items]
  } catch (error) {
    return [...failures, failureOf(master ?? group.overrides[0], uid, error, reading)]
  }
}

/** The properties that say when an event takes place. */
const TIME_PROPERTIES = new Set([
  'rrule',
  'rdate',
  'exdate',
  'exrule',
  'dtend',
  'duration',
  'dtstart',
  'recurrence-id',
])

/**
 * The dates of an event to which RDATE gives a length of their own (RFC 5545 §3.8.5.2), as overrides, which
 * share the other properties of the event.
 */
function periodsOf(master: ICAL.Component, { start }: IcsTimes): ICAL.Component[] {
  if (start.isDate) return []
  const [name, properties, parts] = master.jCal
  const sharedProperties = properties.filter(([property]: [string]) => !TIME_PROPERTIES.has(property))
  return master.getAllProperties('rdate').flatMap(({ type, jCal: [, parameters, , ...values] }) =>
    type === 'period'
      ? values.map(value => {
          const [from, to = ''] = [value].flat().map(String)
          const end = /^[+-]?P/.test(to)
            ? ['duration', {}, 'duration', to]
            : ['dtend', parameters, 'date-time', to]
          const times = ['recurrence-id', 'dtstart'].map(time => [time, parameters, 'date-time', from])
          return new ICAL.Component([name, [...sharedProperties, ...times, end], parts])
        })
      : [],
  )
}

/**
 * The items of an event that recurs: those of a series or, if it cannot be one, of single events.
 * @throws Unreadable
 */
async function recurringItems(
  recurringParts: Omit<RecurringParts, 'recurring'>,
  reading: GroupReading,
): Promise<SourceItem[]> {
  const { uid, master, times } = recurringParts
  const parts = { ...recurringParts, recurring: await recurringOf(master, times.start, reading) }
  try {
    return await seriesItems(parts, reading)
  } catch (error) {
    if (!(error instanceof TooMany || error instanceof NoSeries)) throw error
    reading.note(
      `${uid}: it was turned into single events in the period of --from and --to, because ${error.message}`,
    )
    const instances = await instancesWithin(parts, reading)
    if (instances.size > 0) return instanceItems(instances, reading)
    const reason = 'it does not occur between --from and --to'
    return [
      { type: 'skipped', kind: 'event', source: reading.source, what: uid, reason, code: 'record_no_dates' },
    ]
  }
}

/** A VEVENT that replaces one occurrence, or all occurrences from that one on. */
type Override = {
  event: ICAL.Component
  times: IcsTimes
  /** The occurrence that it replaces, by the clock of the series' start. */
  wall: DateTime
  /** The same in UTC. */
  utc: DateTime
  id: string
  isFollowing: boolean
}

type MasterOfGroup = { uid: string; times: IcsTimes | undefined }

function overrideOf(
  event: ICAL.Component,
  { uid, times: masterTimes }: MasterOfGroup,
  reading: GroupReading,
): Override {
  const { clocks, note } = reading
  const times = icsTimesOf(event, reading)
  const replacedTime = icsTimeIn(event, 'recurrence-id', clocks)
  if (!replacedTime) throw new Unreadable('RECURRENCE-ID holds no time', 'record_no_such_date')
  // A file may hold only single occurrences of a series, without the rule.
  const seriesTimes = masterTimes ?? { ...times, start: replacedTime }
  const wall = wallOnClock(replacedTime, seriesTimes.start)
  const range = String(event.getFirstProperty('recurrence-id')?.getParameter('range') ?? '')
  const isFollowing = range.toUpperCase() === 'THISANDFUTURE'
  if (isFollowing)
    note(
      `${uid}: a change of all occurrences from ${wall} on was made only to the occurrences that exist so far; later ones follow the series`,
    )
  return {
    event,
    times,
    wall,
    utc: seriesTimes.start.clock.toUtc(wall),
    id: occurrenceIdAt(uid, seriesTimes, wall),
    isFollowing,
  }
}

type RecurringParts = {
  uid: string
  master: ICAL.Component
  times: IcsTimes
  overrides: readonly Override[]
  recurring: RecurringEvent
}

/** The records of a series. @throws NoSeries, TooMany, Unreadable */
async function seriesItems(
  { uid, master, times, recurring, ...parts }: RecurringParts,
  reading: GroupReading,
): Promise<SourceItem[]> {
  const { nowMs, note, work } = reading
  const to = readingEnd(times.start, nowMs)
  const fromRules = await recurrenceDates(recurring, { to, work })
  const isOutdated = outdatedTest(recurring, fromRules, master)
  const overridesWithin = parts.overrides.filter(({ utc }) => utc <= to)
  const overrides = overridesWithin.filter(override => !isOutdated(override))
  for (const { event } of overridesWithin.filter(isOutdated))
    reportGuess(reading, {
      code: 'guess_version',
      text: propertyText(event, 'summary') || uid,
      line: reading.lineOf(event),
    })
  const recurrence = withOverridden(fromRules, overrides)
  const first = { externalId: uid, wall: times.start.wall, times }
  const { record: sharedRecord, related } = await eventRecords(master, first, reading)
  // If no date is left, the earlier dates of the series go to the trash, and nothing new is created.
  if (recurrence.dates.length === 0) return recordItems([withoutDates(sharedRecord)])
  const zoned = await zonedPattern(sharedRecord, times, recurrence, { work, note })
  const { series, occurrences } = await seriesRecords(sharedRecord, zoned, work)
  const changes = [
    ...changesFollowing(overrides, recurrence.dates).map(({ override, wall }) => ({
      override,
      id: occurrenceIdAt(uid, times, wall),
      wall: shiftedBy(override, wall),
    })),
    ...overrides
      .filter(({ isFollowing }) => !isFollowing)
      .map(override => ({ override, id: override.id, wall: override.times.start.wall })),
  ]
  const byId = new Map(occurrences)
  const failures: SourceItem[] = []
  for (const { override, id, wall } of changes) {
    const base = occurrences.get(id)
    if (!base) continue
    try {
      const occurrence = { externalId: id, wall, times: override.times, master }
      const { record, related: relatedHere } = await eventRecords(override.event, occurrence, reading)
      related.push(...relatedHere)
      byId.set(id, overriddenRecord(record, base))
    } catch (error) {
      failures.push(failureOf(override.event, id, error, reading))
      byId.delete(id)
    }
  }
  const last = changes.findLast(({ override }) => override.isFollowing)
  const status = last ? publicationStatus(last.override.event, master) : series.status
  const records = [...byId.values()].map(record =>
    status === series.status ? record : withinSeries(status, record),
  )
  return [...failures, ...recordItems([...related, { ...series, status }, ...records])]
}

/**
 * A test for overrides of dates that a newer version of the event has left out, or that its rule no longer
 * gives. These dates are gone, although an older version has moved them.
 */
function outdatedTest({ exdate }: RecurringEvent, { dates }: RecurrenceDates, master: ICAL.Component) {
  const excluded = new Set(exdate)
  const ruleDates = new Set(dates)
  return ({ wall, event, isFollowing }: Override): boolean =>
    (excluded.has(wall) && compareVersions(master, event) > 0) ||
    (!isFollowing && !ruleDates.has(wall) && sequenceOf(event) < sequenceOf(master))
}

/** Adapts an occurrence to a new status of its series, which the series got so that later dates have it. */
function withinSeries(status: Status, record: EventRecord): EventRecord {
  if (!record.occurrence) return record
  const otherFields = record.occurrence.detached.filter(name => name !== 'status')
  const detachedFields: readonly FieldName[] =
    record.status === status ? otherFields : [...otherFields, 'status']
  return { ...record, occurrence: { ...record.occurrence, detached: detachedFields } }
}

/**
 * The dates to which overrides of all following occurrences apply, each with the last such override that
 * begins at or before it.
 */
function changesFollowing(overrides: readonly Override[], dates: readonly DateTime[]) {
  const laterOverrides = overrides
    .filter(({ isFollowing }) => isFollowing)
    .sort((a, b) => compareTexts(a.wall, b.wall))
  let begunCount = 0
  return dates.flatMap(wall => {
    while (laterOverrides[begunCount] && (laterOverrides[begunCount]?.wall ?? '') <= wall) begunCount += 1
    const override = laterOverrides[begunCount - 1]
    return override ? [{ override, wall }] : []
  })
}

/** The start of a later occurrence that moves like an override. */
const shiftedBy = ({ times, wall }: Override, date: DateTime): DateTime =>
  laterByClock(times.start.wall, msByClock(wall, date))

/** Adds the dates of overrides, which the rule may not give. */
function withOverridden(recurrence: RecurrenceDates, overrides: readonly Override[]): RecurrenceDates {
  const knownDates = new Set(recurrence.dates)
  const furtherDates = new Set(overrides.map(({ wall }) => wall).filter(wall => !knownDates.has(wall)))
  if (furtherDates.size === 0) return recurrence
  return {
    ...recurrence,
    rdate: [...new Set([...recurrence.rdate, ...furtherDates])].sort(),
    exdate: recurrence.exdate.filter(date => !furtherDates.has(date)),
    dates: [...recurrence.dates, ...furtherDates].sort(),
  }
}

/** VEVENTs that become single events, by the ids of their occurrences. */
type Instances = Map<string, { event: ICAL.Component; occurrence: IcsOccurrence }>

/** @throws Unreadable if there are too many dates in the period */
async function datesWithin(recurring: RecurringEvent, { window, work }: GroupReading): Promise<DateTime[]> {
  try {
    return (await recurrenceDates(recurring, { ...window, work })).dates
  } catch (error) {
    throw error instanceof TooMany
      ? new Unreadable(`${error.message} in the period`, 'record_too_much')
      : error
  }
}

/** The single events of a period, for a recurring event that cannot become a series. */
async function instancesWithin(
  { uid, master, times, overrides, recurring }: RecurringParts,
  reading: GroupReading,
): Promise<Instances> {
  const { window, work } = reading
  const instances: Instances = new Map()
  const dates = await datesWithin(recurring, reading)
  work.takeDates(dates.length)
  for (const wall of dates) {
    await work.spend(STEP_COSTS.date)
    const externalId = occurrenceIdAt(uid, times, wall)
    instances.set(externalId, { event: master, occurrence: { externalId, wall, times, chain: uid } })
  }
  for (const { event, times: ownTimes, id } of overrides) {
    const { utc, wall } = ownTimes.start
    // An occurrence that was moved out of the period is left out, and so is the one that it replaces.
    if (utc < window.from || utc > window.to) instances.delete(id)
    else
      instances.set(id, { event, occurrence: { externalId: id, wall, times: ownTimes, chain: uid, master } })
  }
  return instances
}

type Single = Pick<RecurringParts, 'uid' | 'overrides'> & {
  master: ICAL.Component | undefined
  times: IcsTimes | undefined
}

/** An event that does not recur, or occurrences of an event whose rule is not in the file. */
function singleInstances({ uid, master, times, overrides }: Single): Instances {
  const instances: Instances = new Map()
  if (master && times) {
    const { wall } = times.start
    const occurrence = { externalId: uid, wall, times }
    instances.set(occurrenceIdAt(uid, times, wall), { event: master, occurrence })
  }
  for (const { event, times: ownTimes, id } of overrides) {
    const externalId = instances.get(id)?.occurrence.externalId ?? id
    const links = externalId === uid ? {} : master ? { parent: uid } : { chain: uid }
    const occurrence = { externalId, wall: ownTimes.start.wall, times: ownTimes, master, ...links }
    instances.set(id, { event, occurrence })
  }
  return instances
}

/** The records of single events, in the order of their starts. */
async function instanceItems(instances: Instances, reading: GroupReading): Promise<SourceItem[]> {
  const items: SourceItem[] = []
  const doneEvents = new Set<ICAL.Component>()
  for (const [, { event, occurrence }] of [...instances].sort(([a], [b]) => compareTexts(a, b))) {
    try {
      const { record, related } = await eventRecords(event, occurrence, reading)
      items.push(...recordItems(doneEvents.has(event) ? [record] : [...related, record]))
      doneEvents.add(event)
    } catch (error) {
      items.push(failureOf(event, occurrence.externalId, error, reading))
    }
  }
  return items
}
