import type ICAL from 'ical.js'
import { between, later } from '../../events/recurrence/pattern.ts'
import { messageOf } from '../../lib/errors.ts'
import type { DateTime } from '../../lib/time.ts'
import { type AnyRecord, type ReaderContext, type SourceItem, Unreadable } from '../records.ts'
import { eventRecords, type IcsOccurrence, type IcsTimes, icsTimesOf } from './ics-events.ts'
import { type IcsFile, propertyText } from './ics-file.ts'
import {
  isRecurring,
  onClock,
  type RecurrenceDates,
  type Recurring,
  readingEnd,
  recurrenceDates,
  recurringOf,
  TooMany,
  type Window,
} from './ics-recurrence.ts'
import { NoSeries, occurrenceIdAt, overridden, seriesRecords, zonedPattern } from './ics-series.ts'
import type { Steps } from './ics-steps.ts'
import { type Clocks, icsTimeIn } from './ics-times.ts'

/** All VEVENTs of one UID: the event itself, and the overrides of single occurrences. */
export type UidGroup = { uid: string; master?: ICAL.Component; overrides: ICAL.Component[] }

type Reading = {
  source: string
  clocks: Clocks
  window: Window
  context: ReaderContext
  steps: Steps
  lineOf: IcsFile['lineOf']
}

/** An item for an event that cannot be read. @param what the id that it would have */
export const failureOf = (
  event: ICAL.Component | undefined,
  what: string,
  error: unknown,
  { source, lineOf }: Pick<Reading, 'source' | 'lineOf'>,
): SourceItem => ({
  type: 'failed',
  kind: 'event',
  source,
  what,
  ...(event && { title: propertyText(event, 'summary'), line: lineOf(event) }),
  reason: messageOf(error),
})

/** True if an event replaces another version of it: by a higher SEQUENCE or, if equal, as the later one in the file. */
export const isNewer = (event: ICAL.Component, other: ICAL.Component): boolean =>
  Number(propertyText(event, 'sequence')) >= Number(propertyText(other, 'sequence'))

/** The records of a group: a series with its occurrences, or single events. @throws Unreadable */
export function* groupItems(group: UidGroup, reading: Reading): Generator<SourceItem> {
  const { uid, master } = group
  const { source, clocks, context } = reading
  const failures: SourceItem[] = []
  const overrides = overridesOf(group, reading, failures)
  yield* failures
  if (!master || !isRecurring(master)) {
    yield* singleItems(group, overrides, reading)
    return
  }
  const plan = icsTimesOf(master, clocks, context.note)
  const recurring = recurringOf(master, plan.start, clocks)
  try {
    yield* seriesItems({ ...group, master }, { plan, recurring, overrides }, reading)
  } catch (error) {
    if (!(error instanceof TooMany || error instanceof NoSeries)) throw error
    context.note(`${uid}: it became single events in the period of --from and --to, because ${error.message}`)
    yield* windowItems({ ...group, master }, { plan, recurring, overrides }, { ...reading, source })
  }
}

/** A VEVENT that replaces one occurrence, or all from it on. */
type Override = {
  event: ICAL.Component
  plan: IcsTimes
  /** The occurrence that it replaces, by the clock of the series' start. */
  wall: DateTime
  /** The same in UTC. */
  utc: DateTime
  id: string
  isFollowing: boolean
}

/** The overrides of a group, the newest last. */
function overridesOf(
  { uid, master, overrides }: UidGroup,
  reading: Reading,
  failures: SourceItem[],
): Override[] {
  const { clocks, context } = reading
  return overrides
    .toSorted((a, b) => (isNewer(a, b) ? 1 : -1))
    .flatMap(event => {
      try {
        return [overrideOf(event, { uid, master, clocks, note: context.note })]
      } catch (error) {
        failures.push(failureOf(event, uid, error, reading))
        return []
      }
    })
}

type Of = { uid: string; master: ICAL.Component | undefined; clocks: Clocks; note: (text: string) => void }

function overrideOf(event: ICAL.Component, { uid, master, clocks, note }: Of): Override {
  const plan = icsTimesOf(event, clocks, note)
  const instead = icsTimeIn(event, 'recurrence-id', clocks)
  if (!instead) throw new Unreadable('RECURRENCE-ID holds no time')
  // A file may hold single occurrences of a series only, without the rule.
  const of = master ? icsTimesOf(master, clocks, () => {}) : { ...plan, start: instead }
  const wall = onClock(instead, of.start)
  const range = String(event.getFirstProperty('recurrence-id')?.getParameter('range') ?? '')
  const isFollowing = range.toUpperCase() === 'THISANDFUTURE'
  if (isFollowing)
    note(
      `${uid}: a change of all occurrences from ${wall} on was made to each of them that there is until now: later ones are as the series`,
    )
  return {
    event,
    plan,
    wall,
    utc: of.start.clock.toUtc(wall),
    id: occurrenceIdAt(uid, of, wall),
    isFollowing,
  }
}

type Parts = { plan: IcsTimes; recurring: Recurring; overrides: Override[] }
type Master = UidGroup & { master: ICAL.Component }

