import { describe, expect, it } from 'vitest'
import { eventsBy, send, user } from '../../factories.ts'

const admin = user('administrator', 'admin')
const author = user('author')
const contributor = user('contributor')

const { create } = eventsBy(admin)

describe('who may do what', () => {
  it('lets only editors name another author', async () => {
    expect((await create({ author: 1 }, author)).status).toBe(403)
    expect((await create({ author: 2 }, author)).status).toBe(201)
    expect((await create({ author: 2 })).body.author).toBe('2')
  })

  it('lets contributors use terms, but not create them', async () => {
    await create({ categories: ['Known'], tags: ['known'] })
    expect((await create({ categories: ['KNOWN'], tags: ['Known'] }, contributor)).status).toBe(201)
    const { status, body } = await create({ categories: ['Unheard of'] }, contributor)
    expect([status, body.code]).toEqual([403, 'rest_forbidden'])
    expect((await create({ tags: ['unheard of'] }, contributor)).status).toBe(403)
    expect((await create({ tags: ['heard of'] }, author)).status).toBe(201)
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
