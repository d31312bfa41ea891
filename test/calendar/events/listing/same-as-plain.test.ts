import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { selectDigest } from '../../../../src/calendar/digest/digest.ts'
import {
  eventPage,
  pageStatement,
  plainPage,
  type SelectedPage,
} from '../../../../src/calendar/events/listing/page.ts'
import { type EventListParams, ORDERBY } from '../../../../src/calendar/events/schema.ts'
import type { BaseContext } from '../../../../src/kit/context.ts'
import { Database } from '../../../../src/kit/db/database.ts'
import { combineQueries, first, many } from '../../../../src/kit/db/query.ts'
import { sliceOf } from '../../../../src/kit/http/lists.ts'
import type { Caller } from '../../../../src/kit/lib/roles.ts'
import { addDays, formatInstant, isoUtc, toUtc } from '../../../../src/kit/lib/time.ts'
import { countRows } from '../../../factories.ts'
import { CALENDAR, contextFor, fillCalendar, moments } from './calendar.ts'
import { FILTERED, valuesOf } from './samples.ts'

// Every list is compared with its definition by plain conditions on the base tables.

const db = new Database(env.DB)

beforeAll(fillCalendar)

const run = (page: SelectedPage) =>
  db.read(
    combineQueries({
      ids: many(pageStatement(page), row => Number(row.id)),
      total: first(pageStatement(page, sql`SELECT ${page.total} AS total`), row => Number(row.total)),
    }),
  )

type Filters = Partial<EventListParams>

/** The page as the service reads it, and as plain conditions have it. */
async function bothWays(context: BaseContext, values: Filters) {
  const list = { values, page: sliceOf(values, context) }
  // A calendar of this size would be put in order as a whole.
  const read = await run(eventPage(context, { ...list, sizes: { maxSorted: 0 } }))
  return { read, plain: await run(plainPage(context, list)) }
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const someOf = (...names: string[]) => maybe(fc.subarray(names, { minLength: 1 }))
const idsOf = (count: number) =>
  maybe(
    fc.subarray(
      Array.from({ length: count }, (_, i) => i + 1),
      { minLength: 1, maxLength: Math.min(count, 3) },
    ),
  )

const dates = {
  start_date: maybe(moments),
  end_date: maybe(moments),
  starts_before: maybe(moments),
  starts_after: maybe(moments),
  ends_before: maybe(moments),
  ends_after: maybe(moments),
  happening: maybe(
    fc.oneof(
      fc.constantFrom('now', '2026-12-24', '2026-12-25'),
      fc.tuple(moments, moments).map(pair => pair.sort().join('/')),
    ),
  ),
}

/** Values for parameters that filter; a place is one thing. */
const filters: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  ...Object.fromEntries(
    FILTERED.flatMap(([name, query]) =>
      /^(geoloc_.*|include)$/.test(name) ? [] : [[name, maybe(fc.constant(valuesOf(query)[name]))]],
    ),
  ),
  categories: someOf('root', 'branch', 'leaf', 'other'),
  tags: someOf('one', 'two'),
  venue: idsOf(CALENDAR.venues),
  organizer: idsOf(CALENDAR.organizers),
  featured: maybe(fc.boolean()),
  ticketed: maybe(fc.boolean()),
  ticket_availability: someOf('available', 'few', 'sold_out', 'waitlist'),
  wheelchair: someOf('yes', 'limited', 'no'),
  custom_fields: maybe(fc.constantFrom({ age: '6' }, { age: '6', doors: 'Yes' })),
  author: someOf('1', '2', 'author', '77'),
  event_status: someOf('scheduled', 'canceled', 'postponed', 'rescheduled'),
  is_virtual: maybe(fc.boolean()),
  is_free: maybe(fc.boolean()),
  post_parent: maybe(fc.integer({ min: 1, max: 5 })),
  series: idsOf(3),
  source: idsOf(CALENDAR.sources),
  geoloc: maybe(fc.boolean()),
  place: maybe(fc.constantFrom('here', 'hidden', 'a', 'nowhere')),
  bbox: maybe(
    fc.constantFrom(
      { west: -10, south: 53, east: -8.9, north: 53.2 },
      { west: 170, south: -90, east: -8.95, north: 90 },
    ),
  ),
  search: maybe(fc.constantFrom('concert', 'concert two', 'ja', 'a', 'nowhere', 'concert jazz lecture')),
  search_in: maybe(fc.constantFrom('all', 'all', 'text')),
  near: maybe(fc.constantFrom(5, 200, 20_000)),
}

