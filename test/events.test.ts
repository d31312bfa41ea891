import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import worker from '../src/index.ts'
import { makeUser, SITE, send } from './factories.ts'
import { TODAY } from './setup.ts'

const WHEN = { start_date: '2027-01-10 10:00:00', end_date: '2027-01-10 12:00:00' }
let admin: string
let author: string
let contributor: string

beforeAll(async () => {
  admin = await makeUser('admin', 'administrator')
  author = await makeUser('author', 'author')
  contributor = await makeUser('contributor', 'contributor')
})

const create = (fields: object, as = admin) =>
  send('POST', '/events', { as, json: { title: 'Event', ...WHEN, ...fields } })
const change = (id: unknown, json: object, as = admin) => send('PATCH', `/events/${id}`, { as, json })
const params = (body: { data?: { params?: object } }) => Object.keys(body.data?.params ?? {}).sort()

describe('an event that was read', () => {
  it('can be sent back as it is, and nothing changes', async () => {
    const { body } = await create({
      title: 'Café & <b>friends</b> at 3 < 4',
      description: 'One\ntwo\n\nThree',
      excerpt: 'Short',
      timezone: 'Asia/Kolkata',
      all_day: false,
      cost: '$10 - $25',
      image: 'https://example.org/a.JPG?x=1',
      categories: ['Food, drink and more', 'Music'],
      tags: ['year 2027'],
      venue: [{ venue: 'Hall A', geo_lat: 10.5, geo_lng: -9 }, { venue: 'Hall B' }],
      organizer: [{ organizer: 'Zed' }, { organizer: 'Abe', email: 'abe@example.org' }],
      featured: true,
      ticketed: true,
    })
    const read = (await send('GET', `/events/${body.id}`)).body
    const { status, body: after } = await send('PUT', `/events/${body.id}`, { as: admin, json: read })
    expect(status).toBe(200)
    const { json_ld, modified, modified_utc, ...expected } = read
    expect(after).toMatchObject(expected)
    expect(after.website).toBe(after.url)
    for (const list of ['venues', 'organizers']) expect((await send('GET', `/${list}`)).body.total).toBe(2)
  })

  it('shows several venues as a list, one as an object, none as an empty list', async () => {
    const { body } = await create({ venue: '1,2' })
    expect(body.venue).toMatchObject([{ venue: 'Hall A' }, { venue: 'Hall B' }])
    expect((await change(body.id, { venue: 2 })).body.venue).toMatchObject({ venue: 'Hall B', id: 2 })
    expect((await change(body.id, { venue: [] })).body.venue).toEqual([])
    expect((await change(body.id, { venue: '2,1' })).body.venue).toMatchObject([{ id: 2 }, { id: 1 }])
    expect((await change(body.id, { venue: '' })).body.venue).toEqual([])
  })

  it('has JSON-LD with its place, organizer and offer', async () => {
    const { body } = await create({ cost: '$12.50', venue: 1, organizer: [1, 2] })
    const { body: read } = await send('GET', `/events/${body.id}`)
    expect(read.json_ld).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'Event',
      startDate: '2027-01-10T10:00:00+00:00',
      location: {
        '@type': 'Place',
        name: 'Hall A',
        geo: { latitude: 10.5, longitude: -9 },
        address: { '@type': 'PostalAddress' },
      },
      organizer: [
        { '@type': 'Person', name: 'Zed' },
        { name: 'Abe', email: 'abe@example.org' },
      ],
      offers: { '@type': 'Offer', price: '12.50', priceCurrency: 'USD' },
    })
  })
})

describe('all bad fields of a request', () => {
  it('are named in one answer, those that need a look at the database among them', async () => {
    const { status, body } = await create({
      start_date: '2027-02-30',
      timezone: 'Mars/Olympus',
      venue: 999,
      organizer: { organizer: 'X', email: 'nope' },
      tags: [998],
      categories: '997',
      author: 996,
      image: 995,
      post_parent: 994,
      featured: 'perhaps',
      website: 'not a url',
    })
    expect(status).toBe(400)
    expect(params(body)).toEqual([
      'author',
      'categories',
      'featured',
      'image',
      'organizer',
      'post_parent',
      'start_date',
      'tags',
      'timezone',
      'venue',
      'website',
    ])
  })

  it('and of a list are, too', async () => {
    const { body } = await send(
      'GET',
      '/events?page=0&venue=999&categories=none&status=draft&geoloc_lat=1&start_date=soon&tags=1&order=up',
    )
    expect(params(body)).toEqual([
      'categories',
      'geoloc_lat',
      'order',
      'page',
      'start_date',
      'status',
      'tags',
      'venue',
    ])
  })
})

