import { env } from 'cloudflare:workers'
import { type SQL, sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { Database, first, many } from '../../../src/db/client.ts'
import { entryTo } from '../../../src/events/deep-pages.ts'
import { scan } from '../../../src/events/queries.ts'
import type { EventListParams } from '../../../src/events/schema.ts'
import { searchTotal, walkOf } from '../../../src/events/walks.ts'
import { windowOf } from '../../../src/events/window.ts'
import { pageOf } from '../../../src/http/lists.ts'
import { ANONYMOUS } from '../../../src/lib/roles.ts'
import { addDays, formatInstant } from '../../../src/lib/time.ts'
import { settingsOf } from '../../../src/settings.ts'
import type { View } from '../../../src/view.ts'
import { makeUser, send } from '../../factories.ts'
import { TODAY } from '../../setup.ts'

// Lists have two ways to the same answer: indexes that are ready for what calendars ask all day, and conditions
// on the base table for everything else. On any calendar, for any request, both must say the same.

const db = new Database(env.DB)
const seeded = { seed: 20261120, numRuns: 120 }

const viewIn = (timezone: string): View => ({
  caller: ANONYMOUS,
  requestId: '',
  now: formatInstant(TODAY.getTime()),
  settings: settingsOf({ TIMEZONE: timezone, PER_PAGE: '5' }),
  ifMatch: undefined,
  site: 'https://calendar.example',
  host: 'calendar.example',
  api: 'https://calendar.example/calendar/events/v1',
})

const run = async ({ ids, total }: { ids: SQL; total: SQL }) => {
  const [found, count] = await db.batch([
    many(sql`${ids}`, row => Number(Object.values(row)[0])),
    first(sql`SELECT ${total} AS total`, row => Number(row.total)),
  ])
  return { ids: found, total: count }
}

async function bothWays(values: EventListParams, view: View) {
  const window = windowOf(values, view)
  const page = pageOf(values, view)
  const walk = walkOf(values, window.stretch, page, view)
  return { walked: walk && (await run(walk)), scanned: await run(scan(values, window, page, view)) }
}

const moments = fc
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
  start_date: moments,
  seconds: lengths,
  status: fc.constantFrom('publish', 'publish', 'publish', 'draft', 'private'),
  date: fc.option(fc.constantFrom('2026-11-20 11:00:00', '2026-11-20 13:00:00', '2027-05-01 00:00:00'), {
    nil: undefined,
  }),
  hide_from_listings: fc.constantFrom(false, false, false, true),
  categories: fc.subarray(['Root', 'Branch', 'Leaf', 'Other']),
  tags: fc.subarray(['one', 'two']),
  venue: fc.subarray([1, 2], { maxLength: 1 }),
  organizer: fc.subarray([1, 2]),
  title: fc.constantFrom('Jazz concert', 'A lecture', 'Concert for two', 'Nothing special'),
})

beforeAll(async () => {
  const as = await makeUser('admin', 'administrator')
  const create = (plural: string, json: object) => send('POST', `/${plural}`, { as, json })
  for (const venue of ['Here', 'There']) await create('venues', { venue })
  for (const organizer of ['This', 'That']) await create('organizers', { organizer })
  const root = await create('categories', { name: 'Root' })
  const branch = await create('categories', { name: 'Branch', parent: root.body.id })
  await create('categories', { name: 'Leaf', parent: branch.body.id })
  for (const { seconds, ...event } of fc.sample(events, { seed: 7, numRuns: 150 })) {
    const start = Date.parse(`${event.start_date.replace(' ', 'T')}Z`)
    await create('events', { ...event, end_date: formatInstant(start + seconds * 1000) })
  }
  // Moves, hides, shows and deletes, so that the derived tables have a past.
  for (let id = 3; id < 150; id += 7)
    await send('PATCH', `/events/${id}`, {
      as,
      json: { start_date: '2026-12-24 08:00:00', end_date: '2026-12-26 23:59:59' },
    })
  for (let id = 4; id < 150; id += 11)
    await send('PATCH', `/events/${id}`, { as, json: { status: 'draft', categories: ['Leaf'] } })
  for (let id = 4; id < 150; id += 22)
    await send('PATCH', `/events/${id}`, { as, json: { status: 'publish', tags: ['one'] } })
  for (let id = 5; id < 150; id += 13) await send('DELETE', `/events/${id}?force=${id % 2}`, { as })
  await send('PATCH', `/categories/${branch.body.id}`, { as, json: { parent: 0 } })
})

