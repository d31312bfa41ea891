import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { Memory } from '../../src/http/memory.ts'
import { settingsOf } from '../../src/settings.ts'
import { type Answer, API, makeEvent, makeUser, send } from '../factories.ts'
import { TODAY } from '../setup.ts'

let admin: string
let event: Answer['body']

beforeAll(async () => {
  admin = await makeUser('admin', 'administrator')
  event = await makeEvent(admin, { title: 'Cached', venue: { venue: 'Hall' } })
})

describe('an answer that was just given', () => {
  const app = createApp(settingsOf({ DEBUG_TIMING: '1' }))
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await app.request(API + path, { headers }, env)
    const [, trips, rows] =
      answer.headers.get('server-timing')?.match(/trips;desc="(\d+)".*rows-read;desc="(\d+)"/) ?? []
    return { body: await answer.text(), headers: answer.headers, trips: Number(trips), rows: Number(rows) }
  }

  it('is given again at the cost of one row, as it was', async () => {
    for (const path of ['/events?per_page=2', '/events/by-slug/cached', '/venues?page=1']) {
      const [first, second] = [await read(path), await read(path)]
      expect([second.trips, second.rows]).toEqual([1, 1])
      expect(first.rows).toBeGreaterThan(3)
      expect(second.body).toBe(first.body)
      for (const name of ['content-type', 'etag', 'last-modified', 'cache-control', 'x-tec-total', 'link'])
        expect(second.headers.get(name), name).toBe(first.headers.get(name))
      expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    }
  })

  it('is worked out anew, in the same round trip, once anything has changed', async () => {
    await read('/events?search=cached')
    await send('PATCH', `/events/${event.id}`, { as: admin, json: { cost: '$1234' } })
    const { body, trips, rows } = await read('/events?search=cached')
    expect([body.includes('$1234'), trips, rows > 1]).toEqual([true, 1, true])
  })

  it('is given again where that was less likely, at the cost of a few rows', async () => {
    const first = await read('/events?per_page=3')
    vi.setSystemTime(TODAY.getTime() + 60_000)
    const second = await read('/events?per_page=3')
    vi.setSystemTime(TODAY)
    expect(second.body).toBe(first.body)
    expect(second.trips).toBe(1)
    expect(second.rows).toBeLessThanOrEqual(3)
  })

  it('is worked out anew when somebody else has changed something', async () => {
    const before = await read('/venues?search=hall')
    await env.DB.prepare("UPDATE venues SET phone = '0815', version = version + 1 WHERE id = ?")
      .bind(event.venue.id)
      .run()
    const after = await read('/venues?search=hall')
    expect([before.body.includes('0815'), after.body.includes('0815')]).toEqual([false, true])
  })

  it('is kept for the public only, and for one address', async () => {
    await read('/events?per_page=1')
    expect((await read('/events?per_page=1', { authorization: admin })).rows).toBeGreaterThan(1)
    const elsewhere = await app.request(
      'https://elsewhere.example/calendar/events/v1/events?per_page=1',
      {},
      env,
    )
    expect(await elsewhere.text()).toContain('https://elsewhere.example/event/')
  })

  it('makes room for others when there are many', () => {
    const memory = new Memory()
    const answer = { state: 's', body: 'x'.repeat(300_000), headers: [] }
    for (let i = 0; i < 20; i++) memory.keep(`/${i}`, answer)
    memory.keep('/large', { ...answer, body: 'x'.repeat(500_000) })
    const kept = Array.from({ length: 20 }, (_, i) => i).filter(i => memory.recall(`/${i}`))
    expect(kept).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    expect(memory.recall('/large')).toBeUndefined()
  })
})
