import { describe, expect, it } from 'vitest'
import { create, least, PLURALS } from '../../attacks/requests.ts'
import { declareUser, makeEvent, send } from '../../factories.ts'

const admin = declareUser('administrator', 'admin')
const author = declareUser('author')

const tagOf = async (path: string) => (await send('GET', path)).headers.get('etag') ?? ''

describe('If-Match', () => {
  const patch = (path: string, tag: string, json: object) =>
    send('PATCH', path, { as: admin, json, headers: { 'if-match': tag } })

  it('allows a write if the resource is as it was read, whatever else has changed', async () => {
    const { id } = await makeEvent(admin)
    const tag = await tagOf(`/events/${id}`)
    await send('POST', '/organizers', { as: admin, json: { organizer: 'Somebody else' } })
    expect((await patch(`/events/${id}`, tag, { cost: '$1' })).status).toBe(200)
  })

  it('stops a write that names a version of another database, such as the one before a restore', async () => {
    const { id } = await makeEvent(admin)
    const tag = await tagOf(`/events/${id}`)
    const other = tag.replace(/-([0-9a-f]{4})v/, (_, era: string) => `-${era === '0123' ? '4567' : '0123'}v`)
    expect(other).not.toBe(tag)
    expect((await patch(`/events/${id}`, other, { cost: '$1' })).status).toBe(412)
    expect((await patch(`/events/${id}`, tag, { cost: '$1' })).status).toBe(200)
  })

  it('stops a write whose resource was changed', async () => {
    const { id } = await makeEvent(admin)
    const tag = await tagOf(`/events/${id}`)
    await send('PATCH', `/events/${id}`, { as: admin, json: { cost: '$2' } })
    const { status, body } = await patch(`/events/${id}`, tag, { cost: '$3' })
    expect([status, body.code]).toEqual([412, 'rest_precondition_failed'])
    expect((await send('DELETE', `/events/${id}`, { as: admin, headers: { 'if-match': tag } })).status).toBe(
      412,
    )
    expect((await patch(`/events/${id}`, await tagOf(`/events/${id}`), { cost: '$4' })).status).toBe(200)
    expect((await patch(`/events/${id}`, '*', { cost: '$5' })).status).toBe(200)
  })
})

describe.each(PLURALS)('one of %s', plural => {
  it('is changed by only one of several changes that name the same version', async () => {
    const { id } = await create(admin, plural, least(plural, 'Contested'))
    const path = `/${plural}/${id}`
    const tag = (await send('GET', path)).headers.get('etag') ?? ''
    const responses = await Promise.all(
      [1, 2, 3, 4, 5].map(i =>
        send('PATCH', path, { as: admin, json: { slug: `by-${i}` }, headers: { 'if-match': tag } }),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412])
    const winner = responses.find(({ status }) => status === 200)
    expect((await send('GET', path)).body.slug).toBe(winner?.body.slug)
  })

  it.each([
    ['administrator', admin],
    ['author', author],
  ])(
    'is read by an %s after a write as the write has left it, unless somebody changes it',
    async (role, as) => {
      const created = await create(plural === 'tags' ? admin : as, plural, least(plural, `By the ${role}`))
      const path = `/${plural}/${created.id}`
      const read = (bookmark: string | null) =>
        send('GET', path, { as, headers: { 'x-d1-bookmark': bookmark ?? '' } })
      expect((await read(null)).body).toMatchObject(created)
      const first = await send('PATCH', path, { as: admin, json: { slug: `one-${created.id}` } })
      const { body, headers } = await read(first.headers.get('x-d1-bookmark'))
      // A tag identifies the whole response to a read, and would be wrong on the response to a write.
      expect(first.headers.get('etag')).toBe(null)
      expect({ ...body, json_ld: undefined }).toEqual(first.body)
      await send('PATCH', path, { as: admin, json: { slug: `two-${created.id}` } })
      expect((await read(null)).body).not.toMatchObject(first.body)
      const tag = { 'if-match': headers.get('etag') ?? '' }
      const { status } = await send('PATCH', path, { as: admin, json: { slug: 'three' }, headers: tag })
      expect(status).toBe(412)
    },
  )

  it('is either changed or deleted by requests at once that name the same version', async () => {
    for (const round of [1, 2, 3]) {
      const { id } = await create(admin, plural, least(plural, `Contested ${round}`))
      const path = `/${plural}/${id}`
      const headers = { 'if-match': (await send('GET', path)).headers.get('etag') ?? '' }
      const [changed, deleted] = await Promise.all([
        send('PATCH', path, { as: admin, json: { slug: `changed-${round}` }, headers }),
        send('DELETE', `${path}?force=1`, { as: admin, headers }),
      ])
      const both = [changed.status, deleted.status]
      expect([
        [200, 412],
        [404, 200],
      ]).toContainEqual(both)
    }
  })
})
