import { describe, expect, it, vi } from 'vitest'
import {
  type Answer,
  declareUser,
  elsewhere,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeTag,
  makeUser,
  makeVenue,
  queryAll,
  send,
  withoutJsonLd,
} from '../../factories.ts'
import { measure } from '../../kit/http/metrics.ts'
import { JPEG } from '../media/samples.ts'
import { upload } from '../media/upload.ts'

// A write that asks for the present state leaves everything as it is: it writes no row, version, entry of the
// audit, or number or time of a change.

const admin = declareUser('administrator', 'admin')

/** The state that every write changes: the numbers of changes, the audit, and versions. */
async function readState(): Promise<unknown> {
  const versioned = ['events', 'series', 'venues', 'organizers', 'terms', 'images', 'webhooks', 'sources']
  return queryAll([
    'SELECT change_number, public_change_number FROM revision',
    'SELECT count(*), max(id) FROM audit',
    ...versioned.map(table => `SELECT count(*), sum(version) FROM ${table}`),
  ])
}

/** Sends a write that must change nothing. @returns its body */
async function expectNothing(
  method: string,
  path: string,
  json: unknown,
  status = 200,
): Promise<Answer['body']> {
  const before = await readState()
  vi.advanceTimersByTime(60_000)
  const answer = await measure(method, path, { as: admin, json })
  const what = `${method} ${path} ${JSON.stringify(json)}`.slice(0, 200)
  expect([answer.status, answer.written], what + answer.text).toEqual([status, 0])
  expect(await readState(), what).toEqual(before)
  return answer.body
}

const read = async (path: string) => (await send('GET', path, { as: admin })).body

const RICH = {
  title: 'Rich & <b>famous</b> < 3',
  description: 'Plain\n\ntext <b>bold</b>',
  excerpt: 'Short\ntext',
  cost: '10 - 25',
  website: 'https://example.org/',
  timezone: 'Europe/Berlin',
  image: { url: 'https://example.org/p.png', width: 10, height: 20 },
  custom_fields: { b: { label: 'B', value: '1' }, a: { label: 'A', value: '2' } },
  is_virtual: true,
  virtual_url: 'https://meet.example.org/1',
  featured: true,
}

async function makeRich(fields: object = {}) {
  const venue = await makeVenue(admin, 'The Barn', { city: 'Kent', geo_lat: 51.5, geo_lng: 0.1 })
  const other = await makeVenue(admin, 'The Hall')
  const organizer = await makeOrganizer(admin, 'The Guild', { phone: '1', email: 'a@example.org' })
  const category = await makeCategory(admin, `Music ${crypto.randomUUID()}`)
  const event = await makeEvent(admin, {
    ...RICH,
    venue: [other.id, venue.id],
    organizer: [organizer.id],
    categories: [category.id],
    tags: ['b', 'a'],
    ...fields,
  })
  return { venue, other, organizer, category, event }
}

