import { describe, expect, it } from 'vitest'
import type { OccasionWithRegistration } from '../../../src/features/registrations/occasion.ts'
import {
  changesBetween,
  type KnownDate,
  maxPlacesOfNewcomer,
  phaseOf,
  registrationTimes,
} from '../../../src/features/registrations/rules.ts'
import { clockAt } from '../../../src/kit/lib/clock.ts'

type Changes = Partial<Omit<OccasionWithRegistration, 'event' | 'registration'>> & {
  event?: Partial<OccasionWithRegistration['event']>
  registration?: Partial<OccasionWithRegistration['registration']>
}

/** A course from six to eight in Dublin, where winter has UTC, with the fields that the rules read. */
const occasionWith = ({ event, registration, ...more }: Changes): OccasionWithRegistration => ({
  firstStart: '2026-12-10 18:00:00',
  lastEnd: '2026-12-10 20:00:00',
  status: 'scheduled',
  availability: 'available',
  place: 'Mill',
  hasLine: false,
  ...more,
  // Only these of their columns.
  event: { timezone: 'Europe/Dublin', status: 'publish', ...event } as OccasionWithRegistration['event'],
  registration: {
    places: 10,
    taken: 0,
    per_person: 4,
    waiting_list: false,
    closed: false,
    opens_days: null,
    opens_time: '',
    closes_days: null,
    closes_time: '',
    ...registration,
  } as OccasionWithRegistration['registration'],
})

describe('the times between which people register', () => {
  it.each<[string, Changes, { opens: string | null; closes: string | null }]>([
    ['are open on both sides without settings', {}, { opens: null, closes: null }],
    [
      'are days before the first one, at times of their own',
      { registration: { opens_days: 10, opens_time: '09:00:00', closes_days: 1, closes_time: '12:00:00' } },
      { opens: '2026-11-30 09:00:00', closes: '2026-12-09 12:00:00' },
    ],
    [
      'end with an event that has been moved before the time of day',
      { registration: { closes_days: 0, closes_time: '21:00:00' } },
      { opens: null, closes: '2026-12-10 20:00:00' },
    ],
    [
      'end with it in the zone of the event',
      { event: { timezone: 'Europe/Paris' }, registration: { closes_days: 0, closes_time: '23:00:00' } },
      { opens: null, closes: '2026-12-10 21:00:00' },
    ],
    [
      'may be on the day after the first one',
      {
        lastEnd: '2026-12-20 20:00:00',
        registration: { closes_days: -1, closes_time: '12:00:00' },
      },
      { opens: null, closes: '2026-12-11 12:00:00' },
    ],
  ])('%s', (_, changes, times) => {
    expect(registrationTimes(occasionWith(changes))).toEqual(times)
  })
})

describe('people can register', () => {
  it.each<[string, string, Changes, 'soon' | 'on' | 'closed']>([
    ['until the start', '2026-12-10 17:59:59', {}, 'on'],
    ['not from the start on', '2026-12-10 18:00:00', {}, 'closed'],
    [
      'until the start in the zone of the event',
      '2026-12-10 17:00:00',
      { event: { timezone: 'Europe/Paris' } },
      'closed',
    ],
    [
      'not before it opens',
      '2026-12-08 08:59:59',
      { registration: { opens_days: 2, opens_time: '09:00:00' } },
      'soon',
    ],
    [
      'from the moment at which it opens',
      '2026-12-08 09:00:00',
      { registration: { opens_days: 2, opens_time: '09:00:00' } },
      'on',
    ],
    [
      'after the start, if it closes later',
      '2026-12-10 18:30:00',
      { registration: { closes_days: 0, closes_time: '19:00:00' } },
      'on',
    ],
    ['not once it is closed', '2026-12-01 00:00:00', { registration: { closed: true } }, 'closed'],
    ['not for what is cancelled', '2026-12-01 00:00:00', { status: 'canceled' }, 'closed'],
    ['not for what is postponed', '2026-12-01 00:00:00', { status: 'postponed' }, 'closed'],
    ['for what has another time', '2026-12-01 00:00:00', { status: 'rescheduled' }, 'on'],
    ['not yet for what is hidden', '2026-12-01 00:00:00', { event: { status: 'draft' } }, 'soon'],
    [
      'not any more for what is hidden and over',
      '2026-12-11 00:00:00',
      { event: { status: 'draft' } },
      'closed',
    ],
    ['not for what is in the trash', '2026-12-01 00:00:00', { event: { status: 'trash' } }, 'closed'],
  ])('%s (%s)', (_, now, changes, phase) => {
    expect(phaseOf(occasionWith(changes), clockAt(now))).toBe(phase)
  })
})

