import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../../src/app.ts'
import type { Bindings } from '../../../src/kit/env.ts'
import { responseCache } from '../../../src/kit/http/caching.ts'
import { quotedTag, tagsIn } from '../../../src/kit/http/revision.ts'
import { MINUTE_MS } from '../../../src/kit/lib/time.ts'
import { settingsOf, type Vars } from '../../../src/kit/settings.ts'
import {
  type Answer,
  API,
  basic,
  declareUser,
  makeEvent,
  makeUser,
  query,
  SITE,
  send,
  WHEN,
} from '../../factories.ts'
import { TODAY } from '../../setup.ts'
import { measure, metricsOf } from './metrics.ts'

const admin = declareUser('administrator', 'admin')
const author = declareUser('author')
let event: Answer['body']

// The settings of the Worker that other requests go to, but for one that responses don't show.
const debugged = createApp({ ...settingsOf(env as unknown as Bindings), debugTiming: true })

beforeAll(async () => {
  event = await makeEvent(admin, { title: 'Cached', venue: { venue: 'Hall' } })
})

const tagOf = async (path: string, as?: string) =>
  (await send('GET', path, as ? { as } : {})).headers.get('etag') ?? ''
const readIfNoneMatch = (path: string, tag: string, as?: string) =>
  send('GET', path, { headers: { 'if-none-match': tag }, ...(as && { as }) })

/** A read with what it cost. */
async function timed(path: string, headers: Record<string, string>) {
  const response = await debugged.request(API + path, { headers }, env)
  return { status: response.status, ...metricsOf(response) }
}

it('a tag whose digest looks like a version is read whole', () => {
  const digests = ['0123456789abcdefg-v7', '0123456789abcdef-3v7', '0123456789abcdefghij']
  for (const digest of digests) {
    expect(tagsIn(`${quotedTag(digest)}, W/${quotedTag(digest, 12, 'beef0000')}`)).toEqual([digest, digest])
  }
})

