import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp } from '../src/app.ts'
import { Memory } from '../src/http/memory.ts'
import { settingsOf } from '../src/settings.ts'
import { API, makeUser, send } from './factories.ts'
import { TODAY } from './setup.ts'

const WHEN = { start_date: '2027-01-10 10:00:00', end_date: '2027-01-10 12:00:00' }
let admin: string
let author: string
let event: number

beforeAll(async () => {
  admin = await makeUser('admin', 'administrator')
  author = await makeUser('author', 'author')
  event = Number(
    (
      await send('POST', '/events', {
        as: admin,
        json: { title: 'Cached', ...WHEN, venue: { venue: 'Hall' } },
      })
    ).body.id,
  )
})

const tagOf = async (path: string, as?: string) =>
  (await send('GET', path, as ? { as } : {})).headers.get('etag') ?? ''
const again = (path: string, tag: string, as?: string) =>
  send('GET', path, { headers: { 'if-none-match': tag }, ...(as && { as }) })

describe('a conditional read', () => {
  it.each([
    '/events',
    '/events/1',
    '/events/by-slug/cached',
    '/venues',
    '/venues/1',
    '/organizers',
    '/categories',
    '/tags',
  ])('of %s is answered 304 without a body, with a strong tag, until something changes', async path => {
    const tag = await tagOf(path)
    expect(tag).toMatch(/^"[^"]+"$/)
    const unchanged = await again(path, tag)
    expect([unchanged.status, unchanged.body, unchanged.headers.get('etag')]).toEqual([304, {}, tag])
    expect(unchanged.headers.get('cache-control')).toContain('public')
    await send('PATCH', `/events/${event}`, { as: admin, json: { excerpt: path } })
    const changed = await again(path, tag)
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(tag)
  })

  it('heeds lists of tags and weak ones', async () => {
    const tag = await tagOf('/events')
    expect((await again('/events', `"other", W/${tag}`)).status).toBe(304)
    expect((await again('/events', '"other"')).status).toBe(200)
  })

  it('tells callers apart who see different things', async () => {
    const tags = [await tagOf('/events'), await tagOf('/events', admin), await tagOf('/events', author)]
    expect(new Set(tags).size).toBe(3)
    expect((await again('/events', tags[0] ?? '', admin)).status).toBe(200)
  })

  it('is answered anew on the next day, when default windows move', async () => {
    const tag = await tagOf('/events')
    vi.setSystemTime(TODAY.getTime() + 86_400_000)
    const { status } = await again('/events', tag)
    vi.setSystemTime(TODAY)
    expect(status).toBe(200)
  })

  it('is answered anew the next second where the answer depends on the time', async () => {
    for (const path of [
      '/venues?only_with_upcoming=1',
      '/events?start_date=now&strict_dates=1',
      '/events?ends_after=-1 hour',
    ]) {
      const tag = await tagOf(path)
      expect((await again(path, tag)).status).toBe(304)
      vi.setSystemTime(TODAY.getTime() + 1000)
      expect((await again(path, tag)).status, path).toBe(200)
      vi.setSystemTime(TODAY)
    }
  })

  it('is answered anew when something scheduled becomes due, before the cron trigger has run', async () => {
    const due = { title: 'Due', ...WHEN, date: '2026-11-20 12:00:10' }
    const { body: scheduled } = await send('POST', '/events', { as: admin, json: due })
    const tag = await tagOf('/events')
    vi.setSystemTime(TODAY.getTime() + 10_000)
    const { status, body } = await again('/events?search=due', tag)
    vi.setSystemTime(TODAY)
    expect([status, body.total]).toEqual([200, 1])
    await send('DELETE', `/events/${scheduled.id}?force=1`, { as: admin })
  })

  it('says when the calendar last changed, at the earliest this midnight', async () => {
    const modified = (await send('GET', '/events')).headers.get('last-modified') ?? ''
    expect(Date.parse(modified)).toBeGreaterThanOrEqual(Date.parse('2026-11-20T00:00:00Z'))
  })
})

