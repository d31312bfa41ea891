import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { declareUser, makeEvent, send } from '../../factories.ts'
import { measure } from './metrics.ts'

// `_fields` gives a part of the whole response, and reads less of the database.

const admin = declareUser('administrator', 'admin')

beforeAll(async () => {
  const description = '<p>Long</p>'
  const image = { url: 'https://example.org/a.png', width: 3, height: 2 }
  await makeEvent(admin, {
    title: 'Whole',
    description,
    image,
    venue: [{ venue: 'Hall', city: 'Rome', geo_lat: 1, geo_lng: 2 }, { venue: 'Other' }],
    organizer: { organizer: 'Ann', website: 'https://example.org' },
    categories: ['Music', 'Film'],
    tags: ['a'],
    custom_fields: { door: { label: 'Door', value: 'B' } },
    cost: '$5 - $7',
  })
  await makeEvent(admin, { title: 'Bare' })
  await makeEvent(admin, {
    title: 'One venue',
    venue: { venue: 'Hall', city: 'Rome', geo_lat: 1, geo_lng: 2 },
  })
  await makeEvent(admin, { title: 'Series', recurrence: 'FREQ=DAILY;COUNT=2', description })
})

type Json = ReturnType<typeof JSON.parse>

/** The part of a value that paths name, computed independently of the service. */
function part(value: Json, paths: readonly string[][]): Json {
  if (Array.isArray(value)) return value.map(item => part(item, paths)).filter(item => item !== undefined)
  if (value === null || typeof value !== 'object') return undefined
  const kept: Json = {}
  for (const [name, inner] of Object.entries<Json>(value)) {
    const below = paths.filter(([first]) => first === name).map(([, ...rest]) => rest)
    if (below.length === 0) continue
    const result = below.some(rest => rest.length === 0) ? inner : part(inner, below)
    if (result !== undefined) kept[name] = result
  }
  return kept
}

const get = async (path: string, as?: string) => {
  const { status, body } = await send('GET', path, as ? { as } : {})
  expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200)
  return body
}

/** Paths to everything in a value, and to some missing parts. */
function pathsIn(value: Json, depth = 0): string[] {
  if (Array.isArray(value)) return value.flatMap(item => pathsIn(item, depth))
  if (value === null || typeof value !== 'object' || depth > 3) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    name,
    ...pathsIn(inner, depth + 1).map(rest => `${name}.${rest}`),
  ])
}

describe('_fields', () => {
  it.each([
    ['/events', 'events'],
    ['/events?search=whole', 'events'],
    ['/venues', 'venues'],
    ['/organizers', 'organizers'],
    ['/categories', 'categories'],
    ['/tags', 'tags'],
    ['/events/1', ''],
    ['/events/by-slug/bare', ''],
    ['/events/4', ''],
    ['/venues/1', ''],
    ['/organizers/1', ''],
    ['/categories/1', ''],
    ['/series/1', ''],
    ['', ''],
    ['/doc', ''],
  ])('of %s is a part of the whole response', async (path, collection) => {
    const whole = await get(path)
    const items = collection === '' ? whole : whole[collection]
    const known = [...new Set(pathsIn(items))]
    expect(known.length).toBeGreaterThan(3)
    const some = fc.array(
      fc.oneof(fc.constantFrom(...known), fc.constantFrom('nope', 'title.nope', '__proto__', 'venue.nope.x')),
      {
        minLength: 1,
        maxLength: 9,
      },
    )
    for (const names of fc.sample(some, { numRuns: path === '/events/1' ? 30 : 6, seed: 5 })) {
      const query = `${path}${path.includes('?') ? '&' : '?'}_fields=${encodeURIComponent(names.join(','))}`
      const expected = part(
        items,
        names.map(name => name.split('.')),
      )
      const found = await get(query)
      if (collection === '') expect(found, query).toEqual(expected)
      else {
        expect(found[collection], query).toEqual(expected)
        expect(found.total).toBe(whole.total)
      }
    }
  })

  it('may be repeated or bracketed, empty, or below the name of the list', async () => {
    const wanted = (await get('/events')).events.map(({ id, title }: Json) => ({ id, title }))
    for (const query of [
      '_fields=id,title',
      '_fields=id&_fields=title',
      '_fields[]=title&_fields[]=id',
      '_fields=events.id,events.title',
      '_fields=id,events.title,total',
    ])
      expect((await get(`/events?${query}`)).events, query).toEqual(wanted)
    const whole = await get('/events')
    for (const query of ['_fields=', '_fields=events', '_fields=events,id'])
      expect((await get(`/events?${query}`)).events, query).toEqual(whole.events)
  })

  it('stays in links to other pages, is a known parameter, and only affects reads', async () => {
    const { body, headers } = await send('GET', '/events?_fields=id&per_page=1')
    expect(body.next_rest_url).toContain('_fields=id')
    expect(headers.get('x-ignored-fields')).toBeNull()
    const written = await send('PATCH', '/events/2?_fields=id', { as: admin, json: { cost: '1' } })
    expect([written.body.title, written.headers.get('x-ignored-fields')]).toEqual(['Bare', '_fields'])
    expect((await send('GET', '/events.ics?_fields=id')).headers.get('x-ignored-fields')).toBe('_fields')
    const many = Array.from({ length: 501 }, (_, i) => `f${i}`).join()
    expect((await send('GET', `/events?_fields=${many}`)).status).toBe(400)
    expect((await send('GET', `/events?_fields=${'a.'.repeat(3000)}b`)).status).toBe(200)
    expect((await send('GET', '/events/999?_fields=id')).body.code).toBe('rest-event-not-found')
  })

  it('has entity tags of its own', async () => {
    const whole = await send('GET', '/events/1')
    const some = await send('GET', '/events/1?_fields=id')
    expect(some.headers.get('etag')).not.toBe(whole.headers.get('etag'))
    const again = await send('GET', '/events/1?_fields=id', {
      headers: { 'if-none-match': some.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  it('reads less when clients ask for less', async () => {
    const rows = async (path: string) => (await measure('GET', path)).rows
    for (const path of ['/events/1', '/events?search=whole']) {
      const mark = path.includes('?') ? '&' : '?'
      const all = await rows(path)
      const venue = await rows(`${path}${mark}_fields=id,venue.venue`)
      const none = await rows(`${path}${mark}_fields=id,title`)
      expect(none, path).toBeLessThan(venue)
      expect(venue, path).toBeLessThan(all)
    }
  })
})
