import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { beginAtNoon } from '../../../clock.ts'
import { type Calendar, openCalendar } from '../../../node-calendar.ts'
import { makeReceiver, type Receiver, respondWithStatus } from '../../../receiver.ts'

// Switched off, webhooks send nothing, and forget what they would have sent.

let calendar: Calendar
let receiver: Receiver

beginAtNoon()
beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  calendar = await openCalendar()
  await calendar.setUp()
  receiver = await makeReceiver()
  const { secret } = await calendar.must('POST', '/webhooks', {
    url: receiver.url,
    events: ['event.created', 'event.updated', 'event.deleted'],
  })
  receiver.secret = secret
})

afterEach(async () => {
  expect(receiver.bad).toEqual([])
  await calendar.stop()
  await receiver.close()
})

const off = { FEATURES: 'none' }
const WHEN = { start_date: '2027-01-10 20:00:00', end_date: '2027-01-10 22:00:00' }
const makeEvent = (title: string) => calendar.must('POST', '/events', { title, ...WHEN })
const nextMinute = () => vi.setSystemTime(Date.now() + 60_000)

it('webhooks begin with what there is when they are switched on again', async () => {
  const { id: before } = await makeEvent('Before')
  await calendar.tick()
  expect(receiver.take()).toContain(`event.created ${before}`)
  await calendar.tick(off)
  const { id: during } = await makeEvent('During')
  await calendar.must('PATCH', `/events/${before}`, { cost: '5' })
  nextMinute()
  await calendar.tick(off)
  // A write comes before the first run of the cron.
  const { id: early } = await makeEvent('Early')
  await calendar.sendAndFinish('PATCH', `/events/${early}`, { cost: '5' })
  await calendar.tick()
  nextMinute()
  await calendar.tick()
  expect(receiver.take()).toEqual([])
  await calendar.must('DELETE', `/events/${during}`)
  await calendar.must('PATCH', `/events/${before}`, { cost: '6' })
  nextMinute()
  await calendar.tick()
  expect(receiver.received.map(({ data }) => data.changed)).toEqual(expect.arrayContaining([['cost']]))
  expect(receiver.take().sort()).toEqual([`event.deleted ${during}`, `event.updated ${before}`])
})

it('webhooks that were off don’t send what waited for another try', async () => {
  receiver.respond = respondWithStatus(500)
  const { id } = await makeEvent('Refused')
  await calendar.tick()
  expect(receiver.take()).toEqual([`event.created ${id}`])
  await calendar.tick(off)
  receiver.respond = respondWithStatus(204)
  vi.setSystemTime(Date.now() + 3_600_000)
  for (const _ of [1, 2]) await calendar.tick()
  expect(receiver.take()).toEqual([])
  expect(await calendar.rows('SELECT state FROM webhook_deliveries')).toEqual([{ state: 'failed' }])
})

it('webhooks that are off forget old messages as ever', async () => {
  await makeEvent('Old')
  await calendar.tick()
  vi.setSystemTime('2027-01-02T12:07:00Z')
  await calendar.tick(off)
  expect(await calendar.rows('SELECT * FROM webhook_deliveries')).toEqual([])
})