/** The records of a series. @throws NoSeries, TooMany, Unreadable */
function* seriesItems({ uid, master }: Master, parts: Parts, reading: Reading): Generator<SourceItem> {
  const { plan, recurring } = parts
  const { source, clocks, context, steps } = reading
  const to = readingEnd(plan.start, context.nowMs)
  const overrides = parts.overrides.filter(({ utc }) => utc <= to)
  const found = withOverridden(recurrenceDates(recurring, { to, steps }), overrides)
  if (found.dates.length === 0) {
    yield { type: 'skipped', kind: 'event', source, what: uid, reason: 'all its dates are left out' }
    return
  }
  const occurrence = { externalId: uid, wall: plan.start.wall, plan }
  const { record: shared, related } = eventRecords(master, occurrence, source, clocks, context)
  const zoned = zonedPattern(shared, plan, found, { steps, note: context.note })
  const { series, occurrences } = seriesRecords(shared, zoned)
  const failures: SourceItem[] = []
  const before: AnyRecord[] = []
  const replace = ({ event, plan: own }: Override, id: string, wall: DateTime) => {
    const to = occurrences.get(id)
    if (!to) return
    try {
      const given = { externalId: id, wall, plan: own }
      const { record, related: more } = eventRecords(event, given, source, clocks, context)
      before.push(...more)
      occurrences.set(id, overridden(record, to))
    } catch (error) {
      failures.push(failureOf(event, id, error, reading))
      occurrences.delete(id)
    }
  }
  const walls = found.dates.map(wall => ({ wall, id: occurrenceIdAt(uid, plan, wall) }))
  const base = new Map(occurrences)
  const restore = (id: string) => {
    const shared = base.get(id)
    if (shared) occurrences.set(id, shared)
  }
  for (const one of overrides
    .filter(({ isFollowing }) => isFollowing)
    .sort((a, b) => (a.wall < b.wall ? -1 : 1)))
    for (const { wall, id } of walls.filter(({ wall }) => wall >= one.wall)) {
      restore(id)
      replace(one, id, shiftedBy(one, wall))
    }
  for (const one of overrides.filter(({ isFollowing }) => !isFollowing)) {
    restore(one.id)
    replace(one, one.id, one.plan.start.wall)
  }
  yield* failures
  for (const record of [...related, ...before, series, ...occurrences.values()])
    yield { type: 'record', record }
}

/** The start of a later occurrence that moves as an override does. */
const shiftedBy = ({ plan, wall }: Override, date: DateTime): DateTime =>
  later(plan.start.wall, between(wall, date))

/** The dates with those of overrides, which may be no dates of the rule. */
function withOverridden(found: RecurrenceDates, overrides: readonly Override[]): RecurrenceDates {
  const known = new Set(found.dates)
  const more = new Set(overrides.map(({ wall }) => wall).filter(wall => !known.has(wall)))
  if (more.size === 0) return found
  return {
    ...found,
    rdate: [...new Set([...found.rdate, ...more])].sort(),
    exdate: found.exdate.filter(date => !more.has(date)),
    dates: [...found.dates, ...more].sort(),
  }
}

/** Single events in a period, each of which belongs to the first. */
function* windowItems(
  { uid, master }: Master,
  { plan, recurring, overrides }: Parts,
  reading: Reading,
): Generator<SourceItem> {
  const { source, window, steps } = reading
  const instances = new Map<string, { event: ICAL.Component; occurrence: IcsOccurrence }>()
  for (const wall of datesIn(recurring, window, steps)) {
    const externalId = occurrenceIdAt(uid, plan, wall)
    instances.set(externalId, { event: master, occurrence: { externalId, wall, plan, chain: uid } })
  }
  for (const { event, plan: own, id } of overrides) {
    const { utc, wall } = own.start
    // An occurrence that was moved out of the period is left out along with the one that it replaces.
    if (utc < window.from || utc > window.to) instances.delete(id)
    else instances.set(id, { event, occurrence: { externalId: id, wall, plan: own, chain: uid } })
  }
  if (instances.size === 0)
    yield {
      type: 'skipped',
      kind: 'event',
      source,
      what: uid,
      reason: 'it does not occur between --from and --to',
    }
  for (const { event, occurrence } of inOrder(instances)) yield* recordItems(event, occurrence, reading)
}

function datesIn(recurring: Recurring, { from, to }: Window, steps: Steps): DateTime[] {
  try {
    return recurrenceDates(recurring, { from, to, steps }).dates
  } catch (error) {
    if (error instanceof TooMany) throw new Unreadable(`${error.message} in the period`)
    throw error
  }
}

/** An event that does not recur, or occurrences of one whose rule the file does not have. */
function* singleItems(
  { uid, master }: UidGroup,
  overrides: readonly Override[],
  reading: Reading,
): Generator<SourceItem> {
  const { clocks, context } = reading
  const instances = new Map<string, { event: ICAL.Component; occurrence: IcsOccurrence }>()
  if (master) {
    const plan = icsTimesOf(master, clocks, context.note)
    const { wall } = plan.start
    instances.set(occurrenceIdAt(uid, plan, wall), {
      event: master,
      occurrence: { externalId: uid, wall, plan },
    })
  }
  for (const { event, plan, id } of overrides) {
    const externalId = instances.get(id)?.occurrence.externalId ?? id
    const links = externalId === uid ? {} : master ? { parent: uid } : { chain: uid }
    instances.set(id, { event, occurrence: { externalId, wall: plan.start.wall, plan, ...links } })
  }
  for (const { event, occurrence } of inOrder(instances)) yield* recordItems(event, occurrence, reading)
}

const inOrder = <T>(instances: ReadonlyMap<string, T>): T[] =>
  [...instances].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, instance]) => instance)

function* recordItems(
  event: ICAL.Component,
  occurrence: IcsOccurrence,
  reading: Reading,
): Generator<SourceItem> {
  const { source, clocks, context } = reading
  try {
    const { record, related } = eventRecords(event, occurrence, source, clocks, context)
    for (const one of [...related, record]) yield { type: 'record', record: one }
  } catch (error) {
    yield failureOf(event, occurrence.externalId, error, reading)
  }
}
