import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { makeEvent, makeUser, send } from '../../factories.ts'

const TABLES = ['event_venues', 'event_organizers', 'event_terms']
const LINKED = 60

it('feeds are served however many relations all events have together', async () => {
  const admin = await makeUser('admin', 'administrator')
  const numbers = Array.from({ length: LINKED }, (_, i) => i)
  const { id } = await makeEvent(admin, {
    title: 'Linked',
    venue: numbers.map(i => ({ venue: `Hall ${i}` })),
    organizer: numbers.map(i => ({ organizer: `Club ${i}` })),
    categories: numbers.slice(0, 30).map(i => `Kind ${i}`),
  })
  // Links as writes make them, without what their triggers derive: that takes minutes, and feeds don't read it.
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN (${TABLES.map(name => `'${name}'`)})`,
  ).all<{ name: string }>()
  await env.DB.batch(results.map(({ name }) => env.DB.prepare(`DROP TRIGGER ${name}`)))
  const { names } = (await env.DB.prepare(
    `SELECT group_concat(name) AS names FROM pragma_table_info('events') WHERE name NOT IN ('id', 'slug', 'uid')`,
  ).first<{ names: string }>()) ?? { names: '' }
  await env.DB.batch([
    env.DB.prepare(`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300)
      INSERT INTO events (slug, ${names}) SELECT 'linked-' || n, ${names} FROM events CROSS JOIN numbers WHERE events.id = ${id}`),
    ...TABLES.map(table => {
      const columns = table === 'event_terms' ? 'target_id' : 'target_id, position'
      return env.DB.prepare(`INSERT INTO ${table} (event_id, ${columns}) SELECT events.id, ${columns}
        FROM events CROSS JOIN ${table} WHERE event_id = ${id} AND slug GLOB 'linked-*'`)
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
