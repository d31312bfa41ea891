import { describe, expect, it } from 'vitest'
import { makeEvent, send, user } from '../factories.ts'

const admin = user('administrator', 'admin')

const tagOf = async (path: string) => (await send('GET', path)).headers.get('etag') ?? ''

describe('If-Match', () => {
  const patch = (path: string, tag: string, json: object) =>
    send('PATCH', path, { as: admin, json, headers: { 'if-match': tag } })

  it('lets a write through whose resource is as it was read, whatever else changed', async () => {
    const { id } = await makeEvent(admin)
    const tag = await tagOf(`/events/${id}`)
    await send('POST', '/organizers', { as: admin, json: { organizer: 'Somebody else' } })
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