const sorting = {
  order: fc.constantFrom(undefined, 'asc' as const, 'desc' as const),
  orderby: fc.constantFrom(undefined, undefined, undefined, ...ORDERBY),
  page: fc.constantFrom(undefined, 2, 5),
  per_page: fc.constantFrom(undefined, 3, 50),
  strict_dates: fc.constantFrom(undefined, true),
  status: maybe(fc.subarray(['publish', 'draft', 'private', 'future', 'trash'] as const, { minLength: 1 })),
}

/** At most so many of some parameters, because all together match nothing. */
const few = <T extends object>(given: T, most: number, salt: number): Partial<T> => {
  const names = Object.entries(given).filter(([, value]) => value !== undefined)
  const kept = names.filter((_, i) => (i + salt) % Math.max(1, Math.ceil(names.length / most)) === 0)
  // A selection of the given parameters.
  return Object.fromEntries(kept) as Partial<T>
}

const requests = fc
  .tuple(fc.record(dates), fc.record(filters), fc.record(sorting), fc.nat(9))
  .map(([when, what, how, salt]): Filters => {
    const { near, ...chosen } = few(what, salt % 4, salt)
    const place = near === undefined ? {} : { geoloc_lat: 53.1, geoloc_lng: -9, geoloc_radius: near }
    const all = { ...few(when, 1 + (salt % 2), salt), ...chosen, ...place, ...few(how, 6, 0) }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  })

const CALLERS: [name: string, caller: Caller][] = [
  ['anonymous callers', { id: 0, role: 'anonymous' }],
  ['editors', { id: 1, role: 'editor' }],
  ['authors', { id: 2, role: 'author' }],
]

const ZONES = ['UTC', 'Europe/Rome', 'UTC-9.5']

// Other requests for each.
describe.each(CALLERS)('lists for %s', (name, caller) => {
  it.each(ZONES)('in %s have the events that plain conditions find', async zone => {
    // A moment at which some scheduled events have become due, but are not published in the tables yet.
    const context = contextFor(caller, zone)
    await fc.assert(
      fc.asyncProperty(requests, async values => {
        const { read, plain } = await bothWays(context, values)
        expect(read, JSON.stringify(values)).toEqual(plain)
      }),
      { seed: 11 + ZONES.indexOf(zone) + 3 * CALLERS.findIndex(([other]) => other === name), numRuns: 48 },
    )
  })
})

it('deep pages, found by counts of periods, begin where skipping every event before would', async () => {
  const context = contextFor({ id: 0, role: 'anonymous' })
  for (const start_date of ['2025-10-16 00:00:00', '2026-12-24 07:00:00', '2026-12-24 08:00:01', undefined])
    for (const end_date of ['2026-12-25 12:00:00', '2027-06-01 23:59:59', '2029-06-01 23:59:59']) {
      const dates = start_date ? { start_date } : { ends_before: end_date }
      const values = { ...dates, end_date, strict_dates: true }
      const all = await run(plainPage(context, { values, page: { page: 1, perPage: 500, offset: 0 } }))
      for (let page = 1; page * 2 <= 120; page += 5) {
        const offset = 2 * (page - 1)
        const deep = await run(
          eventPage(context, { values, page: { page, perPage: 2, offset }, sizes: { minSkipped: 0 } }),
        )
        const plain = { ids: all.ids.slice(offset, offset + 2), total: all.total }
        expect(deep, `${start_date} ${end_date} ${page}`).toEqual(plain)
      }
    }
})

it.each<Filters>([
  {},
  { search: 'concert' },
  { search: 'concert th', search_in: 'all' },
  { organizer: [1] },
  { orderby: 'title' },
  { orderby: 'end_date' },
])(
  'events that are on at a moment and begin before an earlier one are a list like others: %o',
  async filter => {
    const context = contextFor({ id: 0, role: 'anonymous' })
    const values = {
      ...filter,
      happening: '2026-12-24/2026-12-26',
      starts_before: '2026-12-20',
      per_page: 50,
    }
    const { read, plain } = await bothWays(context, values)
    expect(read).toEqual(plain)
    expect(plain.total).toBeGreaterThan(0)
  },
)

