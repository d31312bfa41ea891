import { beforeEach, describe, expect, it } from 'vitest'
import { makeEvent, send, user } from '../../../factories.ts'
import { deleteEvents, patch, value } from './calendar.ts'

// Dates of a series that a change moves to the same time: the end of the calendar, or the beginning of a day.

const as = user('contributor')

beforeEach(() => deleteEvents())

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
    const before = await value('SELECT group_concat(occurrence_date) FROM events')
    const { status, body } = await patch(as, id + index, { scope, ...times, ...fields })
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['start_date']])
    expect(await value('SELECT group_concat(occurrence_date) FROM events')).toBe(before)
  })

  it('may begin in the last second if it has one date', async () => {
    const { id } = await makeEvent(as, { ...DAILY, recurrence: 'FREQ=DAILY;COUNT=1', status: 'draft' })
    expect((await patch(as, id, { scope: 'all', ...END })).status).toBe(200)
    expect(await value('SELECT start_date FROM events')).toBe(END.start_date)
  })

  it('may have a rule that continues after the last day', async () => {
    const recurrence = { rrule: 'FREQ=DAILY', rdate: ['9999-12-31 23:59:59'] }
    expect((await send('POST', '/events', { as, json: { title: 'End', ...END, recurrence } })).status).toBe(
      201,
    )
  })
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
    expect(await value("SELECT count(*) FROM events WHERE status = 'trash'")).toBeGreaterThan(1500)
    const { status, text } = await patch(as, id, { all_day: true, scope: 'all' })
    expect(status, text).toBe(200)
    expect(await value("SELECT group_concat(occurrence_date) FROM events WHERE status <> 'trash'")).toBe(
      '2027-01-05 00:00:00,2027-06-10 00:00:00',
    )
    expect(
      (await patch(as, id, { all_day: false, scope: 'all', start_date: '2027-01-05 09:00:00' })).status,
    ).toBe(200)
    const again = await patch(as, id, { all_day: true, scope: 'all' })
    expect(again.status, again.text).toBe(200)
    expect(await value("SELECT count(*) FROM events WHERE status <> 'trash'")).toBe(2)
  })
})