describe('If-Match', () => {
  const patch = (path: string, tag: string, json: object) =>
    send('PATCH', path, { as: admin, json, headers: { 'if-match': tag } })

  it('lets a write through whose resource is as it was read, whatever else changed', async () => {
    const tag = await tagOf(`/events/${event}`)
    await send('POST', '/organizers', { as: admin, json: { organizer: 'Somebody else' } })
    expect((await patch(`/events/${event}`, tag, { cost: '$1' })).status).toBe(200)
  })

  it('stops a write whose resource was changed', async () => {
    const tag = await tagOf(`/events/${event}`)
    const { headers } = await send('PATCH', `/events/${event}`, { as: admin, json: { cost: '$2' } })
    const { status, body } = await patch(`/events/${event}`, tag, { cost: '$3' })
    expect([status, body.code]).toEqual([412, 'rest_precondition_failed'])
    expect(
      (await send('DELETE', `/events/${event}`, { as: admin, headers: { 'if-match': tag } })).status,
    ).toBe(412)
    expect((await patch(`/events/${event}`, headers.get('etag') ?? '', { cost: '$4' })).status).toBe(200)
    expect((await patch(`/events/${event}`, '*', { cost: '$5' })).status).toBe(200)
  })

  it('works for venues, organizers and terms alike', async () => {
    const { body } = await send('POST', '/tags', { as: admin, json: { name: 'matched' } })
    for (const [path, json] of [
      ['/venues/1', { city: 'Kent' }],
      ['/organizers/1', { phone: '1' }],
      [`/tags/${body.id}`, { description: 'x' }],
    ] as const) {
      const tag = await tagOf(path)
      expect((await patch(path, tag, json)).status, path).toBe(200)
      expect((await patch(path, tag, json)).status, path).toBe(412)
    }
  })
})

