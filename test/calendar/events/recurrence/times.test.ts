import { beforeEach, describe, expect, it } from 'vitest'
import { extendFrom } from '../../../../src/kit/lib/recurrence/pattern.ts'
import { countRows, declareUser, makeEvent, queryValue, send } from '../../../factories.ts'
import { deleteEvents, patch, readListed } from './calendar.ts'

// Occurrences follow the wall clock of the zone. The expected values were computed by hand from the rules of
// the zones.

const as = declareUser('editor')

beforeEach(() => deleteEvents())

/**
 * The case, the zone, start and end of the first date, the rule, and start, start in UTC and end in UTC of
 * all dates.
 */
const CASES = `
eight in the evening stays eight when summer time begins | Europe/Dublin | 2027-03-21 20:00, 2027-03-21 22:00 | WEEKLY;COUNT=2
  2027-03-21 20:00, 2027-03-21 20:00, 2027-03-21 22:00
  2027-03-28 20:00, 2027-03-28 19:00, 2027-03-28 21:00
a start that the clocks skip is an hour later, and so is an end before it | Europe/Dublin | 2027-03-27 01:30, 2027-03-27 02:30 | DAILY;COUNT=3
  2027-03-27 01:30, 2027-03-27 01:30, 2027-03-27 02:30
  2027-03-28 02:30, 2027-03-28 01:30, 2027-03-28 02:30
  2027-03-29 01:30, 2027-03-29 00:30, 2027-03-29 01:30
a start that comes twice is the earlier one | Europe/Dublin | 2027-10-30 01:30, 2027-10-30 02:30 | DAILY;COUNT=2
  2027-10-30 01:30, 2027-10-30 00:30, 2027-10-30 01:30
  2027-10-31 01:30, 2027-10-31 00:30, 2027-10-31 02:30
a midnight that the clocks skip is an hour later | America/Sao_Paulo | 2018-11-03 00:00, 2018-11-03 03:00 | DAILY;COUNT=3
  2018-11-03 00:00, 2018-11-03 03:00, 2018-11-03 06:00
  2018-11-04 01:00, 2018-11-04 03:00, 2018-11-04 05:00
  2018-11-05 00:00, 2018-11-05 02:00, 2018-11-05 05:00
a change of half an hour | Australia/Lord_Howe | 2027-04-03 10:00, 2027-04-03 11:00 | DAILY;COUNT=2
  2027-04-03 10:00, 2027-04-02 23:00, 2027-04-03 00:00
  2027-04-04 10:00, 2027-04-03 23:30, 2027-04-04 00:30
a night in which the clocks change ends at its hour | Europe/Rome | 2027-03-20 22:00, 2027-03-21 04:00 | WEEKLY;COUNT=2
  2027-03-20 22:00, 2027-03-20 21:00, 2027-03-21 03:00
  2027-03-27 22:00, 2027-03-27 21:00, 2027-03-28 02:00
a date keeps its duration, though its end comes before its start by the clock | Europe/Berlin | 2027-03-21 02:30, 2027-03-21 03:10 | WEEKLY;COUNT=2
  2027-03-21 02:30, 2027-03-21 01:30, 2027-03-21 02:10
  2027-03-28 03:30, 2027-03-28 01:30, 2027-03-28 02:10
whole days stay whole days | Europe/Rome | 2027-03-27, 2027-03-27 | DAILY;COUNT=2
  2027-03-27 00:00, 2027-03-26 23:00, 2027-03-27 22:59:59
  2027-03-28 00:00, 2027-03-27 23:00, 2027-03-28 21:59:59`
  .split(/\n(?=\S)/)
  .slice(1)
  .map(row => row.split(/ \| |\n {2}/))

const timesIn = (row: string) => row.split(', ').map(time => time.padEnd(19, ':00'))

it.each(CASES)('%s (%s)', async (_, timezone, first = '', rule, ...dates) => {
  const [start_date, end_date] = first.split(', ')
  const all_day = start_date === end_date
  await makeEvent(as, { start_date, end_date, all_day, timezone, recurrence: `FREQ=${rule}` })
  const events = await readListed()
  expect(events.map(event => [event.start_date, event.utc_start_date, event.utc_end_date])).toEqual(
    dates.map(timesIn),
  )
})