describe('the maximum of places for a newcomer', () => {
  it.each<[string, Changes, number]>([
    ['is the limit per person', {}, 4],
    ['is the limit per person if places are unlimited', { registration: { places: null, taken: 50 } }, 4],
    ['is at most the number of places', { registration: { places: 3 } }, 3],
    ['is at most the number of free places', { registration: { taken: 8 } }, 2],
    [
      'is not reduced to the free places where there is a waiting list',
      { registration: { taken: 8, waiting_list: true } },
      4,
    ],
    ['is not reduced where no place is free, as any number is refused', { registration: { taken: 10 } }, 4],
    [
      'is not reduced where others already wait for the free places',
      { hasLine: true, registration: { taken: 8 } },
      4,
    ],
  ])('%s', (_, changes, most) => {
    expect(maxPlacesOfNewcomer(occasionWith(changes))).toBe(most)
  })
})

describe('what people are told of a date', () => {
  const known: KnownDate = {
    id: 7,
    title: 'Bread',
    start: '2026-12-10 18:00:00',
    end: '2026-12-10 20:00:00',
    utc: ['2026-12-10 18:00:00', '2026-12-10 20:00:00'],
    day: 0,
    zone: 'Europe/Dublin',
    status: 'scheduled',
    venue: 1,
    online: 0,
    place: 'Mill, Kilkenny',
    address: '1 Mill Lane|Kilkenny',
  }
  const UNTIL = '2028-01-01 00:00:00'
  const later: Pick<KnownDate, 'utc'> = { utc: ['2026-12-11 18:00:00', '2026-12-11 20:00:00'] }
  const withStatus = (status: KnownDate['status']) => ({ ...known, status })

  it.each<[string, KnownDate, KnownDate, string[]]>([
    ['is nothing if it is the same', known, known, []],
    ['does not include another title', known, { ...known, title: 'Rolls' }, []],
    ['is no other name of the place', known, { ...known, place: 'The Mill, Kilkenny' }, []],
    ['is no other clock at the same moment', known, { ...known, start: '2026-12-10 19:00:00' }, []],
    ['is another time', known, { ...known, ...later }, ['moved']],
    [
      'is another time, even if it is the end alone',
      known,
      { ...known, utc: [known.utc[0], later.utc[1]] },
      ['moved'],
    ],
    ['is that it takes all day', known, { ...known, day: 1 }, ['moved']],
    ['is another place', known, { ...known, venue: 2 }, ['place']],
    ['is another address of the place', known, { ...known, address: '2 Mill Lane|Kilkenny' }, ['place']],
    ['is that there is no place', known, { ...known, venue: null, address: '' }, ['place']],
    ['is that it is online', known, { ...known, online: 1 }, ['place']],
    ['is no other place of what is online', { ...known, online: 1 }, { ...known, online: 1, venue: 2 }, []],
    ['is another time and another place', known, { ...known, ...later, venue: 2 }, ['moved', 'place']],
    [
      'is that it is cancelled, and no other time',
      known,
      { ...withStatus('canceled'), ...later },
      ['canceled'],
    ],
    ['is that it is postponed', known, withStatus('postponed'), ['postponed']],
    ['is that one in the trash is cancelled', known, withStatus('gone'), ['canceled']],
    ['is nothing if what was cancelled is in the trash', withStatus('canceled'), withStatus('gone'), []],
    [
      'is that what was cancelled is postponed',
      withStatus('canceled'),
      withStatus('postponed'),
      ['postponed'],
    ],
    [
      'is that what was postponed is cancelled',
      withStatus('postponed'),
      withStatus('canceled'),
      ['canceled'],
    ],
    ['is that it is back', withStatus('gone'), known, ['back']],
    [
      'is that it is back, with another time and another place',
      withStatus('canceled'),
      { ...known, ...later, venue: 2 },
      ['back', 'moved', 'place'],
    ],
    ['is that what was postponed is back at its time', withStatus('postponed'), known, ['back']],
    [
      'is the new time of what was postponed, and its place',
      withStatus('postponed'),
      { ...known, ...later, venue: 2, status: 'rescheduled' },
      ['moved', 'place'],
    ],
    ['is nothing if only the status says that it was rescheduled', known, withStatus('rescheduled'), []],
  ])('%s', (_, was, date, kinds) => {
    expect(changesBetween([was], [date], UNTIL)).toEqual(kinds.map(kind => ({ kind, date, was })))
  })

  it('is that a date which is no longer there is cancelled', () => {
    expect(changesBetween([known], [], UNTIL)).toEqual([
      { kind: 'canceled', date: withStatus('gone'), was: known },
    ])
  })

  it('is which dates are new and take place soon, but not to those who were told of none', () => {
    const added = { ...known, id: 8 }
    expect(changesBetween([known], [known, added], UNTIL)).toEqual([
      { kind: 'added', date: added, was: added },
    ])
    expect(changesBetween([known], [known, { ...added, status: 'canceled' }], UNTIL)).toEqual([])
    expect(changesBetween([known], [known, added], '2026-12-10 00:00:00')).toEqual([])
    expect(changesBetween([], [added], UNTIL)).toEqual([])
  })
})
