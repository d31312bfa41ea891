import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { send } from '../factories.ts'
import { everyRole } from './people.ts'
import { create, least, WHEN } from './requests.ts'

// Credentials that are none, or no more, and requests that get in each other's way.

const people = everyRole()

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