describe.each(['UTC', 'Europe/Rome', 'UTC-9.5'])('in %s, lists from indexes', timezone => {
  const view = viewIn(timezone)

  it('are those that conditions give, for any stretch, filter, page and order', async () => {
    const params: fc.Arbitrary<EventListParams> = fc
      .record({
        start_date: fc.option(moments, { nil: undefined }),
        end_date: fc.option(moments, { nil: undefined }),
        strict_dates: fc.constantFrom(undefined, false, true),
        order: fc.constantFrom(undefined, 'asc' as const, 'desc' as const),
        page: fc.constantFrom(undefined, 2, 3, 9),
        filter: fc.constantFrom<EventListParams>(
          {},
          {},
          { categories: ['root'] },
          { categories: ['branch'] },
          { categories: ['leaf'] },
          { tags: ['one'] },
          { venue: [1] },
          { organizer: [2] },
          { search: 'concert' },
          { search: 'concert two' },
          { search: 'nowhere' },
        ),
      })
      .map(({ filter, ...rest }) =>
        Object.fromEntries(Object.entries({ ...rest, ...filter }).filter(([, value]) => value !== undefined)),
      )
    await fc.assert(
      fc.asyncProperty(params, async values => {
        const { walked, scanned } = await bothWays(values, view)
        expect(walked, JSON.stringify(values)).toEqual(scanned)
      }),
      seeded,
    )
  })
})

it('many matches, counted in the text index, are as many as few, looked at one by one', async () => {
  const { now } = viewIn('UTC')
  const stretches = fc
    .tuple(moments, moments)
    .map(([a, b]) => (a < b ? { start: a, end: b } : { start: b, end: a }))
  await fc.assert(
    fc.asyncProperty(stretches, fc.constantFrom('concert', 'jazz', 'special'), async (stretch, word) => {
      const total = (few: number) =>
        first(sql`SELECT ${searchTotal(`"${word}"`, [word], stretch, now, few)} AS total`, row =>
          Number(row.total),
        )
      const [counted, looked] = await db.batch([total(-1), total(1_000)])
      expect(counted).toBe(looked)
    }),
    seeded,
  )
})

it('there is no way through an index for what needs a look at every event', () => {
  const view = viewIn('UTC')
  const page = pageOf({}, view)
  for (const values of [
    { featured: true },
    { categories: ['root', 'other'] },
    { categories: ['root'], tags: ['one'] },
    { search: 'ja' },
    { include: [1] },
    { starts_after: '2026-01-01' },
    { orderby: 'title' as const },
  ])
    expect(walkOf(values, windowOf(values, view).stretch, page, view)).toBeUndefined()
})

it('the calendar under test has what is hard', async () => {
  const { walked } = await bothWays({ start_date: '2024-01-01', end_date: '2031-01-01' }, viewIn('UTC'))
  expect(walked?.total).toBeGreaterThan(20)
  const scheduled = await env.DB.prepare(
    "SELECT count(*) AS n FROM events WHERE status = 'future' AND listed_from IS NOT NULL",
  ).first('n')
  expect(scheduled).toBeGreaterThan(5)
})

it('deep pages, found by counts of days, begin where skipping every row before would', async () => {
  const view = viewIn('UTC')
  const { now } = view
  for (const start of ['2025-10-16 00:00:00', '2026-12-24 07:00:00', '2026-12-24 08:00:01'])
    for (const end of ['2026-12-25 12:00:00', '2027-06-01 23:59:59', '2029-06-01 23:59:59']) {
      const stretch = { start, end }
      const listing = { facet: 'event', target: sql`0` } as const
      const rows = sql`SELECT event_id FROM listings WHERE facet = 'event' AND utc_end_date <= ${end} AND listed_from <= ${now}`
      for (let offset = 0; offset < 60; offset++) {
        const { cte, start: from, skip } = entryTo(offset, listing, stretch, now)
        const order = sql`ORDER BY utc_start_date, event_id LIMIT 3`
        const [plain, deep] = await db.batch([
          many(
            sql`${rows} AND utc_start_date BETWEEN ${start} AND ${end} ${order} OFFSET ${offset}`,
            row => row.event_id,
          ),
          many(
            sql`${cte} ${rows} AND utc_start_date BETWEEN ${from} AND ${end} ${order} OFFSET ${skip}`,
            row => row.event_id,
          ),
        ])
        expect(deep, `${start} ${end} ${offset}`).toEqual(plain)
      }
    }
})
