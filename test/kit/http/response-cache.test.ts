import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CachedResponse, responseCache } from '../../../src/kit/http/caching.ts'
import { type Answer, declareUser, makeAll, makeEvent, query, send, WHEN } from '../../factories.ts'
import { TODAY } from '../../setup.ts'
import { measure } from './metrics.ts'

const admin = declareUser('administrator', 'admin')
let event: Answer['body']

beforeAll(async () => {
  event = await makeEvent(admin, { title: 'Cached', venue: { venue: 'Hall' }, categories: ['Music'] })
})

beforeEach(() => {
  responseCache.clear()
})

describe('a response that was sent before', () => {
  const read = (path: string, headers: Record<string, string> = {}) => measure('GET', path, { headers })

  it('is sent again at the cost of one row, as it was', async () => {
    for (const path of ['/events?per_page=2', '/events/by-slug/cached', '/venues?page=1', '/categories']) {
      const first = await read(path)
      const second = await read(path)
      expect([second.trips, second.rows], path).toEqual([1, 1])
      expect([first.trips, first.rows > 1], path).toEqual([1, true])
      expect([second.status, second.text], path).toEqual([200, first.text])
      for (const name of [
        'content-type',
        'etag',
        'last-modified',
        'cache-control',
        'cloudflare-cdn-cache-control',
        'cache-tag',
        'vary',
        'x-tec-total',
      ])
        expect(second.headers.get(name), name).toBe(first.headers.get(name))
      expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    }
  })

  it('keeps its links', async () => {
    await makeEvent(admin, { title: 'Cached as well' })
    const first = await read('/events?per_page=1')
    const second = await read('/events?per_page=1')
    expect(first.headers.get('link')).toContain('rel="next"')
    expect([second.rows, second.headers.get('link')]).toEqual([1, first.headers.get('link')])
  })

  it('is worked out anew, in a second trip, once anything has changed', async () => {
    await read('/events?search=cached')
    await send('PATCH', `/events/${event.id}`, { as: admin, json: { cost: '$1234' } })
    const { text, trips, rows } = await read('/events?search=cached')
    expect({ hasNewCost: text.includes('$1234'), trips, readsRows: rows > 2 }).toEqual({
      hasNewCost: true,
      trips: 2,
      readsRows: true,
    })
    expect(await read('/events?search=cached')).toMatchObject({ text, trips: 1, rows: 1 })
  })

  it('is worked out anew at once when another instance has changed something', async () => {
    const before = await read('/venues?search=hall')
    // Past this instance's code, as others write.
    await query("UPDATE venues SET phone = '0815', version = version + 1 WHERE id = ?", event.venue.id)
    const after = await read('/venues?search=hall')
    expect([before.text.includes('0815'), after.text.includes('0815')]).toEqual([false, true])
  })

  it('stays when something changes that the public does not see', async () => {
    const { id } = await makeEvent(admin, { title: 'Draft', status: 'draft' })
    const first = await read('/events')
    await send('PATCH', `/events/${id}`, { as: admin, json: { title: 'Still a draft' } })
    expect(await read('/events')).toMatchObject({ text: first.text, trips: 1, rows: 1 })
  })

  it('is one for all requests that differ in unknown parameters only', async () => {
    const first = await read('/events?per_page=2&utm_source=mail')
    for (const path of [
      '/events?per_page=2',
      '/events?x=1&per_page=2&y[]=2',
      '/events/?&per_page=2&_=1795176000',
    ])
      expect(await read(path), path).toMatchObject({ text: first.text, trips: 1, rows: 1 })
    expect(responseCache.entries()).toHaveLength(1)
    // Which names are unknown is still each request's own.
    expect((await read('/events?per_page=2&x=1')).headers.get('x-ignored-fields')).toBe('x')
    expect((await read('/events?per_page=2')).headers.has('x-ignored-fields')).toBe(false)
  })

  it('differs for each known parameter, address and set of settings', async () => {
    const origin = (host: string) => `https://${host}/calendar/events/v1/events`
    await read(origin('one.example'))
    for (const path of [
      origin('two.example'),
      `${origin('one.example')}?page=1`,
      `${origin('one.example')}/${event.id}`,
    ])
      expect((await read(path)).rows, path).toBeGreaterThan(1)
    expect((await read(origin('two.example'))).text).toContain('https://two.example/event/')
    const bindings = { DEBUG_TIMING: '1', SITE_URL: 'https://site.example' }
    const other = await send('GET', origin('one.example'), { bindings })
    expect(other.text).toContain('https://site.example/event/')
  })

  it('is kept for the public only', async () => {
    await read('/events?per_page=1', { authorization: admin })
    expect(responseCache.entries()).toEqual([])
    await read('/events?per_page=1')
    expect((await read('/events?per_page=1', { authorization: admin })).rows).toBeGreaterThan(1)
  })

  it('is never an error', async () => {
    for (const path of [
      '/events/999999',
      '/events?page=x',
      '/events?page=99',
      '/events?status=draft',
      '/tags/999999',
    ])
      expect((await read(path)).status, path).toBeGreaterThanOrEqual(400)
    expect(responseCache.entries()).toEqual([])
  })

  it('shows the events of the moment, not earlier ones', async () => {
    const soon = { start_date: '2026-11-20 12:00:30', end_date: '2026-11-20 12:01:00' }
    await makeEvent(admin, { title: 'Beginning', ...soon })
    const path = '/events?strict_dates=1&search=beginning&ends_after[]=2026-01-01&ends_after[]=now'
    expect((await send('GET', path)).body.total).toBe(1)
    vi.setSystemTime(TODAY.getTime() + 120_000)
    expect((await send('GET', path)).body.total).toBe(0)
  })

  it('is one for a minute, however often somebody asks what is on now', async () => {
    const first = await read('/events?happening=now')
    for (let second = 1; second < 60; second += 2) {
      vi.setSystemTime(TODAY.getTime() + second * 1000)
      expect(await read('/events?happening=now')).toMatchObject({ text: first.text, trips: 1, rows: 1 })
    }
    vi.setSystemTime(TODAY.getTime() + 60_000)
    expect((await read('/events?happening=now')).rows).toBeGreaterThan(1)
    expect(responseCache.entries()).toHaveLength(1)
  })

  it('stays as time goes on, up to the day on which default windows move', async () => {
    const first = await read('/events?per_page=3')
    vi.setSystemTime(TODAY.getTime() + 3_600_000)
    expect(await read('/events?per_page=3')).toMatchObject({ text: first.text, trips: 1, rows: 1 })
    vi.setSystemTime(TODAY.getTime() + 86_400_000)
    expect((await read('/events?per_page=3')).rows).toBeGreaterThan(1)
  })
})

