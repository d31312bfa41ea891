import { beforeAll, expect, it } from 'vitest'
import { ORDERBY } from '../../../../src/calendar/events/schema.ts'
import {
  declareUser,
  makeAll,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeSource,
  makeVenue,
  query,
  queryValue,
  SITE,
  WHEN,
} from '../../../factories.ts'
import { measure } from '../../../kit/http/metrics.ts'
import { FILTERED } from './samples.ts'

// Rows that D1 reads for a list of one event, in a calendar of some hundred events made through the API. A
// list that reads all events exceeds the limit; one that reads its page, and counts of periods, does not.

const EVENTS = 320
const MOST = 200
const admin = declareUser('administrator', 'admin')

async function rowsRead(path: string, as?: string): Promise<number> {
  const { status, text, rows } = await measure('GET', path, { ...(as && { as }) })
  expect(status, `${path} ${text}`).toBe(200)
  return rows
}

beforeAll(async () => {
  // One after the other, because lists name them by their ids.
  for (const n of [1, 2, 3, 4])
    await makeVenue(admin, `Hall ${n}`, {
      geo_lat: 50 + n,
      geo_lng: n,
      wheelchair: n === 1 ? 'yes' : 'limited',
    })
  const organizer = await makeOrganizer(admin, 'Guild')
  await makeCategory(admin, 'Large')
  await makeCategory(admin, 'Small')
  const events = Array.from({ length: EVENTS }, (_, n) => {
    const isRare = n % 60 === 0
    const day = `2027-${String(1 + (n % 6)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`
    return {
      title: isRare ? `Zither ${n}` : `Concert ${n}`,
      start_date: `${day} 19:00:00`,
      end_date: `${day} 22:00:00`,
      venue: isRare ? 2 : 1,
      organizer: organizer.id,
      categories: isRare ? ['Large', 'Small'] : ['Large'],
      tags: isRare ? ['rare'] : [],
      featured: isRare,
      ticketed: isRare,
      ticket_availability: isRare ? 'few' : 'available',
      event_status: isRare ? (n % 120 === 0 ? 'canceled' : 'postponed') : 'scheduled',
      is_virtual: isRare,
      cost: isRare ? 'Free' : '5',
      ...(isRare && n > 0 && { post_parent: 1 }),
    }
  })
  for (let n = 0; n < EVENTS; n += 100) await makeAll(admin, 'events', events.slice(n, n + 100))
  const ids = Array.from({ length: EVENTS }, (_, n) => n + 1)
  await makeSource('All of it', { events: ids })
  await makeSource('Little', { events: ids.filter(id => id % 60 === 1) })
  await makeEvent(admin, {
    title: 'Weekly',
    start_date: '2027-03-01 19:00:00',
    end_date: '2027-03-01 22:00:00',
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
  })
})

/** Adds venues or organizers that have no events. */
const manyMore = (table: 'venues' | 'organizers', count: number) =>
  query(
    `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < CAST(? AS INTEGER))
     INSERT INTO ${table} (author_id, status, slug, date, date_utc, modified, modified_utc, name${table === 'venues' ? ', geo_lat, geo_lng' : ''})
     SELECT author_id, status, 'more-' || (SELECT max(id) FROM ${table}) || '-' || n, date, date_utc, modified, modified_utc,
       'Hall of ' || n${table === 'venues' ? ', 52, 2' : ''}
     FROM number CROSS JOIN (SELECT * FROM ${table} LIMIT 1)`,
    count,
  )

const countOf = (table: string) => queryValue<number>(`SELECT count(*) AS n FROM ${table}`)

const WINDOWS = [
  '',
  '&start_date=2027-02-01&end_date=2027-02-28',
  '&ends_after=2027-06-20',
  '&ends_after=now',
  '&starts_after=2027-06-20',
  '&starts_before=2027-01-05',
  '&ends_before=2027-01-05',
  '&happening=now',
  '&happening=2027-03-05',
]

const FILTERS = [
  '',
  '&categories=large',
  '&categories=small',
  '&tags=rare',
  '&venue=1',
  '&venue=2',
  '&organizer=1',
  '&featured=1',
  '&is_free=1',
  '&ticket_availability=few&tags=rare',
  '&wheelchair=yes&categories=small',
  '&author=77',
  '&post_parent=1',
  '&series=1',
  '&source=1',
  '&source=2',
  '&source=1&categories=small',
  '&source=2&search=zither',
  '&search=zither',
  '&search=xylophone',
  '&search=zither&search_in=all',
  '&search=zither&search_in=all&tags=rare',
  '&categories=large&venue=2',
  '&categories=small&organizer=1',
  '&categories=large&tags=rare&venue=2',
  '&search=zither&categories=large',
  '&geoloc_lat=52&geoloc_lng=2&geoloc_radius=1',
  '&geoloc_lat=52&geoloc_lng=2&geoloc_radius=1&categories=large',
  '&place=hall+2',
  '&bbox=1.5,51,2.5,53',
  '&bbox=1.5,51,2.5,53&categories=large',
  '&include=1,2,3',
  '&status=publish',
  '&categories=small,small',
]

