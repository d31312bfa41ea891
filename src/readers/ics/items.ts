import type ICAL from 'ical.js'
import { reportGuess } from '../../calendar/imports/guesses.ts'
import {
  itemReason,
  type ReaderContext,
  recordStart,
  type SourceItem,
  Unreadable,
} from '../../calendar/imports/records.ts'
import { PERIOD_PROPERTY } from '../../kit/lib/ical/lines.ts'
import { isDateTime } from '../../kit/lib/time.ts'
import type { IcsTexts } from './events.ts'
import {
  hasUid,
  type IcsFile,
  nameOfEvent,
  parseEvent,
  propertyText,
  propertyValue,
  titleOfEvent,
} from './file.ts'
import { STEP_COSTS, WorkMeter } from './limits.ts'
import type { ImportPeriod } from './recurrence.ts'
import { Clocks } from './times.ts'
import { groupItems, isNewer, type UidGroup } from './uid-group.ts'

/** Limit on a UID, in characters, since each date of the event contains it in its own id. */
const MAX_UID_LENGTH = 2_000

/** The programs whose feeds have only the next events: The Events Calendar's, by default, thirty. */
const NEXT_EVENTS_ONLY = /\bECPv\d/

/**
 * The events and series of an iCalendar file.
 *
 * @param window the period for recurring events that cannot become series
 */
export async function* icsItems(
  file: IcsFile,
  source: string,
  window: ImportPeriod,
  context: ReaderContext,
): AsyncGenerator<SourceItem> {
  const work = new WorkMeter(context.limits)
  const clocks = new Clocks(file, context, work)
  reportSlips(file, context)
  const groups = new Map<string, UidGroup>()
  const numbers = new Map<ICAL.Component, number>()
  const numberOf = (event: ICAL.Component) => numbers.get(event) ?? -1
  const reading = {
    ...context,
    source,
    clocks,
    window,
    work,
    texts: new WeakMap<ICAL.Component, IcsTexts>(),
    lineOf: (event: ICAL.Component) => file.lineAt(numberOf(event)),
    writtenIn: (event: ICAL.Component, property: string) => {
      const eventLines = file.events[numberOf(event)]
      return {
        text: eventLines ? propertyValue(eventLines, property) : '',
        line: file.lineAt(numberOf(event), property),
      }
    },
    sizeOf: (event: ICAL.Component) => file.events[numberOf(event)]?.size ?? 0,
  }
  const calendarFailure = { type: 'failed', kind: 'page', what: 'the calendar', source } as const
  const gapFailure = (gap: string | undefined) => ({
    ...calendarFailure,
    reason: `${gap}: nothing is taken to be gone that is not in it`,
    code: file.gap === undefined ? ('record_no_uid' as const) : ('record_broken' as const),
  })
  if (file.isTooLong) yield gapFailure(file.gap)
  const unnamed = yield* parsedEvents(file, { source, work }, (event, n) => {
    numbers.set(event, n)
    addToGroup(groups, event, reading)
  })
  const gap = file.gap ?? unnamed
  let last = ''
  // A venue that only private events name is private, so venues of public events come first.
  const deferred: SourceItem[] = []
  for (const group of groups.values()) {
    await work.spend(STEP_COSTS.event)
    const items = await groupItems(group, reading)
    const start = lastStartOf(items)
    if (start > last) last = start
    if (items.some(isUnpublished)) {
      // The dates of an event stay together, since they refer to each other.
      const { before = [], after = [] } = Object.groupBy(items, item =>
        isDeferred(item) ? 'after' : 'before',
      )
      yield* before
      deferred.push(...after)
    } else yield* items
  }
  yield* deferred
  if (gap !== undefined && !file.isTooLong) yield gapFailure(gap)
  // Later events may exist that the feed does not have yet.
  const to =
    last !== '' && last < window.to && NEXT_EVENTS_ONLY.test(propertyText(file.calendar, 'prodid'))
      ? last
      : window.to
  const period = coveredPeriod({ from: window.from, to }, file)
  for (const kind of ['series', 'event'] as const)
    yield gap === undefined
      ? { type: 'complete', source, kind, ...period }
      : { type: 'incomplete', source, kind, reason: `it ${gap}` }
}

/** Reports what was repaired in the text of the file. */
function reportSlips(file: IcsFile, context: ReaderContext): void {
  if (file.foreign !== undefined)
    reportGuess(context, { code: 'guess_encoding', text: file.foreign, as: 'UTF-8' })
  for (const { line, field, text, correction } of file.slips)
    reportGuess(context, {
      code: correction === undefined ? 'guess_left_out' : 'guess_value',
      line: file.lineWith(line),
      field,
      text,
      as: correction,
    })
}

