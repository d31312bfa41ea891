import { describe, expect, it } from 'vitest'
import { makeEvent, query, send } from '../factories.ts'
import { faultyD1 } from '../kit/http/faulty-d1.ts'
import { bySubmitting } from './by-submitting.ts'
import { signedIn } from './session.ts'

// Dates that have a status of their own keep it, or become drafts, when their series comes back from the
// trash.

const editor = signedIn('editor', 'ella')
const contributor = signedIn('contributor')

const patch = (id: number, json: object, { as } = editor) => send('PATCH', `/events/${id}`, { as, json })

async function statusesOf(ids: readonly number[]): Promise<string[]> {
  const answers = await Promise.all(ids.map(id => send('GET', `/events/${id}`, { as: editor.as })))
  return answers.map(({ body }) => body.status ?? body.code)
}

/**
 * A public series of four dates, of which the second waits for review and the third was published by itself.
 */
async function makeSeries(): Promise<number[]> {
  const { series } = await makeEvent(contributor.as, { recurrence: 'FREQ=DAILY;COUNT=4' })
  const results = await query<{ id: number }>(
    'SELECT id FROM events WHERE series_id = ? ORDER BY id',
    series.id,
  )
  const ids = results.map(({ id }) => id)
  const [first = 0, second = 0, third = 0] = ids
  await patch(second, { title: 'Unseen', status: 'pending' }, contributor)
  await patch(third, { status: 'publish' })
  await patch(first, { scope: 'all', status: 'publish' })
  expect(await statusesOf(ids)).toEqual(['publish', 'pending', 'publish', 'publish'])
  return ids
}

const GONE = Array.from({ length: 4 }, () => 'event-no-longer-available')

const WAYS = [
  ['a change', { method: 'PATCH', body: { scope: 'all', status: 'trash' } }],
  ['a deletion', { method: 'DELETE', body: { scope: 'all' } }],
] as const

describe.each(WAYS)('a series that %s moves to the trash', (_, way) => {
  const throwAway = async (ids: readonly number[]) => {
    const address = await bySubmitting('ella', [{ ...way, path: `/events/${ids[0]}` }])
    expect(await statusesOf(ids)).toEqual(GONE)
    return address
  }

  it('comes back as it was by undoing that', async () => {
    const ids = await makeSeries()
    const { text } = await editor.browser.submit(await throwAway(ids))
    expect(text).toContain('The change has been undone.')
    expect(await statusesOf(ids)).toEqual(['publish', 'pending', 'publish', 'publish'])
  })

  it.each([0, 1, 2, 3])('publishes nothing more if a write of the undoing fails: %i', async after => {
    const ids = await makeSeries()
    const address = await throwAway(ids)
    const lost = faultyD1({ message: 'D1_ERROR: Network connection lost.', writesOnly: true, after })
    await editor.browser.with(lost).post(address)
    expect((await statusesOf(ids))[1]).not.toBe('publish')
  })

  it('comes back out of the trash with drafts of these dates', async () => {
    const ids = await makeSeries()
    await throwAway(ids)
    await editor.browser.submit('/admin/trash/', { thing: `series-${ids[0]}`, do: 'restore' })
    expect(await statusesOf(ids)).toEqual(['publish', 'draft', 'draft', 'publish'])
  })

  it('comes back with drafts of these dates by its status', async () => {
    const ids = await makeSeries()
    await throwAway(ids)
    await patch(ids[3] ?? 0, { scope: 'all', status: 'publish' })
    expect(await statusesOf(ids)).toEqual(['publish', 'draft', 'draft', 'publish'])
  })
})

it('a date that a rule drops and brings back is public only if only editors have changed it', async () => {
  const ids = await makeSeries()
  const [first = 0, , , last = 0] = ids
  await patch(first, { scope: 'all', recurrence: 'FREQ=DAILY;COUNT=1' })
  for (const json of [{ title: 'Unseen', status: 'trash' }, { title: 'Unseen' }, { status: 'draft' }])
    expect((await patch(last, json, contributor)).status).toBe(403)
  await patch(first, { scope: 'all', recurrence: 'FREQ=DAILY;COUNT=4' })
  expect(await statusesOf(ids)).toEqual(['publish', 'draft', 'draft', 'publish'])
})
