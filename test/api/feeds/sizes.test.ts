import { beforeEach, describe, expect, it } from 'vitest'
import { makeDatabaseAnew, makeEvent, makeUser, query, queryAll, queryValue, send } from '../../factories.ts'
import { expanded } from './expand.ts'

// With any number of events of any size, a feed stays below ten megabytes and says what it leaves out.

let admin: string

// Emptying the tables again takes longer than making them.
beforeEach(async () => {
  await makeDatabaseAnew()
  admin = await makeUser('admin', 'administrator')
})

/** Makes as many copies of an event, an hour apart, with all that it refers to. */
async function copy(id: number, count: number): Promise<void> {
  const known = await queryValue<string>(`SELECT group_concat(name) AS names FROM pragma_table_info('events')
      WHERE name NOT IN ('id', 'slug', 'start_date', 'end_date', 'utc_start_date', 'utc_end_date')`)
  const at = (hours: number) => `datetime('2026-10-01', '+' || (n + ${hours}) || ' hours')`
  await queryAll([
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
      INSERT INTO events (slug, start_date, end_date, utc_start_date, utc_end_date, ${known})
      SELECT 'copy-${id}-' || n, ${at(0)}, ${at(1)}, ${at(0)}, ${at(1)}, ${known}
      FROM events CROSS JOIN numbers WHERE events.id = ${id}`,
    ...['event_venues', 'event_organizers', 'event_terms'].map(
      table =>
        `INSERT INTO ${table} (event_id, target_id${table === 'event_terms' ? '' : ', position'})
        SELECT events.id, target_id${table === 'event_terms' ? '' : ', position'} FROM events CROSS JOIN ${table}
        WHERE event_id = ${id} AND slug GLOB 'copy-${id}-*'`,
    ),
  ])
}

describe('many events', () => {
  it('are cut to the 5,000 nearest to today, and the feed says so', async () => {
    const { id } = await makeEvent(admin, { title: 'Many', venue: { venue: 'Hall' } })
    await copy(id, 5_100)
    const { text, headers } = await send('GET', '/events.ics?venue=1')
    const shown = expanded(text)
    expect(shown).toHaveLength(5_000)
    expect(text).toContain('X-WR-CALDESC:The 5000 of 5101 events that are nearest to today.')
    expect(text).toMatch(/^X-COMPLETE-PERIOD:20261001T010001Z\/\d{8}T\d{4}59Z\r$/m)
    expect(headers.get('x-shortened')).toBe('true')
    const now = Date.parse('2026-11-20T12:00:00Z')
    const distances = shown.map(({ start }) => Math.abs(Date.parse(start) - now))
    // All hours of fifty days before, as far back as there are any, and the rest after.
    expect(Math.min(...shown.map(({ start }) => Date.parse(start)))).toBe(Date.parse('2026-10-01T01:00:00Z'))
    expect(Math.max(...distances)).toBeLessThan(170 * 86_400_000)
    const feed = JSON.parse((await send('GET', '/events.feed.json?venue=1')).text)
    expect([feed.items.length, feed.description]).toEqual([5_000, expect.stringContaining('5000 of 5101')])
  })
})

const named = (name: string, count: number, length: number) =>
  Array.from({ length: count }, (_, i) => ({ [name]: `${'日'.repeat(length)} ${i}` }))
/** Venues with long addresses. */
const venues = (count: number, length: number) =>
  named('venue', count, length).map(venue => ({ ...venue, address: ','.repeat(900) }))

describe.each<[string, fields: object, count: number]>([
  ['long descriptions that must be escaped', { description: `<p>${',;日'.repeat(60_000)}</p>` }, 12],
  ['long titles', { title: ',日'.repeat(1_000) }, 800],
  // A feed shows twenty of each.
  [
    'long lists of organizers and venues',
    { organizer: named('organizer', 25, 900), venue: venues(25, 900) },
    100,
  ],
  [
    'long addresses',
    {
      website: `https://example.org/${'x'.repeat(2_000)}`,
      virtual_url: `https://example.org/${'y'.repeat(2_000)}`,
    },
    800,
  ],
  [
    'a series with long names',
    {
      organizer: named('organizer', 10, 1_990),
      venue: venues(10, 1_990),
      categories: Array.from({ length: 10 }, (_, i) => `${'&'.repeat(1_990)} ${i}`),
      recurrence: 'FREQ=DAILY;COUNT=200',
    },
    0,
  ],
])('%s', (title, fields, count) => {
  it('make no feed larger than ten megabytes', async () => {
    const { id } = await makeEvent(admin, { title, ...fields })
    if (count > 0) await copy(id, count)
    const paths = ['/events.ics', '/events.rss', '/events.feed.json', '/events.csv']
    if ('recurrence' in fields) paths.push('/events.ics?expand=1')
    for (const path of paths) {
      const { status, headers, text } = await send('GET', path)
      expect(status, path).toBe(200)
      if (path === '/events.feed.json') expect(headers.get('x-shortened')).toBe('true')
      expect(new TextEncoder().encode(text).length, path).toBeLessThan(10_000_000)
      expect(text, path).toMatch(/BEGIN:VEVENT|<item>|"items":\[\{|@calendar\.example/)
    }
  })
})

it.each([
  ['without their HTML, if both are too long', ','.repeat(190_000), 14, /\\,\\,\\,/],
  ['without half a tag at their end', '<b>x</b>'.repeat(24_000), 20, /DESCRIPTION:[x\s]* …\r\n/],
])('a calendar has long descriptions %s', async (_, html, count, expected) => {
  const { id } = await makeEvent(admin, { title: 'Long', description: `<p>${html}</p>` })
  await copy(id, count)
  const { headers, text } = await send('GET', '/events.ics')
  expect([headers.get('x-shortened'), text.length < 9_000_000]).toEqual(['true', true])
  expect(text).toMatch(expected)
  expect(text).not.toContain('X-ALT-DESC')
})

it('long rows of blanks are read once', async () => {
  await makeEvent(admin, { description: `<p>${'&nbsp;'.repeat(30_000)}</p>` })
  for (const path of ['/events.ics', '/events.rss', '/events.feed.json', '/events.csv'])
    expect((await send('GET', path)).status).toBe(200)
})

const TABLES = ['event_venues', 'event_organizers', 'event_terms']
const LINKED = 60

it('feeds are served however many relations all events have together', async () => {
  const numbers = Array.from({ length: LINKED }, (_, i) => i)
  const { id } = await makeEvent(admin, {
    title: 'Linked',
    venue: numbers.map(i => ({ venue: `Hall ${i}` })),
    organizer: numbers.map(i => ({ organizer: `Club ${i}` })),
    categories: numbers.slice(0, 30).map(i => `Kind ${i}`),
  })
  // Links as writes make them, without what their triggers derive: that takes minutes, and feeds don't read it.
  const results = await query<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN (${TABLES.map(name => `'${name}'`)})`,
  )
  await queryAll(results.map(({ name }) => `DROP TRIGGER ${name}`))
  const names = await queryValue(
    `SELECT group_concat(name) AS names FROM pragma_table_info('events') WHERE name NOT IN ('id', 'slug', 'uid')`,
  )
  await queryAll([
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300)
      INSERT INTO events (slug, ${names}) SELECT 'linked-' || n, ${names} FROM events CROSS JOIN numbers WHERE events.id = ${id}`,
    ...TABLES.map(table => {
      const columns = table === 'event_terms' ? 'target_id' : 'target_id, position'
      return `INSERT INTO ${table} (event_id, ${columns}) SELECT events.id, ${columns}
        FROM events CROSS JOIN ${table} WHERE event_id = ${id} AND slug GLOB 'linked-*'`
    }),
  ])
  for (const path of ['/events.ics', '/events.rss', '/events.feed.json', '/events.csv']) {
    const { status, text } = await send('GET', path)
    expect([status, text.length < 10_000_000], path).toEqual([200, true])
  }
  const [first] = JSON.parse((await send('GET', '/events.feed.json?include=1')).text).items
  const shown = (length: number, name: string) => Array.from({ length }, (_, i) => `${name} ${i}`)
  expect(first._event.venue.map(({ name }: { name: string }) => name)).toEqual(shown(20, 'Hall'))
  expect(first.authors.map(({ name }: { name: string }) => name)).toEqual(shown(20, 'Club'))
  expect(first.tags).toHaveLength(20)
})
