import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { eventsBy, makeEvent, makeVenue, send, user, WHEN } from '../../factories.ts'

const admin = user('administrator', 'admin')
const author = user('author')

const ids = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
const { create } = eventsBy(admin)

describe('requests at once', () => {
  it('store both fields when two of them update one event', async () => {
    const { body } = await create({ title: 'Shared' })
    const names = ['cost', 'excerpt', 'website', 'timezone', 'description', 'title'] as const
    const values = ['$5', '<p>E</p>', 'https://example.org/s', 'Europe/Rome', '<p>D</p>', 'Shared, renamed']
    const answers = await Promise.all(
      names.map((name, i) => send('PATCH', `/events/${body.id}`, { as: admin, json: { [name]: values[i] } })),
    )
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
    const { body: after } = await send('GET', `/events/${body.id}`)
    expect(names.map(name => after[name])).toEqual(values)
  })

  it('get different slugs when they create the same title', async () => {
    const answers = await Promise.all(ids(5).map(() => create({ title: 'The same again' })))
    const slugs = answers.map(({ body }) => body.slug)
    expect(slugs.sort()).toEqual(['the-same-again', ...[2, 3, 4, 5].map(n => `the-same-again-${n}`)])
  })

  it('make one venue, not two, from the same data', async () => {
    const venue = { venue: 'Twin hall', city: 'Cork' }
    const answers = await Promise.all([
      ...ids(3).map(() => send('POST', '/venues', { as: admin, json: venue })),
      ...ids(3).map(() => create({ venue })),
    ])
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    const { body } = await send('GET', '/venues?search=twin')
    expect(body.total).toBe(1)
  })

  it('make one category, not two, for the same name', async () => {
    const answers = await Promise.all(
      ids(4).map(() => create({ categories: ['Brand new'], tags: ['fresh'] })),
    )
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.categories?.[0]?.id))).size).toBe(1)
    const { body } = await send('GET', '/categories?search=brand')
    expect(body).toMatchObject({ total: 1, categories: [{ count: 4 }] })
    const names = await Promise.all(
      ids(3).map(() => send('POST', '/tags', { as: admin, json: { name: 'raced' } })),
    )
    expect(names.map(({ status }) => status).sort()).toEqual([201, 400, 400])
  })

  it('that delete, trash, restore and change one event leave it in one state', async () => {
    const { id } = await makeEvent(author, {
      title: 'Contested',
      venue: { venue: 'Contested hall' },
      tags: ['contested'],
    })
    const responses = await Promise.all([
      ...['A', 'B', 'C'].map(title =>
        send('PATCH', `/events/${id}`, { as: author, json: { title, tags: [`tag ${title}`] } }),
      ),
      send('DELETE', `/events/${id}`, { as: author }),
      send('DELETE', `/events/${id}?force=1`, { as: author }),
      send('DELETE', `/events/${id}?force=1`, { as: author }),
      send('PUT', `/events/${id}`, { as: author, json: { ...WHEN, status: 'publish' } }),
    ])
    for (const { status } of responses) expect([200, 404, 410]).toContain(status)
    expect(responses.slice(4, 6).some(({ status }) => status === 200)).toBe(true)
    expect(await send('GET', `/events/${id}`)).toMatchObject({ status: 404 })
  })

  it('that link and delete a venue leave no link to the deleted one', async () => {
    const venue = await makeVenue(admin, 'Vanishing')
    const responses = await Promise.all([
      ...['A', 'B', 'C'].map(title => create({ title, venue: venue.id })),
      send('DELETE', `/venues/${venue.id}?force=1&detach=1`, { as: admin }),
      ...['D', 'E'].map(title => create({ title, venue: venue.id })),
    ])
    for (const { status } of responses) expect([200, 201, 400]).toContain(status)
    const { results } = await env.DB.prepare('SELECT event_id FROM event_venues WHERE target_id = ?')
      .bind(venue.id)
      .all()
    expect(results).toEqual([])
  })
})

describe('a write that fails', () => {
  it('leaves nothing behind, not even a new venue', async () => {
    const { status, body } = await create({
      venue: { venue: 'Ghost hall' },
      organizer: [{ organizer: 'Ghost' }, 99999],
      categories: ['Ghosts'],
      image: 'https://example.org/ghost.jpg',
    })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'rest_invalid_param',
      data: { params: { organizer: expect.any(String) } },
    })
    for (const list of ['venues', 'organizers', 'categories', 'events'])
      expect(await send('GET', `/${list}?search=ghost&hide_empty=0`)).toMatchObject({ body: { total: 0 } })
    expect(await env.DB.prepare("SELECT count(*) AS n FROM images WHERE url LIKE '%ghost%'").first('n')).toBe(
      0,
    )
  })

  it('leaves nothing behind when the database fails half-way', async () => {
    await env.DB.exec(
      `CREATE TRIGGER breaking BEFORE INSERT ON event_terms BEGIN SELECT RAISE(ABORT, 'broken'); END`,
    )
    const { status, body } = await create({ title: 'Half', venue: { venue: 'Half hall' }, tags: ['half'] })
    await env.DB.exec('DROP TRIGGER breaking')
    expect([status, body.code]).toEqual([500, 'rest_internal_error'])
    expect(JSON.stringify(body)).not.toMatch(/broken|SQL/i)
    for (const list of ['events', 'venues', 'tags'])
      expect(await send('GET', `/${list}?search=half&hide_empty=0`)).toMatchObject({ body: { total: 0 } })
  })
})
