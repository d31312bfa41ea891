import { describe, expect, it } from 'vitest'
import { makeCategory, send, user, WHEN } from '../../../factories.ts'

const admin = user('administrator', 'admin')

describe('terms of events', () => {
  it('are given by id, name in any case, slug or object, and sorted by name in responses', async () => {
    const known = await makeCategory(admin, 'Known one', { slug: 'ko' })
    const { body } = await send('POST', '/events', {
      as: admin,
      json: {
        title: 'T',
        ...WHEN,
        categories: [
          'ko',
          'KNOWN ONE',
          known.id,
          { id: known.id },
          { name: 'Another, with comma' },
          'a new one',
        ],
      },
    })
    expect(body.categories).toMatchObject([
      { name: 'a new one' },
      { name: 'Another, with comma' },
      { id: known.id },
    ])
  })

  it('are counted while the event is published', async () => {
    const { body } = await send('POST', '/events', {
      as: admin,
      json: { title: 'T', ...WHEN, tags: 'counted,twice' },
    })
    const count = async () => (await send('GET', '/tags?hide_empty=0&search=counted')).body.tags?.[0]?.count
    expect(await count()).toBe(1)
    await send('PATCH', `/events/${body.id}`, { as: admin, json: { status: 'draft' } })
    expect(await count()).toBe(0)
    expect((await send('GET', '/tags?search=counted')).body.total).toBe(0)
    await send('PATCH', `/events/${body.id}`, { as: admin, json: { status: 'publish', tags: ['twice'] } })
    expect(await count()).toBe(0)
  })
})
