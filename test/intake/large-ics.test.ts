import { expect, it } from 'vitest'
import { icsItems } from '../../src/intake/readers/ics.ts'
import { readIcs } from '../../src/intake/readers/ics-file.ts'
import { OF_COMMANDS } from '../../src/intake/readers/ics-work.ts'
import { CONTEXT, WINDOW } from './database.ts'
import { calendar, eventsOf, itemsOf } from './ics-calendar.ts'

// What a command reads of a calendar is more than the Worker does, and ends as well.

const daily = (uid: string, count: number) => [
  `UID:${uid}`,
  'DTSTART:20160101T100000Z',
  `SUMMARY:${uid}`,
  `RRULE:FREQ=DAILY;COUNT=${count}`,
]

it('four series of 2,600 dates each are read', () => {
  const bytes = calendar(['a', 'b', 'c', 'd'].map(uid => daily(uid, 2_600)))
  expect(eventsOf(bytes)).toHaveLength(10_400)
  expect(itemsOf(bytes).filter(({ type }) => type === 'failed')).toEqual([])
})

it('a calendar with too many dates is read up to a limit, which is reported', () => {
  const bytes = calendar([
    ...Array.from({ length: 60 }, (_, i) => daily(`e${i}`, 40)),
    ['UID:single', 'DTSTART:20270101T100000Z'],
  ])
  const limits = { ...OF_COMMANDS, dates: 2_000 }
  const items = [...icsItems(readIcs(bytes, limits), 's', WINDOW, { ...CONTEXT, limits })]
  const events = items.filter(item => item.type === 'record' && item.record.kind === 'event')
  expect(events).toHaveLength(50 * 40 + 1)
  const reasons = items.flatMap(item => (item.type === 'failed' ? [item.reason] : []))
  expect(reasons).toHaveLength(10)
  expect(reasons.every(reason => reason.includes('more than 2000 dates: this one is not read'))).toBe(true)
})
