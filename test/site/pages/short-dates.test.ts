import { beforeAll, expect, it } from 'vitest'
import { declareUser, makeEvent, makeVenue, send } from '../../factories.ts'
import { eventMakerFor, page } from './page.ts'

// Today is Friday, 20 November 2026.

const admin = declareUser('administrator', 'admin')
const addEvent = eventMakerFor(admin)
let hall: number
let talk: string

beforeAll(async () => {
  hall = (await makeVenue(admin, 'Hall')).id
  const shared = { venue: hall, all_day: true }
  await addEvent('Short show', '2026-11-01', '2026-12-05', shared)
  await addEvent('Long show', '2026-11-01', '2027-12-05', shared)
  await addEvent('Festival', '2027-05-01', '2028-04-02', shared)
  await addEvent('Far concert', '2028-03-10 20:00', '2028-03-10 22:00', { venue: hall })
  talk = (await addEvent('Talk', '2026-12-14 20:00', '2026-12-14 22:00', { venue: hall })).slug
  const { id } = await makeEvent(admin, {
    title: 'Ball',
    start_date: '2026-12-15 20:00',
    end_date: '2026-12-15 22:00',
    venue: hall,
  })
  const moved = { start_date: '2027-12-14 20:00', end_date: '2027-12-14 22:00', event_status: 'rescheduled' }
  await send('PATCH', `/events/${id}`, { as: admin, json: moved })
})

it('the last day of what runs has its year if that is more than twelve months away', async () => {
  for (const path of ['/events/', '/venue/hall/', '/embed/frame']) {
    const { text } = await page(path)
    expect(text, path).toMatch(/until Sat, Dec 5\b(?!,)/)
    expect(text, path).toContain('until Sun, Dec 5, 2027')
  }
  for (const path of ['/events/today/', '/events/week/', '/events/month/']) {
    const { text } = await page(path)
    expect(text, path).toContain('until Sun, Dec 5, 2027')
  }
})

it('below the heading of its first day, it has its year if that is more than twelve months later', async () => {
  expect((await page('/events/2027-05-01/')).text).toContain('until Sun, Apr 2')
  expect((await page('/events/2027-05-01/')).text).not.toContain('2028')
})

it('cards and notes of moved events have the year of a day that is far away', async () => {
  const { text } = await page(`/event/${talk}/`)
  expect(text).toContain('Fri, Mar 10, 2028, 8:00 PM')
  expect((await page('/events/')).text).toContain('was Tue, Dec 15, 2026, 8:00 PM')
})