/** The latest start of an event among items; '' if there is none. */
const lastStartOf = (items: readonly SourceItem[]): string =>
  items.reduce((last, item) => {
    const start = item.type === 'record' ? recordStart(item.record) : undefined
    return start !== undefined && start > last ? start : last
  }, '')

/**
 * The part of a period of which the file has all events. Our own feeds say so if they had to be shortened.
 */
function coveredPeriod({ from, to }: ImportPeriod, { calendar }: IcsFile): ImportPeriod {
  const ownPeriod = propertyText(calendar, PERIOD_PROPERTY.toLowerCase())
  const [first = from, last = to] = ownPeriod
    .split('/')
    .map(time => time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3 $4:$5:$6'))
    .filter(isDateTime)
  return { from: first > from ? first : from, to: last < to ? last : to }
}

/**
 * Parses the events of a file, and reports what cannot be read of them.
 *
 * @param add takes each event, with its number in the file
 * @returns the reason why it is unknown which events the file has, if there is one
 */
async function* parsedEvents(
  file: IcsFile,
  { source, work }: { source: string; work: WorkMeter },
  add: (event: ICAL.Component, n: number) => void,
): AsyncGenerator<SourceItem, string | undefined> {
  let gap: string | undefined
  for (const [n, eventLines] of file.events.entries()) {
    const eventName = nameOfEvent(eventLines)
    await work.spend(STEP_COSTS.event + eventLines.lines.length * STEP_COSTS.line + eventLines.size)
    for (const fault of eventLines.droppedFaults) {
      const reason = `it ${fault}, which are left out`
      yield {
        type: 'skipped',
        kind: 'page',
        what: `event ${eventName}`,
        source,
        reason,
        code: 'record_not_all',
      }
    }
    try {
      const event = parseEvent(eventLines)
      if (event) add(event, n)
    } catch (error) {
      yield {
        type: 'failed',
        kind: 'event',
        source,
        what: eventName,
        // An event without a UID is already named by its title.
        ...(hasUid(eventLines) && { title: titleOfEvent(eventLines) }),
        line: file.lineAt(n),
        ...itemReason(error),
      }
      if (!hasUid(eventLines)) gap = 'has an event that breaks off before its UID'
    }
  }
  for (const { name, uid } of file.unknown) {
    const reason = name === '' ? 'END:VEVENT has no BEGIN' : `BEGIN:${name} is not a known component`
    yield {
      type: 'failed',
      kind: 'event',
      source,
      what: uid || name || 'END:VEVENT',
      reason,
      code: 'record_unreadable',
    }
    if (uid === '') gap = `has a component ${name} without UID`
  }
  // An event without a UID may have one with a slip, and may then be one that the calendar had before.
  const withoutUid = file.events.filter(one => !hasUid(one)).length
  return withoutUid > 0 && withoutUid < file.events.length
    ? (gap ?? 'has an event without UID beside others with one')
    : gap
}

const isUnpublished = (item: SourceItem): boolean =>
  item.type === 'record' && 'status' in item.record && item.record.status !== 'publish'

const isDeferred = (item: SourceItem): boolean =>
  isUnpublished(item) ||
  (item.type === 'record' && (item.record.kind === 'event' || item.record.kind === 'series'))

/**
 * Adds an event to the group of its UID.
 * @throws Unreadable if the UID is too long to be part of the ids of thousands of dates
 */
function addToGroup(
  groups: Map<string, UidGroup>,
  event: ICAL.Component,
  reading: ReaderContext & { lineOf: (event: ICAL.Component) => number | undefined },
): void {
  // Events without a UID are identified by title and start.
  const uid =
    propertyText(event, 'uid').trim() ||
    `${propertyText(event, 'summary').slice(0, MAX_UID_LENGTH / 2)} ${propertyText(event, 'dtstart')}`
  if (uid.length > MAX_UID_LENGTH)
    throw new Unreadable(`it has more than ${MAX_UID_LENGTH} characters in UID`, 'record_too_much')
  const group = groups.get(uid) ?? { uid, overrides: [] }
  groups.set(uid, group)
  if (event.getFirstProperty('recurrence-id')) return void group.overrides.push(event)
  const [newest, otherEvent] =
    group.master && !isNewer(event, group.master) ? [group.master, event] : [event, group.master]
  group.master = newest
  if (otherEvent)
    reportGuess(reading, {
      code: 'guess_version',
      text: propertyText(otherEvent, 'summary') || uid,
      line: reading.lineOf(otherEvent),
    })
}
