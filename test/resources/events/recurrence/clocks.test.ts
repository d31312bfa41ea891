import { beforeEach, expect, it } from 'vitest'
import { makeEvent, user } from '../../../factories.ts'
import { deleteEvents, listed, patch } from './calendar.ts'

// Occurrences follow the wall clock of the zone. The expected values were computed by hand from the rules of the zones.

const as = user('editor')

beforeEach(() => deleteEvents())

type Times = [start: string, utc: string, endUtc: string, abbreviation?: string]

async function expectTimes(fields: object, expected: Times[]): Promise<void> {
  await makeEvent(as, fields)
  const events = await listed()
  expect(
    events.map(event => [event.start_date, event.utc_start_date, event.utc_end_date, event.timezone_abbr]),
  ).toEqual(expected.map(times => [...times, ...(times.length === 4 ? [] : [expect.any(String)])]))
}

it('eight in the evening in Dublin stays eight when summer time begins', () =>
  expectTimes(
    {
      start_date: '2027-03-21 20:00:00',
      end_date: '2027-03-21 22:00:00',
      timezone: 'Europe/Dublin',
      recurrence: 'FREQ=WEEKLY;COUNT=2',
    },
    [
      ['2027-03-21 20:00:00', '2027-03-21 20:00:00', '2027-03-21 22:00:00'],
      ['2027-03-28 20:00:00', '2027-03-28 19:00:00', '2027-03-28 21:00:00'],
    ],
  ))

it('a start that Dublin skips is an hour later, and the occurrence keeps the date of the rule', async () => {
  await expectTimes(
    {
      start_date: '2027-03-27 01:30:00',
      end_date: '2027-03-27 02:30:00',
      timezone: 'Europe/Dublin',
      recurrence: 'FREQ=DAILY;COUNT=3',
    },
    [
      ['2027-03-27 01:30:00', '2027-03-27 01:30:00', '2027-03-27 02:30:00'],
      ['2027-03-28 02:30:00', '2027-03-28 01:30:00', '2027-03-28 01:30:00'],
      ['2027-03-29 01:30:00', '2027-03-29 00:30:00', '2027-03-29 01:30:00'],
    ],
  )
  const [, skipped] = await listed()
  expect(skipped?.series.occurrence_date).toBe('2027-03-28 01:30:00')
  expect(skipped?.slug).toBe('event-2027-03-28')
})

it('a start that Dublin has twice is the earlier one', () =>
  expectTimes(
    {
      start_date: '2027-10-30 01:30:00',
      end_date: '2027-10-30 02:30:00',
      timezone: 'Europe/Dublin',
      recurrence: 'FREQ=DAILY;COUNT=2',
    },
    [
      ['2027-10-30 01:30:00', '2027-10-30 00:30:00', '2027-10-30 01:30:00'],
      ['2027-10-31 01:30:00', '2027-10-31 00:30:00', '2027-10-31 02:30:00'],
    ],
  ))

it('a midnight that São Paulo skipped is an hour later', () =>
  expectTimes(
    {
      start_date: '2018-11-03 00:00:00',
      end_date: '2018-11-03 03:00:00',
      timezone: 'America/Sao_Paulo',
      recurrence: 'FREQ=DAILY;COUNT=3',
    },
    [
      ['2018-11-03 00:00:00', '2018-11-03 03:00:00', '2018-11-03 06:00:00'],
      ['2018-11-04 01:00:00', '2018-11-04 03:00:00', '2018-11-04 05:00:00'],
      ['2018-11-05 00:00:00', '2018-11-05 02:00:00', '2018-11-05 05:00:00'],
    ],
  ))

it('the half hour of Lord Howe is half an hour', () =>
  expectTimes(
    {
      start_date: '2027-04-03 10:00:00',
      end_date: '2027-04-03 11:00:00',
      timezone: 'Australia/Lord_Howe',
      recurrence: 'FREQ=DAILY;COUNT=2',
    },
    [
      ['2027-04-03 10:00:00', '2027-04-02 23:00:00', '2027-04-03 00:00:00'],
      ['2027-04-04 10:00:00', '2027-04-03 23:30:00', '2027-04-04 00:30:00'],
    ],
  ))

it('every half hour goes over what Lord Howe skips', () =>
  expectTimes(
    {
      start_date: '2027-10-03 01:30:00',
      end_date: '2027-10-03 01:40:00',
      timezone: 'Australia/Lord_Howe',
      recurrence: 'FREQ=MINUTELY;INTERVAL=60;COUNT=3',
    },
    [
      ['2027-10-03 01:30:00', '2027-10-02 15:00:00', '2027-10-02 15:10:00'],
      ['2027-10-03 02:30:00', '2027-10-02 15:30:00', '2027-10-02 15:40:00'],
      ['2027-10-03 03:30:00', '2027-10-02 16:30:00', '2027-10-02 16:40:00'],
    ],
  ))

it('a night in which the clocks change ends at its hour', () =>
  expectTimes(
    {
      start_date: '2027-03-20 22:00:00',
      end_date: '2027-03-21 04:00:00',
      timezone: 'Europe/Rome',
      recurrence: 'FREQ=WEEKLY;COUNT=2',
    },
    [
      ['2027-03-20 22:00:00', '2027-03-20 21:00:00', '2027-03-21 03:00:00', 'CET'],
      ['2027-03-27 22:00:00', '2027-03-27 21:00:00', '2027-03-28 02:00:00', 'CET'],
    ],
  ))

it('whole days are whole days through the change', () =>
  expectTimes(
    {
      start_date: '2027-03-27',
      end_date: '2027-03-27',
      all_day: true,
      timezone: 'Europe/Rome',
      recurrence: 'FREQ=DAILY;COUNT=2',
    },
    [
      ['2027-03-27 00:00:00', '2027-03-26 23:00:00', '2027-03-27 22:59:59', 'CET'],
      ['2027-03-28 00:00:00', '2027-03-27 23:00:00', '2027-03-28 21:59:59', 'CET'],
    ],
  ))

it('another zone keeps the hours of all', async () => {
  await makeEvent(as, {
    start_date: '2027-03-21 20:00:00',
    end_date: '2027-03-21 22:00:00',
    timezone: 'Europe/Rome',
    recurrence: 'FREQ=WEEKLY;COUNT=2',
  })
  const [first] = await listed()
  expect((await patch(as, first?.id, { timezone: 'America/New_York', scope: 'all' })).status).toBe(200)
  expect((await listed()).map(({ start_date, utc_start_date }) => [start_date, utc_start_date])).toEqual([
    ['2027-03-21 20:00:00', '2027-03-22 00:00:00'],
    ['2027-03-28 20:00:00', '2027-03-29 00:00:00'],
  ])
})
