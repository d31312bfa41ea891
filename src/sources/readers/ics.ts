import type ICAL from 'ical.js'
import type { ReaderContext, SourceItem } from '../records.ts'
import type { IcsFile } from './ics-file.ts'
import { propertyText } from './ics-file.ts'
import { failureOf, groupItems, isNewer, type UidGroup } from './ics-group.ts'
import type { Window } from './ics-recurrence.ts'
import { Clocks } from './ics-times.ts'
import { Steps } from './rules.ts'

/**
 * The events and series of an iCalendar file.
 *
 * @param window in which recurring events occur that cannot become series
 */
export function* icsItems(
  file: IcsFile,
  source: string,
  window: Window,
  context: ReaderContext,
): Generator<SourceItem> {
  const steps = new Steps()
  const { lineOf } = file
  const clocks = new Clocks(file.calendar, context.timezone, steps)
  const reading = { ...context, source, clocks, window, steps, lineOf }
  for (const failure of file.failures) yield { type: 'failed', kind: 'event', source, ...failure }
  // A place that only private events name is private: those that public ones name come first.
  const late: SourceItem[] = []
  for (const group of groupsOf(file.events)) {
    const items: SourceItem[] = []
    try {
      for (const item of groupItems(group, reading)) items.push(item)
    } catch (error) {
      items.push(failureOf(group.master ?? group.overrides[0], group.uid, error, reading))
    }
    if (items.some(isUnpublished)) {
      // The dates of an event stay together, since they refer to each other.
      const { before = [], after = [] } = Object.groupBy(items, item => (isLate(item) ? 'after' : 'before'))
      yield* before
      late.push(...after)
    } else yield* items
  }
  yield* late
  const { gap } = file
  if (gap !== undefined && file.events.length + file.failures.length > 0) {
    const reason = `${gap}: nothing is taken to be gone that is not in it`
    yield { type: 'failed', kind: 'page', what: 'the calendar', reason, source }
  }
  for (const kind of ['series', 'event'] as const)
    yield gap === undefined
      ? { type: 'complete', source, kind, ...window }
      : { type: 'incomplete', source, kind, reason: `it ${gap}` }
}

const isUnpublished = (item: SourceItem): boolean =>
  item.type === 'record' && 'status' in item.record && item.record.status !== 'publish'

const isLate = (item: SourceItem): boolean =>
  isUnpublished(item) ||
  (item.type === 'record' && (item.record.kind === 'event' || item.record.kind === 'series'))

function groupsOf(events: readonly ICAL.Component[]): UidGroup[] {
  const groups = new Map<string, UidGroup>()
  for (const event of events) {
    // Events without a UID are identified by title and start.
    const uid =
      propertyText(event, 'uid').trim() ||
      `${propertyText(event, 'summary')} ${propertyText(event, 'dtstart')}`
    const group = groups.get(uid) ?? { uid, overrides: [] }
    groups.set(uid, group)
    if (event.getFirstProperty('recurrence-id')) group.overrides.push(event)
    else if (!group.master || isNewer(event, group.master)) group.master = event
  }
  return [...groups.values()]
}