describe('nothing is written', () => {
  it('when a client sends a resource back as it read it', async () => {
    const { event, venue, organizer, category } = await makeRich({
      external_id: 'back/1',
      // The later of two equal local times.
      start_date: '2027-10-31T01:30:00Z',
      end_date: '2027-10-31T03:00:00Z',
    })
    const pictured = await makeVenue(admin, 'Pictured', {
      image: 'https://example.org/hall.png',
      description: 'a\nb',
    })
    for (const path of [
      `/events/${event.id}`,
      `/events/by-slug/${event.slug}`,
      '/events/by-external-id/back%2F1',
      `/venues/${venue.id}`,
      `/venues/${pictured.id}`,
      `/organizers/${organizer.id}`,
      `/categories/${category.id}`,
      `/tags/${event.tags[0].id}`,
    ]) {
      const body = await read(path)
      for (const method of ['POST', 'PUT', 'PATCH']) {
        const answer = await expectNothing(method, path, body)
        expect(answer, method).toMatchObject(withoutJsonLd(body))
        await expectNothing(method, path, {})
      }
    }
  })

  it('for the same values in another notation', async () => {
    const { event, venue, other, category } = await makeRich({
      start_date: '2027-06-10 20:00',
      end_date: '2027-06-10 22:00',
    })
    const [b, a] = event.tags.map(({ id }: Answer['body']) => id).toReversed()
    for (const fields of [
      { title: ' Rich & famous &lt; 3' },
      { start_date: '2027-06-10T18:00:00Z', end_date: 'June 10, 2027 10pm' },
      { start_date: 1812650400, timezone: 'Europe/Berlin' },
      { featured: 'yes', all_day: 0, show_map: null },
      { cost: '10 - 25' },
      { cost: event.cost },
      { categories: category.name.toUpperCase(), tags: [b, a, a] },
      { tags: 'A,b' },
      { venue: `${other.id},${venue.id},${other.id}` },
      { venue: [{ venue: 'The Hall' }, { id: venue.id, venue: 'Whatever' }] },
      { image: RICH.image.url },
      { image: event.image.id },
      { custom_fields: { a: { label: 'A', value: 2 } } },
      { custom_fields: { c: null } },
      { description: '<p>Plain</p>\n<p>text <b onclick="x()">bold</b></p><script>alert(1)</script>' },
      { author: event.author, post_parent: 0, event_status: 'scheduled', virtual_event_type: 'virtual' },
      { status: 'publish', date: event.date, slug: event.slug.toUpperCase(), external_id: '' },
      { unknown: 1 },
    ])
      await expectNothing('PATCH', `/events/${event.id}`, fields)
    for (const fields of [
      { geo_lat: '51.50', geo_lng: '0.1' },
      { city: ' Kent' },
      { venue: 'The Barn', image: false },
    ])
      await expectNothing('PATCH', `/venues/${venue.id}`, fields)
  })

  it('for content that is pending, scheduled or in the trash, and for repeated requests about it', async () => {
    for (const status of ['draft', 'pending', 'private', 'trash', 'future'] as const) {
      const date = status === 'future' ? { date: '2027-01-01 10:00' } : {}
      const event = await makeEvent(admin, { status, ...date })
      const venue = await makeVenue(admin, `Hall ${status}`, { status, ...date })
      await expectNothing('PATCH', `/events/${event.id}`, { status, ...date })
      await expectNothing('PATCH', `/venues/${venue.id}`, { status, slug: venue.slug, ...date })
    }
    const { id } = await makeEvent(admin)
    for (const fields of [
      { event_status: 'canceled', event_status_reason: 'Rain' },
      { status: 'trash' },
      { status: 'draft', cost: '' },
      { image: '' },
    ]) {
      await send('PATCH', `/events/${id}`, { as: admin, json: fields })
      await expectNothing('PATCH', `/events/${id}`, fields)
    }
  })

  it('for a series, whatever the scope', async () => {
    const { event } = await makeRich({
      recurrence: { rrule: 'FREQ=DAILY;COUNT=4', exdate: ['2027-01-11 10:00:00'] },
    })
    const [second, third] = (await read(`/events?series=${event.series.id}`)).events.slice(1)
    for (const { id } of [event, second, third]) {
      const body = await read(`/events/${id}`)
      for (const scope of ['this', 'following', 'all'])
        for (const fields of [body, { title: body.title, tags: 'a,b' }, {}])
          await expectNothing('PATCH', `/events/${id}?scope=${scope}`, fields)
    }
    for (const recurrence of [
      'FREQ=DAILY;COUNT=4',
      { rrule: 'COUNT=4;FREQ=DAILY' },
      { exdate: ['2027-01-11T10:00'] },
      event.series.recurrence,
    ])
      await expectNothing('PATCH', `/events/${event.id}`, { recurrence })
    // A date's own value doesn't belong to the series; when they are repeated, both changes have no effect.
    for (const fields of [
      { title: 'Own' },
      { title: 'Own', scope: 'all' },
      { title: 'Third', scope: 'all' },
    ]) {
      const { status } = await send('PATCH', `/events/${third.id}`, { as: admin, json: fields })
      expect(status).toBe(200)
      await expectNothing('PATCH', `/events/${third.id}`, fields)
    }
    expect((await read(`/events/${second.id}`)).title).toBe('Third')
    // Another date with a value of its own doesn't get the series' present value through a change of all
    // dates, and no deleted date comes back through it.
    await send('PATCH', `/events/${third.id}`, { as: admin, json: { title: 'Own' } })
    await expectNothing('PATCH', `/events/${second.id}`, { title: 'Third', scope: 'all' })
    await send('PATCH', `/events/${third.id}`, { as: admin, json: { status: 'trash' } })
    await expectNothing('PATCH', `/events/${third.id}`, { status: 'publish', scope: 'all' })
    await send('PATCH', `/events/${third.id}`, { as: admin, json: { status: 'publish', title: 'Third' } })
    const split = { cost: '5', scope: 'following' }
    await send('PATCH', `/events/${second.id}`, { as: admin, json: split })
    await expectNothing('PATCH', `/events/${second.id}`, split)
    await expectNothing('PATCH', `/events/${third.id}`, split)
    for (const fields of [
      { status: 'draft', scope: 'all' },
      { status: 'trash', scope: 'all' },
    ]) {
      await send('PATCH', `/events/${second.id}`, { as: admin, json: fields })
      await expectNothing('PATCH', `/events/${second.id}`, fields)
    }
  })

  it('for a series at a date that was deleted on its own', async () => {
    const { id } = await makeEvent(admin, { recurrence: 'FREQ=DAILY;COUNT=3', cost: '5' })
    await send('DELETE', `/events/${id}?scope=this`, { as: admin })
    for (const fields of [{ status: 'publish' }, { status: 'publish', cost: '5' }, {}]) {
      const { status } = await expectNothing('PATCH', `/events/${id}?scope=all`, fields)
      expect(status).toBe('trash')
    }
  })

  it('for items of batches, and for resources that an importer puts again', async () => {
    const one = await makeEvent(admin, { external_id: 'put-1' })
    const two = await makeVenue(admin, 'Put')
    const requests = [
      { method: 'PATCH', path: `/events/${one.id}`, body: { title: one.title } },
      {
        method: 'PUT',
        path: '/events/by-external-id/put-1',
        body: { title: one.title, start_date: one.start_date },
      },
      { method: 'PATCH', path: `/venues/${two.id}`, body: { venue: 'Put' } },
    ]
    for (const validation of ['normal', 'require-all-validate']) {
      const body = await expectNothing('POST', '/batch', { requests: requests.slice(1), validation }, 207)
      expect(
        body.responses.map(({ status, body: { id } }: Answer['body']) => [status, id]),
        validation,
      ).toEqual([
        [200, one.id],
        [200, two.id],
      ])
    }
    const mixed = { requests: [...requests, { path: '/venues', body: { venue: 'New' } }] }
    const { body } = await send('POST', '/batch', { as: admin, json: mixed })
    expect(body.responses.map((item: Answer['body']) => [item.status, item.body.modified])).toEqual([
      [200, one.modified],
      [200, one.modified],
      [200, two.modified],
      [201, expect.any(String)],
    ])
  })

  it('for images, webhooks and sources', async () => {
    const { body: image } = await upload(admin, JPEG, { query: '?alt_text=A%20cat' })
    await expectNothing('PATCH', `/media/${image.id}`, image)
    await expectNothing('PATCH', `/media/${image.id}`, { alt_text: 'A cat' })
    const used = await makeVenue(admin, 'With a cat', { image: image.id })
    await expectNothing('PATCH', `/venues/${used.id}`, { image: used.image })
    await expectNothing('PATCH', `/venues/${used.id}`, {
      image: { url: used.image.sizes.medium?.url ?? used.image.url },
    })
    const hook = (
      await send('POST', '/webhooks', {
        as: admin,
        json: { url: 'https://chat.example.org/', filters: { featured: true } },
      })
    ).body
    const { secret, ...shown } = hook
    for (const fields of [
      shown,
      { secret },
      { active: 'yes', events: shown.events.join(), filters: { featured: true } },
    ])
      await expectNothing('PATCH', `/webhooks/${hook.id}`, fields)
    const category = await makeCategory(admin, 'Of a source')
    const { body: source } = await send('POST', '/sources', {
      as: admin,
      json: {
        name: 'Theatre',
        url: elsewhere('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n'),
        kind: 'ical',
        categories: [category.id],
        rights: { text: 'CC BY', url: '' },
      },
    })
    const { state, ...same } = source
    for (const fields of [same, { every: 'day' }, { categories: `${category.id}`, venue: 0, mirror: 'no' }])
      await expectNothing('PATCH', `/sources/${source.id}`, fields)
    for (const state of ['paused', 'ok']) {
      await send('PATCH', `/sources/${source.id}`, { as: admin, json: { state } })
      await expectNothing('PATCH', `/sources/${source.id}`, { state })
    }
  })

  it('whatever version and key the request names', async () => {
    const event = await makeEvent(admin)
    const { headers } = await send('GET', `/events/${event.id}`)
    const tag = headers.get('etag') ?? ''
    for (let i = 0; i < 2; i++) {
      const answer = await send('PATCH', `/events/${event.id}`, {
        as: admin,
        json: { title: 'Event' },
        headers: { 'if-match': tag },
      })
      expect(answer.status).toBe(200)
    }
    expect((await send('GET', `/events/${event.id}`)).headers.get('etag')).toBe(tag)
    const keyed = () =>
      send('POST', `/events/${event.id}`, {
        as: admin,
        json: { title: 'Event' },
        headers: { 'idempotency-key': 'nothing' },
      })
    expect((await keyed()).headers.get('idempotency-replayed')).toBeNull()
    expect((await keyed()).headers.get('idempotency-replayed')).toBe('true')
    expect((await send('GET', `/events/${event.id}`)).headers.get('etag')).toBe(tag)
  })
})

