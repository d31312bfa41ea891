import { describe, expect, it } from 'vitest'
import { send, user, WHEN } from '../../factories.ts'

const admin = user('administrator', 'admin')

const create = (fields: object, as = admin) =>
  send('POST', '/events', { as, json: { title: 'Event', ...WHEN, ...fields } })
const change = (id: unknown, json: object, as = admin) => send('PATCH', `/events/${id}`, { as, json })
const params = (body: { data?: { params?: object } }) => Object.keys(body.data?.params ?? {}).sort()

describe('dates', () => {
  it.each([
    ['June 10, 2027 4pm', 'America/New_York', '2027-06-10 16:00:00', '2027-06-10 20:00:00'],
    [1_812_628_800, 'UTC', '2027-06-10 12:00:00', '2027-06-10 12:00:00'],
    ['2027-10-31T02:30:00+01:00', 'Europe/Rome', '2027-10-31 02:30:00', '2027-10-31 01:30:00'],
  ])('like %s in %s are understood', async (start_date, timezone, local, utc) => {
    const { body } = await create({ start_date, end_date: '2027-12-01', timezone })
    expect([body.start_date, body.utc_start_date]).toEqual([local, utc])
  })

  it.each([[''], [' '], [[]]])('are of the zone that there is where %j names none', async timezone => {
    const made = await create({ timezone })
    expect([made.status, made.body.timezone]).toEqual([201, 'UTC'])
    const { body } = await create({ timezone: 'Europe/Rome' })
    const { status, headers, body: after } = await change(body.id, { timezone, title: 'New' })
    const { title, timezone: kept, utc_start_date } = after
    expect([status, title, kept, utc_start_date]).toEqual([200, 'New', 'Europe/Rome', body.utc_start_date])
    expect(headers.get('X-Ignored-Fields')).toBe('timezone')
  })

  it('keep local times when only the zone changes, and whole days whole', async () => {
    const { body } = await create({ all_day: true, start_date: '2027-07-01', end_date: '2027-07-02' })
    const { body: moved } = await change(body.id, { timezone: 'Asia/Tokyo' })
    expect(moved).toMatchObject({
      start_date: '2027-07-01 00:00:00',
      utc_start_date: '2027-06-30 15:00:00',
      utc_end_date: '2027-07-02 14:59:59',
      timezone_abbr: 'JST',
    })
  })

  it('may not end before they start, whichever of them an update names', async () => {
    const { body } = await create({})
    expect(params((await change(body.id, { start_date: '2027-02-01' })).body)).toEqual(['start_date'])
    expect(params((await change(body.id, { end_date: '2027-01-01' })).body)).toEqual(['end_date'])
    expect((await change(body.id, { start_date: '2027-02-01', end_date: '2027-02-01' })).status).toBe(200)
  })
})