const UNINDEXED = [
  '&featured=0',
  '&ticketed=1',
  '&ticketed=0',
  '&event_status=canceled',
  '&event_status=canceled,postponed',
  '&event_status=scheduled',
  '&event_status=canceled&categories=large',
  '&is_virtual=1',
  '&is_virtual=0',
  '&is_free=0',
  '&ticket_availability=few',
  '&ticket_availability=available,few',
  '&wheelchair=yes',
  '&wheelchair=limited',
  '&wheelchair=yes,limited,no',
  '&geoloc=0&custom_fields[age]=6',
  '&geoloc=0',
  '&custom_fields[age]=6',
  '&author=1',
  // The listings of a name, and the texts of its events.
  '&search=zither+hall&search_in=all',
  '&search=concert+large&search_in=all',
  ...ORDERBY.map(name => `&orderby=${name}&order=desc`),
  '&orderby=title&featured=0',
  '&orderby=end_date&venue=1',
]

const isListed = (name: string): boolean => new RegExp(`&${name}[=[]`).test([...FILTERS, ...UNINDEXED].join())

/**
 * Filters and orders without an index, and all that are not among these: they may read all events of the
 * window.
 */
const SCANNED = [...UNINDEXED, ...FILTERED.flatMap(([name, query]) => (isListed(name) ? [] : [`&${query}`]))]

/** Rows for each event, and for each event with its text and its names. */
const AN_EVENT = 7
const WITH_NAMES = 11

/** Tries every n-th list, beginning with the given one. */
async function expectFewRows({ first = 0, every = 1 } = {}): Promise<void> {
  const over: string[] = []
  const paths = WINDOWS.flatMap(window => FILTERS.map(filter => `/events?per_page=1${filter}${window}`))
  for (let i = first; i < paths.length; i += every) {
    const rows = await rowsRead(paths[i] ?? '')
    if (rows > MOST) over.push(`${paths[i]}: ${rows}`)
  }
  expect(over).toEqual([])
}

it('a quarter of the lists of one event read few rows, without any scheduled event (a test below tries all)', async () => {
  await expectFewRows({ every: 4 })
})

it.each(SCANNED)('a list with %s reads few rows for each event of the window', async filter => {
  expect(await rowsRead(`/events?per_page=1${filter}`)).toBeLessThanOrEqual(
    (filter.includes('search_in') ? WITH_NAMES : AN_EVENT) * EVENTS,
  )
})

it.each([
  // The page has the first rows of each; the total counts each event once.
  ['categories=large,small', EVENTS],
  ['venue=1,2', 0],
  ['geoloc=1', 0],
  ['place=hall', 0],
  ['bbox=0,50,9,59', 0],
])('a list with %s, of several targets, reads all events at most once', async (filter, read) => {
  expect(await rowsRead(`/events?per_page=1&${filter}`)).toBeLessThan(read + MOST)
})

it('a list of one event reads few rows with scheduled events, and with events that are hidden or unpublished', async () => {
  const later = { title: 'Later', ...WHEN, date: '2027-01-01 00:00:00', categories: ['Small'] }
  const draft = { title: 'Draft', ...WHEN, status: 'draft' }
  await makeAll(admin, 'events', [...Array(20).fill(later), ...Array(5).fill(draft)])
  await expectFewRows()
})

it('a list of one event reads few rows once the database has statistics', async () => {
  await query('ANALYZE')
  await expectFewRows({ first: 1, every: 4 })
})

it('lists for editors, with unpublished events, read few rows more', async () => {
  const rows = await rowsRead('/events?per_page=1', admin)
  expect(rows).toBeLessThan(MOST + 100)
})

it.each([
  ['/venues?per_page=1', 40],
  ['/venues?per_page=1&has_events=1', 40],
  ['/venues?per_page=1&only_with_upcoming=1', 60],
  ['/organizers?per_page=1&has_events=0', 40],
  ['/categories?per_page=1', 40],
  ['/tags?per_page=1&event=61', 40],
  ['/events/1', 45],
  ['/events/by-slug/zither-60', 45],
])('%s reads at most %i rows', async (path, most) => {
  expect(await rowsRead(path)).toBeLessThanOrEqual(most)
})

const FEEDS = ['/events.ics', '/events.rss', '/events.feed.json', '/events.csv']

