import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import type { BaseContext } from '../../../../src/kit/context.ts'
import { Database } from '../../../../src/kit/db/database.ts'
import { clockAt } from '../../../../src/kit/lib/clock.ts'
import type { Caller } from '../../../../src/kit/lib/roles.ts'
import { addDays, formatInstant } from '../../../../src/kit/lib/time.ts'
import { settingsOf } from '../../../../src/kit/settings.ts'
import {
  API,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeSource,
  makeUser,
  makeVenue,
  SITE,
  send,
} from '../../../factories.ts'

// A calendar with all difficult cases of lists: long events, scheduled and hidden ones, links that come and
// go.

export const CALENDAR = { events: 150, venues: 4, organizers: 2, sources: 2 }

/** The context with which tests read lists. */
export const contextFor = (caller: Caller, timezone = 'UTC'): BaseContext => ({
  db: new Database(env.DB),
  caller,
  requestId: '',
  clock: clockAt('2026-11-20 13:30:00'),
  settings: settingsOf({ TIMEZONE: timezone }),
  site: SITE,
  host: new URL(SITE).host,
  api: API,
})

/** Wall times around the day on which tests live, on edges of days and within them. */
export const moments = fc
  .integer({ min: -400, max: 800 })
  .chain(days =>
    fc
      .constantFrom('00:00:00', '00:00:01', '10:00:00', '12:34:56', '23:59:59')
      .map(time => `${addDays('2026-11-20 00:00:00', days).slice(0, 10)} ${time}`),
  )

const lengths = fc.constantFrom(
  0,
  1,
  3_600,
  50_000,
  86_399,
  86_400,
  200_000,
  700_000,
  3_000_000,
  40_000_000,
  90_000_000,
)

const events = fc.record({
  start_date: fc.oneof(moments, fc.constantFrom('2026-12-24 00:00:00', '2026-12-25 00:00:00')),
  seconds: lengths,
  status: fc.constantFrom('publish', 'publish', 'publish', 'publish', 'draft', 'private'),
  date: fc.option(fc.constantFrom('2026-11-20 11:00:00', '2026-11-20 13:00:00', '2027-05-01 00:00:00'), {
    nil: undefined,
  }),
  hide_from_listings: fc.constantFrom(false, false, false, true),
  featured: fc.constantFrom(false, false, true),
  ticketed: fc.constantFrom(false, false, true),
  ticket_availability: fc.constantFrom('', 'available', 'few'),
  wheelchair: fc.constantFrom('', '', '', 'yes', 'no'),
  event_status: fc.constantFrom('scheduled', 'scheduled', 'canceled', 'postponed', 'rescheduled'),
  is_virtual: fc.constantFrom(false, false, true),
  cost: fc.constantFrom('', '5', '0', 'Free'),
  post_parent: fc.constantFrom(0, 0, 1),
  categories: fc.subarray(['Root', 'Branch', 'Leaf', 'Other']),
  tags: fc.subarray(['one', 'two']),
  venue: fc.subarray([1, 2, 3, 4], { maxLength: 2 }),
  organizer: fc.subarray([1, 2]),
  custom_fields: fc.constantFrom(
    {},
    { age: { label: 'Age', value: '6' } },
    { age: { label: 'Age', value: '6' }, doors: { label: 'Doors', value: 'Yes' } },
  ),
  title: fc.constantFrom('Jazz concert', 'A lecture', 'Concert for two', 'Nothing special'),
  author: fc.constantFrom(1, 2),
})

