import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { settingsOf } from '../../src/settings.ts'
import { API, makeEvent, makeUser, SITE } from '../factories.ts'
import { message } from '../mcp/agent.ts'
import { JPEG } from '../media/samples.ts'
import { TODAY } from '../setup.ts'

let admin: string
let event: number

beforeAll(async () => {
  admin = await makeUser('admin', 'administrator')
  event = (await makeEvent(admin)).id
})

describe('shared caches', () => {
  const app = createApp(settingsOf({}))
  const purge = vi.fn(async (_: { tags: string[] }) => true)
  const waiting: Promise<unknown>[] = []
  // The part of the runtime that local development lacks.
  const context = {
    waitUntil: (promise: Promise<unknown>) => waiting.push(promise),
    passThroughOnException: () => undefined,
    props: {},
    cache: { purge },
  }
  const write = (json: object) =>
    app.request(
      `${API}/events/${event}`,
      {
        method: 'PATCH',
        headers: { authorization: admin, 'content-type': 'application/json' },
        body: JSON.stringify(json),
      },
      env,
      context as unknown as ExecutionContext,
    )

  it('keep all they have after what reads', async () => {
    const call = message('tools/list', {})
    for (const [address, init] of [
      [`${API}/events`, {}],
      [`${API}/events`, { method: 'OPTIONS', headers: { origin: 'https://elsewhere.example' } }],
      [`${SITE}/mcp`, call],
    ] as const) {
      const answer = await app.request(address, init, env, context as unknown as ExecutionContext)
      expect([address, answer.ok]).toEqual([address, true])
    }
    expect(purge).not.toHaveBeenCalled()
  })

  it('forget at once what was written, and then once for all that follows', async () => {
    expect((await write({ cost: '$7' })).status).toBe(200)
    expect(purge).toHaveBeenCalledExactlyOnceWith({ tags: ['calendar'] })
    expect((await write({ status: 'nonsense' })).status).toBe(400)
    await Promise.all(waiting)
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout'], now: TODAY })
    await write({ cost: '$8' })
    await write({ cost: '$9' })
    expect(purge).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(20_000)
    await Promise.all(waiting)
    vi.useFakeTimers({ toFake: ['Date'], now: TODAY })
    expect(purge).toHaveBeenCalledTimes(2)
  })

  it('forget what an agent writes', async () => {
    vi.setSystemTime(TODAY.getTime() + 1_800_000)
    purge.mockClear()
    const call = { name: 'update_event', arguments: { id: event, cost: '$10' } }
    const init = message('tools/call', call, { as: admin })
    await app.request(`${SITE}/mcp`, init, env, context as unknown as ExecutionContext)
    expect(purge).toHaveBeenCalledExactlyOnceWith({ tags: ['calendar'] })
    await Promise.all(waiting)
  })

  it('forget images when one is deleted, and when nothing else is', async () => {
    vi.setSystemTime(TODAY.getTime() + 3_600_000)
    purge.mockClear()
    const request = (method: string, path: string, body?: BodyInit) => {
      const headers = { authorization: admin, 'content-type': 'image/jpeg' }
      const init = { method, headers, ...(body && { body }) }
      return app.request(API + path, init, env, context as unknown as ExecutionContext)
    }
    const uploaded = await request('POST', '/media', JPEG)
    await Promise.all(waiting)
    const { id, url } = await uploaded.json<{ id: number; url: string }>()
    const served = await app.request(url, {}, env, context as unknown as ExecutionContext)
    expect(served.headers.get('cache-tag')).toBe('media')
    await served.arrayBuffer()
    expect(purge.mock.calls).toEqual([[{ tags: ['calendar'] }]])
    vi.setSystemTime(TODAY.getTime() + 7_200_000)
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout'], now: TODAY.getTime() + 7_200_000 })
    expect((await request('DELETE', `/media/${id}`)).status).toBe(200)
    await vi.advanceTimersByTimeAsync(20_000)
    await Promise.all(waiting)
    vi.useFakeTimers({ toFake: ['Date'], now: TODAY })
    expect(purge.mock.calls.flat().flatMap(call => call.tags)).toEqual(['calendar', 'media', 'calendar'])
  })
})
