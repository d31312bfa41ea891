import { expect, it } from 'vitest'
import { declareUser, makeEvent, send } from '../../factories.ts'
import { calendar } from './calendar.ts'

const admin = declareUser('administrator', 'admin')

it.each([
  ['is in the trash', (id: number) => send('DELETE', `/events/${id}?scope=all`, { as: admin })],
  ['is gone for good', (id: number) => send('DELETE', `/events/${id}?scope=all&force=true`, { as: admin })],
  [
    'is a draft again',
    (id: number) => send('PATCH', `/events/${id}?scope=all`, { as: admin, json: { status: 'draft' } }),
  ],
])('a feed has nothing of what %s, and changes its entity tag', async (_, remove) => {
  for (const fields of [{}, { recurrence: 'FREQ=DAILY;COUNT=3' }]) {
    const event = await makeEvent(admin, { title: 'Vanishing', description: 'Vanishing text', ...fields })
    const addresses = ['/events.ics', '/events.ics?expand=true', `/events.ics?search=vanishing`]
    const read = () => Promise.all(addresses.map(address => send('GET', address)))
    const before = await read()
    for (const { text } of before) expect(text).toContain('Vanishing')
    expect((await send('GET', `/events/${event.id}.ics`)).status).toBe(200)
    expect((await remove(event.id)).status).toBe(200)
    const after = await read()
    for (const [i, { status, text, headers }] of after.entries()) {
      expect([status, text.includes('Vanishing')]).toEqual([200, false])
      expect(headers.get('etag')).not.toBe(before[i]?.headers.get('etag'))
    }
    const { status } = await send('GET', `/events/${event.id}`)
    expect((await send('GET', `/events/${event.id}.ics`)).status).toBe(status)
    expect(status).not.toBe(200)
  }
  expect(await calendar()).not.toContain('CANCELLED')
})