it('an occurrence keeps the date of the rule and the abbreviation of its zone when its start is skipped', async () => {
  const times = { start_date: '2027-03-27 01:30', end_date: '2027-03-27 02:30', timezone: 'Europe/Dublin' }
  await makeEvent(as, { ...times, recurrence: 'FREQ=DAILY;COUNT=2' })
  const [before, skipped] = await readListed()
  expect(skipped).toMatchObject({
    series: { occurrence_date: '2027-03-28 01:30:00' },
    slug: 'event-2027-03-28',
  })
  expect([before?.timezone_abbr, skipped?.timezone_abbr]).toEqual(['GMT', 'IST'])
})

// Single events, and dates that are named.

const SKIPPED = { start_date: '2027-03-28 02:30', end_date: '2027-03-28 03:10', timezone: 'Europe/Berlin' }

it.each([
  ['a new event', SKIPPED],
  ['written otherwise', { ...SKIPPED, start_date: '28 March 2027 2:30 am' }],
  ['with both times skipped', { ...SKIPPED, start_date: '2027-03-28 02:10', end_date: '2027-03-28 02:50' }],
])('%s keeps its duration if clocks skip its start', async (_, times) => {
  const { utc_start_date, utc_end_date } = await makeEvent(as, times)
  expect(Date.parse(`${utc_end_date}Z`) - Date.parse(`${utc_start_date}Z`)).toBe(40 * 60_000)
})

it('an event that moves to the skipped hour keeps its duration, and its end as it was sent back', async () => {
  const { id } = await makeEvent(as, { ...SKIPPED, start_date: '2027-03-28 01:30' })
  expect((await patch(as, id, { start_date: '2027-03-28 02:30' })).body).toMatchObject({
    start_date: '2027-03-28 03:30:00',
    end_date: '2027-03-28 04:10:00',
  })
  expect((await patch(as, id, { title: 'X', end_date: '2027-03-28 04:10:00' })).body.end_date).toBe(
    '2027-03-28 04:10:00',
  )
})

it('additional and excluded dates are compared as instants', async () => {
  const recurrence = {
    rrule: 'FREQ=WEEKLY;COUNT=3',
    rdate: ['2027-03-28 03:30:00', '2027-03-30 03:30:00'],
    exdate: [],
  }
  const times = { start_date: '2027-03-21 02:30', end_date: '2027-03-21 03:10', timezone: 'Europe/Berlin' }
  const { id } = await makeEvent(as, { ...times, recurrence })
  const starts = async () => (await readListed()).map(({ start_date }) => start_date.slice(5, 16))
  expect(await starts()).toEqual(['03-21 02:30', '03-28 03:30', '03-30 03:30', '04-04 02:30'])
  await patch(as, id, { recurrence: { ...recurrence, rdate: [], exdate: ['2027-03-28 03:30:00'] } })
  expect(await starts()).toEqual(['03-21 02:30', '04-04 02:30'])
})

it('another zone keeps the hours of all', async () => {
  await makeEvent(as, {
    start_date: '2027-03-21 20:00:00',
    end_date: '2027-03-21 22:00:00',
    timezone: 'Europe/Rome',
    recurrence: 'FREQ=WEEKLY;COUNT=2',
  })
  const [first] = await readListed()
  expect((await patch(as, first?.id, { timezone: 'America/New_York', scope: 'all' })).status).toBe(200)
  expect((await readListed()).map(({ start_date, utc_start_date }) => [start_date, utc_start_date])).toEqual([
    ['2027-03-21 20:00:00', '2027-03-22 00:00:00'],
    ['2027-03-28 20:00:00', '2027-03-29 00:00:00'],
  ])
})

// Dates of a series that a change moves to the same time: the end of the calendar, or the beginning of a day.

const DAILY = {
  start_date: '2027-01-05 20:00:00',
  end_date: '2027-01-05 21:00:00',
  recurrence: 'FREQ=DAILY;COUNT=5',
}

const END = { start_date: '9999-12-31 23:59:59', end_date: '9999-12-31 23:59:59' }
const BEGINNING = { start_date: '0001-01-01 00:00:00', end_date: '0001-01-01 00:00:00' }

