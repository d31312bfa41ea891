import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { makeEvent, send, user } from '../factories.ts'

const as = user('editor')

const note = (kind: 'event' | 'series', id: number) =>
  env.DB.prepare(`INSERT INTO review_notes VALUES (?, ?, 'When does it end?', 1, '2027-01-01 00:00:00')`)
    .bind(kind, id)
    .run()

const isNoted = async (kind: 'event' | 'series', id: number): Promise<boolean> =>
  (await env.DB.prepare('SELECT 1 FROM review_notes WHERE kind = ? AND object_id = ?')
    .bind(kind, id)
    .first()) !== null

const change = (id: number, body: object) => send('PATCH', `/events/${id}`, { as, json: body })

it.each(['publish', 'private'])('a review note is deleted when the event becomes %s', async status => {
  const { id } = await makeEvent(as, { status: 'draft' })
  await note('event', id)
  await change(id, { title: 'Other', status: 'pending' })
  expect(await isNoted('event', id)).toBe(true)
  await change(id, { status })
  expect(await isNoted('event', id)).toBe(false)
})

it('a note is deleted when the event, or a series, is scheduled', async () => {
  const later = { status: 'publish', date: '2040-01-01 10:00:00' }
  const { id } = await makeEvent(as, { status: 'draft' })
  await note('event', id)
  expect((await change(id, later)).body.status).toBe('future')
  expect(await isNoted('event', id)).toBe(false)

  const first = await makeEvent(as, { status: 'draft', recurrence: 'FREQ=DAILY;COUNT=2' })
  await note('series', first.series.id)
  await change(first.id, { status: 'pending', scope: 'all' })
  expect(await isNoted('series', first.series.id)).toBe(true)
  await change(first.id, { ...later, scope: 'all' })
  expect(await isNoted('series', first.series.id)).toBe(false)
})

it('a note stays in the trash, and is deleted along with its event', async () => {
  const { id } = await makeEvent(as, { status: 'draft' })
  const series = await makeEvent(as, { status: 'draft', recurrence: 'FREQ=DAILY;COUNT=2' })
  await note('event', id)
  await note('series', series.series.id)
  await send('DELETE', `/events/${id}`, { as })
  expect(await isNoted('event', id)).toBe(true)
  await send('DELETE', `/events/${id}?force=true`, { as })
  await send('DELETE', `/events/${series.id}?force=true&scope=all`, { as })
  expect([await isNoted('event', id), await isNoted('series', series.series.id)]).toEqual([false, false])
})
