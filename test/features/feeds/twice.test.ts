import { beforeAll, describe, expect, it } from 'vitest'
import { readIcs } from '../../../src/readers/ics/file.ts'
import { icsItems } from '../../../src/readers/ics/items.ts'
import { makeDatabaseAnew, makeUser, send } from '../../factories.ts'

// On 31 October 2027, clocks in Berlin show the hour from two to three twice.

const EVENTS = [
  ['in the first hour', '2027-10-31T02:15:00+02:00', '2027-10-31T02:45:00+02:00'],
  ['in the second hour', '2027-10-31T02:15:00+01:00', '2027-10-31T02:45:00+01:00'],
  ['from one to the other', '2027-10-31T02:30:00+02:00', '2027-10-31T02:30:00+01:00'],
  ['from the evening on', '2027-10-30T22:00:00+02:00', '2027-10-31T02:30:00+01:00'],
  ['into the morning', '2027-10-31T02:30:00+01:00', '2027-10-31T06:00:00+01:00'],
  ['the day after', '2027-11-01T02:30:00+01:00', '2027-11-01T03:30:00+01:00'],
] as const

const utc = (time: string): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ')

describe.each(EVENTS)('an event %s', (title, start_date, end_date) => {
  let as: string
  let id: number
  const times = { utc_start_date: utc(start_date), utc_end_date: utc(end_date) }

  beforeAll(async () => {
    await makeDatabaseAnew()
    as = await makeUser('ada', 'administrator')
    const { body } = await send('POST', '/events', {
      as,
      json: { title, start_date, end_date, timezone: 'Europe/Berlin' },
    })
    id = body.id
    expect(body).toMatchObject(times)
  })

  it('keeps its moments in a calendar, and its zone in one that we read', async () => {
    const { text } = await send('GET', `/events/${id}.ics`)
    const context = { timezone: 'Europe/Berlin', nowMs: Date.now(), note: () => {}, previous: undefined }
    const window = { from: '2027-01-01 00:00:00', to: '2028-01-01 00:00:00' }
    const items = await Array.fromAsync(
      icsItems(readIcs(new TextEncoder().encode(text)), 's', window, context),
    )
    expect(items).toContainEqual({
      type: 'record',
      record: expect.objectContaining({
        timezone: 'Europe/Berlin',
        start: expect.objectContaining({ utc: times.utc_start_date }),
        end: expect.objectContaining({ utc: times.utc_end_date }),
      }),
    })
  })

  it('is copied to the same moments, and to another day with its length', async () => {
    const same = await send('POST', `/events/${id}/duplicate`, { as, json: {} })
    expect([same.status, same.body]).toMatchObject([201, times])
    const moved = await send('POST', `/events/${id}/duplicate`, {
      as,
      json: { start_date: '2027-06-10 12:00:00' },
    })
    const length = ({ utc_start_date, utc_end_date }: Record<string, unknown>) =>
      Date.parse(`${utc_end_date}Z`) - Date.parse(`${utc_start_date}Z`)
    expect([moved.status, length(moved.body)]).toEqual([201, length(times)])
  })

  it('has its offset in a spreadsheet where its time alone says too little', async () => {
    const { text } = await send('GET', '/events.csv?start_date=2027-10-01')
    const isTwice = (time: string) => time.startsWith('2027-10-31T02')
    expect([text.includes(start_date.slice(11)), text.includes(end_date.slice(11))]).toEqual([
      isTwice(start_date),
      isTwice(end_date),
    ])
  })
})

it('the midnight at the end of a day is that of the next one', async () => {
  const as = await makeUser('bob', 'administrator')
  const json = { title: 'Late', start_date: '2027-06-10 20:00:00', end_date: '2027-06-10 24:00:00' }
  expect((await send('POST', '/events', { as, json })).body).toMatchObject({
    end_date: '2027-06-11 00:00:00',
  })
  expect(
    (await send('POST', '/events', { as, json: { ...json, end_date: '2027-06-10 24:01:00' } })).status,
  ).toBe(400)
})

it('a place with coordinates has the property by which Apple’s programs show a map', async () => {
  const as = await makeUser('cat', 'administrator')
  const venue = { venue: 'Mill', address: '1 Mill Lane', city: 'Kilkenny', geo_lat: 52.65, geo_lng: -7.25 }
  const { body } = await send('POST', '/events', {
    as,
    json: { title: 'Tea', start_date: '2027-06-10 20:00:00', end_date: '2027-06-10 21:00:00', venue },
  })
  const { text } = await send('GET', `/events/${body.id}.ics`)
  expect(text.replaceAll('\r\n ', '')).toContain(
    'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="Mill, 1 Mill Lane, Kilkenny";X-APPLE-RADIUS=100;X-TITLE=Mill:geo:52.65,-7.25\r\n',
  )
})