const windows = fc.tuple(fc.record(dates), fc.nat(9)).map(([when, salt]) => few(when, salt % 3, salt))

describe.each(ORDERBY)('lists by %s', orderby => {
  it.each(CALLERS)(
    'for %s have the pages that plain conditions make, of any window',
    async (name, caller) => {
      const context = contextFor(caller, 'Europe/Rome')
      const filters = fc.constantFrom<Filters>(
        {},
        {},
        { venue: [1] },
        { featured: false },
        { is_virtual: true },
        { wheelchair: ['yes', 'no'] },
        { ticket_availability: ['available', 'few'] },
      )
      await fc.assert(
        fc.asyncProperty(
          windows,
          filters,
          fc.record(sorting),
          async (when, filter, { status: _, ...how }) => {
            const values = { ...when, ...filter, ...how, orderby }
            const { read, plain } = await bothWays(context, values)
            expect(read, JSON.stringify(values)).toEqual(plain)
          },
        ),
        { seed: ORDERBY.indexOf(orderby) + 10 * CALLERS.findIndex(([other]) => other === name), numRuns: 20 },
      )
    },
  )
})

const WORDS = [
  'here',
  'branch',
  'concert',
  'one',
  'hidden',
  'th',
  'a',
  'jazz',
  'leaf',
  'nothing',
  'near',
  'that',
]

describe.each(CALLERS)('searches in names for %s', (name, caller) => {
  it('find the events that plain conditions find', async () => {
    const context = contextFor(caller, 'Europe/Rome')
    const searches = fc.record({
      search: fc.subarray(WORDS, { minLength: 1, maxLength: 3 }).map(words => words.join(' ')),
      ...dates,
      categories: maybe(fc.subarray(['other'], { minLength: 1 })),
      ...sorting,
    })
    let found = 0
    await fc.assert(
      fc.asyncProperty(searches, fc.nat(9), async ({ search, categories, status: _, ...given }, salt) => {
        const values = {
          ...few(given, 2, salt),
          ...(categories && { categories }),
          search,
          search_in: 'all' as const,
        }
        const { read, plain } = await bothWays(context, values)
        found += Number((plain.total ?? 0) > 0)
        expect(read, JSON.stringify(values)).toEqual(plain)
      }),
      { seed: 3 + CALLERS.findIndex(([other]) => other === name), numRuns: 60 },
    )
    expect(found).toBeGreaterThan(20)
  })
})

it('the calendar under test has the difficult cases', async () => {
  const context = contextFor({ id: 0, role: 'anonymous' })
  const { read } = await bothWays(context, { start_date: '2024-01-01', end_date: '2031-01-01' })
  expect(read.total).toBeGreaterThan(40)
  const due = await countRows(
    "events WHERE status = 'future' AND date_utc <= ?",
    formatInstant(Date.parse('2026-11-20T13:30:00Z')),
  )
  expect(due).toBeGreaterThan(5)
})

it.each(ZONES)('digests in %s have every event that is on in their days', async zone => {
  const context = contextFor({ id: 1, role: 'editor' }, zone)
  const anyone = contextFor({ id: 0, role: 'anonymous' }, zone)
  const digests = fc.record({
    from: moments,
    days: fc.integer({ min: 1, max: 62 }),
    featured: maybe(fc.boolean()),
  })
  let found = 0
  await fc.assert(
    fc.asyncProperty(digests, async ({ from, days, featured }) => {
      const values = featured === undefined ? {} : { featured }
      const digest = await db.read(selectDigest(context, { values, days, from }))
      const last = `${digest.days?.last} 00:00:00`
      const happening = `${isoUtc(from)}/${isoUtc(toUtc(addDays(last, 1), zone))}`
      const page = { page: 1, perPage: 500, offset: 0 }
      const plain = await run(plainPage(anyone, { values: { ...values, happening }, page }))
      found += digest.total
      const ids = digest.events.map(({ id }) => id).toSorted((a, b) => a - b)
      expect({ ids, total: digest.total }).toEqual({ ...plain, ids: plain.ids.toSorted((a, b) => a - b) })
    }),
    { seed: 5, numRuns: 40 },
  )
  expect(found).toBeGreaterThan(100)
})