describe('a large response', () => {
  it('is kept as well, and sent again byte by byte', async () => {
    const description = `<p>${'日本語のイベント, «naïve» '.repeat(100)}</p>`
    const events = Array.from({ length: 100 }, (_, i) => ({ title: `Large ${i}`, ...WHEN, description }))
    // A batch has a hundred at most.
    await makeAll(admin, 'events', events)
    await makeAll(admin, 'events', events.slice(0, 30))
    for (const path of ['/events.ics', '/events.rss', '/events.feed.json', '/events.csv']) {
      const first = await measure('GET', path)
      const second = await measure('GET', path)
      expect(Buffer.byteLength(first.text), path).toBeGreaterThan(400_000)
      // Without a comparison line by line, which takes seconds.
      expect(second.text === first.text, path).toBe(true)
      expect(second, path).toMatchObject({ trips: 1, rows: 1 })
      for (const name of ['content-type', 'etag'])
        expect(second.headers.get(name)).toBe(first.headers.get(name))
    }
  })
})

describe('the cache of an instance', () => {
  const response = (size: number) => ({ tag: 't', body: new Uint8Array(size), headers: [] })
  const LIMIT = 24_000_000

  it('forgets what was not asked for the longest, and keeps nothing that is too large', () => {
    for (let i = 0; i < 30; i += 1) {
      responseCache.set(`/${i}`, response(950_000))
      responseCache.get('/0')
    }
    responseCache.set('/large', response(8_000_000))
    // The first one was asked for after the last.
    const kept = [...Array.from({ length: 24 }, (_, i) => `/${i + 6}`), '/0']
    expect(responseCache.entries().map(([key]) => key)).toEqual(kept)
  })

  it.each<[string, (i: number) => [string, CachedResponse]]>([
    ['bodies', i => [`/${i}`, response(15_000)]],
    ['keys', i => [`/${i}?${'x'.repeat(15_000)}`, response(10)]],
    ['headers', i => [`/${i}`, { ...response(10), headers: [['link', '日'.repeat(15_000)]] }]],
  ])('counts the bytes of %s', (_, entry) => {
    for (let i = 0; i < 2_000; i += 1) responseCache.set(...entry(i))
    const sizes = responseCache
      .entries()
      .map(([key, { tag, body, headers }]) => body.length + 2 * [key, tag, ...headers.flat()].join('').length)
    const bytes = sizes.reduce((sum, size) => sum + size)
    expect(bytes).toBeGreaterThan(LIMIT * 0.9)
    expect(bytes).toBeLessThanOrEqual(LIMIT)
  })
})
