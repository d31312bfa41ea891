import { expect, it } from 'vitest'
import { API, declareUser, makeEvent, send, WHEN } from '../../factories.ts'

const as = declareUser('administrator', 'admin')

it.each([
  ['/events', { title: 'E', ...WHEN }],
  ['/venues', { venue: 'V' }],
  ['/organizers', { organizer: 'O' }],
  ['/categories', { name: 'C' }],
  ['/tags', { name: 'T' }],
  ['/webhooks', { url: 'https://example.org/hook', events: ['event.created'] }],
  ['/sources', { name: 'S', url: 'https://theatre.example.org/events.ics' }],
])('what POST %s creates is at its Location', async (path, json) => {
  const made = await send('POST', path, { as, json })
  const location = made.headers.get('location') ?? ''
  expect([made.status, location]).toEqual([201, `${API}${path}/${made.body.id}`])
  expect((await send('GET', location, { as })).body.id).toBe(made.body.id)
})

it('a copy of an event is at its Location', async () => {
  const { id } = await makeEvent(as)
  const copy = await send('POST', `/events/${id}/duplicate`, { as, json: {} })
  expect(copy.headers.get('location')).toBe(`${API}/events/${copy.body.id}`)
})

it('an upsert that creates has a Location', async () => {
  const put = () => send('PUT', '/events/by-external-id/x', { as, json: { title: 'E', ...WHEN } })
  const created = await put()
  const updated = await put()
  expect(created.headers.get('location')).toBe(`${API}/events/${created.body.id}`)
  expect([updated.status, updated.headers.has('location')]).toEqual([200, false])
})
