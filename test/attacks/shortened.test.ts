import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeAll, makeDatabaseAnew, query, send } from '../factories.ts'
import { by, everyRole } from './people.ts'
import { least } from './requests.ts'

// Many links of many events, each of them within its limits. Every page stays small enough to be sent and
// says if it was shortened, and hidden content takes no room.

const MAX_BYTES = 12_000_000
const MOMENT = '2026-11-01 10:00:00'

// Lists show what other tests left: each has a database of its own.
beforeEach(makeDatabaseAnew)
const people = everyRole(beforeEach)

type Venue = {
  name: string
  slug: string
  status?: string
  description?: string
  image_id?: number
  line?: string
}

const INSERT = `INSERT INTO venues (author_id, status, slug, date, date_utc, modified, modified_utc, name, description,
    image_id, address, city, country, province, state, stateprovince, zip, phone)
  SELECT ?2, coalesce(value ->> 'status', 'publish'), value ->> 'slug', ?3, ?3, ?3, ?3, value ->> 'name',
    coalesce(value ->> 'description', ''), value ->> 'image_id', l, l, l, l, l, l, l, l
  FROM (SELECT value, coalesce(value ->> 'line', '') AS l FROM json_each(?1))`

/** Makes venues as the API would, many at once: as many as one parameter holds. */
async function insertVenues(venues: readonly Venue[]): Promise<void> {
  const each = Math.max(1, Math.floor(500_000 / JSON.stringify(venues[0]).length))
  const statement = env.DB.prepare(INSERT)
  for (let from = 0; from < venues.length; from += each)
    await statement
      .bind(JSON.stringify(venues.slice(from, from + each)), people.administrator.id, MOMENT)
      .run()
}

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

const createEvents = (n: number) =>
  makeAll(
    people.author.as,
    'events',
    numbers(n).map(i => least('events', `Laden ${i}`)),
  )

/** Links each event with so many venues: all with the same, or each with its own. */
const linkVenues = (each: number, own: boolean) =>
  query(
    `INSERT INTO event_venues (event_id, target_id, position)
     SELECT events.id, venues.id, venues.id FROM events JOIN venues
     ON (?2 = 0 AND venues.id <= ?1) OR (?2 = 1 AND (venues.id - 1) / CAST(?1 AS INTEGER) + 1 = events.id)`,
    each,
    own ? 1 : 0,
  )

/** Reads a path as anyone, twice, for the second response may come from memory. */
async function readTwice(path: string) {
  const first = await send('GET', path)
  const again = await send('GET', path)
  expect({
    firstStatus: first.status,
    secondStatus: again.status,
    isSameText: first.text === again.text,
  }).toEqual({ firstStatus: 200, secondStatus: 200, isSameText: true })
  expect(Buffer.byteLength(first.text), path).toBeLessThanOrEqual(MAX_BYTES)
  const [told, toldAgain] = [first, again].map(({ headers }) => headers.get('x-shortened'))
  expect(toldAgain).toBe(told)
  return { shortened: told, body: first.body }
}

