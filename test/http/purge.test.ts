import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { settingsOf } from '../../src/settings.ts'
import { API, makeEvent, makeUser } from '../factories.ts'
import { TODAY } from '../setup.ts'

let admin: string
let event: number

beforeAll(async () => {
  admin = await makeUser('admin', 'administrator')
  event = (await makeEvent(admin)).id
})

describe('shared caches', () => {
  const app = createApp(settingsOf({}))
  const purge = vi.fn(async () => true)
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
})
