import type ICAL from 'ical.js'
import { eventRecords, type Occurrence, type Plan, planOf } from './ics-events.ts'
import { type IcsFile, textOf } from './ics-file.ts'
import { isRecurring, occurrences, onClock, type Window } from './ics-recurrence.ts'
import { Steps } from './ics-steps.ts'
import { Clocks, timeOf } from './ics-times.ts'
import { type AnyRecord, type Item, type ReaderContext, Unreadable } from './records.ts'
import { occurrenceId } from './state.ts'

/** All VEVENTs of one UID: the event itself, and the overrides of single occurrences. */
type Group = { uid: string; master?: ICAL.Component; overrides: ICAL.Component[] }

/**
 * The events of an iCalendar file. Recurring ones become single events within the window, each of which belongs
 * to the first.
 */
export function* icsItems(
  file: IcsFile,
  source: string,
  window: Window,
  context: ReaderContext,
): Generator<Item> {
  const clocks = new Clocks(file.calendar, context.timezone)
  const steps = new Steps()
  for (const { what, reason } of file.failures) yield { type: 'failed', kind: 'event', source, what, reason }
  for (const group of groupsOf(file.events)) {
    try {
      yield* groupItems(group, source, clocks, window, context, steps)
    } catch (error) {
      yield { type: 'failed', kind: 'event', source, what: group.uid, reason: messageOf(error) }
    }
  }
  yield { type: 'complete', source, kind: 'event', ...window }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function groupsOf(events: readonly ICAL.Component[]): Group[] {
  const groups = new Map<string, Group>()
  for (const event of events) {
    // Events without a UID are identified by title and start.
    const uid = textOf(event, 'uid').trim() || `${textOf(event, 'summary')} ${textOf(event, 'dtstart')}`
    const group = groups.get(uid) ?? { uid, overrides: [] }
    groups.set(uid, group)
    if (event.getFirstProperty('recurrence-id')) group.overrides.push(event)
    else if (!group.master || isNewer(event, group.master)) group.master = event
  }
  return [...groups.values()]
}

/** True if an event replaces another version of it: by a higher SEQUENCE or, if equal, as the later one in the file. */
const isNewer = (event: ICAL.Component, other: ICAL.Component): boolean =>
  Number(textOf(event, 'sequence')) >= Number(textOf(other, 'sequence'))

function* groupItems(
  { uid, master, overrides }: Group,
  source: string,
  clocks: Clocks,
  window: Window,
  context: ReaderContext,
  steps: Steps,
): Generator<Item> {
  const plan = master && planOf(master, clocks, context.note)
  const recurring = master !== undefined && isRecurring(master)
  const instances = new Map<string, { event: ICAL.Component; occurrence: Occurrence }>()
  // A file may hold single occurrences of a series only, without the rule.
  const series = recurring || !master ? { series: uid } : { parent: uid }
  if (master && plan) {
    const walls = recurring ? occurrences(master, plan.start, clocks, window, steps) : [plan.start.wall]
    for (const wall of walls) {
      const externalId = recurring ? idOf(uid, plan, wall) : uid
      instances.set(idOf(uid, plan, wall), {
        event: master,
        occurrence: { externalId, wall, plan, ...(recurring && { series: uid }) },
      })
    }
  }
  const failures: Item[] = []
  for (const event of [...overrides].sort((a, b) => (isNewer(a, b) ? 1 : -1))) {
    try {
      const own = planOf(event, clocks, context.note)
      const id = overrideId(uid, event, own, plan, clocks)
      const replaced = instances.get(id)
      const { utc } = own.start
      // An occurrence that was moved out of the period is left out along with the one that it replaces.
      if (recurring && (utc < window.from || utc > window.to)) instances.delete(id)
      else {
        const externalId = replaced?.occurrence.externalId ?? id
        const links = externalId === uid ? {} : series
        instances.set(id, { event, occurrence: { externalId, wall: own.start.wall, plan: own, ...links } })
      }
    } catch (error) {
      failures.push({ type: 'failed', kind: 'event', source, what: uid, reason: messageOf(error) })
    }
  }
  yield* failures
  if (recurring && instances.size === 0)
    yield {
      type: 'skipped',
      kind: 'event',
      source,
      what: uid,
      reason: 'it does not occur between --from and --to',
    }
  for (const [, { event, occurrence }] of [...instances].sort(([a], [b]) => (a < b ? -1 : 1)))
    yield* recordItems(() => eventRecords(event, occurrence, source, clocks, context), source, occurrence)
}

const idOf = (uid: string, { start }: Plan, wall: string): string =>
  occurrenceId(uid, start.isDate ? wall : start.clock.toUtc(wall))

/** The id of the occurrence that an override replaces: the one that would have started at its RECURRENCE-ID. */
function overrideId(
  uid: string,
  event: ICAL.Component,
  own: Plan,
  plan: Plan | undefined,
  clocks: Clocks,
): string {
  const instead = timeOf(event, 'recurrence-id', clocks)
  if (!instead) throw new Unreadable('RECURRENCE-ID holds no time')
  const of = plan ?? { ...own, start: instead }
  return idOf(uid, of, onClock(instead, of.start))
}

function* recordItems(read: () => AnyRecord[], source: string, { externalId }: Occurrence): Generator<Item> {
  try {
    for (const record of read()) yield { type: 'record', record }
  } catch (error) {
    yield { type: 'failed', kind: 'event', source, what: externalId, reason: messageOf(error) }
  }
}