describe('answers', () => {
  it('to anonymous readers may be shared, for as long as the settings say', async () => {
    const { headers } = await send('GET', '/events')
    expect(headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=600')
    expect(headers.get('cache-tag')).toBe('calendar')
    expect(headers.get('vary')).toContain('Authorization')
    const settings = settingsOf({ CACHE_MAX_AGE: '5', CACHE_STALE: '0' })
    const answer = await createApp(settings).request(`${API}/events`, {}, env)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=5, stale-while-revalidate=0')
  })

  it.each([
    ['with credentials', 'private, no-store', () => send('GET', '/events', { as: admin })],
    ['to writes', 'private, no-store', () => send('PATCH', '/events/1', { as: admin, json: {} })],
    ['that are errors', 'no-store', () => send('GET', '/events/999')],
    ['to refused writes', 'private, no-store', () => send('POST', '/events')],
    ['where no route is', 'no-store', () => send('GET', '/nothing')],
  ])('%s are kept by nobody', async (_, expected, request) => {
    const { headers } = await request()
    expect(headers.get('cache-control')).toBe(expected)
    expect(headers.get('cache-tag')).toBeNull()
  })

  it('carry a bookmark only where no shared cache keeps them', async () => {
    const written = await send('PATCH', `/events/${event}`, { as: admin, json: { cost: '$6' } })
    const bookmark = written.headers.get('x-d1-bookmark') ?? ''
    expect(bookmark).not.toBe('')
    expect((await send('GET', '/events')).headers.get('x-d1-bookmark')).toBeNull()
    const read = await send('GET', '/events', { headers: { 'x-d1-bookmark': bookmark } })
    expect(read.headers.get('x-d1-bookmark')).not.toBeNull()
    expect(read.headers.get('cache-control')).toBe('private, no-store')
  })

  it('never show the header by which versions are handed on', async () => {
    expect((await send('GET', `/events/${event}`)).headers.get('x-resource-version')).toBeNull()
  })

  it('tell what D1 did where DEBUG_TIMING is set, and nowhere else', async () => {
    expect((await send('GET', '/events')).headers.get('server-timing')).toBeNull()
    const answer = await createApp(settingsOf({ DEBUG_TIMING: '1' })).request(`${API}/events`, {}, env)
    expect(answer.headers.get('server-timing')).toMatch(
      /^d1;dur=[\d.]+, trips;desc="1", rows-read;desc="\d+", rows-written;desc="0"$/,
    )
  })
})

describe('shared caches', () => {
  const app = createApp(settingsOf({}))
  const purge = vi.fn(async () => true)
  const waiting: Promise<unknown>[] = []
  // The part of the runtime that local development lacks.
  const context = {
    waitUntil: (promise: Promise<unknown>) => waiting.push(promise),
    passThroughOnException: () => undefined,
    props: {},
    cache: { purge },
  }
  const write = (json: object) =>
    app.request(
      `${API}/events/${event}`,
      {
        method: 'PATCH',
        headers: { authorization: admin, 'content-type': 'application/json' },
        body: JSON.stringify(json),
      },
      env,
      context as unknown as ExecutionContext,
    )

  it('forget at once what was written, and then once for all that follows', async () => {
    expect((await write({ cost: '$7' })).status).toBe(200)
    expect(purge).toHaveBeenCalledExactlyOnceWith({ tags: ['calendar'] })
    expect((await write({ status: 'nonsense' })).status).toBe(400)
    await Promise.all(waiting)
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout'], now: TODAY })
    await write({ cost: '$8' })
    await write({ cost: '$9' })
    expect(purge).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(20_000)
    await Promise.all(waiting)
    vi.useFakeTimers({ toFake: ['Date'], now: TODAY })
    expect(purge).toHaveBeenCalledTimes(2)
  })
})

describe('an answer that was just given', () => {
  const app = createApp(settingsOf({ DEBUG_TIMING: '1' }))
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await app.request(API + path, { headers }, env)
    const [, trips, rows] =
      answer.headers.get('server-timing')?.match(/trips;desc="(\d+)".*rows-read;desc="(\d+)"/) ?? []
    return { body: await answer.text(), headers: answer.headers, trips: Number(trips), rows: Number(rows) }
  }

  it('is given again at the cost of one row, as it was', async () => {
    for (const path of ['/events?per_page=2', '/events/by-slug/cached', '/venues?page=1']) {
      const [first, second] = [await read(path), await read(path)]
      expect([second.trips, second.rows]).toEqual([1, 1])
      expect(first.rows).toBeGreaterThan(3)
      expect(second.body).toBe(first.body)
      for (const name of ['content-type', 'etag', 'last-modified', 'cache-control', 'x-tec-total', 'link'])
        expect(second.headers.get(name), name).toBe(first.headers.get(name))
      expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    }
  })

  it('is worked out anew, in the same round trip, once anything has changed', async () => {
    await read('/events?search=cached')
    await send('PATCH', `/events/${event}`, { as: admin, json: { cost: '$1234' } })
    const { body, trips, rows } = await read('/events?search=cached')
    expect([body.includes('$1234'), trips, rows > 1]).toEqual([true, 1, true])
  })

  it('is given again where that was less likely, at the cost of a few rows', async () => {
    const first = await read('/events?per_page=3')
    vi.setSystemTime(TODAY.getTime() + 60_000)
    const second = await read('/events?per_page=3')
    vi.setSystemTime(TODAY)
    expect(second.body).toBe(first.body)
    expect(second.trips).toBe(1)
    expect(second.rows).toBeLessThanOrEqual(3)
  })

  it('is worked out anew when somebody else has changed something', async () => {
    const before = await read('/venues?search=hall')
    await env.DB.prepare("UPDATE venues SET phone = '0815', version = version + 1 WHERE id = 1").run()
    const after = await read('/venues?search=hall')
    expect([before.body.includes('0815'), after.body.includes('0815')]).toEqual([false, true])
  })

  it('is kept for the public only, and for one address', async () => {
    await read('/events?per_page=1')
    expect((await read('/events?per_page=1', { authorization: admin })).rows).toBeGreaterThan(1)
    const elsewhere = await app.request(
      'https://elsewhere.example/calendar/events/v1/events?per_page=1',
      {},
      env,
    )
    expect(await elsewhere.text()).toContain('https://elsewhere.example/event/')
  })

  it('makes room for others when there are many', () => {
    const memory = new Memory()
    const answer = { state: 's', body: 'x'.repeat(300_000), headers: [] }
    for (let i = 0; i < 20; i++) memory.keep(`/${i}`, answer)
    memory.keep('/large', { ...answer, body: 'x'.repeat(500_000) })
    const kept = Array.from({ length: 20 }, (_, i) => i).filter(i => memory.recall(`/${i}`))
    expect(kept).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    expect(memory.recall('/large')).toBeUndefined()
  })
})
