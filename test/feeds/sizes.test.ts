import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeEvent, makeUser, send } from '../factories.ts'
import { expanded } from './expand.ts'

// However much there is, and whatever it is, a feed stays below ten megabytes and says what it lacks.

let admin: string

beforeAll(async () => {
  admin = await makeUser('admin', 'administrator')
})

/** Makes as many copies of an event, an hour apart, with all that it refers to. */
async function copy(id: number, count: number): Promise<void> {
  const known = await env.DB.prepare(
    `SELECT group_concat(name) AS names FROM pragma_table_info('events')
      WHERE name NOT IN ('id', 'slug', 'start_date', 'end_date', 'utc_start_date', 'utc_end_date')`,
  ).first<string>('names')
  const at = (hours: number) => `datetime('2026-10-01', '+' || (n + ${hours}) || ' hours')`
  await env.DB.batch([
    env.DB.prepare(`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
      INSERT INTO events (slug, start_date, end_date, utc_start_date, utc_end_date, ${known})
      SELECT 'copy-${id}-' || n, ${at(0)}, ${at(1)}, ${at(0)}, ${at(1)}, ${known}
      FROM events CROSS JOIN numbers WHERE events.id = ${id}`),
    ...['event_venues', 'event_organizers', 'event_terms'].map(table =>
      env.DB.prepare(`INSERT INTO ${table} (event_id, target_id${table === 'event_terms' ? '' : ', position'})
        SELECT events.id, target_id${table === 'event_terms' ? '' : ', position'} FROM events CROSS JOIN ${table}
        WHERE event_id = ${id} AND slug GLOB 'copy-${id}-*'`),
    ),
  ])
}

const FEEDS = ['events.ics', 'events.rss', 'events.feed.json']

describe('many events', () => {
  it('are the 5,000 that are nearest to today, and the feed says so', async () => {
    const { id } = await makeEvent(admin, { title: 'Many', venue: { venue: 'Hall' } })
    await copy(id, 6_000)
    const { text, headers } = await send('GET', '/events.ics?venue=1')
    const shown = expanded(text)
    expect(shown).toHaveLength(5_000)
    expect(text).toContain('X-WR-CALDESC:The 5000 of 6001 events that are nearest to today.')
    expect(headers.get('x-shortened')).toBe('true')
    const now = Date.parse('2026-11-20T12:00:00Z')
    const distances = shown.map(({ start }) => Math.abs(Date.parse(start) - now))
    // All hours of fifty days before, as far back as there are any, and the rest after.
    expect(Math.min(...shown.map(({ start }) => Date.parse(start)))).toBe(Date.parse('2026-10-01T01:00:00Z'))
    expect(Math.max(...distances)).toBeLessThan(170 * 86_400_000)
    const feed = JSON.parse((await send('GET', '/events.feed.json?venue=1')).text)
    expect([feed.items.length, feed.description]).toEqual([5_000, expect.stringContaining('5000 of 6001')])
    await env.DB.prepare('UPDATE events SET status = ?, version = version + 1').bind('draft').run()
  })
})

describe.each([
  ['long descriptions that must be escaped', { description: `<p>${',;日'.repeat(60_000)}</p>` }, 40],
  ['long titles', { title: ',日'.repeat(1_000) }, 2_000],
  [
    'long lists of organizers and venues',
    {
      organizer: Array.from({ length: 100 }, (_, i) => ({
        organizer: `${'日'.repeat(900)} ${i}`,
        email: 'a@example.org',
      })),
      venue: Array.from({ length: 60 }, (_, i) => ({
        venue: `${'日'.repeat(900)} ${i}`,
        address: ','.repeat(900),
      })),
    },
    400,
  ],
  [
    'long addresses',
    {
      website: `https://example.org/${'x'.repeat(2_000)}`,
      virtual_url: `https://example.org/${'y'.repeat(2_000)}`,
    },
    3_000,
  ],
  [
    'a series with long names',
    {
      organizer: Array.from({ length: 10 }, (_, i) => ({ organizer: `${'日'.repeat(1_990)} ${i}` })),
      venue: Array.from({ length: 10 }, (_, i) => ({
        venue: `${'日'.repeat(1_990)} ${i}`,
        address: ','.repeat(900),
      })),
      categories: Array.from({ length: 10 }, (_, i) => `${'&'.repeat(1_990)} ${i}`),
      recurrence: 'FREQ=DAILY;COUNT=700',
    },
    0,
  ],
  ['blanks', { description: `<p>${'&nbsp;'.repeat(30_000)}</p>` }, 20],
])('%s', (name, fields, count) => {
  it('make no feed larger than ten megabytes', async () => {
    const { id } = await makeEvent(admin, { title: name, ...fields })
    if (count > 0) await copy(id, count)
    for (const path of FEEDS.flatMap(path => (path === 'events.ics' ? [path, `${path}?expand=1`] : [path]))) {
      const { status, text } = await send('GET', `/${path}`)
      expect(status, path).toBe(200)
      expect(new TextEncoder().encode(text).length, path).toBeLessThan(10_000_000)
      if (path === 'events.ics') expect(expanded(text).length).toBeGreaterThan(0)
    }
    await env.DB.prepare('UPDATE events SET status = ?, version = version + 1').bind('draft').run()
  })
})
