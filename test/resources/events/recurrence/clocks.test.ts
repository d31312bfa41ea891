import { beforeEach, expect, it } from 'vitest'
import { makeEvent, user } from '../../../factories.ts'
import { deleteEvents, listed, patch } from './calendar.ts'

// Occurrences follow the wall clock of the zone. The expected values were computed by hand from the rules of the zones.

const as = user('editor')

beforeEach(() => deleteEvents())

/** The case, the zone, start and end of the first date, the rule, and start, start in UTC and end in UTC of all dates. */
const CASES = `
eight in the evening stays eight when summer time begins | Europe/Dublin | 2027-03-21 20:00, 2027-03-21 22:00 | WEEKLY;COUNT=2
  2027-03-21 20:00, 2027-03-21 20:00, 2027-03-21 22:00
  2027-03-28 20:00, 2027-03-28 19:00, 2027-03-28 21:00
a start that the clocks skip is an hour later | Europe/Dublin | 2027-03-27 01:30, 2027-03-27 02:30 | DAILY;COUNT=3
  2027-03-27 01:30, 2027-03-27 01:30, 2027-03-27 02:30
  2027-03-28 02:30, 2027-03-28 01:30, 2027-03-28 01:30
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
every hour across a change of half an hour | Australia/Lord_Howe | 2027-10-03 01:30, 2027-10-03 01:40 | MINUTELY;INTERVAL=60;COUNT=3
  2027-10-03 01:30, 2027-10-02 15:00, 2027-10-02 15:10
  2027-10-03 02:30, 2027-10-02 15:30, 2027-10-02 15:40
  2027-10-03 03:30, 2027-10-02 16:30, 2027-10-02 16:40
a night in which the clocks change ends at its hour | Europe/Rome | 2027-03-20 22:00, 2027-03-21 04:00 | WEEKLY;COUNT=2
  2027-03-20 22:00, 2027-03-20 21:00, 2027-03-21 03:00
  2027-03-27 22:00, 2027-03-27 21:00, 2027-03-28 02:00
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
  const events = await listed()
  expect(events.map(event => [event.start_date, event.utc_start_date, event.utc_end_date])).toEqual(
    dates.map(timesIn),
  )
})

it('an occurrence keeps the date of the rule and the abbreviation of its zone when its start is skipped', async () => {
  const times = { start_date: '2027-03-27 01:30', end_date: '2027-03-27 02:30', timezone: 'Europe/Dublin' }
  await makeEvent(as, { ...times, recurrence: 'FREQ=DAILY;COUNT=2' })
  const [before, skipped] = await listed()
  expect(skipped).toMatchObject({
    series: { occurrence_date: '2027-03-28 01:30:00' },
    slug: 'event-2027-03-28',
  })
  expect([before?.timezone_abbr, skipped?.timezone_abbr]).toEqual(['GMT', 'IST'])
})

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