describe('dates', () => {
  it.each([
    ['2027-06-10T18:00:00+02:00', 'Europe/Rome', '2027-06-10 18:00:00', '2027-06-10 16:00:00'],
    ['2027-06-10T18:00:00Z', 'Europe/Rome', '2027-06-10 20:00:00', '2027-06-10 18:00:00'],
    ['06/10/2027 3:00 pm', 'UTC', '2027-06-10 15:00:00', '2027-06-10 15:00:00'],
    ['June 10, 2027 4pm', 'America/New_York', '2027-06-10 16:00:00', '2027-06-10 20:00:00'],
    [1_812_628_800, 'UTC', '2027-06-10 12:00:00', '2027-06-10 12:00:00'],
    ['2027-03-28 02:30:00', 'Europe/Rome', '2027-03-28 03:30:00', '2027-03-28 01:30:00'],
    ['2027-10-31 02:30:00', 'Europe/Rome', '2027-10-31 02:30:00', '2027-10-31 00:30:00'],
  ])('like %s in %s are understood', async (start_date, timezone, local, utc) => {
    const { body } = await create({ start_date, end_date: '2027-12-01', timezone })
    expect([body.start_date, body.utc_start_date]).toEqual([local, utc])
  })

  it('given with an offset keep their instant where a local time occurs twice', async () => {
    const { body } = await create({
      start_date: '2027-10-31T02:30:00+01:00',
      end_date: '2027-12-01',
      timezone: 'Europe/Rome',
    })
    expect([body.start_date, body.utc_start_date]).toEqual(['2027-10-31 02:30:00', '2027-10-31 01:30:00'])
  })

  it('keep local times when only the zone changes, and whole days whole', async () => {
    const { body } = await create({ all_day: true, start_date: '2027-07-01', end_date: '2027-07-02' })
    const { body: moved } = await change(body.id, { timezone: 'Asia/Tokyo' })
    expect(moved).toMatchObject({
      start_date: '2027-07-01 00:00:00',
      utc_start_date: '2027-06-30 15:00:00',
      utc_end_date: '2027-07-02 14:59:59',
      timezone_abbr: 'JST',
    })
  })

  it('may not end before they start, whichever of them an update names', async () => {
    const { body } = await create({})
    expect(params((await change(body.id, { start_date: '2027-02-01' })).body)).toEqual(['start_date'])
    expect(params((await change(body.id, { end_date: '2027-01-01' })).body)).toEqual(['end_date'])
    expect((await change(body.id, { start_date: '2027-02-01', end_date: '2027-02-01' })).status).toBe(200)
  })
})

describe('slugs', () => {
  it('stay when the title changes, go with the trash and come back if they are free', async () => {
    const { body } = await create({ title: 'Fair of 2027' })
    expect((await change(body.id, { title: 'Renamed' })).body.slug).toBe('fair-of-2027')
    await send('DELETE', `/events/${body.id}`, { as: admin })
    const { body: next } = await create({ title: 'Fair of 2027' })
    expect(next.slug).toBe('fair-of-2027')
    expect((await change(body.id, { status: 'publish' })).body).toMatchObject({
      status: 'publish',
      slug: 'fair-of-2027-2',
    })
    await send('DELETE', `/events/${next.id}`, { as: admin })
    expect((await change(next.id, { status: 'draft' })).body).toMatchObject({
      status: 'draft',
      slug: 'fair-of-2027',
    })
  })

  it('keep other scripts and are found by them, encoded or not', async () => {
    const { body } = await create({ title: 'コンサート 2027' })
    expect(body).toMatchObject({
      slug: 'コンサート-2027',
      url: `${SITE}/event/${encodeURIComponent('コンサート-2027')}/`,
    })
    expect((await send('GET', `/events/by-slug/${encodeURIComponent('コンサート-2027')}`)).body.id).toBe(
      body.id,
    )
  })

  it('are made even where a title has nothing to make them from', async () => {
    const slugs = [(await create({ title: '🎸' })).body.slug, (await create({ title: '🎸' })).body.slug]
    expect(slugs).toEqual([expect.stringMatching(/^event-\d+$/), expect.stringMatching(/^event-\d+$/)])
    expect(slugs[0]).not.toBe(slugs[1])
  })
})

