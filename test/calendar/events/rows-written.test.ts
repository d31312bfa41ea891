import { beforeAll, expect, it } from 'vitest'
import {
  makeAll,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeUser,
  makeVenue,
  send,
} from '../../factories.ts'
import { measure } from '../../kit/http/metrics.ts'

// Rows that writes of events write, those of indexes included: D1 takes a thousand times as much for one as
// for a row read. They read few, too, in a calendar of some hundred events: what looks for an event's
// listings by all of them reads more.

const EVENTS = 300
const MAX_READ = 225

const fields = {
  title: 'Jazz',
  start_date: '2027-06-01 20:00:00',
  end_date: '2027-06-01 22:00:00',
  venue: 1,
  organizer: 1,
  categories: ['Music'],
  tags: ['open air'],
}

let as: string
beforeAll(async () => {
  as = await makeUser('admin', 'administrator')
  await makeVenue(as, 'Hall')
  await makeOrganizer(as, 'Guild')
  await makeCategory(as, 'Music')
  // Slugs are looked for among those of the same title.
  const numbered = Array.from({ length: 100 }, (_, n) => ({ ...fields, title: `Concert ${n}` }))
  for (let n = 0; n < EVENTS; n += 100) await makeAll(as, 'events', numbered)
})

async function expectFew(
  method: string,
  path: string,
  body: object,
  most: number,
  mostRead = MAX_READ,
): Promise<void> {
  const { status, text, rows, written } = await measure(method, path, { as, json: body })
  expect(status, text).toBeLessThan(300)
  expect(written).toBeGreaterThan(0)
  expect(written).toBeLessThanOrEqual(most)
  expect(rows).toBeLessThanOrEqual(mostRead)
}

it('a new event writes few rows', () => expectFew('POST', '/events', fields, 28))

it('a new event without venue, organizer and terms writes few rows', () => {
  const { title, start_date, end_date } = fields
  return expectFew('POST', '/events', { title, start_date, end_date }, 13)
})

it.each([
  ['another title', { title: 'Blues' }, 8],
  ['another hour', { start_date: '2027-06-01 19:00:00', end_date: '2027-06-01 21:00:00' }, 13],
  ['all of it sent again with another cost', { ...fields, cost: '5' }, 6],
  ['back to draft', { status: 'draft' }, 23],
  ['to the trash', { status: 'trash' }, 24],
])('an update writes few rows: %s', async (_, change, most) => {
  const { id } = await makeEvent(as, fields)
  await expectFew('PATCH', `/events/${id}`, change, most)
})

it('an event that is published writes few rows', async () => {
  const { id } = await makeEvent(as, { ...fields, status: 'draft' })
  await expectFew('PATCH', `/events/${id}`, { status: 'publish' }, 23)
})

it.each([
  ['is found out', '', 'yes'],
  ['changes', 'yes', 'limited'],
  ['is forgotten', 'no', ''],
])('the access of a venue writes few rows when it %s: %j to %j', async (_, before, after) => {
  const dates = 52
  const { id: venue } = await makeVenue(as, `Barn ${crypto.randomUUID()}`, { wheelchair: before })
  await makeEvent(as, { ...fields, venue, recurrence: { rrule: `FREQ=WEEKLY;COUNT=${dates}` } })
  // Two for the change of each date, and some for the venue itself.
  await expectFew('PATCH', `/venues/${venue}`, { wheelchair: after }, 2 * dates + 12, 20 * dates)
  const { body } = await send('GET', `/events?start_date=2027-06-01&venue=${venue}&wheelchair=yes,limited,no`)
  expect(body.total).toBe(after ? dates : 0)
})

it('a weekly series of a year writes few rows for each date', () => {
  const { organizer: _, tags: __, ...more } = fields
  return expectFew(
    'POST',
    '/events',
    { ...more, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=52' } },
    14 * 52,
    80 * 52,
  )
})

it('a hundred events that are published together write few rows each', async () => {
  const drafts = await makeAll(as, 'events', Array(100).fill({ ...fields, status: 'draft' }))
  const requests = drafts.map(({ id }) => ({
    method: 'PATCH',
    path: `/events/${id}`,
    body: { status: 'publish' },
  }))
  const { written } = await measure('POST', '/batch', { as, json: { requests } })
  expect(written).toBeLessThanOrEqual(21 * 100)
  const { body } = await send('GET', '/events?start_date=2027-06-01&end_date=2027-06-02')
  expect(body.total).toBeGreaterThanOrEqual(EVENTS + 100)
})