describe('a conditional read', () => {
  it.each([
    '/events',
    '/events?search=cached&per_page=3',
    '/events/{event}',
    '/events/by-slug/cached',
    '/venues',
    '/venues/{venue}',
    '/organizers',
    '/categories',
    '/tags',
  ])(
    'of %s gets a 304 without a body, with a strong tag, for one row, until something changes',
    async pattern => {
      const path = pattern.replace('{event}', event.id).replace('{venue}', event.venue.id)
      const tag = await tagOf(path)
      expect(tag).toMatch(/^"[^"]+"$/)
      const unchanged = await readIfNoneMatch(path, tag)
      expect({ status: unchanged.status, body: unchanged.body, etag: unchanged.headers.get('etag') }).toEqual(
        { status: 304, body: {}, etag: tag },
      )
      expect(unchanged.headers.get('cache-control')).toContain('public')
      const modified = Date.parse(unchanged.headers.get('last-modified') ?? '')
      expect(Math.abs(Date.now() - modified)).toBeLessThan(MINUTE_MS)
      expect(await timed(path, { 'if-none-match': tag })).toMatchObject({ status: 304, trips: 1, rows: 1 })
      await send('PATCH', `/events/${event.id}`, { as: admin, json: { excerpt: path } })
      const changed = await readIfNoneMatch(path, tag)
      expect(changed.status).toBe(200)
      expect(changed.headers.get('etag')).not.toBe(tag)
    },
  )

  it('costs one row for editors as well, besides those of their log-in', async () => {
    const path = '/events?per_page=3'
    const tag = await tagOf(path, admin)
    const first = await timed(path, { authorization: admin })
    const second = await timed(path, { authorization: admin, 'if-none-match': tag })
    expect(second).toMatchObject({ status: 304, trips: 1 })
    expect(second.rows).toBeLessThan(first.rows)
    expect(second.rows).toBeLessThanOrEqual(4)
  })

  it('has tags made from the response for authors, so that they do not change with content that others hide', async () => {
    const path = '/events?per_page=3'
    const tag = await tagOf(path, author)
    await send('POST', '/events', { as: admin, json: { title: 'Hidden', ...WHEN, status: 'private' } })
    expect(await timed(path, { authorization: author, 'if-none-match': tag })).toMatchObject({ status: 304 })
  })

  it.each([
    ['anybody', undefined],
    ['an author', author],
    ['an editor', admin],
  ])('of %s with * gets a 304 for what exists, and an error for what does not', async (_, as) => {
    for (const path of [
      '/events',
      '/events',
      `/events/${event.id}`,
      '/events.ics',
      '/events?happening=now',
      '/doc',
    ]) {
      const { status, headers, text } = await readIfNoneMatch(path, ' * ', as)
      expect([status, text], path).toEqual([304, ''])
      expect(headers.get('etag'), path).toMatch(/^"[^"*]+"$/)
    }
    for (const path of ['/events/99999', '/nowhere'])
      expect((await readIfNoneMatch(path, '*', as)).status, path).toBe(404)
    expect((await readIfNoneMatch('/events?page=x', '*', as)).status).toBe(400)
    const found = await send('GET', '/events', as ? { as } : {})
    expect([found.status, (await readIfNoneMatch('/events', '"*"', as)).status]).toEqual([200, 200])
  })

  it('heeds lists of tags and weak ones', async () => {
    const tag = await tagOf('/events')
    const { status, headers } = await readIfNoneMatch('/events', `"other", W/${tag}`)
    expect([status, headers.get('etag')]).toEqual([304, tag])
    expect((await readIfNoneMatch('/events', '"other"')).status).toBe(200)
  })

  it('has different tags for callers who see different content', async () => {
    const other = await makeUser('another author', 'author')
    const editor = await makeUser('editor', 'editor')
    const subscriber = await makeUser('subscriber', 'subscriber')
    const tag = await tagOf('/events')
    const tags = [
      tag,
      await tagOf('/events', admin),
      await tagOf('/events', author),
      await tagOf('/events', other),
    ]
    expect(new Set(tags).size).toBe(tags.length)
    for (const [as, own] of [
      [undefined, tags[0]],
      [admin, tags[1]],
      [author, tags[2]],
      [other, tags[3]],
    ] as const)
      for (const sent of tags)
        expect((await readIfNoneMatch('/events', sent, as)).status).toBe(sent === own ? 304 : 200)
    // These see the same.
    expect(await tagOf('/events', editor)).toBe(tags[1])
    expect((await readIfNoneMatch('/events', tag, subscriber)).status).toBe(304)
  })

  it('takes no tag of another address, parameter, host or namespace', async () => {
    const tag = await tagOf('/events')
    for (const path of [
      '/events?page=1',
      '/events?per_page=6',
      '/venues',
      '/organizers',
      '/categories',
      '/tags',
      `/events/${event.id}`,
      '/events/by-slug/cached',
      `/venues/${event.venue.id}`,
      'https://elsewhere.example/calendar/events/v1/events',
    ])
      expect((await readIfNoneMatch(path, tag)).status, path).toBe(200)
    expect((await readIfNoneMatch('/events?unknown=1', tag)).status).toBe(304)
    const headers = { 'if-none-match': tag }
    const alias = { headers, bindings: { NAMESPACE_ALIASES: 'old/v1' } }
    expect((await send('GET', `${SITE}/old/v1/events`, alias)).status).toBe(200)
    // Another build may show the same in other words.
    const next = { headers, bindings: { CF_VERSION_METADATA: { id: 'next' } } }
    expect((await send('GET', '/events', next)).status).toBe(200)
  })

  it('takes no forged tag, and shows no number that would help to forge one', async () => {
    const tag = await tagOf('/events')
    const results = await query<Record<string, unknown>>('SELECT * FROM revision')
    const [{ secret, change_number, public_change_number } = {}] = results
    expect(String(secret).length).toBeGreaterThanOrEqual(32)
    for (const value of [secret, change_number, public_change_number]) {
      expect(tag.replaceAll('"', '').split(/\W/)).not.toContain(String(value))
      expect((await readIfNoneMatch('/events', `"${value}"`)).status).toBe(200)
    }
    for (const made of [tag.slice(0, -3).concat('"'), tag.toLowerCase()])
      expect((await readIfNoneMatch('/events', made)).status, made).toBe(200)
  })

  it.each([
    '',
    '"',
    '""',
    'W/',
    'W/"',
    ',,,',
    '"a"b"',
    '-v1',
    '"-v1"',
    '"-v99"',
    '\\"',
    "'x'",
    `"${'x'.repeat(7_000)}"`,
    '"x",'.repeat(1_500),
    'W/W/"x"',
    '"%22"',
    '"undefined"',
    '[object Object]',
  ])('ignores a tag that is garbage: %j', async tag => {
    const path = `/events/${event.id}`
    for (const address of ['/events', path]) expect((await readIfNoneMatch(address, tag)).status).toBe(200)
    const write = { as: admin, json: { cost: '$1' }, headers: { 'if-match': tag } }
    expect((await send('PATCH', path, write)).status).toBe(412)
  })

  it('gets an error for what is an error, whatever tags it sends', async () => {
    const hidden = await makeEvent(admin, { title: 'Hidden', status: 'draft' })
    const trashed = await makeEvent(admin, { title: 'Trashed' })
    await send('DELETE', `/events/${trashed.id}`, { as: admin })
    const paths = ['', '/events', `/events/${event.id}`, '/events/by-slug/cached', '/venues', '/tags']
    const tags = [...(await Promise.all(paths.map(path => tagOf(path)))).filter(Boolean), '*'].join(', ')
    for (const [path, status] of [
      ['/events/999999', 404],
      ['/events/by-slug/nothing', 404],
      ['/venues/999999', 404],
      ['/organizers/by-slug/nothing', 404],
      ['/categories/999999', 404],
      ['/tags/999999', 404],
      ['/events?page=99', 404],
      ['/tags?page=500', 404],
      ['/events?page=x', 400],
      ['/events?status=draft', 400],
      ['/events?venue=999999', 400],
      ['/events?start_date=2027-02-30', 400],
      ['/categories?orderby=zzz', 400],
      ['/venues?event=999999', 400],
      [`/events/${hidden.id}`, 403],
      [`/events/${trashed.id}`, 403],
      ['/nothing', 404],
    ] as const) {
      for (const [method, sent] of [
        ['GET', tags],
        ['GET', '*'],
        ['HEAD', '*'],
      ] as const) {
        const read = await send(method, path, { headers: { 'if-none-match': sent } })
        const shown = [read.status, read.headers.get('etag'), read.headers.get('cache-control')]
        expect(shown, `${method} ${path} ${sent}`).toEqual([status, null, 'no-store'])
      }
    }
    const own = await tagOf(`/events/${hidden.id}`, admin)
    for (const as of [author, await makeUser('reader', 'subscriber')])
      expect((await readIfNoneMatch(`/events/${hidden.id}`, own, as)).status).toBe(403)
    expect((await readIfNoneMatch('/events', '*', basic('nobody', 'password'))).status).toBe(401)
    for (const made of [hidden, trashed]) await send('DELETE', `/events/${made.id}?force=1`, { as: admin })
  })

  it('keeps its public tag while only hidden things change', async () => {
    const url = 'https://img.example/shared.jpg'
    await send('PATCH', `/events/${event.id}`, { as: admin, json: { image: url, tags: ['shared'] } })
    const relations = { venue: event.venue.id, tags: ['shared'], image: url }
    const batch = async (requests: object[]): Promise<Answer['body'][]> => {
      const { body } = await send('POST', '/batch', { as: admin, json: { requests } })
      for (const response of body.responses) expect(response.status, JSON.stringify(body)).toBeLessThan(300)
      return body.responses.map((response: Answer['body']) => response.body)
    }
    for (const status of ['draft', 'pending', 'private', 'future']) {
      const tag = await tagOf('/events')
      const path = `/events/${event.id}`
      const own = await tagOf(path)
      const editors = await tagOf('/events', admin)
      const hidden = { status, ...(status === 'future' && { date: '2027-01-01 00:00:00' }) }
      const [{ id } = {}, venue, organizer] = await batch([
        { path: '/events', body: { title: status, ...WHEN, ...hidden, ...relations } },
        { path: '/venues', body: { venue: `Hidden ${status}`, ...hidden } },
        { path: '/organizers', body: { organizer: `Hidden ${status}`, ...hidden } },
      ])
      const others = [`/venues/${venue?.id}`, `/organizers/${organizer?.id}`]
      const unlinked = { title: 'Changed', excerpt: 'Hidden', venue: [], tags: [] }
      await batch([
        { method: 'PATCH', path: `/events/${id}`, body: unlinked },
        { method: 'PATCH', path: `/events/${id}`, body: { start_date: '2027-01-09 10:00:00', ...relations } },
        { method: 'DELETE', path: `/events/${id}?force=1` },
        ...others.map(path => ({ method: 'PATCH', path, body: { phone: '1' } })),
        ...others.map(path => ({ method: 'DELETE', path })),
      ])
      expect([await tagOf('/events'), await tagOf(path)], status).toEqual([tag, own])
      expect(await tagOf('/events', admin), status).not.toBe(editors)
    }
  })

  it('has another public tag when a hidden event makes the size of a shared image known', async () => {
    const url = 'https://img.example/sized.jpg'
    await send('PATCH', `/events/${event.id}`, { as: admin, json: { image: url } })
    const tag = await tagOf(`/events/${event.id}`)
    await makeEvent(admin, { status: 'draft', image: { url, width: 640, height: 480 } })
    const { status, body } = await readIfNoneMatch(`/events/${event.id}`, tag)
    expect([status, body.image]).toEqual([200, expect.objectContaining({ url, width: 640, height: 480 })])
  })

  it('has another public tag when something is published, or is no longer', async () => {
    for (const plural of ['events', 'venues', 'organizers']) {
      const named = plural === 'events' ? { title: 'Seen', ...WHEN } : { [plural.slice(0, -1)]: 'Seen' }
      const { body } = await send('POST', `/${plural}`, { as: admin, json: { ...named, status: 'draft' } })
      const path = `/${plural}/${body.id}`
      for (const status of ['publish', 'draft', 'publish', 'private']) {
        const tag = await tagOf('/events')
        expect((await send('PATCH', path, { as: admin, json: { status } })).status, status).toBe(200)
        expect(await tagOf('/events'), `${plural} ${status}`).not.toBe(tag)
      }
    }
  })

  it.each([
    '/venues?only_with_upcoming=1',
    '/venues?only_with_upcoming[]=0&only_with_upcoming[]=1',
    '/organizers?only_with_upcoming=yes',
    '/organizers?only_with_upcoming[3]=on',
    '/events?start_date=now',
    '/events?start_date=now&strict_dates=1',
    '/events?start_date[]=2026-01-01&start_date[]=now',
    '/events?start_date=2026-01-01&start_date=now',
    '/events?start_date[0]=2026-01-01&start_date[1]=now',
    '/events?start_date[]=2026-01-01&start_date[]=-1+hour',
    '/events?start_date=2026-01-01&start_date=++now',
    '/events?end_date=%2B1 week',
    '/events?end_date[]=2030-01-01&end_date[]=now',
    '/events?ends_before=2026-01-01&ends_before[]=%2B1+week',
    '/events?ends_after=-1 hour',
    '/events?ends_after=NOW',
    '/events?&&ends_after=now&x=1',
    '/events?happening=now',
    '/events?happening=2026-11-01/%2B2 days',
    '/events?happening=next/..',
  ])('of %s gets a new response the next minute', async path => {
    responseCache.clear()
    const { headers } = await send('GET', path)
    const tag = headers.get('etag') ?? ''
    expect([tag === '', headers.get('last-modified')]).toEqual([false, null])
    expect((await readIfNoneMatch(path, tag)).status).toBe(304)
    // Another instance says the same within this minute, and a client's own date says nothing.
    vi.setSystemTime(TODAY.getTime() + 59_000)
    responseCache.clear()
    expect([await tagOf(path), (await readIfNoneMatch(path, tag)).status]).toEqual([tag, 304])
    const dated = { headers: { 'if-modified-since': new Date(TODAY.getTime() + 58_000).toUTCString() } }
    for (const _ of ['from memory', 'anew']) {
      expect((await send('GET', path, dated)).status).toBe(200)
      responseCache.clear()
    }
    vi.setSystemTime(TODAY.getTime() + 60_000)
    const later = await readIfNoneMatch(path, tag)
    expect([later.status, later.headers.get('etag') === tag]).toEqual([200, false])
    expect((await readIfNoneMatch(path, `"other", ${later.headers.get('etag')}`)).status).toBe(304)
  })

  it.each([
    '/venues',
    '/venues?only_with_upcoming=0',
    '/events',
    '/events?start_date=2026-01-01',
    '/events?start_date[]=now&start_date[]=2026-01-01',
    '/events?ends_after=1795176000',
    '/events?starts_after=June 10, 2026 4pm',
    '/events?happening=2026-11-20',
    '/events?happening=2026-11-20T10:00:00Z/2026-11-22 18:00',
    '/events?search=now',
    '/events?starts_before=tomorrow 9am',
    '/events?starts_before[5]=2026-01-01&starts_before[9]=tomorrow+9am',
    '/events?starts_after=next monday',
    '/events?ends_before=31 December',
    '/events?happening=today',
    '/events?happening=this weekend',
    '/events?happening=today/..',
    '/events/digest.html',
    '/events.ics',
    '/events.rss',
    '/events.feed.json',
    '/events.csv',
    '/events.geojson',
    '/events/{event}',
    '/events/{event}.ics',
    '/venues/{venue}',
    `${SITE}/events/`,
    `${SITE}/events/month/`,
    `${SITE}/events/week/`,
    `${SITE}/events/today/`,
    `${SITE}/venues/`,
    `${SITE}/sitemap.xml`,
    `${SITE}/embed/fragment`,
  ])('of %s is 304 for the rest of the day', async pattern => {
    const path = pattern.replace('{event}', event.id).replace('{venue}', event.venue.id)
    const tag = await tagOf(path)
    vi.setSystemTime(new Date('2026-11-20T23:59:59Z'))
    expect((await readIfNoneMatch(path, tag)).status).toBe(304)
  })

  it('gets a new response when scheduled content becomes due, before the cron trigger has run', async () => {
    const due = { title: 'Due', ...WHEN, date: '2026-11-20 12:00:10' }
    const { body: scheduled } = await send('POST', '/events', { as: admin, json: due })
    const path = '/events?search=due'
    const tag = await tagOf(path)
    vi.setSystemTime(TODAY.getTime() + 10_000)
    const { status, body, headers } = await readIfNoneMatch(path, tag)
    vi.setSystemTime(TODAY)
    expect({ status, total: body.total, etag: headers.get('etag') }).toEqual({
      status: 200,
      total: 1,
      etag: null,
    })
    await send('DELETE', `/events/${scheduled.id}?force=1`, { as: admin })
  })

  it('has the time of the last change in Last-Modified, at the earliest this midnight', async () => {
    const modified = (await send('GET', '/events')).headers.get('last-modified') ?? ''
    expect(Date.parse(modified)).toBeGreaterThanOrEqual(Date.parse('2026-11-20T00:00:00Z'))
  })
})

