import { beforeAll, describe, expect, it } from 'vitest'
import { makeUser, send } from '../../factories.ts'

// A few series of every day are several days of what the free plan lets a calendar write.

let contributor = ''
let editor = ''
beforeAll(async () => {
  contributor = await makeUser('contributor', 'contributor')
  editor = await makeUser('editor', 'editor')
})

const DAILY = {
  start_date: '2026-11-21 10:00',
  end_date: '2026-11-21 11:00',
  recurrence: { rrule: 'FREQ=DAILY' },
}

const batch = async (as: string, count: number, more: object = {}) => {
  const requests = Array.from({ length: count }, (_, i) => ({
    path: '/events',
    body: { title: `Daily ${i}`, ...DAILY },
  }))
  return send('POST', '/batch', { as, json: { requests, ...more } })
}

const statuses = (body: { responses: { status: number }[] }) => body.responses.map(({ status }) => status)

describe('a batch of series', () => {
  it('makes so many dates of a contributor, and says what the next ones would be', async () => {
    const { body } = await batch(contributor, 4)
    expect(statuses(body as never)).toEqual([201, 201, 429, 429])
    const [, , refused] = body.responses
    expect(refused.headers['Retry-After']).toBe('60')
    expect(refused.body.message).toMatch(
      /^This writes 7\d\d dates. The role contributor may write 2000 in one request/,
    )
  })

  it('makes more of an editor', async () => {
    expect(statuses((await batch(editor, 4)).body as never)).toEqual([201, 201, 201, 201])
  })
})
