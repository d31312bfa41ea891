import type ICAL from 'ical.js'
import { messageOf } from '../../lib/errors.ts'
import type { Item, ReaderContext } from '../records.ts'
import type { IcsFile } from './ics-file.ts'
import { textOf } from './ics-file.ts'
import { type Group, groupItems, isNewer } from './ics-group.ts'
import type { Window } from './ics-recurrence.ts'
import { Steps } from './ics-steps.ts'
import { Clocks } from './ics-times.ts'

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
): Generator<Item> {
  const steps = new Steps()
  const clocks = new Clocks(file.calendar, context.timezone, steps)
  for (const { what, reason } of file.failures) yield { type: 'failed', kind: 'event', source, what, reason }
  for (const group of groupsOf(file.events)) {
    try {
      yield* groupItems(group, { source, clocks, window, context, steps })
    } catch (error) {
      yield { type: 'failed', kind: 'event', source, what: group.uid, reason: messageOf(error) }
    }
  }
  yield { type: 'complete', source, kind: 'series', ...window }
  yield { type: 'complete', source, kind: 'event', ...window }
}

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