it.each([
  ['start_date=2027-01-01&end_date=2027-12-31', EVENTS, 20],
  ['venue=1', EVENTS - 6, 20],
  // Fewer than one event for two venues and organizers: their links are followed.
  ['ends_after=2027-02-01&starts_before=2027-04-30', 100, 23],
  ['categories=large&start_date=2027-05-01', 100, 23],
  ['start_date=2027-05-01&end_date=2027-05-20', 30, 24],
])('feeds with %s, of at least %i events, read at most %i rows for each', async (filters, least, most) => {
  // Without the statistics of a time at which there were fewer.
  await query('DELETE FROM sqlite_stat1')
  await query('ANALYZE sqlite_schema')
  for (const table of ['venues', 'organizers'] as const)
    await manyMore(table, 600 - ((await countOf(table)) ?? 0))
  for (const path of FEEDS) {
    const { text, rows } = await measure('GET', `${path}?${filters}`)
    const shown = text.match(/^BEGIN:VEVENT|<item>|"_event":|^"?(?:Concert|Zither)/gm)?.length ?? 0
    expect(shown, path).toBeGreaterThanOrEqual(least)
    expect(rows / shown, path).toBeLessThanOrEqual(most)
  }
})

it('a filter that many venues fulfil reads few rows for each event and each venue', async () => {
  const VENUES = 300
  await manyMore('venues', VENUES)
  for (const filter of ['geoloc=1', 'geoloc=0', 'place=hall', 'bbox=0,50,9,59', 'geoloc_lat=52&geoloc_lng=2'])
    for (const other of ['&categories=large', '&source=1'])
      expect(await rowsRead(`/events?per_page=1&${filter}${other}`), filter + other).toBeLessThan(
        10 * (EVENTS + VENUES),
      )
})

/** Copies an event so many times, with its terms. */
async function copyEvent(id: number, copies: number): Promise<void> {
  const names = await queryValue<string>(
    `SELECT group_concat(name) AS names FROM pragma_table_info('events') WHERE name NOT IN ('id', 'slug')`,
  )
  await query(
    `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < CAST(? AS INTEGER))
     INSERT INTO events (slug, ${names}) SELECT 'copy-' || n, ${names} FROM number CROSS JOIN events WHERE id = ?`,
    copies,
    id,
  )
  await query(
    `INSERT INTO event_terms (event_id, target_id) SELECT events.id, target_id
     FROM events CROSS JOIN event_terms WHERE slug LIKE 'copy-%' AND event_id = ?`,
    id,
  )
}

it('the total of several categories counts the largest, and reads events of the others', async () => {
  const filter = 'start_date=2027-01-01&end_date=2027-12-31&categories='
  const { body: before } = await measure('GET', `/events?${filter}large`)
  const copies = 1_000
  await copyEvent(2, copies)
  for (const names of ['large,small', 'small,large', 'small,large,small']) {
    const { rows, body } = await measure('GET', `/events?per_page=1&${filter}${names}`)
    // All small ones are large.
    expect(body.total, names).toBe(before.total + copies)
    expect(rows, names).toBeLessThan(500)
  }
})

it('a request with wrong parameters reads few rows, only as needed to find its other errors', async () => {
  const events = ['', '.ics', '.rss', '.feed.json', '.csv', '.geojson', '/digest.html', '/changes']
  const { body: list } = await measure('POST', '/picks', { json: { ids: [1, 2, 3, 4, 5, 6, 7, 8, 9] } })
  const bad = ['start_date=x', 'geoloc_lat=1', 'author=admin', 'categories=large&featured=perhaps']
  const paths = [
    ...events.flatMap(ending => bad.map(query => `/events${ending}?${query}`)),
    '/events?status=draft',
    '/events/1.ics?programme=1&expand=x',
    `/picks/${list.token}.ics?expand=x`,
    '/events/changes?since=x',
    ...['venues', 'organizers', 'categories', 'tags'].map(plural => `/${plural}?page=x`),
    `${SITE}/wp-json/tec/v1/events?start_date=x`,
    `${SITE}/wp-json/wp/v2/categories?page=x`,
    `${SITE}/wp-json/wp/v2/tribe_venue?page=x`,
  ]
  const bindings = { DEBUG_TIMING: '1', CORE_PREFIX: 'wp-json' }
  for (const path of paths) {
    const { status, rows } = await measure('GET', path, { bindings })
    expect([path, status], path).toEqual([path, path.includes('since') ? 410 : 400])
    expect(rows, path).toBeLessThan(10)
  }
  const { body } = await measure(
    'GET',
    '/events.ics?start_date=x&categories=none,large&venue=999999&geoloc_lng=5',
  )
  expect(Object.keys(body.data?.params ?? {}).sort()).toEqual([
    'categories',
    'geoloc_lng',
    'start_date',
    'venue',
  ])
})