describe('If-Modified-Since', () => {
  const PATHS = [
    '/events.ics',
    '/events.rss',
    '/events.feed.json',
    '/events.csv',
    '/events/digest.html',
    '/events',
    '/events/{event}.ics',
    '/venues',
  ]
  const changed = (utc: string) =>
    query(
      'UPDATE revision SET public_modified_utc = ?, public_change_number = public_change_number + 1, next_due_utc = NULL',
      utc,
    )
  const readIfModifiedSince = (path: string, date: string) =>
    send('GET', path.replace('{event}', event.id), { headers: { 'if-modified-since': date } })
  const modifiedOf = async (path: string) =>
    (await send('GET', path.replace('{event}', event.id))).headers.get('last-modified') ?? ''
  const seconds = (date: string, more: number) => new Date(Date.parse(date) + more * 1000).toUTCString()

  beforeEach(async () => {
    vi.setSystemTime(new Date('2026-11-23T12:00:00Z'))
    await changed('2026-11-23 11:00:00')
  })
  afterAll(() => vi.setSystemTime(TODAY))

  it.each(PATHS)('of %s gets a 304 until something changes', async path => {
    const modified = await modifiedOf(path)
    const unchanged = await readIfModifiedSince(path, modified)
    expect([unchanged.status, unchanged.text]).toEqual([304, ''])
    expect(unchanged.headers.get('cache-control')).toContain('public')
    expect(unchanged.headers.get('last-modified')).toBe(modified)
    expect((await readIfModifiedSince(path, seconds(modified, 60))).status).toBe(304)
    expect((await readIfModifiedSince(path, seconds(modified, -1))).status).toBe(200)
    vi.setSystemTime(new Date('2026-11-23T12:00:10Z'))
    await changed('2026-11-23 12:00:10')
    // In this second there may be another change.
    const now = await modifiedOf(path)
    expect(Date.parse(now)).toBe(Date.parse('2026-11-23T12:00:10Z'))
    expect([
      (await readIfModifiedSince(path, modified)).status,
      (await readIfModifiedSince(path, now)).status,
    ]).toEqual([200, 200])
    vi.setSystemTime(new Date('2026-11-23T12:00:12Z'))
    const later = await modifiedOf(path)
    expect([
      (await readIfModifiedSince(path, now)).status,
      (await readIfModifiedSince(path, later)).status,
    ]).toEqual([200, 304])
  })

  it('is not heeded beside an entity tag, for what moves with the clock, for other dates, and after midnight', async () => {
    const modified = await modifiedOf('/events')
    const headers = { 'if-modified-since': modified, 'if-none-match': '"other"' }
    expect((await send('GET', '/events', { headers })).status).toBe(200)
    expect((await readIfModifiedSince('/events?happening=now', modified)).status).toBe(200)
    for (const date of ['tomorrow', '2026-11-23T11:30:00Z', '', 'Mon, 23 Nov 2099 12:00:00 GMT'])
      expect((await readIfModifiedSince('/events', date)).status, date).toBe(200)
    // Something is due that the cron has not published yet.
    expect((await readIfModifiedSince('/events', modified)).status).toBe(304)
    await query("UPDATE revision SET next_due_utc = '2026-11-23 12:00:00'")
    expect((await readIfModifiedSince('/events', modified)).status).toBe(200)
    await changed('2026-11-23 11:00:00')
    vi.setSystemTime(new Date('2026-11-24T12:00:00Z'))
    expect((await readIfModifiedSince('/events', modified)).status).toBe(200)
  })
})