describe('publishing', () => {
  it('in the future waits, shows when due, and is stored by the cron trigger', async () => {
    const { body } = await create({ title: 'Later', date: '2026-11-20 13:00:00', tags: ['later'] })
    expect(body.status).toBe('future')
    expect((await send('GET', `/events/${body.id}`)).status).toBe(403)
    vi.setSystemTime(TODAY.getTime() + 3_600_000)
    expect((await send('GET', `/events/${body.id}`)).body.status).toBe('publish')
    expect((await send('GET', '/events?search=later')).body.total).toBe(1)
    expect((await send('GET', '/events?tags=later')).body.total).toBe(1)
    const cron = { scheduledTime: Date.now(), cron: '* * * * *', noRetry: () => undefined }
    await Promise.all([worker.scheduled(cron, env), worker.scheduled(cron, env)])
    vi.setSystemTime(TODAY)
    expect((await send('GET', `/events/${body.id}`)).body.status).toBe('publish')
    expect((await send('GET', '/tags?search=later')).body).toMatchObject({ total: 1, tags: [{ count: 1 }] })
  })

  it('of what is scheduled for no or a past time happens at once', async () => {
    expect((await create({ status: 'future' })).body.status).toBe('publish')
    expect((await create({ status: 'future', date: '2020-01-01' })).body.status).toBe('publish')
  })

  it('is not for contributors, who get pending instead', async () => {
    for (const status of ['publish', 'future', 'private'])
      expect((await create({ status, date: '2028-01-01' }, contributor)).body.status).toBe('pending')
    const { body } = await create({}, contributor)
    expect((await change(body.id, { status: 'publish' }, contributor)).body.status).toBe('pending')
    await change(body.id, { status: 'publish' })
    expect((await change(body.id, { title: 'Mine' }, contributor)).status).toBe(403)
    expect((await send('DELETE', `/events/${body.id}`, { as: contributor })).status).toBe(403)
  })
})

describe('who may do what', () => {
  it('lets only editors name another author', async () => {
    expect((await create({ author: 1 }, author)).status).toBe(403)
    expect((await create({ author: 2 }, author)).status).toBe(201)
    expect((await create({ author: 2 })).body.author).toBe('2')
  })

  it('lets contributors use terms but not make them', async () => {
    await create({ categories: ['Known'], tags: ['known'] })
    expect((await create({ categories: ['KNOWN'], tags: ['Known'] }, contributor)).status).toBe(201)
    const { status, body } = await create({ categories: ['Unheard of'] }, contributor)
    expect([status, body.code]).toEqual([403, 'rest_forbidden'])
    expect((await create({ tags: ['unheard of'] }, contributor)).status).toBe(403)
    expect((await create({ tags: ['heard of'] }, author)).status).toBe(201)
  })

  it('says that credentials are missing before anything else, and then what the role lacks', async () => {
    expect((await send('PATCH', '/events/99999', { json: { title: '' } })).status).toBe(401)
    expect((await send('PATCH', '/events/99999', { as: author, json: { title: '' } })).status).toBe(404)
    expect(
      (
        await send('PATCH', '/events/99999', {
          as: author,
          body: '{',
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(404)
    expect((await change(1, { title: '' }, author)).status).toBe(403)
  })

  it('hides unpublished venues and organizers behind published events', async () => {
    const { body } = await create({
      venue: { venue: 'Secret hall', status: 'draft' },
      organizer: { organizer: 'Secret guild', status: 'private' },
    })
    expect(body).toMatchObject({
      venue: { venue: 'Secret hall' },
      organizer: [{ organizer: 'Secret guild' }],
    })
    const { body: public_ } = await send('GET', `/events/${body.id}`)
    expect([public_.venue, public_.organizer]).toEqual([[], []])
    expect(JSON.stringify(public_)).not.toContain('Secret')
  })
})
