import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { basic, makePerson, send } from '../factories.ts'
import { everyRole } from './people.ts'
import { create, least, WHEN } from './requests.ts'

// Credentials that are none, or no more, and requests that get in each other's way.

const people = everyRole()

describe('odd credentials', () => {
  const base64 = (bytes: string | number[]) => Buffer.from(bytes).toString('base64')

  it.each([
    'Basic',
    'Basic ',
    'Basic x',
    'Basic ====',
    'Basic !!!',
    'Bearer',
    'Bearer ',
    'Bearer x',
    'Digest username="author"',
    'Basic basic basic',
    `Basic ${base64('author')}`,
    `Basic ${base64('author:')}`,
    `Basic ${base64(':password of author')}`,
    `Basic ${base64(':')}`,
    `Basic ${base64([0xff, 0xfe, 0x3a, 0xff])}`,
    `Basic ${base64('author\u0000:password of author')}`,
    `Basic ${base64("' OR 1=1 --:x")}`,
    `Basic ${base64('author:password of editor')}`,
    `Basic ${base64(`${'a'.repeat(5_000)}:x`)}`,
    `Bearer ${'x'.repeat(7_000)}`,
    `Basic ${base64('аuthor:password of author')}`,
    'undefined',
    'null',
  ])('(%j) are 401 at every route, reads too', async authorization => {
    for (const [method, path] of [
      ['GET', '/events'],
      ['GET', '/events/999999'],
      ['POST', '/events'],
      ['DELETE', '/tags/1'],
      ['GET', '/nothing'],
      ['GET', '/'],
    ] as const) {
      const response = await send(method, path, {
        headers: { authorization },
        ...(method === 'POST' && { json: {} }),
      })
      expect([path, response.status, response.body.code]).toEqual([path, 401, 'incorrect_password'])
    }
  })

  it('of a user who is gone, or that have expired, are 401 at once', async () => {
    const gone = await makePerson('gone', 'author')
    const expired = await makePerson('expired', 'author')
    for (const { as } of [gone, expired])
      expect(await send('GET', '/events', { as })).toMatchObject({ status: 200 })
    await env.DB.prepare("UPDATE passwords SET expires_utc = '2026-11-20 12:00:00' WHERE user_id = ?")
      .bind(expired.id)
      .run()
    await env.DB.batch([
      env.DB.prepare('DELETE FROM passwords WHERE user_id = ?').bind(gone.id),
      env.DB.prepare('DELETE FROM users WHERE id = ?').bind(gone.id),
    ])
    for (const { as } of [gone, expired])
      for (const [method, path] of [
        ['GET', '/events'],
        ['POST', '/events'],
        ['DELETE', '/events/1'],
      ] as const)
        expect(await send(method, path, { as })).toMatchObject({
          status: 401,
          body: { code: 'incorrect_password' },
        })
    expect(await send('GET', '/events', { as: basic('author', 'password of gone') })).toMatchObject({
      status: 401,
    })
  })
})

describe('requests at once', () => {
  it('that delete, trash, restore and change one event leave it in one state', async () => {
    const { id } = await create(people.author.as, 'events', {
      ...least('events', 'Contested'),
      venue: { venue: 'Contested hall' },
      tags: ['contested'],
    })
    const as = people.author.as
    const responses = await Promise.all([
      ...['A', 'B', 'C'].map(title =>
        send('PATCH', `/events/${id}`, { as, json: { title, tags: [`tag ${title}`] } }),
      ),
      send('DELETE', `/events/${id}`, { as }),
      send('DELETE', `/events/${id}?force=1`, { as }),
      send('DELETE', `/events/${id}?force=1`, { as }),
      send('PUT', `/events/${id}`, { as, json: { ...WHEN, status: 'publish' } }),
    ])
    for (const { status } of responses) expect([200, 404, 410]).toContain(status)
    expect(responses.slice(4, 6).some(({ status }) => status === 200)).toBe(true)
    expect(await send('GET', `/events/${id}`)).toMatchObject({ status: 404 })
  })

  it('that link and delete a venue leave no link to what is gone', async () => {
    const as = people.administrator.as
    const venue = await create(as, 'venues', { venue: 'Vanishing' })
    const responses = await Promise.all([
      ...['A', 'B', 'C'].map(title =>
        send('POST', '/events', { as, json: { ...least('events', title), venue: venue.id } }),
      ),
      send('DELETE', `/venues/${venue.id}?force=1&detach=1`, { as }),
      ...['D', 'E'].map(title =>
        send('POST', '/events', { as, json: { ...least('events', title), venue: venue.id } }),
      ),
    ])
    for (const { status } of responses) expect([200, 201, 400]).toContain(status)
    const { results } = await env.DB.prepare('SELECT event_id FROM event_venues WHERE target_id = ?')
      .bind(venue.id)
      .all()
    expect(results).toEqual([])
  })
})