describe('responses', () => {
  it('to anonymous readers may be shared, for as long as the settings say', async () => {
    const { headers } = await send('GET', '/events')
    expect(headers.get('cache-control')).toBe('public, max-age=60')
    expect(headers.get('cache-tag')).toBe('calendar')
    expect(headers.get('vary')).toBe('Authorization, Host, x-d1-bookmark')
    const short = await send('GET', '/events', { bindings: { CACHE_MAX_AGE: '5' } })
    expect(short.headers.get('cache-control')).toBe('public, max-age=5')
  })

  describe('in a cache that is purged', () => {
    const setPurgesLeft = (n: number) => query('UPDATE revision SET purges_left = ?', n)
    const NAME = 'cloudflare-cdn-cache-control'
    const cdnCacheControlOf = async (path: string, vars: Vars = {}, headers: Record<string, string> = {}) =>
      (await send('GET', path, { headers, bindings: vars })).headers.get(NAME)
    const MINUTE = 'public, max-age=60'
    /** The rest of the day, of which half is over. */
    const REST = 'public, max-age=43200'

    beforeEach(() => setPurgesLeft(0))

    it('are kept for the rest of the day, once it is known that purging works', async () => {
      for (const path of ['/events', '/events.ics', '/venues', '/events?start_date=2026-01-01'])
        expect(await cdnCacheControlOf(path), path).toEqual(REST)
      // Midnight is that of the calendar.
      expect(await cdnCacheControlOf('/events', { TIMEZONE: 'America/New_York' })).toBe(
        'public, max-age=61200',
      )
      for (const left of [2, 1]) {
        await setPurgesLeft(left)
        expect(await cdnCacheControlOf('/events')).toBe(MINUTE)
      }
    })

    it('are kept for a minute after a change of public content, but not of hidden content', async () => {
      await send('POST', '/events', { as: admin, json: { title: 'Hidden', ...WHEN, status: 'draft' } })
      expect(await cdnCacheControlOf('/events')).toBe(REST)
      await send('PATCH', `/events/${event.id}`, { as: admin, json: { cost: '$12' } })
      expect(await cdnCacheControlOf('/events')).toBe(MINUTE)
    })

    it('are kept alike if they come from memory, or as a 304', async () => {
      const first = await send('GET', '/events')
      const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
      await setPurgesLeft(2)
      expect([await cdnCacheControlOf('/events'), await cdnCacheControlOf('/events', {}, headers)]).toEqual([
        MINUTE,
        MINUTE,
      ])
      await setPurgesLeft(0)
      expect([await cdnCacheControlOf('/events'), await cdnCacheControlOf('/events', {}, headers)]).toEqual([
        REST,
        REST,
      ])
    })

    it('are kept for a minute, and a little longer while they are fetched anew, if they move with the clock', async () => {
      expect(await cdnCacheControlOf('/events?happening=now')).toBe(
        'public, max-age=60, stale-while-revalidate=600',
      )
      expect(await cdnCacheControlOf('/events?happening=now', { CACHE_STALE: '5' })).toBe(
        'public, max-age=60, stale-while-revalidate=5',
      )
      await setPurgesLeft(1)
      expect(await cdnCacheControlOf('/events?happening=now')).toBe(MINUTE)
    })

    it('are kept until something scheduled is due', async () => {
      const due = { title: 'Due', ...WHEN, date: '2026-11-20 12:00:30' }
      const { body } = await send('POST', '/events', { as: admin, json: due })
      expect(await cdnCacheControlOf('/events')).toBe('public, max-age=30')
      vi.setSystemTime(TODAY.getTime() + 30_000)
      expect(await cdnCacheControlOf('/events')).toBe(MINUTE)
      vi.setSystemTime(TODAY)
      await send('DELETE', `/events/${body.id}?force=1`, { as: admin })
    })

    it('are not kept if settings forbid it, or if links lead to http', async () => {
      expect(await cdnCacheControlOf('/events', { CACHE_MAX_AGE: '0' })).toBe('public, max-age=0')
      expect(await cdnCacheControlOf(`${API.replace('https:', 'http:')}/events`)).toBe('no-store')
      expect(await cdnCacheControlOf('http://localhost:8787/calendar/events/v1/events')).toBe(REST)
    })

    it('are kept for a minute if they do not come from the database', async () => {
      expect(await cdnCacheControlOf('')).toBe(MINUTE)
    })
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
    expect([headers.get('cache-tag'), headers.get('cloudflare-cdn-cache-control')]).toEqual([null, null])
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

  it('show the metrics of D1 if DEBUG_TIMING is set, and never otherwise', async () => {
    expect((await send('GET', '/events')).headers.get('server-timing')).toBeNull()
    const { headers } = await measure('GET', '/events')
    expect(headers.get('server-timing')).toMatch(
      /^d1;dur=[\d.]+, trips;desc="1", statements;desc="\d+", rows-read;desc="\d+", rows-written;desc="0"$/,
    )
  })
})
