import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { makeEvent, queryValue, send } from '../../factories.ts'
import { faultyD1 } from '../../http/faulty-d1.ts'
import { signedIn, signIn } from './session.ts'

const editor = signedIn('editor')
const contributor = signedIn('contributor')

const LOST = 'D1_ERROR: Network connection lost.'

/** Sends an event back, on a database that fails. */
async function sendBack(id: number, fault: Parameters<typeof faultyD1>[0]) {
  const version = await queryValue<number>('SELECT version FROM events WHERE id = ?', id)
  const fields = { decision: 'return', event: `event.${id}.${version}`, note: 'Typed with care' }
  return editor.browser.with(faultyD1(fault)).post('/admin/review/', fields)
}

const state = (id: number) =>
  env.DB.prepare(
    `SELECT status, (SELECT count(*) FROM review_notes WHERE object_id = events.id AND kind = 'event') AS notes
      FROM events WHERE id = ?`,
  )
    .bind(id)
    .first<{ status: string; notes: number }>()

it('a note and the decision are written together, or not at all', async () => {
  const { id } = await makeEvent(contributor.as, { status: 'pending' })
  const failed = await sendBack(id, { message: LOST, times: 20, writesOnly: true })
  expect(failed.status).toBeGreaterThanOrEqual(422)
  expect(failed.text).toMatch(/Typed with care|Nothing|number/i)
  expect(await state(id)).toEqual({ status: 'pending', notes: 0 })

  await sendBack(id, { message: LOST, writesOnly: true, late: true })
  expect(await state(id)).toEqual({ status: 'draft', notes: 1 })
})

it('an event that its author changes between the read and the write is not sent back unseen', async () => {
  const { id } = await makeEvent(contributor.as, { status: 'pending' })
  const change = () => send('PATCH', `/events/${id}`, { as: contributor.as, json: { title: 'Other' } })
  const answer = await sendBack(id, { beforeWrite: change })
  expect(answer.status).toBe(422)
  expect(answer.html).toContain('Typed with care')
  expect(await state(id)).toEqual({ status: 'pending', notes: 0 })
})

it('only one of two simultaneous decisions takes effect', async () => {
  const another = await signIn('editor')
  for (let n = 0; n < 3; n++) {
    const { id } = await makeEvent(contributor.as, { status: 'pending' })
    await Promise.all([editor, another].map(({ browser }) => browser.get('/admin/review/')))
    const [first, second] = await Promise.all([
      editor.browser.post('/admin/review/', { decision: 'publish', event: `event.${id}.1` }),
      another.browser.post('/admin/review/', { decision: 'return', event: `event.${id}.1`, note: 'No' }),
    ])
    expect([first.status, second.status].sort()).toEqual([303, 422])
    expect(await state(id)).toEqual(
      first.status === 303 ? { status: 'publish', notes: 0 } : { status: 'draft', notes: 1 },
    )
  }
})