describe('a page of events', () => {
  it('with the same 200 venues, whose images have the longest addresses, stays within bounds', async () => {
    const url = `https://example.org/${'x'.repeat(2_000)}`
    await query('INSERT INTO images (url) VALUES (?)', url)
    await insertVenues(numbers(200).map(i => ({ name: `Hall ${i}`, slug: `hall-${i}`, image_id: 1 })))
    await createEvents(12)
    await linkVenues(200, false)
    const { shortened, body } = await readTwice('/events?per_page=100')
    expect({ shortened, total: body.total, events: body.events.length }).toEqual({
      shortened: 'true',
      total: 12,
      events: 12,
    })
    const single = await readTwice(`/events/${body.events[0].id}`)
    expect([single.shortened, single.body.venue.length]).toEqual([null, 200])
  })

  it('with thousands of small venues reads no more of them than it can show', async () => {
    await createEvents(50)
    const venues = numbers(10_000).map(i => ({ name: `Hall ${i}`, slug: `hall-${i}` }))
    await insertVenues(venues)
    await linkVenues(200, true)
    const { shortened, body } = await readTwice('/events?per_page=100')
    expect({ shortened, total: body.total, events: body.events.length }).toEqual({
      shortened: 'true',
      total: 50,
      events: 50,
    })
    expect(body.events[0].venue.length).toBe(200)
    const small = await readTwice('/events?per_page=5')
    expect([small.shortened, small.body.events[4].venue.length]).toEqual([null, 200])
  })

  it('with slugs that addresses make three times as long stays within bounds', async () => {
    const slug = (i: number) => `${i}${'語'.repeat(190)}`
    await insertVenues(numbers(200).map(i => ({ name: '語'.repeat(1_000), slug: slug(i) })))
    await createEvents(8)
    await linkVenues(200, false)
    expect(await readTwice('/events?per_page=100')).toMatchObject({ shortened: 'true' })
  })

  it('is marked as shortened in the responses to writes and deletions, too', async () => {
    await insertVenues(
      numbers(200).map(i => ({ name: `Hall ${i}`, slug: `hall-${i}`, description: '"'.repeat(20_000) })),
    )
    const json = { ...least('events', 'Laden'), venue: numbers(200) }
    const made = await send('POST', '/events', { ...by(people.author), json })
    expect([made.status, made.headers.get('x-shortened')]).toEqual([201, 'true'])
    const path = `/events/${made.body.id}`
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const response = await send(method, path, {
        ...by(people.author),
        ...(method === 'PATCH' && { json: {} }),
      })
      expect([response.status, response.headers.get('x-shortened')], method).toEqual([200, 'true'])
      expect(JSON.stringify(response.body).length, method).toBeLessThan(MAX_BYTES)
    }
  })

  it('gives hidden venues no room, and reveals nothing about them', async () => {
    const description = 'x'.repeat(60_000)
    const secret = numbers(199).map(i => ({
      name: 'Secret',
      slug: `secret-${i}`,
      status: 'private',
      description,
    }))
    await insertVenues([...secret, { name: 'Open', slug: 'open', description: 'Open to all' }])
    await createEvents(10)
    await linkVenues(200, false)
    for (const person of [undefined, people.subscriber, people.another]) {
      const { headers, body } = await send('GET', '/events?per_page=100', by(person))
      expect(headers.get('x-shortened')).toBeNull()
      expect(body.events).not.toEqual([])
      for (const { venue } of body.events)
        expect(venue).toMatchObject({ venue: 'Open', description: 'Open to all' })
    }
    const { headers } = await send('GET', '/events?per_page=100', by(people.administrator))
    expect(headers.get('x-shortened')).toBe('true')
  })
})

describe('a page of venues', () => {
  it('with the longest of all texts stays within bounds, and says what it does', async () => {
    const line = '🎸'.repeat(1_000)
    const description = '🎸'.repeat(20_000)
    for (const part of numbers(5))
      await insertVenues(
        numbers(20).map(i => ({ name: '🎸'.repeat(2_000), slug: `${part}-${i}`, description, line })),
      )
    const { shortened, body } = await readTwice('/venues?per_page=100')
    expect({ shortened, total: body.total, venues: body.venues.length }).toEqual({
      shortened: 'true',
      total: 100,
      venues: 100,
    })
    expect(await readTwice('/venues?per_page=20')).toMatchObject({ shortened: null })
  })
})

it('a page of pairs of long events says that their texts are left out', async () => {
  await createEvents(12)
  await env.DB.batch([
    env.DB.prepare("UPDATE events SET description = replace(printf('%0100000d', 0), '0', '🎸')"),
    env.DB.prepare(
      `INSERT INTO twins (first_id, second_id, state, likeness, at_utc)
       SELECT id, id + 1, 'asked', 0.9, ?1 FROM events WHERE id % 2 = 1`,
    ).bind(MOMENT),
  ])
  const read = (perPage: number) => send('GET', `/duplicates?per_page=${perPage}`, by(people.administrator))
  const few = await read(2)
  const all = await read(100)
  expect([few.headers.get('x-shortened'), all.headers.get('x-shortened')]).toEqual([null, 'true'])
  expect([all.body.total, all.text.length < MAX_BYTES]).toEqual([6, true])
})
