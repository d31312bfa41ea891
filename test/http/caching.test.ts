import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { settingsOf } from '../../src/settings.ts'
import { type Answer, API, makeEvent, makeUser, send, WHEN } from '../factories.ts'
import { TODAY } from '../setup.ts'

let admin: string
let author: string
let event: Answer['body']

beforeAll(async () => {
  admin = await makeUser('admin', 'administrator')
  author = await makeUser('author', 'author')
  event = await makeEvent(admin, { title: 'Cached', venue: { venue: 'Hall' } })
})

const tagOf = async (path: string, as?: string) =>
  (await send('GET', path, as ? { as } : {})).headers.get('etag') ?? ''
const again = (path: string, tag: string, as?: string) =>
  send('GET', path, { headers: { 'if-none-match': tag }, ...(as && { as }) })

describe('a conditional read', () => {
  it.each([
    '/events',
    '/events/{event}',
    '/events/by-slug/cached',
    '/venues',
    '/venues/{venue}',
    '/organizers',
    '/categories',
    '/tags',
  ])('of %s is answered 304 without a body, with a strong tag, until something changes', async pattern => {
    const path = pattern.replace('{event}', event.id).replace('{venue}', event.venue.id)
    const tag = await tagOf(path)
    expect(tag).toMatch(/^"[^"]+"$/)
    const unchanged = await again(path, tag)
    expect([unchanged.status, unchanged.body, unchanged.headers.get('etag')]).toEqual([304, {}, tag])
    expect(unchanged.headers.get('cache-control')).toContain('public')
    await send('PATCH', `/events/${event.id}`, { as: admin, json: { excerpt: path } })
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
    ['to writes', 'private, no-store', () => send('PATCH', `/events/${event.id}`, { as: admin, json: {} })],
    ['that are errors', 'no-store', () => send('GET', '/events/999')],
    ['to refused writes', 'private, no-store', () => send('POST', '/events')],
    ['where no route is', 'no-store', () => send('GET', '/nothing')],
  ])('%s are kept by nobody', async (_, expected, request) => {
    const { headers } = await request()
    expect(headers.get('cache-control')).toBe(expected)
    expect(headers.get('cache-tag')).toBeNull()
  })

  it('carry a bookmark only where no shared cache keeps them', async () => {
    const written = await send('PATCH', `/events/${event.id}`, { as: admin, json: { cost: '$6' } })
    const bookmark = written.headers.get('x-d1-bookmark') ?? ''
    expect(bookmark).not.toBe('')
    expect((await send('GET', '/events')).headers.get('x-d1-bookmark')).toBeNull()
    const read = await send('GET', '/events', { headers: { 'x-d1-bookmark': bookmark } })
    expect(read.headers.get('x-d1-bookmark')).not.toBeNull()
    expect(read.headers.get('cache-control')).toBe('private, no-store')
  })

  it('never show the header by which versions are handed on', async () => {
    expect((await send('GET', `/events/${event.id}`)).headers.get('x-resource-version')).toBeNull()
  })

  it('tell what D1 did where DEBUG_TIMING is set, and nowhere else', async () => {
    expect((await send('GET', '/events')).headers.get('server-timing')).toBeNull()
    const answer = await createApp(settingsOf({ DEBUG_TIMING: '1' })).request(`${API}/events`, {}, env)
    expect(answer.headers.get('server-timing')).toMatch(
      /^d1;dur=[\d.]+, trips;desc="1", rows-read;desc="\d+", rows-written;desc="0"$/,
    )
  })
})