/** Fills an empty database through the API, with a past: moves, hides, shows and deletes. */
export async function fillCalendar(): Promise<void> {
  const as = await makeUser('admin', 'administrator')
  await makeUser('author', 'author')
  await makeVenue(as, 'Here', { geo_lat: 53.1, geo_lng: -9, wheelchair: 'limited' })
  await makeVenue(as, 'Near', { geo_lat: 53.11, geo_lng: -9.01, wheelchair: 'yes' })
  await makeVenue(as, 'Hidden', { geo_lat: 53.1, geo_lng: -9, status: 'private', wheelchair: 'limited' })
  await makeVenue(as, 'Nowhere')
  for (const organizer of ['This', 'That']) await makeOrganizer(as, organizer)
  const root = await makeCategory(as, 'Root')
  const branch = await makeCategory(as, 'Branch', { parent: root.id })
  await makeCategory(as, 'Leaf', { parent: branch.id })
  const batch = async (requests: object[]) => {
    for (let i = 0; i < requests.length; i += 100)
      await send('POST', '/batch', { as, json: { requests: requests.slice(i, i + 100) } })
  }
  const sample = fc.sample(events, { seed: 7, numRuns: CALENDAR.events })
  await batch(
    sample.map(({ seconds, post_parent, ...event }, n) => {
      const start = Date.parse(`${event.start_date.replace(' ', 'T')}Z`)
      const end_date = formatInstant(start + seconds * 1000)
      return { path: '/events', body: { ...event, ...(n > 0 && { post_parent }), end_date } }
    }),
  )
  const requests: object[] = []
  /** Changes every so many events. */
  const change = (from: number, step: number, body: (id: number) => object) => {
    for (let id = from; id < CALENDAR.events; id += step)
      requests.push({ method: 'PATCH', path: `/events/${id}`, body: body(id) })
  }
  change(3, 7, () => ({ start_date: '2026-12-24 08:00:00', end_date: '2026-12-26 23:59:59' }))
  change(4, 11, () => ({ status: 'draft', categories: ['Leaf'] }))
  change(4, 22, () => ({ status: 'publish', tags: ['one'] }))
  change(6, 9, () => ({ featured: true, post_parent: 2 }))
  change(7, 10, id => ({
    event_status: id % 4 === 0 ? 'canceled' : 'scheduled',
    is_virtual: id % 3 === 0,
    cost: id % 2 === 0 ? '0' : '7',
  }))
  await batch(requests)
  await makeSeries(as)
  const every = (count: number) => Array.from({ length: CALENDAR.events / count }, (_, n) => count * (n + 1))
  await makeSource('Theatre', { events: every(3), series: [1] })
  await makeSource('Club', { events: every(5), series: [2] })
  const gone = Array.from({ length: CALENDAR.events / 13 }, (_, n) => 5 + 13 * n)
  await batch([
    ...gone.map(id => ({ method: 'DELETE', path: `/events/${id}?force=${id % 2}` })),
    { method: 'PATCH', path: `/categories/${branch.id}`, body: { parent: 0 } },
    { method: 'PATCH', path: '/venues/1', body: { wheelchair: 'no' } },
    { method: 'PATCH', path: '/venues/4', body: { wheelchair: 'limited' } },
  ])
}

/** Series whose occurrences are moved, hidden, deleted and found by other words than their series. */
async function makeSeries(as: string): Promise<void> {
  const rules = ['FREQ=WEEKLY;COUNT=20', 'FREQ=DAILY;INTERVAL=9;COUNT=30', 'FREQ=MONTHLY;BYDAY=-1FR']
  const titles = ['Jazz for all', 'A concert a week', 'Lectures']
  for (const [i, rrule] of rules.entries()) {
    const first = await makeEvent(as, {
      title: titles[i],
      description: 'jazz and concert',
      start_date: `2026-1${i}-02 19:00:00`,
      end_date: `2026-1${i}-02 23:30:00`,
      venue: [1 + i],
      categories: ['Leaf'],
      tags: ['one'],
      recurrence: { rrule },
    })
    const { body } = await send('GET', `/events?series=${first.series.id}&start_date=2026-01-01&per_page=50`)
    const [second, third, fourth, fifth, sixth] = body.events.slice(1).map(({ id }: { id: number }) => id)
    const change = (id: number, json: object) => send('PATCH', `/events/${id}`, { as, json })
    await change(second, { title: 'A lecture instead', description: 'nothing' })
    await change(third, { start_date: '2026-12-24 10:00:00', end_date: '2026-12-26 10:00:00' })
    await change(fourth, { hide_from_listings: true, venue: [] })
    await change(fifth, { status: 'draft' })
    await send('DELETE', `/events/${sixth}`, { as })
    if (i === 1) await change(first.id, { description: 'for two', scope: 'all' })
  }
}
