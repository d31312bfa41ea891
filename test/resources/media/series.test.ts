import { beforeEach, expect, it } from 'vitest'
import { API, makeEvent, send, user, WHEN } from '../../factories.ts'
import * as samples from './samples.ts'
import { emptyBucket, formOf, storedFiles } from './upload.ts'

const editor = user('editor')

beforeEach(emptyBucket)

const WEEKLY = { 'recurrence[rrule]': 'FREQ=WEEKLY;COUNT=3' }

it('a new series gets the image of a form, and so do all of its dates', async () => {
  const body = formOf({ title: 'Poster', ...WHEN, ...WEEKLY, image: samples.JPEG })
  const made = await send('POST', '/events', { as: editor, body })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  expect(made.body.image.url).toContain('/media/')
  const { body: list } = await send('GET', `/events?series=${made.body.series.id}`)
  expect(list.events.map((event: { image: { id: number } }) => event.image.id)).toEqual(
    Array(3).fill(made.body.image.id),
  )
  expect(await storedFiles()).not.toEqual([])
})

it('a change of all dates uses the image of a form, also if it begins another series', async () => {
  const first = await makeEvent(editor, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } })
  const { body: list } = await send('GET', `/events?series=${first.series.id}`)
  const [, second, third] = list.events
  const scoped = (scope: string, image: Uint8Array<ArrayBuffer>) =>
    send('POST', `/events/${second.id}?scope=${scope}`, { as: editor, body: formOf({ image }) })
  const all = await scoped('all', samples.PNG)
  const following = await scoped('following', samples.JPEG)
  const images = await Promise.all(
    [first, second, third].map(async ({ id }) => (await send('GET', `${API}/events/${id}`)).body.image.id),
  )
  expect([all.status, following.status]).toEqual([200, 200])
  const [whole, part] = [all.body.image.id, following.body.image.id]
  expect(images).toEqual([whole, part, part])
  expect(whole).not.toBe(part)
})