describe('a series of which some dates would leave the calendar', () => {
  it.each([
    ['first', 0, 'all', END, {}],
    ['second', 1, 'following', END, {}],
    ['first', 0, 'all', END, { all_day: true }],
    ['first', 0, 'all', END, { timezone: 'America/New_York' }],
    ['last', 4, 'all', BEGINNING, {}],
    ['first', 0, 'all', END, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } }],
  ])('stays as it is: %s, %i, %s, %j, %j', async (_, index, scope, times, fields) => {
    const { id } = await makeEvent(as, { ...DAILY, status: 'draft' })
    const before = await queryValue('SELECT group_concat(occurrence_date) FROM events')
    const { status, body } = await patch(as, id + index, { scope, ...times, ...fields })
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['start_date']])
    expect(await queryValue('SELECT group_concat(occurrence_date) FROM events')).toBe(before)
  })

  it('may begin in the last second if it has one date', async () => {
    const { id } = await makeEvent(as, { ...DAILY, recurrence: 'FREQ=DAILY;COUNT=1', status: 'draft' })
    expect((await patch(as, id, { scope: 'all', ...END })).status).toBe(200)
    expect(await queryValue('SELECT start_date FROM events')).toBe(END.start_date)
  })

  it('may have a rule that continues after the last day', async () => {
    const recurrence = { rrule: 'FREQ=DAILY', rdate: ['9999-12-31 23:59:59'] }
    expect((await send('POST', '/events', { as, json: { title: 'End', ...END, recurrence } })).status).toBe(
      201,
    )
  })
})

it('whole days keep a date, though another one of its day was left out', async () => {
  const { id } = await makeEvent(as, {
    title: 'Market',
    start_date: '2027-12-01 18:00',
    end_date: '2027-12-01 19:00',
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3', rdate: ['2027-12-08 09:00:00'] },
  })
  const extra = await queryValue("SELECT id FROM events WHERE start_date = '2027-12-08 09:00:00'")
  expect((await send('DELETE', `/events/${extra}`, { as })).status).toBe(200)
  const kept = await queryValue("SELECT group_concat(id) FROM events WHERE status <> 'trash'")
  expect((await patch(as, id, { all_day: true, scope: 'all' })).status).toBe(200)
  expect(await queryValue("SELECT group_concat(id) FROM events WHERE status <> 'trash'")).toBe(kept)
  expect(await queryValue("SELECT group_concat(start_date) FROM events WHERE status <> 'trash'")).toBe(
    '2027-12-01 00:00:00,2027-12-08 00:00:00,2027-12-15 00:00:00',
  )
})

describe('hundreds of dates of one day', () => {
  const time = (i: number, hour: number) =>
    `2027-06-10 ${String(hour + Math.floor(i / 100)).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}:${String(Math.floor((i % 100) / 60)).padStart(2, '0')}`
  const rdate = (hour: number) => Array.from({ length: 990 }, (_, i) => time(i, hour))

  it('become one whole day, and the others go to the trash, even if many are there already', async () => {
    const { id } = await makeEvent(as, { ...DAILY, recurrence: { rdate: rdate(0) }, status: 'draft' })
    for (const hour of [11, 2, 12, 4]) {
      expect((await patch(as, id, { recurrence: { rdate: rdate(hour) } })).status).toBe(200)
    }
    expect(await countRows("events WHERE status = 'trash'")).toBeGreaterThan(1500)
    const { status, text } = await patch(as, id, { all_day: true, scope: 'all' })
    expect(status, text).toBe(200)
    expect(await queryValue("SELECT group_concat(occurrence_date) FROM events WHERE status <> 'trash'")).toBe(
      '2027-01-05 00:00:00,2027-06-10 00:00:00',
    )
    expect(
      (await patch(as, id, { all_day: false, scope: 'all', start_date: '2027-01-05 09:00:00' })).status,
    ).toBe(200)
    const again = await patch(as, id, { all_day: true, scope: 'all' })
    expect(again.status, again.text).toBe(200)
    expect(await countRows("events WHERE status <> 'trash'")).toBe(2)
  })
})

it.each([
  [
    'that the start counts for though the rule does not give it',
    'FREQ=YEARLY;INTERVAL=26;BYMONTH=1;BYMONTHDAY=1;COUNT=2',
    '2002-01-05',
    null,
  ],
  ['that gives its start', 'FREQ=WEEKLY;COUNT=3', '2027-01-05', null],
  ['that has its last date much later', 'FREQ=YEARLY;INTERVAL=26;COUNT=3', '2002-01-05', '2052'],
])('a rule with a COUNT %s is over with its last date', (_, rrule, day, next) => {
  const pattern = {
    rrule,
    rdate: [],
    exdate: [],
    start_date: `${day} 20:00:00`,
    end_date: `${day} 21:00:00`,
    timezone: 'UTC',
    all_day: false,
  }
  const goesOn = extendFrom(pattern, '2029-01-01 00:00:00')
  if (next === null) expect(goesOn).toBeNull()
  else expect(goesOn && goesOn < next).toBe(true)
})
