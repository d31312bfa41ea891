import { describe, expect, it } from 'vitest'
import { send } from '../factories.ts'
import { everyRole } from './people.ts'
import { create, least } from './requests.ts'

// Variations of known attacks that found something.

const people = everyRole()

const admin = () => people.administrator.as

describe.each(['events', 'venues', 'organizers', 'categories', 'tags'] as const)('one of %s', plural => {
  it('is changed once by changes that name the same version', async () => {
    const { id } = await create(admin(), plural, least(plural, 'Contested'))
    const path = `/${plural}/${id}`
    const tag = (await send('GET', path)).headers.get('etag') ?? ''
    const responses = await Promise.all(
      [1, 2, 3, 4, 5].map(i =>
        send('PATCH', path, { as: admin(), json: { slug: `by-${i}` }, headers: { 'if-match': tag } }),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412])
    const winner = responses.find(({ status }) => status === 200)
    expect((await send('GET', path)).body.slug).toBe(winner?.body.slug)
  })

  it('is either changed or deleted by requests at once that name the same version', async () => {
    for (const round of [1, 2, 3]) {
      const { id } = await create(admin(), plural, least(plural, `Contested ${round}`))
      const path = `/${plural}/${id}`
      const headers = { 'if-match': (await send('GET', path)).headers.get('etag') ?? '' }
      const [changed, deleted] = await Promise.all([
        send('PATCH', path, { as: admin(), json: { slug: `changed-${round}` }, headers }),
        send('DELETE', `${path}?force=1`, { as: admin(), headers }),
      ])
      const both = [changed.status, deleted.status]
      expect([
        [200, 412],
        [404, 200],
      ]).toContainEqual(both)
    }
  })
})

describe('names of categories', () => {
  it('stay one below each parent when two take a name at once', async () => {
    const made = await Promise.all(
      ['One', 'Two', 'Three'].map(name => create(admin(), 'categories', { name: `Name ${name}` })),
    )
    const responses = await Promise.all(
      made.map(({ id }) => send('PATCH', `/categories/${id}`, { as: admin(), json: { name: 'Taken' } })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    for (const { status, body } of responses) if (status === 400) expect(body.code).toBe('term_exists')
  })
})

describe('a resource as it was read', () => {
  const GIVEN_ANEW = new Set(
    'id global_id global_id_lineage slug url rest_url json_ld modified modified_utc'.split(' '),
  )
  const lasting = (body: object) =>
    JSON.parse(JSON.stringify(body, (name, value) => (GIVEN_ANEW.has(name) ? undefined : value)))

  it('makes another event that reads the same, from a single read and from a list', async () => {
    const original = await create(admin(), 'events', {
      ...least('events', 'Copied & <b>more</b>'),
      description: 'x'.repeat(200_000),
      excerpt: 'One\n\nTwo & three',
      cost: '13',
      timezone: 'Europe/Rome',
      image: { url: 'https://example.org/a.jpg', width: 10, height: 20 },
      venue: [
        { venue: 'First hall', geo_lat: 1, geo_lng: 2 },
        { venue: 'Second hall', image: 'https://example.org/b.png' },
      ],
      organizer: { organizer: 'Guild', email: 'guild@example.org' },
      categories: ['Copies', 'of this'],
      tags: ['a, b', 'year 2027'],
      website: 'https://example.org/x',
      status: 'private',
    })
    const single = (await send('GET', `/events/${original.id}`, { as: admin() })).body
    const [item] = (await send('GET', `/events?include=${original.id}`, { as: admin() })).body.events
    for (const json of [single, item, original]) {
      const { body, status } = await send('POST', '/events', { as: admin(), json })
      expect(status).toBe(201)
      expect(body.id).not.toBe(original.id)
      const read = (await send('GET', `/events/${body.id}`, { as: admin() })).body
      expect(lasting(read)).toEqual(lasting(single))
    }
  })

  it('of plain text as long as is allowed can be sent back, for every kind', async () => {
    const texts = (n: number) => [
      'x'.repeat(n),
      '&'.repeat(n / 10),
      'a\n\n'.repeat(n / 6),
      'a\n'.repeat(n / 4),
    ]
    for (const [plural, long] of [
      ['events', texts(200_000)],
      ['venues', texts(20_000).slice(1, 3)],
      ['organizers', texts(20_000).slice(1, 3)],
    ] as const)
      for (const text of long) {
        const fields = { ...least(plural, `Long ${text.slice(0, 3).length}`), description: text }
        const { id } = await create(admin(), plural, fields)
        const { body } = await send('GET', `/${plural}/${id}`)
        const back = await send('PUT', `/${plural}/${id}`, { as: admin(), json: body })
        expect([plural, back.status, back.body.description === body.description]).toEqual([plural, 200, true])
      }
  })
})