describe('a difference is written', () => {
  it('even if it is only the order, the size of an image, or the hour that occurs twice', async () => {
    const { event, venue, other } = await makeRich({
      start_date: '2027-10-31T00:30:00Z',
      end_date: '2027-10-31T01:30:00Z',
    })
    expect([event.start_date, event.utc_start_date]).toEqual(['2027-10-31 02:30:00', '2027-10-31 00:30:00'])
    const version = async () =>
      Number((await send('GET', `/events/${event.id}`)).headers.get('etag')?.match(/v(\d+)"$/)?.[1])
    for (const fields of [
      { venue: [venue.id, other.id] },
      { image: { ...RICH.image, width: 11 } },
      { start_date: '2027-10-31T01:30:00Z' },
      { custom_fields: { a: null } },
      { description: 'Plain' },
      { image: '' },
    ]) {
      const before = await version()
      const { body } = await send('PATCH', `/events/${event.id}`, { as: admin, json: fields })
      expect(await version(), JSON.stringify(fields)).toBe(before + 1)
      expect(body.id).toBe(event.id)
    }
    expect((await read(`/events/${event.id}`)).utc_start_date).toBe('2027-10-31 01:30:00')
  })

  it('but not if a tag that only a draft has gets the name that it has', async () => {
    const author = await makeUser('author', 'author')
    await makeEvent(admin, { status: 'draft', tags: 'hidden here' })
    const { id } = (await read('/tags?hide_empty=false&search=hidden%20here')).tags[0]
    expect((await send('GET', `/tags/${id}`, { as: author })).status).toBe(404)
    expect((await makeTag(admin, 'hidden here 2')).id).not.toBe(id)
    await expectNothing('PATCH', `/tags/${id}`, { name: 'hidden here' })
  })
})
