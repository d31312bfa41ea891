import { describe, expect, it } from 'vitest'
import { makeEvent, send, user, WHEN } from '../../factories.ts'

const admin = user('administrator', 'admin')
const author = user('author')
const contributor = user('contributor')

const create = (fields: object, as = admin) =>
  send('POST', '/events', { as, json: { title: 'Event', ...WHEN, ...fields } })
const change = (id: unknown, json: object, as = admin) => send('PATCH', `/events/${id}`, { as, json })

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
    const { id } = await makeEvent(admin)
    expect((await change(id, { title: '' }, author)).status).toBe(403)
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
