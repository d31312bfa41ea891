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
      if (path === '/events.feed.json' && !('description' in fields))
        expect(headers.get('x-shortened')).toBe('true')
      expect(new TextEncoder().encode(text).length, path).toBeLessThan(10_000_000)
      expect(text, path).toMatch(/BEGIN:VEVENT|<item>|"items":\[\{|@calendar\.example/)
    }
  })
})

const LONG = `<h2>Programme</h2><p>${'Rock &amp; <b>roll</b>, '.repeat(200)}</p>`

it('a description of more than 1,500 characters is cut at a word in feeds, and ends with the address of the event', async () => {
  const { id, slug } = await makeEvent(admin, {
    title: 'Long',
    description: LONG,
    venue: { venue: 'Hall', geo_lat: 1, geo_lng: 1 },
  })
  const short = `<p>${'x'.repeat(1_490)}</p>`
  await makeEvent(admin, { title: 'Short', description: short })
  const address = `https://calendar.example/event/${slug}/`
  const rest = `<p><a href="${address}">${address}</a></p>`
  const ics = (await send('GET', '/events.ics')).text.replace(/\r\n[ \t]/g, '')
  const [, text = ''] = /^DESCRIPTION:(Programme.*)\r$/m.exec(ics) ?? []
  expect(text).toMatch(/ Rock & roll\\,( Rock)?( &)? …\\nhttps:/)
  expect(text.endsWith(`\\n${address}`)).toBe(true)
  const length = text.slice(0, text.indexOf(' …')).replace(/\\./g, ',').length
  expect([length > 1_400, length <= 1_500]).toEqual([true, true])
  expect(ics).toMatch(/^X-ALT-DESC;FMTTYPE=text\/html:<h2>Programme<\/h2><p>Rock &amp\\;.* …<\/p><p><a href/m)
  expect(ics).toContain(`DESCRIPTION:${'x'.repeat(1_490)}\r\n`)
  const { headers, text: json } = await send('GET', '/events.feed.json')
  const found = JSON.parse(json).items.find((item: { title: string }) => item.title === 'Long').content_html
  expect(found).toMatch(/<p>Rock &amp; <b>roll<\/b>,.* …<\/p><p><a href="[^"]*">[^<]*<\/a><\/p>$/)
  expect(found.endsWith(rest)).toBe(true)
  // A link leads to what is missing, so nothing is lost.
  expect(headers.get('x-shortened')).toBeNull()
  const rss = (await send('GET', '/events.rss')).text
  expect(rss).toContain(rest.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'))
  expect(rss).not.toContain('&lt;/b&gt;, '.repeat(2))
  const map = JSON.parse((await send('GET', '/events.geojson?_fields=id,description')).text)
  expect(map.features[0].properties.description.endsWith(rest)).toBe(true)
  // A single event, lists and changes have all of it, and so has a spreadsheet.
  const whole = 'Rock & roll, '.repeat(200).trim()
  const single = (await send('GET', `/events/${id}.ics`)).text.replace(/\r\n[ \t]/g, '')
  expect(single).toContain(`DESCRIPTION:Programme\\n\\n${whole.replaceAll(',', '\\,')}\r\n`)
  expect((await send('GET', '/events.csv')).text).toContain('Rock &amp; <b>roll</b>, '.repeat(200).trim())
  for (const path of ['/events', '/events/changes'])
    expect(JSON.stringify((await send('GET', path)).body), path).toContain(LONG)
})

it.each([
  ['of many characters', ','.repeat(190_000), 14],
  ['of many elements', '<b>x</b>'.repeat(24_000), 20],
  [
    'that end in the middle of an element',
    `<a href="https://example.org/${'x'.repeat(1_900)}">y</a>`.repeat(90),
    20,
  ],
])('feeds have the beginnings of descriptions %s', async (_, html, count) => {
  const { id } = await makeEvent(admin, { title: 'Long', description: `<p>${html}</p>` })
  await copy(id, count)
  for (const path of ['/events.ics', '/events.rss', '/events.feed.json']) {
    const { headers, text } = await send('GET', path)
    expect([headers.get('x-shortened'), text.length < 600_000], path).toEqual([null, true])
  }
  const [item] = JSON.parse((await send('GET', '/events.feed.json')).text).items
  expect(item.content_html).toMatch(
    / …(<\/b>|<\/a>)?<\/p><p><a href="https:\/\/calendar\.example\/event\/[^"]+">[^<]+<\/a><\/p>$/,
  )
})

it('feeds are served in spite of long rows of blanks', async () => {
  await makeEvent(admin, { description: `<p>${'&nbsp;'.repeat(30_000)}</p>` })
  for (const path of ['/events.ics', '/events.rss', '/events.feed.json', '/events.csv'])
    expect((await send('GET', path)).status, path).toBe(200)
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
  // Links as writes make them, without what their triggers derive: that takes minutes, and feeds don't read
  // it.
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
